//! Conflicts in the merged file: ours is in its place, and the version of theirs in the metadata of the node or
//! resource. Godot loads that and keeps it when it saves, resources and all; comments it would drop.

use crate::conflict_marks::METADATA;
use crate::document::{Property, Section, TagKind};
use crate::merge::conflict::{Found, Item};
use crate::merge::names::quoted;
use crate::merge::piece::Edits;
use crate::merge::refusal::MergeSide;
use crate::merge::side::{BASE, OURS, THEIRS};
use crate::span::Span;

/// Notes in a conflict that the value of the base is missing, because it used a resource that both sides
/// removed.
pub(super) const BASE_IS_GONE: &str = "base_is_gone";

/// A conflict as a dictionary: its subject, and the values of base and theirs. `place` says where it is if that is not the
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
        Item::Removed { by, .. } => entries.push(removed_by(*by)),
        Item::Track { by, kind, path } => {
            entries.extend([
                removed_by(*by),
                ("track", path.clone()),
                ("track_type", kind.clone()),
            ]);
        }
    }
    let sides: &[_] = match found.item {
        // Nothing in the text says it.
        Item::Order => &[("base", BASE), ("ours", OURS), ("theirs", THEIRS)],
        _ => &[("base", BASE), ("theirs", THEIRS)],
    };
    for (name, side) in sides.iter().copied() {
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

fn removed_by(side: usize) -> (&'static str, Vec<u8>) {
    ("removed_by", quoted(MergeSide::ALL[side].as_str().as_bytes()))
}

/// Puts these conflicts into a section that has the given edits.
pub(super) fn put(section: Section<'_>, format: i64, records: &[Vec<u8>], edits: &mut Edits) {
    let list = [b"[", records.join(&b", "[..]).as_slice(), b"]"].concat();
    let last = section.properties().next_back();
    let end = last.map_or(section.tag_span().end, |property| property.value_span().end);
    let line = [b"\nmetadata/", METADATA.as_bytes(), b" = ", &list].concat();
    if format > 2 {
        edits.push((Span::empty(end), line));
        return;
    }
    let entry = [quoted(METADATA.as_bytes()), b": ".to_vec(), list].concat();
    let line = match put_into_dictionary(section, &entry, edits) {
        Dictionary::HasIt => return,
        Dictionary::None => [b"\n__meta__ = {\n", entry.as_slice(), b"\n}"].concat(),
        // Godot 3 does not keep this line, but nor does it load such metadata.
        Dictionary::Other => line,
    };
    edits.push((Span::empty(end), line));
}

/// The dictionary `__meta__` that Godot 3 keeps metadata in.
enum Dictionary {
    HasIt,
    None,
    /// The value is something else.
    Other,
}

fn put_into_dictionary(section: Section<'_>, entry: &[u8], edits: &mut Edits) -> Dictionary {
    let known = section.properties().rfind(|property| property.key().as_ref() == b"__meta__");
    let span = known.map(Property::value_span);
    // Theirs may have added, changed or removed it.
    let is_added = |new: &[u8]| new.starts_with(ADDED);
    let edit = edits.iter_mut().find(|(at, new)| match span {
        Some(span) => at.contains(span),
        None => is_added(new),
    });
    let put = match (edit, known) {
        (Some((_, new)), Some(_)) if new.is_empty() => return Dictionary::None,
        (Some((_, new)), _) => {
            let start = if is_added(new) { ADDED.len() } else { 0 };
            let put = opened(&new[start..], entry);
            put.map(|(open, text)| drop(new.splice(start + open..start + open, text)))
        }
        (None, Some(known)) => opened(known.source(), entry).map(|(open, text)| {
            edits.push((Span::empty(known.value_span().start + open as u32), text));
        }),
        (None, None) => return Dictionary::None,
    };
    if put.is_some() { Dictionary::HasIt } else { Dictionary::Other }
}

/// How a line begins that theirs added.
const ADDED: &[u8] = b"\n__meta__ = ";

/// The place and the form of the entry in a dictionary; nothing if the value is not one.
fn opened(value: &[u8], entry: &[u8]) -> Option<(usize, Vec<u8>)> {
    let inside = value.strip_prefix(b"{")?;
    let comma: &[u8] = if inside.trim_ascii_start().starts_with(b"}") { b"" } else { b"," };
    Some((1, [b"\n", entry, comma].concat()))
}

/// Whether a section's node or resource can have metadata.
pub(super) fn takes_metadata(kind: TagKind) -> bool {
    matches!(kind, TagKind::Node | TagKind::SubResource | TagKind::Resource)
}
