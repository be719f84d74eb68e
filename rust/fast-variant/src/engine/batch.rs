//! Many values at once, on all cores.

use godot::builtin::{AnyArray, PackedByteArray, Variant, VariantType};
use godot_variant::Refusal;
use godot_variant_codec::{DecodeError, DecodeOptions};
use rayon::prelude::*;

use crate::decode_options::type_name;
use crate::engine::decode::decode;
use crate::engine::encode::encode;
use crate::engine::memory::cross_thread::Moved;
use crate::engine::parallel::workers;
use crate::engine::read::value::Objects;

/// The bytes of each value, in order.
pub(crate) fn encode_batch(values: &AnyArray) -> Vec<Result<PackedByteArray, Refusal>> {
    let variants: Vec<Moved<Variant>> = values.iter_shared().map(Moved).collect();
    let encode = |Moved(value): &Moved<Variant>| {
        workers::count_part();
        encode(value, Objects::AsIds).map(Moved)
    };
    let encoded: Vec<_> = workers::install(|| variants.par_iter().map(encode).collect());
    encoded.into_iter().map(|encoded| encoded.map(|Moved(bytes)| bytes)).collect()
}

/// Why an entry of a batch has no value.
#[derive(Debug, thiserror::Error)]
pub(crate) enum EntryError {
    #[error("it has the type {0}; expected PackedByteArray")]
    NoBytes(String),
    #[error("{0}")]
    NoValue(#[from] DecodeError),
}

/// The value in each entry, in order.
pub(crate) fn decode_batch(batch: &AnyArray) -> Vec<Result<Variant, EntryError>> {
    let bytes_of = |entry: Variant| match entry.get_type() {
        VariantType::PACKED_BYTE_ARRAY => Ok(Moved(entry.to::<PackedByteArray>())),
        _ => Err(type_name(&entry)),
    };
    let entries: Vec<_> = batch.iter_shared().map(bytes_of).collect();
    let decode = |entry: &Result<Moved<PackedByteArray>, String>| {
        workers::count_part();
        let Moved(bytes) = entry.as_ref().map_err(|found| EntryError::NoBytes(found.clone()))?;
        Ok(decode(bytes, 0, DecodeOptions::default(), false).map(|(value, _)| Moved(value))?)
    };
    let decoded: Vec<_> = workers::install(|| entries.par_iter().map(decode).collect());
    let value = |decoded: Result<Moved<Variant>, EntryError>| decoded.map(|Moved(value)| value);
    decoded.into_iter().map(value).collect()
}
