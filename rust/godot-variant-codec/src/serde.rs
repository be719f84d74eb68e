//! Rust's own types to encoded values and back, through [serde](https://serde.rs).
//!
//! ```
//! use serde::{Deserialize, Serialize};
//! use godot_variant_codec::serde::{Vector2, from_bytes, to_bytes};
//!
//! #[derive(Debug, PartialEq, Serialize, Deserialize)]
//! struct Player<'a> {
//!     name: &'a str, // borrowed from the bytes
//!     position: Vector2,
//!     health: Option<u32>,
//!     items: Vec<Item>,
//! }
//!
//! #[derive(Debug, PartialEq, Serialize, Deserialize)]
//! enum Item {
//!     Key,
//!     Coins(u32),
//! }
//!
//! // In GDScript: {"name": "Ada", "position": Vector2(1, 2), "health": null,
//! //               "items": ["Key", {"Coins": 3}]}
//! let player = Player {
//!     name: "Ada",
//!     position: Vector2 { x: 1.0, y: 2.0 },
//!     health: None,
//!     items: vec![Item::Key, Item::Coins(3)],
//! };
//! let bytes = to_bytes(&player)?;
//! assert_eq!(from_bytes::<Player>(&bytes)?, player);
//! # Ok::<(), godot_variant_codec::serde::Error>(())
//! ```
//!
//! | Rust | written as | read from |
//! |---|---|---|
//! | `()`, unit struct, `None` | null | null |
//! | `Some(x)`, newtype struct | `x` | `x` |
//! | `bool` | bool | bool |
//! | `i8` … `i64`, `u8` … `u64` | int; above 2⁶³ - 1 refused | int in the type's range |
//! | `f32`, `f64` | float | float, int |
//! | `char`, `str` | String | String, StringName, NodePath |
//! | `Vec`, tuple, tuple struct | Array | Array, packed arrays, vectors and other types made of numbers |
//! | map | Dictionary | Dictionary |
//! | struct | Dictionary with a String for each field | the same, StringName keys too |
//! | unit variant | String, the variant's name | String, StringName |
//! | other variants | Dictionary with one entry, the variant's name and its content | the same |
//! | bytes (`serde_bytes`) | `PackedByteArray` | `PackedByteArray` |
//! | [`Vector2`] and its like | that type | that type only |
//! | [`PackedFloat32Array`] and its like | that type | that type only |
//! | [`Variant`] | whatever it holds | anything |
//!
//! Other formats see the wrapper types as what they consist of, so that the same struct can also go
//! to JSON. This one counts as human-readable: types that have a text form, such as dates or UUIDs,
//! come to Godot as text.
//!
//! Bytes from a stranger are read under the rules of [`decode`](crate::decode): no panic, no depth
//! past the limit, no memory for elements that are not there.

/// The three traits for the elements of sequences, which differ in names only, by the type's own
/// `push` and `finish`.
macro_rules! sequences {
    ([$($generics:tt)*] $ty:ty) => {
        sequences!([$($generics)*] $ty, SerializeSeq::serialize_element);
        sequences!([$($generics)*] $ty, SerializeTuple::serialize_element);
        sequences!([$($generics)*] $ty, SerializeTupleStruct::serialize_field);
    };
    ([$($generics:tt)*] $ty:ty, $trait:ident::$method:ident) => {
        impl$($generics)* ::serde::ser::$trait for $ty {
            type Ok = ();
            type Error = Error;

            fn $method<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<(), Error> {
                self.push(value)
            }

            fn end(self) -> Result<(), Error> {
                self.finish()
            }
        }
    };
}

mod collect;
mod de;
mod de_access;
mod de_parts;
mod error;
mod ser;
mod ser_content;
mod types;

pub use de::Deserializer;
pub use error::Error;
pub use ser::Serializer;
pub use types::*;

use ::serde::de::{Deserialize, DeserializeOwned};
use ::serde::ser::Serialize;
use godot_variant::Value;

use crate::decode::DecodeOptions;
use crate::encode::Encoder;

/// Encodes `value`.
///
/// # Errors
/// What Godot has no value for, such as numbers above 2⁶³ - 1, with the path to it; and as
/// [`encode`](crate::encode).
pub fn to_bytes<T: Serialize + ?Sized>(value: &T) -> Result<Vec<u8>, Error> {
    let mut bytes = Vec::new();
    value.serialize(Serializer::new(Encoder::new(&mut bytes)))?;
    crate::checked_total(bytes.len())?;
    Ok(bytes)
}

/// Decodes a `T` from the start of `bytes`; what stands behind the value is ignored, as
/// [`decode`](crate::decode) does. Texts and bytes may be borrowed.
///
/// ```
/// use godot_variant_codec::serde::from_bytes;
/// // 300 does not fit in a u8.
/// let error = from_bytes::<Vec<u8>>(&[28, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 44, 1, 0, 0]).unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "invalid value: integer `300`, expected u8 (at byte 8, in [0])"
/// );
/// ```
///
/// # Errors
/// Bytes that are no value, or not one of a `T`, with the offset and the path.
pub fn from_bytes<'de, T: Deserialize<'de>>(bytes: &'de [u8]) -> Result<T, Error> {
    let mut decoder = crate::Decoder::new(bytes, DecodeOptions::default());
    T::deserialize(Deserializer::new(&mut decoder)).map_err(|error| error.or_offset(0))
}

/// The [`Value`] that stands for `value`: what [`to_bytes`] encodes.
///
/// # Errors
/// What Godot has no value for.
pub fn to_value<T: Serialize + ?Sized>(value: &T) -> Result<Value, Error> {
    let mut place = Value::Nil;
    value.serialize(Serializer::new(&mut place))?;
    Ok(place)
}

/// A `T` out of a decoded value.
///
/// # Errors
/// As [`from_bytes`]; the offset is the one that the encoded value would have.
pub fn from_value<T: DeserializeOwned>(value: &Value) -> Result<T, Error> {
    from_bytes(&crate::encode(value)?)
}
