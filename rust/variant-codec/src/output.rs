//! Where encoded bytes go.

use crate::utf8;

/// Takes encoded bytes, front to back.
pub trait Output {
    /// How many bytes there are so far.
    fn position(&self) -> usize;
    /// Appends bytes.
    fn put(&mut self, bytes: &[u8]);
    /// Appends a few bytes, as many as the compiler knows.
    #[inline]
    fn put_array<const N: usize>(&mut self, bytes: [u8; N]) {
        self.put(&bytes);
    }
    /// Appends the engine's text as UTF-8.
    fn put_utf32(&mut self, units: &[u32]);
    /// Replaces the word at `position`.
    fn patch(&mut self, position: usize, word: u32);
}

impl Output for Vec<u8> {
    #[inline]
    fn position(&self) -> usize {
        self.len()
    }

    #[inline]
    fn put(&mut self, bytes: &[u8]) {
        self.extend_from_slice(bytes);
    }

    #[inline]
    fn put_utf32(&mut self, units: &[u32]) {
        utf8::append(self, units);
    }

    #[inline]
    fn patch(&mut self, position: usize, word: u32) {
        self[position..position + 4].copy_from_slice(&word.to_le_bytes());
    }
}

/// A buffer that is as long as what is written to it, which [`Measure`] has found out before.
///
/// Writing beyond its end panics.
#[derive(Debug)]
pub struct Exact<'b> {
    bytes: &'b mut [u8],
    position: usize,
}

impl<'b> Exact<'b> {
    /// Writes to `bytes` from the start.
    pub fn new(bytes: &'b mut [u8]) -> Exact<'b> {
        Exact { bytes, position: 0 }
    }
}

impl Output for Exact<'_> {
    #[inline]
    fn position(&self) -> usize {
        self.position
    }

    #[inline]
    fn put(&mut self, bytes: &[u8]) {
        self.bytes[self.position..][..bytes.len()].copy_from_slice(bytes);
        self.position += bytes.len();
    }

    #[inline]
    fn put_utf32(&mut self, units: &[u32]) {
        self.position += utf8::write(&mut self.bytes[self.position..], units);
    }

    #[inline]
    fn patch(&mut self, position: usize, word: u32) {
        self.bytes[position..position + 4].copy_from_slice(&word.to_le_bytes());
    }
}

/// Counts the bytes and keeps none.
#[derive(Clone, Copy, Debug, Default)]
pub struct Measure {
    len: usize,
}

impl Measure {
    /// The bytes counted.
    pub fn len(self) -> usize {
        self.len
    }

    /// Whether nothing was counted.
    pub fn is_empty(self) -> bool {
        self.len == 0
    }
}

impl Output for Measure {
    #[inline]
    fn position(&self) -> usize {
        self.len
    }

    #[inline]
    fn put(&mut self, bytes: &[u8]) {
        self.len += bytes.len();
    }

    #[inline]
    fn put_utf32(&mut self, units: &[u32]) {
        self.len += utf8::len(units);
    }

    fn patch(&mut self, _position: usize, _word: u32) {}
}
