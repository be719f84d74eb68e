//! Byte ranges.

use std::ops::Range;

/// A half-open range of byte offsets into the parsed text.
///
/// Offsets are 32 bit: texts of 4 GiB and more are refused as a whole
/// (see [`crate::SyntaxErrorKind::TooLarge`]).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// Offset of the first byte.
    pub start: u32,
    /// Offset after the last byte.
    pub end: u32,
}

impl Span {
    /// The range from `start` up to, not including, `end`.
    #[inline]
    pub const fn new(start: u32, end: u32) -> Self {
        Self { start, end }
    }

    /// An empty range at `offset`.
    pub const fn empty(offset: u32) -> Self {
        Self::new(offset, offset)
    }

    /// Length in bytes.
    #[inline]
    pub const fn len(self) -> u32 {
        self.end - self.start
    }

    /// Whether no byte is covered.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// The smallest range that covers both.
    #[inline]
    pub fn join(self, other: Self) -> Self {
        Self::new(self.start.min(other.start), self.end.max(other.end))
    }

    /// Whether `other` is inside.
    pub const fn contains(self, other: Self) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// The range as `usize`, for slicing.
    #[inline]
    pub const fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// The covered bytes.
    ///
    /// # Panics
    /// When the range does not belong to `text`.
    #[inline]
    pub fn of(self, text: &[u8]) -> &[u8] {
        &text[self.range()]
    }
}

/// Where the line begins, if only blanks stand before `at` on it. Looks at no more than those.
pub(crate) fn line_start_before(text: &[u8], at: u32) -> Option<u32> {
    let before = &text[..at as usize];
    let blanks = before.iter().rev().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    let start = before.len() - blanks;
    (start == 0 || before[start - 1] == b'\n').then_some(start as u32)
}

/// Where the next line begins, if only blanks stand behind `at`. Looks at no more than those.
pub(crate) fn next_line_after(text: &[u8], at: u32) -> Option<u32> {
    let rest = &text[at as usize..];
    let blanks = rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r')).count();
    match rest.get(blanks) {
        None => Some(text.len() as u32),
        Some(b'\n') => Some(at + blanks as u32 + 1),
        Some(_) => None,
    }
}
