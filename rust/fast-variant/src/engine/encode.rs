//! Encoding into a `PackedByteArray`.
//!
//! [`engine_kernels::route`] has the table of all routes. In addition to the output itself, a route keeps no more than a
//! megabyte, unless another call has the buffer, or objects are encoded whole: then its own buffer grows to the length of the
//! value.
//!
//! A value that is refused is walked again by the method that gdext registered, which reports it
//! ([`method_calls`](super::ffi::method_calls)).

mod estimate;
pub(crate) mod long_text;
mod packed;

use engine_kernels::route::{Route, Subject, route};
use engine_kernels::tuning::{ENCODE_BUFFER_LEN, ESTIMATE_MARGIN};
use engine_kernels::uninit_output::UninitOutput;
use godot::builtin::{PackedByteArray, Variant};
use godot_variant::{Refusal, Source, VariantType};
use godot_variant_codec::{Buffer, Encoder, Output, checked_total};
use spin::Mutex;

use crate::engine::ffi::api::Content;
use crate::engine::memory::uninit_bytes::{self, UninitBytes};
use crate::engine::read::value::{EngineValue, Objects};

/// A spin lock, which no thread waits for: to take it is one locked instruction, and small values count nanoseconds.
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
    let route = route(subject(&value), value.api.layout.uninit_arrays);
    if route == Route::Engine {
        let arguments = [(&raw const *variant).cast()];
        // SAFETY: the function takes a Variant and returns an array, which replaces the empty one
        // that `place` gives.
        unsafe { (value.api.var_to_bytes)(place(), arguments.as_ptr(), 1) };
        return Ok(());
    }
    if route != Route::Buffer
        && let Some(bytes) = whole(&value, route)?
    {
        // SAFETY: `place` gives the address of an array that only the caller uses; the wrapper is
        // the engine's array.
        unsafe { *place().cast::<PackedByteArray>() = bytes };
        return Ok(());
    }
    // SAFETY: `place` is handed on.
    unsafe { encode_through_buffer(&value, place) }
}

/// What the route of the value depends on.
#[inline]
fn subject(value: &EngineValue<'_>) -> Subject {
    match value.variant_type() {
        Some(VariantType::Array | VariantType::Dictionary) => {
            Subject::Container { estimate: estimate::of_containers(value) }
        }
        Some(VariantType::String) => {
            Subject::Text { count: value.text_units().map_or(0, <[u32]>::len) }
        }
        Some(VariantType::PackedStringArray) => {
            let strings = value.packed_strings().unwrap_or_default();
            Subject::Container { estimate: estimate::of_strings(value, strings) }
        }
        _ => match value.packed() {
            Some((ty, elements)) => Subject::Packed { ty, len: elements.len() },
            None => Subject::Other,
        },
    }
}

/// The bytes of a value on a route that makes the whole array itself; `None` on the two others. A function of its own, so that
/// small values do not pay for what it keeps on the stack.
#[inline(never)]
fn whole(value: &EngineValue<'_>, route: Route) -> Result<Option<PackedByteArray>, Refusal> {
    match route {
        Route::Engine | Route::Buffer => Ok(None),
        Route::PackedCopy | Route::PackedParallel => {
            let Some((ty, elements)) = value.packed() else { return Ok(None) };
            packed::encode(ty, elements, route).map(Some)
        }
        Route::LongText => {
            let Some(units) = value.text_units() else { return Ok(None) };
            long_text::encode(value, units).map(Some)
        }
        Route::Direct { estimate } => {
            encode_direct(value, estimate + estimate / ESTIMATE_MARGIN).map(Some)
        }
    }
}

/// Encodes into an array for which `room` bytes are made, and that grows if that is too little.
#[inline(never)]
fn encode_direct(value: &EngineValue<'_>, room: usize) -> Result<PackedByteArray, Refusal> {
    let mut out = UninitOutput::new(UninitBytes::new(room));
    value.emit(Encoder::new(&mut out))?;
    let written = checked_total(out.position())?;
    let Some((mut bytes, len)) = out.into_written() else {
        unreachable!("{written} bytes are not too many for an array");
    };
    bytes.resize(len);
    // SAFETY: the output has written all bytes in front of its position.
    Ok(unsafe { bytes.assume_init() })
}

/// Encodes into the buffer, and copies; if the value is longer than the buffer, encodes it again into the array.
///
/// # Safety
/// As [`encode_to`].
#[inline]
unsafe fn encode_through_buffer(
    value: &EngineValue<'_>,
    place: impl FnOnce() -> Content,
) -> Result<(), Refusal> {
    // While another thread has the buffer, this one makes its own. To emit an object runs code
    // that may encode, too, and must not be done twice.
    let mut kept = BUFFER.try_lock().filter(|_| value.objects == Objects::AsIds);
    let mut own = Buffer::default();
    let buffer = kept.as_deref_mut().unwrap_or(&mut own);
    buffer.reset(ENCODE_BUFFER_LEN);
    value.emit(Encoder::new(buffer))?;
    let len = checked_total(buffer.written())?;
    let Some(bytes) = buffer.kept() else {
        let bytes = encode_direct(value, len)?;
        // SAFETY: `place` gives the address of an array that only the caller uses; the wrapper is the engine's array.
        unsafe { *place().cast::<PackedByteArray>() = bytes };
        return Ok(());
    };
    // SAFETY: `place` gives the address of a valid, empty array that only the caller uses.
    unsafe {
        let array = place();
        uninit_bytes::resize(array, len);
        uninit_bytes::places(array, len).write_copy_of_slice(bytes);
    }
    Ok(())
}

/// Lets go of the buffer, except if a call works with it: whether there was none.
pub(super) fn shut_down() -> bool {
    BUFFER.try_lock().map(|mut buffer| buffer.reset(0)).is_some()
}
