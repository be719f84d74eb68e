//! The output of the formatter.
//!
//! Most of the output is in the text already, right after the previous output. Such a run is only
//! counted; it is copied where it ends. A text that is as it should be is one run, and nothing is
//! copied.

use std::ops::Range;

use crate::span::Span;

/// The formatted text so far: `out`, and then the bytes `run` of the origin.
#[derive(Debug)]
pub(crate) struct OutputBuffer<'t> {
    origin: &'t [u8],
    out: Vec<u8>,
    run: Range<usize>,
    /// How often a run has ended.
    breaks: usize,
}

impl<'t> OutputBuffer<'t> {
    pub(crate) fn new(origin: &'t [u8]) -> Self {
        Self { origin, out: Vec::new(), run: 0..0, breaks: 0 }
    }

    /// How many bytes were written.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.out.len() + self.run.len()
    }

    /// Writes a piece of the origin.
    #[inline]
    pub(crate) fn copy(&mut self, span: Span) {
        let range = span.range();
        if range.start != self.run.end {
            self.flush();
            self.run = range.start..range.start;
        }
        self.run.end = range.end;
    }

    /// Begins a part of the origin at `offset`. [`OutputBuffer::is_run`] takes the result.
    pub(crate) fn begin(&mut self, offset: u32) -> usize {
        self.copy(Span::empty(offset));
        self.breaks
    }

    /// Whether everything since that [`OutputBuffer::begin`] was copied from the origin, up to `offset`.
    pub(crate) fn is_run(&self, begun: usize, offset: u32) -> bool {
        self.breaks == begun && self.run.end == offset as usize
    }

    /// Writes one byte.
    #[inline]
    pub(crate) fn byte(&mut self, byte: u8) {
        if self.origin.get(self.run.end) == Some(&byte) {
            self.run.end += 1;
        } else {
            self.flush();
            self.out.push(byte);
        }
    }

    /// Writes bytes.
    #[inline]
    pub(crate) fn bytes(&mut self, bytes: &[u8]) {
        if self.origin[self.run.end..].starts_with(bytes) {
            self.run.end += bytes.len();
        } else {
            self.flush();
            self.out.extend_from_slice(bytes);
        }
    }

    /// Puts the last pieces that were written into another order: first the piece number `order[0]`.
    /// `separator` is between the pieces, and the last one ends where the output does.
    pub(crate) fn arrange(&mut self, pieces: &[Range<usize>], order: &[usize], separator: &[u8]) {
        let Some(start) = pieces.first().map(|piece| piece.start) else { return };
        self.flush();
        debug_assert_eq!(pieces.last().map(|piece| piece.end), Some(self.out.len()));
        let mut arranged = Vec::with_capacity(self.out.len() - start);
        for (place, &index) in order.iter().enumerate() {
            if place > 0 {
                arranged.extend_from_slice(separator);
            }
            arranged.extend_from_slice(&self.out[pieces[index].clone()]);
        }
        self.out.truncate(start);
        self.out.extend_from_slice(&arranged);
    }

    /// Writes `bytes` instead of the output from `start` on.
    pub(crate) fn replace(&mut self, start: usize, bytes: &[u8]) {
        self.flush();
        self.out.truncate(start);
        self.out.extend_from_slice(bytes);
    }

    /// The whole text, or nothing if it is the origin.
    pub(crate) fn finish(mut self) -> Option<Vec<u8>> {
        if self.out.is_empty() && self.run == (0..self.origin.len()) {
            return None;
        }
        self.flush();
        (self.out != self.origin).then_some(self.out)
    }

    /// Copies the run. The next bytes are compared with the text after it.
    fn flush(&mut self) {
        if self.out.is_empty() {
            // Most texts keep their size, more or less.
            self.out.reserve_exact(self.origin.len() + self.origin.len() / 16 + 64);
        }
        self.out.extend_from_slice(&self.origin[self.run.clone()]);
        self.run.start = self.run.end;
        self.breaks += 1;
    }
}
