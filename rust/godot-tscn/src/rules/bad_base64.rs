//! SYN019

use crate::context::Context;
use crate::rules::{Reporter, declare_rule};
use crate::syntax::SyntaxErrorKind;

declare_rule! {
    /// ## What it does
    /// Reports base64 text in a `PackedByteArray` that contains invalid characters or an incomplete last group.
    ///
    /// ## Why is this bad?
    /// Godot does not load the file.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=4]
    ///
    /// [node name="A" type="Node"]
    /// metadata/x = PackedByteArray("AQI*")
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
    /// ## References
    /// `VariantParser::_parse_byte_array` (core/variant/variant_parser.cpp)
    "SYN019", "bad-base64", Error, for_settings_files
}

fn check(context: &Context<'_>, reporter: &mut Reporter<'_>) {
    for error in context.document.errors() {
        if error.kind == SyntaxErrorKind::BadBase64 {
            reporter
                .report(
                    error.span,
                    "this is not valid base64; write the bytes again, or as a list of numbers",
                )
                .consequence("Godot does not load the file");
        }
    }
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::RULE;
    use crate::rules::tests::{clean, node, rendered};

    #[test]
    fn base64() {
        let found =
            rendered(&RULE, &node("a = PackedByteArray(\"AQI*\")\nb = PackedByteArray(\"AQI\")\n"));
        assert_snapshot!(found, @r#"
        4:21-4:27 error: this is not valid base64; write the bytes again, or as a list of numbers
            at: "AQI*"
            so: Godot does not load the file
        5:21-5:26 error: this is not valid base64; write the bytes again, or as a list of numbers
            at: "AQI"
            so: Godot does not load the file
        "#);
        let good = "a = PackedByteArray(\"AQID\")\nb = PackedByteArray(\"\")\nc = PackedByteArray(\"AQ==\")\n";
        clean(&RULE, &node(good));
    }
}
