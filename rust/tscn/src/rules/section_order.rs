//! STR004

use crate::document::{Section, TagKind};
use crate::lint::Context;
use crate::rules::{Findings, declare_rule};

declare_rule! {
    /// ## What it does
    /// Reports an `ext_resource` after a `sub_resource` or node, a `sub_resource` after a node, and
    /// a `connection` or `editable` before the first node.
    ///
    /// ## Why is this bad?
    /// Godot reads the kinds one after the other and refuses a tag of an earlier kind.
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
    /// ## References
    /// `ResourceLoaderText::load` (scene/resources/resource_format_text.cpp)
    "STR004", "section-order", Error
}

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    let mut sections = context.document.sections().peekable();
    if sections.peek().is_some_and(|first| rank(first.kind()) == Some(0)) {
        sections.next();
    }
    let mut furthest: Option<Section<'_>> = None;
    let mut has_node = false;
    for section in sections {
        let (Some(rank_here), kind) = (rank(section.kind()), section.kind()) else {
            continue;
        };
        // Most sections are in order, and need no name in a message.
        let quoted = || context.quote(section.name_span());
        has_node |= kind == TagKind::Node;
        if matches!(kind, TagKind::Connection | TagKind::Editable) && !has_node {
            findings
                .push(
                    section.name_span(),
                    format!("{} before the first node; move it down", quoted()),
                )
                .consequence("Godot refuses the file");
            continue;
        }
        match furthest {
            Some(other) if rank(other.kind()) > Some(rank_here) => {
                let after = context.quote(other.name_span());
                let message = format!("{} after {after}; move it before them", quoted());
                findings
                    .push(section.name_span(), message)
                    .label(other.name_span(), format!("the first {after}"))
                    .consequence("Godot refuses the file");
            }
            Some(other) if rank(other.kind()) == Some(rank_here) => {}
            _ => furthest = Some(section),
        }
    }
}

/// The place of a kind of tag in the order of a file.
fn rank(kind: TagKind) -> Option<u8> {
    match kind {
        TagKind::GdScene | TagKind::GdResource => Some(0),
        TagKind::ExtResource => Some(1),
        TagKind::SubResource => Some(2),
        TagKind::Node | TagKind::Connection | TagKind::Editable => Some(3),
        // After `[resource]` nothing may stand; another rule says so.
        TagKind::Resource | TagKind::Unknown => None,
    }
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::rules::tests::check;

    #[test]
    fn order() {
        check(
            &RULE,
            "[gd_scene format=3]\n[sub_resource type=\"Gradient\" id=\"1\"]\n\
             [ext_resource type=\"Script\" path=\"a\" id=\"2\"]\n\
             [connection signal=\"a\" from=\".\" to=\".\" method=\"b\"]\n\
             [node name=\"A\" type=\"Node\"]\n[sub_resource type=\"Gradient\" id=\"3\"]\n",
            &[
                "3:2 `ext_resource` after `sub_resource`; move it before them",
                "4:2 `connection` before the first node; move it down",
                "6:2 `sub_resource` after `node`; move it before them",
            ],
        );
        check(
            &RULE,
            "[gd_scene format=3]\n[node name=\"A\" type=\"Node\"]\n[editable path=\"B\"]\n\
             [connection signal=\"a\" from=\".\" to=\".\" method=\"b\"]\n\
             [node name=\"B\" type=\"Node\" parent=\".\"]\n",
            &[],
        );
    }
}
