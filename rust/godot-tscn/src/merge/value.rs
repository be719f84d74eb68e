//! Three-way merge inside a value that both sides changed, if its meaning is certain.

use crate::document::Section;
use crate::merge::canonical;
use crate::merge::noise::is_editor_key;
use crate::merge::settings::SETTING;
use crate::merge::{cells, keyed, lines};
use crate::value::tree::{PartKind, PartRef, ValueTree};

/// The owner of a value.
#[derive(Clone, Copy)]
pub(crate) struct Owner<'k> {
    /// The class of the node or resource, if the text contains it.
    pub(crate) class: &'k [u8],
    /// The property, or the key in its dictionary.
    pub(crate) key: &'k [u8],
    /// How many dictionaries the value is in.
    pub(crate) depth: u32,
}

impl<'k> Owner<'k> {
    pub(crate) fn new(class: &'k [u8], key: &'k [u8]) -> Self {
        Self { class, key, depth: 0 }
    }
}

/// So deep dictionaries in dictionaries are merged.
const MAX_DEPTH: u32 = 32;

/// The class of a section's node or resource.
pub(crate) fn class_of(section: Section<'_>) -> Vec<u8> {
    section.field_text("type").unwrap_or_default().into_owned()
}

/// A field of a tag three ways, if it is a list without a relevant order.
pub(super) fn merged_field(
    name: &[u8],
    base: Option<&[u8]>,
    ours: &[u8],
    theirs: &[u8],
) -> Option<Vec<u8>> {
    match name {
        b"groups" | b"node_paths" => merged_set(base, ours, theirs),
        b"format" => {
            let number = |text: &[u8]| std::str::from_utf8(text).ok()?.trim().parse::<i64>().ok();
            Some(number(ours)?.max(number(theirs)?).to_string().into_bytes())
        }
        _ => None,
    }
}

/// A value three ways; nothing if the two sides cannot both be had.
pub(super) fn merged(
    owner: Owner<'_>,
    base: Option<&[u8]>,
    ours: &[u8],
    theirs: &[u8],
) -> Option<Vec<u8>> {
    if let Some(form) = cells::form_of(owner) {
        return cells::merged(form, base, ours, theirs);
    }
    let trees = [base.unwrap_or_default(), ours, theirs].map(ValueTree::new);
    let [in_base, in_ours, in_theirs] = [&trees[0], &trees[1], &trees[2]].map(ValueTree::root);
    let has_base = base.is_some();
    match (in_ours.kind(), in_theirs.kind()) {
        (PartKind::Dictionary, PartKind::Dictionary) => {
            let base = (in_base.kind() == PartKind::Dictionary).then_some(in_base);
            if has_base && base.is_none() {
                return None;
            }
            merged_dictionary(owner, base, in_ours, in_theirs)
        }
        (PartKind::Typed, PartKind::Typed) => merged_typed(owner, base, ours, theirs),
        (PartKind::String, PartKind::String) => {
            let base = base.filter(|_| in_base.kind() == PartKind::String)?;
            let has_lines = [base, ours, theirs].iter().all(|text| text.contains(&b'\n'));
            if has_lines { lines::merged(base, ours, theirs) } else { None }
        }
        (PartKind::Array, PartKind::Array) if owner.key == b"animations" => {
            let base = (in_base.kind() == PartKind::Array).then_some(in_base)?;
            merged_records(owner, "name", base, in_ours, in_theirs)
        }
        (PartKind::Array, PartKind::Array) if owner.class == SETTING => match owner.key {
            // The events of an action.
            b"events" => merged_events(has_base.then_some(in_base), in_ours, in_theirs),
            b"_global_script_classes" => {
                let base = (in_base.kind() == PartKind::Array).then_some(in_base)?;
                merged_records(owner, "class", base, in_ours, in_theirs)
            }
            _ => None,
        },
        (PartKind::Construct, _) => {
            merged_appended([base?, ours, theirs], [in_base, in_ours, in_theirs])
        }
        _ => None,
    }
}

/// `Dictionary[…]({…})`: the contents of the parentheses, if the types are the same.
fn merged_typed(
    owner: Owner<'_>,
    base: Option<&[u8]>,
    ours: &[u8],
    theirs: &[u8],
) -> Option<Vec<u8>> {
    fn split(text: &[u8]) -> Option<(&[u8], &[u8])> {
        let open = memchr::memmem::find(text, b"({")? + 1;
        Some((&text[..open], text[open..].strip_suffix(b")")?))
    }
    let (types, inside) = split(ours)?;
    let (types_of_theirs, inside_of_theirs) = split(theirs)?;
    let inside_of_base = match base {
        Some(base) => Some(split(base).filter(|(of_base, _)| *of_base == types)?.1),
        None => None,
    };
    if types != types_of_theirs || owner.depth >= MAX_DEPTH {
        return None;
    }
    let deeper = Owner { depth: owner.depth + 1, ..owner };
    let mut merged = types.to_vec();
    merged.extend(self::merged(deeper, inside_of_base, inside, inside_of_theirs)?);
    merged.push(b')');
    Some(merged)
}

/// The entries of a dictionary, with their keys without white space.
fn entries(dictionary: Option<PartRef<'_>>) -> Vec<(Vec<u8>, Entry<'_>)> {
    let entries = dictionary.into_iter().flat_map(PartRef::entries);
    entries
        .map(|(key, value)| {
            (
                canonical::key(key.source()),
                Entry { key: key.source(), value: value.source().into() },
            )
        })
        .collect()
}

/// A key as it is written, and a value.
#[derive(Clone, Debug)]
struct Entry<'v> {
    key: &'v [u8],
    value: std::borrow::Cow<'v, [u8]>,
}

impl PartialEq for Entry<'_> {
    fn eq(&self, other: &Self) -> bool {
        canonical::is_same(&self.value, &other.value)
    }
}

fn merged_dictionary(
    owner: Owner<'_>,
    base: Option<PartRef<'_>>,
    ours: PartRef<'_>,
    theirs: PartRef<'_>,
) -> Option<Vec<u8>> {
    let lists = [entries(base), entries(Some(ours)), entries(Some(theirs))];
    let [base, ours, theirs] = &lists;
    let entries = keyed::merged_in_order([base, ours, theirs], |key, base, ours, theirs| {
        let name = key.strip_prefix(b"&").unwrap_or(key);
        let name = name.strip_prefix(b"\"").and_then(|name| name.strip_suffix(b"\""));
        let name = name.unwrap_or(key);
        if owner.key == b"__meta__" && is_editor_key(name) {
            return Some(ours.clone());
        }
        if owner.depth >= MAX_DEPTH {
            return None;
        }
        let deeper = Owner { key: name, depth: owner.depth + 1, ..owner };
        let value = merged(deeper, base.map(|base| &*base.value), &ours.value, &theirs.value)?;
        Some(Entry { key: ours.key, value: value.into() })
    })?;
    if entries.is_empty() {
        return Some(b"{}".to_vec());
    }
    let mut text = b"{\n".to_vec();
    for (index, (_, entry)) in entries.iter().enumerate() {
        if index > 0 {
            text.extend_from_slice(b",\n");
        }
        text.extend_from_slice(entry.key);
        text.extend_from_slice(b": ");
        text.extend_from_slice(&entry.value);
    }
    text.extend_from_slice(b"\n}");
    Some(text)
}

/// Values in a list, each only once.
fn merged_events(
    base: Option<PartRef<'_>>,
    ours: PartRef<'_>,
    theirs: PartRef<'_>,
) -> Option<Vec<u8>> {
    let list = |list: Option<PartRef<'_>>| -> Vec<(Vec<u8>, Spelled)> {
        let parts = list.into_iter().flat_map(PartRef::children);
        parts.map(|part| (canonical::key(part.source()), Spelled(part.source().to_vec()))).collect()
    };
    let lists = [list(base), list(Some(ours)), list(Some(theirs))];
    let [base, ours, theirs] = &lists;
    let merged = keyed::merged([base, ours, theirs], |_, _, ours, _| Some(ours.clone()))?;
    let events: Vec<&[u8]> = merged.iter().map(|(_, event)| event.0.as_slice()).collect();
    Some([b"[", events.join(&b", "[..]).as_slice(), b"\n]"].concat())
}

/// Dictionaries in a list, each with a name of its own under the key `id`: the animations of `SpriteFrames`.
fn merged_records(
    owner: Owner<'_>,
    id: &str,
    base: PartRef<'_>,
    ours: PartRef<'_>,
    theirs: PartRef<'_>,
) -> Option<Vec<u8>> {
    fn records<'v>(list: PartRef<'v>, id: &str) -> Option<Vec<(Vec<u8>, Entry<'v>)>> {
        let record = |part: PartRef<'v>| {
            let name = canonical::key(part.get(id)?.source());
            Some((name, Entry { key: b"", value: part.source().into() }))
        };
        list.children().map(record).collect()
    }
    let is_spaced = ours.source().starts_with(b"[ ");
    let [base, ours, theirs] = [base, ours, theirs].map(|list| records(list, id));
    let records = keyed::merged([&base?, &ours?, &theirs?], |_, base, ours, theirs| {
        let deeper = Owner { key: b"", depth: owner.depth + 1, ..owner };
        let value = merged(deeper, base.map(|base| &*base.value), &ours.value, &theirs.value)?;
        Some(Entry { key: b"", value: value.into() })
    })?;
    let records: Vec<&[u8]> = records.iter().map(|(_, record)| &*record.value).collect();
    // As Godot 3 and Godot 4 write a list.
    let [open, close] = if is_spaced { [&b"[ "[..], b" ]"] } else { [&b"["[..], b"]"] };
    Some([open, &records.join(&b", "[..]), close].concat())
}

/// A list of strings without a relevant order.
pub(super) fn merged_set(base: Option<&[u8]>, ours: &[u8], theirs: &[u8]) -> Option<Vec<u8>> {
    fn names(text: &[u8]) -> Option<Vec<(Vec<u8>, Vec<u8>)>> {
        let tree = ValueTree::new(text);
        let root = tree.root();
        let mut names = Vec::new();
        for part in root.children() {
            let name = part.text()?.into_owned();
            if !names.iter().any(|(known, _)| *known == name) {
                names.push((name, part.source().to_vec()));
            }
            if names.len() > MAX_NAMES {
                return None;
            }
        }
        Some(names)
    }
    let lists = [names(base.unwrap_or_default())?, names(ours)?, names(theirs)?];
    let [base, of_ours, of_theirs] = lists.map(|list| {
        list.into_iter().map(|(name, source)| (name, Spelled(source))).collect::<Vec<_>>()
    });
    let merged = keyed::merged([&base, &of_ours, &of_theirs], |_, _, ours, _| Some(ours.clone()))?;
    let (open, close) = match ours.iter().position(|byte| *byte == b'(') {
        Some(open) => (&ours[..=open], &b")"[..]),
        None => (&b"["[..], &b"]"[..]),
    };
    let names: Vec<&[u8]> = merged.iter().map(|(_, name)| name.0.as_slice()).collect();
    Some([open, names.join(&b", "[..]).as_slice(), close].concat())
}

/// At most this number of names of a node's groups is merged: each is compared with the others.
const MAX_NAMES: usize = 1000;

/// A name as it is written; all spellings of one are equal.
#[derive(Clone)]
struct Spelled(Vec<u8>);

impl PartialEq for Spelled {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// Lists of strings to which both sides appended. Not those of numbers: Godot reads some of them as times in
/// order (`Animation::_set`), as points with a number elsewhere (`Curve2D::_set_data`), or as places in another
/// array.
fn merged_appended(texts: [&[u8]; 3], roots: [PartRef<'_>; 3]) -> Option<Vec<u8>> {
    const APPENDED: &[&[u8]] = &[b"PackedStringArray", b"PoolStringArray"];
    let name = roots[1].name();
    if !APPENDED.contains(&name) || roots.iter().any(|root| root.name() != name) {
        return None;
    }
    let parts = |root: PartRef<'_>| -> Vec<Vec<u8>> {
        root.children().map(|part| part.source().to_vec()).collect()
    };
    let [base, ours, theirs] = roots.map(parts);
    let more = theirs.strip_prefix(base.as_slice())?;
    if !ours.starts_with(&base) || more.is_empty() {
        return None;
    }
    let all: Vec<&[u8]> = ours.iter().chain(more).map(Vec::as_slice).collect();
    let open = texts[1].iter().position(|byte| *byte == b'(')?;
    let blank: &[u8] = if texts[1].get(open + 1) == Some(&b' ') { b" " } else { b"" };
    Some([&texts[1][..=open], blank, &all.join(&b", "[..]), blank, b")"].concat())
}
