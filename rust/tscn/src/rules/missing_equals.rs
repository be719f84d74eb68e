//! SYN002

use crate::lint::Context;
use crate::rules::{Findings, declare_rule};
use crate::syntax::SyntaxErrorKind;

declare_rule! {
    /// ## What it does
    /// Reports a line among the properties that has no `=`.
    ///
    /// ## Why is this bad?
    /// For Godot a key is everything up to the next `=`, line ends left out. The line and the
    /// property on the next line become one property with an unknown name. Both are lost, and
    /// nothing is said.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node2D"]
    /// visible
    /// position = Vector2(1, 2)
    /// ```
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node2D"]
    /// visible = true
    /// position = Vector2(1, 2)
    /// ```
    ///
    /// ## References
    /// `VariantParser::parse_tag_assign_eof` (core/variant/variant_parser.cpp)
    "SYN002", "missing-equals", Error
}

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    for error in context.document.errors() {
        if error.kind != SyntaxErrorKind::MissingEquals {
            continue;
        }
        let line = context.quote(error.span);
        findings
            .push(error.span, format!("{line} has no `=`; write `key = value` or remove the line"))
            .consequence(
                "Godot joins it with the key of the next property and loses both without a word",
            );
    }
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::rules::tests::{check, node};

    #[test]
    fn lines_without_equals() {
        let message = "`visible` has no `=`; write `key = value` or remove the line";
        check(&RULE, &node("visible\nposition = 1\n"), &[&format!("4:1 {message}")]);
        check(&RULE, &node("a = 1\nvisible\n"), &[&format!("5:1 {message}")]);
        check(
            &RULE,
            &node("visible\n[node name=\"B\" parent=\".\"]\n"),
            &[&format!("4:1 {message}")],
        );
    }

    #[test]
    fn a_key_may_stand_alone() {
        check(&RULE, &node("visible\n= true\n"), &[]);
        check(&RULE, &node("visible ; why\n= true\n"), &[]);
        check(&RULE, &node("a = 1 b = 2\n"), &[]);
    }
}
