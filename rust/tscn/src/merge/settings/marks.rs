//! Conflicts in a merged settings file.

use crate::config_file::parse_config;
use crate::merge::names::quoted;
use crate::merge::refusal::MergeSide;
use crate::merge::resolve::Resolved;
use crate::merge::settings::side::SettingsSide;
use crate::merge::settings::writer::Writer;
use crate::merge::settings::{AUTOLOAD, Found, ORDER, place};
use crate::merge::side::{BASE, OURS, THEIRS};
use crate::value::tree::{PartRef, ValueTree};

/// The section and key that hold the conflicts of `project.godot`.
const SECTION: &[u8] = b"gdscene";
const KEY: &[u8] = b"conflicts";

/// The section that holds conflicts; empty if there are none.
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

/// Git's markers around what each side has.
pub(super) fn markers(ours: Option<&[u8]>, theirs: Option<&[u8]>) -> Vec<u8> {
    let side = |text: Option<&[u8]>| text.map_or_else(Vec::new, |text| [text, b"\n"].concat());
    let (ours, theirs) = (side(ours), side(theirs));
    [b"<<<<<<< ours\n", ours.as_slice(), b"=======\n", theirs.as_slice(), b">>>>>>> theirs"]
        .concat()
}

/// The conflicts that [`merge_config`](crate::merge_config) left in the settings of a project: where each is, and what it is
/// about.
#[must_use]
pub fn unresolved_config(text: &[u8]) -> Vec<(String, String)> {
    if memchr::memmem::find(text, b"[gdscene]").is_none() {
        return Vec::new();
    }
    let file = parse_config(text);
    let Some(list) = file.get(SECTION, KEY) else { return Vec::new() };
    let tree = ValueTree::new(list.source());
    tree.root().children().map(described).collect()
}

/// Settles the conflicts that [`merge_config`](crate::merge_config) left in the settings of a project, in favour of one side;
/// [`MergeSide::Base`] brings back what was before.
///
/// ```
/// use tscn::MergeSide;
///
/// let text = |value: u32| format!("[physics]\n\n2d/default_gravity={value}\n");
/// let [base, ours, theirs] = [1, 2, 3].map(text);
/// let texts = [&base, &ours, &theirs].map(String::as_bytes);
/// let merged = tscn::merge_config("project.godot", texts[0], texts[1], texts[2]).unwrap();
/// assert_eq!(merged.conflicts.len(), 1);
/// assert_eq!(tscn::resolve_config(&merged.text, MergeSide::Ours).text, ours.as_bytes());
/// assert_eq!(tscn::resolve_config(&merged.text, MergeSide::Theirs).text, theirs.as_bytes());
/// ```
#[must_use]
pub fn resolve_config(text: &[u8], side: MergeSide) -> Resolved {
    let file = parse_config(text);
    let sections = SettingsSide::new(&file, OURS, None);
    let mut writer = Writer::new(&sections);
    let (mut settled, mut left, mut kept) = (0, Vec::new(), Vec::new());
    let conflicts = sections.get(SECTION).and_then(|at| Some((at, at.entries.get(KEY)?)));
    let Some((section, entry)) = conflicts else {
        return Resolved { text: text.to_vec(), settled, left };
    };
    let tree = ValueTree::new(entry.value.of(text));
    for record in tree.root().children() {
        if settle(&sections, record, side, &mut writer) {
            settled += 1;
        } else {
            left.push(described(record));
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
    Resolved { text: writer.written(), settled, left }
}

/// Whether the conflict could be settled.
fn settle<'d>(
    sections: &SettingsSide<'d>,
    record: PartRef<'_>,
    side: MergeSide,
    writer: &mut Writer<'_, 'd>,
) -> bool {
    if side == MergeSide::Ours {
        // It stands there.
        return true;
    }
    let text = |key: &str| record.get(key).and_then(PartRef::text);
    let (Some(name), Some(key)) = (text("section"), text("key")) else { return false };
    if *name == *AUTOLOAD && *key == *ORDER.as_bytes() {
        return false;
    }
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

/// `String::property_name_encode`, Godot 4.6.3.
fn written_key(key: &[u8]) -> Vec<u8> {
    let is_special =
        |byte: &u8| !(33..=126).contains(byte) || matches!(byte, b'=' | b'"' | b';' | b'[' | b']');
    if key.iter().any(is_special) { quoted(key) } else { key.to_vec() }
}

fn described(record: PartRef<'_>) -> (String, String) {
    let text = |key: &str| record.get(key).and_then(PartRef::text).unwrap_or_default();
    let section = String::from_utf8_lossy(&text("section")).into_owned();
    (place(&section), format!("setting {}", String::from_utf8_lossy(&text("key"))))
}
