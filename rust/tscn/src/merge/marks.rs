//! Conflicts in the merged file: ours stands in its place, and what theirs has instead in the metadata of the node or
//! resource. Godot loads that and keeps it when it saves, resources and all; comments it would drop.

use crate::document::{Section, TagKind};
use crate::merge::conflict::{Found, Item};
use crate::merge::names::quoted;
use crate::merge::side::{BASE, OURS, THEIRS};
use crate::span::Span;

/// The metadata that holds the conflicts of a node or resource: a list of dictionaries.
pub(crate) const METADATA: &str = "_gdscene_conflicts";

/// Tells in a conflict that what the base has is not there, as it used a resource that both sides removed.
pub(super) const BASE_IS_GONE: &str = "base_is_gone";

/// A conflict as a dictionary: what it is about, and what base and theirs have. `place` says where it is if that is not the
/// node or resource with the metadata.
pub(super) fn record(found: &Found, place: Option<&str>) -> Vec<u8> {
    let mut entries: Vec<(&str, Vec<u8>)> = Vec::new();
    if let Some(place) = place {
        entries.push(("at", quoted(place.as_bytes())));
    }
    match &found.item {
        Item::Field(name) => entries.push(("field", quoted(name.as_bytes()))),
        Item::Property(name) => entries.push(("property", quoted(name.as_bytes()))),
        Item::Name(name) => entries.push(("name", quoted(name.as_bytes()))),
        Item::Order => entries.push(("order", b"\"children\"".to_vec())),
        Item::Removed { by, .. } => {
            let by: &[u8] = if *by == OURS { b"\"ours\"" } else { b"\"theirs\"" };
            entries.push(("removed_by", by.to_vec()));
        }
    }
    for (name, side) in [("base", BASE), ("theirs", THEIRS)] {
        if let Some(value) = &found.values[side] {
            entries.push((name, value.clone()));
        }
    }
    if found.is_base_gone {
        entries.push((BASE_IS_GONE, b"true".to_vec()));
    }
    entries.sort();
    let mut record = b"{\n".to_vec();
    for (index, (key, value)) in entries.iter().enumerate() {
        if index > 0 {
            record.extend_from_slice(b",\n");
        }
        record.extend_from_slice(&quoted(key.as_bytes()));
        record.extend_from_slice(b": ");
        record.extend_from_slice(value);
    }
    record.extend_from_slice(b"\n}");
    record
}

/// The edit that puts these conflicts into a section.
pub(super) fn edit(
    section: Section<'_>,
    format: i64,
    records: &[Vec<u8>],
) -> Option<(Span, Vec<u8>)> {
    let list = [b"[", records.join(&b", "[..]).as_slice(), b"]"].concat();
    let last = section.properties().next_back();
    let end = last.map_or(section.tag_span().end, |property| property.value_span().end);
    if format > 2 {
        let line = [b"\nmetadata/", METADATA.as_bytes(), b" = ", &list].concat();
        return Some((Span::empty(end), line));
    }
    let key = quoted(METADATA.as_bytes());
    let known = section.properties().rfind(|property| property.key().as_ref() == b"__meta__");
    match known {
        Some(known) => {
            let tree = known.value_tree();
            let open = memchr::memchr(b'{', known.source())? as u32;
            let comma: &[u8] = if tree.root().entries().next().is_some() { b"," } else { b"" };
            let entry = [b"\n", key.as_slice(), b": ", &list, comma].concat();
            Some((Span::empty(known.value_span().start + open + 1), entry))
        }
        None => {
            let line = [b"\n__meta__ = {\n", key.as_slice(), b": ", &list, b"\n}"].concat();
            Some((Span::empty(end), line))
        }
    }
}

/// Whether a section's node or resource can have metadata.
pub(super) fn takes_metadata(kind: TagKind) -> bool {
    matches!(kind, TagKind::Node | TagKind::SubResource | TagKind::Resource)
}
