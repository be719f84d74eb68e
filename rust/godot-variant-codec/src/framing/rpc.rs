//! What the multiplayer API sends: compressed values, lists of arguments, packets of RPCs.
//!
//! A compressed value is a `bool` in one byte, or an `int` in a byte and the 1, 2, 4 or 8 bytes
//! that it needs; every other type is an encoded value as it always is, and so is all that it
//! holds. Bits 0 to 5 of the first byte are the type, bits 6 and 7 the value of a `bool` (128 or 0)
//! or the width of an `int`. Values follow each other without alignment.
//! (`MultiplayerAPI::encode_and_compress_variant`, scene/main/multiplayer_api.cpp, Godot 4.0 to 4.6)
//!
//! ```
//! use godot_variant_codec::framing::rpc::{Arguments, compress};
//! use godot_variant_codec::variant::Value;
//!
//! let mut bytes = Vec::new();
//! compress(&mut bytes, &Value::Bool(true))?;
//! compress(&mut bytes, &Value::Int(-2))?;
//! assert_eq!(bytes, [0x81, 0x02, 0xFE]);
//!
//! let arguments = Arguments::new(&[Value::Bool(true), Value::Int(-2)])?;
//! assert_eq!(arguments.bytes, bytes);
//! assert_eq!(arguments.decode(2)?, [Value::Bool(true), Value::Int(-2)]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod packet;

pub use packet::{Packet, PacketError, Target};

use std::borrow::Cow;

use godot_variant::{Refusal, Segment, Sink, Source, Value, VariantType};

use crate::cursor::Cursor;
use crate::decode::{DecodeOptions, Decoder};
use crate::encode::Encoder;
use crate::error::{DecodeError, DecodeErrorKind};
use crate::limits::Limits;

/// The bits of the first byte that hold the type.
const TYPE_MASK: u8 = 0x3F;
/// Where the width of an int stands in the first byte: 0 to 3 for 1, 2, 4, 8 bytes.
const WIDTH_SHIFT: u8 = 6;
/// The value of a bool, in the first byte.
const TRUE: u8 = 0x80;

/// Appends `value` in the compressed form.
///
/// # Errors
/// As [`encode`](crate::encode). Then nothing was appended.
pub fn compress(out: &mut Vec<u8>, value: &impl Source) -> Result<(), Refusal> {
    let start = out.len();
    if let Err(refusal) = value.emit(Encoder::new(out)) {
        out.truncate(start);
        return Err(refusal);
    }
    // An encoded bool or int is the same number in a wider form.
    let small = match VariantType::from_id(u32::from(out[start])) {
        Some(VariantType::Bool | VariantType::Int) => {
            let mut value = Value::Nil;
            let decoded =
                Decoder::new(&out[start..], DecodeOptions::default()).decode_into(&mut value);
            debug_assert!(decoded.is_ok(), "a value decodes that was just encoded");
            value
        }
        _ => return Ok(()),
    };
    out.truncate(start);
    match small {
        Value::Int(int) => put_int(out, int),
        small => {
            let mark = if matches!(small, Value::Bool(true)) { TRUE } else { 0 };
            out.push(VariantType::Bool.id() | mark);
        }
    }
    Ok(())
}

fn put_int(out: &mut Vec<u8>, int: i64) {
    let bytes = int.to_le_bytes();
    let width = match int {
        _ if i8::try_from(int).is_ok() => 0,
        _ if i16::try_from(int).is_ok() => 1,
        _ if i32::try_from(int).is_ok() => 2,
        _ => 3,
    };
    out.push(VariantType::Int.id() | width << WIDTH_SHIFT);
    out.extend_from_slice(&bytes[..1 << width]);
}

/// Reads the compressed value at byte number `start` of `bytes` into `sink`, and returns where it
/// ends.
///
/// # Errors
/// The first thing that is wrong, its offset counted from the first of `bytes`.
pub fn decompress_into<S: Sink>(
    bytes: &[u8],
    start: usize,
    options: DecodeOptions,
    sink: S,
) -> Result<usize, DecodeError> {
    decompress(bytes, start, options, sink).map(|(end, _)| end)
}

/// As [`decompress_into`], with the number of elements that the limit leaves for the values behind it.
fn decompress<S: Sink>(
    bytes: &[u8],
    start: usize,
    options: DecodeOptions,
    sink: S,
) -> Result<(usize, usize), DecodeError> {
    let refused = |refusal: Refusal| DecodeError::refused(refusal, start);
    let mut cursor = Cursor::new(bytes, start);
    let [first] = cursor.take_array()?;
    match VariantType::from_id(u32::from(first & TYPE_MASK)) {
        Some(VariantType::Bool) => sink.bool(first & TRUE != 0).map_err(refused)?,
        Some(VariantType::Int) => {
            let int = match first >> WIDTH_SHIFT {
                0 => i64::from(i8::from_le_bytes(cursor.take_array()?)),
                1 => i64::from(i16::from_le_bytes(cursor.take_array()?)),
                2 => i64::from(i32::from_le_bytes(cursor.take_array()?)),
                _ => i64::from_le_bytes(cursor.take_array()?),
            };
            sink.int(int).map_err(refused)?;
        }
        _ => {
            let mut decoder = Decoder::at(bytes, start, options);
            decoder.decode_into(sink)?;
            return Ok((decoder.offset(), decoder.elements_left()));
        }
    }
    Ok((cursor.position(), options.limits.max_elements))
}

/// The arguments of a call, as they stand in a packet
/// (`MultiplayerAPI::encode_and_compress_variants`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Arguments<'a> {
    /// The compressed values; or the content of one `PackedByteArray`.
    pub bytes: Cow<'a, [u8]>,
    /// Whether there is no argument, or one `PackedByteArray` whose content stands there bare. A
    /// flag in the packet says so. One empty array is then no argument for the reader, as it is in
    /// the engine.
    pub bare: bool,
}

impl<'a> Arguments<'a> {
    /// Compresses the arguments of a call.
    ///
    /// # Errors
    /// What cannot be encoded, with the number of the argument in its path.
    pub fn new<T: Source>(values: &[T]) -> Result<Arguments<'static>, Refusal> {
        let mut bytes = Vec::new();
        for (index, value) in values.iter().enumerate() {
            compress(&mut bytes, value).map_err(|refusal| refusal.at(Segment::Index(index)))?;
        }
        crate::checked_total(bytes.len())?;
        let bare = match values {
            [] => true,
            [value] if bytes[0] == VariantType::PackedByteArray.id() => {
                let mut content = Value::Nil;
                value.emit(&mut content)?;
                if let Value::PackedByteArray(content) = content {
                    bytes = content;
                }
                true
            }
            _ => false,
        };
        Ok(Arguments { bytes: Cow::Owned(bytes), bare })
    }

    /// Arguments as they were received.
    pub fn received(bytes: &'a [u8], bare: bool) -> Arguments<'a> {
        Arguments { bytes: Cow::Borrowed(bytes), bare }
    }

    /// Decodes `count` arguments; bytes behind them are ignored. If they are [`bare`](Self::bare)
    /// `count` does not matter.
    ///
    /// # Errors
    /// The first thing that is wrong, with the number of the argument in its path.
    pub fn decode(&self, count: usize) -> Result<Vec<Value>, DecodeError> {
        let mut values = Vec::new();
        self.decode_each(count, DecodeOptions::default(), |decode| {
            let mut value = Value::Nil;
            decode.read(&mut value)?;
            values.push(value);
            Ok(())
        })?;
        Ok(values)
    }

    /// Calls `take` for each of `count` arguments, which must read it into a sink. The limit of elements holds for all of them
    /// together.
    ///
    /// # Errors
    /// The first error of `take`, with the number of the argument in its path.
    pub fn decode_each(
        &self,
        count: usize,
        options: DecodeOptions,
        mut take: impl FnMut(&mut NextArgument<'_>) -> Result<(), DecodeError>,
    ) -> Result<(), DecodeError> {
        let (bytes, bare, elements_left) = (&*self.bytes, self.bare, options.limits.max_elements);
        let mut next = NextArgument { bytes, position: 0, bare, options, elements_left };
        if self.bare {
            return if self.bytes.is_empty() { Ok(()) } else { take(&mut next) };
        }
        (0..count)
            .try_for_each(|index| take(&mut next).map_err(|error| error.at(Segment::Index(index))))
    }
}

/// The place of the next argument, from [`Arguments::decode_each`].
#[derive(Debug)]
pub struct NextArgument<'a> {
    bytes: &'a [u8],
    position: usize,
    bare: bool,
    options: DecodeOptions,
    /// Of the limit for all arguments.
    elements_left: usize,
}

impl NextArgument<'_> {
    /// Reads the argument into `sink`.
    ///
    /// # Errors
    /// The first thing that is wrong with it.
    pub fn read<S: Sink>(&mut self, sink: S) -> Result<(), DecodeError> {
        if self.bare {
            let refused = |refusal: Refusal| DecodeError::refused(refusal, 0);
            return sink.packed(godot_variant::PackedType::Byte, self.bytes).map_err(refused);
        }
        let max = self.options.limits.max_elements;
        let limits = Limits { max_elements: self.elements_left, ..self.options.limits };
        let options = DecodeOptions { limits, ..self.options };
        let decompressed = decompress(self.bytes, self.position, options, sink);
        (self.position, self.elements_left) = decompressed.map_err(|error| match error.kind() {
            DecodeErrorKind::TooManyElements { .. } => {
                error.with_kind(DecodeErrorKind::TooManyElements { max })
            }
            _ => error,
        })?;
        Ok(())
    }
}
