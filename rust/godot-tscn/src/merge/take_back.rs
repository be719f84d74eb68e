//! Takes one of the changes between two texts back, and leaves the others.
//!
//! The new text is base and ours, the old one theirs: so a merge would take all of the old one. Here only the requested part
//! changes; everything else stays as in ours, with the paths and ids of the result.

use std::fmt;

use hashbrown::HashSet;

use crate::document::{Document, Section, TagKind};
use crate::line_index::LineIndex;
use crate::merge::conflict::Conflicts;
use crate::merge::entry_list::Entries;
use crate::merge::ids::Ids;
use crate::merge::names::Names;
use crate::merge::order;
use crate::merge::output::Output;
use crate::merge::piece::Piece;
use crate::merge::places::{Places, Takes};
use crate::merge::refusal::MergeRefusal;
use crate::merge::report;
use crate::merge::rows::{Row, Rows};
use crate::merge::side::{NONE, OURS, Side, THEIRS};
use crate::merge::text::Texts;
use crate::merge::touched::{Touched, used};
use crate::merge::tree::{Positions, path_of};
use crate::merge::work::{check, check_ids, check_kinds};
use crate::merge::{MergeSide, unresolved};
use crate::syntax;

/// Why a change cannot be taken back by itself.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum TakeBackRefusal {
    /// The texts cannot be merged.
    Texts(MergeRefusal),
    /// It is a file of settings.
    Settings,
    /// The texts do not have the change, or describe it differently.
    NotFound,
    /// It is a part of something that goes back as a whole, such as a track of an animation.
    Part,
    /// A resource comes and goes with the values that use it.
    Resource,
    /// The root of a scene, or all of it, came or went.
    Root,
    /// The thing's parent or target is not in the result: a node, by its path.
    Missing(String),
    /// Another node has the name of the node.
    NameTaken(String),
    /// Below a node that came is one that was there before.
    Holds(String),
    /// The result would have an error that neither text has.
    NewError(String),
}

/// A change: the first lines of the thing in the old and the new text, and the part of it, unless it is all.
pub(crate) struct Wanted<'w> {
    pub(crate) lines: [Option<u32>; 2],
    pub(crate) entry: Option<&'w str>,
}

/// Begins the name of an entry on the order of a node's children.
const ORDER: &str = "order of children";

/// The new text without the change.
pub(crate) fn take_back(
    [old, new]: [&[u8]; 2],
    wanted: &Wanted<'_>,
) -> Result<Vec<u8>, TakeBackRefusal> {
    let texts = Texts::new(new, new, old).map_err(TakeBackRefusal::Texts)?;
    let [_, new, old] = texts.plain();
    let documents = [new, new, old].map(syntax::parse);
    for (document, side) in documents.iter().zip(MergeSide::ALL).skip(OURS) {
        check(document, side).and_then(|()| check_ids(document, side))?;
    }
    if !unresolved(new).is_empty() {
        return Err(TakeBackRefusal::Texts(MergeRefusal::Unresolved(MergeSide::Ours)));
    }
    let [base, ours, theirs] = &documents;
    let sides = [Side::new(base), Side::new(ours), Side::new(theirs)];
    check_kinds(&sides)?;
    let rows = Rows::of_two(&sides);
    let row = find(&rows, &sides, wanted)?;
    let asked = Asked { row, entry: wanted.entry };
    let places = Places::of_ours(&sides, &rows, row, asked.place());
    let ids = Ids::new(&sides, &rows);
    let names = Names::new(&sides, &rows, &ids, &places);
    let text = asked.result(&names)?;
    match report::new_errors([new, new, old], &text).into_iter().next() {
        Some(error) => Err(TakeBackRefusal::NewError(error.what)),
        None => Ok(texts.as_ours(text)),
    }
}

fn find(rows: &Rows, sides: &[Side<'_>; 3], wanted: &Wanted<'_>) -> Result<u32, TakeBackRefusal> {
    let [old, new] = wanted.lines;
    let at = |side: usize, line: Option<u32>| match line {
        Some(line) => section_in(sides[side].document, line).ok_or(TakeBackRefusal::NotFound),
        None => Ok(NONE),
    };
    let wanted = [at(OURS, new)?, at(THEIRS, old)?];
    let is_it = |row: &Row| [row.at[OURS], row.at[THEIRS]] == wanted;
    rows.rows.iter().position(is_it).map(|row| row as u32).ok_or(TakeBackRefusal::NotFound)
}

fn section_in(document: &Document<'_>, line: u32) -> Option<u32> {
    let lines = LineIndex::new(document.text());
    let mut sections = document.sections();
    let found = sections.find(|section| lines.position(section.tag_span().start).line == line);
    found.map(Section::index)
}

/// The requested change.
struct Asked<'w> {
    row: u32,
    entry: Option<&'w str>,
}

impl Asked<'_> {
    /// The parts of the node's place that come from the old text.
    fn place(&self) -> Takes {
        let is_asked = |name: &str| self.entry.is_none_or(|entry| entry == name);
        Takes { name: is_asked("name"), parent: is_asked("parent") }
    }

    fn is_of_order(&self) -> bool {
        self.entry.is_some_and(|entry| entry.starts_with(ORDER))
    }

    fn result(&self, names: &Names<'_, '_>) -> Result<Vec<u8>, TakeBackRefusal> {
        let row = *names.rows.row(self.row);
        let is_in_both = row.is_in(OURS) && row.is_in(THEIRS);
        if !is_in_both && self.entry.is_some() {
            return Err(TakeBackRefusal::Part);
        }
        let is_alive = match (row.is_in(OURS), row.is_in(THEIRS)) {
            (true, true) => self.of_changed(names)?,
            (true, false) => self.of_added(names)?,
            _ => self.of_removed(names)?,
        };
        self.check_place(names, &is_alive)?;
        let mut conflicts = Conflicts::default();
        let pieces = self.pieces(names, &is_alive, &mut conflicts);
        let takes_order = |parent: u32| {
            parent == self.row && is_in_both && (self.entry.is_none() || self.is_of_order())
        };
        let nodes = order::nodes(names, &is_alive, &mut conflicts, takes_order);
        if !conflicts.found.is_empty() {
            return Err(TakeBackRefusal::Part);
        }
        let needed = used(&names.sides[OURS]);
        let is_needed = |row: &Row| {
            let is_left = row.is_in(OURS) && !needed[row.at[OURS] as usize];
            row.is_in(OURS) && (row.is_in(THEIRS) || is_left)
        };
        let output = Output::new(names, &pieces, is_alive, is_needed);
        output.write(nodes).ok_or(TakeBackRefusal::Texts(MergeRefusal::Circle))
    }

    /// All of ours, and of theirs only resources, which come if something uses them.
    fn of_ours(names: &Names<'_, '_>) -> Vec<bool> {
        names.rows.rows.iter().map(|row| row.is_in(OURS)).collect()
    }

    fn of_changed(&self, names: &Names<'_, '_>) -> Result<Vec<bool>, TakeBackRefusal> {
        let is_known = match self.entry {
            None => true,
            Some("name" | "parent") if names.rows.row(self.row).kind == TagKind::Node => true,
            Some(_) if self.is_of_order() => true,
            Some(key) => has_key(names, self.row, key),
        };
        if is_known { Ok(Self::of_ours(names)) } else { Err(TakeBackRefusal::Part) }
    }

    /// The thing goes: a node with its child nodes and with the references to it.
    fn of_added(&self, names: &Names<'_, '_>) -> Result<Vec<bool>, TakeBackRefusal> {
        let mut is_alive = Self::of_ours(names);
        let mut gone = HashSet::from([self.row]);
        match names.rows.row(self.row).kind {
            TagKind::Connection | TagKind::Editable => {}
            TagKind::Node if names.places.above(self.row).is_some() => {
                gone.extend(below(names, OURS, self.row));
                let kept = gone.iter().find(|row| names.rows.row(**row).is_in(THEIRS));
                if let Some(kept) = kept {
                    return Err(TakeBackRefusal::Holds(path(names, *kept)));
                }
                for kind in [TagKind::Connection, TagKind::Editable] {
                    gone.extend(leading_to(names, kind, &gone));
                }
            }
            kind => return Err(refusal_of(kind)),
        }
        for row in gone {
            is_alive[row as usize] = false;
        }
        Ok(is_alive)
    }

    /// The thing comes back: a node with its child nodes.
    fn of_removed(&self, names: &Names<'_, '_>) -> Result<Vec<bool>, TakeBackRefusal> {
        let mut is_alive = Self::of_ours(names);
        let row = names.rows.row(self.row);
        match row.kind {
            TagKind::Connection | TagKind::Editable => {}
            TagKind::Node if names.places.above(self.row).is_some() => {
                let is_gone = |below: &u32| !names.rows.row(*below).is_in(OURS);
                for below in below(names, THEIRS, self.row).into_iter().filter(is_gone) {
                    is_alive[below as usize] = true;
                }
            }
            kind => return Err(refusal_of(kind)),
        }
        is_alive[self.row as usize] = true;
        let section = names.sides[THEIRS].section(row.at[THEIRS]);
        for field in ends(row.kind) {
            let end = names.end(THEIRS, section, field);
            if end != NONE && !is_alive[end as usize] {
                let path = section.field_text(field).unwrap_or_default();
                return Err(TakeBackRefusal::Missing(readable(&path)));
            }
        }
        Ok(is_alive)
    }

    /// Whether the node can be at its place.
    fn check_place(&self, names: &Names<'_, '_>, is_alive: &[bool]) -> Result<(), TakeBackRefusal> {
        let Some(place) = names.places.get(self.row).filter(|_| is_alive[self.row as usize]) else {
            return Ok(());
        };
        let mut above = place.parent;
        for _ in 0..is_alive.len() {
            if above == self.row {
                let parent = names.places.name(place.parent);
                return Err(TakeBackRefusal::Holds(readable(parent)));
            }
            above = names.places.above(above).map_or(NONE, |(parent, _)| parent);
        }
        if place.parent != NONE && !is_alive[place.parent as usize] {
            return Err(TakeBackRefusal::Missing(path(names, place.parent)));
        }
        let is_twin = |row: &u32| {
            *row != self.row && is_alive[*row as usize] && names.places.get(*row) == Some(place)
        };
        let mut rows = 0..names.rows.rows.len() as u32;
        match rows.find(is_twin) {
            Some(_) => Err(TakeBackRefusal::NameTaken(readable(&place.name))),
            None => Ok(()),
        }
    }

    fn pieces(
        &self,
        names: &Names<'_, '_>,
        is_alive: &[bool],
        conflicts: &mut Conflicts,
    ) -> Vec<Piece> {
        let touched = Touched::default();
        let mut pieces = Vec::new();
        for (index, row) in names.rows.rows.iter().enumerate() {
            let is_resource = matches!(row.kind, TagKind::ExtResource | TagKind::SubResource);
            if !is_resource && !is_alive[index] {
                continue;
            }
            let index = index as u32;
            let is_both = index == self.row && row.is_in(OURS) && row.is_in(THEIRS);
            pieces.push(match is_both && !self.is_of_order() {
                true => Piece::taking(names, &touched, index, self.entry, conflicts),
                false => Piece::of_one(names, index),
            });
        }
        pieces
    }
}

/// Whether one of the texts has a field or property of this name in the thing.
fn has_key(names: &Names<'_, '_>, row: u32, key: &str) -> bool {
    let row = names.rows.row(row);
    [OURS, THEIRS].into_iter().any(|side| {
        let section = names.sides[side].section(row.at[side]);
        let has = |is_fields: bool| Entries::of(section, is_fields).get(key.as_bytes()).is_some();
        has(true) || has(false)
    })
}

/// The rows of the nodes below a node in one text.
fn below(names: &Names<'_, '_>, side: usize, row: u32) -> Vec<u32> {
    let tree = &names.sides[side].tree;
    let row_of = |node: u32| names.rows.of[side][tree.nodes[node as usize].section as usize];
    let mut found: HashSet<u32> = HashSet::from([row]);
    let mut list = Vec::new();
    // Parents stand before their children.
    for (index, node) in tree.nodes.iter().enumerate() {
        if node.parent != NONE && found.contains(&row_of(node.parent)) {
            let below = row_of(index as u32);
            if found.insert(below) {
                list.push(below);
            }
        }
    }
    list
}

/// The rows of ours of this kind that lead to one of the nodes.
fn leading_to(names: &Names<'_, '_>, kind: TagKind, nodes: &HashSet<u32>) -> Vec<u32> {
    let sections = names.sides[OURS].sections(kind);
    let leads = sections.filter(|section| {
        ends(kind).iter().any(|field| nodes.contains(&names.end(OURS, *section, field)))
    });
    leads.map(|section| names.rows.of[OURS][section.index() as usize]).collect()
}

/// The fields with paths of nodes without which the thing has no meaning.
const fn ends(kind: TagKind) -> &'static [&'static str] {
    match kind {
        TagKind::Connection => &["from", "to"],
        TagKind::Editable => &["path"],
        _ => &[],
    }
}

const fn refusal_of(kind: TagKind) -> TakeBackRefusal {
    match kind {
        TagKind::ExtResource | TagKind::SubResource => TakeBackRefusal::Resource,
        _ => TakeBackRefusal::Root,
    }
}

fn path(names: &Names<'_, '_>, row: u32) -> String {
    readable(&path_of(names.places, row))
}

fn readable(text: &[u8]) -> String {
    String::from_utf8_lossy(text).into_owned()
}

impl From<MergeRefusal> for TakeBackRefusal {
    fn from(refusal: MergeRefusal) -> Self {
        Self::Texts(refusal)
    }
}

impl fmt::Display for TakeBackRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Texts(refusal) => refusal.fmt(f),
            Self::Settings => write!(f, "settings are not taken back one by one"),
            Self::NotFound => write!(f, "the texts do not have this change any more"),
            Self::Part => write!(f, "it is a part of something that goes back as a whole"),
            Self::Resource => {
                write!(f, "a resource comes and goes with the values that use it; take those back")
            }
            Self::Root => write!(f, "it is the whole file, or the root of its scene"),
            Self::Missing(path) => {
                write!(f, "the node `{path}` is not in the scene; take that back first")
            }
            Self::NameTaken(name) => write!(f, "another node is called `{name}` now"),
            Self::Holds(path) => {
                write!(f, "the node `{path}` was there before, and is below it now")
            }
            Self::NewError(error) => write!(f, "the file would have an error: {error}"),
        }
    }
}

impl std::error::Error for TakeBackRefusal {}

#[cfg(test)]
mod tests;
