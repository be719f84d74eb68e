//! Other dialects of the format, to and from the engine.

use godot::builtin::{PackedByteArray, Variant};
use godot_variant::{Refusal, Source};
use godot_variant_codec::{
    DecodeError, DecodeOptions, Dialect, DialectDecoder, DialectEncoder, EncodeOptions,
    checked_total,
};

use crate::engine::read::value::{EngineValue, Objects};
use crate::engine::write::slot::{LenHint, Slot};

/// The bytes of `variant` in `dialect`.
pub(crate) fn encode_as(
    variant: &Variant,
    objects: Objects,
    dialect: &Dialect,
    options: EncodeOptions,
) -> Result<PackedByteArray, Refusal> {
    let mut bytes = Vec::new();
    let value = EngineValue::new(variant, objects);
    value.emit(DialectEncoder::new(&mut bytes, dialect, options)?)?;
    checked_total(bytes.len())?;
    Ok(PackedByteArray::from(bytes))
}

/// The value at `start` of `bytes` in `dialect`, and where it ends.
pub(crate) fn decode_as(
    bytes: &PackedByteArray,
    start: usize,
    dialect: &Dialect,
    options: DecodeOptions,
) -> Result<(Variant, usize), DecodeError> {
    let mut value = Variant::nil();
    let mut decoder = DialectDecoder::at(bytes.as_slice(), start, dialect, options);
    decoder.decode_into(Slot::new(&mut value).with_hint(LenHint::Trusted).checking_types(true))?;
    Ok((value, decoder.offset()))
}
