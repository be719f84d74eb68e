//! Where each node is in the result: its name and its parent.

use std::borrow::Cow;

use hashbrown::HashMap;

use crate::document::TagKind;
use crate::merge::conflict::{Conflicts, Item};
use crate::merge::rows::Rows;
use crate::merge::side::{BASE, NONE, OURS, Side, THEIRS};
use crate::merge::tree::Positions;

/// For each row that is a node, its place in the result; it may still be removed.
#[derive(Debug)]
pub(crate) struct Places<'d> {
    nodes: Vec<Option<Place<'d>>>,
    /// Whether a node of the side has another place in the result.
    pub(crate) has_moved: [bool; 3],
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Place<'d> {
    pub(crate) name: Cow<'d, [u8]>,
    /// The row of the nearest node above it that the text has; [`NONE`] of the root.
    pub(crate) parent: u32,
    /// The path from there to its parent.
    pub(crate) rest: Vec<u8>,
}

/// The parts of a place that come from theirs.
#[derive(Clone, Copy, Debug)]
pub(super) struct Takes {
    pub(super) name: bool,
    pub(super) parent: bool,
}

impl Takes {
    fn of<'d>(self, ours: Place<'d>, theirs: Place<'d>) -> Place<'d> {
        let name = if self.name { theirs.name } else { ours.name };
        let (parent, rest) = match self.parent {
            true => (theirs.parent, theirs.rest),
            false => (ours.parent, ours.rest),
        };
        Place { name, parent, rest }
    }
}

impl<'d> Places<'d> {
    pub(crate) fn new(sides: &[Side<'d>; 3], rows: &Rows, conflicts: &mut Conflicts) -> Self {
        let mut places = Self { nodes: Vec::with_capacity(rows.rows.len()), has_moved: [false; 3] };
        for (index, row) in rows.rows.iter().enumerate() {
            let place = (row.kind == TagKind::Node).then(|| {
                let was =
                    [BASE, OURS, THEIRS].map(|side| place_in(sides, rows, index as u32, side));
                places.merged(was, index as u32, conflicts)
            });
            places.nodes.push(place);
        }
        let is_other = places.resolve_rests();
        if places.break_circles(sides, rows, conflicts) || is_other {
            places.note_moves(sides, rows);
        }
        places
    }

    /// The places of ours, and of rows that only theirs has. The node of `row` takes the parts in `takes` from
    /// theirs.
    pub(super) fn of_ours(sides: &[Side<'d>; 3], rows: &Rows, row: u32, takes: Takes) -> Self {
        let mut places = Self { nodes: Vec::with_capacity(rows.rows.len()), has_moved: [false; 3] };
        for (index, each) in rows.rows.iter().enumerate() {
            let was = |side: usize| place_in(sides, rows, index as u32, side);
            let place = (each.kind == TagKind::Node).then(|| match (was(OURS), was(THEIRS)) {
                (Some(ours), Some(theirs)) if index as u32 == row => Some(takes.of(ours, theirs)),
                (ours, theirs) => ours.or(theirs),
            });
            places.nodes.push(place.flatten());
        }
        places.resolve_rests();
        places.note_moves(sides, rows);
        places
    }

    /// The place of a node in the result. Notes which sides have it elsewhere.
    fn merged(
        &mut self,
        was: [Option<Place<'d>>; 3],
        row: u32,
        conflicts: &mut Conflicts,
    ) -> Place<'d> {
        let place = match was {
            // Nearly all are so, and names lie far from each other in memory.
            [Some(base), Some(ours), Some(theirs)] if ours == base && theirs == base => {
                return ours;
            }
            _ => merged(&was, row, conflicts),
        };
        for (was, has_moved) in was.iter().zip(&mut self.has_moved) {
            *has_moved |= was.as_ref().is_some_and(|was| *was != place);
        }
        place
    }

    /// Paths that one side leaves to an instance may lead to nodes of the other. Returns whether it
    /// found any.
    fn resolve_rests(&mut self) -> bool {
        if self.nodes.iter().flatten().all(|place| place.rest.is_empty()) {
            return false;
        }
        let mut children: HashMap<(u32, &[u8]), u32> = HashMap::new();
        for (index, place) in self.nodes.iter().enumerate() {
            if let Some(place) = place.as_ref().filter(|place| place.rest.is_empty()) {
                children.entry((place.parent, &place.name)).or_insert(index as u32);
            }
        }
        let mut resolved = Vec::new();
        for (index, place) in self.nodes.iter().enumerate() {
            let Some(place) = place.as_ref().filter(|place| !place.rest.is_empty()) else {
                continue;
            };
            let mut parent = place.parent;
            let mut left = place.rest.as_slice();
            while !left.is_empty() {
                let end = memchr::memchr(b'/', left).unwrap_or(left.len());
                let Some(child) = children.get(&(parent, &left[..end])) else { break };
                if *child == index as u32 {
                    break;
                }
                parent = *child;
                left = left.get(end + 1..).unwrap_or_default();
            }
            if parent != place.parent {
                resolved.push((index, parent, left.to_vec()));
            }
        }
        drop(children);
        let has_any = !resolved.is_empty();
        for (index, parent, rest) in resolved {
            if let Some(place) = &mut self.nodes[index] {
                (place.parent, place.rest) = (parent, rest);
            }
        }
        has_any
    }

    fn note_moves(&mut self, sides: &[Side<'d>; 3], rows: &Rows) {
        self.has_moved = [false; 3];
        for (index, place) in self.nodes.iter().enumerate() {
            let Some(place) = place else { continue };
            for side in [BASE, OURS, THEIRS] {
                let was = place_in(sides, rows, index as u32, side);
                self.has_moved[side] |= was.is_some_and(|was| was != *place);
            }
        }
    }

    pub(super) fn get(&self, row: u32) -> Option<&Place<'d>> {
        self.nodes.get(row as usize)?.as_ref()
    }

    /// Gives a node another name.
    pub(super) fn rename(&mut self, row: u32, name: Vec<u8>) {
        if let Some(Some(place)) = self.nodes.get_mut(row as usize) {
            place.name = Cow::Owned(name);
            self.has_moved[THEIRS] = true;
        }
    }

    /// Puts a node elsewhere in a text that is taken for all three.
    pub(super) fn put(&mut self, row: u32, place: Place<'d>) {
        self.nodes[row as usize] = Some(place);
        self.has_moved = [true; 3];
    }

    /// One side put a node below another, and the other side that one below the first: ours stays. Returns whether there are
    /// such.
    fn break_circles(
        &mut self,
        sides: &[Side<'d>; 3],
        rows: &Rows,
        conflicts: &mut Conflicts,
    ) -> bool {
        if !self.has_circle() {
            return false;
        }
        for (index, place) in self.nodes.iter_mut().enumerate() {
            let Some(place) = place else { continue };
            let Some(ours) = place_in(sides, rows, index as u32, OURS) else { continue };
            if (ours.parent, &ours.rest) != (place.parent, &place.rest) {
                conflicts.add(index as u32, Item::Field("parent".into()));
                (place.parent, place.rest) = (ours.parent, ours.rest);
            }
        }
        true
    }

    fn has_circle(&self) -> bool {
        let parents = self.nodes.iter().map(|node| node.as_ref().map_or(NONE, |node| node.parent));
        if (0..).zip(parents).all(|(index, parent)| parent == NONE || parent < index) {
            return false;
        }
        // 1: being looked at, 2: leads to a root.
        let mut state = vec![0_u8; self.nodes.len()];
        for start in 0..self.nodes.len() as u32 {
            let mut line = Vec::new();
            let mut at = start;
            while at != NONE && state[at as usize] == 0 {
                state[at as usize] = 1;
                line.push(at);
                at = self.get(at).map_or(NONE, |place| place.parent);
            }
            if at != NONE && state[at as usize] == 1 {
                return true;
            }
            for node in line {
                state[node as usize] = 2;
            }
        }
        false
    }
}

impl Positions for Places<'_> {
    fn above(&self, node: u32) -> Option<(u32, &[u8])> {
        let place = self.get(node)?;
        (place.parent != NONE).then_some((place.parent, place.rest.as_slice()))
    }

    fn name(&self, node: u32) -> &[u8] {
        self.get(node).map_or(b"", |place| &place.name)
    }
}

/// The place of a row's node in one text.
pub(crate) fn place_in<'d>(
    sides: &[Side<'d>; 3],
    rows: &Rows,
    row: u32,
    side: usize,
) -> Option<Place<'d>> {
    let section = rows.row(row).at[side];
    if section == NONE {
        return None;
    }
    let tree = &sides[side].tree;
    let node = &tree.nodes[sides[side].node_of[section as usize] as usize];
    let parent = match node.parent {
        NONE => NONE,
        parent => rows.of[side][tree.nodes[parent as usize].section as usize],
    };
    Some(Place { name: node.name.clone(), parent, rest: node.rest.clone() })
}

fn merged<'d>(was: &[Option<Place<'d>>; 3], row: u32, conflicts: &mut Conflicts) -> Place<'d> {
    let (base, ours, theirs) = match was {
        [_, Some(ours), None] => return ours.clone(),
        [_, None, Some(theirs)] => return theirs.clone(),
        [Some(base), None, None] => return base.clone(),
        [base, Some(ours), Some(theirs)] => (base, ours, theirs),
        [None, None, None] => unreachable!("each row is in a text"),
    };
    let mut place = ours.clone();
    if let Some(base) = base {
        if ours.name == base.name {
            place.name = theirs.name.clone();
        }
        if (ours.parent, &ours.rest) == (base.parent, &base.rest) {
            place.parent = theirs.parent;
            place.rest = theirs.rest.clone();
        }
    }
    if place.name != theirs.name && base.as_ref().is_none_or(|base| base.name != theirs.name) {
        conflicts.add(row, Item::Field("name".into()));
    }
    let is_elsewhere = |one: &Place<'_>| (one.parent, &one.rest) != (theirs.parent, &theirs.rest);
    if is_elsewhere(&place) && base.as_ref().is_none_or(is_elsewhere) {
        conflicts.add(row, Item::Field("parent".into()));
    }
    place
}
