//! Fixes that have to wait until another finding is mended.

use crate::diagnostic::RuleGroup;
use crate::diagnostic::{Diagnostic, Fix, Severity};
use crate::document::{Document, TagKind};
use crate::edit_set::Edit;
use crate::lint::lint_unsuppressed;
use crate::options::{LintOptions, is_about_reading};
use crate::rule_info::RuleInfo;
use crate::rules::RULES;
use crate::span::Span;

/// Removes the fixes in a scene or resource that must wait. These are fixes in one of two fields of a name, which would differ
/// then. They are also those that remove something from a text that Godot refuses or misreads, or that has a scene inside a
/// resource, because its nodes would become those of the file's own scene.
///
/// Unused parts of such a text may have a use when the error is fixed, and Godot, which does not load the text, does
/// not drop them. The fixes of the errors themselves stay; the others come back with the next look.
pub(crate) fn withhold_fixes(
    document: &Document<'_>,
    options: &LintOptions<'_>,
    diagnostics: &mut [Diagnostic],
) {
    withhold_in_fields_there_twice(diagnostics);
    let is_removal = |found: &Diagnostic| {
        !is_about_loading(found) && found.fix.as_ref().is_some_and(|fix| removes(document, fix))
    };
    let has_nested = || document.sections().any(|section| section.kind() == TagKind::Nested);
    if diagnostics.iter().any(is_removal)
        && (has_nested() || has_error(diagnostics) || has_unreported_error(document, options))
    {
        for found in diagnostics.iter_mut().filter(|found| is_removal(found)) {
            found.fix = None;
        }
    }
}

fn withhold_in_fields_there_twice(diagnostics: &mut [Diagnostic]) {
    let is_twice = |found: &&Diagnostic| found.code == "STR007";
    let mut fields: Vec<Span> = diagnostics
        .iter()
        .filter(is_twice)
        .flat_map(|found| found.labels.iter().map(|label| label.span).chain([found.span]))
        .collect();
    if fields.is_empty() {
        return;
    }
    fields.sort_unstable();
    let is_in_one = |edit: &Edit| {
        let after = fields.partition_point(|field| field.start <= edit.span.start);
        after.checked_sub(1).is_some_and(|last| fields[last].contains(edit.span))
    };
    for found in diagnostics {
        if found.fix.as_ref().is_some_and(|fix| fix.edits().iter().any(is_in_one)) {
            found.fix = None;
        }
    }
}

/// Whether the fix takes something away and puts nothing in its place.
fn removes(document: &Document<'_>, fix: &Fix) -> bool {
    let is_blank = |text: &[u8]| text.trim_ascii().is_empty();
    fix.edits().iter().any(|edit| {
        is_blank(edit.replacement.as_bytes()) && !is_blank(edit.span.of(document.text()))
    })
}

/// Whether it may be why Godot refuses the text, reads it otherwise or loses nodes or values of it.
fn is_about_loading(found: &Diagnostic) -> bool {
    is_about_reading(found.group, found.severity)
        || (found.group == RuleGroup::Tree && found.severity == Severity::Error)
}

fn has_error(diagnostics: &[Diagnostic]) -> bool {
    diagnostics.iter().any(|found| found.severity == Severity::Error && is_about_loading(found))
}

/// Whether there is such an error that a setting removed from the diagnostics.
fn has_unreported_error(document: &Document<'_>, options: &LintOptions<'_>) -> bool {
    let of_all = LintOptions { rules: None, ..*options };
    let is_left_out = |info: &RuleInfo| options.state_of(info) != of_all.state_of(info);
    if !RULES.iter().any(|rule| is_left_out(&rule.info)) {
        return false;
    }
    let found = lint_unsuppressed(document, &of_all, is_left_out).diagnostics;
    has_error(&found)
}

#[cfg(test)]
mod tests {
    use crate::diagnostic::Applicability;
    use crate::fix::fix_by;
    use crate::lint::lint;
    use crate::options::LintOptions;
    use crate::rule_choice::{RuleChoice, RuleState};
    use crate::rules::RULES;

    /// One of the two would differ then.
    #[test]
    fn no_fix_in_a_field_that_is_there_twice() {
        let text = |groups: &str| {
            format!("[gd_scene format=3]\n\n[node name=\"A\" type=\"Node\"{groups}]\n")
        };
        let has_fix = |text: String| {
            let found = lint(text.as_bytes(), &LintOptions::default()).diagnostics;
            found.iter().find(|found| found.code == "TREE019").unwrap().fix.is_some()
        };
        let groups = " groups=[\"a\", \"a\"]";
        assert!(has_fix(text(groups)));
        assert!(!has_fix(text(&groups.repeat(2))));
    }

    /// Godot 4.6.3 refuses it: "Unknown tag 'sub_resource' in file".
    const REFUSED: &str = "[gd_scene format=3]\n\n\
                           [ext_resource type=\"Texture2D\" path=\"res://a.png\" id=\"1\"]\n\n\
                           [node name=\"A\" type=\"Node\"]\n\n\
                           [connection signal=\"ready\" from=\".\" to=\".\" method=\"f\"]\n\
                           [connection signal=\"ready\" from=\".\" to=\".\" method=\"f\"]\n\n\
                           [sub_resource type=\"Gradient\" id=\"g\"]\nx = 1\n";

    fn fixed(text: &str, limit: Applicability, options: &LintOptions<'_>) -> String {
        let fixed = fix_by(text.as_bytes(), limit, |text| lint(text, options).diagnostics);
        String::from_utf8(fixed.text).unwrap()
    }

    #[track_caller]
    fn is_kept(text: &str, options: &LintOptions<'_>) {
        assert_eq!(fixed(text, Applicability::Unsafe, options), text);
    }

    #[test]
    fn nothing_is_removed_from_a_text_that_is_refused() {
        let found = lint(REFUSED.as_bytes(), &LintOptions::default()).diagnostics;
        let has_fix: Vec<_> = found.iter().map(|found| (found.code, found.fix.is_some())).collect();
        assert_eq!(
            has_fix,
            [("REF007", false), ("SIG004", false), ("REF008", false), ("STR004", true)]
        );
        // Without a fix of the cause, all stays.
        for cause in ["x = SubResource(\"gg\")", "x = [1", "x = Vector2(1, 2", "x = Nope(1)"] {
            let sound = "[gd_scene format=3]\n\n[ext_resource type=\"Texture2D\" path=\"res://a.png\" id=\"1\"]\n\n\
                         [sub_resource type=\"Gradient\" id=\"g\"]\n\n[node name=\"A\" type=\"Node\"]\n";
            is_kept(&format!("{sound}{cause}\n"), &LintOptions::default());
        }
    }

    #[test]
    fn with_the_cause_mended_the_rest_follows() {
        let text = fixed(REFUSED, Applicability::Safe, &LintOptions::default());
        assert_eq!(
            text,
            "[gd_scene format=3]\n\n[node name=\"A\" type=\"Node\"]\n\n\
             [connection signal=\"ready\" from=\".\" to=\".\" method=\"f\"]\n"
        );
    }

    /// Who chooses the rule of the removal alone does not choose that text is lost.
    #[test]
    fn whatever_rules_are_chosen() {
        let mut choice = RuleChoice::default();
        for rule in RULES.iter().filter(|rule| rule.code != "REF008") {
            choice.set(&rule.info, RuleState::Off);
        }
        is_kept(REFUSED, &LintOptions { rules: Some(&choice), ..LintOptions::default() });
        is_kept(
            &REFUSED.replace("\"g\"]", "\"g\"] ; gdscene: ignore[STR004]"),
            &LintOptions::default(),
        );
    }
}
