//! The conflicts in a text, and their names.

use std::collections::BTreeSet;

use hashbrown::{HashMap, HashSet};

use crate::conflict_marks::METADATA;
use crate::document::{Document, Property, Section, TagKind};
use crate::merge::canonical::is_same;
use crate::merge::marks::BASE_IS_GONE;
use crate::merge::names::quoted;
use crate::merge::refusal::MergeSide;
use crate::merge::report::place_of;
use crate::merge::resolve::asked::wish_of;
use crate::merge::side::Side;
use crate::merge::tracks::{shown, track_key, track_property};
use crate::merge::tree::path_of;
use crate::merge::unresolved::{SIDES, Unresolved, UnresolvedKind};
use crate::span::Span;
use crate::value::tree::{PartKind, PartRef};

/// The sections of a text, by their names in conflicts.
pub(super) struct Sections<'d> {
    side: Side<'d>,
    /// Nothing for several of one name.
    by_place: HashMap<String, Option<Section<'d>>>,
}

impl<'d> Sections<'d> {
    pub(super) fn new(document: &'d Document<'d>) -> Self {
        let mut sections = Self { side: Side::new(document), by_place: HashMap::new() };
        // Nodes have their own conflicts, except Godot 3's without metadata.
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

    /// From the root, which is `.` itself.
    fn node_path(&self, section: Section<'_>) -> String {
        let path = path_of(&self.side.tree, self.side.node_of[section.index() as usize]);
        if path.is_empty() { ".".to_owned() } else { lossy(&path) }
    }

    pub(super) fn section(&self, index: u32) -> Section<'d> {
        self.side.section(index)
    }

    /// A conflict as it stays in the text, with the current name of its subject, and with the number of a track without the
    /// removed ones.
    pub(super) fn record_of(
        &self,
        owner: Option<Section<'_>>,
        record: PartRef<'_>,
        removed_tracks: &BTreeSet<u32>,
    ) -> Vec<u8> {
        let with = |part: PartRef<'_>, new: &[u8]| {
            let span = record.span();
            let at = Span::new(part.span().start - span.start, part.span().end - span.start);
            let text = record.source();
            [&text[..at.start as usize], &quoted(new), &text[at.end as usize..]].concat()
        };
        if let (Some(owner), Some(place)) = (owner, record.get("at")) {
            return with(place, self.place(owner).as_bytes());
        }
        if let Some(property) = record.get("property")
            && let Some(name) = property.text()
            && let Some((number, name)) = track_property(&name)
        {
            let new = number - removed_tracks.range(..number).count() as u32;
            return with(property, &track_key(new, name));
        }
        record.source().to_vec()
    }

    /// The section that a conflict is about; its metadata is in `section`.
    pub(super) fn owner(&self, section: Section<'d>, record: PartRef<'_>) -> Option<Section<'d>> {
        match text_of(record, "at") {
            Some(place) => self.by_place.get(&place).copied().flatten(),
            None => Some(section),
        }
    }
}

/// Calls `found` with each conflict of a text and its section, in the order of the text.
pub(super) fn each_record<'d>(
    document: &'d Document<'d>,
    mut found: impl FnMut(Section<'d>, PartRef<'_>),
) {
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

/// Whether the value of the side can be taken. `owner` is the section that the conflict is about.
pub(super) fn can_take(owner: Option<Section<'_>>, record: PartRef<'_>, side: MergeSide) -> bool {
    if record.get("track").is_some() {
        return owner.is_some_and(|owner| number_of_track(owner, record).is_some());
    }
    if record.get("removed_by").is_some() {
        let kinds = [TagKind::Node, TagKind::Connection, TagKind::Resource];
        return owner.is_some_and(|owner| kinds.contains(&owner.kind()));
    }
    if side == MergeSide::Ours {
        return true;
    }
    if kind_of(record) == UnresolvedKind::Other {
        // Nothing says where the value belongs.
        return false;
    }
    let is_place = record.get("order").is_some()
        || text_of(record, "field").is_some_and(|name| name == "name" || name == "parent");
    if is_place {
        return wish_of(record, side).is_some();
    }
    let is_gone = side == MergeSide::Base && record.get(BASE_IS_GONE).is_some();
    owner.is_some() && !is_gone
}

/// The number of the track that a conflict is about.
pub(super) fn number_of_track(section: Section<'_>, record: PartRef<'_>) -> Option<u32> {
    let of_name = |name: &[u8], value: PartRef<'_>| -> HashSet<u32> {
        let is_it = |property: &Property<'_>| is_same(property.source(), value.source());
        let properties = section.properties().filter(is_it);
        let numbers = properties.filter_map(|property| {
            let key = property.engine_key();
            track_property(&key).filter(|(_, found)| *found == name).map(|(number, _)| number)
        });
        numbers.collect()
    };
    let paths = of_name(b"/path", record.get("track")?);
    let types = of_name(b"/type", record.get("track_type")?);
    let mut found = paths.intersection(&types);
    found.next().copied().filter(|_| found.next().is_none())
}

/// A conflict for people and programs.
pub(super) fn unresolved_of<'d>(
    places: &Sections<'d>,
    section: Section<'d>,
    record: PartRef<'_>,
    number: usize,
) -> Unresolved {
    let span = |key: &str| record.get(key).map(PartRef::span);
    let value = |key: &str| record.get(key).map(|value| lossy(value.source()));
    let owner = places.owner(section, record);
    let (ours, ours_span) = owner.and_then(|owner| value_of_ours(owner, record)).unzip();
    let field =
        |section: Section<'_>, name: &str| lossy(&section.field_text(name).unwrap_or_default());
    let of_kind = |kind: TagKind| owner.filter(|owner| owner.kind() == kind);
    Unresolved {
        number,
        place: text_of(record, "at").unwrap_or_else(|| places.place(section)),
        what: what(record),
        kind: kind_of(record),
        node_path: of_kind(TagKind::Node).map(|node| places.node_path(node)),
        sub_resource: of_kind(TagKind::SubResource).map(|section| field(section, "id")),
        sides: SIDES.into_iter().filter(|side| can_take(owner, record, *side)).collect(),
        base: value("base"),
        ours: ours.or_else(|| value("ours")),
        theirs: value("theirs"),
        spans: [span("base"), ours_span.or_else(|| span("ours")), span("theirs")],
    }
}

/// The value in the section, and its place.
fn value_of_ours(section: Section<'_>, record: PartRef<'_>) -> Option<(String, Span)> {
    match (text_of(record, "property"), text_of(record, "field")) {
        (Some(name), _) => {
            let is_it = |property: &Property<'_>| *property.engine_key() == *name.as_bytes();
            let found = section.properties().rfind(is_it);
            found.map(|property| (lossy(property.source()), property.value_span()))
        }
        (None, Some(name)) => {
            section.field(&name).map(|field| (lossy(field.source()), field.value_span()))
        }
        (None, None) => None,
    }
}

fn kind_of(record: PartRef<'_>) -> UnresolvedKind {
    let text = |key: &str| text_of(record, key);
    let side = |by: String| SIDES.into_iter().find(|side| side.as_str() == by);
    let found = text("property").map(UnresolvedKind::Property);
    let found = found.or_else(|| text("field").map(UnresolvedKind::Field));
    let found = found.or_else(|| text("removed_by").and_then(side).map(UnresolvedKind::Removed));
    let found = found.or_else(|| text("name").map(UnresolvedKind::Name));
    let found = found.or_else(|| text("order").map(|_| UnresolvedKind::Order));
    found.unwrap_or(UnresolvedKind::Other)
}

pub(super) fn text_of(record: PartRef<'_>, key: &str) -> Option<String> {
    record.get(key).and_then(PartRef::text).map(|text| lossy(&text))
}

/// The subject of a conflict, for people.
fn what(record: PartRef<'_>) -> String {
    let text = |key: &str| text_of(record, key);
    let named = |key: &str| text(key).map(|name| format!("{key} {name}"));
    let track = record.get("track").map(|path| shown(path.source()) + ": ").unwrap_or_default();
    let removed = || text("removed_by").map(|by| format!("{track}{by} removed it"));
    let renamed = || text("name").map(|name| format!("another node has its name `{name}`"));
    let order = || text("order").map(|_| "the order of its children".to_owned());
    let found = named("property").or_else(|| named("field")).or_else(removed);
    found.or_else(renamed).or_else(order).unwrap_or_else(|| "changed by both".to_owned())
}

fn lossy(text: &[u8]) -> String {
    String::from_utf8_lossy(text).into_owned()
}
