//! Settles the conflicts that a merge left in a file: takes the values of one side.

mod asked;
mod records;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use hashbrown::HashSet;

use crate::config_file::parse_config;
use crate::conflict_marks::{METADATA, conflicts_in_settings};
use crate::document::{Document, Property, Section, TagKind};
use crate::merge::names::{quoted, with_edits};
use crate::merge::piece::{Edits, line_of};
use crate::merge::refusal::MergeSide;
use crate::merge::resolve::asked::{Asked, ask, rearrange, wish_of};
use crate::merge::resolve::records::{Sections, can_take, number_of_track, text_of};
use crate::merge::settings;
use crate::merge::side::Side;
use crate::merge::tracks::{track_key, track_property};
use crate::merge::unresolved::{Settlement, Unresolved};
use crate::model::section_order::pieces;
use crate::span::Span;
use crate::syntax;
use crate::value::tree::{PartKind, PartRef};

/// A text with settled conflicts.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Resolved {
    /// The text.
    pub text: Vec<u8>,
    /// How many conflicts were settled.
    pub settled: usize,
    /// The conflicts that stay in the text, because no side was chosen, or because they need a
    /// look.
    pub left: Vec<Unresolved>,
}

/// Settles the conflicts that [`merge_file`](crate::merge_file) left in a scene, resource or `project.godot`, in favour of one
/// side; [`MergeSide::Base`] brings back the earlier values.
///
/// ```
/// use godot_tscn::MergeSide;
///
/// let text = |value: u32, more: &str| format!("[gd_resource type=\"Curve\" format=3]\n\n[resource]\nx = {value}\n{more}");
/// let [base, ours, theirs] = [1, 2, 3].map(|value| text(value, ""));
/// let merged = godot_tscn::merge(base.as_bytes(), ours.as_bytes(), theirs.as_bytes()).unwrap();
/// assert_eq!(merged.conflicts.len(), 1);
/// assert_eq!(godot_tscn::resolve(&merged.text, MergeSide::Ours).text, ours.as_bytes());
/// assert_eq!(godot_tscn::resolve(&merged.text, MergeSide::Theirs).text, theirs.as_bytes());
/// ```
#[must_use]
pub fn resolve(text: &[u8], side: MergeSide) -> Resolved {
    resolve_by(text, |_| Some(side))
}

/// The conflicts that [`merge_file`](crate::merge_file) left in the text.
#[must_use]
pub fn unresolved(text: &[u8]) -> Vec<Unresolved> {
    let marks = [METADATA.as_bytes(), b"[gdscene]"];
    if marks.iter().all(|mark| memchr::memmem::find(text, mark).is_none()) {
        return Vec::new();
    }
    // Sections of settings may be called as those of scenes are.
    if conflicts_in_settings(parse_config(text).document()).is_some() {
        return settings::unresolved(text);
    }
    let mut found = Vec::new();
    ask(&syntax::parse(text), &mut |conflict| {
        found.push(conflict.clone());
        None
    });
    found
}

/// Settles each conflict in favour of the side that `choose` gives, and leaves it where that gives none.
#[must_use]
pub fn resolve_by(
    text: &[u8],
    mut choose: impl FnMut(&Unresolved) -> Option<MergeSide>,
) -> Resolved {
    settle(text, |conflict| choose(conflict).map(Settlement::Take))
}

/// Settles each conflict as `choose` says, and leaves it where that says nothing.
///
/// ```
/// use godot_tscn::Settlement;
///
/// let text = "[gd_resource type=\"Curve\" format=3]\n\n[resource]\nx = 4\n";
/// let conflict = "metadata/_gdscene_conflicts = [{\n\"base\": 1,\n\"property\": \"x\",\n\"theirs\": 3\n}]\n";
/// let settled = godot_tscn::settle(format!("{text}{conflict}").as_bytes(), |_| Some(Settlement::AsItStands));
/// assert_eq!(settled.text, text.as_bytes());
/// ```
#[must_use]
pub fn settle(text: &[u8], mut choose: impl FnMut(&Unresolved) -> Option<Settlement>) -> Resolved {
    let (text, settled) = if conflicts_in_settings(parse_config(text).document()).is_some() {
        settings::settle(text, &mut choose)
    } else {
        let document = syntax::parse(text);
        let mut asked = ask(&document, &mut choose);
        match rearrange(&document, &mut asked) {
            Some(text) => with_settled(&syntax::parse(&text), asked),
            None => with_settled(&document, asked),
        }
    };
    let left = unresolved(&text);
    Resolved { text, settled, left }
}

/// Settles all conflicts of a text, in its order. Gives how many it has settled, too.
fn with_settled(document: &Document<'_>, asked: Vec<Asked>) -> (Vec<u8>, usize) {
    let mut resolver = Resolver {
        document,
        places: Sections::new(document),
        asked: asked.into_iter(),
        edits: Vec::new(),
        removed: HashSet::new(),
        removed_tracks: BTreeSet::new(),
        settled: 0,
    };
    for section in document.sections() {
        resolver.section(section);
        resolver.remove_tracks(section);
    }
    resolver.remove();
    let Resolver { mut edits, settled, .. } = resolver;
    edits.sort_by_key(|(span, _)| *span);
    let mut kept: Edits = Vec::with_capacity(edits.len());
    for edit in edits {
        // Edits in a removed section are dropped.
        if kept.last().is_none_or(|(span, _)| span.end <= edit.0.start) {
            kept.push(edit);
        }
    }
    let text = document.text();
    (with_edits(text, Span::new(0, text.len() as u32), &kept), settled)
}

struct Resolver<'d> {
    document: &'d Document<'d>,
    places: Sections<'d>,
    /// The conflicts that are still to come.
    asked: std::vec::IntoIter<Asked>,
    edits: Edits,
    /// Nodes, connections and the resource itself that go, by section.
    removed: HashSet<u32>,
    /// Tracks that go, of the section that is being settled.
    removed_tracks: BTreeSet<u32>,
    settled: usize,
}

impl<'d> Resolver<'d> {
    fn section(&mut self, section: Section<'d>) {
        let text = self.document.text();
        for property in section.properties() {
            let key = property.key();
            let tree = property.value_tree();
            if key.strip_prefix(b"metadata/").is_some_and(|name| name == METADATA.as_bytes()) {
                let left = self.records(section, tree.root());
                let span = match left.is_empty() {
                    true => {
                        line_of(text, section, property.engine_key_span(), property.value_span())
                    }
                    false => property.value_span(),
                };
                self.edits.push((span, list(&left)));
            } else if &*key == b"__meta__" {
                self.metadata_of_godot_3(section, property, tree.root());
            }
        }
    }

    fn metadata_of_godot_3(
        &mut self,
        section: Section<'d>,
        property: Property<'d>,
        root: PartRef<'_>,
    ) {
        let text = self.document.text();
        let Some(records) = root.get(METADATA) else { return };
        let left = self.records(section, records);
        let mut entries = Vec::new();
        for (key, value) in root.entries() {
            let is_mark = key.text().is_some_and(|key| *key == *METADATA.as_bytes());
            let value = if is_mark { list(&left) } else { value.source().to_vec() };
            if !value.is_empty() {
                entries.push([key.source(), b": ", &value].concat());
            }
        }
        self.edits.push(match entries.is_empty() {
            true => {
                let span =
                    line_of(text, section, property.engine_key_span(), property.value_span());
                (span, Vec::new())
            }
            false => {
                let entries = entries.join(&b",\n"[..]);
                (property.value_span(), [b"{\n", entries.as_slice(), b"\n}"].concat())
            }
        });
    }

    /// Settles the conflicts of a list. Returns the remaining ones.
    fn records(&mut self, section: Section<'d>, list: PartRef<'_>) -> Vec<Vec<u8>> {
        if list.kind() != PartKind::Array {
            return Vec::new();
        }
        let mut left = Vec::new();
        for record in list.children() {
            let Some(asked) = self.asked.next() else { break };
            let owner = match record.get("at") {
                Some(_) => asked.elsewhere.map(|owner| self.places.section(owner)),
                None => Some(section),
            };
            let is_settled = match asked.settlement {
                _ if asked.is_done => true,
                Some(Settlement::Take(side)) => self.take(owner, record, side),
                Some(Settlement::AsItStands) => true,
                None => false,
            };
            if is_settled {
                self.settled += 1;
            } else {
                left.push((owner, record));
            }
        }
        let left = left.into_iter();
        left.map(|(owner, record)| self.places.record_of(owner, record, &self.removed_tracks))
            .collect()
    }

    /// Takes the value of the side. Returns whether that can be done here.
    fn take(&mut self, owner: Option<Section<'d>>, record: PartRef<'_>, side: MergeSide) -> bool {
        if wish_of(record, side).is_some() || !can_take(owner, record, side) {
            return false;
        }
        let Some(section) = owner else { return true };
        if let Some(by) = text_of(record, "removed_by") {
            let is_removed = by == side.as_str();
            match record.get("track") {
                _ if !is_removed => {}
                Some(_) => match number_of_track(section, record) {
                    Some(number) => drop(self.removed_tracks.insert(number)),
                    None => return false,
                },
                None => drop(self.removed.insert(section.index())),
            }
            return true;
        }
        if side == MergeSide::Ours {
            // It is in place.
            return true;
        }
        let value = record.get(side.as_str()).map(PartRef::source);
        match (text_of(record, "property"), text_of(record, "field")) {
            (Some(name), _) => self.set_property(section, &name, value),
            (_, Some(name)) => self.set_field(section, &name, value),
            // A node that got another name has it.
            (None, None) => {}
        }
        true
    }

    fn set_property(&mut self, section: Section<'d>, name: &str, value: Option<&[u8]>) {
        let is_it = |property: &Property<'_>| *property.engine_key() == *name.as_bytes();
        let found = section.properties().rfind(is_it);
        let text = self.document.text();
        match (found, value) {
            (Some(found), Some(value)) => self.edits.push((found.value_span(), value.to_vec())),
            (Some(found), None) => {
                let span = line_of(text, section, found.engine_key_span(), found.value_span());
                self.edits.push((span, Vec::new()));
            }
            (None, Some(value)) => {
                let is_plain =
                    name.bytes().all(|byte| byte > 32 && byte < 127 && !b"=\";[]".contains(&byte));
                let key = if is_plain { name.as_bytes().to_vec() } else { quoted(name.as_bytes()) };
                let line = [b"\n", key.as_slice(), b" = ", value].concat();
                self.edits.push((Span::empty(section.tag_span().end), line));
            }
            (None, None) => {}
        }
    }

    fn set_field(&mut self, section: Section<'d>, name: &str, value: Option<&[u8]>) {
        match (section.field(name), value) {
            (Some(field), Some(value)) => self.edits.push((field.value_span(), value.to_vec())),
            (Some(field), None) => {
                let span = field.span();
                let before = &self.document.text()[..span.start as usize];
                let blanks = before.iter().rev().take_while(|byte| **byte <= 32).count() as u32;
                self.edits.push((Span::new(span.start - blanks, span.end), Vec::new()));
            }
            (None, Some(value)) => {
                let field = [b" ", name.as_bytes(), b"=", value].concat();
                self.edits.push((Span::empty(section.tag_span().end - 1), field));
            }
            (None, None) => {}
        }
    }

    /// Takes out tracks; those behind them get other numbers.
    fn remove_tracks(&mut self, section: Section<'_>) {
        let removed = std::mem::take(&mut self.removed_tracks);
        if removed.is_empty() {
            return;
        }
        let text = self.document.text();
        for property in section.properties() {
            let key = property.engine_key();
            let Some((number, name)) = track_property(&key) else { continue };
            if removed.contains(&number) {
                // Values settled inside it do not matter any more.
                self.edits.retain(|(span, _)| *span != property.value_span());
                let span =
                    line_of(text, section, property.engine_key_span(), property.value_span());
                self.edits.push((span, Vec::new()));
            } else {
                let new = track_key(number - removed.range(..number).count() as u32, name);
                self.edits.push((property.engine_key_span(), new));
            }
        }
    }

    /// Takes out nodes with all below them and their connections, and connections.
    fn remove(&mut self) {
        if self.removed.is_empty() {
            return;
        }
        let side = Side::new(self.document);
        let mut is_removed = vec![false; side.tree.nodes.len()];
        for (index, node) in side.tree.nodes.iter().enumerate() {
            let is_below = is_removed.get(node.parent as usize).copied().unwrap_or_default();
            is_removed[index] = is_below || self.removed.contains(&node.section);
        }
        let pieces = pieces(self.document);
        for section in self.document.sections() {
            let names_removed = |field: &str| {
                let path = section.field_text(field);
                path.is_some_and(|path| is_removed[side.tree.walk(0, &path).node as usize])
            };
            let goes = match section.kind() {
                TagKind::Node => is_removed[side.node_of[section.index() as usize] as usize],
                TagKind::Connection if names_removed("from") || names_removed("to") => true,
                TagKind::Editable => names_removed("path"),
                _ => self.removed.contains(&section.index()),
            };
            if goes {
                let index = section.index() as usize;
                let start = index.checked_sub(1).map_or(0, |before| pieces[before].end);
                let span = Span::new(start as u32, pieces[index].end as u32);
                self.edits.push((span, Vec::new()));
            }
        }
    }
}

/// A list of the remaining ones; nothing if it is empty.
fn list(records: &[Vec<u8>]) -> Vec<u8> {
    match records.is_empty() {
        true => Vec::new(),
        false => [b"[", records.join(&b", "[..]).as_slice(), b"]"].concat(),
    }
}
