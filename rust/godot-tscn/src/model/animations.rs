//! The animations of a scene's `AnimationPlayer`s.

use std::borrow::Cow;

use crate::document::{Document, Property, Section, TagKind};
use crate::model::node_tree::NodeTree;
use crate::value::tree::{PartKind, PartRef, ValueTree};

/// The types of nodes that play animations.
const PLAYERS: &[&[u8]] = &[b"AnimationPlayer"];

/// The `node` sections that play animations, with their index in the tree.
pub(crate) fn players<'d>(tree: &NodeTree<'d>) -> impl Iterator<Item = (u32, Section<'d>)> {
    let nodes = &tree.nodes;
    let sections: Vec<_> = nodes
        .iter()
        .enumerate()
        .filter(|(_, node)| is_of_type(node.section, PLAYERS))
        .map(|(index, node)| (index as u32, node.section))
        .collect();
    sections.into_iter()
}

/// Whether the section's `type` is one of `types`.
pub(crate) fn is_of_type(section: Section<'_>, types: &[&[u8]]) -> bool {
    section.field("type").is_some_and(|field| {
        field.text().is_some_and(|text| types.iter().any(|ty| *ty == text.as_ref()))
    })
}

/// The `sub_resource` sections of the type `ty`.
pub(crate) fn sub_resources<'d>(
    document: &'d Document<'d>,
    ty: &'static [u8],
) -> impl Iterator<Item = Section<'d>> {
    document.sections().filter(move |section| {
        section.kind() == TagKind::SubResource && is_of_type(*section, &[ty])
    })
}

/// Calls `each` with every animation and library that the player or library at `section` lists: the part
/// of a property's value, and its required class.
pub fn listed(section: Section<'_>, mut each: impl FnMut(PartRef<'_>, &'static str)) {
    for property in section.properties() {
        let key = property.key();
        if key.starts_with(b"anims/") {
            each(property.value_tree().root(), "Animation");
        } else if key.starts_with(b"libraries/") {
            each(property.value_tree().root(), "AnimationLibrary");
        } else if key.as_ref() == b"libraries" || key.as_ref() == b"_data" {
            let class = if key.as_ref() == b"_data" { "Animation" } else { "AnimationLibrary" };
            let tree = property.value_tree();
            if tree.root().kind() == PartKind::Dictionary {
                for (_, value) in tree.root().entries() {
                    each(value, class);
                }
            }
        }
    }
}

/// The path of the node that the player's tracks start from, and the property that says so.
pub fn root_path(player: Section<'_>) -> (Cow<'static, [u8]>, Option<Property<'_>>) {
    let property = player.properties().rfind(|property| property.key().as_ref() == b"root_node");
    let path = property.and_then(|property| node_path(property.source()));
    (path.map_or(Cow::Borrowed(b".."), Cow::Owned), property)
}

/// The text in `NodePath("…")`.
pub(crate) fn node_path(source: &[u8]) -> Option<Vec<u8>> {
    let tree = ValueTree::new(source);
    tree.root().inner_text("NodePath").map(Cow::into_owned)
}
