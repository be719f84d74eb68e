//! SYN011

use crate::context::Context;
use crate::rules::{Reporter, declare_rule};
use crate::syntax::SyntaxErrorKind;

declare_rule! {
    /// ## What it does
    /// Reports constructs with too few or too many numbers, and packed arrays whose last element is incomplete.
    ///
    /// ## Why is this bad?
    /// Godot does not load the file. It drops the incomplete element of a packed array without a warning.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node2D"]
    /// modulate = Color(1, 0, 0)
    /// ```
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node2D"]
    /// modulate = Color(1, 0, 0, 1)
    /// ```
    ///
    /// ## References
    /// `VariantParser::parse_value` (core/variant/variant_parser.cpp)
    "SYN011", "wrong-arity", Error, for_settings_files
}

fn check(context: &Context<'_>, reporter: &mut Reporter<'_>) {
    for error in context.document.errors() {
        let SyntaxErrorKind::WrongArity { expected, multiple } = error.kind else {
            continue;
        };
        let source = error.span.of(context.document.text());
        let name_len = source.iter().position(|byte| !byte.is_ascii_alphanumeric());
        let name = crate::quote::quote(&source[..name_len.unwrap_or(source.len())]);
        let (message, consequence) = if multiple {
            (
                format!("{name} takes numbers in groups of {expected}; complete the last one"),
                "Godot drops the incomplete element without a warning",
            )
        } else {
            (format!("{name} takes exactly {expected} numbers"), "Godot does not load the file")
        };
        reporter.report(error.span, message).consequence(consequence);
    }
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::RULE;
    use crate::rules::tests::{clean, node, rendered};

    #[test]
    fn counts() {
        let found = rendered(
            &RULE,
            &node("a = Color(1, 1, 1)\nb = PackedVector2Array(1, 2, 3)\nc = Vector2()\n"),
        );
        assert_snapshot!(found, @"
        4:5-4:19 error: `Color` takes exactly 4 numbers
            at: Color(1, 1, 1)
            so: Godot does not load the file
        5:5-5:32 error: `PackedVector2Array` takes numbers in groups of 2; complete the last one
            at: PackedVector2Array(1, 2, 3)
            so: Godot drops the incomplete element without a warning
        6:5-6:14 error: `Vector2` takes exactly 2 numbers
            at: Vector2()
            so: Godot does not load the file
        ");
        clean(&RULE, &node("a = Color(1, 1, inf, -inf)\nb = PackedColorArray()\n"));
    }
}
