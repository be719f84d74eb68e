//! The order of siblings, and the `index` fields that say it where other scenes make some of them.

use tscn::{Field, Section, Span};

use crate::lint::SceneContext;
use crate::refactor::draft::FileDraft;
use crate::refactor::move_node::Move;
use crate::refactor::node_change::joined;

/// The children of a node in the order in which Godot has them: those that the text makes with their sections.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Order(pub(super) Vec<Option<u32>>);

impl Order {
    /// Puts them in order as `SceneState::instantiate` does (scene/resources/packed_scene.cpp, Godot 4.6.3): what other scenes
    /// make is there first.
    pub(super) fn of(context: &SceneContext<'_>, parent: &[String]) -> Self {
        let tree = context.tree();
        let made = tree.made_children(&joined(parent));
        let mut own: Vec<u32> = made.map(|(_, tag)| tree.tags()[tag as usize].section).collect();
        own.sort_unstable();
        let place = context.root().find(context.project, &joined(parent)).place();
        let all = place.map_or(0, |place| place.children().count());
        let mut order = vec![None; all.saturating_sub(own.len())];
        for section in own {
            let index =
                index_of(context.section(section)).and_then(|index| usize::try_from(index).ok());
            let at = index.filter(|index| *index < order.len()).unwrap_or(order.len());
            order.insert(at, Some(section));
        }
        Self(order)
    }

    /// The first child from `at` on that the text makes.
    pub(super) fn own_from(&self, at: usize) -> Option<u32> {
        self.0[at.min(self.0.len())..].iter().flatten().next().copied()
    }

    pub(super) fn without(mut self, section: u32) -> Self {
        self.0.retain(|child| *child != Some(section));
        self
    }

    /// Writes the places of the children that have an `index` and another place than in `before`.
    fn write(&self, before: &Self, context: &SceneContext<'_>, draft: &mut FileDraft) {
        for (place, child) in self.0.iter().enumerate() {
            let Some(section) = child else { continue };
            if before.0.get(place) != Some(child)
                && before.0.contains(child)
                && let Some(field) = context.section(*section).field("index")
            {
                draft.edit(field.value_span(), written(field, place), "place among the children");
            }
        }
    }
}

/// Counts the `index` fields again of the siblings that the node leaves, and of those that it gets, as the editor writes them
/// (`SceneState::_parse_node`, scene/resources/packed_scene.cpp, Godot 4.6.3).
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
    after.0.insert(moved.at.min(after.0.len()), Some(own));
    after.write(&joins, context, draft);
    let section = context.section(own);
    let is_before_others = after.0.iter().skip(moved.at).any(Option::is_none);
    let has_indices = |child: &Option<u32>| {
        child.is_some_and(|child| context.section(child).field("index").is_some())
    };
    match section.field("index") {
        Some(field) => {
            draft.edit(field.value_span(), written(field, moved.at), "place among the children");
        }
        None if is_before_others || joins.0.iter().any(has_indices) => {
            let end = Span::empty(section.tag_span().end - 1);
            draft.edit(end, format!(" index=\"{}\"", moved.at), "place among the children");
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
