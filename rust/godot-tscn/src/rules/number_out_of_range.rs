//! SYN012

use crate::context::Context;
use crate::diagnostic::Severity;
use crate::rules::{Reporter, declare_rule};
use crate::syntax::{NumberRange, SyntaxErrorKind};

declare_rule! {
    /// ## What it does
    /// Reports whole numbers that do not fit into 64 bits, numbers so large that they become infinite, and
    /// exponents without digits (`1e`).
    ///
    /// ## Why is this bad?
    /// Godot uses the nearest whole number that fits, or infinity, instead of the number in the file. It reads `1.5e`
    /// as 15.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node"]
    /// metadata/seed = 99999999999999999999
    /// ```
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node"]
    /// metadata/seed = 9223372036854775807
    /// ```
    ///
    /// ## References
    /// `String::to_int`, `built_in_strtod` (core/string/ustring.cpp)
    "SYN012", "number-out-of-range", Error, for_settings_files
}

fn check(context: &Context<'_>, reporter: &mut Reporter<'_>) {
    for error in context.document.errors() {
        let SyntaxErrorKind::NumberOutOfRange(kind) = error.kind else {
            continue;
        };
        let number = context.quote(error.span);
        let (message, severity, consequence) = match kind {
            NumberRange::Int => (
                format!("{number} does not fit in 64 bits; write a smaller number"),
                Severity::Error,
                "Godot uses the nearest number that fits",
            ),
            NumberRange::Float => (
                format!("{number} is too large for a 64-bit float; write `inf` for infinity"),
                Severity::Warning,
                "Godot reads infinity",
            ),
            NumberRange::NoExponent => (
                format!("the exponent of {number} has no digits; add them"),
                Severity::Warning,
                "Godot reads a different number, such as 15 for `1.5e`",
            ),
        };
        let diagnostic = reporter.report(error.span, message);
        diagnostic.severity = severity;
        diagnostic.consequence(consequence);
    }
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::RULE;
    use crate::rules::tests::{clean, node, rendered};

    #[test]
    fn numbers() {
        let found =
            rendered(&RULE, &node("a = 9223372036854775808\nb = -1e999\nc = Vector2(1e, 2)\n"));
        assert_snapshot!(found, @"
        4:5-4:24 error: `9223372036854775808` does not fit in 64 bits; write a smaller number
            at: 9223372036854775808
            so: Godot uses the nearest number that fits
        5:5-5:11 warning: `-1e999` is too large for a 64-bit float; write `inf` for infinity
            at: -1e999
            so: Godot reads infinity
        6:13-6:15 warning: the exponent of `1e` has no digits; add them
            at: 1e
            so: Godot reads a different number, such as 15 for `1.5e`
        ");
        clean(
            &RULE,
            &node("a = [-9223372036854775808, 9223372036854775807, 1e308, 1e-999, 1e+15]\n"),
        );
        clean(&RULE, &node("a = 00000000000000000000000000000001\n"));
        clean(&RULE, &node("a = 0.1234567890123456789012345\n"));
    }
}
