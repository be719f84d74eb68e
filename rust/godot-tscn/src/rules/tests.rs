//! The common part of the tests of the rules, and the properties of all rules.

use std::collections::HashSet;

use testkit::words::unwanted_form;

use self::rendered::render;
use super::{RULES, Rule};
use crate::diagnostic::{Applicability, Diagnostic};
use crate::fix::apply_fixes;
use crate::godot_version::GodotVersion;
use crate::lint::lint;
use crate::options::LintOptions;

mod rendered;

/// A scene with a root and `rest`, which starts at line 4.
pub(crate) fn node(rest: &str) -> String {
    format!("[gd_scene format=3]\n\n[node name=\"A\" type=\"Node\"]\n{rest}")
}

/// All that the rule says of `text`, for a snapshot.
#[track_caller]
pub(crate) fn rendered(rule: &Rule, text: &(impl AsRef<[u8]> + ?Sized)) -> String {
    rendered_with(rule, text.as_ref(), all_rules())
}

/// [`rendered`] for a file with this name.
#[track_caller]
pub(crate) fn rendered_file(rule: &Rule, path: &str, text: &(impl AsRef<[u8]> + ?Sized)) -> String {
    rendered_with(rule, text.as_ref(), LintOptions { path: Some(path), ..all_rules() })
}

/// [`rendered`] for a project of this version of Godot.
#[track_caller]
pub(crate) fn rendered_for(
    rule: &Rule,
    target: &str,
    text: &(impl AsRef<[u8]> + ?Sized),
) -> String {
    let target = Some(target.parse().expect("a version"));
    rendered_with(rule, text.as_ref(), LintOptions { target, ..all_rules() })
}

/// The rule finds nothing in `text`.
#[track_caller]
pub(crate) fn clean(rule: &Rule, text: &(impl AsRef<[u8]> + ?Sized)) {
    assert_clean(&rendered(rule, text), text.as_ref());
}

/// [`clean`] for a file with this name.
#[track_caller]
pub(crate) fn clean_file(rule: &Rule, path: &str, text: &(impl AsRef<[u8]> + ?Sized)) {
    assert_clean(&rendered_file(rule, path, text), text.as_ref());
}

/// [`clean`] for a project of this version of Godot.
#[track_caller]
pub(crate) fn clean_for(rule: &Rule, target: &str, text: &(impl AsRef<[u8]> + ?Sized)) {
    assert_clean(&rendered_for(rule, target, text), text.as_ref());
}

#[track_caller]
fn rendered_with(rule: &Rule, text: &[u8], options: LintOptions<'_>) -> String {
    diagnostics_with(rule, text, options).iter().map(|found| render(text, found)).collect()
}

#[track_caller]
fn assert_clean(found: &str, text: &[u8]) {
    assert!(found.is_empty(), "found:\n{found}in:\n{}", String::from_utf8_lossy(text));
}

/// Applies the rule's fixes, unsafe ones included, and checks that they leave nothing to find.
#[track_caller]
pub(crate) fn check_fix(rule: &Rule, before: &str, after: &str) {
    let found = diagnostics(rule, before.as_bytes());
    assert!(!found.is_empty(), "the rule finds nothing");
    let fixed = apply_fixes(before.as_bytes(), &found, Applicability::Unsafe);
    assert_eq!(String::from_utf8_lossy(&fixed.text), after);
    clean(rule, &fixed.text);
}

fn all_rules() -> LintOptions<'static> {
    LintOptions { all_rules: true, ..LintOptions::default() }
}

/// The codes of all diagnostics in `text`.
pub(crate) fn codes(text: &str) -> Vec<&'static str> {
    let report = lint(text.as_bytes(), &LintOptions::default());
    report.diagnostics.iter().map(|diagnostic| diagnostic.code).collect()
}

/// The rule's diagnostics in `text`.
pub(crate) fn diagnostics(rule: &Rule, text: &[u8]) -> Vec<Diagnostic> {
    diagnostics_with(rule, text, all_rules())
}

#[track_caller]
fn diagnostics_with(rule: &Rule, text: &[u8], options: LintOptions<'_>) -> Vec<Diagnostic> {
    let mut found = lint(text, &options).diagnostics;
    found.retain(|diagnostic| diagnostic.code == rule.code);
    found.iter().for_each(check_convention);
    found
}

/// Lower case, no final dot, code in backticks.
#[track_caller]
fn check_convention(diagnostic: &Diagnostic) {
    let texts = [Some(diagnostic.message.as_str())]
        .into_iter()
        .chain([diagnostic.consequence.as_deref(), diagnostic.help.as_deref()])
        .chain([diagnostic.fix.as_ref().map(|fix| fix.title.as_ref())])
        .chain(diagnostic.labels.iter().map(|label| Some(label.text.as_ref())));
    for text in texts.flatten() {
        let prose: String = text.split('`').step_by(2).collect();
        let starts_well = prose.starts_with("Godot ")
            || text.starts_with('`')
            || prose.starts_with(|first: char| first.is_lowercase());
        assert!(starts_well, "no lower case: {text}");
        assert!(!text.ends_with('.'), "final dot: {text}");
        assert!(text.matches('`').count() % 2 == 0, "odd backticks: {text}");
        assert!(!prose.contains(['"', '_']), "code without backticks: {text}");
        assert_eq!(unwanted_form(text), None, "{text}");
        assert!(!text.starts_with("there is "), "say what was expected, or not found: {text}");
    }
}

/// The code blocks under the heading `heading` of a rule's documentation.
fn example(rule: &Rule, heading: &str) -> Option<String> {
    let (_, rest) = rule.docs.split_once(&format!(" ## {heading}\n"))?;
    let rest = rest.split(" ## ").next()?;
    let (_, block) = rest.split_once("```tscn\n")?;
    let (block, _) = block.split_once(" ```")?;
    Some(
        block.lines().map(|line| format!("{}\n", line.strip_prefix(' ').unwrap_or(line))).collect(),
    )
}

#[test]
fn codes_and_names_are_unique_and_in_order() {
    let (mut codes, mut names) = (HashSet::new(), HashSet::new());
    for rule in RULES {
        assert!(codes.insert(rule.code), "{} twice", rule.code);
        assert!(names.insert(rule.name), "{} twice", rule.name);
        assert!(
            rule.name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-')
        );
    }
    let groups = ["SYN", "STR", "REF", "RES", "FMT", "TREE", "SIG", "STY", "SEC", "PERF", "MIG"];
    let group = |rule: &Rule| groups.iter().position(|group| rule.code.starts_with(group));
    assert!(RULES.is_sorted_by_key(|rule| (group(rule), rule.code)));
}

#[test]
fn every_rule_is_documented_under_the_same_headings() {
    for rule in RULES {
        for heading in ["What it does", "Why is this bad?", "Example", "Use instead", "References"]
        {
            let found = rule.docs.contains(&format!(" ## {heading}\n"));
            assert!(found, "{} has no `## {heading}`", rule.code);
        }
    }
}

#[test]
fn examples_show_what_they_say() {
    for rule in RULES {
        let Some(bad) = example(rule, "Example") else {
            continue;
        };
        // Some rules are about one version only.
        let targets = [None, Some(GodotVersion::godot4(6)), Some(GodotVersion::godot4(2))];
        let find = |text: &str, target| {
            let mut found =
                lint(text.as_bytes(), &LintOptions { target, ..all_rules() }).diagnostics;
            found.retain(|diagnostic| diagnostic.code == rule.code);
            found
        };
        let target = targets.into_iter().find(|target| !find(&bad, *target).is_empty());
        let target = target.unwrap_or_default();
        let found = find(&bad, target);
        assert!(!found.is_empty(), "{} does not find its own example:\n{bad}", rule.code);
        if found.iter().any(|diagnostic| diagnostic.fix.is_some()) {
            assert!(rule.docs.contains(" ## Fix safety\n"), "{}: how safe is the fix?", rule.code);
        }
        let good = example(rule, "Use instead").expect("no example of the right way");
        let found = find(&good, target);
        assert!(found.is_empty(), "{} finds something in:\n{good}", rule.code);
    }
}

#[test]
fn rules_are_found_by_code_and_name() {
    for rule in RULES {
        assert!(std::ptr::eq(*rule, Rule::find(&rule.code.to_lowercase()).unwrap()));
        assert!(std::ptr::eq(*rule, Rule::find(rule.name).unwrap()));
    }
    assert!(Rule::find("REF999").is_none());
}
