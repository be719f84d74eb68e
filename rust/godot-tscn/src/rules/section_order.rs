//! STR004

use crate::context::Context;
use crate::diagnostic::{Applicability, Fix};
use crate::document::{Document, Section, TagKind};
use crate::model::section_order::reordered;
use crate::rules::{Reporter, declare_rule};

declare_rule! {
    /// ## What it does
    /// Reports an `ext_resource` after a `sub_resource` or node, a `sub_resource` after a node, and
    /// a `connection` or `editable` before the first node.
    ///
    /// ## Why is this bad?
    /// Godot reads the kinds of tags one after the other, and does not accept a tag of an earlier kind.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node"]
    ///
    /// [ext_resource type="Script" path="res://a.gd" id="1_a"]
    /// ```
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [ext_resource type="Script" path="res://a.gd" id="1_a"]
    ///
    /// [node name="A" type="Node"]
    /// ```
    ///
    /// ## Fix safety
    /// Safe: Godot cannot load the file otherwise. Comments directly above a tag move with it. There is no fix if a
    /// syntax error makes it unclear to which section a part of the file belongs.
    ///
    /// ## References
    /// `ResourceLoaderText::load` (scene/resources/resource_format_text.cpp)
    "STR004", "section-order", Error
}

fn check(context: &Context<'_>, reporter: &mut Reporter<'_>) {
    let mut sections = context.document.sections().peekable();
    if sections.peek().is_some_and(|first| rank(first.kind()) == Some(0)) {
        sections.next();
    }
    let mut furthest: Option<Section<'_>> = None;
    let mut has_node = false;
    // It brings all sections into order, so the first diagnostic alone has it.
    let mut fix = std::iter::once_with(|| in_order(context.document)).flatten();
    for section in sections {
        let (Some(rank_here), kind) = (rank(section.kind()), section.kind()) else {
            continue;
        };
        // Most sections are in order, and need no name in a message.
        let quoted = || context.quote(section.name_span());
        has_node |= kind == TagKind::Node;
        if matches!(kind, TagKind::Connection | TagKind::Editable) && !has_node {
            let diagnostic = reporter.report(
                section.name_span(),
                format!("{} is before the first node; move it down", quoted()),
            );
            diagnostic.consequence("Godot does not load the file").fix = fix.next();
            continue;
        }
        match furthest {
            Some(other) if rank(other.kind()) > Some(rank_here) => {
                let after = context.quote(other.name_span());
                let message = format!("{} must be before {after}; move it up", quoted());
                let diagnostic = reporter.report(section.name_span(), message);
                diagnostic
                    .label(other.name_span(), format!("the first {after}"))
                    .consequence("Godot does not load the file")
                    .fix = fix.next();
            }
            Some(other) if rank(other.kind()) == Some(rank_here) => {}
            _ => furthest = Some(section),
        }
    }
}

/// Moves every section to its place; sections without a fixed order keep theirs.
fn in_order(document: &Document<'_>) -> Option<Fix> {
    let is_body = |section: &Section<'_>| rank(section.kind()) == Some(3);
    let starts_with_node =
        document.sections().find(is_body).is_none_or(|section| section.kind() == TagKind::Node);
    if !starts_with_node && document.sections().all(|section| section.kind() != TagKind::Node) {
        return None;
    }
    let place = |section: Section<'_>| {
        let is_header = section.index() == 0;
        match section.kind() {
            TagKind::GdScene | TagKind::GdResource => is_header.then_some(0),
            // Among the nodes they may stay, but not in front of them: then to where Godot writes them.
            TagKind::Connection if !starts_with_node => Some(4),
            TagKind::Editable if !starts_with_node => Some(5),
            // Another rule's, unless it is at its place.
            TagKind::Resource => section.next().is_none().then_some(6),
            kind => rank(kind),
        }
    };
    let places: Option<Vec<u8>> = document.sections().map(place).collect();
    let places = places?;
    let mut order: Vec<u32> = (0..places.len() as u32).collect();
    order.sort_by_key(|index| places[*index as usize]);
    let edit = reordered(document, &order)?;
    Some(Fix::new("sort the sections in Godot's order", Applicability::Safe, vec![edit]))
}

/// The place of a kind of tag in the order of a file.
fn rank(kind: TagKind) -> Option<u8> {
    match kind {
        TagKind::GdScene | TagKind::GdResource => Some(0),
        TagKind::ExtResource => Some(1),
        // A nested scene goes with its resource.
        TagKind::SubResource | TagKind::Nested => Some(2),
        TagKind::Node | TagKind::Connection | TagKind::Editable => Some(3),
        // After `[resource]` nothing may stand; another rule says so.
        TagKind::Resource | TagKind::Unknown => None,
    }
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::RULE;
    use crate::rules::tests::{check_fix, clean, diagnostics, rendered};

    #[test]
    fn order() {
        let found = rendered(
            &RULE,
            "[gd_scene format=3]\n[sub_resource type=\"Gradient\" id=\"1\"]\n\
             [ext_resource type=\"Script\" path=\"a\" id=\"2\"]\n\
             [connection signal=\"a\" from=\".\" to=\".\" method=\"b\"]\n\
             [node name=\"A\" type=\"Node\"]\n[sub_resource type=\"Gradient\" id=\"3\"]\n",
        );
        assert_snapshot!(found, @r#"
        3:2-3:14 error: `ext_resource` must be before `sub_resource`; move it up
            at: ext_resource
            label 2:2-2:14: the first `sub_resource`: sub_resource
            so: Godot does not load the file
            safe fix: sort the sections in Godot's order
              + [ext_resource type="Script" path="a" id="2"]
              +
              - [ext_resource type="Script" path="a" id="2"]
              - [connection signal="a" from="." to="." method="b"]
              +
              + [sub_resource type="Gradient" id="3"]
              +
              - [sub_resource type="Gradient" id="3"]
              +
              + [connection signal="a" from="." to="." method="b"]
        4:2-4:12 error: `connection` is before the first node; move it down
            at: connection
            so: Godot does not load the file
        6:2-6:14 error: `sub_resource` must be before `node`; move it up
            at: sub_resource
            label 5:2-5:6: the first `node`: node
            so: Godot does not load the file
        "#);
        clean(
            &RULE,
            "[gd_scene format=3]\n[node name=\"A\" type=\"Node\"]\n[editable path=\"B\"]\n\
             [connection signal=\"a\" from=\".\" to=\".\" method=\"b\"]\n\
             [node name=\"B\" type=\"Node\" parent=\".\"]\n",
        );
    }

    #[test]
    fn fixes() {
        check_fix(
            &RULE,
            "[gd_scene format=3]\n\n; the root\n[node name=\"A\" type=\"Node\"]\nx = 1 ; one\n\n\
             [connection signal=\"a\" from=\".\" to=\".\" method=\"b\"]\n\n\
             ; a texture\n; of mine\n[ext_resource type=\"A\" path=\"a\" id=\"1\"]\n\
             [sub_resource type=\"A\" id=\"a\"]\ny = {\n\"[node]\": 1\n}\n\
             [ext_resource type=\"A\" path=\"b\" id=\"2\"]",
            "[gd_scene format=3]\n\n; a texture\n; of mine\n\
             [ext_resource type=\"A\" path=\"a\" id=\"1\"]\n\
             [ext_resource type=\"A\" path=\"b\" id=\"2\"]\n\n\
             [sub_resource type=\"A\" id=\"a\"]\ny = {\n\"[node]\": 1\n}\n\n\
             ; the root\n[node name=\"A\" type=\"Node\"]\nx = 1 ; one\n\n\
             [connection signal=\"a\" from=\".\" to=\".\" method=\"b\"]",
        );
        check_fix(
            &RULE,
            "[gd_scene format=3]\n[connection signal=\"a\" from=\".\" to=\".\" method=\"b\"]\n\
             [node name=\"A\" type=\"Node\"]\n",
            "[gd_scene format=3]\n[node name=\"A\" type=\"Node\"]\n\n\
             [connection signal=\"a\" from=\".\" to=\".\" method=\"b\"]\n",
        );
    }

    /// A comment with an empty line below belongs to the section above it.
    #[test]
    fn comments_stay_with_their_section() {
        check_fix(
            &RULE,
            "[gd_scene format=3] ; head\n; head too\n\n[node name=\"A\" type=\"Node\"]\n; A's\n\n\
             [ext_resource type=\"A\" path=\"a\" id=\"1\"] ; a's\n; end\n",
            "[gd_scene format=3] ; head\n; head too\n\n\
             [ext_resource type=\"A\" path=\"a\" id=\"1\"] ; a's\n; end\n\n\
             [node name=\"A\" type=\"Node\"]\n; A's\n",
        );
    }

    /// Lines of GDScript as properties, and a script behind the node that nothing refers to: nothing of it is lost.
    #[test]
    fn errors_in_keys_move_along() {
        let head = "[gd_scene format=3]\n\n";
        let node =
            "[node name=\"A\" type=\"Node\"]\nvar _count: int = 0\nmetadata/x = Vector2(1)\n";
        let script = "[sub_resource type=\"GDScript\" id=\"s\"]\nscript/source = \"extends Node\n[node]\n\"\n";
        check_fix(&RULE, &format!("{head}{node}\n{script}"), &format!("{head}{script}\n{node}"));
    }

    #[test]
    fn no_fix_for_what_is_not_understood() {
        for text in [
            "[gd_scene format=3]\n[node name=\"A\" type=\"Node\"]\nx\n[sub_resource type=\"A\" id=\"1\"]\n",
            "[gd_scene format=3]\n[node name=\"A\" type=\"Node\"]\n[nod]\n[sub_resource type=\"A\" id=\"1\"]\n",
            "[gd_scene format=3]\n[connection signal=\"a\" from=\".\" to=\".\" method=\"b\"]\n",
        ] {
            let found = diagnostics(&RULE, text.as_bytes());
            assert!(found.len() == 1 && found[0].fix.is_none(), "{found:?}");
        }
    }
}
