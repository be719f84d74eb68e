//! Whether Godot loads a text at all.

use hashbrown::HashSet;

use crate::diagnostic::RuleGroup;
use crate::diagnostic::{Diagnostic, Severity};
use crate::document::{Document, ReferenceKind, TagKind};
use crate::line_index::LineIndex;
use crate::lint::lint_unsuppressed;
use crate::options::{LintOptions, is_about_reading};
use crate::rule_info::RuleInfo;
use crate::syntax;

/// Why Godot refuses a scene or resource.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The rule that reports it.
    pub code: &'static str,
    /// Its message.
    pub message: String,
    /// The line, counted from 1.
    pub line: u32,
}

/// Why Godot refuses the file, the first reason of several: an error of its syntax, or an id that nothing defines.
///
/// ```
/// let text = b"[gd_scene format=3]\n\n[node name=\"A\" type=\"Node\"]\nx = ExtResource(\"1\")\n";
/// let refusal = godot_tscn::refusal(&godot_tscn::parse(text)).unwrap();
/// assert_eq!((refusal.code, refusal.line), ("REF001", 4));
/// assert_eq!(godot_tscn::refusal(&godot_tscn::parse(b"[gd_scene format=3]\n")), None);
/// ```
pub fn refusal(document: &Document<'_>) -> Option<Refusal> {
    // Most files have none, and need not be looked at by all rules.
    if document.errors().is_empty() && !has_undefined_id(document) {
        return None;
    }
    let may_refuse = |rule: &RuleInfo| is_about_reading(rule.group, Severity::Error);
    let found = lint_unsuppressed(document, &LintOptions::default(), may_refuse).diagnostics;
    let first = found.into_iter().filter(is_refusal).min_by_key(|found| found.span)?;
    let line = LineIndex::new(document.text()).position(first.span.start).line;
    Some(Refusal { code: first.code, message: first.message, line })
}

/// The problems that make Godot refuse or misread a value's text, by place: the code of the rule that reports it, and
/// its message.
///
/// ```
/// let problems = godot_tscn::value_problems(b"Color(1, 1, 1)");
/// assert_eq!(problems, [("SYN011", "`Color` takes exactly 4 numbers".to_owned())]);
/// assert_eq!(godot_tscn::value_problems(b"Color(1, 1, 1, 1)"), []);
/// ```
pub fn value_problems(text: &[u8]) -> Vec<(&'static str, String)> {
    let file = [b"[gd_resource type=\"Resource\" format=4]\n\n[resource]\nvalue = ", text].concat();
    let document = syntax::parse(&file);
    // Most values are right, and need not be looked at by rules.
    if document.errors().is_empty() {
        return Vec::new();
    }
    let found = syntax_problems(&document);
    found.into_iter().map(|found| (found.code, found.message)).collect()
}

/// The messages of the rules on the syntax of a text, by place.
pub(crate) fn syntax_problems(document: &Document<'_>) -> Vec<Diagnostic> {
    let is_syntax = |rule: &RuleInfo| rule.group == RuleGroup::Syntax;
    let mut found = lint_unsuppressed(document, &LintOptions::default(), is_syntax).diagnostics;
    found.sort_by_key(|found| found.span);
    found
}

fn is_refusal(found: &Diagnostic) -> bool {
    let says_so = |text: &str| text.contains("does not load the file");
    found.severity == Severity::Error && found.consequence.as_deref().is_some_and(says_so)
}

fn has_undefined_id(document: &Document<'_>) -> bool {
    let ids = |kind| -> HashSet<_> {
        let sections = document.sections().filter(|section| section.kind() == kind);
        sections.filter_map(|section| section.field_text("id")).collect()
    };
    let (external, internal) = (ids(TagKind::ExtResource), ids(TagKind::SubResource));
    document.references().iter().any(|reference| match reference.kind {
        ReferenceKind::ExtResource => !external.contains(&document.target(reference)),
        ReferenceKind::SubResource => !internal.contains(&document.target(reference)),
        ReferenceKind::Resource => false,
    })
}
