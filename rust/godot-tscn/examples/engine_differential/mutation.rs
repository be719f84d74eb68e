//! One small accident per file, such as merges, slips of the hand and bad tools make them.

use std::collections::HashSet;
use std::ops::Range;

use fastrand::Rng;
use godot_tscn::{Token, TokenKind};

use crate::bases::Base;
use crate::case::{Case, Origin};
use crate::intent::{Item, read_lines, spanned_items};

/// Replaces `range` of a text.
struct Accident {
    kind: &'static str,
    range: Range<usize>,
    replacement: Vec<u8>,
}

/// `count` mutations, no two of the same text.
pub(crate) fn mutations(bases: &[Base], count: usize, seed: u64) -> Vec<Case> {
    let mut random = Rng::with_seed(seed);
    let (mut cases, mut seen) = (Vec::new(), HashSet::new());
    while cases.len() < count {
        let base = &bases[random.usize(..bases.len())];
        let accident = accident(&base.text, &mut random);
        let mut text = base.text.clone();
        text.splice(accident.range.clone(), accident.replacement.iter().copied());
        if text == base.text || !seen.insert(text.clone()) {
            continue;
        }
        let line =
            1 + base.text[..accident.range.start].iter().filter(|byte| **byte == b'\n').count();
        let label = format!("{} {}, {}:{line}", cases.len(), accident.kind, base.name);
        let items = mutated_items(&base.text, &accident);
        let origin = Origin::Mutation(base.index);
        cases.push(Case {
            label,
            extension: base.extension,
            text,
            items,
            origin,
            is_dumped: false,
        });
    }
    cases
}

fn accident(text: &[u8], random: &mut Rng) -> Accident {
    match random.u8(..10) {
        0..5 => token_accident(text, random),
        5..8 => line_accident(text, random),
        _ => byte_accident(text, random),
    }
}

/// Something happens to one or two tokens.
fn token_accident(text: &[u8], random: &mut Rng) -> Accident {
    let tokens: Vec<Token> =
        godot_tscn::tokens(text).into_iter().filter(|token| !token.kind.is_trivia()).collect();
    let at = random.usize(..tokens.len());
    let range = tokens[at].span.range();
    let source = &text[range.clone()];
    let (kind, range, replacement) = match random.u8(..5) {
        0 => ("token deleted", range, Vec::new()),
        1 => {
            let gap: &[u8] = if tokens[at].kind == TokenKind::Comma { b"" } else { b" " };
            ("token twice", range.clone(), [source, gap, source].concat())
        }
        2 if at + 1 < tokens.len() => {
            let next = tokens[at + 1].span.range();
            let swapped = [&text[next.clone()], &text[range.end..next.start], source].concat();
            ("tokens swapped", range.start..next.end, swapped)
        }
        3 => {
            let other = tokens[random.usize(..tokens.len())].span.range();
            ("token from elsewhere", range, text[other].to_vec())
        }
        _ => {
            let kept = random.usize(..source.len());
            ("token cut short", range, source[..kept].to_vec())
        }
    };
    Accident { kind, range, replacement }
}

/// Something happens to one or a few lines.
fn line_accident(text: &[u8], random: &mut Rng) -> Accident {
    let lines: Vec<Range<usize>> = lines(text);
    let at = random.usize(..lines.len());
    let line = lines[at].clone();
    let last = (at + random.usize(1..5)).min(lines.len());
    let block = line.start..lines[last - 1].end;
    let source = &text[line.clone()];
    let (kind, range, replacement) = match random.u8(..7) {
        0 => ("line deleted", line, Vec::new()),
        1 => ("line twice", line.clone(), [source, source].concat()),
        2 if at + 1 < lines.len() => {
            let next = lines[at + 1].clone();
            ("lines swapped", line.start..next.end, [&text[next], source].concat())
        }
        3 => {
            let kept = random.usize(..source.len());
            ("line cut short", line.clone(), [&source[..kept], b"\n"].concat())
        }
        4 => ("file cut short", line.start + random.usize(..source.len())..text.len(), Vec::new()),
        5 => ("lines twice", block.clone(), [&text[block.clone()], &text[block]].concat()),
        _ => {
            let ours = &text[block.clone()];
            let theirs = if random.bool() { ours } else { b"" };
            let merged =
                [b"<<<<<<< HEAD\n".as_slice(), ours, b"=======\n", theirs, b">>>>>>> branch\n"];
            ("conflict", block, merged.concat())
        }
    };
    Accident { kind, range, replacement }
}

/// Something happens to a byte.
fn byte_accident(text: &[u8], random: &mut Rng) -> Accident {
    const INSERTED: &[&[u8]] = &[
        b"\"",
        b"\\",
        b"#",
        b";",
        b"=",
        b",",
        b"[",
        b"]",
        b"(",
        b")",
        b"{",
        b"}",
        b"'",
        b" ",
        b"\n",
        b"&",
        b"^",
        b"-",
        b".",
        b"0",
        b"x",
        b"\xef\xbb\xbf",
        b"\0",
        b"\xff",
        b"\xc3\xa9",
        b"\\u12",
        b":",
        b"+",
        b"\r\n",
        b"$",
        b"/",
        b"1e",
        b"\t",
    ];
    let at = random.usize(..text.len());
    match random.u8(..3) {
        0 => Accident { kind: "byte deleted", range: at..at + 1, replacement: Vec::new() },
        1 => {
            let replacement = INSERTED[random.usize(..INSERTED.len())].to_vec();
            Accident { kind: "bytes inserted", range: at..at, replacement }
        }
        _ => {
            let replacement = INSERTED[random.usize(..INSERTED.len())].to_vec();
            Accident { kind: "byte replaced", range: at..at + 1, replacement }
        }
    }
}

/// What the text says after the accident: what it said before, apart from the lines that were
/// touched, which are read anew.
fn mutated_items(text: &[u8], accident: &Accident) -> Vec<Item> {
    let old = spanned_items(&godot_tscn::parse(text));
    let line_start =
        |pos: usize| text[..pos].iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    let line_end = |pos: usize| {
        text[pos..].iter().position(|byte| *byte == b'\n').map_or(text.len(), |len| pos + len)
    };
    let mut touched = line_start(accident.range.start)..line_end(accident.range.end);
    loop {
        let mut wider = touched.clone();
        for (span, _) in &old {
            let span = span.range();
            if span.start < touched.end && span.end > touched.start {
                wider.start = wider.start.min(line_start(span.start));
                wider.end = wider.end.max(line_end(span.end));
            }
        }
        if wider == touched {
            break;
        }
        touched = wider;
    }
    let lines = [
        &text[touched.start..accident.range.start],
        &accident.replacement,
        &text[accident.range.end..touched.end],
    ];
    let mut items: Vec<Item> = Vec::new();
    let (before, after): (Vec<_>, Vec<_>) =
        old.into_iter().partition(|(span, _)| (span.start as usize) < touched.start);
    items.extend(before.into_iter().map(|(_, item)| item));
    items.extend(read_lines(&lines.concat()));
    let after = after.into_iter().filter(|(span, _)| span.start as usize >= touched.end);
    items.extend(after.map(|(_, item)| item));
    items
}

/// The lines of a text, each with its end.
fn lines(text: &[u8]) -> Vec<Range<usize>> {
    let mut start = 0;
    text.split_inclusive(|byte| *byte == b'\n')
        .map(|line| {
            let range = start..start + line.len();
            start = range.end;
            range
        })
        .collect()
}
