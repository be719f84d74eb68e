//! SYN015

use crate::context::Context;
use crate::rules::{Reporter, declare_rule};
use crate::syntax::SyntaxErrorKind;
use crate::syntax::construct::CONSTRUCT_NAMES;

declare_rule! {
    /// ## What it does
    /// Reports names in values that are neither constructs nor keywords of the format.
    ///
    /// ## Why is this bad?
    /// Godot does not load the file.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node2D"]
    /// position = Vector2d(1, 2)
    /// ```
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node2D"]
    /// position = Vector2(1, 2)
    /// ```
    ///
    /// ## References
    /// `VariantParser::parse_value` (core/variant/variant_parser.cpp)
    "SYN015", "unknown-constructor", Error, for_settings_files
}

const KEYWORDS: &[&str] = &["true", "false", "null", "inf", "nan"];

fn check(context: &Context<'_>, reporter: &mut Reporter<'_>) {
    for error in context.document.errors() {
        if error.kind != SyntaxErrorKind::UnknownIdentifier {
            continue;
        }
        let name = error.span.of(context.document.text());
        let quoted = context.quote(error.span);
        let known = CONSTRUCT_NAMES.iter().chain(KEYWORDS).map(|known| known.as_bytes());
        let message = match context.nearest(name, known) {
            Some(known) => {
                format!(
                    "{quoted} is not a valid value; did you mean {}?",
                    crate::quote::quote(known)
                )
            }
            None => {
                format!("{quoted} is not a valid value; write text as a string in double quotes")
            }
        };
        reporter.report(error.span, message).consequence("Godot does not load the file");
    }
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::RULE;
    use crate::rules::tests::{codes, node, rendered};

    #[test]
    fn names() {
        let found = rendered(&RULE, &node("a = Vector5(1)\nb = Whatever\nc = 1\n"));
        assert_snapshot!(found, @"
        4:5-4:12 error: `Vector5` is not a valid value; did you mean `Vector2`?
            at: Vector5
            so: Godot does not load the file
        5:5-5:13 error: `Whatever` is not a valid value; write text as a string in double quotes
            at: Whatever
            so: Godot does not load the file
        ");
        assert_eq!(codes(&node("a = [Vector5(1), 2]\nb = 1\n")), ["SYN015"]);
    }
}
