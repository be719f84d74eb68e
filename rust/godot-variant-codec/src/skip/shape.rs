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
    mask: [[u32; GROUP]; GROUPS],
    /// What such a word is, and 0 for every other.
    expected: [[u32; GROUP]; GROUPS],
}

/// The words that are compared together.
const GROUP: usize = 8;

/// A longer value is mostly content, which is stepped over at once.
const GROUPS: usize = 16;

impl Default for Shape {
    fn default() -> Shape {
        Shape { len: 0, mask: [[0; GROUP]; GROUPS], expected: [[0; GROUP]; GROUPS] }
    }
}

impl Shape {
    /// How many of the values at the start of `bytes` have this shape, up to `max`, and behind how
    /// many bytes the next one starts.
    pub(super) fn count_at(&self, bytes: &[u8], max: usize) -> (usize, usize) {
        // Whole groups, of which the last may reach behind the value: nothing there decides.
        let groups = self.len.div_ceil(4 * GROUP);
        let (mask, expected) = (&self.mask[..groups], &self.expected[..groups]);
        let (mut count, mut position) = (0, 0);
        while count < max && self.len > 0 {
            let rest = bytes.get(position..).unwrap_or_default().as_chunks().0;
            let Some(value) = rest.get(..groups) else { break };
            let mut difference = [0; GROUP];
            for index in 0..groups {
                let (mask, expected) = (&mask[index], &expected[index]);
                let words = group(&value[index]);
                // Without a branch for each word, so that the processor compares all at once.
                for word in 0..GROUP {
                    difference[word] |= (words[word] & mask[word]) ^ expected[word];
                }
            }
            if difference != [0; GROUP] {
                break;
            }
            count += 1;
            position += self.len;
        }
        (count, position)
    }

    /// Learns the shape of the value at `start`; until [`Learner::end`] there is none.
    pub(super) fn begin(&mut self, start: usize) -> Learner<'_> {
        *self = Shape::default();
        Learner { shape: self, start, whole: true }
    }
}

#[inline(always)]
fn group(bytes: &[u8; 4 * GROUP]) -> [u32; GROUP] {
    let mut words = [0; GROUP];
    for (index, word) in words.iter_mut().enumerate() {
        let at = 4 * index;
        *word = u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
    }
    words
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
        if self.whole && len <= 4 * GROUP * GROUPS && len.is_multiple_of(4) {
            self.shape.len = len;
        }
    }
}

impl Witness for Learner<'_> {
    #[inline]
    fn word(&mut self, position: usize, word: u32) {
        let index = (position - self.start) / 4;
        // All that is written has lengths that are multiples of four, so far.
        match self.shape.mask.as_flattened_mut().get_mut(index) {
            Some(mask) if (position - self.start).is_multiple_of(4) => {
                *mask = u32::MAX;
                self.shape.expected.as_flattened_mut()[index] = word;
            }
            _ => self.whole = false,
        }
    }

    fn other(&mut self) {
        self.whole = false;
    }
}
