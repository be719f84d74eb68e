//! Which dialects bytes could be of.

use godot_variant::Value;

use super::{Dialect, DialectDecoder};
use crate::decode::DecodeOptions;

/// The dialects in which `bytes` are exactly one value, from the first byte to the last.
///
/// Many values are the same in several dialects: an empty list is an answer, one name is an answer,
/// more names are a choice. Objects with properties are let through, and components of vectors are
/// taken to have 32 bits where no mark tells. Bytes beyond `options.limits` are of no dialect.
///
/// ```
/// use godot_variant_codec::{DecodeOptions, detect_dialects};
/// let names = |bytes: &[u8]| -> Vec<_> {
///     detect_dialects(bytes, DecodeOptions::default()).map(|dialect| dialect.name()).collect()
/// };
/// // An int of 32 bits, as all but the page of 3.0 write it.
/// let all_but_one = ["GODOT_4", "GODOT_4_3", "GODOT_4_0", "GODOT_3", "GODOT_2", "DOCS_4_2"];
/// assert_eq!(names(&[2, 0, 0, 0, 7, 0, 0, 0]), all_but_one);
/// assert_eq!(names(&[28, 0, 1, 0, 2, 0, 0, 0, 0, 0, 0, 0]), ["GODOT_4", "GODOT_4_3"]); // Array[int]
/// assert!(names(b"no").is_empty());
/// ```
pub fn detect_dialects(
    bytes: &[u8],
    options: DecodeOptions,
) -> impl Iterator<Item = &'static Dialect> {
    let options = DecodeOptions { allow_objects: true, double_precision: false, ..options };
    Dialect::ALL.into_iter().filter(move |dialect| is_whole(bytes, dialect, options))
}

fn is_whole(bytes: &[u8], dialect: &Dialect, options: DecodeOptions) -> bool {
    let mut value = Value::Nil;
    let mut decoder = DialectDecoder::new(bytes, dialect, options);
    decoder.decode_into(&mut value).is_ok() && decoder.offset() == bytes.len()
}
