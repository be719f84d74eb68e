//! STR002

use crate::context::Context;
use crate::document::{Field, TagKind};
use crate::rules::{Reporter, declare_rule};

declare_rule! {
    /// ## What it does
    /// Reports a `format` above 4.
    ///
    /// ## Why is this bad?
    /// Godot 4.6 supports formats up to 4 and does not load newer ones.
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
    if let Some(format) = as_int(field)
        && format > NEWEST_FORMAT
    {
        let message =
            format!("format {format} is not supported by Godot 4.6; expected 1..={NEWEST_FORMAT}");
        reporter.report(field.value_span(), message).consequence("Godot does not load the file");
    }
}

/// The number that Godot makes of a value that should be one: `1e3`, `"5"` (`Variant::operator int32_t`).
fn as_int(field: Field<'_>) -> Option<i64> {
    let tree = field.value_tree();
    let root = tree.root();
    let number = root.number().filter(|number| number.abs() <= f64::from(i32::MAX));
    let text = || {
        let text = root.text().filter(|text| !text.contains(&b'-'))?;
        let digits: Vec<u8> = text.iter().copied().filter(u8::is_ascii_digit).collect();
        std::str::from_utf8(&digits).ok()?.parse::<i32>().ok()
    };
    field.int().or_else(|| number.map(|number| number as i64)).or_else(|| text().map(i64::from))
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
            so: Godot does not load the file
        ");
        clean(&RULE, &node(""));
        for given in ["5.0", "1e3", "\"5\"", "\"a5\""] {
            let text = format!("[gd_scene format={given}]\n[node name=\"A\" type=\"Node\"]\n");
            assert!(rendered(&RULE, &text).contains("is not supported"), "{given}");
        }
        for given in ["3.9", "1e30", "\"\"", "\"-5\"", "true"] {
            clean(&RULE, &format!("[gd_scene format={given}]\n[node name=\"A\" type=\"Node\"]\n"));
        }
        clean(&RULE, "[gd_scene]\n[node name=\"A\" type=\"Node\"]\n");
    }
}
