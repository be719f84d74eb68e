//! Godot's binary serialization of Variants, byte for byte as Godot 4 has it, without an engine.
//!
//! | GDScript | here |
//! |---|---|
//! | `var_to_bytes(value)` | [`encode(&value)`](encode) |
//! | `bytes_to_var(bytes)` | [`decode(&bytes)`](decode) |
//! | `bytes.decode_var_size(0)` | [`encoded_len(&value)`](encoded_len), [`Reader::offset`] |
//! | `file.store_var(value)`, `stream.get_var()` | [`framing`] |
//!
//! ```
//! use godot_variant_codec::{decode, encode, variant::Value};
//!
//! let bytes = encode(&Value::Int(7))?;
//! assert_eq!(bytes, [2, 0, 0, 0, 7, 0, 0, 0]);
//! assert_eq!(decode(&bytes)?, Value::Int(7));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Properties
//!
//! - **Exact**: encoding gives the bytes of `var_to_bytes` (core/io/marshalls.cpp, Godot 4.4 to
//!   4.6; the padding of a `NodePath` is zero as in 4.6.3, earlier versions leave garbage there).
//! - **The engine's verdict**: [`decode`] accepts and rejects what `bytes_to_var` accepts and
//!   rejects, leniencies included. See [`decode`] for the one thing that a [`Value`] does not do:
//!   convert the elements of typed containers.
//! - **Safe on hostile bytes**: no panic, no recursion past
//!   [`MAX_RECURSION_DEPTH`](godot_variant::MAX_RECURSION_DEPTH), no allocation larger than a constant
//!   times the bytes that are really there. An error names its kind, its offset and its path.
//! - **One pass**: lengths are patched in after the content, nothing is measured first.
//!
//! [`Encoder`] is a [`Sink`](godot_variant::Sink) and [`Decoder`] fills any: the same code serves
//! [`Value`], engine memory, and whatever else implements the two traits of [`godot_variant`].

#![forbid(unsafe_code)]

// Its examples are tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

mod allowed_objects;
mod collisions;
mod cursor;
mod decode;
mod dialect;
mod element_index;
mod encode;
mod error;
mod file_kind;
pub mod framing;
mod header;
pub mod inspect;
mod limits;
mod output;
mod packed_elements;
mod reader;
pub mod salvage;
pub mod saved;
#[cfg(feature = "serde")]
pub mod serde;
mod skip;
#[cfg(feature = "tokio")]
pub mod tokio;
mod unread;
mod utf8;
mod value_ref;
mod walk;

pub use allowed_objects::AllowedObjects;
pub use collisions::{CollisionCounter, KeyCounter, check_argument_collisions, check_collisions};
pub use decode::{DecodeOptions, Decoder, decode_number};
pub use dialect::{
    Dialect, DialectDecoder, DialectEncoder, EncodeOptions, decode_as, detect_dialects, encode_as,
};
pub use element_index::ElementIndex;
pub use encode::{EncodedContent, Encoder};
pub use error::{DecodeError, DecodeErrorKind};
pub use file_kind::FileKind;
pub use godot_variant as variant;
pub use limits::Limits;
pub use output::{Buffer, Exact, Measure, Output};
pub use reader::Reader;
pub use value_ref::ValueRef;
pub use walk::{Elements, Entries};

use godot_variant::{Refusal, RefusalKind, Source, Value};

/// The largest length that the format can say, of a text, a container or a whole value: the engine
/// counts in signed 32-bit numbers.
pub const MAX_LEN: usize = i32::MAX as usize;

/// Encodes `value` as `var_to_bytes` does.
///
/// What it gives grows as it is written, since to measure a container first would take half as long
/// again: while it grows, up to three times its bytes may be asked for. Where that is too much, encode
/// into a place of [`encoded_len`] bytes with [`Exact`], which takes nothing beside it.
///
/// # Errors
/// [`RefusalKind::TooDeep`] past 1024 levels,
/// [`RefusalKind::TooLarge`] where a length does not fit the
/// format's 31 bits, [`RefusalKind::ValueTooLarge`] where the whole does not.
pub fn encode(value: &impl Source) -> Result<Vec<u8>, Refusal> {
    let mut bytes = Vec::new();
    value.emit(Encoder::new(&mut bytes))?;
    checked_total(bytes.len())?;
    Ok(bytes)
}

/// The number of bytes that [`encode`] would give, always a multiple of 4, without making them.
///
/// ```
/// use godot_variant_codec::{encoded_len, variant::Value};
/// assert_eq!(encoded_len(&Value::from("hello"))?, 4 + 4 + 8);
/// # Ok::<(), godot_variant_codec::variant::Refusal>(())
/// ```
///
/// # Errors
/// As [`encode`].
pub fn encoded_len(value: &impl Source) -> Result<usize, Refusal> {
    let mut measure = Measure::default();
    value.emit(Encoder::new(&mut measure))?;
    checked_total(measure.len())
}

/// The length of a whole encoded value, if the engine can have that many bytes.
///
/// # Errors
/// [`RefusalKind::ValueTooLarge`] above [`MAX_LEN`].
pub fn checked_total(len: usize) -> Result<usize, Refusal> {
    if len > MAX_LEN {
        return Err(Refusal::new(RefusalKind::ValueTooLarge { max: MAX_LEN }));
    }
    Ok(len)
}

/// Decodes one value as `bytes_to_var` does; bytes behind it are ignored.
///
/// Where the engine would convert or drop an element that does not fit its typed array, the
/// [`Value`] keeps it as it was written.
///
/// ```
/// use godot_variant_codec::{decode, DecodeErrorKind};
///
/// let cut = [28, 0, 0, 0, 1, 0, 0, 0, 4, 0, 0, 0, 9, 0, 0, 0, b'h', b'i'];
/// let error = decode(&cut).unwrap_err();
/// assert_eq!(error.kind(), &DecodeErrorKind::UnexpectedEnd { needed: 12, available: 2 });
/// assert_eq!(error.to_string(), "unexpected end: 12 bytes needed, 2 left (at byte 16, in [0])");
/// ```
///
/// # Errors
/// Where the engine would give null, with the reason, the offset and the path. Objects with
/// properties are refused; [`Decoder`] with [`DecodeOptions::allow_objects`] takes them.
pub fn decode(bytes: &[u8]) -> Result<Value, DecodeError> {
    let mut value = Value::Nil;
    Decoder::new(bytes, DecodeOptions::default()).decode_into(&mut value)?;
    Ok(value)
}
