//! Putting the sections of a text into another order. Comments right above a tag go with it.

use std::ops::Range;

use crate::document::{Document, Section, TagKind};
use crate::edit_set::Edit;
use crate::span::Span;
use crate::syntax::{SyntaxError, SyntaxErrorKind};

/// One edit that brings the sections into `order`, which names each section's index once.
///
/// Nothing if this would move text that does not certainly belong to a section, or that is not UTF-8.
pub(crate) fn reordered(document: &Document<'_>, order: &[u32]) -> Option<Edit> {
    let text = document.text();
    let is_bounded = |error: &SyntaxError| stays_in_place(error.kind);
    if !document.errors().iter().all(is_bounded) || document.sections().any(Section::is_broken) {
        return None;
    }
    let is_moved = |(place, index): (usize, &u32)| place != *index as usize;
    let first = order.iter().enumerate().position(is_moved)?;
    let last = order.len()
        - 1
        - order.iter().enumerate().rev().position(|(place, index)| is_moved((place, index)))?;
    let pieces = pieces(document);
    let mut moved = Vec::new();
    for place in first..=last {
        let index = order[place] as usize;
        moved.extend_from_slice(&text[pieces[index].clone()]);
        if place == last {
            break;
        }
        let next = order[place + 1] as usize;
        if next == index + 1 {
            moved.extend_from_slice(&text[pieces[index].end..pieces[next].start]);
        } else {
            let kinds = [index, next].map(|index| document.section(index as u32).kind());
            moved.extend_from_slice(gap(kinds));
        }
    }
    let span = Span::new(pieces[first].start as u32, pieces[last].end as u32);
    Some(Edit::replace(span, String::from_utf8(moved).ok()?))
}

/// Whether such an error leaves no doubt where the key or value ends that it is in.
pub(crate) fn stays_in_place(kind: SyntaxErrorKind) -> bool {
    use SyntaxErrorKind::*;
    matches!(
        kind,
        UnquotedKey
            | MalformedEscape
            | LoneSurrogate
            | NonAsciiEscape
            | UnknownEscape
            | WrongArity { .. }
            | NumberOutOfRange(_)
            | BadBase64
    )
}

/// The text that Godot's saver puts between two sections.
pub(crate) fn gap(kinds: [TagKind; 2]) -> &'static [u8] {
    match kinds {
        [TagKind::ExtResource, TagKind::ExtResource]
        | [TagKind::Connection, TagKind::Connection]
        | [TagKind::Editable, TagKind::Editable] => b"\n",
        _ => b"\n\n",
    }
}

/// Each section with the comments that belong to it, without white space around.
pub(crate) fn pieces(document: &Document<'_>) -> Vec<Range<usize>> {
    let text = document.text();
    let mut pieces: Vec<Range<usize>> = Vec::new();
    for section in document.sections() {
        let tag = section.tag_span().start as usize;
        let before = section.index().checked_sub(1).map(|index| document.section(index));
        let start = match before {
            Some(before) => start_of_comments(text, before.span().end as usize, tag),
            None => tag,
        };
        if let Some(before) = pieces.last_mut() {
            before.end = end_of_text(text, before.start..start);
        }
        pieces.push(start..text.len());
    }
    if let Some(last) = pieces.last_mut() {
        last.end = end_of_text(text, last.clone());
    }
    pieces
}

/// Where the lines begin that stand right above the tag at `tag` and have nothing but a comment.
fn start_of_comments(text: &[u8], end_before: usize, tag: usize) -> usize {
    let line_start = |at: usize| {
        text[end_before..at].iter().rposition(|byte| *byte == b'\n').map(|at| end_before + at + 1)
    };
    let mut start = tag;
    // The tag has to begin its line, and each comment its own.
    while let Some(line) = line_start(start).filter(|line| is_blank(&text[*line..start])) {
        let Some(above) = line_start(line - 1) else { break };
        if !text[above..line].trim_ascii_start().starts_with(b";") {
            break;
        }
        start = above;
    }
    start
}

fn is_blank(text: &[u8]) -> bool {
    text.trim_ascii().is_empty()
}

fn end_of_text(text: &[u8], range: Range<usize>) -> usize {
    range.start + text[range].trim_ascii_end().len()
}
