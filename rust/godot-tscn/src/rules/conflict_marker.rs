//! SYN006

use crate::conflict_marks::{METADATA, conflicts_in_settings};
use crate::context::Context;
use crate::diagnostic::Severity;
use crate::document::Property;
use crate::rules::{Reporter, declare_rule};
use crate::syntax::SyntaxErrorKind;
use crate::words;

declare_rule! {
    /// ## What it does
    /// Reports conflict markers that a version control system left in the file. Also warns about unresolved conflicts
    /// of `gdscene merge`, because Godot loads a file with these.
    ///
    /// ## Why is this bad?
    /// Godot does not load a file with conflict markers, and its error names neither the reason nor the place. If the
    /// metadata `_gdscene_conflicts` or the setting `gdscene/conflicts` stores conflicts, Godot loads our side. Settle
    /// these conflicts with `gdscene resolve`.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node"]
    /// <<<<<<< HEAD
    /// process_mode = 1
    /// =======
    /// process_mode = 2
    /// >>>>>>> other
    /// ```
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node"]
    /// process_mode = 1
    /// ```
    ///
    /// ## References
    /// godotengine/godot#27984, godotengine/godot#80079
    "SYN006", "conflict-marker", Error, for_settings_files
}

fn check(context: &Context<'_>, reporter: &mut Reporter<'_>) {
    for error in context.document.errors() {
        if error.kind != SyntaxErrorKind::ConflictMarker {
            continue;
        }
        let diagnostic = reporter.report(
            error.span,
            "unresolved merge conflict; keep one side and remove the marker lines",
        );
        diagnostic.consequence("Godot does not load the file");
        if let Some(end) = error.related {
            diagnostic.label(end, "the conflict ends here");
        }
    }
    let left = "unresolved merge conflicts; list and settle them with `gdscene resolve`";
    if context.is_config {
        if let Some(setting) = conflicts_in_settings(context.document) {
            reporter.report(setting.key_span(), left).severity = Severity::Warning;
        }
        return;
    }
    // Texts without it are not looked through.
    if !words::holds(context.document.text(), METADATA.as_bytes()) {
        return;
    }
    for section in context.document.sections() {
        for property in section.properties().filter(|each| has_conflicts(*each)) {
            reporter.report(property.key_span(), left).severity = Severity::Warning;
        }
    }
}

/// Whether it is the metadata of Godot 4 or 3 in which a merge keeps the version of theirs.
fn has_conflicts(property: Property<'_>) -> bool {
    let key = property.key();
    let is_named = key.strip_prefix(b"metadata/").is_some_and(|name| name == METADATA.as_bytes());
    is_named || &*key == b"__meta__" && property.value_tree().root().get(METADATA).is_some()
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::RULE;
    use crate::rules::tests::{clean, codes, node, rendered};

    #[test]
    fn among_properties() {
        let text = node("<<<<<<< HEAD\na = 1\n=======\na = 2\n>>>>>>> other\nb = 1\n");
        assert_snapshot!(rendered(&RULE, &text), @"
        4:1-4:13 error: unresolved merge conflict; keep one side and remove the marker lines
            at: <<<<<<< HEAD
            label 8:1-8:14: the conflict ends here: >>>>>>> other
            so: Godot does not load the file
        ");
        assert_eq!(codes(&text), ["SYN006"]);
    }

    #[test]
    fn among_tags() {
        let text = "[gd_scene format=3]\n<<<<<<< HEAD\n[ext_resource type=\"Script\" path=\"res://a\" id=1]\n\
                    ||||||| base\n=======\n[ext_resource type=\"Script\" path=\"res://b\" id=1]\n\
                    >>>>>>> other\n[node name=\"A\" type=\"Node\"]\nscript = ExtResource(1)\n";
        assert_snapshot!(rendered(&RULE, text), @"
        2:1-2:13 error: unresolved merge conflict; keep one side and remove the marker lines
            at: <<<<<<< HEAD
            label 7:1-7:14: the conflict ends here: >>>>>>> other
            so: Godot does not load the file
        ");
        assert_eq!(codes(text), ["SYN006"]);
    }

    #[test]
    fn within_a_value() {
        let text =
            node("a = {\n<<<<<<< HEAD\n\"b\": 1\n=======\n\"b\": 2\n>>>>>>> other\n}\nb = 1\n");
        assert_snapshot!(rendered(&RULE, &text), @"
        5:1-5:13 error: unresolved merge conflict; keep one side and remove the marker lines
            at: <<<<<<< HEAD
            label 9:1-9:14: the conflict ends here: >>>>>>> other
            so: Godot does not load the file
        ");
        assert_eq!(codes(&text), ["SYN006"]);
    }

    /// The rest of the string is not read as properties.
    #[test]
    fn through_a_string() {
        let side = "a = 1\ntext = \"func f():\n";
        let rest = "\tfor number in range(x - 1):\n\tcell.x += 1\n\"\n\n[node name=\"B\" type=\"Node\" parent=\".\"]\nc = Nope(1)\n";
        let text = node(&format!("<<<<<<< HEAD\n{side}=======\n{side}>>>>>>> other\n{rest}"));
        assert_eq!(codes(&text), ["SYN006", "SYN015"]);
    }

    #[test]
    fn longer_markers() {
        let text = node("<<<<<<<< HEAD\na = 1\n========\na = 2\n>>>>>>>> other\nb = 1\n");
        assert_snapshot!(rendered(&RULE, &text), @"
        4:1-4:14 error: unresolved merge conflict; keep one side and remove the marker lines
            at: <<<<<<<< HEAD
            label 8:1-8:15: the conflict ends here: >>>>>>>> other
            so: Godot does not load the file
        ");
        assert_eq!(codes(&text), ["SYN006"]);
    }

    #[test]
    fn conflicts_in_metadata() {
        let list = "[{\n\"property\": \"a\",\n\"theirs\": 2\n}]";
        let text = node(&format!("a = 1\nmetadata/_gdscene_conflicts = {list}\n"));
        assert_snapshot!(rendered(&RULE, &text), @"
        5:1-5:28 warning: unresolved merge conflicts; list and settle them with `gdscene resolve`
            at: metadata/_gdscene_conflicts
        ");
        let old = format!("__meta__ = {{\n\"_gdscene_conflicts\": {list}\n}}\n");
        assert!(rendered(&RULE, &node(&old)).contains("4:1-4:9 warning"));
        clean(&RULE, &node("a = \"_gdscene_conflicts\"\nmetadata/_gdscene_conflicts_ = 1\n"));
    }

    #[test]
    fn conflicts_in_settings() {
        let text = "config_version=5\n\n[gdscene]\n\nconflicts=[{\n\"key\": \"a\"\n}]\n";
        let found = crate::lint_config(text.as_bytes(), &crate::LintOptions::default()).diagnostics;
        let found: Vec<_> = found.iter().map(|found| (found.code, found.severity)).collect();
        assert_eq!(found, [("SYN006", crate::Severity::Warning)]);
    }

    #[test]
    fn a_marker_alone() {
        assert_snapshot!(rendered(&RULE, &node("a = 1\n=======\nb = 2\n")), @"
        5:1-5:8 error: unresolved merge conflict; keep one side and remove the marker lines
            at: =======
            so: Godot does not load the file
        ");
        assert_snapshot!(rendered(&RULE, &node("a = 1\n>>>>>>> other\n")), @"
        5:1-5:14 error: unresolved merge conflict; keep one side and remove the marker lines
            at: >>>>>>> other
            so: Godot does not load the file
        ");
        clean(&RULE, &node("a = \"\n<<<<<<< no\n\"\n"));
    }
}
