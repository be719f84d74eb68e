//! Encoding a long packed array: header, count, and its elements, copied by all cores.

use godot::builtin::PackedByteArray;
use variant::{PackedType, Refusal};
use variant_codec::checked_total;

use super::api::api;
use super::long_text::{HEAD_LEN, put_head};
use super::{unfilled, workers};

/// Of how many bytes an array is copied in less time than by the engine, which needs some to start with.
const LONG: usize = 1 << 18;
/// And from how many on several cores take less time than one.
const SHARED: usize = 1 << 22;
const RUN_LEN: usize = 1 << 17;

#[inline]
pub(super) fn is_long(elements: &[u8]) -> bool {
    elements.len() >= LONG && api().layout.unfilled_arrays
}

/// The bytes of an array with these elements.
pub(super) fn encode(ty: PackedType, elements: &[u8]) -> Result<PackedByteArray, Refusal> {
    let count = elements.len() / ty.element_len();
    let len = checked_total((HEAD_LEN + elements.len()).next_multiple_of(4))?;
    let mut bytes = unfilled::bytes(len);
    let (place, padding) = bytes.as_mut_slice()[HEAD_LEN..].split_at_mut(elements.len());
    if elements.len() >= SHARED && workers::are_free() {
        let runs = place.chunks_mut(RUN_LEN).zip(elements.chunks(RUN_LEN));
        workers::share(runs, |(place, elements)| {
            place.copy_from_slice(elements);
            true
        });
    } else {
        place.copy_from_slice(elements);
    }
    padding.fill(0);
    put_head(&mut bytes, ty.variant_type(), count);
    Ok(bytes)
}
