//! The part of a file that is shown with a diagnostic: some lines, or the middle of a very long one.

use std::ops::Range;

use godot_tscn::{LineIndex, Span};

/// Lines of a file, with control characters replaced.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Excerpt {
    /// The first line's number, from 1.
    pub(crate) line: usize,
    /// The text.
    pub(crate) source: String,
    /// The ranges of `source` to mark.
    pub(crate) marks: Vec<Range<usize>>,
}

/// The most bytes of a block. Places that are further apart are shown in separate excerpts.
const MAX_BLOCK: usize = 8192;

/// How many bytes of a long line are shown before the place; twice as many after its start.
const MARGIN: usize = 120;

impl Excerpt {
    /// The lines of all `spans`, if they are near to one another, and short.
    pub(crate) fn block(text: &[u8], index: &LineIndex<'_>, spans: &[Span]) -> Option<Self> {
        let start = spans.iter().map(|span| span.start).min()?;
        let end = spans.iter().map(|span| span.end).max()? as usize;
        let from = index.line_start(start) as usize;
        let to = index.line_end(end as u32) as usize;
        let source =
            std::str::from_utf8(text.get(from..to).filter(|b| b.len() <= MAX_BLOCK)?).ok()?;
        let is_plain = |line: &str| line.len() <= MARGIN && !line.contains(char::is_control);
        if !source.split('\n').all(|line| is_plain(line.trim_end_matches('\r'))) {
            return None;
        }
        let mark = |span: &Span| span.start as usize - from..span.end as usize - from;
        Some(Self {
            line: index.position(start).line as usize,
            source: source.to_owned(),
            marks: spans.iter().map(mark).collect(),
        })
    }

    /// The line on which `span` starts.
    pub(crate) fn line(text: &[u8], index: &LineIndex<'_>, span: Span) -> Self {
        let (start, end) = (span.start as usize, span.end as usize);
        let line_start = index.line_start(span.start) as usize;
        let line_end = index.line_end(span.start) as usize;
        let from = boundary(text, line_start.max(start.saturating_sub(MARGIN)));
        let to = boundary(text, line_end.min(start + 2 * MARGIN));
        let end = end.clamp(start, to.max(start));
        let before = printable(&text[from..start]);
        let marked = printable(&text[start..end]);
        let after = printable(text.get(end..to).unwrap_or_default());
        let mut source = String::new();
        if from > line_start {
            source.push('…');
        }
        source.push_str(&before);
        let mark_start = source.len();
        source.push_str(&marked);
        let mark = mark_start..source.len();
        source.push_str(&after);
        if to < line_end {
            source.push('…');
        }
        let line = index.position(span.start).line as usize;
        Self { line, source, marks: vec![mark] }
    }
}

/// The start of the character at `offset`.
fn boundary(text: &[u8], offset: usize) -> usize {
    let continues = |offset: &usize| text.get(*offset).is_some_and(|byte| byte & 0xc0 == 0x80);
    (offset.saturating_sub(3)..=offset).rev().find(|offset| !continues(offset)).unwrap_or(offset)
}

fn printable(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes)
        .chars()
        .filter(|character| *character != '\r')
        .map(|character| match character {
            '\t' => '\t',
            character if character.is_control() => '\u{fffd}',
            character => character,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &[u8], span: Span, expected: (usize, &str, &str)) {
        let excerpt = Excerpt::line(text, &LineIndex::new(text), span);
        let marked = &excerpt.source[excerpt.marks[0].clone()];
        assert_eq!((excerpt.line, excerpt.source.as_str(), marked), expected);
    }

    #[test]
    fn lines() {
        check(b"one\ntwo three\r\nfour", Span::new(8, 13), (2, "two three", "three"));
        check(b"one\ntwo", Span::new(0, 7), (1, "one", "one"));
        check(b"one", Span::new(3, 3), (1, "one", ""));
        check(b"", Span::new(0, 0), (1, "", ""));
        check(b"a \xff\0 b", Span::new(2, 4), (1, "a \u{fffd}\u{fffd} b", "\u{fffd}\u{fffd}"));
    }

    #[test]
    fn blocks() {
        let text = b"one\ntwo\nthree\nfour";
        let block = |text, spans: &[Span]| Excerpt::block(text, &LineIndex::new(text), spans);
        let found = block(text, &[Span::new(9, 11), Span::new(4, 7)]).unwrap();
        let expected = Excerpt { line: 2, source: "two\nthree".into(), marks: vec![5..7, 0..3] };
        assert_eq!(found, expected);
        assert_eq!(block(b"a\0", &[Span::new(0, 1)]), None);
        assert_eq!(block(&[b'a'; 500], &[Span::new(0, 1)]), None);
    }

    #[test]
    fn a_very_long_line() {
        let text = "é".repeat(500);
        let excerpt =
            Excerpt::line(text.as_bytes(), &LineIndex::new(text.as_bytes()), Span::new(500, 502));
        assert_eq!(excerpt.source.chars().filter(|c| *c == '…').count(), 2);
        assert_eq!(&excerpt.source[excerpt.marks[0].clone()], "é");
    }
}
