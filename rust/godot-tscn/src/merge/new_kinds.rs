//! Notes on things that one side turned into another kind, while the other side worked with the old one: both changes are in
//! the result, and only people know whether they fit.

use crate::document::{Section, TagKind};
use crate::merge::MergeNote;
use crate::merge::names::Names;
use crate::merge::report::place;
use crate::merge::rows::Row;
use crate::merge::side::{BASE, OURS, THEIRS};
use crate::merge::touched::other;
use crate::quote::quote;

/// At most this number of properties is named.
const MAX_NAMED: usize = 4;

/// The notes of a merge, in the order of its rows.
pub(super) fn notes(names: &Names<'_, '_>) -> Vec<MergeNote> {
    let mut uses = None;
    let mut notes = Vec::new();
    for (index, row) in names.rows.rows.iter().enumerate() {
        if ![BASE, OURS, THEIRS].into_iter().all(|side| row.is_in(side)) {
            continue;
        }
        let text = match row.kind {
            TagKind::Node | TagKind::SubResource => changed_type(names, row),
            TagKind::ExtResource => other_file(names, row).and_then(|(side, text)| {
                let uses = uses.get_or_insert_with(|| uses_of(names));
                let of = |side: usize| uses[side][index];
                (of(other(side)) > of(BASE)).then_some(text)
            }),
            _ => None,
        };
        notes.extend(text.map(|text| MergeNote { place: place(names, index as u32), text }));
    }
    notes
}

/// A type that one side changed, where the other set properties.
fn changed_type(names: &Names<'_, '_>, row: &Row) -> Option<String> {
    let (side, [old, new]) = changed_by_one(names, row, "type")?;
    let [base, user] = [BASE, other(side)].map(|side| names.sides[side].section(row.at[side]));
    let set = properties_set(base, user);
    if set.is_empty() {
        return None;
    }
    let named: Vec<String> = set.iter().take(MAX_NAMED).map(|key| quote(key)).collect();
    let more = match set.len() - named.len() {
        0 => String::new(),
        count => format!(" and {count} more"),
    };
    Some(format!(
        "{} changed the type from {} to {}, and {} set {}{more} of the old type; Godot drops the properties that the new type does not have",
        side_name(side),
        quote(&old),
        quote(&new),
        side_name(other(side)),
        named.join(", ")
    ))
}

/// The name of an `ext_resource` that one side pointed to another file, in a note about new uses; and the side.
fn other_file(names: &Names<'_, '_>, row: &Row) -> Option<(usize, String)> {
    let (side, [old, new]) = changed_by_one(names, row, "path")?;
    let uid = |side: usize| names.sides[side].section(row.at[side]).field_text("uid");
    // The file has moved.
    if uid(BASE).is_some() && uid(BASE) == uid(side) {
        return None;
    }
    let text = format!(
        "{} replaced {} with {}; the additions of {} also use the new file",
        side_name(side),
        quote(&old),
        quote(&new),
        side_name(other(side))
    );
    Some((side, text))
}

/// The side that alone changed a field, with its old and new text.
fn changed_by_one(names: &Names<'_, '_>, row: &Row, field: &str) -> Option<(usize, [Vec<u8>; 2])> {
    let text = |side: usize| names.sides[side].section(row.at[side]).field_text(field);
    let base = text(BASE)?;
    let mut changed = [OURS, THEIRS].into_iter().filter(|side| text(*side).as_ref() != Some(&base));
    let (Some(side), None) = (changed.next(), changed.next()) else { return None };
    Some((side, [base.to_vec(), text(side)?.to_vec()]))
}

/// The keys of a section that it has with another value than the base, or alone.
fn properties_set(base: Section<'_>, user: Section<'_>) -> Vec<Vec<u8>> {
    let old: hashbrown::HashMap<_, _> =
        base.properties().map(|property| (property.key(), property.source())).collect();
    let is_set = |key: &[u8], source: &[u8]| {
        // Any type has these.
        key != b"script" && !key.starts_with(b"metadata/") && old.get(key) != Some(&source)
    };
    user.properties()
        .filter(|property| is_set(&property.key(), property.source()))
        .map(|property| property.key().to_vec())
        .collect()
}

/// How often each row is named, by side.
fn uses_of(names: &Names<'_, '_>) -> [Vec<usize>; 3] {
    [BASE, OURS, THEIRS].map(|side| {
        let mut uses = vec![0; names.rows.rows.len()];
        let this = &names.sides[side];
        for reference in this.document.sections().flat_map(Section::references) {
            if let Some(target) = this.target(reference) {
                uses[names.rows.of[side][target as usize] as usize] += 1;
            }
        }
        uses
    })
}

fn side_name(side: usize) -> &'static str {
    if side == OURS { "ours" } else { "theirs" }
}
