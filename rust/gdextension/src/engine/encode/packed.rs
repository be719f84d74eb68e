//! Encoding a packed array of numbers: header, count, and its elements, copied by all cores if there are many.

use std::mem::MaybeUninit;

use engine_kernels::tuning::{PACKED_COPY_LEN, PACKED_PARALLEL_LEN, PACKED_RUN_LEN};
use godot::builtin::PackedByteArray;
use variant::{PackedType, Refusal};
use variant_codec::checked_total;

use crate::engine::encode::long_text::{HEAD_LEN, head};
use crate::engine::ffi::api::api;
use crate::engine::memory::uninit_bytes::UnfilledBytes;
use crate::engine::parallel::workers;

/// Whether to leave an array to the engine would take longer.
#[inline]
pub(crate) fn is_worthwhile(ty: PackedType, elements: &[u8]) -> bool {
    let least = if ty == PackedType::Byte { PACKED_PARALLEL_LEN } else { PACKED_COPY_LEN };
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
    if elements.len() >= PACKED_PARALLEL_LEN && workers::are_free() {
        let runs = place.chunks_mut(PACKED_RUN_LEN).zip(elements.chunks(PACKED_RUN_LEN));
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
