//! Nodes that may be in the result twice: one side moved and changed a node, the other renamed and changed it, and no
//! `unique_id` shows that both are the missing one.

use std::borrow::Cow;

use hashbrown::HashMap;

use crate::document::TagKind;
use crate::merge::MergeNote;
use crate::merge::names::Names;
use crate::merge::places::{Place, place_in};
use crate::merge::report::place;
use crate::merge::side::{BASE, NONE, OURS, THEIRS, is_own_node};

/// Notes each such pair.
pub(super) fn notes(names: &Names<'_, '_>) -> Vec<MergeNote> {
    let rows = names.rows.rows.iter().enumerate();
    let nodes = rows.filter(|(_, row)| row.kind == TagKind::Node);
    let only_in = |side: usize| {
        let is_it = |row: &[bool; 3]| (0..3).all(|each| row[each] == (each == side));
        let mut found = Vec::new();
        for (index, row) in nodes.clone() {
            let section = row.at[side];
            let place = place_in(names.sides, names.rows, index as u32, side);
            if is_it(&[BASE, OURS, THEIRS].map(|side| row.is_in(side)))
                && let Some(place) = place
                && is_own_node(names.sides[side].section(section))
            {
                let class = names.sides[side].section(section).field_text("type");
                found.push(Node { row: index as u32, class, place });
            }
        }
        found
    };
    let gone = only_in(BASE);
    if gone.is_empty() {
        return Vec::new();
    }
    let added = [OURS, THEIRS].map(|side| Added::new(only_in(side)));
    gone.iter().filter_map(|gone| note(names, gone, &added)).collect()
}

/// A node of one text.
struct Node<'d> {
    row: u32,
    class: Option<Cow<'d, [u8]>>,
    place: Place<'d>,
}

type Class<'d> = Option<Cow<'d, [u8]>>;

/// The additions of one side, by class and name, and by class and parent.
struct Added<'d> {
    by_name: HashMap<(Class<'d>, Cow<'d, [u8]>), u32>,
    by_parent: HashMap<(Class<'d>, u32), u32>,
}

impl<'d> Added<'d> {
    fn new(nodes: Vec<Node<'d>>) -> Self {
        let mut added = Self { by_name: HashMap::new(), by_parent: HashMap::new() };
        for node in nodes {
            let name = (node.class.clone(), node.place.name);
            added.by_name.entry(name).or_insert(node.row);
            added.by_parent.entry((node.class, node.place.parent)).or_insert(node.row);
        }
        added
    }
}

fn note(names: &Names<'_, '_>, gone: &Node<'_>, added: &[Added<'_>; 2]) -> Option<MergeNote> {
    let name = (gone.class.clone(), gone.place.name.clone());
    let parent = (gone.class.clone(), gone.place.parent);
    let moved = |side: usize| added[side].by_name.get(&name);
    let renamed = |side: usize| added[side].by_parent.get(&parent);
    let pair = moved(0).zip(renamed(1)).or_else(|| renamed(0).zip(moved(1)));
    let (ours, theirs) = pair.filter(|_| gone.place.parent != NONE)?;
    let text = format!(
        "both sides removed it; {} of ours and {} of theirs may be what became of it, then remove one",
        place(names, *ours),
        place(names, *theirs)
    );
    Some(MergeNote { place: place(names, gone.row), text })
}
