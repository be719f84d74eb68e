//! Lines and columns from byte offsets, for the edge of the program.

use memchr::memchr_iter;

/// A place as editors count it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// The line, from 1.
    pub line: u32,
    /// The character in the line, from 1. A byte that is no UTF-8 counts as a character.
    pub column: u32,
}

/// Turns byte offsets of a text into lines and columns.
///
/// ```
/// let index = tscn::LineIndex::new("a\né = 1\n".as_bytes());
/// let position = index.position(5);
/// assert_eq!((position.line, position.column), (2, 3));
/// ```
#[derive(Clone, Debug)]
pub struct LineIndex<'t> {
    text: &'t [u8],
    /// Where each line starts.
    lines: Vec<u32>,
    /// How many characters stand before every `STEP`-th byte, so that even a line of 100 MB
    /// costs one step.
    characters: Vec<u32>,
}

const STEP: usize = 4096;

impl<'t> LineIndex<'t> {
    /// Reads the text once.
    pub fn new(text: &'t [u8]) -> Self {
        let mut lines = vec![0];
        lines.extend(memchr_iter(b'\n', text).map(|newline| newline as u32 + 1));
        let mut total = 0;
        let characters = text
            .chunks(STEP)
            .map(|chunk| {
                let before = total;
                total += character_count(chunk);
                before
            })
            .collect();
        Self { text, lines, characters }
    }

    /// The line and column of a byte offset; of the end for offsets past it.
    pub fn position(&self, offset: u32) -> Position {
        let offset = offset.min(self.text.len() as u32);
        let line = self.lines.partition_point(|start| *start <= offset);
        let start = self.lines[line - 1];
        let column = self.characters_before(offset) - self.characters_before(start) + 1;
        Position { line: line as u32, column }
    }

    /// The byte offset at which the line of a byte offset starts.
    ///
    /// ```
    /// assert_eq!(tscn::LineIndex::new(b"a\nbc\n").line_start(3), 2);
    /// ```
    pub fn line_start(&self, offset: u32) -> u32 {
        let offset = offset.min(self.text.len() as u32);
        self.lines[self.lines.partition_point(|start| *start <= offset) - 1]
    }

    /// The byte offset at which the line of a byte offset ends, its line feed excluded.
    ///
    /// ```
    /// assert_eq!(tscn::LineIndex::new(b"a\nbc\n").line_end(2), 4);
    /// ```
    pub fn line_end(&self, offset: u32) -> u32 {
        let next = self.lines.partition_point(|start| *start <= offset);
        self.lines.get(next).map_or(self.text.len() as u32, |start| start - 1)
    }

    /// The number of lines; a text that ends in a line end has an empty one after it.
    pub fn line_count(&self) -> usize {
        self.lines.len()
    }

    fn characters_before(&self, offset: u32) -> u32 {
        let offset = offset as usize;
        let step = offset / STEP;
        let before = self.characters.get(step).copied();
        // The end of a text whose length is a multiple of the step has no entry.
        let (before, from) = match before {
            Some(before) => (before, step * STEP),
            None if step == 0 => (0, 0),
            None => (self.characters[step - 1], (step - 1) * STEP),
        };
        before + character_count(&self.text[from..offset])
    }
}

/// The number of bytes that start a character.
fn character_count(bytes: &[u8]) -> u32 {
    bytes.iter().map(|byte| u32::from(byte & 0xc0 != 0x80)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_offset_of_a_long_text() {
        let text = "é=1\n\n\"線\"\r\n".repeat(1000);
        let index = LineIndex::new(text.as_bytes());
        let (mut line, mut column) = (1, 1);
        for (offset, character) in text.char_indices() {
            assert_eq!(index.position(offset as u32), Position { line, column });
            (line, column) = if character == '\n' { (line + 1, 1) } else { (line, column + 1) };
        }
        assert_eq!(index.position(text.len() as u32), Position { line, column });
        assert_eq!(index.position(u32::MAX), Position { line, column });
    }

    #[test]
    fn the_end_of_a_whole_step() {
        let text = vec![b'a'; STEP];
        let end = Position { line: 1, column: STEP as u32 + 1 };
        assert_eq!(LineIndex::new(&text).position(STEP as u32), end);
        assert_eq!(LineIndex::new(b"").position(0), Position { line: 1, column: 1 });
    }
}
