//! STR016

use crate::context::Context;
use crate::diagnostic::{Applicability, Fix};
use crate::edit_set::Edit;
use crate::rules::{Reporter, declare_rule};

declare_rule! {
    /// ## What it does
    /// Reports base64 in a `PackedByteArray`, and a `PackedVector4Array`, in a file whose header has format 3 or less.
    ///
    /// ## Why is this bad?
    /// Both require format 4 (Godot 4.3). A version that reads only format 3 accepts the header and then fails in the
    /// middle of the file, instead of reporting that the file is too new.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node"]
    /// metadata/x = PackedByteArray("AQID")
    /// ```
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=4]
    ///
    /// [node name="A" type="Node"]
    /// metadata/x = PackedByteArray("AQID")
    /// ```
    ///
    /// ## Fix safety
    /// Safe: Godot 4.3 and newer load the same data, and older versions could not load the file before.
    ///
    /// ## References
    /// `ResourceFormatSaverTextInstance::_find_resources` (scene/resources/resource_format_text.cpp)
    "STR016", "format-mismatch", Warning
}

fn check(context: &Context<'_>, reporter: &mut Reporter<'_>) {
    let (Some(value), Some(header)) =
        (context.document.tree.format_4_value, context.document.sections().next())
    else {
        return;
    };
    let Some(field) = header.field("format") else {
        return;
    };
    let Some(format @ ..=3) = field.int() else {
        return;
    };
    let edits = vec![Edit::replace(field.value_span(), "4")];
    reporter
        .report(
            value,
            format!("this requires format 4, but the header has format {format}; write `format=4`"),
        )
        .label(field.value_span(), "the format is defined here")
        .consequence("Godot 4.2 and older cannot read it")
        .fix(Fix::new("write `format=4`", Applicability::Safe, edits));
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::RULE;
    use crate::rules::tests::{check_fix, clean, node, rendered};

    #[test]
    fn formats() {
        let found =
            rendered(&RULE, &node("a = PackedVector4Array()\nb = PackedByteArray(\"AQID\")\n"));
        assert_snapshot!(found, @"
        4:5-4:23 warning: this requires format 4, but the header has format 3; write `format=4`
            at: PackedVector4Array
            label 1:18-1:19: the format is defined here: 3
            so: Godot 4.2 and older cannot read it
            safe fix: write `format=4`
              - [gd_scene format=3]
              + [gd_scene format=4]
        ");
        clean(&RULE, &node("a = PackedByteArray(1, 2)\nb = Vector4(1, 2, 3, 4)\n"));
        let newer = node("b = PackedByteArray(\"AQID\")\n").replace("=3", "=4");
        clean(&RULE, &newer);
        check_fix(&RULE, &newer.replace("format=4", "format=3"), &newer);
    }
}
