//! What stands in a text of its conflicts, and what they are called.

use hashbrown::HashMap;

use crate::document::{Document, Property, Section, TagKind};
use crate::merge::marks::METADATA;
use crate::merge::report::place_of;
use crate::merge::resolve::Unresolved;
use crate::merge::side::Side;
use crate::merge::tree::path_of;
use crate::value::tree::{PartKind, PartRef};

/// The sections of a text, by what they are called in conflicts.
pub(super) struct Sections<'d> {
    side: Side<'d>,
    /// Nothing for several of one name.
    by_place: HashMap<String, Option<Section<'d>>>,
}

impl<'d> Sections<'d> {
    pub(super) fn new(document: &'d Document<'d>) -> Self {
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

    pub(super) fn find(&self, place: &str) -> Option<Section<'d>> {
        self.by_place.get(place).copied().flatten()
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

/// A conflict for people.
pub(super) fn unresolved_of(
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

pub(super) fn text_of(record: PartRef<'_>, key: &str) -> Option<String> {
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
