//! Shaders, data, and all other texts and files in which paths may stand.

use godot_project::res_path::extension_of;
use godot_tscn::Span;

use crate::draft::FileDraft;
use crate::move_files::literal::{Extent, Moving, Verdict, ends_a_name};

/// Any text: the use of a path in it is unknown.
pub(super) fn change(moving: Moving<'_>, draft: &mut FileDraft) {
    let is_prose = matches!(&*extension_of(&draft.path), "md" | "rst" | "txt" | "html");
    let why = match is_prose {
        true => "is a moved path, in a text for people",
        false => "is a moved path, in a text of unknown format",
    };
    rest(moving, draft, why);
    // Such texts name files without `res://`, too: `![](/images/a.png)`.
    let text = draft.text.clone();
    let path = moving.renames.old.strip_prefix("res://").unwrap_or_default();
    for at in memchr::memmem::find_iter(&text, path) {
        let before = text[..at].strip_suffix(b"/").unwrap_or(&text[..at]);
        let after = &text[at + path.len()..];
        let is_quoted = before.last().is_some_and(|byte| b"\"'`(".contains(byte));
        if is_quoted && ends_a_name(after) && (!moving.renames.is_folder || after.starts_with(b"/"))
        {
            let length = path_length(&text[at..]);
            draft.doubt(Span::new(at as u32, (at + length) as u32), why);
        }
    }
}

/// Notes each place of the path that is neither changed nor noted.
pub(super) fn rest(moving: Moving<'_>, draft: &mut FileDraft, why: &'static str) {
    let text = draft.text.clone();
    for at in moving.occurrences(&text) {
        let start = at as u32;
        let is_known = |span: Option<&Span>| span.is_some_and(|span| span.end > start);
        let until = ..=Span::new(start, u32::MAX);
        if !is_known(draft.edits.range(until).next_back().map(|found| found.0))
            && !is_known(draft.doubts.range(until).next_back().map(|found| found.0))
        {
            draft.doubt(Span::new(start, start + path_length(&text[at..]) as u32), why);
        }
    }
}

/// How long the path is that a text begins with.
fn path_length(text: &[u8]) -> usize {
    let is_end = |byte: &u8| byte.is_ascii_control() || b" \"'`,;()[]{}<>|\\".contains(byte);
    text.iter().position(is_end).unwrap_or(text.len())
}

/// `#include "…"` of shaders (`ShaderPreprocessor::process_include`, Godot 4.6.3). Comments are left alone.
pub(super) fn shader(moving: Moving<'_>, draft: &mut FileDraft) {
    let text = draft.text.clone();
    let mut start = 0;
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        let first = start;
        start += line.len();
        let Some(at) = line.iter().position(|byte| !byte.is_ascii_whitespace()) else { continue };
        let Some(argument) = line[at..].strip_prefix(b"#include") else { continue };
        let mut quotes = memchr::memchr_iter(b'"', argument);
        let (Some(open), Some(close)) = (quotes.next(), quotes.next()) else { continue };
        let Ok(path) = std::str::from_utf8(&argument[open + 1..close]) else { continue };
        let place = first + at + b"#include".len() + open + 1;
        let span = Span::new(place as u32, (place + path.len()) as u32);
        let verdict = moving.path_in(&draft.path, path);
        put(draft, span, verdict, "path of an included shader");
    }
}

/// JSON: a string that is the path is the path, whatever reads it.
pub(super) fn json(moving: Moving<'_>, draft: &mut FileDraft) {
    let text = draft.text.clone();
    let mut at = 0;
    while let Some(open) = text.get(at..).and_then(|rest| memchr::memchr(b'"', rest)) {
        let start = at + open + 1;
        let Some(length) = string_length(&text[start..]) else { break };
        at = start + length + 1;
        let Ok(raw) = std::str::from_utf8(&text[start..start + length]) else { continue };
        // JSON may write `res:\/\/`.
        let has_escapes = raw.contains('\\');
        let content = raw.replace("\\/", "/");
        if content.contains('\\') || !content.contains("res://") {
            continue;
        }
        let verdict = match moving.absolute(&content, Extent::Whole) {
            Verdict::Becomes(new) if has_escapes => Verdict::Becomes(new.replace('/', "\\/")),
            verdict => verdict,
        };
        let span = Span::new(start as u32, (start + length) as u32);
        put(draft, span, verdict, "path in data");
    }
    rest(moving, draft, "is a moved path, among other text");
}

/// How long a string is up to its closing quote.
fn string_length(text: &[u8]) -> Option<usize> {
    let mut at = 0;
    loop {
        at += memchr::memchr2(b'"', b'\\', text.get(at..)?)?;
        if text[at] == b'"' {
            return Some(at);
        }
        at += 2;
    }
}

/// Tables with commas, semicolons or tabs: a cell that is the path is the path.
pub(super) fn table(moving: Moving<'_>, draft: &mut FileDraft) {
    let text = draft.text.clone();
    let mut start = 0;
    for cell in text.split_inclusive(|byte| b",;\t\n".contains(byte)) {
        let first = start;
        start += cell.len();
        let is_around = |byte: &u8| byte.is_ascii_whitespace() || b",;\"".contains(byte);
        let Some(open) = cell.iter().position(|byte| !is_around(byte)) else { continue };
        let close = cell.iter().rposition(|byte| !is_around(byte)).map_or(open, |last| last + 1);
        let Ok(content) = std::str::from_utf8(&cell[open..close]) else { continue };
        if let verdict @ Verdict::Becomes(_) = moving.absolute(content, Extent::Whole) {
            let span = Span::new((first + open) as u32, (first + close) as u32);
            put(draft, span, verdict, "path in a table");
        }
    }
    rest(moving, draft, "is a moved path, among other text");
}

/// Projects of C#: paths there have no `res://`, and slashes of both kinds.
pub(super) fn csharp_project(moving: Moving<'_>, draft: &mut FileDraft) {
    let text = draft.text.clone();
    let path = moving.renames.old.strip_prefix("res://").unwrap_or_default();
    for path in [path.to_owned(), path.replace('/', "\\")] {
        for at in memchr::memmem::find_iter(&text, &path) {
            let end = at + path.len();
            let before = text[..at].last().copied().unwrap_or(b'"');
            if !b"\"'>;/\\ ".contains(&before) || !ends_a_name(&text[end..]) {
                continue;
            }
            let span = Span::new(at as u32, end as u32);
            draft.doubt(span, "may be the moved path: the C# build reads it");
        }
    }
}

/// Binary resources, which are not written by hand: Godot has to save them again.
pub(super) fn binary(moving: Moving<'_>, draft: &mut FileDraft) {
    let text = draft.text.clone();
    if let Some(at) = moving.occurrences(&text).next() {
        let span = Span::new(at as u32, (at + moving.renames.old.len()) as u32);
        draft.doubt(span, "is a moved path, in a binary resource; load and save it in Godot, which follows the uid next to the path");
    }
}

pub(super) fn put(draft: &mut FileDraft, span: Span, verdict: Verdict, what: &'static str) {
    match verdict {
        Verdict::Keep => {}
        Verdict::Becomes(new) => draft.edit(span, new, what),
        Verdict::Doubt(why) => draft.doubt(span, why),
    }
}
