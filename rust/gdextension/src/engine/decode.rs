//! Decoding from bytes into the engine.
//!
//! One value after the other; but an Array of many containers, whose cost lies in the engine's own
//! making of them, is shared by all cores: to find where the elements start takes a small part of
//! the time.

use godot::builtin::Variant;
use rayon::prelude::*;
use variant::{ContainerTypeRef, VariantType};
use variant_codec::{DecodeError, DecodeOptions, Decoder, ValueRef};

use super::api::api;
use super::shared::Shared;
use super::workers;
use super::writer::{Slot, first_element, resize};

/// An Array of fewer elements is not worth being shared.
const LARGE_COUNT: usize = 1 << 11;

/// How many runs a large Array is cut into.
const RUN_COUNT: usize = 16;

/// The value at `start` of `bytes`, and where it ends.
pub(crate) fn decode(
    bytes: &[u8],
    start: usize,
    options: DecodeOptions,
) -> Result<(Variant, usize), DecodeError> {
    // Making objects runs code of their own, which belongs to the thread of the caller.
    if !options.allow_objects
        && let Some(decoded) = decode_shared(bytes, start, options)
    {
        return Ok(decoded);
    }
    let mut value = Variant::nil();
    let mut decoder = Decoder::at(bytes, start, options);
    decoder.decode_into(Slot::new(&mut value))?;
    Ok((value, decoder.offset()))
}

/// Decodes a large Array of containers on all cores. Gives `None` for anything else, and where
/// something is wrong: to decode in order then finds what is wrong first.
fn decode_shared(bytes: &[u8], start: usize, options: DecodeOptions) -> Option<(Variant, usize)> {
    let elements = large_array(ValueRef::with_options(bytes, start, options).ok()?)?;
    let last = elements.last()?;
    let end = last.offset() + last.encoded_bytes().ok()?.len();

    let mut array = Variant::nil();
    let content = Slot::new(&mut array).fill_default(VariantType::Array);
    // SAFETY: the array is new and ours.
    let first = unsafe {
        resize(api().methods.array_resize, content, elements.len());
        Shared(first_element(api(), content, elements.len()))
    };
    let decode = |(index, element): (usize, &ValueRef<'_>)| {
        let Shared(first) = &first;
        // SAFETY: the index is below the size, and each is taken once. The elements are nil.
        let slot = unsafe { Slot::at(api(), first.wrapping_add(index), true) };
        Decoder::at(bytes, element.offset(), options).decode_inner_into(slot, 1)
    };
    let run = elements.len().div_ceil(RUN_COUNT);
    workers::install(|| elements.par_iter().enumerate().with_min_len(run).try_for_each(decode))
        .ok()?;
    Some((array, end))
}

/// The elements of an untyped Array that is worth being shared.
fn large_array(value: ValueRef<'_>) -> Option<Vec<ValueRef<'_>>> {
    if value.variant_type() != VariantType::Array
        || value.element_type().ok()? != Some(ContainerTypeRef::Any)
        || value.len().ok()?? < LARGE_COUNT
    {
        return None;
    }
    let first = value.get(0).ok()??.variant_type();
    if !matches!(first, VariantType::Array | VariantType::Dictionary) {
        return None;
    }
    value.elements().ok()??.collect::<Result<_, _>>().ok()
}
