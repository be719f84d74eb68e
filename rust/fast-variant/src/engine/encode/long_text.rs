//! Encoding a long `String`: header, length, and its units, straight to where they stay.

use std::mem::MaybeUninit;
use std::slice;

use engine_kernels::tuning::{ASCII_PROBE_COUNT, ESTIMATE_MARGIN, LONG_TEXT_COUNT, TEXT_RUN_COUNT};
use engine_kernels::utf32_to_ascii::{Stores, utf32_to_ascii};
use godot::builtin::PackedByteArray;
use godot_variant::{Refusal, VariantType};
use godot_variant_codec::checked_total;

use crate::engine::encode::{encode_direct, estimate};
use crate::engine::memory::uninit_bytes::UninitBytes;
use crate::engine::read::value::EngineValue;

/// Header and length.
pub(crate) const HEAD_LEN: usize = 8;

/// The bytes of a long `String`, which has these units.
pub(crate) fn encode(value: &EngineValue<'_>, units: &[u32]) -> Result<PackedByteArray, Refusal> {
    // Most long texts are ASCII: to try that takes less than to measure first.
    if let Some(bytes) = encode_ascii(units)? {
        return Ok(bytes);
    }
    let estimate = estimate::of_units(units);
    encode_direct(value, HEAD_LEN + estimate + estimate / ESTIMATE_MARGIN)
}

/// As [`encode`], for text that turns out to be nothing but ASCII.
fn encode_ascii(units: &[u32]) -> Result<Option<PackedByteArray>, Refusal> {
    if units.iter().take(ASCII_PROBE_COUNT).any(|&unit| unit >= 0x80) {
        return Ok(None);
    }
    let len = checked_total((HEAD_LEN + units.len()).next_multiple_of(4))?;
    let mut bytes = UninitBytes::new(len);
    let (head_place, rest) = bytes.places().split_at_mut(HEAD_LEN);
    let (text, padding) = rest.split_at_mut(units.len());
    if !narrow(units, text) {
        return Ok(None);
    }
    head_place.write_copy_of_slice(&head(VariantType::String, units.len()));
    padding.fill(MaybeUninit::new(0));
    // SAFETY: head, text and padding are all there is, and all of the text was written.
    Ok(Some(unsafe { bytes.assume_init() }))
}

/// A text as UTF-8, if it is a long one and nothing but ASCII.
pub(crate) fn ascii(chars: &[char]) -> Option<String> {
    if chars.len() < LONG_TEXT_COUNT {
        return None;
    }
    // SAFETY: a char is a u32, of which not all values are one.
    let units = unsafe { slice::from_raw_parts(chars.as_ptr().cast(), chars.len()) };
    let mut bytes = Vec::with_capacity(chars.len());
    if !narrow(units, &mut bytes.spare_capacity_mut()[..chars.len()]) {
        return None;
    }
    // SAFETY: there is room for them, and all of them were written, each of them ASCII.
    unsafe {
        bytes.set_len(chars.len());
        Some(String::from_utf8_unchecked(bytes))
    }
}

/// Writes the units to `place`, which has as many bytes. False if one of them is more than ASCII; then not all need be written.
fn narrow(units: &[u32], place: &mut [MaybeUninit<u8>]) -> bool {
    assert_eq!(units.len(), place.len(), "a byte for each unit");
    let stores = Stores::for_text(units.len());
    let mut runs = place.chunks_mut(TEXT_RUN_COUNT).zip(units.chunks(TEXT_RUN_COUNT));
    runs.all(|(place, units)| utf32_to_ascii(units, place, stores) < 0x80)
}

/// Header and length, or count.
pub(crate) fn head(ty: VariantType, len: usize) -> [u8; HEAD_LEN] {
    (u64::from(ty.id()) | (len as u64) << 32).to_le_bytes()
}
