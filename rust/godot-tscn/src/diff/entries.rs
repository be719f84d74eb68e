//! The fields and properties of a thing, one by one.

use std::borrow::Cow;

use hashbrown::HashMap;

use crate::diff::Entry;
use crate::diff::labels::Labels;
use crate::diff::noise::{self, Tally};
use crate::diff::order;
use crate::diff::parts::{self, Inside};
use crate::diff::scene::{NEW, OLD};
use crate::diff::spelling::is_alike;
use crate::diff::tracks;
use crate::document::{Section, TagKind};
use crate::merge::canonical;
use crate::merge::entry_list::{self, Entries};
use crate::merge::keyed;
use crate::merge::names::{Names, with_edits};
use crate::merge::noise::{is_editor_key, is_noise};
use crate::merge::side::NONE;
use crate::merge::value::{Owner, class_of};
use crate::span::Span;
use crate::value::tree::{PartKind, ValueTree};

/// The values of both texts.
pub(super) struct Texts<'t, 'd> {
    names: &'t Names<'t, 'd>,
    pub(super) labels: Labels,
    pub(super) tally: Tally,
    /// Whether equal text means the same in both texts.
    pub(super) is_plain: bool,
}

/// A value of one text.
#[derive(Clone, Copy)]
struct Found<'d> {
    section: Section<'d>,
    span: Span,
}

/// A property of both texts: its key and value in each.
type Property<'d> = [Option<(Cow<'d, [u8]>, Found<'d>)>; 2];

impl<'t, 'd> Texts<'t, 'd> {
    pub(super) fn new(names: &'t Names<'t, 'd>, tally: Tally) -> Self {
        let has_changed = [OLD, NEW]
            .iter()
            .any(|side| names.ids.has_changed[*side] || names.places.has_moved[*side]);
        Self { names, labels: Labels::new(names), tally, is_plain: !has_changed }
    }

    /// A part of a section: paths as the new text has them, labels in the place of ids.
    fn shown(&self, side: usize, found: Found<'d>) -> Cow<'d, [u8]> {
        let text = self.names.sides[side].document.text();
        let mut edits = Vec::new();
        self.labels.edits(self.names, side, found.section, found.span, &mut edits);
        if self.names.places.has_moved[side] {
            self.names.path_edits(side, found.section, found.span, &mut edits);
        }
        if edits.is_empty() {
            return Cow::Borrowed(found.span.of(text));
        }
        edits.sort_by_key(|(span, _): &(Span, Vec<u8>)| *span);
        Cow::Owned(with_edits(text, found.span, &edits))
    }

    /// Whether two values differ. Other ways to write one value are counted.
    fn differs(&mut self, old: &[u8], new: &[u8]) -> bool {
        if old == new {
            return false;
        }
        if canonical::is_same(old, new) || is_alike(old, new) {
            self.tally.add(noise::SPELLING, 1);
            return false;
        }
        true
    }

    /// The differences in the tags. `is_elsewhere` says of a node that it was renamed or moved.
    pub(super) fn fields(
        &mut self,
        old: Section<'d>,
        new: Section<'d>,
        is_elsewhere: bool,
    ) -> Vec<Entry> {
        let lists = [Entries::of(old, true), Entries::of(new, true)];
        let mut told = Vec::new();
        for key in keyed::joined(&lists[1].keys, &lists[0].keys, |_| true) {
            if is_given(new.kind(), &key) {
                continue;
            }
            let span = |side: usize| lists[side].get(&key).map(|entry| entry.value);
            let values = [(OLD, old, span(0)), (NEW, new, span(1))]
                .map(|(side, section, span)| Some(self.field(side, section, &key, span?)));
            let is_one = values.iter().filter(|value| value.is_some()).count() == 1;
            let is_id_path = key.ends_with(b"_id_path") || key.ends_with(b"_uid_path");
            let noise = match &*key {
                b"load_steps" => Some(noise::LOAD_STEPS),
                b"unique_id" if is_one => Some(noise::UNIQUE_IDS),
                _ if is_id_path && (is_one || is_elsewhere) => Some(noise::UNIQUE_IDS),
                b"uid" if is_one => Some(noise::UIDS),
                _ => None,
            };
            let [old, new] = &values;
            let (old, new) = (old.as_deref(), new.as_deref());
            match (old, new, noise) {
                (_, _, Some(what)) => self.tally.add(what, usize::from(old != new)),
                (Some(old), Some(new), _) if !self.differs(old, new) => {}
                _ => told.extend(self.field_entry(&key, old, new)),
            }
        }
        told
    }

    fn field(&self, side: usize, section: Section<'d>, key: &[u8], span: Span) -> Cow<'d, [u8]> {
        if key.ends_with(b"_path") {
            return self.names.id_path(side, span.of(self.names.sides[side].document.text()));
        }
        if section.kind() == TagKind::Node
            && key == b"owner"
            && let Some(path) = section.field_text("owner")
            && let Some(path) = self.names.root_path(side, &path)
        {
            return Cow::Owned(path);
        }
        self.shown(side, Found { section, span })
    }

    fn field_entry(&mut self, key: &[u8], old: Option<&[u8]>, new: Option<&[u8]>) -> Option<Entry> {
        let mut parts = Vec::new();
        if matches!(key, b"groups" | b"node_paths")
            && let Some(found) = parts::of_sets(old, new)
        {
            if found.is_empty() && old.is_some() && new.is_some() {
                self.tally.add(noise::SPELLING, 1);
                return None;
            }
            parts = found;
        }
        Some(Entry {
            name: readable(key),
            old: old.map(readable),
            new: new.map(readable),
            parts,
            summary: None,
        })
    }

    /// The differences in the properties.
    pub(super) fn properties(&mut self, old: Section<'d>, new: Section<'d>) -> Vec<Entry> {
        let lists = [Entries::of(old, false), Entries::of(new, false)];
        let sections = [old, new];
        self.count_doubled(&lists);
        let value = |this: &Self, side: usize, key: &[u8]| {
            let found = Found { section: sections[side], span: lists[side].get(key)?.value };
            Some(this.shown([OLD, NEW][side], found))
        };
        let tracks = tracks::of([&lists[0].keys, &lists[1].keys], |side, key| {
            value(self, side, key).map(Cow::into_owned)
        });
        let called = |side: usize, key: &Cow<'d, [u8]>| -> Cow<'d, [u8]> {
            match &tracks {
                Some(tracks) => tracks::called(tracks, side, key).map_or(key.clone(), Cow::Owned),
                None => key.clone(),
            }
        };
        let named = |side: usize| {
            let keys = lists[side].keys.iter();
            keys.map(|key| (called(side, key), key.clone())).collect::<Vec<_>>()
        };
        let named = [named(0), named(1)];
        let order = [0, 1].map(|side: usize| {
            named[side].iter().map(|(name, _)| name.clone()).collect::<Vec<_>>()
        });
        let keys = named.map(|list| list.into_iter().collect::<HashMap<_, _>>());
        self.count_order(&order);
        let mut told = Vec::new();
        for name in keyed::joined(&order[1], &order[0], |_| true) {
            let found = [0, 1].map(|side: usize| {
                let key = keys[side].get(&name)?;
                let span = lists[side].get(key)?.value;
                Some((key.clone(), Found { section: sections[side], span }))
            });
            told.extend(self.property(&name, &found));
        }
        if let Some(tracks) = &tracks {
            told = tracks::folded(tracks, told);
        }
        if let Some([old, new]) = tracks.and_then(|tracks| tracks.order) {
            let list = |names: Vec<String>| Some(format!("[{}]", names.join(", ")));
            let (name, parts) = ("order of tracks".to_owned(), Vec::new());
            told.push(Entry { name, old: list(old), new: list(new), parts, summary: None });
        }
        told
    }

    fn count_doubled(&mut self, lists: &[Entries<'d>; 2]) {
        let counts = lists.each_ref().map(|list| list.doubled.len());
        self.tally.add(noise::DOUBLED, counts[0].abs_diff(counts[1]));
    }

    fn count_order(&mut self, order: &[Vec<Cow<'d, [u8]>>; 2]) {
        let known: HashMap<&[u8], usize> =
            order[0].iter().enumerate().map(|(index, key)| (&**key, index)).collect();
        let both = order[1].iter().enumerate();
        let places = both.filter_map(|(index, key)| Some((*known.get(&**key)?, index))).collect();
        self.tally.add(noise::ORDER_OF_PROPERTIES, order::moved(places).len());
    }

    fn property(&mut self, name: &[u8], found: &Property<'d>) -> Option<Entry> {
        if self.is_plain
            && let [Some((_, old)), Some((_, new))] = found
        {
            let source = |side: usize, found: &Found<'d>| {
                found.span.of(self.names.sides[side].document.text())
            };
            if source(OLD, old) == source(NEW, new) {
                return None;
            }
        }
        let [old, new] = [0, 1].map(|side: usize| {
            let (_, value) = found[side].as_ref()?;
            Some(self.shown([OLD, NEW][side], *value))
        });
        let (old, new) = (old.as_deref(), new.as_deref());
        if let (Some(old), Some(new)) = (old, new)
            && !self.differs(old, new)
        {
            return None;
        }
        let is_quiet = |side: usize| {
            found[side].as_ref().is_none_or(|(key, value)| {
                is_noise(value.section, self.parent([OLD, NEW][side], value.section), key)
            })
        };
        if is_quiet(0) && is_quiet(1) {
            self.tally.add(noise::EDITOR, 1);
            return None;
        }
        let (key, value) = found[1].as_ref().or(found[0].as_ref())?;
        let mut inside = Inside::default();
        if let (Some(old), Some(new)) = (old, new) {
            let class = class_of(value.section);
            inside = parts::inside(Owner::new(&class, key), old, new);
        }
        if &**key == b"__meta__" && self.is_only_of_editor(old, new, &mut inside) {
            return None;
        }
        let Inside { parts, summary } = inside;
        let (old, new) = (old.map(readable), new.map(readable));
        Some(Entry { name: readable(name), old, new, parts, summary })
    }

    /// Leaves the editor's own parts out of Godot 3's metadata. Returns whether nothing is left.
    fn is_only_of_editor(
        &mut self,
        old: Option<&[u8]>,
        new: Option<&[u8]>,
        inside: &mut Inside,
    ) -> bool {
        if let [Some(one), None] | [None, Some(one)] = [old, new] {
            let tree = ValueTree::new(one);
            let root = tree.root();
            let is_quiet = root.kind() == PartKind::Dictionary
                && root.entries().all(|(key, _)| key.text().is_some_and(|key| is_editor_key(&key)));
            self.tally.add(noise::EDITOR, usize::from(is_quiet));
            return is_quiet;
        }
        let is_quiet = |place: &str| {
            place.strip_prefix("[\"").is_some_and(|key| is_editor_key(key.as_bytes()))
        };
        let count = inside.parts.len();
        inside.parts.retain(|part| !is_quiet(&part.place));
        self.tally.add(noise::EDITOR, count - inside.parts.len());
        count > 0 && inside.parts.is_empty()
    }

    /// The node above a node, if the text has it.
    fn parent(&self, side: usize, section: Section<'d>) -> Option<Section<'d>> {
        if section.kind() != TagKind::Node {
            return None;
        }
        let side = &self.names.sides[side];
        let node = &side.tree.nodes[side.node_of[section.index() as usize] as usize];
        (node.parent != NONE && node.rest.is_empty())
            .then(|| side.section(side.tree.nodes[node.parent as usize].section))
    }

    /// All that a thing has which only one text has.
    pub(super) fn whole(&mut self, side: usize, section: Section<'d>) -> Vec<Entry> {
        let value = |text: Cow<'d, [u8]>| {
            let text = Some(readable(&text));
            if side == OLD { (text, None) } else { (None, text) }
        };
        let mut told = Vec::new();
        for field in section.fields() {
            let key = field.name();
            let is_told = matches!(key, b"type" | b"instance" | b"instance_placeholder" | b"path");
            let is_id = key.ends_with(b"_path") || matches!(key, b"unique_id" | b"uid");
            if is_given(section.kind(), key) || is_told || is_id || key == b"load_steps" {
                continue;
            }
            let text = self.field(side, section, key, field.value_span());
            let (old, new) = value(text);
            let name = readable(key);
            told.push(Entry { name, old, new, parts: Vec::new(), summary: None });
        }
        let entries = Entries::of(section, false);
        let keys = match side {
            OLD => [&entries.keys[..], &[]],
            _ => [&[], &entries.keys[..]],
        };
        let tracks = tracks::of(keys, |_, key| {
            let span = entries.get(key)?.value;
            Some(self.shown(side, Found { section, span }).into_owned())
        });
        let index = usize::from(side != OLD);
        for key in &entries.keys {
            let Some(entry_list::Entry { value: span, .. }) = entries.get(key) else { continue };
            if is_noise(section, self.parent(side, section), key) {
                self.tally.add(noise::EDITOR, 1);
                continue;
            }
            let (old, new) = value(self.shown(side, Found { section, span }));
            let called = tracks.as_ref().and_then(|tracks| tracks::called(tracks, index, key));
            let name = readable(&called.map_or(Cow::Borrowed(&**key), Cow::Owned));
            told.push(Entry { name, old, new, parts: Vec::new(), summary: None });
        }
        match &tracks {
            Some(tracks) => tracks::folded(tracks, told),
            None => told,
        }
    }
}

/// Whether the field is shown in another way: in the name of a thing, or in its place.
fn is_given(kind: TagKind, key: &[u8]) -> bool {
    match kind {
        TagKind::Node => matches!(key, b"name" | b"parent"),
        TagKind::ExtResource | TagKind::SubResource => key == b"id",
        TagKind::Connection => matches!(key, b"signal" | b"from" | b"to" | b"method"),
        TagKind::Editable => key == b"path",
        _ => false,
    }
}

fn readable(text: &[u8]) -> String {
    String::from_utf8_lossy(text).into_owned()
}
