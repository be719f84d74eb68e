//! Settles the conflicts that a merge left in a file: takes what one side has.

use std::borrow::Cow;

use hashbrown::{HashMap, HashSet};

use crate::document::{Document, Property, Section, TagKind};
use crate::merge::marks::{BASE_IS_GONE, METADATA};
use crate::merge::names::{quoted, with_edits};
use crate::merge::piece::{Edits, line_of};
use crate::merge::rearrange::{Wish, rearranged};
use crate::merge::refusal::MergeSide;
use crate::merge::report::place_of;
use crate::merge::settings;
use crate::merge::side::Side;
use crate::merge::tree::path_of;
use crate::model::section_order::pieces;
use crate::span::Span;
use crate::syntax;
use crate::value::tree::{PartKind, PartRef};

/// A text whose conflicts are settled.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Resolved {
    /// The text.
    pub text: Vec<u8>,
    /// How many conflicts were settled.
    pub settled: usize,
    /// What stays in the file, because no side was chosen, or because it has to be looked at.
    pub left: Vec<Unresolved>,
}

/// A conflict that a merge left in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Unresolved {
    /// Its number in the text, from 1.
    pub number: usize,
    /// Where it is.
    pub place: String,
    /// What it is about.
    pub what: String,
    /// What each side has, if it is a value; nothing where it has none.
    pub base: Option<String>,
    /// See [`Unresolved::base`].
    pub ours: Option<String>,
    /// See [`Unresolved::base`].
    pub theirs: Option<String>,
}

/// Settles the conflicts that [`merge_file`](crate::merge_file) left in a scene, resource or `project.godot`, in favour of one
/// side; [`MergeSide::Base`] brings back what was before.
///
/// ```
/// use tscn::MergeSide;
///
/// let text = |value: u32, more: &str| format!("[gd_resource type=\"Curve\" format=3]\n\n[resource]\nx = {value}\n{more}");
/// let [base, ours, theirs] = [1, 2, 3].map(|value| text(value, ""));
/// let merged = tscn::merge(base.as_bytes(), ours.as_bytes(), theirs.as_bytes()).unwrap();
/// assert_eq!(merged.conflicts.len(), 1);
/// assert_eq!(tscn::resolve(&merged.text, MergeSide::Ours).text, ours.as_bytes());
/// assert_eq!(tscn::resolve(&merged.text, MergeSide::Theirs).text, theirs.as_bytes());
/// ```
#[must_use]
pub fn resolve(text: &[u8], side: MergeSide) -> Resolved {
    resolve_by(text, |_| Some(side))
}

/// The conflicts that [`merge_file`](crate::merge_file) left in the text.
#[must_use]
pub fn unresolved(text: &[u8]) -> Vec<Unresolved> {
    let marks = [METADATA.as_bytes(), b"[gdscene]"];
    let has_any = marks.iter().any(|mark| memchr::memmem::find(text, mark).is_some());
    if has_any { resolve_by(text, |_| None).left } else { Vec::new() }
}

/// Settles each conflict in favour of the side that `choose` gives, and leaves it where that gives none.
#[must_use]
pub fn resolve_by(
    text: &[u8],
    mut choose: impl FnMut(&Unresolved) -> Option<MergeSide>,
) -> Resolved {
    let document = syntax::parse(text);
    let is_settings = document.sections().all(|section| section.kind() == TagKind::Unknown);
    if is_settings {
        return settings::resolve_by(text, &mut choose);
    }
    let mut asked = ask(&document, &mut choose);
    match rearrange(&document, &mut asked) {
        Some(text) => settle(&syntax::parse(&text), asked),
        None => settle(&document, asked),
    }
}

/// A conflict of a text, and what is to be done with it.
struct Asked {
    /// The section that it stands in.
    section: u32,
    conflict: Unresolved,
    /// The side that is taken, if one is.
    side: Option<MergeSide>,
    /// Whether nodes have been put where the side has them.
    is_done: bool,
}

/// Asks for each conflict which side is taken.
fn ask(
    document: &Document<'_>,
    choose: &mut dyn FnMut(&Unresolved) -> Option<MergeSide>,
) -> Vec<Asked> {
    let places = Sections::new(document);
    let mut asked = Vec::new();
    each_record(document, |section, record| {
        let conflict = unresolved_of(&places, section, record, asked.len() + 1);
        let side = choose(&conflict);
        asked.push(Asked { section: section.index(), conflict, side, is_done: false });
    });
    asked
}

/// Puts nodes where the chosen sides have them. Gives the text, if there are any; what was asked then stands in its sections.
fn rearrange(document: &Document<'_>, asked: &mut [Asked]) -> Option<Vec<u8>> {
    let mut wishes = Vec::new();
    let mut wishers = Vec::new();
    let mut index = 0;
    each_record(document, |section, record| {
        let side = asked[index].side.filter(|side| *side != MergeSide::Ours);
        if section.kind() == TagKind::Node
            && let Some(wish) = side.and_then(|side| wish_of(record, side))
        {
            wishes.push((section.index(), wish));
            wishers.push(index);
        }
        index += 1;
    });
    if wishes.is_empty() {
        return None;
    }
    let rearranged = rearranged(document, &wishes)?;
    for (wisher, is_done) in wishers.into_iter().zip(rearranged.is_done) {
        asked[wisher].is_done = is_done;
    }
    // Nodes stand in another order now.
    let mut sections = rearranged.nodes.iter().copied();
    let mut new_order: HashMap<u32, usize> = HashMap::new();
    for section in document.sections() {
        let old = match section.kind() {
            TagKind::Node => sections.next()?,
            _ => section.index(),
        };
        new_order.insert(old, section.index() as usize);
    }
    asked.sort_by_key(|asked| new_order.get(&asked.section).copied());
    Some(rearranged.text)
}

/// Where a side has a node, if the conflict is about that.
fn wish_of(record: PartRef<'_>, side: MergeSide) -> Option<Wish> {
    if record.get("at").is_some() {
        return None;
    }
    let value = record.get(side.as_str())?;
    let text = |value: PartRef<'_>| value.text().map(Cow::into_owned);
    if record.get("order").is_some() {
        return Some(Wish::Order(value.children().filter_map(text).collect()));
    }
    match text_of(record, "field")?.as_str() {
        "name" => text(value).map(Wish::Name),
        "parent" => text(value).map(Wish::Parent),
        _ => None,
    }
}

/// Settles all conflicts of a text, in its order.
fn settle(document: &Document<'_>, asked: Vec<Asked>) -> Resolved {
    let mut resolver = Resolver {
        document,
        places: Sections::new(document),
        asked: asked.into_iter(),
        edits: Vec::new(),
        removed: HashSet::new(),
        settled: 0,
        left: Vec::new(),
    };
    for section in document.sections() {
        resolver.section(section);
    }
    resolver.remove();
    let Resolver { mut edits, settled, mut left, .. } = resolver;
    left.sort_by_key(|conflict| conflict.number);
    edits.sort_by_key(|(span, _)| *span);
    let mut kept: Edits = Vec::with_capacity(edits.len());
    for edit in edits {
        // What lies in a section that goes, goes with it.
        if kept.last().is_none_or(|(span, _)| span.end <= edit.0.start) {
            kept.push(edit);
        }
    }
    let text = document.text();
    let text = with_edits(text, Span::new(0, text.len() as u32), &kept);
    Resolved { text, settled, left }
}

struct Resolver<'d> {
    document: &'d Document<'d>,
    places: Sections<'d>,
    /// The conflicts that are still to come.
    asked: std::vec::IntoIter<Asked>,
    edits: Edits,
    /// Nodes and connections that go, by section.
    removed: HashSet<u32>,
    settled: usize,
    left: Vec<Unresolved>,
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

    /// Settles the conflicts of a list. Returns those that are left.
    fn records(&mut self, section: Section<'d>, list: PartRef<'_>) -> Vec<Vec<u8>> {
        let mut left = Vec::new();
        if list.kind() != PartKind::Array {
            return left;
        }
        for record in list.children() {
            let Some(Asked { conflict, side, is_done, .. }) = self.asked.next() else { break };
            if is_done || side.is_some_and(|side| self.settle(section, record, side)) {
                self.settled += 1;
            } else {
                self.left.push(conflict);
                left.push(record.source().to_vec());
            }
        }
        left
    }

    /// Takes what the side has. Returns whether that can be done here.
    fn settle(&mut self, section: Section<'d>, record: PartRef<'_>, side: MergeSide) -> bool {
        let section = match text_of(record, "at") {
            // Without the thing, what the sides have of it does not matter to ours.
            Some(place) => self.places.find(&place),
            None => Some(section),
        };
        if let Some(by) = text_of(record, "removed_by") {
            let goes = |section: &Section<'_>| {
                matches!(section.kind(), TagKind::Node | TagKind::Connection)
            };
            let section = section.filter(goes);
            if let Some(section) = section.filter(|_| by == side.as_str()) {
                self.removed.insert(section.index());
            }
            return section.is_some();
        }
        if side == MergeSide::Ours {
            // It stands there.
            return true;
        }
        let is_gone = side == MergeSide::Base && record.get(BASE_IS_GONE).is_some();
        let Some(section) = section.filter(|_| !is_gone && record.get("order").is_none()) else {
            return false;
        };
        let value = record.get(side.as_str()).map(PartRef::source);
        match (text_of(record, "property"), text_of(record, "field")) {
            (Some(name), _) => self.set_property(section, &name, value),
            (_, Some(name)) if matches!(name.as_str(), "name" | "parent") => return false,
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
                TagKind::Connection => {
                    self.removed.contains(&section.index())
                        || names_removed("from")
                        || names_removed("to")
                }
                TagKind::Editable => names_removed("path"),
                _ => false,
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

/// A list of what is left; nothing if that is nothing.
fn list(records: &[Vec<u8>]) -> Vec<u8> {
    match records.is_empty() {
        true => Vec::new(),
        false => [b"[", records.join(&b", "[..]).as_slice(), b"]"].concat(),
    }
}

/// The sections of a text, by what they are called in conflicts.
struct Sections<'d> {
    side: Side<'d>,
    /// Nothing for several of one name.
    by_place: HashMap<String, Option<Section<'d>>>,
}

impl<'d> Sections<'d> {
    fn new(document: &'d Document<'d>) -> Self {
        let mut sections = Self { side: Side::new(document), by_place: HashMap::new() };
        // Nodes have their own conflicts, but for Godot 3's without metadata.
        for section in document.sections().filter(|section| section.kind() != TagKind::Node) {
            let place = sections.place(section);
            let known = sections.by_place.entry(place);
            known.and_modify(|known| *known = None).or_insert(Some(section));
        }
        sections
    }

    fn place(&self, section: Section<'_>) -> String {
        let node = self.side.node_of[section.index() as usize];
        place_of(section, || path_of(&self.side.tree, node))
    }

    fn find(&self, place: &str) -> Option<Section<'d>> {
        self.by_place.get(place).copied().flatten()
    }
}

/// Calls `found` with each conflict of a text and its section, in the order of the text.
fn each_record<'d>(document: &'d Document<'d>, mut found: impl FnMut(Section<'d>, PartRef<'_>)) {
    for section in document.sections() {
        for property in section.properties() {
            let key = property.key();
            let tree = property.value_tree();
            let is_mark =
                key.strip_prefix(b"metadata/").is_some_and(|name| name == METADATA.as_bytes());
            let list = match is_mark {
                true => Some(tree.root()),
                false if &*key == b"__meta__" => tree.root().get(METADATA),
                false => None,
            };
            let list = list.filter(|list| list.kind() == PartKind::Array);
            for record in list.into_iter().flat_map(PartRef::children) {
                found(section, record);
            }
        }
    }
}

/// A conflict for people.
fn unresolved_of(
    places: &Sections<'_>,
    section: Section<'_>,
    record: PartRef<'_>,
    number: usize,
) -> Unresolved {
    let value = |key: &str| record.get(key).map(|value| lossy(value.source()));
    let at = text_of(record, "at");
    let owner = match &at {
        Some(place) => places.find(place),
        None => Some(section),
    };
    let ours = owner.and_then(|owner| ours_of(owner, record)).or_else(|| value("ours"));
    Unresolved {
        number,
        place: at.unwrap_or_else(|| places.place(section)),
        what: what(record),
        base: value("base"),
        ours,
        theirs: value("theirs"),
    }
}

/// What stands in its place.
fn ours_of(section: Section<'_>, record: PartRef<'_>) -> Option<String> {
    match (text_of(record, "property"), text_of(record, "field")) {
        (Some(name), _) => {
            let is_it = |property: &Property<'_>| *property.engine_key() == *name.as_bytes();
            let found = section.properties().rfind(is_it);
            found.map(|property| lossy(property.source()))
        }
        (None, Some(name)) => section.field(&name).map(|field| lossy(field.source())),
        (None, None) => None,
    }
}

fn text_of(record: PartRef<'_>, key: &str) -> Option<String> {
    record.get(key).and_then(PartRef::text).map(|text| lossy(&text))
}

/// What a conflict is about, for people.
fn what(record: PartRef<'_>) -> String {
    let text = |key: &str| text_of(record, key);
    let named = |key: &str| text(key).map(|name| format!("{key} {name}"));
    let removed = || text("removed_by").map(|by| format!("{by} removed it"));
    let renamed = || text("name").map(|name| format!("another node has its name `{name}`"));
    let order = || text("order").map(|_| "the order of its children".to_owned());
    let found = named("property").or_else(|| named("field")).or_else(removed);
    found.or_else(renamed).or_else(order).unwrap_or_else(|| "changed by both".to_owned())
}

fn lossy(text: &[u8]) -> String {
    String::from_utf8_lossy(text).into_owned()
}

#[cfg(test)]
mod tests;
