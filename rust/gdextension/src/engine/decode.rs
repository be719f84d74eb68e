//! Decoding from bytes into the engine.

use godot::builtin::Variant;
use variant_codec::{DecodeError, DecodeOptions, Decoder};

use super::writer::Slot;

/// The value at `start` of `bytes`, and where it ends.
///
/// On the thread of the caller, however large: memory that another thread takes and the caller's
/// thread frees costs the C library more than the other core saves (an Array of 20,000 dictionaries
/// took twice as long on two cores, glibc 2.41).
pub(crate) fn decode(
    bytes: &[u8],
    start: usize,
    options: DecodeOptions,
) -> Result<(Variant, usize), DecodeError> {
    let mut value = Variant::nil();
    let mut decoder = Decoder::at(bytes, start, options);
    decoder.decode_into(Slot::new(&mut value))?;
    Ok((value, decoder.offset()))
}
