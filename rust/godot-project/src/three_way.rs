//! Takes changes of a text back, or makes them again, after the text has moved on.

use std::collections::HashMap;
use std::ops::Range;
use std::time::{Duration, Instant};

use similar::{Algorithm, DiffOp, capture_diff_slices_deadline};

/// This number of unchanged lines on each side of a change identifies its place.
const CONTEXT: usize = 3;
/// How long to search for the shortest diff; after that it is longer, and right too.
const DIFF_TIME: Duration = Duration::from_secs(1);

/// Applies the change from `before` to `after` to `now`: nothing if a changed place is not in `now` exactly once, with the
/// lines around it.
///
/// ```
/// let (before, after) = (b"a\nb\nc\n", b"a\nB\nc\n");
/// assert_eq!(godot_project::three_way(before, after, b"new\na\nb\nc\n").unwrap(), b"new\na\nB\nc\n");
/// assert_eq!(godot_project::three_way(before, after, b"a\nsomething else\nc\n"), None);
/// ```
#[must_use]
pub fn three_way(before: &[u8], after: &[u8], now: &[u8]) -> Option<Vec<u8>> {
    if now == before {
        return Some(after.to_vec());
    }
    let (before, after, now) = (lines(before), lines(after), lines(now));
    let places = Places::new(&now);
    let mut text = Vec::new();
    let mut copied = 0;
    for change in changes(&before, &after) {
        let start = change.old.start.saturating_sub(CONTEXT);
        let end = (change.old.end + CONTEXT).min(before.len());
        let found = places.only(&before[start..end])? + (change.old.start - start);
        // Changes keep their order, and do not touch each other.
        text.extend(now.get(copied..found)?.concat());
        text.extend(after[change.new].concat());
        copied = found + change.old.len();
    }
    text.extend(now[copied..].concat());
    Some(text)
}

struct Change {
    old: Range<usize>,
    new: Range<usize>,
}

fn changes(before: &[&[u8]], after: &[&[u8]]) -> Vec<Change> {
    let deadline = Instant::now() + DIFF_TIME;
    // The place of an operation follows only from the lengths of those before it, as in
    // `refactor/changed_lines.rs`.
    let (mut old_at, mut new_at) = (0, 0);
    let change_of = |operation: &DiffOp| {
        let old = old_at..old_at + operation.old_range().len();
        let new = new_at..new_at + operation.new_range().len();
        (old_at, new_at) = (old.end, new.end);
        (!matches!(operation, DiffOp::Equal { .. })).then_some(Change { old, new })
    };
    let operations = capture_diff_slices_deadline(Algorithm::Myers, before, after, Some(deadline));
    operations.iter().filter_map(change_of).collect()
}

/// With their ends, so that a last line without one differs from one with.
fn lines(text: &[u8]) -> Vec<&[u8]> {
    text.split_inclusive(|byte| *byte == b'\n').collect()
}

/// The places of each line.
struct Places<'t> {
    lines: &'t [&'t [u8]],
    by_line: HashMap<&'t [u8], Vec<usize>>,
}

impl<'t> Places<'t> {
    fn new(lines: &'t [&'t [u8]]) -> Self {
        let mut by_line: HashMap<_, Vec<_>> = HashMap::new();
        for (place, line) in lines.iter().enumerate() {
            by_line.entry(*line).or_default().push(place);
        }
        Self { lines, by_line }
    }

    /// Where these lines stand, if that is one place.
    fn only(&self, wanted: &[&[u8]]) -> Option<usize> {
        let count = |line: &[u8]| self.by_line.get(line).map_or(0, Vec::len);
        let (rarest, line) = wanted.iter().enumerate().min_by_key(|(_, line)| count(line))?;
        let starts = self.by_line.get(line)?.iter().filter_map(|place| place.checked_sub(rarest));
        let is_there = |start: &usize| self.lines[*start..].starts_with(wanted);
        let mut found = starts.filter(is_there);
        let only = found.next()?;
        found.next().is_none().then_some(only)
    }
}

#[cfg(test)]
mod tests {
    use super::three_way;

    const BEFORE: &str = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";

    #[track_caller]
    fn check(after: &str, now: &str, expected: Option<&str>) {
        let merged = three_way(BEFORE.as_bytes(), after.as_bytes(), now.as_bytes());
        let merged = merged.map(|text| String::from_utf8(text).unwrap());
        assert_eq!(merged.as_deref(), expected);
    }

    #[test]
    fn the_same_text() {
        check("other", BEFORE, Some("other"));
        check("", BEFORE, Some(""));
        assert_eq!(three_way(b"", b"new", b"").unwrap(), b"new");
    }

    #[test]
    fn other_lines_changed() {
        let after = "1\n3\n4\n5\n6\n7\n8\nnine\n9\n";
        let now = "0\n1\n2\n3\n4\n5\nlater\n6\n7\n8\n9\n";
        let merged = "0\n1\n3\n4\n5\nlater\n6\n7\n8\nnine\n9\n";
        check(after, now, Some(merged));
    }

    #[test]
    fn the_same_lines_changed() {
        check("1\n2\n3\n4\nfive\n6\n7\n8\n9\n", "1\n2\n3\n4\nfifth\n6\n7\n8\n9\n", None);
        check("1\n2\n3\n4\n6\n7\n8\n9\n", "1\n2\n3\n4\n6\n7\n8\n9\n", None);
        check("1\n2\n3\n4\nfive\n6\n7\n8\n9\n", "", None);
    }

    #[test]
    fn lines_beside_it_changed() {
        let after = "1\n2\n3\n4\nfive\n6\n7\n8\n9\n";
        let merged = "1\n2\n3\n4\nfive\n6\n7\n8\nnine\n";
        check(after, "1\n2\n3\n4\n5\n6\n7\n8\nnine\n", Some(merged));
        check(after, "1\n2\n3\n4\n5\n6\n7\neight\n9\n", None);
    }

    #[test]
    fn the_place_is_there_twice() {
        let twice = format!("{BEFORE}{BEFORE}");
        check("1\n2\n3\n4\nfive\n6\n7\n8\n9\n", &twice, None);
    }

    #[test]
    fn an_end_without_a_newline() {
        let merged = three_way(b"a\nb", b"a\nc", b"new\na\nb").unwrap();
        assert_eq!(merged, b"new\na\nc");
        assert_eq!(three_way(b"a\nb", b"a\nc", b"new\na\nb\n"), None);
        assert_eq!(three_way(b"", b"new", b"text"), None);
    }
}
