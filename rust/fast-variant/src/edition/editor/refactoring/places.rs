//! The places that a plan changes, with the lines around them, before and after.

use std::collections::HashMap;
use std::path::Path;

use godot_project::{Place, Plan};
use godot_tscn::{FileEdits, Span};

use crate::scene_place::PlannedPlace;

/// The part of a line that is shown before and after a place, and of the place itself.
const AROUND: usize = 160;
const MAX_LEN: usize = 400;

/// Which places may be left out, so that the others still make sense.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Optional {
    All,
    /// Those in scripts: without one of the others, a scene would not load as it is.
    Scripts,
    None,
}

/// The places that change.
pub(super) fn planned_places(plan: &Plan, optional: Optional) -> Vec<PlannedPlace> {
    let files: HashMap<&str, &FileEdits> =
        plan.files.iter().map(|file| (file.path.as_str(), file)).collect();
    let place = |place: &Place| {
        let text = files.get(place.path.as_str()).and_then(|file| file.text());
        let replacement =
            files.get(place.path.as_str()).and_then(|file| new_text(file, place.span));
        let mut planned = plain(place);
        planned.is_optional = may_be_left_out(optional, &place.path);
        if let (Some(text), Some(replacement)) = (text, replacement) {
            planned.before = line_of(text, place.span);
            planned.after = line_with(text, place.span, replacement);
        }
        planned
    };
    plan.places.iter().map(place).collect()
}

pub(super) fn plain(place: &Place) -> PlannedPlace {
    PlannedPlace {
        path: place.path.clone(),
        line: place.line,
        column: place.column,
        what: place.what.to_string(),
        ..PlannedPlace::default()
    }
}

fn new_text(file: &FileEdits, span: Span) -> Option<&str> {
    let edits = file.edits();
    let first = edits.partition_point(|edit| edit.span < span);
    edits.get(first).filter(|edit| edit.span == span).map(|edit| edit.replacement.as_ref())
}

fn may_be_left_out(optional: Optional, path: &str) -> bool {
    match optional {
        Optional::All => true,
        Optional::Scripts => {
            let extension = Path::new(path).extension().and_then(|extension| extension.to_str());
            extension.is_some_and(|extension| matches!(extension, "gd" | "cs"))
        }
        Optional::None => false,
    }
}

/// The lines of a place, without the space around them; of long ones, the part around the place.
pub(super) fn line_of(text: &[u8], span: Span) -> String {
    let (start, end) = around(text, span);
    shown(&[&text[start..end]])
}

/// The same with `replacement` in the place.
pub(super) fn line_with(text: &[u8], span: Span, replacement: &str) -> String {
    let (start, end) = around(text, span);
    let (head, tail) = (&text[start..span.start as usize], end_of(text, span, end));
    shown(&[head, cut(replacement.as_bytes()), tail])
}

/// The start and end of the visible lines of a place.
fn around(text: &[u8], span: Span) -> (usize, usize) {
    let (start, end) = (span.start as usize, span.end as usize);
    let line = memchr::memrchr(b'\n', &text[..start]).map_or(0, |newline| newline + 1);
    let last = if end > start && text[end - 1] == b'\n' { end - 1 } else { end };
    let line_end = memchr::memchr(b'\n', &text[last..]).map_or(text.len(), |at| last + at);
    let from = line.max(start.saturating_sub(AROUND));
    (boundary(text, from), boundary(text, line_end.min(end + AROUND).max(last)))
}

/// What follows the place in the part that is shown.
fn end_of(text: &[u8], span: Span, end: usize) -> &[u8] {
    text.get(span.end as usize..end).unwrap_or_default()
}

/// A place at which no character is cut, at or before this one.
fn boundary(text: &[u8], at: usize) -> usize {
    let is_inside = |at: usize| text.get(at).is_some_and(|byte| byte & 0b1100_0000 == 0b1000_0000);
    (at.saturating_sub(3)..=at).rev().find(|at| !is_inside(*at)).unwrap_or(at)
}

fn cut(bytes: &[u8]) -> &[u8] {
    &bytes[..boundary(bytes, bytes.len().min(MAX_LEN + AROUND))]
}

/// The parts as one text, without the space around it.
fn shown(parts: &[&[u8]]) -> String {
    let text = parts.concat();
    let text = String::from_utf8_lossy(cut(&text));
    text.trim().to_owned()
}
