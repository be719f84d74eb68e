//! Many values at once, on all cores.

use godot::builtin::{Array, PackedByteArray, VarArray, Variant};
use rayon::prelude::*;
use variant::Refusal;
use variant_codec::{DecodeError, DecodeOptions, Decoder, encode};

use super::api::api;
use super::reader::{EngineValue, Objects};
use super::workers;
use super::writer::Slot;

/// Something of the engine's that goes from one thread to another.
struct Shared<T>(T);

// SAFETY: what is shared here is read only (Variants that nobody changes during the call, as
// `FastVariant` documents) or belongs to one thread at a time (a decoded value, moved to the caller
// when it is whole). The engine's reference counts are atomic.
unsafe impl<T> Send for Shared<T> {}
// SAFETY: as above.
unsafe impl<T> Sync for Shared<T> {}

/// The bytes of each value, in order.
pub(crate) fn encode_batch(values: &VarArray) -> Vec<Result<Vec<u8>, Refusal>> {
    let variants: Vec<Shared<Variant>> = values.iter_shared().map(Shared).collect();
    workers::install(|| {
        let encode =
            |Shared(value): &Shared<Variant>| encode(&EngineValue::new(value, Objects::AsIds));
        variants.par_iter().map(encode).collect()
    })
}

/// The value in each entry, in order.
pub(crate) fn decode_batch(batch: &Array<PackedByteArray>) -> Vec<Result<Variant, DecodeError>> {
    // The calling thread looks the functions up, not a worker.
    let _ = api();
    let entries: Vec<Shared<PackedByteArray>> = batch.iter_shared().map(Shared).collect();
    let decode = |Shared(bytes): &Shared<PackedByteArray>| {
        let mut value = Variant::nil();
        Decoder::new(bytes.as_slice(), DecodeOptions::default())
            .decode_into(Slot::new(&mut value))
            .map(|()| Shared(value))
    };
    let decoded: Vec<_> = workers::install(|| entries.par_iter().map(decode).collect());
    decoded.into_iter().map(|decoded| decoded.map(|Shared(value)| value)).collect()
}
