//! STR017

use crate::lint::Context;
use crate::rules::{Reporter, declare_rule};
use crate::syntax::SyntaxErrorKind;

declare_rule! {
    /// ## What it does
    /// Reports a property before the first tag, or after a tag that cannot have properties (`gd_scene`,
    /// `ext_resource`, `connection`, `editable`).
    ///
    /// ## Why is this bad?
    /// Godot expects the next tag there and refuses the file.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node"]
    ///
    /// [editable path="B"]
    /// process_mode = 1
    /// ```
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node"]
    /// process_mode = 1
    ///
    /// [editable path="B"]
    /// ```
    ///
    /// ## References
    /// `VariantParser::parse_tag` (core/variant/variant_parser.cpp)
    "STR017", "misplaced-property", Error
}

fn check(context: &Context<'_>, reporter: &mut Reporter<'_>) {
    for error in context.document.errors() {
        if error.kind != SyntaxErrorKind::StrayProperty {
            continue;
        }
        let tag = context.document.section_at(error.span.start);
        let key = context.quote(error.span);
        let message = match tag {
            Some(tag) => {
                let tag = context.quote(tag.name_span());
                format!("{tag} cannot have the property {key}; move it to its section")
            }
            None => format!("the property {key} is before the first tag; move it to its section"),
        };
        reporter.report(error.span, message).consequence("Godot refuses the file");
    }
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::RULE;
    use crate::rules::tests::{node, rendered};

    #[test]
    fn properties() {
        let found = rendered(&RULE, &format!("a = 1\n{}", node("[editable path=\"B\"]\nb = 2\n")));
        assert_snapshot!(found, @"
        1:1-1:2 error: the property `a` is before the first tag; move it to its section
            at: a
            so: Godot refuses the file
        6:1-6:2 error: `editable` cannot have the property `b`; move it to its section
            at: b
            so: Godot refuses the file
        ");
    }
}
