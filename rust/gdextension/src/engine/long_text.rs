//! Encoding a long `String`: header, length, and runs of its units, on all cores.

use std::{iter, slice};

use godot::builtin::PackedByteArray;
use variant::{Refusal, VariantType};
use variant_codec::checked_total;

use super::narrow::{self, Way};
use super::part_encoder;
use super::parts::Part;
use super::reader::EngineValue;
use super::{unfilled, workers};

/// Text of fewer units is not worth being cut, and this many are a part.
const LARGE_TEXT: usize = 1 << 17;
const RUN_LEN: usize = 1 << 14;

/// Header and length.
pub(super) const HEAD_LEN: usize = 8;

/// The bytes of a `String`, if it is a long one.
#[inline]
pub(super) fn encode(value: &EngineValue<'_>) -> Result<Option<PackedByteArray>, Refusal> {
    match value.text_units() {
        Some(units) if units.len() >= LARGE_TEXT => encode_units(units).map(Some),
        _ => Ok(None),
    }
}

fn encode_units(units: &[u32]) -> Result<PackedByteArray, Refusal> {
    // Most long texts are ASCII: to try that takes less than to measure first.
    if let Some(bytes) = encode_ascii(units)? {
        return Ok(bytes);
    }
    let head = Part::Bytes(vec![0; HEAD_LEN]);
    let parts: Vec<_> = iter::once(head).chain(units.chunks(RUN_LEN).map(Part::Text)).collect();
    let mut bytes = part_encoder::encode(&parts)?;
    let len = bytes.len() - HEAD_LEN;
    bytes.resize(checked_total(bytes.len().next_multiple_of(4))?);
    put_head(&mut bytes, VariantType::String, len);
    Ok(bytes)
}

/// As [`encode_units`], for text that turns out to be nothing but ASCII.
fn encode_ascii(units: &[u32]) -> Result<Option<PackedByteArray>, Refusal> {
    // Text of another script shows it at once, and then no array is made in vain.
    const GLIMPSE: usize = 64;
    if units.iter().take(GLIMPSE).any(|&unit| unit >= 0x80) {
        return Ok(None);
    }
    let len = checked_total((HEAD_LEN + units.len()).next_multiple_of(4))?;
    let mut bytes = unfilled::bytes(len);
    let (text, padding) = bytes.as_mut_slice()[HEAD_LEN..].split_at_mut(units.len());
    if !narrow(units, text) {
        return Ok(None);
    }
    padding.fill(0);
    put_head(&mut bytes, VariantType::String, units.len());
    Ok(Some(bytes))
}

/// A text as UTF-8, if it is a long one and nothing but ASCII.
pub(crate) fn ascii(chars: &[char]) -> Option<String> {
    if chars.len() < LARGE_TEXT {
        return None;
    }
    // SAFETY: a char is a u32, of which not all values are one.
    let units = unsafe { slice::from_raw_parts(chars.as_ptr().cast(), chars.len()) };
    let mut bytes = vec![0; chars.len()];
    if narrow(units, &mut bytes) { String::from_utf8(bytes).ok() } else { None }
}

/// Writes the units to the start of `place`, a byte each, on all cores; false if one of them is more than ASCII.
fn narrow(units: &[u32], place: &mut [u8]) -> bool {
    let way = Way::for_text(units.len());
    let runs = place.chunks_mut(RUN_LEN).zip(units.chunks(RUN_LEN));
    workers::share(runs, |(place, units)| narrow::narrow(units, place, way) < 0x80)
}

/// Writes header and length, or count, to the start.
pub(super) fn put_head(bytes: &mut PackedByteArray, ty: VariantType, len: usize) {
    let head = [u32::from(ty.id()).to_le_bytes(), (len as u32).to_le_bytes()];
    bytes.as_mut_slice()[..HEAD_LEN].copy_from_slice(head.as_flattened());
}
