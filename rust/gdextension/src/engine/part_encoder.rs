//! Encoding the parts of a large value end to end, on all cores if that is worth it.

use std::sync::{Mutex, PoisonError};

use godot::builtin::PackedByteArray;
use rayon::prelude::*;
use variant::Refusal;
use variant_codec::{Buffer, Exact, Measure, checked_total};

use super::parts::{Cut, Part};
use super::shared::Shared;
use super::workers;

/// How many parts are encoded before their bytes are put together, and how many bytes of each are
/// kept meanwhile: a megabyte in all.
const ROUND: usize = 8;
const KEPT_LEN: usize = 1 << 17;

static BUFFERS: Mutex<[Buffer; ROUND]> = Mutex::new(new_buffers());

const fn new_buffers() -> [Buffer; ROUND] {
    [const { Buffer::with_limit(KEPT_LEN) }; ROUND]
}

/// The bytes of all parts.
pub(super) fn encode(cut: &Cut<'_>) -> Result<PackedByteArray, Refusal> {
    if cut.worth_sharing {
        let Shared(bytes) = workers::install(|| encode_in_rounds(&cut.parts).map(Shared))?;
        if let Some(bytes) = bytes {
            return Ok(bytes);
        }
    }
    encode_measured(&cut.parts, cut.worth_sharing)
}

/// Encodes every part once: to read them takes longer than to write them, and a pass that only
/// measures would double the time.
///
/// `None` if the output outgrows what its parts promise, and would have to be moved.
fn encode_in_rounds(parts: &[Part<'_>]) -> Result<Option<PackedByteArray>, Refusal> {
    // While another thread has the buffers, this one makes its own.
    let mut kept = BUFFERS.try_lock().ok();
    let mut own = new_buffers();
    let buffers = kept.as_deref_mut().unwrap_or(&mut own);
    let mut output = Growing::new(parts.iter().map(Part::estimate).sum());
    for parts in parts.chunks(ROUND) {
        let encode = |(buffer, part): (&mut Buffer, &Part<'_>)| {
            buffer.reset(KEPT_LEN);
            part.encode(buffer)
        };
        buffers.par_iter_mut().zip(parts).try_for_each(encode)?;

        let lens = buffers.iter().zip(parts).map(|(buffer, _)| buffer.written());
        let Some(mut room) = output.append(lens.clone().sum())? else { return Ok(None) };
        let places: Vec<_> = lens.filter_map(|len| room.split_off_mut(..len)).collect();
        let put = |((place, buffer), part): ((&mut [u8], &Buffer), &Part<'_>)| match buffer.kept() {
            Some(bytes) => {
                place.copy_from_slice(bytes);
                Ok(())
            }
            None => part.encode(&mut Exact::new(place)),
        };
        places.into_par_iter().zip(&*buffers).zip(parts).try_for_each(put)?;
    }
    Ok(Some(output.end()))
}

/// An array that grows in place.
///
/// What the engine takes for an array is a power of two (`CowData`, core/templates/cowdata.h): up to
/// that it is not moved. Moved it would for a moment be there twice.
struct Growing {
    bytes: PackedByteArray,
    len: usize,
    capacity: usize,
}

impl Growing {
    fn new(estimate: usize) -> Growing {
        const MARGIN: usize = 64;
        let estimate = estimate + estimate / MARGIN;
        Growing { bytes: PackedByteArray::new(), len: 0, capacity: estimate.next_power_of_two() }
    }

    /// `len` more bytes; `None` if they do not fit any more.
    fn append(&mut self, len: usize) -> Result<Option<&mut [u8]>, Refusal> {
        let start = self.len;
        self.len = checked_total(start + len)?;
        if self.len > self.capacity {
            return Ok(None);
        }
        if self.bytes.len() < self.len {
            // What is more than half of a power of two takes all of it.
            self.bytes.resize(self.len.max(self.capacity / 2 + 1));
        }
        Ok(self.bytes.as_mut_slice().get_mut(start..self.len))
    }

    fn end(mut self) -> PackedByteArray {
        self.bytes.resize(self.len);
        self.bytes
    }
}

/// Encodes every part twice, the first time only to learn where the next one stands.
fn encode_measured(parts: &[Part<'_>], share: bool) -> Result<PackedByteArray, Refusal> {
    let lens: Vec<usize> = match share {
        true => workers::install(|| parts.par_iter().map(measured).collect::<Result<_, _>>())?,
        false => parts.iter().map(measured).collect::<Result<_, _>>()?,
    };
    let mut bytes = PackedByteArray::new();
    bytes.resize(checked_total(lens.iter().sum())?);
    let mut rest = bytes.as_mut_slice();
    let places: Vec<&mut [u8]> = lens.iter().filter_map(|&len| rest.split_off_mut(..len)).collect();
    let fill = |(part, place): (&Part<'_>, &mut [u8])| part.encode(&mut Exact::new(place));
    match share {
        true => workers::install(|| parts.par_iter().zip(places).try_for_each(fill))?,
        false => parts.iter().zip(places).try_for_each(fill)?,
    }
    Ok(bytes)
}

fn measured(part: &Part<'_>) -> Result<usize, Refusal> {
    let mut measure = Measure::default();
    part.encode(&mut measure)?;
    Ok(measure.len())
}

/// Lets go of the buffers.
pub(super) fn shut_down() {
    *BUFFERS.lock().unwrap_or_else(PoisonError::into_inner) = new_buffers();
}
