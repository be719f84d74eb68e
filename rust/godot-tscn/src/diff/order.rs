//! The order of things: of the changes, of the children of a node, and of the tree of both texts.

use hashbrown::{HashMap, HashSet};

use crate::diff::labels::text_quoted;
use crate::diff::scene::{NEW, OLD};
use crate::diff::things::type_name;
use crate::diff::{Entry, Part, TreeNode};
use crate::document::TagKind;
use crate::merge::keyed;
use crate::merge::lines::rising;
use crate::merge::names::Names;
use crate::merge::places::place_in;
use crate::merge::side::NONE;
use crate::merge::tree::{Positions, push_name};

/// All rows in the order of the new text; a removed row is after its old predecessor.
pub(super) fn rows(names: &Names<'_, '_>) -> Vec<u32> {
    keyed::joined(&names.rows.of[NEW], &names.rows.of[OLD], |_| true)
}

/// The things with another place among the others, by their places in the old and the new text: their places in the old
/// text.
pub(super) fn moved(mut places: Vec<(usize, usize)>) -> HashSet<usize> {
    places.sort_unstable();
    if places.windows(2).all(|pair| pair[0].1 < pair[1].1) {
        return HashSet::new();
    }
    let kept: HashSet<usize> = rising(&places).into_iter().map(|(old, _)| old).collect();
    places.into_iter().map(|(old, _)| old).filter(|old| !kept.contains(old)).collect()
}

/// Where each child of a node is in both texts.
type Places = Vec<(usize, usize)>;

/// For each node with another order of its children, the entry for it. Added, removed and moved children do not
/// count.
pub(super) fn children(names: &Names<'_, '_>) -> HashMap<u32, Vec<Entry>> {
    // The places of children in both texts, by the node above and the path from there to their parent.
    let mut groups: HashMap<(u32, Vec<u8>), Places> = HashMap::new();
    for (index, row) in names.rows.rows.iter().enumerate() {
        if row.kind != TagKind::Node || !row.is_in(OLD) || !row.is_in(NEW) {
            continue;
        }
        let place = |side| place_in(names.sides, names.rows, index as u32, side);
        let (Some(old), Some(new)) = (place(OLD), place(NEW)) else { continue };
        if new.parent != NONE && (old.parent, &old.rest) == (new.parent, &new.rest) {
            let places = (row.at[OLD] as usize, row.at[NEW] as usize);
            groups.entry((new.parent, new.rest)).or_default().push(places);
        }
    }
    let mut told: HashMap<u32, Vec<Entry>> = HashMap::new();
    let mut groups: Vec<_> = groups.into_iter().collect();
    groups.sort_unstable();
    for ((parent, rest), mut places) in groups {
        let moved = moved(places.clone());
        if moved.is_empty() {
            continue;
        }
        let name = |section: usize| {
            let row = names.rows.of[NEW][section];
            text_quoted(&String::from_utf8_lossy(names.places.name(row)))
        };
        places.sort_unstable();
        let old: Vec<(usize, usize)> = places.clone();
        places.sort_unstable_by_key(|(_, new)| *new);
        let list = |places: &[(usize, usize)]| {
            let names: Vec<String> = places.iter().map(|(_, new)| name(*new)).collect();
            Some(format!("[{}]", names.join(", ")))
        };
        let number: HashMap<usize, usize> =
            old.iter().enumerate().map(|(index, (old, _))| (*old, index)).collect();
        let parts = places.iter().enumerate().filter(|(_, (old, _))| moved.contains(old)).map(
            |(index, (old, new))| Part {
                place: name(*new),
                old: Some(format!("child {}", number[old] + 1)),
                new: Some(format!("child {}", index + 1)),
            },
        );
        let what = match rest.is_empty() {
            true => "order of children".to_owned(),
            false => format!("order of children of {}", String::from_utf8_lossy(&rest)),
        };
        let entry = Entry {
            name: what,
            old: list(&old),
            new: list(&places),
            parts: parts.collect(),
            summary: None,
        };
        told.entry(parent).or_default().push(entry);
    }
    told
}

/// The nodes of both texts, parents first.
pub(super) fn tree(names: &Names<'_, '_>, change_of: &HashMap<u32, u32>) -> Vec<TreeNode> {
    let mut children: [HashMap<u32, Vec<u32>>; 2] = Default::default();
    for (children, side) in children.iter_mut().zip([OLD, NEW]) {
        let nodes = &names.sides[side].tree.nodes;
        let row = |node: u32| names.rows.of[side][nodes[node as usize].section as usize];
        for (index, node) in nodes.iter().enumerate() {
            let parent = if node.parent == NONE { NONE } else { row(node.parent) };
            children.entry(parent).or_default().push(row(index as u32));
        }
    }
    let is_removed = |row: &u32| !names.rows.row(*row).is_in(NEW);
    let below = |row: u32| {
        let of = |side: usize| children[side].get(&row).map_or(&[][..], Vec::as_slice);
        keyed::joined(of(1), of(0), is_removed)
    };
    let mut tree = Vec::new();
    let mut open: Vec<(u32, u32)> = below(NONE).into_iter().rev().map(|row| (row, 0)).collect();
    while let Some((row, depth)) = open.pop() {
        let side = if is_removed(&row) { OLD } else { NEW };
        let section = names.sides[side].section(names.rows.row(row).at[side]);
        let node = &names.sides[side].tree.nodes
            [names.sides[side].node_of[section.index() as usize] as usize];
        let mut name = node.rest.clone();
        push_name(&mut name, &node.name);
        tree.push(TreeNode {
            name: String::from_utf8_lossy(&name).into_owned(),
            depth,
            type_name: type_name(&names.sides[side], section),
            change: change_of.get(&row).copied(),
        });
        open.extend(below(row).into_iter().rev().map(|row| (row, depth + 1)));
    }
    tree
}
