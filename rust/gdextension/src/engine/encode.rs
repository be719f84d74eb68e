//! Encoding into a `PackedByteArray`.
//!
//! Small values are encoded in one pass into a buffer that is kept, and copied once. Large ones are
//! cut into parts that all cores share, or measured and then written where they end up: beside the
//! output itself there is never more than a megabyte.

use std::ptr;

use godot::builtin::{PackedByteArray, Variant};
use spin::Mutex;
use variant::{PackedType, Refusal, Source, VariantType};
use variant_codec::{Buffer, Encoder, checked_total};

use super::api::{Content, api};
use super::layout::FIRST_BYTE_OFFSET;
use super::reader::{EngineValue, Objects};
use super::{long_text, packed_encoder, part_encoder, parts, unfilled};

/// What is longer does not go through the buffer.
const BUFFER_LIMIT: usize = 1 << 20;

/// A lock that is never waited for, and costs a small value less than one that could be.
static BUFFER: Mutex<Buffer> = Mutex::new(Buffer::with_limit(BUFFER_LIMIT));

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
        if packed_encoder::is_worthwhile(ty, elements) {
            // SAFETY: promised by the caller; the wrapper is the engine's array.
            unsafe { *place().cast::<PackedByteArray>() = packed_encoder::encode(ty, elements)? };
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
    buffer.reset(BUFFER_LIMIT);
    value.describe(Encoder::new(buffer))?;
    let len = checked_total(buffer.written())?;
    // SAFETY: promised by the caller.
    unsafe {
        let room = Room::open(place(), len);
        match buffer.kept() {
            Some(bytes) => ptr::copy_nonoverlapping(bytes.as_ptr(), room.first, len),
            None => unfilled::write(room.into_slice(), |out| value.describe(Encoder::new(out)))?,
        }
    }
    Ok(())
}

/// The bytes of a value that is large enough for another way than through the buffer.
#[inline]
fn encode_large(value: &EngineValue<'_>) -> Result<Option<PackedByteArray>, Refusal> {
    let parts = match value.variant_type() {
        Some(VariantType::Array | VariantType::Dictionary) => parts::cut(value),
        Some(VariantType::PackedStringArray) => parts::cut_strings(value),
        Some(VariantType::String) => return long_text::encode(value),
        _ => None,
    };
    // What a part refuses, the whole refuses too, and can say where it is.
    Ok(parts.and_then(|parts| part_encoder::encode(&parts).ok()))
}

/// The bytes of an array of the engine's.
struct Room {
    first: *mut u8,
    len: usize,
}

impl Room {
    /// Makes `array` that long, with whatever stands there.
    ///
    /// # Safety
    /// `array` must point to a `PackedByteArray` that only the caller uses, and `len` not be 0.
    #[inline]
    unsafe fn open(array: Content, len: usize) -> Room {
        let api = api();
        let functions = api.packed(PackedType::Byte);
        // SAFETY: promised by the caller; there is a first byte, and the probe has seen where its address stands.
        let first = unsafe {
            unfilled::resize(array, len);
            match api.layout.packed_arrays {
                true => array.byte_add(FIRST_BYTE_OFFSET).cast::<*mut u8>().read(),
                false => (functions.index)(array, 0),
            }
        };
        Room { first, len }
    }

    /// # Safety
    /// As for [`Room::open`], to the end of `'a`.
    unsafe fn into_slice<'a>(self) -> &'a mut [u8] {
        // SAFETY: the bytes stand in one row from the first on. Whatever they hold is a number, and all are
        // written before anybody reads one.
        unsafe { std::slice::from_raw_parts_mut(self.first, self.len) }
    }
}

/// Lets go of the buffers.
pub(super) fn shut_down() {
    BUFFER.lock().reset(0);
    part_encoder::shut_down();
}
