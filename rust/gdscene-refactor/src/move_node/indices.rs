//! The order of siblings, and the `index` fields that say it where other scenes make some of them.

use std::collections::BTreeMap;

use godot_project::{NodeInTree, SceneContext, in_sibling_order};
use godot_tscn::{Field, Section, Span};
use hashbrown::HashSet;

use crate::draft::FileDraft;
use crate::move_node::Move;
use crate::node_change::joined;

/// The children of a node in the order in which Godot has them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Order(pub(super) Vec<Child>);

/// A child of a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Child {
    /// The text makes it in this section.
    Own(u32),
    /// Another scene makes it. Here may be the first section of the text on it or a node below it.
    Other(Option<u32>),
}

impl Order {
    /// Puts them in order as `SceneState::instantiate` does (scene/resources/packed_scene.cpp, Godot 4.6.3): nodes of other
    /// scenes come first.
    pub(super) fn of(context: &SceneContext<'_>, parent: &[String]) -> Self {
        let tree = context.tree();
        let made: BTreeMap<u32, String> = tree
            .made_children(&joined(parent))
            .map(|(path, tag)| (tree.tags()[tag as usize].section, path))
            .collect();
        let own: HashSet<&str> =
            made.values().map(|path| path.rsplit('/').next().unwrap_or(path)).collect();
        let place = context.root().find(context.project, &joined(parent)).place();
        let others = place.iter().flat_map(NodeInTree::children).filter(|name| !own.contains(name));
        let first_tags = tree.first_tags_of_children(&joined(parent));
        let others = others
            .map(|name| {
                Child::Other(first_tags.get(name).map(|tag| tree.tags()[*tag as usize].section))
            })
            .map(|child| (None, child));
        let own = made.keys().map(|section| {
            let index = index_of(context.section(*section));
            (index.and_then(|index| index.try_into().ok()), Child::Own(*section))
        });
        Self(in_sibling_order(others.chain(own).collect()))
    }

    /// The section after the tag of a child at `at`.
    pub(super) fn next(&self, at: usize) -> Option<u32> {
        let (before, after) = self.0.split_at(at.min(self.0.len()));
        let own =
            |child: &Child| if let Child::Own(section) = child { Some(*section) } else { None };
        let last = before.iter().filter_map(own).max();
        let next = after.iter().find_map(own);
        // The editor writes tags for the children of other scenes between them.
        let is_between = |section: &u32| {
            last.is_none_or(|last| last < *section) && next.is_none_or(|next| *section < next)
        };
        let others = after.iter().filter_map(|child| match child {
            Child::Other(section) => *section,
            Child::Own(_) => None,
        });
        others.filter(is_between).min().or(next)
    }

    pub(super) fn without(mut self, section: u32) -> Self {
        self.0.retain(|child| *child != Child::Own(section));
        self
    }

    /// Writes the places of the children that have an `index` and another place than in `before`.
    fn write(&self, before: &Self, context: &SceneContext<'_>, draft: &mut FileDraft) {
        for (place, child) in self.0.iter().enumerate() {
            let Child::Own(section) = child else { continue };
            if before.0.get(place) != Some(child)
                && before.0.contains(child)
                && let Some(field) = context.section(*section).field("index")
            {
                draft.edit(field.value_span(), written(field, place), "index among the children");
            }
        }
    }
}

/// Updates the `index` fields of the node's old and new siblings, as the editor writes them (`SceneState::_parse_node`,
/// scene/resources/packed_scene.cpp, Godot 4.6.3).
pub(super) fn change(moved: &Move<'_>, context: &SceneContext<'_>, draft: &mut FileDraft) {
    let Some(own) = context.tree().tag_at(&joined(moved.old)) else { return };
    let Some((_, old_parent)) = moved.old.split_last() else { return };
    let left = Order::of(context, old_parent);
    let joins = if old_parent == moved.new_parent {
        left.clone()
    } else {
        left.clone().without(own).write(&left, context, draft);
        Order::of(context, moved.new_parent)
    };
    let mut after = joins.clone().without(own);
    after.0.insert(moved.at.min(after.0.len()), Child::Own(own));
    after.write(&joins, context, draft);
    let section = context.section(own);
    let is_before_others =
        after.0.iter().skip(moved.at).any(|child| matches!(child, Child::Other(_)));
    let has_indices = |child: &Child| match child {
        Child::Own(section) => context.section(*section).field("index").is_some(),
        Child::Other(_) => false,
    };
    match section.field("index") {
        Some(field) => {
            draft.edit(field.value_span(), written(field, moved.at), "index among the children");
        }
        None if is_before_others || joins.0.iter().any(has_indices) => {
            let end = Span::empty(section.tag_span().end - 1);
            draft.edit(end, format!(" index=\"{}\"", moved.at), "index among the children");
        }
        None => {}
    }
}

fn index_of(section: Section<'_>) -> Option<i64> {
    let text = section.field("index").and_then(Field::text)?;
    std::str::from_utf8(&text).ok()?.parse().ok()
}

fn written(field: Field<'_>, index: usize) -> String {
    let is_quoted = field.source().starts_with(b"\"");
    if is_quoted { format!("\"{index}\"") } else { index.to_string() }
}
