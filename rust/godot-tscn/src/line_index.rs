//! Lines and columns from byte offsets, for the edge of the program.

use memchr::memchr_iter;

/// A place as editors count it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// The line, from 1.
    pub line: u32,
    /// The character in the line, from 1. A byte that is not part of valid UTF-8 counts as a character.
    pub column: u32,
    /// The same in units of UTF-16, as most language servers count.
    pub utf16_column: u32,
    /// The same in bytes.
    pub byte_column: u32,
}

impl Position {
    /// The first character of a text.
    pub const START: Self = Self { line: 1, column: 1, utf16_column: 1, byte_column: 1 };
}

/// Turns byte offsets of a text into lines and columns.
///
/// ```
/// let index = godot_tscn::LineIndex::new("a\né = 1\n".as_bytes());
/// let position = index.position(5);
/// assert_eq!((position.line, position.column), (2, 3));
/// ```
#[derive(Clone, Debug)]
pub struct LineIndex<'t> {
    text: &'t [u8],
    /// Where each line starts.
    lines: Vec<u32>,
    /// The counts before every `STEP`-th byte, so that even a line of 100 MB costs one step. Empty without a line longer than
    /// that.
    steps: Vec<Counts>,
}

/// The counts of a part of the text.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    characters: u32,
    /// Characters that are two units of UTF-16.
    pairs: u32,
}

/// The bytes that are counted for a place in a line of any length.
const STEP: usize = 1024;

impl<'t> LineIndex<'t> {
    /// Reads the text once.
    pub fn new(text: &'t [u8]) -> Self {
        let mut lines = vec![0];
        lines.extend(memchr_iter(b'\n', text).map(|newline| newline as u32 + 1));
        let ends = lines.iter().skip(1).map(|start| *start as usize).chain([text.len()]);
        let has_long_line = lines.iter().zip(ends).any(|(start, end)| end - *start as usize > STEP);
        let mut total = Counts::default();
        let steps = text.chunks(STEP).map(|chunk| {
            let before = total;
            total = total.and(chunk);
            before
        });
        let steps = if has_long_line { steps.collect() } else { Vec::new() };
        Self { text, lines, steps }
    }

    /// The line and column of a byte offset; of the end for offsets past it.
    pub fn position(&self, offset: u32) -> Position {
        let offset = offset.min(self.text.len() as u32);
        let line = self.lines.partition_point(|start| *start <= offset);
        let start = self.lines[line - 1];
        let in_line = self.between(start, offset);
        let column = in_line.characters + 1;
        Position {
            line: line as u32,
            column,
            utf16_column: column + in_line.pairs,
            byte_column: offset - start + 1,
        }
    }

    /// The byte offset at which the line of a byte offset starts.
    ///
    /// ```
    /// assert_eq!(godot_tscn::LineIndex::new(b"a\nbc\n").line_start(3), 2);
    /// ```
    pub fn line_start(&self, offset: u32) -> u32 {
        let offset = offset.min(self.text.len() as u32);
        self.lines[self.lines.partition_point(|start| *start <= offset) - 1]
    }

    /// The byte offset at which the line of a byte offset ends, its line feed excluded.
    ///
    /// ```
    /// assert_eq!(godot_tscn::LineIndex::new(b"a\nbc\n").line_end(2), 4);
    /// ```
    pub fn line_end(&self, offset: u32) -> u32 {
        let next = self.lines.partition_point(|start| *start <= offset);
        self.lines.get(next).map_or(self.text.len() as u32, |start| start - 1)
    }

    /// The number of lines; a text that ends in a line end has an empty one after it.
    pub fn line_count(&self) -> usize {
        self.lines.len()
    }

    /// The counts between the start of a line and an offset in it.
    fn between(&self, start: u32, offset: u32) -> Counts {
        if (offset - start) as usize <= STEP {
            return Counts::default().and(&self.text[start as usize..offset as usize]);
        }
        let (before, line_before) = (self.before(offset), self.before(start));
        Counts {
            characters: before.characters - line_before.characters,
            pairs: before.pairs - line_before.pairs,
        }
    }

    fn before(&self, offset: u32) -> Counts {
        let offset = offset as usize;
        let step = offset / STEP;
        // The end of a text has no entry if its length is a multiple of the step.
        let (before, from) = match self.steps.get(step) {
            Some(before) => (*before, step * STEP),
            None if step == 0 => (Counts::default(), 0),
            None => (self.steps[step - 1], (step - 1) * STEP),
        };
        before.and(&self.text[from..offset])
    }
}

impl Counts {
    /// These, and those of the bytes behind them, by the bytes that start characters.
    fn and(self, bytes: &[u8]) -> Self {
        let count = |starts: fn(u8) -> bool| -> u32 {
            bytes.iter().map(|byte| u32::from(starts(*byte))).sum()
        };
        Self {
            characters: self.characters + count(|byte| byte & 0xc0 != 0x80),
            pairs: self.pairs + count(|byte| byte >= 0xf0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_offset_of_a_long_text() {
        let text = "é=1\n\n\"線😀\"\r\n".repeat(1000);
        let index = LineIndex::new(text.as_bytes());
        let mut expected = Position::START;
        for (offset, character) in text.char_indices() {
            assert_eq!(index.position(offset as u32), expected);
            if character == '\n' {
                expected = Position { line: expected.line + 1, ..Position::START };
            } else {
                expected.column += 1;
                expected.utf16_column += character.len_utf16() as u32;
                expected.byte_column += character.len_utf8() as u32;
            }
        }
        assert_eq!(index.position(text.len() as u32), expected);
        assert_eq!(index.position(u32::MAX), expected);
    }

    #[test]
    fn every_offset_of_a_long_line() {
        let text = format!("short\n{}\nshort", "é線😀a".repeat(STEP));
        let index = LineIndex::new(text.as_bytes());
        let mut expected = Position::START;
        for (offset, character) in text.char_indices() {
            assert_eq!(index.position(offset as u32), expected);
            expected = match character {
                '\n' => Position { line: expected.line + 1, ..Position::START },
                _ => Position {
                    line: expected.line,
                    column: expected.column + 1,
                    utf16_column: expected.utf16_column + character.len_utf16() as u32,
                    byte_column: expected.byte_column + character.len_utf8() as u32,
                },
            };
        }
    }

    #[test]
    fn the_end_of_a_whole_step() {
        let text = vec![b'a'; STEP];
        let end = STEP as u32 + 1;
        let end = Position { line: 1, column: end, utf16_column: end, byte_column: end };
        assert_eq!(LineIndex::new(&text).position(STEP as u32), end);
        assert_eq!(LineIndex::new(b"").position(0), Position::START);
    }
}
