//! Many values at once, on all cores.

use godot::builtin::{AnyArray, Array, PackedByteArray, Variant};
use godot_variant::Refusal;
use godot_variant_codec::{DecodeError, DecodeOptions};
use rayon::prelude::*;

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

/// The value in each entry, in order.
pub(crate) fn decode_batch(batch: &Array<PackedByteArray>) -> Vec<Result<Variant, DecodeError>> {
    let entries: Vec<Moved<PackedByteArray>> = batch.iter_shared().map(Moved).collect();
    let decode = |Moved(bytes): &Moved<PackedByteArray>| {
        workers::count_part();
        decode(bytes, 0, DecodeOptions::default()).map(|(value, _)| Moved(value))
    };
    let decoded: Vec<_> = workers::install(|| entries.par_iter().map(decode).collect());
    decoded.into_iter().map(|decoded| decoded.map(|Moved(value)| value)).collect()
}
