//! The changes of a file as items of lists.

use std::fmt::Write as _;

use godot_tscn::diff::{Change, Diff, Entry, Part, State, ThingKind};

use super::span::code;
use crate::counted::Counted;
use crate::output::diff_words::{
    self, Fate, goes_with_the_file, is_named_by_value, is_root, kinds_of, name_of, nouns,
    shortened, shortened_pair, subtrees,
};

/// A value has at most this number of characters.
const MAX_VALUE: usize = 120;

/// A name has at most this number of characters.
const MAX_NAME: usize = 200;

/// At most this number of entries of a thing is listed, and of parts of an entry.
const MAX_ENTRIES: usize = 30;
const MAX_PARTS: usize = 10;

/// At most this number of entries of an added thing is listed.
const MAX_ADDED: usize = 8;

/// All changes of a file that was added, removed or changed, each with its number of changes. The top of an added or removed
/// subtree counts those below it.
pub(super) fn items(diff: &Diff, file: State) -> Vec<(String, usize)> {
    let below = subtrees(diff);
    let mut items = Vec::new();
    for kind in kinds_of(diff) {
        let of_kind = diff
            .changes
            .iter()
            .zip(&below)
            .filter(|(change, _)| change.kind == kind && !goes_with_the_file(file, change));
        for (change, below) in of_kind {
            let Some(below) = *below else { continue };
            let has_values = file == State::Changed && change.state != State::Removed;
            items.push((item(diff, change, below, has_values), 1 + below as usize));
        }
    }
    items
}

fn item(diff: &Diff, change: &Change, below: u32, has_values: bool) -> String {
    let mut out = String::from("- ");
    let fate = Fate::of(change);
    let name = code(&shortened(name_of(diff, change), 0, MAX_NAME));
    let noun = match change.kind {
        ThingKind::Node if is_root(change) => "root node ".to_owned(),
        ThingKind::Node => String::new(),
        kind => format!("{} ", nouns(kind).0),
    };
    let _ = write!(out, "**{}** {noun}", fate.word());
    if let Some(old) = &change.old_name {
        let _ = write!(out, "{} → ", code(&shortened(old, 0, MAX_NAME)));
    }
    out.push_str(&name);
    if let Some(type_name) = &change.type_name {
        let _ = write!(out, " ({})", code(&shortened(type_name, 0, MAX_NAME)));
    }
    if below > 0 {
        let _ = write!(out, " and {} below it", Counted(below as usize, "node"));
    }
    out.push('\n');
    if !has_values {
        return out;
    }
    let entries: Vec<&Entry> = diff_words::entries(change).collect();
    let max = if change.state == State::Added { MAX_ADDED } else { MAX_ENTRIES };
    for entry in entries.iter().take(max) {
        describe(&mut out, entry);
    }
    if let more @ 1.. = entries.len().saturating_sub(max) {
        let _ = writeln!(out, "  - and {more} more");
    }
    out
}

fn describe(out: &mut String, entry: &Entry) {
    let name = code(&shortened(&entry.name, 0, MAX_NAME));
    match &entry.summary {
        Some(summary) => {
            let _ = writeln!(out, "  - {name}: {}", code(&shortened(summary, 0, MAX_VALUE)));
        }
        None if entry.parts.is_empty() => {
            let _ =
                writeln!(out, "  - {name}{}", values(entry.old.as_deref(), entry.new.as_deref()));
        }
        None => {
            let _ = writeln!(out, "  - {name}");
        }
    }
    for part in entry.parts.iter().take(MAX_PARTS) {
        let Part { place, old, new, .. } = part;
        let place = code(&shortened(place, 0, MAX_NAME));
        if is_named_by_value(part) {
            let fate = if new.is_some() { "added" } else { "removed" };
            let _ = writeln!(out, "    - {place} {fate}");
            continue;
        }
        let _ = writeln!(out, "    - {place}{}", values(old.as_deref(), new.as_deref()));
    }
    if let more @ 1.. = entry.parts.len().saturating_sub(MAX_PARTS) {
        let _ = writeln!(out, "    - and {more} more");
    }
}

/// The text after a name: `: old → new`, ` = new` or ` removed: old`.
fn values(old: Option<&str>, new: Option<&str>) -> String {
    match (old, new) {
        (Some(old), Some(new)) => {
            let (old, new) = shortened_pair(old, new, MAX_VALUE);
            format!(": {} → {}", code(&old), code(&new))
        }
        (None, Some(new)) => format!(" = {}", code(&shortened(new, 0, MAX_VALUE))),
        (Some(old), None) => format!(" removed, was {}", code(&shortened(old, 0, MAX_VALUE))),
        (None, None) => String::new(),
    }
}
