//! Encoding into a `PackedByteArray`.
//!
//! Small values are encoded in one pass into a buffer that is kept, and copied once. Large ones are
//! cut into pieces; all cores first measure the pieces, and then write each at its place in the
//! array that is returned, so that no second copy of the output ever exists.

use std::sync::{Mutex, PoisonError};

use godot::builtin::{PackedByteArray, Variant};
use rayon::prelude::*;
use variant::{Refusal, Shape, Source, VariantType};
use variant_codec::{Buffer, Encoder, Exact, Measure, Output, checked_total};

use super::parts::{self, Cut, Part};
use super::reader::{EngineValue, Objects};
use super::shared::Shared;
use super::workers;

/// The buffer is kept up to this length.
const KEPT_LEN: usize = 1 << 20;

/// Text of fewer units is not worth being cut, and this many are a piece.
const LARGE_TEXT: usize = 1 << 17;
const TEXT_RUN: usize = 1 << 16;

static BUFFER: Mutex<Option<Buffer>> = Mutex::new(None);

/// The bytes of `variant`.
pub(crate) fn encode(variant: &Variant, objects: Objects) -> Result<PackedByteArray, Refusal> {
    let value = EngineValue::new(variant, objects);
    if objects == Objects::Full {
        // Describing an object runs code of its own, which belongs to the thread of the caller.
        return encode_whole(&value);
    }
    match value.variant_type() {
        Some(VariantType::Array | VariantType::Dictionary) => match parts::cut(&value) {
            // What a part refuses, the whole refuses too, and can say where it is.
            Some(cut) => encode_parts(&cut).or_else(|_| encode_whole(&value)),
            None => encode_whole(&value),
        },
        Some(VariantType::String) => match value.text_units() {
            Some(units) if units.len() >= LARGE_TEXT => encode_text(units),
            _ => encode_whole(&value),
        },
        Some(VariantType::PackedStringArray) => encode_whole(&value),
        // The engine's way is one copy of the elements and nothing else. Ours is the same, but what
        // it copies to was filled with zeros when it was asked for.
        Some(ty) if ty.shape() == Shape::Packed => Ok(godot::global::var_to_bytes(variant)),
        _ => encode_whole(&value),
    }
}

fn encode_whole(value: &EngineValue<'_>) -> Result<PackedByteArray, Refusal> {
    // While another thread has the buffer, this one makes its own.
    let mut kept = BUFFER.try_lock().ok();
    let mut own = None;
    let buffer = kept.as_deref_mut().unwrap_or(&mut own).get_or_insert_default();
    buffer.reset(KEPT_LEN);
    value.describe(Encoder::new(buffer))?;
    checked_total(buffer.as_bytes().len())?;
    let bytes = PackedByteArray::from(buffer.as_bytes());
    buffer.reset(KEPT_LEN);
    Ok(bytes)
}

fn encode_parts(cut: &Cut<'_>) -> Result<PackedByteArray, Refusal> {
    let encode = || encode_pieces(&cut.parts, 0).map(Shared);
    let Shared((bytes, _)) = match cut.worth_sharing {
        true => workers::install(encode)?,
        false => encode()?,
    };
    Ok(bytes)
}

/// A long `String`: header, length, and runs of its units.
fn encode_text(units: &[u32]) -> Result<PackedByteArray, Refusal> {
    // Most long texts are ASCII: to try that takes less than to measure first.
    if let Some(bytes) = encode_ascii(units)? {
        return Ok(bytes);
    }
    let runs: Vec<Run<'_>> = units.chunks(TEXT_RUN).map(Run).collect();
    let Shared((mut bytes, len)) =
        workers::install(|| encode_pieces(&runs, TEXT_HEAD_LEN).map(Shared))?;
    put_text_head(&mut bytes, len);
    Ok(bytes)
}

/// As [`encode_text`], for text that turns out to be nothing but ASCII.
fn encode_ascii(units: &[u32]) -> Result<Option<PackedByteArray>, Refusal> {
    // Text of another script shows it at once, and then no array is made in vain.
    const GLIMPSE: usize = 64;
    if units.iter().take(GLIMPSE).any(|&unit| unit >= 0x80) {
        return Ok(None);
    }
    let len = checked_total((TEXT_HEAD_LEN + units.len()).next_multiple_of(4))?;
    let mut bytes = PackedByteArray::new();
    bytes.resize(len);
    let place = &mut bytes.as_mut_slice()[TEXT_HEAD_LEN..];
    let narrow = |(place, units): (&mut [u8], &[u32])| {
        let mut all = 0;
        for (byte, &unit) in place.iter_mut().zip(units) {
            all |= unit;
            *byte = unit as u8;
        }
        all < 0x80
    };
    let runs = || place.par_chunks_mut(TEXT_RUN).zip(units.par_chunks(TEXT_RUN)).all(narrow);
    if !workers::install(runs) {
        return Ok(None);
    }
    put_text_head(&mut bytes, units.len());
    Ok(Some(bytes))
}

/// Header and length of a `String`.
const TEXT_HEAD_LEN: usize = 8;

fn put_text_head(bytes: &mut PackedByteArray, len: usize) {
    let header = u32::from(VariantType::String.id());
    let head = [header.to_le_bytes(), (len as u32).to_le_bytes()];
    bytes.as_mut_slice()[..TEXT_HEAD_LEN].copy_from_slice(head.as_flattened());
}

/// A part of an output.
trait Piece: Sync {
    fn encode<O: Output>(&self, out: &mut O) -> Result<(), Refusal>;
}

impl Piece for Part<'_> {
    fn encode<O: Output>(&self, out: &mut O) -> Result<(), Refusal> {
        Part::encode(self, out)
    }
}

/// A run of the engine's text.
struct Run<'t>(&'t [u32]);

impl Piece for Run<'_> {
    fn encode<O: Output>(&self, out: &mut O) -> Result<(), Refusal> {
        out.put_utf32(self.0);
        Ok(())
    }
}

/// All pieces end to end, behind `head_len` zeros and padded to a multiple of 4, and the length of
/// the pieces. On a thread of the pool the pieces are shared by all of them.
fn encode_pieces<P: Piece>(
    pieces: &[P],
    head_len: usize,
) -> Result<(PackedByteArray, usize), Refusal> {
    let shared = rayon::current_thread_index().is_some();
    let lens: Vec<usize> = match shared {
        true => pieces.par_iter().map(measured).collect::<Result<_, _>>()?,
        false => pieces.iter().map(measured).collect::<Result<_, _>>()?,
    };
    let len: usize = lens.iter().sum();
    let padded_len = (head_len + len).next_multiple_of(4);
    checked_total(padded_len)?;

    let mut bytes = PackedByteArray::new();
    bytes.resize(padded_len);
    let mut rest = &mut bytes.as_mut_slice()[head_len..];
    let places: Vec<&mut [u8]> = lens.iter().filter_map(|&len| rest.split_off_mut(..len)).collect();
    let fill = |(piece, place): (&P, &mut [u8])| piece.encode(&mut Exact::new(place));
    match shared {
        true => pieces.par_iter().zip(places).try_for_each(fill)?,
        false => pieces.iter().zip(places).try_for_each(fill)?,
    }
    Ok((bytes, len))
}

fn measured<P: Piece>(piece: &P) -> Result<usize, Refusal> {
    let mut measure = Measure::default();
    piece.encode(&mut measure)?;
    Ok(measure.len())
}

/// Lets go of the buffer.
pub(super) fn shut_down() {
    *BUFFER.lock().unwrap_or_else(PoisonError::into_inner) = None;
}
