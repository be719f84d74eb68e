//! STY006

use crate::context::Context;
use crate::rules::{Reporter, declare_rule};
use crate::span::Span;

declare_rule! {
    /// ## What it does
    /// Reports the first comment of a file, and the number of comments. Ignores comments for the linter itself (`;
    /// gdscene: ignore[…]`).
    ///
    /// ## Why is this bad?
    /// Godot skips comments and does not write them, so the next save in the editor removes them all. Put lasting notes
    /// into a property such as `editor_description`, into the commit message, or into the linter's configuration.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// ; The door of the first level.
    /// [node name="A" type="Node"]
    /// ```
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node"]
    /// editor_description = "The door of the first level."
    /// ```
    ///
    /// ## References
    /// `VariantParser::get_token` (core/variant/variant_parser.cpp)
    "STY006", "comment-will-be-lost", Info
}

fn check(context: &Context<'_>, reporter: &mut Reporter<'_>) {
    // Those for the linter itself are meant for as long as they last.
    let text = context.document.text();
    let is_for_reader =
        |comment: &&Span| !comment.of(text).trim_ascii_start().starts_with(b"; gdscene: ");
    let mut comments = context.document.comments().iter().filter(is_for_reader);
    let Some(first) = comments.next() else { return };
    let message = match comments.count() + 1 {
        1 => "the next save in the editor removes the comment".to_owned(),
        count => format!("the next save in the editor removes the {count} comments of the file"),
    };
    reporter
        .report(*first, message)
        .help("move the text to `editor_description`, or to the linter's configuration");
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::RULE;
    use crate::rules::tests::{clean, node, rendered};

    #[test]
    fn comments() {
        clean(&RULE, &node("a = \"; b\"\n"));
        clean(&RULE, &node("; gdscene: ignore[REF001]\n"));
        assert_snapshot!(rendered(&RULE, &node("; b\n")), @"
        4:1-4:4 info: the next save in the editor removes the comment
            at: ; b
            help: move the text to `editor_description`, or to the linter's configuration
        ");
        assert_snapshot!(rendered(&RULE, &node("a = 1 ; b\n; c\n")), @"
        4:7-4:10 info: the next save in the editor removes the 2 comments of the file
            at: ; b
            help: move the text to `editor_description`, or to the linter's configuration
        ");
    }
}
