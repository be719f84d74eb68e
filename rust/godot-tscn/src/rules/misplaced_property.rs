//! STR017

use crate::context::Context;
use crate::document::Section;
use crate::rules::{Reporter, declare_rule};
use crate::syntax::{SyntaxError, SyntaxErrorKind};

declare_rule! {
    /// ## What it does
    /// Reports a property before the first tag, or after a tag that cannot have properties (`gd_scene`,
    /// `ext_resource`, `connection`, `editable`).
    ///
    /// ## Why is this bad?
    /// Godot expects the next tag there and does not load the file.
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
    let is_stray = |error: &&SyntaxError| error.kind == SyntaxErrorKind::StrayProperty;
    let errors: Vec<_> = context.document.errors().iter().filter(is_stray).collect();
    let tag_of = |error: &SyntaxError| context.document.section_at(error.span.start);
    let has_same_tag = |one: &&SyntaxError, other: &&SyntaxError| {
        tag_of(one).map(Section::tag_span) == tag_of(other).map(Section::tag_span)
    };
    // One finding for a tag: if the tag of one property is missing, it is missing for those that follow too.
    for errors in errors.chunk_by(has_same_tag) {
        let [first, rest @ ..] = errors else { continue };
        let key = context.quote(first.span);
        let message = match tag_of(first) {
            Some(tag) => {
                let tag = context.quote(tag.name_span());
                format!("{tag} cannot have the property {key}; move it to its section")
            }
            None => format!("the property {key} is before the first tag; move it to its section"),
        };
        let diagnostic = reporter.report(first.span, message);
        diagnostic.consequence("Godot does not load the file");
        if !rest.is_empty() {
            diagnostic.help(format!("the next properties are also misplaced: {}", rest.len()));
        }
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
            so: Godot does not load the file
        6:1-6:2 error: `editable` cannot have the property `b`; move it to its section
            at: b
            so: Godot does not load the file
        ");
        let text = node("[editable path=\"B\"]\nb = 2\nc = 3\nd = 4\n");
        assert_snapshot!(rendered(&RULE, &text), @"
        5:1-5:2 error: `editable` cannot have the property `b`; move it to its section
            at: b
            so: Godot does not load the file
            help: the next properties are also misplaced: 2
        ");
    }
}
