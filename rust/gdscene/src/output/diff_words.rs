//! The common words of the formats of a diff: the fate of a thing, counts, and texts of files on one
//! line.

use std::borrow::Cow;
use std::collections::HashSet;

use godot_tscn::diff::{Change, Diff, Entry, Noise, Part, State, ThingKind};

use crate::counted::Counted;
use crate::output::file_diff::FileDiff;

/// The entries of a node for a rename and a move.
const NAME: &str = "name";
const PARENT: &str = "parent";

/// The fate of a thing, in one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Fate {
    Added,
    Removed,
    /// To another parent; it may have another name, too.
    Moved,
    Renamed,
    Changed,
}

/// All, in the order in which they are counted.
const FATES: [Fate; 5] = [Fate::Added, Fate::Removed, Fate::Moved, Fate::Renamed, Fate::Changed];

impl Fate {
    pub(crate) fn of(change: &Change) -> Self {
        match (change.state, &change.old_name) {
            (State::Added, _) => Self::Added,
            (State::Removed, _) => Self::Removed,
            (_, None) => Self::Changed,
            (_, Some(_)) if change.kind == ThingKind::Node => {
                // The path of a node differs, too, if a node above it was renamed.
                let has = |name: &str| change.entries.iter().any(|entry| entry.name == name);
                match (has(PARENT), has(NAME)) {
                    (true, _) => Self::Moved,
                    (_, true) => Self::Renamed,
                    _ => Self::Changed,
                }
            }
            (_, Some(_)) => Self::Renamed,
        }
    }

    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Removed => "removed",
            Self::Moved => "moved",
            Self::Renamed => "renamed",
            Self::Changed => "changed",
        }
    }
}

/// The differences in a thing, without [`Fate`] and the names.
pub(crate) fn entries(change: &Change) -> impl Iterator<Item = &Entry> {
    let told: &[&str] = match (&change.old_name, change.kind) {
        (Some(_), ThingKind::Node) => &[NAME, PARENT],
        (Some(_), ThingKind::ExtResource) => &["path"],
        _ => &[],
    };
    change.entries.iter().filter(|entry| !told.contains(&&*entry.name))
}

/// Whether a part is a member of a set, so that its place is enough.
pub(crate) fn is_named_by_value(part: &Part) -> bool {
    match (&part.old, &part.new) {
        (Some(value), None) | (None, Some(value)) => *value == part.place,
        _ => false,
    }
}

/// The kinds in the order in which they are counted and listed.
const KINDS: [ThingKind; 8] = [
    ThingKind::Node,
    ThingKind::Connection,
    ThingKind::Editable,
    ThingKind::Resource,
    ThingKind::SubResource,
    ThingKind::ExtResource,
    ThingKind::Section,
    ThingKind::Header,
];

/// The names of one thing and of several things of this kind.
pub(crate) fn nouns(kind: ThingKind) -> (&'static str, &'static str) {
    match kind {
        ThingKind::Node => ("node", "nodes"),
        ThingKind::Connection => ("connection", "connections"),
        ThingKind::Editable => {
            ("instance with editable children", "instances with editable children")
        }
        ThingKind::Resource => ("resource", "resources"),
        ThingKind::SubResource => ("internal resource", "internal resources"),
        ThingKind::ExtResource => ("external resource", "external resources"),
        ThingKind::Section => ("section", "sections"),
        _ => ("header", "headers"),
    }
}

/// The name of a thing for people: the root of a scene has the path `.` and a name of its own.
pub(crate) fn name_of<'d>(diff: &'d Diff, change: &'d Change) -> &'d str {
    match diff.tree.first() {
        Some(root) if is_root(change) => &root.name,
        _ => &change.name,
    }
}

pub(crate) fn is_root(change: &Change) -> bool {
    change.kind == ThingKind::Node && change.name == "."
}

/// Whether the change says no more than that its file (with the state `file`) was added or removed, as the header does.
pub(crate) fn goes_with_the_file(file: State, change: &Change) -> bool {
    file != State::Changed && change.kind == ThingKind::Header
}

/// The differences of a file, if it is not compared by lines, without those of the file itself.
pub(crate) fn changes(file: &FileDiff) -> impl Iterator<Item = &Change> {
    let all = file.diff.as_ref().ok().into_iter().flat_map(|diff| &diff.changes);
    all.filter(|change| !goes_with_the_file(file.state, change))
}

/// `2 nodes added, 1 removed; 1 connection added`. Empty if nothing differs.
pub(crate) fn counts<'c>(changes: impl Iterator<Item = &'c Change>) -> String {
    let mut table = [[0_usize; FATES.len()]; KINDS.len()];
    for change in changes {
        // A kind that is not in the list counts as the nearest kind.
        let kind = KINDS.iter().position(|kind| *kind == change.kind).unwrap_or(KINDS.len() - 1);
        table[kind][Fate::of(change) as usize] += 1;
    }
    let mut groups = Vec::new();
    for (kind, row) in KINDS.iter().zip(&table) {
        let mut parts = Vec::new();
        for (fate, &count) in FATES.iter().zip(row).filter(|(_, count)| **count > 0) {
            let (one, many) = nouns(*kind);
            let noun = if count == 1 { one } else { many };
            let noun = if parts.is_empty() { format!(" {noun}") } else { String::new() };
            parts.push(format!("{count}{noun} {}", fate.word()));
        }
        if !parts.is_empty() {
            groups.push(parts.join(", "));
        }
    }
    groups.join("; ")
}

/// `3 files differ: 2 nodes added, 1 removed. Of 1 file nothing but noise differs.`
pub(crate) fn overview(files: &[FileDiff]) -> String {
    let quiet = files.iter().filter(|file| file.is_only_noise()).count();
    let loud = files.len() - quiet;
    let changes = files.iter().filter(|file| !file.is_told_by_its_name()).flat_map(changes);
    let verb = if loud == 1 { "differs" } else { "differ" };
    let mut words = Vec::new();
    if loud > 0 {
        let counts = counts(changes);
        let colon = if counts.is_empty() { "" } else { ": " };
        words.push(format!("{} {verb}{colon}{counts}.", Counted(loud, "file")));
    }
    if quiet > 0 {
        let noise = listed(all_noise(files).into_iter());
        words.push(format!("Of {} nothing but noise differs: {noise}.", Counted(quiet, "file")));
    }
    words.join(" ")
}

/// The noise of the files that differ only in noise, each kind once.
fn all_noise(files: &[FileDiff]) -> Vec<(&'static str, u64)> {
    let mut all: Vec<(&'static str, u64)> = Vec::new();
    let quiet =
        files.iter().filter(|file| file.is_only_noise()).filter_map(|file| file.diff.as_ref().ok());
    for noise in quiet.flat_map(|diff| &diff.noise) {
        match all.iter_mut().find(|(what, _)| *what == noise.what) {
            Some((_, count)) => *count += u64::from(noise.count),
            None => all.push((noise.what, u64::from(noise.count))),
        }
    }
    all
}

/// The kinds of a diff in the order in which they are listed.
pub(crate) fn kinds_of(diff: &Diff) -> Vec<ThingKind> {
    let found: HashSet<ThingKind> = diff.changes.iter().map(|change| change.kind).collect();
    let mut kinds: Vec<_> = KINDS.into_iter().filter(|kind| found.contains(kind)).collect();
    kinds.extend(found.into_iter().filter(|kind| !KINDS.contains(kind)));
    kinds
}

/// `ids of resources (12), load_steps (1)`: the omitted differences. Nothing if that is nothing.
pub(crate) fn noise_words(noise: &[Noise]) -> Option<String> {
    let words = listed(noise.iter().map(|noise| (noise.what, u64::from(noise.count))));
    (!words.is_empty()).then_some(words)
}

fn listed(noise: impl Iterator<Item = (&'static str, u64)>) -> String {
    noise.map(|(what, count)| format!("{what} ({count})")).collect::<Vec<_>>().join(", ")
}

/// The top node of an added or removed subtree represents all of it.
///
/// For each change: the number of nodes below it that were added, or removed, with it; nothing if it is
/// one of those.
pub(crate) fn subtrees(diff: &Diff) -> Vec<Option<u32>> {
    let mut below = vec![Some(0); diff.changes.len()];
    // The top of the subtree that is being walked: its depth, its state, its change.
    let mut top: Option<(u32, State, usize)> = None;
    for node in &diff.tree {
        if top.is_some_and(|(depth, ..)| node.depth <= depth) {
            top = None;
        }
        let Some(index) = node.change.map(|index| index as usize) else { continue };
        let Some(change) = diff.changes.get(index) else { continue };
        match top {
            Some((_, state, at)) if change.state == state => {
                below[index] = None;
                below[at] = below[at].map(|count| count + 1);
            }
            None if change.state != State::Changed => {
                top = Some((node.depth, change.state, index));
            }
            _ => {}
        }
    }
    below
}

/// A text of a file on one line. Control characters, invisible characters, and characters that change the direction of
/// others are escapes such as `\u{202e}`.
pub(crate) fn visible(text: &str) -> Cow<'_, str> {
    if !text.contains(is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut plain = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        if is_hidden(character) {
            plain.extend(character.escape_default());
        } else {
            plain.push(character);
        }
    }
    Cow::Owned(plain)
}

/// Whether the character is invisible or misleading: Unicode's control characters, ends of lines, and those with the property
/// `Default_Ignorable_Code_Point`, except the variant selectors of emoji.
pub(crate) fn is_hidden(character: char) -> bool {
    character.is_control()
        || matches!(character,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
            | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0d}' | '\u{feff}' | '\u{ffa0}'
            | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}')
}

/// This number of characters before the first difference stays.
const CONTEXT: usize = 20;

/// The old and the new value with up to about `max` characters each, so that the first difference is
/// visible.
pub(crate) fn shortened_pair(old: &str, new: &str, max: usize) -> (String, String) {
    let common = old.chars().zip(new.chars()).take_while(|(old, new)| old == new).count();
    let is_long = |text: &str| text.chars().nth(max).is_some();
    let skipped = if is_long(old) || is_long(new) { common.saturating_sub(CONTEXT) } else { 0 };
    // An early difference is shown from the beginning.
    let skipped = if common < max / 2 { 0 } else { skipped };
    (shortened(old, skipped, max), shortened(new, skipped, max))
}

/// The text on one line without its first `skipped` characters, and up to `max` of the others: `…rest of it… (300 characters)`.
pub(crate) fn shortened(text: &str, skipped: usize, max: usize) -> String {
    let mut rest = text.chars().skip(skipped);
    let kept: String = rest.by_ref().take(max).collect();
    let start = if skipped > 0 { "…" } else { "" };
    let left = rest.count();
    if left == 0 {
        return format!("{start}{}", visible(&kept));
    }
    format!("{start}{}… ({} characters)", visible(&kept), skipped + max + left)
}

#[cfg(test)]
mod tests;
