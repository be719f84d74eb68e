//! Old and new values next to each other, with their differences marked.

use std::fmt::Write as _;
use std::iter::once;
use std::ops::Range;

use godot_tscn::diff::Entry;
use similar::{DiffTag, TextDiff};

use super::{escaped, escaped_lines};
use crate::counted::Counted;
use crate::output::diff_words::shortened;

/// A longer value has to be expanded.
const MAX_SHORT: usize = 200;

/// At most this number of bytes of a value is in the page.
const MAX_LONG: usize = 20_000;

/// At most this number of words of each value is compared word by word. In longer values, the part between their equal
/// beginnings and ends is marked as a whole.
const MAX_WORDS: usize = 200;

/// At most this number of parts of a value is listed.
const MAX_PARTS: usize = 500;

pub(super) fn write_entries(out: &mut String, entries: &[&Entry], is_open: bool) {
    let open = if is_open { " open" } else { "" };
    let count = Counted(entries.len(), "value");
    let _ = write!(
        out,
        "<details class=\"entries\"{open}><summary>{count}</summary><table><col class=\"names\"><col><col><thead><tr><th scope=\"col\">name</th>\
         <th scope=\"col\">old</th><th scope=\"col\">new</th></tr></thead><tbody>",
    );
    for entry in entries {
        write_entry(out, entry);
    }
    out.push_str("</tbody></table></details>");
}

fn write_entry(out: &mut String, entry: &Entry) {
    let name = escaped(&entry.name);
    let has_both = entry.old.is_some() && entry.new.is_some();
    match &entry.summary {
        // If only one side has a value, its summary is shown, which can be unfolded.
        Some(summary) if !has_both => {
            let cell = |class: &str, value: Option<&String>| match value {
                Some(value) => format!(
                    "<td class=\"{class}\"><details class=\"long\"><summary>{}</summary>{}</details></td>",
                    escaped(summary),
                    long(value, 0, class, &[])
                ),
                None => "<td class=\"none\">not set</td>".to_owned(),
            };
            let (old, new) = (cell("old", entry.old.as_ref()), cell("new", entry.new.as_ref()));
            let _ = write!(out, "<tr class=\"\"><th scope=\"row\">{name}</th>{old}{new}</tr>");
        }
        Some(summary) => {
            let _ = write!(
                out,
                "<tr><th scope=\"row\">{name}</th><td colspan=\"2\">{}</td></tr>",
                escaped(summary)
            );
        }
        None => write_row(out, "", &name, entry.old.as_deref(), entry.new.as_deref()),
    }
    for part in entry.parts.iter().take(MAX_PARTS) {
        write_row(out, "part", &escaped(&part.place), part.old.as_deref(), part.new.as_deref());
    }
    if let more @ 1.. = entry.parts.len().saturating_sub(MAX_PARTS) {
        let _ = write!(
            out,
            "<tr class=\"part\"><th></th><td colspan=\"2\">{} not shown</td></tr>",
            Counted(more, "part")
        );
    }
}

fn write_row(out: &mut String, class: &str, name: &str, old: Option<&str>, new: Option<&str>) {
    let ranges = match (old, new) {
        (Some(old), Some(new)) => differences(old, new),
        _ => [Vec::new(), Vec::new()],
    };
    let _ = write!(out, "<tr class=\"{class}\"><th scope=\"row\">{name}</th>");
    for (class, value, tag, ranges) in
        [("old", old, "del", &ranges[0]), ("new", new, "ins", &ranges[1])]
    {
        match value {
            Some(value) => {
                let _ = write!(out, "<td class=\"{class}\">{}</td>", cell(value, tag, ranges));
            }
            None => out.push_str("<td class=\"none\">not set</td>"),
        }
    }
    out.push_str("</tr>");
}

/// A value with its marks, folded if it is long.
fn cell(value: &str, tag: &str, ranges: &[Range<usize>]) -> String {
    let first = ranges.first().map_or(0, |range| range.start);
    // A late difference is the part that is shown.
    let start = if first > MAX_LONG / 2 { value.floor_char_boundary(first - MAX_SHORT) } else { 0 };
    let full = long(value, start, tag, ranges);
    if value.len() <= MAX_SHORT {
        return full;
    }
    let first = value[..first].chars().count();
    let skipped = if first > MAX_SHORT / 2 { first - 20 } else { 0 };
    let short = escaped(&shortened(value, skipped, MAX_SHORT / 2));
    format!("<details class=\"long\"><summary>{short}</summary>{full}</details>")
}

/// A value from `start` on, up to the limit of the page.
fn long(value: &str, start: usize, tag: &str, ranges: &[Range<usize>]) -> String {
    let end = value.floor_char_boundary(start + MAX_LONG);
    let (before, after) = (not_shown(&value[..start]), not_shown(&value[end..]));
    before + &marked(value, start..end, tag, ranges) + &after
}

/// `… (3 characters not shown) …`
fn not_shown(text: &str) -> String {
    match text.chars().count() {
        0 => String::new(),
        count => format!("… ({} not shown) …", Counted(count, "character")),
    }
}

/// The part `shown` of a value, with its marks.
fn marked(value: &str, shown: Range<usize>, tag: &str, ranges: &[Range<usize>]) -> String {
    let mut out = String::new();
    let mut at = shown.start;
    for range in ranges {
        let (start, end) = (range.start.max(at), range.end.min(shown.end));
        if start >= end {
            continue;
        }
        let _ = write!(
            out,
            "{}<{tag}>{}</{tag}>",
            escaped_lines(&value[at..start]),
            escaped_lines(&value[start..end]),
        );
        at = end;
    }
    out + &escaped_lines(&value[at..shown.end])
}

/// The differences of either value, in bytes.
fn differences(old: &str, new: &str) -> [Vec<Range<usize>>; 2] {
    let words = [words(old), words(new)];
    let shorter = words[0].len().min(words[1].len());
    let same = |index: usize| words[0][index] == words[1][index];
    let start = (0..shorter).take_while(|&index| same(index)).count();
    let from_end =
        |index: usize| words[0][words[0].len() - 1 - index] == words[1][words[1].len() - 1 - index];
    let end = (0..shorter - start).take_while(|&index| from_end(index)).count();
    let middle = [0, 1].map(|side| &words[side][start..words[side].len() - end]);
    let before: usize = words[0][..start].iter().map(|word| word.len()).sum();
    if middle.iter().any(|words| words.len() > MAX_WORDS) {
        return middle.map(|words| once(before..before + length(words)).collect());
    }
    let mut ranges = [Vec::new(), Vec::new()];
    let mut at = [before; 2];
    for operation in TextDiff::from_slices(middle[0], middle[1]).ops() {
        let lengths =
            [length(&middle[0][operation.old_range()]), length(&middle[1][operation.new_range()])];
        for side in [0, 1] {
            if operation.tag() != DiffTag::Equal && lengths[side] > 0 {
                ranges[side].push(at[side]..at[side] + lengths[side]);
            }
            at[side] += lengths[side];
        }
    }
    ranges
}

fn length(words: &[&str]) -> usize {
    words.iter().map(|word| word.len()).sum()
}

/// The text as words, numbers, and single other characters.
fn words(text: &str) -> Vec<&str> {
    let is_part =
        |character: char| character.is_alphanumeric() || matches!(character, '_' | '.' | '-');
    let mut words = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let end = match is_part(first) {
            true => rest.find(|character| !is_part(character)).unwrap_or(rest.len()),
            false => first.len_utf8(),
        };
        let (word, after) = rest.split_at(end);
        words.push(word);
        rest = after;
    }
    words
}
