//! MIG007

use crate::context::Context;
use crate::diagnostic::{Applicability, Fix};
use crate::document::{Field, Section};
use crate::edit_set::Edit;
use crate::godot_version::GodotVersion;
use crate::rules::{Reporter, declare_rule};
use crate::span::Span;

declare_rule! {
    /// ## What it does
    /// Reports `load_steps` in a project for Godot 4.6 and newer. For older versions, see `load-steps-mismatch`.
    ///
    /// ## Why is this bad?
    /// Godot 4.6 neither reads nor writes the field: the next save removes it, and until then it causes
    /// conflicts in merges.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene load_steps=2 format=3]
    ///
    /// [ext_resource type="Script" path="res://a.gd" id="1"]
    ///
    /// [node name="A" type="Node"]
    /// script = ExtResource("1")
    /// ```
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [ext_resource type="Script" path="res://a.gd" id="1"]
    ///
    /// [node name="A" type="Node"]
    /// script = ExtResource("1")
    /// ```
    ///
    /// ## Fix safety
    /// Safe: Godot 4.6 ignores the field.
    ///
    /// ## References
    /// `ResourceFormatSaverTextInstance::save` (scene/resources/resource_format_text.cpp), Godot issue 103352
    "MIG007", "load-steps-obsolete", Info
}

fn check(context: &Context<'_>, reporter: &mut Reporter<'_>) {
    let Some(header) = context.header().filter(|_| has_no_load_steps(context)) else { return };
    let Some(field) = header.field("load_steps").filter(|_| !header.is_broken()) else { return };
    let end = field.span().end;
    let blank = context.document.text().get(end as usize) == Some(&b' ');
    let edits = vec![Edit::remove(Span::new(field.span().start, end + u32::from(blank)))];
    reporter
        .report(field.span(), "Godot 4.6 and newer do not use `load_steps`; remove it")
        .fix(Fix::new("remove `load_steps`", Applicability::Safe, edits));
}

/// Whether the version that the file is for has no `load_steps` any more.
pub(super) fn has_no_load_steps(context: &Context<'_>) -> bool {
    let is_old =
        |header: Section<'_>| matches!(header.field("format").and_then(Field::int), Some(1 | 2));
    context.is_for(GodotVersion::godot4(6)) && !context.header().is_some_and(is_old)
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::RULE;
    use crate::rules::tests::{clean, clean_for, node, rendered_for};

    #[test]
    fn targets() {
        let text = node("").replace("format=3", "load_steps=2 format=3");
        clean(&RULE, &text);
        clean_for(&RULE, "4.5", &text);
        assert_snapshot!(rendered_for(&RULE, "4.6", &text), @"
        1:11-1:23 info: Godot 4.6 and newer do not use `load_steps`; remove it
            at: load_steps=2
            safe fix: remove `load_steps`
              - [gd_scene load_steps=2 format=3]
              + [gd_scene format=3]
        ");
        clean_for(&RULE, "4.6", &text.replace("format=3", "format=2"));
    }
}
