//! Decoding from bytes into the engine.

use std::ffi::c_void;
use std::slice;

use engine_kernels::tuning::{PACKED_BY_ENGINE_LEN, STRING_CACHE_MIN_LEN};
use godot::builtin::{PackedByteArray, Variant};
use godot_variant::{PackedType, Refusal, Sink, Source, Value, VariantType};
use godot_variant_codec::{DecodeError, DecodeOptions, Decoder, Limits, ValueRef};

use crate::engine::ffi::api::{Api, call_int};
use crate::engine::ffi::layout::FIRST_BYTE_OFFSET;
use crate::engine::memory::string_cache;
use crate::engine::write::slot::{LenHint, Slot};

/// The value at `start` of `bytes`, and where it ends. If `checks_types`, a value of another type than its typed container
/// declares is an error; otherwise the engine converts or drops it.
pub(crate) fn decode(
    bytes: &PackedByteArray,
    start: usize,
    options: DecodeOptions,
    checks_types: bool,
) -> Result<(Variant, usize), DecodeError> {
    if start == 0
        && options.limits == Limits::ENGINE
        && whole_packed(bytes.as_slice()).is_some_and(|(_, all)| is_left_to_engine(all.len()))
    {
        let end = ValueRef::new(bytes.as_slice())?.encoded_bytes()?.len();
        return Ok((godot::global::bytes_to_var(bytes), end));
    }
    let mut value = Variant::nil();
    let mut decoder = Decoder::at(bytes.as_slice(), start, options);
    let cache = string_cache::acquire();
    let cache = cache.as_deref().and_then(Option::as_ref);
    let slot = Slot::new(&mut value).with_cache(cache).with_hint(LenHint::Trusted);
    decoder.decode_into(slot.checking_types(checks_types))?;
    Ok((value, decoder.offset()))
}

/// The value that `view` shows.
pub(crate) fn decode_view(view: &ValueRef<'_>) -> Result<Variant, DecodeError> {
    let mut value = Variant::nil();
    view.decode_into(Slot::new(&mut value).with_hint(LenHint::Trusted).checking_types(true))?;
    Ok(value)
}

/// `value` as one of the engine.
pub(crate) fn variant_of(value: &Value) -> Result<Variant, Refusal> {
    make(|slot| value.emit(slot))
}

/// The value that `emit` puts into its place.
pub(crate) fn make(emit: impl FnOnce(Slot<'_>) -> Result<(), Refusal>) -> Result<Variant, Refusal> {
    let mut variant = Variant::nil();
    let cache = string_cache::acquire();
    let cache = cache.as_deref().and_then(Option::as_ref);
    emit(Slot::new(&mut variant).with_cache(cache).with_hint(LenHint::Trusted))?;
    Ok(variant)
}

/// A packed array of fixed width that is all there at the start of `bytes`, as the bytes of its elements.
#[inline]
fn whole_packed(bytes: &[u8]) -> Option<(PackedType, &[u8])> {
    let (head, rest) = bytes.split_first_chunk::<8>()?;
    let head = u64::from_le_bytes(*head);
    let (header, count) = (head as u32, (head >> 32) as u32);
    // A header with flags is beyond the table.
    let ty = PACKED_TYPES.get(header as usize).copied().flatten()?;
    let len = usize::try_from(u64::from(count) * ty.element_len() as u64).ok()?;
    let elements = rest.get(..len)?;
    (count <= i32::MAX as u32).then_some((ty, elements))
}

/// Whether the engine makes a packed array of this size faster than it can be made from
/// outside. It logs every error, so it is given nothing that is wrong.
const fn is_left_to_engine(len: usize) -> bool {
    len > PACKED_BY_ENGINE_LEN
}

/// Packed arrays of fixed width by their ids.
const PACKED_TYPES: [Option<PackedType>; VariantType::ALL.len()] = {
    let mut types = [None; VariantType::ALL.len()];
    let mut index = 0;
    while index < PackedType::ALL.len() {
        let ty = PackedType::ALL[index];
        types[ty.variant_type().id() as usize] = Some(ty);
        index += 1;
    }
    types
};

/// Decodes the value at the start of `bytes` into `result`. Says so if that fails; then `result` is any valid Variant.
///
/// # Safety
/// `bytes` must point to a `PackedByteArray` that does not change meanwhile, `result` to a nil that
/// only the caller uses.
#[inline]
pub(super) unsafe fn decode_plain(
    api: &'static Api,
    bytes: *const c_void,
    result: *mut Variant,
) -> bool {
    let functions = api.packed(PackedType::Byte);
    let array = bytes;
    // SAFETY: `bytes` points to a `PackedByteArray` that does not change meanwhile; the bytes stand
    // in one row from the first on.
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
    // SAFETY: `result` is a nil that only the caller uses.
    let slot = || unsafe { Slot::at(api, result, true) };
    if let Some(emitted) = godot_variant_codec::decode_number(bytes, slot()) {
        return emitted.is_ok();
    }
    if let Some((ty, elements)) = whole_packed(bytes) {
        if !is_left_to_engine(elements.len()) {
            return slot().packed(ty, elements).is_ok();
        }
        // SAFETY: the function takes an array and returns a Variant, which replaces the nil.
        unsafe { (api.bytes_to_var)(result.cast(), [array].as_ptr(), 1) };
        return true;
    }
    let mut decoder = Decoder::new(bytes, DecodeOptions::default());
    // Not worth it for a single number or text.
    let cache = if bytes.len() > STRING_CACHE_MIN_LEN { string_cache::acquire() } else { None };
    let cache = cache.as_deref().and_then(Option::as_ref);
    decoder.decode_into(slot().with_cache(cache).with_hint(LenHint::Trusted)).is_ok()
}
