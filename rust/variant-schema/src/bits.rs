//! A row of bits: the first one is the lowest bit of the first byte.

use std::borrow::Cow;

/// Writes bits.
#[derive(Clone, Debug, Default)]
pub(crate) struct BitWriter {
    bytes: Vec<u8>,
    /// The bits behind `bytes`, from the lowest on.
    last: u64,
    /// How many of `last` are in use: fewer than 64 between two calls.
    used: u32,
}

impl BitWriter {
    /// Writes the lowest `count` bits of `value`, at most 64. The others must be 0.
    #[inline]
    pub(crate) fn put(&mut self, value: u64, count: u32) {
        debug_assert!(count <= 64 && (count == 64 || value >> count == 0));
        self.last |= value << self.used;
        let all = self.used + count;
        if all < 64 {
            self.used = all;
            return;
        }
        self.bytes.extend_from_slice(&self.last.to_le_bytes());
        self.last = value.checked_shr(64 - self.used).unwrap_or(0);
        self.used = all - 64;
    }

    /// Writes a number in groups of 7 bits, the lowest first. A further bit says whether another group follows.
    #[inline]
    pub(crate) fn put_varint(&mut self, mut value: u64) {
        while value > 0x7F {
            self.put(value & 0x7F | 0x80, 8);
            value >>= 7;
        }
        self.put(value, 8);
    }

    /// Writes whole bytes.
    pub(crate) fn put_bytes(&mut self, bytes: &[u8]) {
        if self.used.is_multiple_of(8) {
            self.flush();
            return self.bytes.extend_from_slice(bytes);
        }
        let (words, rest) = bytes.as_chunks::<4>();
        words.iter().for_each(|word| self.put(u32::from_le_bytes(*word).into(), 32));
        rest.iter().for_each(|byte| self.put((*byte).into(), 8));
    }

    /// Writes the bits of another one.
    pub(crate) fn append(&mut self, other: &Self) {
        self.put_bytes(&other.bytes);
        self.put(other.last, other.used);
    }

    /// Moves the whole bytes of the last bits to the others.
    fn flush(&mut self) {
        let whole = self.used / 8;
        self.bytes.extend_from_slice(&self.last.to_le_bytes()[..whole as usize]);
        self.last >>= whole * 8;
        self.used %= 8;
    }

    /// All bits, with zeros up to the end of the last byte.
    pub(crate) fn finish(mut self) -> Vec<u8> {
        self.used = self.used.next_multiple_of(8);
        if self.used == 64 {
            self.bytes.extend_from_slice(&self.last.to_le_bytes());
        } else {
            self.flush();
        }
        self.bytes
    }
}

/// Reads bits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BitReader<'b> {
    bytes: &'b [u8],
    /// In bits.
    position: usize,
}

impl<'b> BitReader<'b> {
    pub(crate) fn new(bytes: &'b [u8]) -> Self {
        Self { bytes, position: 0 }
    }

    /// The byte with the next bit.
    pub(crate) fn offset(&self) -> usize {
        self.position / 8
    }

    /// How many bits are left.
    pub(crate) fn left(&self) -> usize {
        self.bytes.len() * 8 - self.position
    }

    /// The next `count` bits, at most 64; nothing if there are fewer.
    #[inline]
    pub(crate) fn take(&mut self, count: u32) -> Option<u64> {
        if count as usize > self.left() {
            return None;
        }
        let (at, shift) = (self.position / 8, self.position % 8);
        self.position += count as usize;
        let rest = &self.bytes[at..];
        let word = rest.first_chunk().copied().unwrap_or_else(|| {
            let mut word = [0; 8];
            word[..rest.len()].copy_from_slice(rest);
            word
        });
        let mut value = u64::from_le_bytes(word) >> shift;
        if shift > 0 && count as usize > 64 - shift {
            value |= u64::from(rest[8]) << (64 - shift);
        }
        Some(if count == 64 { value } else { value & ((1 << count) - 1) })
    }

    /// The number that [`BitWriter::put_varint`] wrote; nothing for one that ends early, is longer than necessary or too large.
    #[inline]
    pub(crate) fn take_varint(&mut self) -> Option<u64> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let group = self.take(8)?;
            let bits = group & 0x7F;
            if shift == 63 && bits > 1 || shift > 0 && group == 0 {
                return None;
            }
            value |= bits << shift;
            if group < 0x80 {
                return Some(value);
            }
        }
        None
    }

    /// The next bytes; nothing if there are fewer.
    pub(crate) fn take_bytes(&mut self, count: usize) -> Option<Cow<'b, [u8]>> {
        if count > self.left() / 8 {
            return None;
        }
        let (start, shift) = (self.position / 8, self.position % 8);
        self.position += count * 8;
        if shift == 0 {
            return Some(Cow::Borrowed(&self.bytes[start..start + count]));
        }
        let near = &self.bytes[start..=start + count];
        Some(near.windows(2).map(|pair| pair[0] >> shift | pair[1] << (8 - shift)).collect())
    }

    /// Whether only the bits up to the end of the last byte are left, and are 0.
    pub(crate) fn is_at_end(mut self) -> bool {
        let left = self.left();
        left < 8 && self.take(left as u32) == Some(0)
    }
}

/// Small numbers for small distances from 0: 0, -1, 1, -2, …
pub(crate) fn zigzag(value: i64) -> u64 {
    (value << 1 ^ value >> 63) as u64
}

/// The inverse of [`zigzag`].
pub(crate) fn unzigzag(value: u64) -> i64 {
    (value >> 1) as i64 ^ -((value & 1) as i64)
}

/// How many bits a number of at most `most` takes.
pub(crate) fn width_of(most: u64) -> u32 {
    64 - most.leading_zeros()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_come_back() {
        let mut random = fastrand::Rng::with_seed(1);
        for _ in 0..500 {
            let mut writer = BitWriter::default();
            let mut written = Vec::new();
            for _ in 0..random.usize(..60) {
                match random.u8(..4) {
                    0 => {
                        let value = random.u64(..) >> random.u32(..64);
                        writer.put_varint(value);
                        written.push((0, value, Vec::new()));
                    }
                    1 => {
                        let bytes: Vec<u8> =
                            (0..random.usize(..5)).map(|_| random.u8(..)).collect();
                        writer.put_bytes(&bytes);
                        written.push((1, 0, bytes));
                    }
                    _ => {
                        let count = random.u32(..=64);
                        let value = if count == 0 { 0 } else { random.u64(..) >> (64 - count) };
                        writer.put(value, count);
                        written.push((2 + u64::from(count), value, Vec::new()));
                    }
                }
            }
            let bytes = writer.finish();
            let mut reader = BitReader::new(&bytes);
            for (kind, value, whole) in written {
                match kind {
                    0 => assert_eq!(reader.take_varint(), Some(value)),
                    1 => assert_eq!(reader.take_bytes(whole.len()).as_deref(), Some(&whole[..])),
                    _ => assert_eq!(reader.take(kind as u32 - 2), Some(value)),
                }
            }
            assert!(reader.is_at_end());
        }
    }

    #[test]
    fn a_varint_has_one_form() {
        for bytes in [
            &[0x80, 0][..],
            &[0xFF; 10],
            &[0x80],
            &[0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 2],
        ] {
            assert_eq!(BitReader::new(bytes).take_varint(), None, "{bytes:?}");
        }
        for number in [i64::MIN, -1, 0, 1, i64::MAX] {
            assert_eq!(unzigzag(zigzag(number)), number);
        }
    }
}
