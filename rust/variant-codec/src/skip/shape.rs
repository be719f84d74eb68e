//! What a value looks like that is written again and again, such as one record of many.

use super::steps::Witness;

/// The words of a value that decide where it ends: headers, lengths and counts.
///
/// A value that has the same words at the same places is as long, and as good. To compare them is
/// several times faster than to follow them one by one: where the next value starts is known before
/// this one has been read.
#[derive(Clone, Debug)]
pub(super) struct Shape {
    /// In bytes; 0 for no shape.
    len: usize,
    /// All ones for a word that decides.
    mask: [u32; MAX_WORDS],
    /// What such a word is, and 0 for every other.
    expected: [u32; MAX_WORDS],
}

/// A longer value is mostly content, which is stepped over at once.
const MAX_WORDS: usize = 128;

impl Default for Shape {
    fn default() -> Shape {
        Shape { len: 0, mask: [0; MAX_WORDS], expected: [0; MAX_WORDS] }
    }
}

impl Shape {
    #[inline]
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Whether the value at the start of `bytes` has this shape.
    #[inline]
    pub(super) fn fits(&self, bytes: &[u8]) -> bool {
        let Some(value) = bytes.get(..self.len) else { return false };
        let words = value.as_chunks::<4>().0;
        let (mask, expected) = (&self.mask[..words.len()], &self.expected[..words.len()]);
        // Without a branch for each word, so that several are compared at once.
        let mut difference = 0;
        for ((word, mask), expected) in words.iter().zip(mask).zip(expected) {
            difference |= (u32::from_le_bytes(*word) & mask) ^ expected;
        }
        difference == 0 && self.len > 0
    }

    /// Learns the shape of the value at `start`; until [`Learner::end`] there is none.
    pub(super) fn begin(&mut self, start: usize) -> Learner<'_> {
        *self = Shape::default();
        Learner { shape: self, start, whole: true }
    }
}

/// Writes down a shape.
pub(super) struct Learner<'s> {
    shape: &'s mut Shape,
    start: usize,
    /// Whether everything that decides has been written down.
    whole: bool,
}

impl Learner<'_> {
    /// The value ends here.
    pub(super) fn end(self, end: usize) {
        let len = end - self.start;
        if self.whole && len <= 4 * MAX_WORDS && len.is_multiple_of(4) {
            self.shape.len = len;
        }
    }
}

impl Witness for Learner<'_> {
    #[inline]
    fn word(&mut self, position: usize, word: u32) {
        let index = (position - self.start) / 4;
        // All that is written has lengths that are multiples of four, so far.
        match self.shape.mask.get_mut(index) {
            Some(mask) if (position - self.start).is_multiple_of(4) => {
                *mask = u32::MAX;
                self.shape.expected[index] = word;
            }
            _ => self.whole = false,
        }
    }

    fn other(&mut self) {
        self.whole = false;
    }
}
