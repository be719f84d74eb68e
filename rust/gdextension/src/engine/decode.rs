//! Decoding from bytes into the engine.

use std::ffi::c_void;
use std::slice;

use godot::builtin::{PackedByteArray, Variant};
use variant::{PackedType, Refusal, Source, Value};
use variant_codec::{DecodeError, DecodeOptions, Decoder, ValueRef};

use super::api::{Api, call_int};
use super::shelf::shelf;
use super::writer::Slot;

/// A packed array of fewer bytes is filled as fast by us.
const LARGE_PACKED: usize = 1 << 16;

/// What is shorter holds no words that come again.
const SMALL: usize = 32;

/// The value at `start` of `bytes`, and where it ends.
///
/// On the thread of the caller, however large: memory that another thread takes and the caller's
/// thread frees costs the C library more than the other core saves (an Array of 20,000 dictionaries
/// took twice as long on two cores, glibc 2.41).
pub(crate) fn decode(
    bytes: &PackedByteArray,
    start: usize,
    options: DecodeOptions,
) -> Result<(Variant, usize), DecodeError> {
    if start == 0
        && let Some(decoded) = decode_large_packed(bytes)
    {
        return Ok(decoded);
    }
    let mut value = Variant::nil();
    let mut decoder = Decoder::at(bytes.as_slice(), start, options);
    let shelf = shelf();
    let shelf = shelf.as_deref().and_then(Option::as_ref);
    decoder.decode_into(Slot::new(&mut value).with(shelf))?;
    Ok((value, decoder.offset()))
}

/// The value that `view` shows.
pub(crate) fn decode_view(view: &ValueRef<'_>) -> Result<Variant, DecodeError> {
    let mut value = Variant::nil();
    view.decode_into(Slot::new(&mut value))?;
    Ok(value)
}

/// `value` as one of the engine.
pub(crate) fn variant_of(value: &Value) -> Result<Variant, Refusal> {
    let mut variant = Variant::nil();
    value.describe(Slot::new(&mut variant))?;
    Ok(variant)
}

/// A large packed array, which the engine copies once; an array that is made from outside is filled
/// with zeros first. Given to the engine only when it is seen to be whole, as it logs every error.
fn decode_large_packed(bytes: &PackedByteArray) -> Option<(Variant, usize)> {
    if bytes.len() < LARGE_PACKED {
        return None;
    }
    let value = ValueRef::new(bytes.as_slice()).ok()?;
    value.as_packed().ok()??;
    let end = value.encoded_bytes().ok()?.len();
    Some((godot::global::bytes_to_var(bytes), end))
}

/// Decodes the value at the start of `bytes` into `result`; does nothing and says so if that fails,
/// or is to be left to [`decode`].
///
/// # Safety
/// `bytes` must point to a `PackedByteArray` that nobody changes meanwhile, `result` to a nil that
/// only the caller uses.
#[inline]
pub(super) unsafe fn decode_plain(
    api: &'static Api,
    bytes: *const c_void,
    result: *mut Variant,
) -> bool {
    let functions = api.packed(PackedType::Byte);
    // SAFETY: promised by the caller; the bytes stand in one row from the first on.
    let bytes = unsafe {
        let len = call_int(functions.size, bytes) as usize;
        if len == 0 || len >= LARGE_PACKED {
            return false;
        }
        slice::from_raw_parts((functions.index_const)(bytes.cast_mut(), 0).cast_const(), len)
    };
    let mut decoder = Decoder::new(bytes, DecodeOptions::default());
    // Not worth it for a single number or text.
    let shelf = if bytes.len() > SMALL { shelf() } else { None };
    let shelf = shelf.as_deref().and_then(Option::as_ref);
    // SAFETY: promised by the caller.
    let slot = unsafe { Slot::at(api, result, true) };
    let decoded = decoder.decode_into(slot.with(shelf)).is_ok();
    if !decoded {
        // SAFETY: whatever was decoded so far is a valid Variant.
        unsafe { *result = Variant::nil() };
    }
    decoded
}
