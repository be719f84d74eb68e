//! STR002

use crate::context::Context;
use crate::document::TagKind;
use crate::rules::{Reporter, declare_rule};

declare_rule! {
    /// ## What it does
    /// Reports a `format` above 4.
    ///
    /// ## Why is this bad?
    /// Godot 4.6 knows the formats up to 4 and refuses newer ones.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=5]
    ///
    /// [node name="A" type="Node"]
    /// ```
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node"]
    /// ```
    ///
    /// ## References
    /// `ResourceLoaderText::open` (scene/resources/resource_format_text.cpp)
    "STR002", "format-too-new", Error
}

/// `FORMAT_VERSION` in resource_format_text.h, Godot 4.6.3.
const NEWEST_FORMAT: i64 = 4;

fn check(context: &Context<'_>, reporter: &mut Reporter<'_>) {
    let Some(header) = context.document.sections().next() else {
        return;
    };
    if !matches!(header.kind(), TagKind::GdScene | TagKind::GdResource) {
        return;
    }
    let Some(field) = header.field("format") else {
        return;
    };
    if let Some(format) = field.int()
        && format > NEWEST_FORMAT
    {
        let message =
            format!("format {format} is not supported by Godot 4.6; expected 1..={NEWEST_FORMAT}");
        reporter.report(field.value_span(), message).consequence("Godot refuses the file");
    }
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::RULE;
    use crate::rules::tests::{clean, node, rendered};

    #[test]
    fn formats() {
        let found = rendered(&RULE, "[gd_scene format=5]\n[node name=\"A\" type=\"Node\"]\n");
        assert_snapshot!(found, @"
        1:18-1:19 error: format 5 is not supported by Godot 4.6; expected 1..=4
            at: 5
            so: Godot refuses the file
        ");
        clean(&RULE, &node(""));
        clean(&RULE, "[gd_scene]\n[node name=\"A\" type=\"Node\"]\n");
    }
}
