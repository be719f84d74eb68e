//! STY003

use crate::context::Context;
use crate::diagnostic::Applicability;
use crate::document::Section;
use crate::quote::quote;
use crate::removal::remove_property;
use crate::rules::{Reporter, declare_rule};

declare_rule! {
    /// ## What it does
    /// Reports data in a scene that only the editor uses: locks, groups, guides and anchors
    /// (`metadata/_edit_lock_`, `_edit_group_`, `_edit_horizontal_guides_`, `_edit_use_anchors_`, …).
    ///
    /// ## Why is this bad?
    /// The game loads and keeps this data without using it, and it causes unrelated changes in diffs. Locks and groups
    /// may be intended.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node2D"]
    /// metadata/_edit_lock_ = true
    /// ```
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node2D"]
    /// ```
    ///
    /// ## Fix safety
    /// Unsafe: the editor loses these settings.
    ///
    /// ## References
    /// `CanvasItemEditor` (editor/scene/canvas_item_editor_plugin.cpp), Godot issue 57862
    "STY003", "editor-metadata", Info
}

fn check(context: &Context<'_>, reporter: &mut Reporter<'_>) {
    if !context.facts.has_private_metadata {
        return;
    }
    let document = context.document;
    for property in document.sections().flat_map(Section::properties) {
        let key = property.key();
        let Some(name) = key.strip_prefix(b"metadata/") else { continue };
        if !name.starts_with(b"_edit_") {
            continue;
        }
        let message = format!("{} is for the editor only; remove it", quote(name));
        let fix = remove_property(document, property, Applicability::Unsafe);
        reporter.report(property.key_span(), message).fix(fix);
    }
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::RULE;
    use crate::rules::tests::{check_fix, node, rendered};

    #[test]
    fn metadata() {
        let text = node("a = 1\nmetadata/_edit_lock_ = true\nmetadata/_other = 1\n");
        assert_snapshot!(rendered(&RULE, &text), @"
        5:1-5:21 info: `_edit_lock_` is for the editor only; remove it
            at: metadata/_edit_lock_
            unsafe fix: remove the property
              - metadata/_edit_lock_ = true
        ");
        check_fix(&RULE, &text, &node("a = 1\nmetadata/_other = 1\n"));
    }
}
