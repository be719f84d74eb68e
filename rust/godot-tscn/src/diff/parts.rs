//! The differences inside a value.

use std::ops::Range;

use hashbrown::HashMap;

use crate::diff::Part;
use crate::diff::labels::{shortened, text_quoted};
use crate::diff::packed;
use crate::diff::spelling::is_alike;
use crate::merge::value::Owner;
use crate::merge::{canonical, cells, lines};
use crate::value::tree::{PartKind, PartRef, ValueTree};

/// The differences inside a value that both texts have.
#[derive(Debug, Default)]
pub(super) struct Inside {
    pub(super) parts: Vec<Part>,
    pub(super) summary: Option<String>,
}

/// So deep dictionaries and lists are looked into.
const MAX_DEPTH: usize = 32;
/// So long is a key in the name of a place.
const MAX_KEY: usize = 60;

/// Compares two values that differ.
pub(super) fn inside(owner: Owner<'_>, old: &[u8], new: &[u8]) -> Inside {
    if let Some(form) = cells::form_of(owner)
        && let Some(summary) = packed::cells(form, old, new)
    {
        return Inside { parts: Vec::new(), summary: Some(summary) };
    }
    let trees = [ValueTree::new(old), ValueTree::new(new)];
    let roots = [trees[0].root(), trees[1].root()];
    if let Some(summary) = packed::array(roots[0], roots[1]) {
        return Inside { parts: Vec::new(), summary: Some(summary) };
    }
    let mut finder = Finder { parts: Vec::new(), place: Vec::new() };
    let is_looked_into = finder.value(owner.key, roots[0], roots[1]);
    Inside { parts: if is_looked_into { finder.parts } else { Vec::new() }, summary: None }
}

/// The members that only one of two sets of strings has; nothing if they are not lists of strings.
pub(super) fn of_sets(old: Option<&[u8]>, new: Option<&[u8]>) -> Option<Vec<Part>> {
    fn names(list: &[u8]) -> Option<Vec<String>> {
        let tree = ValueTree::new(list);
        let root = tree.root();
        if !matches!(root.kind(), PartKind::Array | PartKind::Construct) {
            return None;
        }
        let name = |part: PartRef<'_>| Some(String::from_utf8_lossy(&part.text()?).into_owned());
        root.children().map(name).collect()
    }
    let (old, new) = (names(old.unwrap_or(b"[]"))?, names(new.unwrap_or(b"[]"))?);
    let of = |names: &[String]| names.iter().cloned().collect::<hashbrown::HashSet<_>>();
    let (in_old, in_new) = (of(&old), of(&new));
    // Godot reads a repeated name as one.
    if in_old.len() != old.len() || in_new.len() != new.len() {
        return None;
    }
    let written = |name: &String| text_quoted(name);
    let place = |name: &String| shortened(written(name).as_bytes(), MAX_KEY);
    let gone = old.iter().filter(|name| !in_new.contains(*name));
    let gone = gone.map(|name| Part { place: place(name), old: Some(written(name)), new: None });
    let come = new.iter().filter(|name| !in_old.contains(*name));
    let come = come.map(|name| Part { place: place(name), old: None, new: Some(written(name)) });
    Some(gone.chain(come).collect())
}

struct Finder {
    parts: Vec<Part>,
    /// The keys that lead to where it is.
    place: Vec<String>,
}

impl Finder {
    /// Compares two values that differ. Returns whether they could be looked into; else nothing was added.
    fn value(&mut self, key: &[u8], old: PartRef<'_>, new: PartRef<'_>) -> bool {
        if old.kind() != new.kind() || self.place.len() >= MAX_DEPTH {
            return false;
        }
        match new.kind() {
            PartKind::Dictionary => self.dictionary(old, new),
            PartKind::Array => self.array(key, old, new),
            PartKind::Typed => self.typed(key, old, new),
            PartKind::Construct if new.name().ends_with(b"StringArray") => {
                old.name() == new.name() && self.list(key, old, new)
            }
            PartKind::String => self.lines(old, new),
            _ => false,
        }
    }

    /// Compares two values at a place below the present one, if they differ.
    fn below(&mut self, place: String, key: &[u8], old: PartRef<'_>, new: PartRef<'_>) {
        if canonical::is_same(old.source(), new.source()) || is_alike(old.source(), new.source()) {
            return;
        }
        self.place.push(place);
        if !self.value(key, old, new) {
            self.note(Some(old), Some(new));
        }
        self.place.pop();
    }

    fn only(&mut self, place: String, old: Option<PartRef<'_>>, new: Option<PartRef<'_>>) {
        self.place.push(place);
        self.note(old, new);
        self.place.pop();
    }

    fn note(&mut self, old: Option<PartRef<'_>>, new: Option<PartRef<'_>>) {
        let text = |part: PartRef<'_>| String::from_utf8_lossy(part.source()).into_owned();
        self.parts.push(Part {
            place: self.place.concat(),
            old: old.map(text),
            new: new.map(text),
        });
    }

    fn dictionary(&mut self, old: PartRef<'_>, new: PartRef<'_>) -> bool {
        let entries = |dictionary: PartRef<'_>| {
            let entry = |(key, value): (PartRef<'_>, PartRef<'_>)| {
                (canonical::key(key.source()), (key.span(), value.span()))
            };
            dictionary.entries().map(entry).collect::<Vec<_>>()
        };
        let (old_keys, new_keys) = (entries(old), entries(new));
        let known: HashMap<&[u8], usize> =
            old_keys.iter().enumerate().map(|(index, (key, _))| (key.as_slice(), index)).collect();
        let in_new: HashMap<&[u8], usize> =
            new_keys.iter().enumerate().map(|(index, (key, _))| (key.as_slice(), index)).collect();
        // For repeated keys, the pairs are unclear.
        if known.len() != old_keys.len() || in_new.len() != new_keys.len() {
            return false;
        }
        let before: Vec<_> = old.entries().collect();
        for ((key, _), (key_part, value)) in old_keys.iter().zip(&before) {
            if !in_new.contains_key(key.as_slice()) {
                let place = own_place(key_part.source(), |other| in_new.contains_key(other));
                self.only(place, Some(*value), None);
            }
        }
        for ((key, _), (key_part, value)) in new_keys.iter().zip(new.entries()) {
            match known.get(key.as_slice()) {
                Some(index) => {
                    let name = key_part.text().unwrap_or_default();
                    self.below(place_of(key_part), &name, before[*index].1, value);
                }
                None => {
                    let place = own_place(key_part.source(), |other| known.contains_key(other));
                    self.only(place, None, Some(value));
                }
            }
        }
        let order: Vec<(usize, usize)> = new_keys
            .iter()
            .enumerate()
            .filter_map(|(index, (key, _))| Some((index, *known.get(key.as_slice())?)))
            .collect();
        if order.windows(2).any(|pair| pair[0].1 > pair[1].1) {
            self.order_of_keys(&before, new);
        }
        true
    }

    fn order_of_keys(&mut self, old: &[(PartRef<'_>, PartRef<'_>)], new: PartRef<'_>) {
        let list = |keys: &mut dyn Iterator<Item = PartRef<'_>>| {
            let keys: Vec<String> =
                keys.map(|key| shortened(key.source(), MAX_KEY)).take(MAX_LISTED).collect();
            Some(format!("[{}]", keys.join(", ")))
        };
        self.place.push("order of keys".to_owned());
        let place = match self.place.len() {
            1 => self.place.concat(),
            _ => format!("order of keys in {}", self.place[..self.place.len() - 1].concat()),
        };
        self.place.pop();
        let old = list(&mut old.iter().map(|(key, _)| *key));
        let new = list(&mut new.entries().map(|(key, _)| key));
        self.parts.push(Part { place, old, new });
    }

    /// `Array[…]([…])`: the contents of the parentheses, if the types are the same.
    fn typed(&mut self, key: &[u8], old: PartRef<'_>, new: PartRef<'_>) -> bool {
        let types = |part: PartRef<'_>| {
            let container = part.children().last()?;
            let end = container.span().start - part.span().start;
            Some((canonical::key(&part.source()[..end as usize]), container.span()))
        };
        let (Some((of_old, _)), Some((of_new, _))) = (types(old), types(new)) else { return false };
        let (Some(old), Some(new)) = (old.children().last(), new.children().last()) else {
            return false;
        };
        of_old == of_new && self.value(key, old, new)
    }

    fn array(&mut self, key: &[u8], old: PartRef<'_>, new: PartRef<'_>) -> bool {
        // The animations of `SpriteFrames` have names.
        (key == b"animations" && self.records("name", old, new)) || self.list(key, old, new)
    }

    /// Dictionaries in a list, each with a name of its own under the key `id`.
    fn records(&mut self, id: &str, old: PartRef<'_>, new: PartRef<'_>) -> bool {
        let names = |list: PartRef<'_>| -> Option<Vec<Vec<u8>>> {
            list.children().map(|record| Some(canonical::key(record.get(id)?.source()))).collect()
        };
        let (Some(of_old), Some(of_new)) = (names(old), names(new)) else { return false };
        let known: HashMap<&[u8], PartRef<'_>> =
            of_old.iter().map(Vec::as_slice).zip(old.children()).collect();
        let in_new: HashMap<&[u8], PartRef<'_>> =
            of_new.iter().map(Vec::as_slice).zip(new.children()).collect();
        if known.len() != of_old.len() || in_new.len() != of_new.len() {
            return false;
        }
        let place = |name: &[u8]| format!("[{}]", plain_key(name));
        for (name, record) in of_old.iter().zip(old.children()) {
            if !in_new.contains_key(name.as_slice()) {
                let place = own_place(name, |other| in_new.contains_key(other));
                self.only(place, Some(record), None);
            }
        }
        for (name, record) in of_new.iter().zip(new.children()) {
            match known.get(name.as_slice()) {
                Some(before) => self.below(place(name), b"", *before, record),
                None => {
                    let place = own_place(name, |other| known.contains_key(other));
                    self.only(place, None, Some(record));
                }
            }
        }
        let common = |names: &[Vec<u8>], other: &HashMap<&[u8], PartRef<'_>>| -> Vec<String> {
            let kept = names.iter().filter(|name| other.contains_key(name.as_slice()));
            kept.map(|name| plain_key(name)).take(MAX_LISTED).collect()
        };
        let (before, after) = (common(&of_old, &in_new), common(&of_new, &known));
        if before != after {
            let list = |names: Vec<String>| Some(format!("[{}]", names.join(", ")));
            let place = format!("order{}", self.place.concat());
            self.parts.push(Part { place, old: list(before), new: list(after) });
        }
        true
    }

    fn list(&mut self, key: &[u8], old: PartRef<'_>, new: PartRef<'_>) -> bool {
        let keys = |list: PartRef<'_>| -> Vec<Vec<u8>> {
            list.children().map(|part| canonical::key(part.source())).collect()
        };
        let (of_old, of_new) = (keys(old), keys(new));
        let (old, new): (Vec<_>, Vec<_>) = (old.children().collect(), new.children().collect());
        for (before, after) in hunks(&lines::matching(&of_old, &of_new), new.len()) {
            let both = before.len().min(after.len());
            for index in 0..both {
                let place = format!("[{}]", after.start + index);
                self.below(place, key, old[before.start + index], new[after.start + index]);
            }
            let left = before.start + both;
            for (index, part) in (left..).zip(&old[left..before.end]) {
                self.only(format!("[{index}]"), Some(*part), None);
            }
            let left = after.start + both;
            for (index, part) in (left..).zip(&new[left..after.end]) {
                self.only(format!("[{index}]"), None, Some(*part));
            }
        }
        true
    }

    /// Texts of several lines, such as the code of a script.
    fn lines(&mut self, old: PartRef<'_>, new: PartRef<'_>) -> bool {
        let (Some(old), Some(new)) = (old.text(), new.text()) else { return false };
        if !old.contains(&b'\n') || !new.contains(&b'\n') {
            return false;
        }
        let split = |text| <[u8]>::split_inclusive(text, |byte| *byte == b'\n').collect::<Vec<_>>();
        let (old, new) = (split(&old), split(&new));
        for (before, after) in hunks(&lines::matching(&old, &new), new.len()) {
            let text = |lines: &[&[u8]]| {
                (!lines.is_empty()).then(|| String::from_utf8_lossy(&lines.concat()).into_owned())
            };
            let range = if after.is_empty() { &before } else { &after };
            let lines = match range.len() {
                1 => format!("line {}", range.start + 1),
                _ => format!("lines {}-{}", range.start + 1, range.end),
            };
            let place = self.place.concat();
            let place = if place.is_empty() { lines } else { format!("{place} {lines}") };
            let (old, new) = (text(&old[before]), text(&new[after]));
            self.parts.push(Part { place, old, new });
        }
        true
    }
}

/// At most this number of keys is listed if their order differs.
const MAX_LISTED: usize = 1000;

fn place_of(key: PartRef<'_>) -> String {
    format!("[{}]", plain_key(key.source()))
}

/// The place of a key that only one side has. Where the other one has the same text as a name, or as a text, the `&` shows.
fn own_place(key: &[u8], has_other: impl Fn(&[u8]) -> bool) -> String {
    let other = match key.strip_prefix(b"&") {
        Some(text) => text.to_vec(),
        None => [b"&", key].concat(),
    };
    match has_other(&canonical::key(&other)) {
        true => format!("[{}]", shortened(key, MAX_KEY)),
        false => format!("[{}]", plain_key(key)),
    }
}

/// A key as it is written, without the `&` of a name.
fn plain_key(key: &[u8]) -> String {
    shortened(key.strip_prefix(b"&").unwrap_or(key), MAX_KEY)
}

/// The text between the parts that match.
fn hunks(matching: &[Option<usize>], new_len: usize) -> Vec<(Range<usize>, Range<usize>)> {
    let mut hunks = Vec::new();
    let (mut old, mut new) = (0, 0);
    let ends = matching.iter().enumerate().filter_map(|(index, place)| Some((index, (*place)?)));
    for (in_old, in_new) in ends.chain([(matching.len(), new_len)]) {
        if in_old > old || in_new > new {
            hunks.push((old..in_old, new..in_new));
        }
        (old, new) = (in_old + 1, in_new + 1);
    }
    hunks
}
