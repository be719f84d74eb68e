//! Conflicts in a merged settings file.

use crate::config_file::parse_config;
use crate::conflict_marks::{KEY, SECTION};
use crate::format::text::is_plain_key;
use crate::merge::names::quoted;
use crate::merge::refusal::MergeSide;
use crate::merge::settings::side::SettingsSide;
use crate::merge::settings::writer::Writer;
use crate::merge::settings::{AUTOLOAD, Found, ORDER, place};
use crate::merge::side::{BASE, OURS, THEIRS};
use crate::merge::unresolved::{SIDES, Settlement, Unresolved, UnresolvedKind};
use crate::value::tree::{PartRef, ValueTree};

/// The section with the conflicts; empty if there are none.
pub(super) fn setting(conflicts: &[Found]) -> Vec<u8> {
    if conflicts.is_empty() {
        return Vec::new();
    }
    let records: Vec<Vec<u8>> = conflicts.iter().map(record).collect();
    [b"[gdscene]\n\nconflicts=[", records.join(&b", "[..]).as_slice(), b"]\n"].concat()
}

/// The keys are in the order in which Godot writes them.
fn record(found: &Found) -> Vec<u8> {
    let key = found.key.as_deref().unwrap_or_default();
    // An order is a list of names.
    let is_order = key == ORDER && found.section.as_bytes() == AUTOLOAD;
    let value = |side: usize| {
        let value = found.values[side].as_deref();
        value.map(|value| if is_order { quoted(value) } else { value.to_vec() })
    };
    let entries = [
        ("base", value(BASE)),
        ("key", Some(quoted(key.as_bytes()))),
        ("section", Some(quoted(found.section.as_bytes()))),
        ("theirs", value(THEIRS)),
    ];
    let line = |(key, value): (&str, Option<Vec<u8>>)| {
        Some([quoted(key.as_bytes()).as_slice(), b": ", &value?].concat())
    };
    let lines: Vec<Vec<u8>> = entries.into_iter().filter_map(line).collect();
    [b"{\n", lines.join(&b",\n"[..]).as_slice(), b"\n}"].concat()
}

/// Git's markers around the text of each side.
pub(super) fn markers(ours: Option<&[u8]>, theirs: Option<&[u8]>) -> Vec<u8> {
    let side = |text: Option<&[u8]>| text.map_or_else(Vec::new, |text| [text, b"\n"].concat());
    let (ours, theirs) = (side(ours), side(theirs));
    [b"<<<<<<< ours\n", ours.as_slice(), b"=======\n", theirs.as_slice(), b">>>>>>> theirs"]
        .concat()
}

/// Settles each conflict in the settings of a project as `choose` says, and leaves it where that says nothing.
pub(in crate::merge) fn settle(
    text: &[u8],
    choose: &mut dyn FnMut(&Unresolved) -> Option<Settlement>,
) -> (Vec<u8>, usize) {
    let file = parse_config(text);
    let sections = SettingsSide::new(&file, OURS, None);
    let mut writer = Writer::new(&sections);
    let (mut settled, mut kept) = (0, Vec::new());
    let conflicts = sections.get(SECTION).and_then(|at| Some((at, at.entries.get(KEY)?)));
    let Some((section, entry)) = conflicts else {
        return (text.to_vec(), settled);
    };
    let tree = ValueTree::in_document(entry.value.of(text), entry.value.start);
    for (record, number) in tree.root().children().zip(1..) {
        let conflict = described(&sections, record, number);
        let is_settled = match choose(&conflict) {
            Some(Settlement::Take(side)) => take(&sections, record, side, &mut writer),
            Some(Settlement::AsItStands) => true,
            None => false,
        };
        if is_settled {
            settled += 1;
        } else {
            kept.push(record.source().to_vec());
        }
    }
    if !kept.is_empty() {
        let list = [b"[", kept.join(&b", "[..]).as_slice(), b"]"].concat();
        writer.replace(entry.value, &list);
    } else if section.entries.keys.len() == 1 {
        writer.remove_section(section);
    } else {
        writer.remove(section, entry);
    }
    (writer.written(), settled)
}

/// The conflicts of the file.
pub(in crate::merge) fn unresolved(text: &[u8]) -> Vec<Unresolved> {
    let mut found = Vec::new();
    settle(text, &mut |conflict| {
        found.push(conflict.clone());
        None
    });
    found
}

/// Takes the value of the side. Returns whether that can be done.
fn take<'d>(
    sections: &SettingsSide<'d>,
    record: PartRef<'_>,
    side: MergeSide,
    writer: &mut Writer<'_, 'd>,
) -> bool {
    if side == MergeSide::Ours || !can_take(record, side) {
        // It is in place.
        return side == MergeSide::Ours;
    }
    let text = |key: &str| record.get(key).and_then(PartRef::text);
    let (Some(name), Some(key)) = (text("section"), text("key")) else { return false };
    let value = record.get(side.as_str()).map(PartRef::source);
    let at = sections.get(&name);
    let known = at.and_then(|at| Some((at, at.entries.get(&key)?)));
    let line = |value: &[u8]| [written_key(&key).as_slice(), b"=", value].concat();
    match (at, known, value) {
        (_, Some((_, entry)), Some(value)) => writer.replace(entry.value, value),
        (_, Some((at, entry)), None) => writer.remove(at, entry),
        (Some(at), None, Some(value)) => writer.insert(at, None, &line(value)),
        (None, None, Some(value)) => writer.append_section(&name, &line(value)),
        (_, None, None) => {}
    }
    true
}

fn can_take(record: PartRef<'_>, side: MergeSide) -> bool {
    let text = |key: &str| record.get(key).and_then(PartRef::text);
    let is_setting = |name: &[u8], key: &[u8]| *name != *AUTOLOAD || *key != *ORDER.as_bytes();
    let named = text("section").zip(text("key"));
    side == MergeSide::Ours || named.is_some_and(|(name, key)| is_setting(&name, &key))
}

/// `String::property_name_encode`, Godot 4.6.3.
fn written_key(key: &[u8]) -> Vec<u8> {
    if is_plain_key(key) { key.to_vec() } else { quoted(key) }
}

fn described(sections: &SettingsSide<'_>, record: PartRef<'_>, number: usize) -> Unresolved {
    let text = |key: &str| record.get(key).and_then(PartRef::text).unwrap_or_default();
    let readable = |value: &[u8]| String::from_utf8_lossy(value).into_owned();
    let (section, key) = (text("section"), text("key"));
    let at = sections.get(&section);
    let ours = at.and_then(|at| at.value(&key));
    let ours_span = at.and_then(|at| at.entries.get(&key)).map(|entry| entry.value);
    let span = |side: &str| record.get(side).map(PartRef::span);
    let value = |side: &str| record.get(side).map(|part| readable(part.source()));
    Unresolved {
        number,
        place: place(&readable(&section)),
        what: format!("setting {}", readable(&key)),
        kind: UnresolvedKind::Setting,
        node_path: None,
        sub_resource: None,
        sides: SIDES.into_iter().filter(|side| can_take(record, *side)).collect(),
        base: value("base"),
        ours: ours.map(readable),
        theirs: value("theirs"),
        spans: [span("base"), ours_span, span("theirs")],
    }
}
