//! Encoding a packed array of numbers: header, count, and its elements, copied by all cores if there are many.

use godot::builtin::PackedByteArray;
use variant::{PackedType, Refusal};
use variant_codec::checked_total;

use super::api::api;
use super::long_text::{HEAD_LEN, put_head};
use super::{unfilled, workers};

/// From how many bytes on an array is copied in less time than by the engine, which goes from element to element. Only bytes
/// it copies at once.
const WORTHWHILE: usize = 1 << 10;
/// And from how many on several cores take less time than one.
const SHARED: usize = 1 << 22;
const RUN_LEN: usize = 1 << 17;

/// Whether to leave an array to the engine would take longer.
#[inline]
pub(super) fn is_worthwhile(ty: PackedType, elements: &[u8]) -> bool {
    let least = if ty == PackedType::Byte { SHARED } else { WORTHWHILE };
    elements.len() >= least && api().layout.unfilled_arrays
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
