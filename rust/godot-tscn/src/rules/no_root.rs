//! STR009

use crate::context::Context;
use crate::document::{Document, TagKind};
use crate::rules::{Reporter, declare_rule};
use crate::span::Span;
use crate::syntax::SyntaxErrorKind;

declare_rule! {
    /// ## What it does
    /// Reports a scene without nodes, a resource file without `[resource]`, and an empty file.
    ///
    /// ## Why is this bad?
    /// Godot does not load the file.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
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
    /// `ResourceLoaderText::load` (scene/resources/resource_format_text.cpp)
    "STR009", "no-root", Error
}

fn check(context: &Context<'_>, reporter: &mut Reporter<'_>) {
    let document = context.document;
    let Some(header) = document.sections().next() else {
        if is_blank(document) {
            let message = "the file is empty; expected `[gd_scene …]` or `[gd_resource …]`";
            reporter.report(Span::empty(0), message).consequence("Godot does not load the file");
        }
        return;
    };
    let (wanted, message) = match header.kind() {
        TagKind::GdScene => (TagKind::Node, "the scene has no node; add `[node name=… type=…]`"),
        TagKind::GdResource => (TagKind::Resource, "the file has no `[resource]`; add it"),
        _ => return,
    };
    let is_there = document.sections().any(|section| {
        // A body of the other kind is reported as such.
        section.kind() == wanted
            || matches!(section.kind(), TagKind::Node | TagKind::Resource)
            || section.name().is_empty()
    });
    // It may have been in the missing part.
    if !is_there && !document.is_incomplete() {
        reporter.report(header.tag_span(), message).consequence("Godot does not load the file");
    }
}

/// Whether the text contains nothing that fixes do not remove.
fn is_blank(document: &Document<'_>) -> bool {
    let has_mark = document.text().starts_with(b"\xef\xbb\xbf");
    document.errors().iter().all(|error| match error.kind {
        SyntaxErrorKind::ByteOrderMark => has_mark,
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::RULE;
    use crate::rules::tests::{clean, node, rendered};

    #[test]
    fn bodies() {
        assert_snapshot!(rendered(&RULE, ""), @"
        1:1-1:1 error: the file is empty; expected `[gd_scene …]` or `[gd_resource …]`
            so: Godot does not load the file
        ");
        assert_snapshot!(rendered(&RULE, "\n; nothing\n"), @"
        1:1-1:1 error: the file is empty; expected `[gd_scene …]` or `[gd_resource …]`
            so: Godot does not load the file
        ");
        clean(&RULE, "\0");
        assert_snapshot!(rendered(&RULE, "\u{feff}\n"), @"
        1:1-1:1 error: the file is empty; expected `[gd_scene …]` or `[gd_resource …]`
            so: Godot does not load the file
        ");
        clean(&RULE, "a\n");
        let found =
            rendered(&RULE, "[gd_scene format=3]\n[sub_resource type=\"Gradient\" id=\"1\"]\n");
        assert_snapshot!(found, @"
        1:1-1:20 error: the scene has no node; add `[node name=… type=…]`
            at: [gd_scene format=3]
            so: Godot does not load the file
        ");
        let found = rendered(&RULE, "[gd_resource type=\"Resource\" format=3]\n");
        assert_snapshot!(found, @r#"
        1:1-1:39 error: the file has no `[resource]`; add it
            at: [gd_resource type="Resource" format=3]
            so: Godot does not load the file
        "#);
        clean(&RULE, &node(""));
    }
}
