//! The differences between two texts, as edits of lines.

use std::borrow::Cow;

use godot_tscn::Span;
use similar::{Algorithm, DiffOp, capture_diff_slices};

use crate::RefactorError;
use crate::draft::FileDraft;

/// Texts with more lines than these are compared only by their beginnings and ends. A comparison line by line takes a step
/// for each pair of different lines.
const MAX_LINES: usize = 20_000;

/// Adds to `draft` the edits that make `after` of its text. `what` describes each place.
///
/// # Errors
/// When a new line is not UTF-8.
pub(crate) fn add(
    draft: &mut FileDraft,
    after: &[u8],
    what: &(impl Fn(&[u8], &str) -> Cow<'static, str> + ?Sized),
) -> Result<(), RefactorError> {
    let before = std::sync::Arc::clone(&draft.text);
    for (span, new) in changes(&before, after) {
        let replacement = std::str::from_utf8(new).map_err(|_| RefactorError::Broken {
            path: draft.path.clone(),
            reason: "it is not valid UTF-8".to_owned(),
        })?;
        let what = what(span.of(&before), replacement);
        draft.edit(span, replacement, what);
    }
    Ok(())
}

/// The places of `before` that differ in `after`, as whole lines, each with its new text.
pub fn changes<'a>(before: &[u8], after: &'a [u8]) -> Vec<(Span, &'a [u8])> {
    if before == after {
        return Vec::new();
    }
    let (old, new) = (lines(before), lines(after));
    let same_start = old.iter().zip(&new).take_while(|(old, new)| old == new).count();
    let most = old.len().min(new.len()) - same_start;
    let ends = old.iter().rev().zip(new.iter().rev()).take(most);
    let same_end = ends.take_while(|(old, new)| old == new).count();
    let (old_end, new_end) = (old.len() - same_end, new.len() - same_end);
    let (old_part, new_part) = (&old[same_start..old_end], &new[same_start..new_end]);
    let starts = |lines: &[&[u8]]| {
        let mut at = 0;
        let mut starts = vec![0];
        starts.extend(lines.iter().map(|line| {
            at += line.len();
            at
        }));
        starts
    };
    let (old_starts, new_starts) = (starts(&old), starts(&new));
    let change = |old: std::ops::Range<usize>, new: std::ops::Range<usize>| {
        let span = Span::new(old_starts[old.start] as u32, old_starts[old.end] as u32);
        (span, &after[new_starts[new.start]..new_starts[new.end]])
    };
    if old_part.len().max(new_part.len()) > MAX_LINES {
        return vec![change(same_start..old_end, same_start..new_end)];
    }
    let operations = capture_diff_slices(Algorithm::Patience, old_part, new_part);
    // The place of an operation follows only from the lengths of those before it: `similar` moves them to round off its result,
    // and leaves some of their places behind.
    let (mut old_at, mut new_at) = (same_start, same_start);
    let ranges_of = |operation: &DiffOp| {
        let old = old_at..old_at + operation.old_range().len();
        let new = new_at..new_at + operation.new_range().len();
        (old_at, new_at) = (old.end, new.end);
        (!matches!(operation, DiffOp::Equal { .. })).then_some((old, new))
    };
    let changed: Vec<_> = operations.iter().filter_map(ranges_of).collect();
    // Two edits that touch are one: a line that goes, and one that comes.
    let mut ranges: Vec<(std::ops::Range<usize>, std::ops::Range<usize>)> = Vec::new();
    for (old, new) in changed {
        match ranges.last_mut() {
            Some(last) if last.0.end == old.start => {
                last.0.end = old.end;
                last.1.end = new.end;
            }
            _ => ranges.push((old, new)),
        }
    }
    ranges.into_iter().map(|(old, new)| change(old, new)).collect()
}

fn lines(text: &[u8]) -> Vec<&[u8]> {
    text.split_inclusive(|byte| *byte == b'\n').collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_make_the_new_text() {
        let cases = [
            ("", "a\n"),
            ("a\n", ""),
            ("a\nb\nc\n", "a\nc\n"),
            ("a\nb\nc\n", "a\nx\ny\nc"),
            ("a\nb\nc\nd\n", "b\na\nd\ne\n"),
            ("same\n", "same\n"),
            ("h\n\na\nb\n\nr\n", "h\n\na\n\ns\n\nr\n"),
            ("h\n\na\nb\n\nr\nx=1\ny=2\n", "h\n\na\n\ns\n\nr\nx=1\ny=3\n"),
        ];
        for (before, after) in cases {
            check(before, after);
        }
    }

    #[test]
    fn edits_make_any_text() {
        let mut random = fastrand::Rng::with_seed(1);
        let mut text = || -> String {
            let lines = 0..random.usize(0..12);
            lines.map(|_| ["\n", "a\n", "b\n", "[c]\n"][random.usize(0..4)]).collect()
        };
        for _ in 0..5000 {
            check(&text(), &text());
        }
    }

    #[track_caller]
    fn check(before: &str, after: &str) {
        let mut draft = FileDraft::of_text("res://a.tscn".to_owned(), before.as_bytes());
        add(&mut draft, after.as_bytes(), &|_: &[u8], _: &str| "a line".into()).unwrap();
        let edits = draft
            .edits
            .iter()
            .map(|(span, (new, _))| godot_tscn::Edit::replace(*span, new.clone()));
        let edits = godot_tscn::FileEdits::new("res://a.tscn", before.as_bytes(), edits.collect());
        assert_eq!(String::from_utf8(edits.new_text()).unwrap(), after, "{before:?}");
    }
}
