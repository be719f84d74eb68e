//! Encoding into a `PackedByteArray`.
//!
//! Small values are encoded in one pass into a buffer that is kept, and copied once. Large ones are
//! cut into parts that all cores share, or measured and then written where they end up: beside the
//! output itself there is never more than a megabyte.

mod chunk_encoder;
mod chunks;
pub(crate) mod long_text;
mod packed;

use engine_kernels::tuning::ENCODE_BUFFER_LEN;
use engine_kernels::uninit_output;
use godot::builtin::{PackedByteArray, Variant};
use spin::Mutex;
use variant::{Refusal, Source, VariantType};
use variant_codec::{Buffer, Encoder, checked_total};

use crate::engine::ffi::api::Content;
use crate::engine::memory::uninit_bytes;
use crate::engine::read::value::{EngineValue, Objects};

/// A lock that is never waited for, and costs a small value less than one that could be.
static BUFFER: Mutex<Buffer> = Mutex::new(Buffer::with_limit(ENCODE_BUFFER_LEN));

/// The bytes of `variant`.
pub(crate) fn encode(variant: &Variant, objects: Objects) -> Result<PackedByteArray, Refusal> {
    let mut bytes = PackedByteArray::new();
    // SAFETY: the array is new and ours.
    unsafe { encode_to(variant, objects, || (&raw mut bytes).cast())? };
    Ok(bytes)
}

/// Encodes `variant` into the array that `place` names, which is asked for when nothing can fail
/// any more.
///
/// # Safety
/// `place` must give the address of a valid, empty `PackedByteArray` that only the caller uses.
#[inline]
pub(super) unsafe fn encode_to(
    variant: &Variant,
    objects: Objects,
    place: impl FnOnce() -> Content,
) -> Result<(), Refusal> {
    let value = EngineValue::new(variant, objects);
    if let Some((ty, elements)) = value.packed() {
        if packed::is_worthwhile(ty, elements) {
            // SAFETY: promised by the caller; the wrapper is the engine's array.
            unsafe { *place().cast::<PackedByteArray>() = packed::encode(ty, elements)? };
            return Ok(());
        }
        // The engine's way is one copy of the bytes, or takes a few hundred nanoseconds.
        let arguments = [(&raw const *variant).cast()];
        // SAFETY: the function takes a Variant and returns an array, which replaces the empty one.
        unsafe { (value.api.var_to_bytes)(place(), arguments.as_ptr(), 1) };
        return Ok(());
    }
    if objects == Objects::AsIds
        && let Some(bytes) = encode_large(&value)?
    {
        // SAFETY: promised by the caller; the wrapper is the engine's array.
        unsafe { *place().cast::<PackedByteArray>() = bytes };
        return Ok(());
    }
    // While another thread has the buffer, this one makes its own. To describe an object runs code
    // that may encode, too, and must not be done twice.
    let mut kept = BUFFER.try_lock().filter(|_| objects == Objects::AsIds);
    let mut own = Buffer::default();
    let buffer = kept.as_deref_mut().unwrap_or(&mut own);
    buffer.reset(ENCODE_BUFFER_LEN);
    value.describe(Encoder::new(buffer))?;
    let len = checked_total(buffer.written())?;
    // SAFETY: promised by the caller.
    let room = unsafe {
        let array = place();
        uninit_bytes::resize(array, len);
        uninit_bytes::places(array, len)
    };
    match buffer.kept() {
        Some(bytes) => {
            room.write_copy_of_slice(bytes);
        }
        None => uninit_output::fill(room, |out| value.describe(Encoder::new(out)))?,
    }
    Ok(())
}

/// The bytes of a value that is large enough for another way than through the buffer.
#[inline]
fn encode_large(value: &EngineValue<'_>) -> Result<Option<PackedByteArray>, Refusal> {
    let parts = match value.variant_type() {
        Some(VariantType::Array | VariantType::Dictionary) => chunks::cut(value),
        Some(VariantType::PackedStringArray) => chunks::cut_strings(value),
        Some(VariantType::String) => return long_text::encode(value),
        _ => None,
    };
    // What a part refuses, the whole refuses too, and can say where it is.
    Ok(parts.and_then(|parts| chunk_encoder::encode(&parts).ok()))
}

/// Lets go of the buffers, except for those that a call works with: whether there was none.
pub(super) fn shut_down() -> bool {
    let is_free = BUFFER.try_lock().map(|mut buffer| buffer.reset(0)).is_some();
    chunk_encoder::shut_down() && is_free
}
