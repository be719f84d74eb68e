//! The documentation of rules, as text for people and pages.

use gdscene_lint::KnownRule;
use godot_tscn::RuleInfo;

/// The text below the heading `What it does`, on one line.
pub(crate) fn what_it_does(rule: &KnownRule<'_>) -> String {
    let text = rule.markdown();
    let section = text.split("## What it does\n").nth(1).unwrap_or(rule.name);
    let paragraph = section.trim_start().split("\n\n").next().unwrap_or_default();
    let lines = paragraph.lines().take_while(|line| !line.starts_with('#'));
    lines.collect::<Vec<_>>().join(" ")
}

/// Whether some diagnostics of the rule come with a fix: a test of the rules makes sure that its documentation has this
/// section then.
pub(crate) fn has_fix(rule: &RuleInfo) -> bool {
    rule.docs.contains(" ## Fix safety\n")
}
