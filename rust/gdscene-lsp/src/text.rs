//! Texts as a client sends them, and its way to count places in them.

use std::sync::{Arc, OnceLock};

use godot_tscn::Span;
use ls_types::{Position, PositionEncodingKind, Range, TextDocumentContentChangeEvent};
use memchr::memchr2_iter;

/// The unit in which a client counts the characters of a line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Encoding {
    /// Bytes.
    Utf8,
    /// Units of UTF-16, which every client knows.
    #[default]
    Utf16,
    /// Characters.
    Utf32,
}

/// A text that finds its lines once. A copy costs nothing.
#[derive(Clone, Debug)]
pub(crate) struct Text(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    text: Box<[u8]>,
    encoding: Encoding,
    lines: OnceLock<Lines>,
}

#[derive(Debug)]
struct Lines {
    /// Where each starts.
    starts: Vec<u32>,
    /// The client's count before every `STEP`-th byte, so that a line of megabytes costs one step. Nothing if all is ASCII, where
    /// bytes, units and characters are the same.
    steps: Option<Vec<u32>>,
}

const STEP: usize = 512;

impl Encoding {
    /// The best encoding that a client knows: counting bytes costs least.
    pub(crate) fn choose(offered: &[PositionEncodingKind]) -> Self {
        let knows = |kind: &PositionEncodingKind| offered.contains(kind);
        match () {
            () if knows(&PositionEncodingKind::UTF8) => Self::Utf8,
            () if knows(&PositionEncodingKind::UTF32) && !knows(&PositionEncodingKind::UTF16) => {
                Self::Utf32
            }
            () => Self::Utf16,
        }
    }

    /// As the protocol calls it.
    pub(crate) fn kind(self) -> PositionEncodingKind {
        match self {
            Self::Utf8 => PositionEncodingKind::UTF8,
            Self::Utf16 => PositionEncodingKind::UTF16,
            Self::Utf32 => PositionEncodingKind::UTF32,
        }
    }

    /// How long `bytes` are. A byte that is not part of valid UTF-8 counts as a character.
    fn length(self, bytes: &[u8]) -> u32 {
        let starts = |byte: &&u8| *byte & 0xc0 != 0x80;
        let characters = || bytes.iter().filter(starts).count();
        let units = match self {
            Self::Utf8 => bytes.len(),
            Self::Utf32 => characters(),
            Self::Utf16 => characters() + bytes.iter().filter(|byte| **byte >= 0xf0).count(),
        };
        units as u32
    }

    /// How many of `bytes` stand before the unit with this number: all of a character, or none of it.
    fn bytes_before(self, bytes: &[u8], units: u32) -> usize {
        let (mut at, mut left) = (0, units);
        while at < bytes.len() && left > 0 {
            let next = bytes[at + 1..].iter().position(|byte| byte & 0xc0 != 0x80);
            let end = next.map_or(bytes.len(), |next| at + 1 + next);
            let length = self.length(&bytes[at..end]);
            if length > left {
                break;
            }
            left -= length;
            at = end;
        }
        at
    }
}

impl Text {
    pub(crate) fn new(text: impl Into<Vec<u8>>, encoding: Encoding) -> Self {
        let text = text.into().into_boxed_slice();
        Self(Arc::new(Inner { text, encoding, lines: OnceLock::new() }))
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.0.text
    }

    /// The text after an edit of the client's.
    pub(crate) fn changed(&self, change: &TextDocumentContentChangeEvent) -> Self {
        let Some(range) = change.range else {
            return Self::new(change.text.as_bytes(), self.0.encoding);
        };
        let span = self.span(range);
        let (start, end) = (span.start as usize, span.end as usize);
        let old = self.bytes();
        let mut new = Vec::with_capacity(old.len() + change.text.len());
        new.extend_from_slice(&old[..start]);
        new.extend_from_slice(change.text.as_bytes());
        new.extend_from_slice(&old[end..]);
        Self::new(new, self.0.encoding)
    }

    /// Where a byte is; the end of the text for offsets past it.
    pub(crate) fn position(&self, offset: u32) -> Position {
        let offset = offset.min(self.bytes().len() as u32);
        let starts = &self.lines().starts;
        let line = starts.partition_point(|start| *start <= offset) - 1;
        let character = self.length_before(offset) - self.length_before(starts[line]);
        Position { line: line as u32, character }
    }

    /// How much the client counts from the start of the text to a byte.
    fn length_before(&self, offset: u32) -> u32 {
        let Some(steps) = &self.lines().steps else { return offset };
        let step = (offset as usize / STEP).min(steps.len() - 1);
        let rest = &self.bytes()[step * STEP..offset as usize];
        steps[step] + self.0.encoding.length(rest)
    }

    pub(crate) fn range(&self, span: Span) -> Range {
        Range { start: self.position(span.start), end: self.position(span.end) }
    }

    /// The byte at a place. Past the end of a line it is that end, past the last line that of the text, as the protocol has it.
    pub(crate) fn offset(&self, position: Position) -> u32 {
        let Some(line) = self.line(position.line) else { return self.bytes().len() as u32 };
        let bytes = line.of(self.bytes());
        let before = match self.lines().steps {
            None => bytes.len().min(position.character as usize),
            Some(_) => self.0.encoding.bytes_before(bytes, position.character),
        };
        line.start + before as u32
    }

    pub(crate) fn span(&self, range: Range) -> Span {
        let (start, end) = (self.offset(range.start), self.offset(range.end));
        Span::new(start.min(end), end.max(start))
    }

    /// A line, counted from 0, without its end.
    pub(crate) fn line(&self, number: u32) -> Option<Span> {
        let starts = &self.lines().starts;
        let start = *starts.get(number as usize)?;
        let end = starts.get(number as usize + 1).copied();
        let mut end = end.unwrap_or(self.bytes().len() as u32);
        while end > start && matches!(self.bytes()[end as usize - 1], b'\n' | b'\r') {
            end -= 1;
        }
        Some(Span::new(start, end))
    }

    /// Where the line after this one starts.
    pub(crate) fn next_line(&self, number: u32) -> Option<u32> {
        self.lines().starts.get(number as usize + 1).copied()
    }

    fn lines(&self) -> &Lines {
        self.0.lines.get_or_init(|| {
            let text = self.bytes();
            let mut starts = vec![0];
            for end in memchr2_iter(b'\n', b'\r', text) {
                let is_half = text[end] == b'\r' && text.get(end + 1) == Some(&b'\n');
                if !is_half {
                    starts.push(end as u32 + 1);
                }
            }
            let steps = (!text.is_ascii()).then(|| {
                let lengths = text.chunks(STEP).map(|chunk| self.0.encoding.length(chunk));
                lengths
                    .scan(0, |before, length| Some(std::mem::replace(before, *before + length)))
                    .collect()
            });
            Lines { starts, steps }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "a\né = \"線😀\"\r\nlast\rend";

    #[test]
    fn every_character_in_every_encoding() {
        for encoding in [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32] {
            let text = Text::new(TEXT, encoding);
            for (offset, _) in TEXT.char_indices() {
                // A place between `\r` and `\n` is the end of the line.
                if TEXT[offset..].starts_with('\n') && TEXT[..offset].ends_with('\r') {
                    continue;
                }
                let position = text.position(offset as u32);
                assert_eq!(text.offset(position), offset as u32, "{encoding:?} {position:?}");
            }
        }
        let position = |encoding| Text::new(TEXT, encoding).position(15);
        assert_eq!(position(Encoding::Utf8), Position::new(1, 13));
        assert_eq!(position(Encoding::Utf16), Position::new(1, 8));
        assert_eq!(position(Encoding::Utf32), Position::new(1, 7));
    }

    #[test]
    fn lines_longer_than_a_step() {
        let line = "é線😀a".repeat(500);
        for encoding in [Encoding::Utf8, Encoding::Utf16, Encoding::Utf32] {
            let text = Text::new(format!("x\n{line}"), encoding);
            for (offset, _) in line.char_indices() {
                let position = text.position(offset as u32 + 2);
                assert_eq!(position.character, encoding.length(&line.as_bytes()[..offset]));
                assert_eq!(text.offset(position), offset as u32 + 2);
            }
        }
    }

    #[test]
    fn places_that_are_not_there() {
        let text = Text::new(TEXT, Encoding::Utf16);
        assert_eq!(text.offset(Position::new(0, 99)), 1);
        assert_eq!(text.offset(Position::new(99, 0)), TEXT.len() as u32);
        // In the middle of a pair.
        assert_eq!(text.offset(Position::new(1, 7)), 11);
        assert_eq!(Text::new("", Encoding::Utf16).offset(Position::new(0, 5)), 0);
    }

    #[test]
    fn edits() {
        let change = |start: (u32, u32), end: (u32, u32), text: &str| {
            let range = Range::new(Position::new(start.0, start.1), Position::new(end.0, end.1));
            TextDocumentContentChangeEvent {
                range: Some(range),
                range_length: None,
                text: text.to_owned(),
            }
        };
        let text = Text::new("ab\ncd\n", Encoding::Utf16);
        let text = text.changed(&change((0, 1), (1, 1), "é"));
        assert_eq!(text.bytes(), "aéd\n".as_bytes());
        let text = text.changed(&change((9, 9), (9, 9), "end"));
        assert_eq!(text.bytes(), "aéd\nend".as_bytes());
    }
}
