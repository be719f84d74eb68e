//! Rows as lines of text.

use std::fmt::{self, Write as _};

use super::{Content, Listing, Row};

/// So many bytes are shown in a line.
const LINE_LEN: usize = 16;
/// So many lines of bytes are shown of a value.
const SHOWN_LINES: usize = 4;
/// The columns of the bytes: four words with a space between them.
const BYTES_WIDTH: usize = 35;
/// Deeper values are not shown further to the right.
const SHOWN_DEPTH: usize = 32;

impl fmt::Display for Listing<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut rows = self.rows();
        for row in rows.by_ref().take(self.max_rows) {
            row.fmt(f)?;
        }
        let (listed, len) = (rows.offset(), self.bytes.len());
        if rows.next().is_some() {
            writeln!(f, "{listed:08x}  … and {} bytes more", len - listed)?;
        }
        Ok(())
    }
}

/// A line, or several if there are many bytes.
impl fmt::Display for Row<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let indent = 2 * self.depth.min(SHOWN_DEPTH);
        let step = match (&self.step, &self.content) {
            (_, Content::PropertyName { .. }) | (None, _) => String::new(),
            (Some(step), _) => format!("{step} "),
        };
        let text = self.content.describe(self.bytes);
        let mut lines = self.bytes.chunks(LINE_LEN);
        let first = words(lines.next().unwrap_or_default());
        writeln!(f, "{:08x}  {first:BYTES_WIDTH$}  {:indent$}{step}{text}", self.offset, "")?;
        for (number, line) in lines.by_ref().take(SHOWN_LINES - 1).enumerate() {
            writeln!(f, "{:08x}  {}", self.offset + (number + 1) * LINE_LEN, words(line))?;
        }
        match lines.map(<[u8]>::len).sum() {
            0 => Ok(()),
            left => writeln!(f, "{:08x}  … {left} bytes", self.offset + SHOWN_LINES * LINE_LEN),
        }
    }
}

/// Bytes as hexadecimal words.
fn words(bytes: &[u8]) -> String {
    let mut text = String::new();
    for (index, byte) in bytes.iter().enumerate() {
        let space = if index > 0 && index % 4 == 0 { " " } else { "" };
        let _ = write!(text, "{space}{byte:02x}");
    }
    text
}
