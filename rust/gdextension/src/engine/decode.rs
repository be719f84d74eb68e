//! Decoding from bytes into the engine.

use std::ffi::c_void;
use std::slice;

use godot::builtin::{PackedByteArray, Variant};
use variant::{PackedType, Refusal, Source, Value, VariantType};
use variant_codec::{DecodeError, DecodeOptions, Decoder, Limits, ValueRef};

use super::api::{Api, call_int};
use super::layout::FIRST_BYTE_OFFSET;
use super::shelf::shelf;
use super::writer::Slot;

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
    if start == 0 && options.limits == Limits::ENGINE && is_whole_packed(bytes.as_slice()) {
        let end = ValueRef::new(bytes.as_slice())?.encoded_bytes()?.len();
        return Ok((godot::global::bytes_to_var(bytes), end));
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
    let shelf = shelf();
    let shelf = shelf.as_deref().and_then(Option::as_ref);
    value.describe(Slot::new(&mut variant).with(shelf))?;
    Ok(variant)
}

/// Whether `bytes` start with a packed array of fixed width that is all there.
///
/// Such a one is left to the engine, which copies it once: an array that is made from outside is
/// filled with zeros first. It logs every error though, so it is given nothing that is wrong.
fn is_whole_packed(bytes: &[u8]) -> bool {
    let Some(head) = bytes.first_chunk::<8>() else { return false };
    let head_words = u64::from_le_bytes(*head);
    let (header, count) = (head_words as u32, (head_words >> 32) as u32);
    let is_packed = |ty: &PackedType| u32::from(ty.variant_type().id()) == header;
    header >= VariantType::PackedByteArray.id().into()
        && PackedType::ALL.iter().find(|ty| is_packed(ty)).is_some_and(|ty| {
            let len = (count as usize).checked_mul(ty.element_len());
            count <= i32::MAX as u32 && len.is_some_and(|len| len <= bytes.len() - head.len())
        })
}

/// Decodes the value at the start of `bytes` into `result`; does nothing and says so if that fails.
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
    let array = bytes;
    // SAFETY: promised by the caller; the bytes stand in one row from the first on.
    let bytes = unsafe {
        let len = call_int(functions.size, array) as usize;
        if len == 0 {
            return false;
        }
        let first = match api.layout.packed_arrays {
            true => array.byte_add(FIRST_BYTE_OFFSET).cast::<*const u8>().read(),
            false => (functions.index_const)(array.cast_mut(), 0).cast_const(),
        };
        slice::from_raw_parts(first, len)
    };
    // SAFETY: promised by the caller.
    let slot = || unsafe { Slot::at(api, result, true) };
    if let Some(told) = variant_codec::decode_number(bytes, slot()) {
        return told.is_ok();
    }
    if is_whole_packed(bytes) {
        // SAFETY: the function takes an array and returns a Variant, which replaces the nil.
        unsafe { (api.bytes_to_var)(result.cast(), [array].as_ptr(), 1) };
        return true;
    }
    let mut decoder = Decoder::new(bytes, DecodeOptions::default());
    // Not worth it for a single number or text.
    let shelf = if bytes.len() > SMALL { shelf() } else { None };
    let shelf = shelf.as_deref().and_then(Option::as_ref);
    let decoded = decoder.decode_into(slot().with(shelf)).is_ok();
    if !decoded {
        // SAFETY: whatever was decoded so far is a valid Variant.
        unsafe { *result = Variant::nil() };
    }
    decoded
}
