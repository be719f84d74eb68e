//! Memory that was never written, as a place for encoded bytes.
#![allow(unsafe_code)]

use std::mem::MaybeUninit;

use variant_codec::Output;

use crate::tuning::TEXT_PIECE_COUNT;

/// Writes to memory of which nothing is ever read before it was written. When it is dropped, after an error or a panic
/// too, what nothing was written to is filled with zeros.
///
/// Writing beyond the end panics.
#[derive(Debug)]
pub struct UninitOutput<'b> {
    bytes: &'b mut [MaybeUninit<u8>],
    /// All bytes in front of it are written.
    position: usize,
    /// So are those up to the end of the room that was given last, if that is further on.
    room_end: usize,
    /// Text on its way: the codec writes to memory that is initialised.
    text: Vec<u8>,
}

impl<'b> UninitOutput<'b> {
    /// Writes to `bytes` from the start.
    pub fn new(bytes: &'b mut [MaybeUninit<u8>]) -> UninitOutput<'b> {
        UninitOutput { bytes, position: 0, room_end: 0, text: Vec::new() }
    }
}

/// Fills all of `place` with what `write` writes to it, and with zeros behind that: even if the
/// value became shorter than it was measured, or `write` panics.
pub fn fill<R>(place: &mut [MaybeUninit<u8>], write: impl FnOnce(&mut UninitOutput<'_>) -> R) -> R {
    write(&mut UninitOutput::new(place))
}

impl Output for UninitOutput<'_> {
    #[inline(always)]
    fn position(&self) -> usize {
        self.position
    }

    #[inline(always)]
    fn put(&mut self, bytes: &[u8]) {
        self.bytes[self.position..][..bytes.len()].write_copy_of_slice(bytes);
        self.position += bytes.len();
    }

    /// Room of zeros, or a reference to it would be one to bytes that are none.
    #[inline]
    fn room(&mut self, len: usize) -> Option<&mut [u8]> {
        let room = self.bytes.get_mut(self.position..)?.get_mut(..len)?;
        room.fill(MaybeUninit::new(0));
        self.room_end = self.position + len;
        // SAFETY: all of it has just been written.
        Some(unsafe { room.assume_init_mut() })
    }

    #[inline]
    fn advance(&mut self, len: usize) {
        let end = self.position + len;
        assert!(end <= self.room_end.max(self.position), "only what was room can be appended");
        self.position = end;
    }

    fn put_utf32(&mut self, units: &[u32]) {
        let mut text = std::mem::take(&mut self.text);
        for units in units.chunks(TEXT_PIECE_COUNT) {
            text.clear();
            text.put_utf32(units);
            self.put(&text);
        }
        self.text = text;
    }

    fn patch(&mut self, position: usize, word: u32) {
        self.bytes[position..position + 4].write_copy_of_slice(&word.to_le_bytes());
    }
}

impl Drop for UninitOutput<'_> {
    fn drop(&mut self) {
        if let Some(rest) = self.bytes.get_mut(self.position..) {
            rest.fill(MaybeUninit::new(0));
        }
    }
}

#[cfg(all(test, not(loom)))]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use variant::{Array, Dictionary, Source, Value};
    use variant_codec::{Encoder, encode, encoded_len};

    use super::*;

    /// What stands in `len` bytes that nobody has written before `write` did.
    fn filled(len: usize, write: impl FnOnce(&mut UninitOutput<'_>)) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(len);
        write(&mut UninitOutput::new(&mut bytes.spare_capacity_mut()[..len]));
        // SAFETY: there is room for them, and the output has filled all when it was dropped. Miri sees whether it has.
        unsafe { bytes.set_len(len) };
        bytes
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
            let len = encoded_len(&value).expect("a value that can be encoded");
            let bytes = filled(len, |out| value.emit(Encoder::new(out)).expect("as above"));
            assert_eq!(bytes, expected, "{value:?}");
        }
    }

    #[test]
    fn the_engine_s_text_comes_as_the_codec_writes_it() {
        // Under Miri fewer: it takes minutes else.
        let count = if cfg!(miri) { 2100 } else { 6000 };
        let units: Vec<u32> = (0..count).map(|index| index * 0x5_1234 % 0x11_0000).collect();
        let mut expected = Vec::new();
        expected.put_utf32(&units);
        assert_eq!(filled(expected.len(), |out| out.put_utf32(&units)), expected);
    }

    #[test]
    fn the_rest_is_zeros() {
        assert_eq!(filled(4, |out| out.put(&[1, 2])), [1, 2, 0, 0]);
        assert_eq!(filled(3, |_| ()), [0; 3]);
        let bytes = filled(4, |out| {
            out.room(4).expect("there is room")[..2].fill(7);
            out.advance(1);
        });
        assert_eq!(bytes, [7, 0, 0, 0]);
        let bytes = filled(4, |out| {
            let panics = catch_unwind(AssertUnwindSafe(|| {
                out.put(&[9]);
                out.put(&[8; 4]);
            }));
            assert!(panics.is_err(), "written beyond the end");
        });
        assert_eq!(bytes, [9, 0, 0, 0]);
    }

    #[test]
    fn nothing_is_appended_that_was_not_written() {
        for (room, len) in [(0, 1), (3, 4)] {
            let appended = catch_unwind(|| {
                filled(8, |out| {
                    out.room(room).expect("there is room");
                    out.advance(len);
                })
            });
            assert!(appended.is_err(), "{len} bytes of {room}");
        }
        assert_eq!(UninitOutput::new(&mut [MaybeUninit::uninit(); 4]).room(5), None);
    }
}
