//! The fields and properties of a thing that both sides have, three ways.

use std::borrow::Cow;

use hashbrown::{HashMap, HashSet};

use crate::document::{Section, TagKind};
use crate::merge::canonical::is_same_or_none;
use crate::merge::conflict::{Conflicts, Item};
use crate::merge::entry_list::{Entries, Entry};
use crate::merge::keyed;
use crate::merge::lists::{self, Lists};
use crate::merge::names::{Names, Text};
use crate::merge::noise::is_noise;
use crate::merge::side::{BASE, NONE, OURS, THEIRS};
use crate::merge::touched::Touched;
use crate::merge::tracks::Disputed;
use crate::merge::value::{self, Owner};
use crate::span::Span;

/// The changes in ours.
#[derive(Debug)]
pub(super) enum Change {
    /// The value is replaced.
    Replace(Entry, Vec<u8>),
    /// The key is replaced.
    Rename(Entry, Vec<u8>),
    /// The entry goes.
    Remove(Entry),
    /// A new one is put behind another, or at the start.
    Insert {
        /// The entry of ours that it comes behind.
        after: Option<Entry>,
        /// As it is written.
        key: Vec<u8>,
        /// As it is written.
        value: Vec<u8>,
    },
}

/// A row with a section on both sides.
pub(super) struct Both<'m, 'd> {
    pub(super) names: &'m Names<'m, 'd>,
    pub(super) touched: &'m Touched,
    pub(super) row: u32,
    pub(super) is_fields: bool,
    /// The only key that may take something from theirs, if there is one.
    pub(super) only: Option<&'m str>,
    /// For its lists, the changes of both sides.
    pub(super) lists: Lists,
}

/// At most this number of repeated keys is checked, because they are an error.
const MAX_DOUBLED: usize = 64;

/// The fate of an entry.
enum Outcome {
    Ours,
    Theirs,
    Value(Vec<u8>),
}

impl<'m, 'd> Both<'m, 'd> {
    /// The changes in ours so that it has the changes of both.
    pub(super) fn changes(&mut self, conflicts: &mut Conflicts) -> Vec<Change> {
        let of = |side: usize| match self.section(side) {
            Some(section) => Entries::of(section, self.is_fields),
            None => Entries::default(),
        };
        let mut entries = [of(BASE), of(OURS), of(THEIRS)];
        let mut changes = Vec::new();
        let mut added = Vec::new();
        self.find_lists(&entries);
        if let Some(tracks) = &self.lists.tracks {
            for (side, entries) in entries.iter_mut().enumerate() {
                entries.rename(|key| tracks.renamed(side, key));
            }
            for Disputed { by, kind, path, .. } in &tracks.disputed {
                let track = Item::Track { by: *by, kind: kind.clone(), path: path.clone() };
                conflicts.add(self.row, track);
            }
        }
        for key in &entries[OURS].keys {
            self.change_of(key, &entries, conflicts, &mut changes);
        }
        for key in entries[THEIRS].keys.iter().filter(|key| entries[OURS].get(key).is_none()) {
            added.extend(
                self.addition_of(key, &entries, conflicts).map(|value| (key.clone(), value)),
            );
        }
        let is_changed = |entry: &Entry| {
            let is_it = |change: &Change| matches!(change, Change::Replace(one, _) | Change::Remove(one) if one.key == entry.key);
            changes.iter().any(is_it)
        };
        let needless = entries[OURS].doubled.iter().take(MAX_DOUBLED);
        let needless: Vec<Change> = needless
            .filter(|(key, _)| entries[OURS].get(key).is_some_and(|last| is_changed(&last)))
            .map(|(_, earlier)| Change::Remove(*earlier))
            .collect();
        changes.extend(needless);
        if !added.is_empty() {
            self.place(&entries, added, &mut changes);
        }
        changes
    }

    fn find_lists(&mut self, entries: &[Entries<'d>; 3]) {
        if self.only.is_some() {
            return;
        }
        let keys = entries.iter().flat_map(|entries| &entries.keys);
        let listed: HashSet<&Cow<'d, [u8]>> =
            keys.filter(|key| !self.is_fields && lists::list_of(key).is_some()).collect();
        if listed.is_empty() {
            return;
        }
        let texts = listed.into_iter().map(|key| {
            let text = |side: usize| {
                let text = self.text(side, entries[side].get(key), key);
                text.map(Cow::into_owned)
            };
            (&**key, [text(BASE), text(OURS), text(THEIRS)])
        });
        let is_known = self.names.rows.row(self.row).is_in(BASE);
        let is_sound = entries.iter().all(|entries| entries.doubled.is_empty());
        self.lists = lists::lists(&texts.collect::<Vec<_>>(), is_known && is_sound);
    }

    fn section(&self, side: usize) -> Option<Section<'d>> {
        let section = self.names.rows.row(self.row).at[side];
        (section != NONE).then(|| self.names.sides[side].section(section))
    }

    /// The text of a side, as it would be written in the result.
    fn text(&self, side: usize, entry: Option<Entry>, key: &[u8]) -> Option<Text<'d>> {
        let entry = entry?;
        let section = self.section(side)?;
        if self.is_fields && key.ends_with(b"_path") {
            let source = entry.value.of(self.names.sides[side].document.text());
            return Some(self.names.id_path(side, source));
        }
        if self.is_fields && is_root_path(section.kind(), key) {
            let path = section.field_text(std::str::from_utf8(key).ok()?)?;
            if let Some(path) = self.names.root_path(side, &path) {
                return Some(Cow::Owned(path));
            }
        }
        Some(self.names.value(side, section, entry.value))
    }

    fn change_of(
        &self,
        key: &[u8],
        entries: &[Entries<'d>; 3],
        conflicts: &mut Conflicts,
        changes: &mut Vec<Change>,
    ) {
        let Some(entry) = entries[OURS].get(key) else { return };
        if self.is_fields && self.is_given(key, entry, changes) {
            return;
        }
        let found = [BASE, OURS, THEIRS].map(|side| entries[side].get(key));
        let texts = [BASE, OURS, THEIRS].map(|side| self.text(side, found[side], key));
        let source = entry.value.of(self.names.sides[OURS].document.text());
        let outcome = self.decide(key, &texts, &found, conflicts);
        let goes = matches!(outcome, Outcome::Theirs) && texts[THEIRS].is_none();
        if self.lists.tracks.as_ref().is_some_and(|tracks| tracks.hold(key)) && !goes {
            let written = entry.key.of(self.names.sides[OURS].document.text());
            if written != key {
                changes.push(Change::Rename(entry, key.to_vec()));
            }
        }
        match outcome {
            Outcome::Ours => {
                // Paths may have changed.
                if let Some(Cow::Owned(text)) = &texts[OURS]
                    && text.as_slice() != source
                {
                    changes.push(Change::Replace(entry, text.clone()));
                }
            }
            Outcome::Theirs => match &texts[THEIRS] {
                Some(text) if **text != *source => {
                    changes.push(Change::Replace(entry, text.to_vec()));
                }
                Some(_) => {}
                None => changes.push(Change::Remove(entry)),
            },
            Outcome::Value(text) => {
                if text != source {
                    changes.push(Change::Replace(entry, text));
                }
            }
        }
    }

    /// The value of an addition of theirs, if the result has it.
    fn addition_of(
        &self,
        key: &[u8],
        entries: &[Entries<'d>; 3],
        conflicts: &mut Conflicts,
    ) -> Option<Vec<u8>> {
        if self.is_fields && matches!(key, b"name" | b"parent" | b"id" | b"load_steps") {
            return None;
        }
        let found = [BASE, OURS, THEIRS].map(|side| entries[side].get(key));
        let texts = [BASE, OURS, THEIRS].map(|side| self.text(side, found[side], key));
        match self.decide(key, &texts, &found, conflicts) {
            Outcome::Ours => None,
            Outcome::Theirs => texts[THEIRS].as_ref().map(|text| text.to_vec()),
            Outcome::Value(text) => Some(text),
        }
    }

    /// Puts the additions of theirs after their predecessors there.
    fn place(
        &self,
        entries: &[Entries<'d>; 3],
        added: Vec<(Cow<'d, [u8]>, Vec<u8>)>,
        changes: &mut Vec<Change>,
    ) {
        let removed: HashSet<Span> = changes
            .iter()
            .filter_map(|change| match change {
                Change::Remove(entry) => Some(entry.key),
                _ => None,
            })
            .collect();
        let is_kept = |key: &&Cow<'d, [u8]>| {
            entries[OURS].get(key).is_some_and(|entry| !removed.contains(&entry.key))
        };
        let kept: Vec<_> = entries[OURS].keys.iter().filter(is_kept).cloned().collect();
        let mut values: HashMap<_, _> = added.into_iter().collect();
        let order = keyed::joined(&kept, &entries[THEIRS].keys, |key| values.contains_key(key));
        let mut after = None;
        for key in order {
            match values.remove(&key) {
                Some(value) => {
                    let written =
                        entries[THEIRS].get(&key).map_or(Span::default(), |entry| entry.key);
                    let written = written.of(self.names.sides[THEIRS].document.text());
                    let tracks = self.lists.tracks.as_ref();
                    let is_track = tracks.is_some_and(|tracks| tracks.hold(&key));
                    let key = if is_track { key.into_owned() } else { written.to_vec() };
                    changes.push(Change::Insert { after, key, value });
                }
                None => after = entries[OURS].get(&key),
            }
        }
    }

    /// Whether the field is decided by the place and the ids of the result.
    fn is_given(&self, key: &[u8], entry: Entry, changes: &mut Vec<Change>) -> bool {
        let kind = self.names.rows.row(self.row).kind;
        let new = match (kind, key) {
            (TagKind::Node, b"parent") => self.names.parent(self.row),
            (TagKind::Node, b"name") => self.new_name(),
            (_, b"id" | b"load_steps") => None,
            _ => return false,
        };
        let source = entry.value.of(self.names.sides[OURS].document.text());
        if let Some(new) = new.filter(|new| new.as_slice() != source) {
            let is_moved = key != b"parent" || self.has_other_parent();
            if is_moved {
                changes.push(Change::Replace(entry, new));
            }
        }
        true
    }

    fn new_name(&self) -> Option<Vec<u8>> {
        let place = self.names.places.get(self.row)?;
        let ours = self.section(OURS)?.field_text("name");
        (ours.as_deref() != Some(&*place.name)).then(|| super::names::quoted(&place.name))
    }

    /// Whether the parent's path is another one than in ours, or it is only written otherwise.
    fn has_other_parent(&self) -> bool {
        let Some(path) = self.section(OURS).and_then(|section| section.field_text("parent")) else {
            return true;
        };
        let quoted = super::names::quoted(&path);
        self.names.places.has_moved[OURS] && self.names.parent(self.row) != Some(quoted)
    }

    fn decide(
        &self,
        key: &[u8],
        texts: &[Option<Text<'d>>; 3],
        entries: &[Option<Entry>; 3],
        conflicts: &mut Conflicts,
    ) -> Outcome {
        if self.only.is_some_and(|only| only.as_bytes() != key) {
            return Outcome::Ours;
        }
        let [base, ours, theirs] = [0, 1, 2].map(|side: usize| texts[side].as_deref());
        let is_touched = |side: usize| {
            let (Some(section), Some(entry)) = (self.section(side), entries[side]) else {
                return false;
            };
            self.touched.is_in(self.names, side, section, entry.value)
        };
        if let Some(side) = self.lists.tracks.as_ref().and_then(|tracks| tracks.kept_from(key)) {
            return if side == OURS { Outcome::Ours } else { Outcome::Theirs };
        }
        let is_chance = self.lists.is_of_different_parts(key) && !is_same_or_none(base, ours);
        if is_same_or_none(ours, theirs) && !is_chance {
            return Outcome::Ours;
        }
        let is_shifted = self.lists.is_shifted(key);
        let is_alone = (ours.is_none() || theirs.is_none()) && self.is_added_twice();
        if is_same_or_none(base, ours) && !is_touched(OURS) && !is_shifted && !is_alone {
            return Outcome::Theirs;
        }
        if is_same_or_none(base, theirs) && !is_touched(THEIRS) && !is_alone {
            return Outcome::Ours;
        }
        if !is_shifted && let Some(outcome) = self.settled(key, texts, conflicts) {
            return outcome;
        }
        let item = match self.is_fields {
            true => Item::Field(String::from_utf8_lossy(key).into_owned()),
            false => Item::Property(String::from_utf8_lossy(key).into_owned()),
        };
        let values = [0, 1, 2].map(|side: usize| texts[side].as_ref().map(|text| text.to_vec()));
        conflicts.add_values(self.row, item, values);
        Outcome::Ours
    }

    /// Whether each side added the thing for itself: then the side that does not write a property has its default, and means
    /// it. A change that both took from a third branch has one id.
    fn is_added_twice(&self) -> bool {
        let row = self.names.rows.row(self.row);
        if row.is_in(BASE) {
            return false;
        }
        let id = match row.kind {
            TagKind::Node => "unique_id",
            TagKind::SubResource => "id",
            _ => return false,
        };
        let ids = [OURS, THEIRS].map(|side| self.section(side)?.field_text(id));
        let is_lasting = [OURS, THEIRS].iter().all(|side| self.names.sides[*side].format() > 2);
        !(is_lasting && ids[0].is_some() && ids[0] == ids[1])
    }

    /// The changes of both, if there is no need to ask.
    fn settled(
        &self,
        key: &[u8],
        texts: &[Option<Text<'d>>; 3],
        conflicts: &mut Conflicts,
    ) -> Option<Outcome> {
        let [base, ours, theirs] = [0, 1, 2].map(|side: usize| texts[side].as_deref());
        let section = self.section(OURS)?;
        let is_quiet = match self.is_fields {
            true => matches!(key, b"index" | b"unique_id" | b"load_steps"),
            false => is_noise(section, self.parent(), key),
        };
        if is_quiet {
            // Among the nodes of an inherited scene it is the place of a node.
            if self.is_fields && key == b"index" && ours.is_some() && theirs.is_some() {
                conflicts.settle(self.row, "index".into(), theirs.map(<[u8]>::to_vec));
            }
            return Some(if ours.is_some() || base.is_some() {
                Outcome::Ours
            } else {
                Outcome::Theirs
            });
        }
        // Files are found by their path where the uid is another.
        if self.is_fields && key == b"uid" {
            let theirs = theirs.map(<[u8]>::to_vec);
            conflicts.settle(self.row, "uid".into(), theirs);
            return Some(if ours.is_some() { Outcome::Ours } else { Outcome::Theirs });
        }
        let (ours, theirs) = (ours?, theirs?);
        let merged = match self.is_fields {
            true => value::merged_field(key, base, ours, theirs),
            false => {
                let class = value::class_of(section);
                value::merged(Owner::new(&class, key), base, ours, theirs)
            }
        };
        merged.map(Outcome::Value)
    }

    fn parent(&self) -> Option<Section<'d>> {
        let place = self.names.places.get(self.row)?;
        if place.parent == NONE || !place.rest.is_empty() {
            return None;
        }
        let row = self.names.rows.row(place.parent);
        let side = row.origin();
        row.is_in(side).then(|| self.names.sides[side].section(row.at[side]))
    }
}

/// Whether the field is a path from the root of the scene.
pub(super) fn is_root_path(kind: TagKind, key: &[u8]) -> bool {
    match kind {
        TagKind::Node => key == b"owner",
        TagKind::Connection => matches!(key, b"from" | b"to"),
        TagKind::Editable => key == b"path",
        _ => false,
    }
}
