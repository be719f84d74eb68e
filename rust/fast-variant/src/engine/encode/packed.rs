//! Encoding a packed array of numbers: header, count, and its elements, copied by all cores if there are many.

use std::mem::MaybeUninit;
use std::ops::ControlFlow;

use engine_kernels::route::Route;
use engine_kernels::tuning::PACKED_RUN_LEN;
use godot::builtin::PackedByteArray;
use godot_variant::{PackedType, Refusal};
use godot_variant_codec::checked_total;

use crate::engine::encode::long_text::{HEAD_LEN, head};
use crate::engine::memory::uninit_bytes::UninitBytes;
use crate::engine::parallel::workers;

/// The bytes of an array with these elements.
pub(crate) fn encode(
    ty: PackedType,
    elements: &[u8],
    route: Route,
) -> Result<PackedByteArray, Refusal> {
    let count = elements.len() / ty.element_len();
    let len = checked_total((HEAD_LEN + elements.len()).next_multiple_of(4))?;
    let mut bytes = UninitBytes::new(len);
    let (head_place, rest) = bytes.places().split_at_mut(HEAD_LEN);
    let (place, padding) = rest.split_at_mut(elements.len());
    head_place.write_copy_of_slice(&head(ty.variant_type(), count));
    if route == Route::PackedParallel && workers::are_free() {
        let runs = place.chunks_mut(PACKED_RUN_LEN).zip(elements.chunks(PACKED_RUN_LEN));
        let copied = workers::try_for_each(runs, |(place, elements)| {
            place.write_copy_of_slice(elements);
            ControlFlow::Continue(())
        });
        assert!(copied.is_continue(), "a copy never breaks");
    } else {
        place.write_copy_of_slice(elements);
    }
    padding.fill(MaybeUninit::new(0));
    // SAFETY: head, elements and padding are all there is. Every run of the elements was copied, as
    // the copy always goes on.
    Ok(unsafe { bytes.assume_init() })
}
