//! SYN019

use crate::lint::Context;
use crate::rules::{Findings, declare_rule};
use crate::syntax::SyntaxErrorKind;

declare_rule! {
    /// ## What it does
    /// Reports base64 text in a `PackedByteArray` that has other characters, or an incomplete last group.
    ///
    /// ## Why is this bad?
    /// Godot refuses the file.
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

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    for error in context.document.errors() {
        if error.kind == SyntaxErrorKind::BadBase64 {
            findings
                .push(error.span, "this is no base64 text; write the bytes again, as a list of numbers if need be")
                .consequence("Godot refuses the file");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::rules::tests::{check, node};

    #[test]
    fn base64() {
        let message =
            "this is no base64 text; write the bytes again, as a list of numbers if need be";
        check(
            &RULE,
            &node("a = PackedByteArray(\"AQI*\")\nb = PackedByteArray(\"AQI\")\n"),
            &[&format!("4:21 {message}"), &format!("5:21 {message}")],
        );
        let good = "a = PackedByteArray(\"AQID\")\nb = PackedByteArray(\"\")\nc = PackedByteArray(\"AQ==\")\n";
        check(&RULE, &node(good), &[]);
    }
}
