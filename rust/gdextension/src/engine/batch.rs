//! Many values at once, on all cores.

use godot::builtin::{AnyArray, Array, PackedByteArray, Variant};
use rayon::prelude::*;
use variant::Refusal;
use variant_codec::{DecodeError, DecodeOptions};

use super::decode::decode;
use super::encode::encode;
use super::reader::Objects;
use super::shared::Shared;
use super::workers;

/// The bytes of each value, in order.
pub(crate) fn encode_batch(values: &AnyArray) -> Vec<Result<PackedByteArray, Refusal>> {
    let variants: Vec<Shared<Variant>> = values.iter_shared().map(Shared).collect();
    let encode = |Shared(value): &Shared<Variant>| {
        workers::count_part();
        encode(value, Objects::AsIds).map(Shared)
    };
    let encoded: Vec<_> = workers::install(|| variants.par_iter().map(encode).collect());
    encoded.into_iter().map(|encoded| encoded.map(|Shared(bytes)| bytes)).collect()
}

/// The value in each entry, in order.
pub(crate) fn decode_batch(batch: &Array<PackedByteArray>) -> Vec<Result<Variant, DecodeError>> {
    let entries: Vec<Shared<PackedByteArray>> = batch.iter_shared().map(Shared).collect();
    let decode = |Shared(bytes): &Shared<PackedByteArray>| {
        workers::count_part();
        decode(bytes, 0, DecodeOptions::default()).map(|(value, _)| Shared(value))
    };
    let decoded: Vec<_> = workers::install(|| entries.par_iter().map(decode).collect());
    decoded.into_iter().map(|decoded| decoded.map(|Shared(value)| value)).collect()
}
