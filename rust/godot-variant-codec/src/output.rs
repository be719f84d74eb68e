//! Where encoded bytes go.

use crate::{MAX_LEN, utf8};

/// Takes encoded bytes, front to back.
pub trait Output {
    /// How many bytes there are so far.
    fn position(&self) -> usize;
    /// From which position on an encoder gives up, at the next container or long text: a few arrays that hold each other again and
    /// again can stand for more than there is time to count.
    #[inline(always)]
    fn limit(&self) -> usize {
        usize::MAX
    }
    /// Appends bytes.
    fn put(&mut self, bytes: &[u8]);
    /// Appends a few bytes, as many as the compiler knows.
    #[inline(always)]
    fn put_array<const N: usize>(&mut self, bytes: [u8; N]) {
        self.put(&bytes);
    }
    /// Appends the first `len` of a few bytes.
    #[inline(always)]
    fn put_front<const N: usize>(&mut self, bytes: [u8; N], len: usize) {
        self.put(&bytes[..len]);
    }
    /// Appends `count` zeros, at most 4.
    #[inline(always)]
    fn put_zeros(&mut self, count: usize) {
        self.put(&[0; 4][..count]);
    }
    /// Room for `len` more bytes in one row, where there is or can be such; [`Output::advance`] appends what
    /// was written to it.
    #[inline(always)]
    fn room(&mut self, len: usize) -> Option<&mut [u8]> {
        let _ = len;
        None
    }
    /// Appends the first `len` bytes of the room as they are now.
    #[inline(always)]
    fn advance(&mut self, len: usize) {
        debug_assert_eq!(len, 0, "this output gives no room");
    }
    /// Appends the engine's text as UTF-8.
    fn put_utf32(&mut self, units: &[u32]);
    /// Replaces the word at `position`.
    fn patch(&mut self, position: usize, word: u32);
    /// Told before a long piece is appended in parts, `len` bytes in all.
    #[inline(always)]
    fn expect(&mut self, len: usize) {
        let _ = len;
    }
}

impl Output for Vec<u8> {
    #[inline(always)]
    fn position(&self) -> usize {
        self.len()
    }

    #[inline(always)]
    fn put(&mut self, bytes: &[u8]) {
        self.extend_from_slice(bytes);
    }

    #[inline(always)]
    fn put_array<const N: usize>(&mut self, bytes: [u8; N]) {
        self.extend_from_slice(&bytes);
    }

    #[inline(always)]
    fn put_utf32(&mut self, units: &[u32]) {
        utf8::append(self, units);
    }

    #[inline(always)]
    fn patch(&mut self, position: usize, word: u32) {
        self[position..position + 4].copy_from_slice(&word.to_le_bytes());
    }

    /// Else the padding behind it would double the memory.
    #[inline]
    fn expect(&mut self, len: usize) {
        self.reserve(len);
    }
}

/// A buffer that grows, and is made to be used again.
///
/// Faster than a `Vec` for the many short pieces of which a value is made: what is beyond the
/// position is initialised already. One with a limit never takes more memory than that: once a
/// value turns out to be longer, it only counts.
#[derive(Debug)]
pub struct Buffer {
    /// Longer than what was written: the rest is room.
    bytes: Vec<u8>,
    position: usize,
    limit: usize,
    /// Something did not fit and is only counted.
    overflown: bool,
}

impl Default for Buffer {
    fn default() -> Self {
        Buffer::with_limit(usize::MAX)
    }
}

impl Buffer {
    /// A buffer that keeps up to `limit` bytes.
    pub const fn with_limit(limit: usize) -> Buffer {
        Buffer { bytes: Vec::new(), position: 0, limit, overflown: false }
    }

    /// What was written, unless it is more than the limit.
    pub fn kept(&self) -> Option<&[u8]> {
        if self.overflown { None } else { self.bytes.get(..self.position) }
    }

    /// The number of bytes that were written, kept or not.
    pub fn written(&self) -> usize {
        self.position
    }

    /// Forgets what was written, and lets go of memory beyond `kept_len` bytes.
    pub fn reset(&mut self, kept_len: usize) {
        self.position = 0;
        self.overflown = false;
        if self.bytes.len() > kept_len {
            self.bytes.truncate(kept_len);
            self.bytes.shrink_to_fit();
        }
    }

    /// Whether there is room for `len` more bytes, which is made if it may be.
    #[inline(always)]
    fn has_room(&mut self, len: usize) -> bool {
        self.position + len <= self.bytes.len() || self.grow(len)
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self, len: usize) -> bool {
        const FIRST_LEN: usize = 1 << 10;
        const STEP: usize = 1 << 16;
        let needed = self.position + len;
        self.overflown |= needed > self.limit;
        if self.overflown {
            return false;
        }
        // Memory is asked for in doubling lengths, but touched, and so really taken, step by step.
        let step = self.bytes.len().clamp(FIRST_LEN, STEP);
        let len = needed.max(self.bytes.len() + step).min(self.limit);
        if self.bytes.capacity() < len {
            let capacity = len.max(2 * self.bytes.capacity()).min(self.limit);
            self.bytes.reserve_exact(capacity - self.bytes.len());
        }
        self.bytes.resize(len, 0);
        true
    }
}

impl Output for Buffer {
    #[inline(always)]
    fn position(&self) -> usize {
        self.position
    }

    #[inline(always)]
    fn limit(&self) -> usize {
        MAX_LEN
    }

    #[inline(always)]
    fn put(&mut self, bytes: &[u8]) {
        if self.has_room(bytes.len()) {
            self.bytes[self.position..][..bytes.len()].copy_from_slice(bytes);
        }
        self.position += bytes.len();
    }

    #[inline(always)]
    fn put_array<const N: usize>(&mut self, bytes: [u8; N]) {
        if self.has_room(N) {
            *self.bytes[self.position..].first_chunk_mut().expect("there is room") = bytes;
        }
        self.position += N;
    }

    /// One store of known width, of which the next piece overwrites what is too much.
    #[inline(always)]
    fn put_front<const N: usize>(&mut self, bytes: [u8; N], len: usize) {
        if self.has_room(N) {
            *self.bytes[self.position..].first_chunk_mut().expect("there is room") = bytes;
        }
        self.position += len;
    }

    #[inline(always)]
    fn put_zeros(&mut self, count: usize) {
        self.put_front([0; 4], count);
    }

    #[inline(always)]
    fn room(&mut self, len: usize) -> Option<&mut [u8]> {
        self.has_room(len).then(|| &mut self.bytes[self.position..][..len])
    }

    #[inline(always)]
    fn advance(&mut self, len: usize) {
        self.position += len;
    }

    #[inline(always)]
    fn put_utf32(&mut self, units: &[u32]) {
        const LONGEST_UNIT: usize = 6;
        if self.has_room(LONGEST_UNIT * units.len()) {
            self.position += utf8::write(&mut self.bytes[self.position..], units);
        } else {
            self.position += utf8::len(units);
        }
    }

    #[inline(always)]
    fn patch(&mut self, position: usize, word: u32) {
        if let Some(place) = self.bytes.get_mut(position..position + 4) {
            place.copy_from_slice(&word.to_le_bytes());
        }
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
    #[inline(always)]
    fn position(&self) -> usize {
        self.position
    }

    #[inline(always)]
    fn put(&mut self, bytes: &[u8]) {
        self.bytes[self.position..][..bytes.len()].copy_from_slice(bytes);
        self.position += bytes.len();
    }

    #[inline(always)]
    fn put_array<const N: usize>(&mut self, bytes: [u8; N]) {
        *self.bytes[self.position..].first_chunk_mut().expect("there is room") = bytes;
        self.position += N;
    }

    /// One store of known width where there is room for it.
    #[inline(always)]
    fn put_front<const N: usize>(&mut self, bytes: [u8; N], len: usize) {
        match self.bytes.get_mut(self.position..).and_then(|rest| rest.first_chunk_mut()) {
            Some(place) => {
                *place = bytes;
                self.position += len;
            }
            None => self.put(&bytes[..len]),
        }
    }

    #[inline(always)]
    fn room(&mut self, len: usize) -> Option<&mut [u8]> {
        self.bytes.get_mut(self.position..)?.get_mut(..len)
    }

    #[inline(always)]
    fn advance(&mut self, len: usize) {
        self.position += len;
    }

    #[inline(always)]
    fn put_zeros(&mut self, count: usize) {
        for byte in &mut self.bytes[self.position..][..count] {
            *byte = 0;
        }
        self.position += count;
    }

    #[inline(always)]
    fn put_utf32(&mut self, units: &[u32]) {
        self.position += utf8::write(&mut self.bytes[self.position..], units);
    }

    #[inline(always)]
    fn patch(&mut self, position: usize, word: u32) {
        self.bytes[position..position + 4].copy_from_slice(&word.to_le_bytes());
    }
}

/// Counts the bytes and keeps none.
#[derive(Clone, Copy, Debug)]
pub struct Measure {
    len: usize,
    limit: usize,
}

impl Default for Measure {
    /// With the limit of the engine.
    fn default() -> Self {
        Measure::with_limit(MAX_LEN)
    }
}

impl Measure {
    /// What lets an encoder give up behind about `limit` bytes.
    pub const fn with_limit(limit: usize) -> Measure {
        Measure { len: 0, limit }
    }

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
    #[inline(always)]
    fn position(&self) -> usize {
        self.len
    }

    #[inline(always)]
    fn limit(&self) -> usize {
        self.limit
    }

    #[inline(always)]
    fn put(&mut self, bytes: &[u8]) {
        self.len += bytes.len();
    }

    #[inline(always)]
    fn put_front<const N: usize>(&mut self, _bytes: [u8; N], len: usize) {
        self.len += len;
    }

    #[inline(always)]
    fn put_zeros(&mut self, count: usize) {
        self.len += count;
    }

    #[inline(always)]
    fn put_utf32(&mut self, units: &[u32]) {
        self.len += utf8::len(units);
    }

    fn patch(&mut self, _position: usize, _word: u32) {}
}
