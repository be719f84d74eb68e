//! Encoding a packed array of numbers: header, count, and its elements, copied by all cores if there are many.

use std::mem::MaybeUninit;

use godot::builtin::PackedByteArray;
use variant::{PackedType, Refusal};
use variant_codec::checked_total;

use crate::engine::encode::long_text::{HEAD_LEN, head};
use crate::engine::ffi::api::api;
use crate::engine::memory::uninit_bytes::UnfilledBytes;
use crate::engine::parallel::workers;

/// From how many bytes on an array is copied in less time than by the engine, which goes from element to element. Only bytes
/// it copies at once.
const WORTHWHILE: usize = 1 << 10;
/// And from how many on several cores take less time than one.
const SHARED: usize = 1 << 22;
const RUN_LEN: usize = 1 << 17;

/// Whether to leave an array to the engine would take longer.
#[inline]
pub(crate) fn is_worthwhile(ty: PackedType, elements: &[u8]) -> bool {
    let least = if ty == PackedType::Byte { SHARED } else { WORTHWHILE };
    elements.len() >= least && api().layout.uninit_arrays
}

/// The bytes of an array with these elements.
pub(crate) fn encode(ty: PackedType, elements: &[u8]) -> Result<PackedByteArray, Refusal> {
    let count = elements.len() / ty.element_len();
    let len = checked_total((HEAD_LEN + elements.len()).next_multiple_of(4))?;
    let mut bytes = UnfilledBytes::new(len);
    let (head_place, rest) = bytes.places().split_at_mut(HEAD_LEN);
    let (place, padding) = rest.split_at_mut(elements.len());
    head_place.write_copy_of_slice(&head(ty.variant_type(), count));
    if elements.len() >= SHARED && workers::are_free() {
        let runs = place.chunks_mut(RUN_LEN).zip(elements.chunks(RUN_LEN));
        workers::share(runs, |(place, elements)| {
            place.write_copy_of_slice(elements);
            true
        });
    } else {
        place.write_copy_of_slice(elements);
    }
    padding.fill(MaybeUninit::new(0));
    // SAFETY: head, elements and padding are all there is. Every run of the elements was copied, as none says no.
    Ok(unsafe { bytes.assume_filled() })
}
