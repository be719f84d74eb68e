//! Memory that was never written, as a place for encoded bytes.
#![allow(unsafe_code)]

use std::mem::MaybeUninit;
use std::slice;

use godot_variant_codec::{Exact, MAX_LEN, Output};

use crate::tuning::{PREPARED_LEN, TEXT_PIECE_COUNT};

/// Memory that can be made longer.
///
/// # Safety
/// What [`Memory::places`] gives must stay where it is, also when the value itself is moved, until [`Memory::grow`] is called
/// or the value is dropped.
pub unsafe trait Memory {
    /// All of it.
    fn places(&mut self) -> &mut [MaybeUninit<u8>];
    /// Makes it `len` bytes long, which is more than it has, or longer; what was there stays. False if it may not be that long.
    fn grow(&mut self, len: usize) -> bool;
}

/// Writes to memory that it does not read before it has written to it, and that grows where it is too short.
///
/// Memory is written to twice: with zeros, a piece at a time, and then with what was encoded, while the piece is in the
/// nearest caches. So all writes are those of a [`Buffer`](godot_variant_codec::Buffer).
#[derive(Debug)]
pub struct UninitOutput<M> {
    memory: M,
    /// Where the places of the memory are, and how many.
    first: *mut MaybeUninit<u8>,
    len: usize,
    /// So many of them were written to.
    prepared: usize,
    position: usize,
    /// Something did not fit and is only counted.
    overflown: bool,
}

impl<M: Memory> UninitOutput<M> {
    /// Writes to `memory` from the start.
    pub fn new(mut memory: M) -> UninitOutput<M> {
        let places = memory.places();
        let (first, len) = (places.as_mut_ptr(), places.len());
        UninitOutput { memory, first, len, prepared: 0, position: 0, overflown: false }
    }

    /// The memory, of which so many bytes in front were written; `None` if it could not be as long as what was.
    pub fn into_written(self) -> Option<(M, usize)> {
        (!self.overflown).then_some((self.memory, self.position))
    }

    /// What may be read and written.
    #[inline(always)]
    fn prepared(&mut self) -> &mut [u8] {
        // SAFETY: the places stay where they are until the memory grows, when this is noted, and `self` is the only one that
        // uses them. The first `prepared` of them were written to, and are not more than there are.
        unsafe { slice::from_raw_parts_mut(self.first.cast(), self.prepared) }
    }

    /// Whether there is room for `len` more bytes, for which the memory does not grow.
    #[inline(always)]
    fn has_room(&mut self, len: usize) -> bool {
        self.position + len <= self.prepared || self.prepare(len)
    }

    /// Whether there is room for `len` more bytes, for which the memory may grow.
    #[inline(always)]
    fn makes_room(&mut self, len: usize) -> bool {
        self.has_room(len) || self.grow(len) && self.prepare(len)
    }

    /// Writes zeros to the next places, `len` at least, if there are so many.
    #[cold]
    #[inline(never)]
    fn prepare(&mut self, len: usize) -> bool {
        let needed = self.position + len;
        if self.overflown || needed > self.len {
            return false;
        }
        let end = needed.max(self.prepared + PREPARED_LEN).min(self.len);
        self.places(self.prepared, end).fill(MaybeUninit::new(0));
        self.prepared = end;
        true
    }

    /// Places that need hold nothing.
    fn places(&mut self, start: usize, end: usize) -> &mut [MaybeUninit<u8>] {
        assert!(start <= end && end <= self.len, "places of the memory");
        // SAFETY: as in `prepared`, and these need not have been written to.
        unsafe { slice::from_raw_parts_mut(self.first.add(start), end - start) }
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self, len: usize) -> bool {
        let needed = self.position + len;
        if !self.overflown && needed > self.len {
            let longer = needed.max(self.len + self.len / 2);
            self.overflown = !(self.memory.grow(longer) || self.memory.grow(needed));
            let places = self.memory.places();
            (self.first, self.len) = (places.as_mut_ptr(), places.len());
        }
        !self.overflown
    }

    /// As [`Output::put`], without the zeros.
    #[cold]
    #[inline(never)]
    fn put_long(&mut self, bytes: &[u8]) {
        let end = self.position + bytes.len();
        if end <= self.len && !self.overflown || self.grow(bytes.len()) {
            self.places(self.position, end).write_copy_of_slice(bytes);
            self.prepared = self.prepared.max(end);
        }
        self.position = end;
    }

    #[inline(always)]
    fn put_units(&mut self, units: &[u32]) {
        const LONGEST_UNIT: usize = 6;
        if self.has_room(LONGEST_UNIT * units.len()) {
            let position = self.position;
            let mut out = Exact::new(&mut self.prepared()[position..]);
            out.put_utf32(units);
            self.position += out.position();
        } else {
            self.put_last_units(units);
        }
    }

    /// Where there is room for no more than they take.
    #[cold]
    #[inline(never)]
    fn put_last_units(&mut self, units: &[u32]) {
        let mut text = Vec::new();
        text.put_utf32(units);
        self.put(&text);
    }
}

impl<M: Memory> Output for UninitOutput<M> {
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
        if bytes.len() >= PREPARED_LEN {
            return self.put_long(bytes);
        }
        if self.makes_room(bytes.len()) {
            let position = self.position;
            self.prepared()[position..][..bytes.len()].copy_from_slice(bytes);
        }
        self.position += bytes.len();
    }

    #[inline(always)]
    fn put_array<const N: usize>(&mut self, bytes: [u8; N]) {
        if self.makes_room(N) {
            let position = self.position;
            *self.prepared()[position..].first_chunk_mut().expect("there is room") = bytes;
        }
        self.position += N;
    }

    /// One store of known width, of which the next piece overwrites what is too much.
    #[inline(always)]
    fn put_front<const N: usize>(&mut self, bytes: [u8; N], len: usize) {
        if !self.has_room(N) {
            return self.put(&bytes[..len]);
        }
        let position = self.position;
        *self.prepared()[position..].first_chunk_mut().expect("there is room") = bytes;
        self.position += len;
    }

    #[inline(always)]
    fn put_zeros(&mut self, count: usize) {
        self.put_front([0; 4], count);
    }

    #[inline(always)]
    fn room(&mut self, len: usize) -> Option<&mut [u8]> {
        let position = self.position;
        self.has_room(len).then(|| &mut self.prepared()[position..][..len])
    }

    #[inline(always)]
    fn advance(&mut self, len: usize) {
        let end = self.position + len;
        assert!(end <= self.prepared, "only what was room can be appended");
        self.position = end;
    }

    #[inline(always)]
    fn put_utf32(&mut self, units: &[u32]) {
        if units.len() <= TEXT_PIECE_COUNT {
            return self.put_units(units);
        }
        for piece in units.chunks(TEXT_PIECE_COUNT) {
            self.put_units(piece);
        }
    }

    #[inline(always)]
    fn patch(&mut self, position: usize, word: u32) {
        if let Some(place) = self.prepared().get_mut(position..position + 4) {
            place.copy_from_slice(&word.to_le_bytes());
        }
    }
}

#[cfg(test)]
mod tests {
    use godot_variant::{Array, Dictionary, Source, Value};
    use godot_variant_codec::{Encoder, Measure, encode};

    use super::*;

    /// Memory that may have `max` bytes.
    struct Limited {
        places: Vec<MaybeUninit<u8>>,
        max: usize,
    }

    // SAFETY: the content of a Vec stays where it is until it grows.
    unsafe impl Memory for Limited {
        fn places(&mut self) -> &mut [MaybeUninit<u8>] {
            &mut self.places
        }

        fn grow(&mut self, len: usize) -> bool {
            if len <= self.max {
                self.places.resize(len, MaybeUninit::uninit());
            }
            len <= self.max
        }
    }

    /// What `write` writes to `len` bytes that nobody has written to before, or more; `None` if it is more than `max`.
    fn written(
        len: usize,
        max: usize,
        write: impl FnOnce(&mut UninitOutput<Limited>),
    ) -> Option<Vec<u8>> {
        let mut out = UninitOutput::new(Limited { places: vec![MaybeUninit::uninit(); len], max });
        write(&mut out);
        let (memory, len) = out.into_written()?;
        // SAFETY: what is in front of the position was written. Miri sees whether it was.
        Some(memory.places[..len].iter().map(|byte| unsafe { byte.assume_init() }).collect())
    }

    fn values() -> Vec<Value> {
        let texts = ["", "short", "a text of more than sixteen bytes", "\u{e4}\u{65e5}\u{1F600}"];
        let mut values: Vec<Value> = texts.into_iter().map(Value::from).collect();
        values.push(Value::from(
            "long \u{65e5} ".repeat(if cfg!(miri) { 20 } else { 1000 }).as_str(),
        ));
        values.extend([Value::Nil, Value::Bool(true), Value::Int(-1), Value::Int(1 << 40)]);
        values.push(Value::Float(0.1));
        values.push(Value::from((0..200).map(Value::Int).collect::<Array>()));
        values.push(Value::PackedByteArray(vec![7; PREPARED_LEN + 3]));
        let entries = values.iter().cloned().enumerate();
        let dictionary: Dictionary =
            entries.map(|(index, value)| (Value::Int(index as i64), value)).collect();
        values.push(Value::from(dictionary));
        values
    }

    #[test]
    fn holds_what_the_encoder_gives() {
        for value in values() {
            let expected = encode(&value).expect("a value that can be encoded");
            for len in [0, 1, expected.len() / 2, expected.len(), expected.len() + 100] {
                let write = |out: &mut UninitOutput<_>| {
                    value.emit(Encoder::new(out)).expect("a value that can be encoded");
                };
                let max = expected.len().max(len);
                assert_eq!(written(len, max, write).as_ref(), Some(&expected), "{value:?}");
            }
        }
    }

    #[test]
    fn what_has_no_room_is_counted() {
        for value in values().iter().filter(|value| **value != Value::Nil) {
            let expected = encode(value).expect("a value that can be encoded").len();
            let count = |out: &mut UninitOutput<_>| {
                value.emit(Encoder::new(out)).expect("a value that can be encoded");
                assert_eq!(out.position(), expected, "{value:?}");
            };
            assert_eq!(written(4, expected - 1, count), None, "{value:?}");
        }
        let texts = [[0x41; 9], [0x65e5; 9]];
        for units in texts {
            let mut measure = Measure::default();
            measure.put_utf32(&units);
            let count = |out: &mut UninitOutput<_>| {
                out.put(&[0; 4]);
                out.put_utf32(&units);
                assert_eq!(out.position(), 4 + measure.len());
            };
            assert_eq!(written(2, 3, count), None);
        }
    }

    #[test]
    fn the_engine_s_text_comes_as_the_codec_writes_it() {
        // Under Miri fewer: it takes minutes else.
        let count = if cfg!(miri) { 2100 } else { 6000 };
        let units: Vec<u32> = (0..count).map(|index| index * 0x5_1234 % 0x11_0000).collect();
        let mut expected = Vec::new();
        expected.put_utf32(&units);
        for len in [0, expected.len(), 7 * expected.len()] {
            let max = usize::MAX;
            assert_eq!(written(len, max, |out| out.put_utf32(&units)).as_ref(), Some(&expected));
        }
    }

    #[test]
    fn room_is_what_there_is() {
        let room = |out: &mut UninitOutput<_>| {
            assert_eq!(out.room(5), None);
            out.room(4).expect("there is room")[..2].fill(7);
            out.advance(1);
        };
        assert_eq!(written(4, 4, room), Some(vec![7]));
    }

    #[test]
    #[should_panic = "only what was room can be appended"]
    fn nothing_is_appended_that_was_not_written() {
        written(8, 8, |out| {
            out.room(3).expect("there is room");
            out.advance(9);
        });
    }
}
