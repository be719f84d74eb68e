//! Encoding the parts of a large value end to end, on all cores if that is worth it.

use std::sync::{Mutex, PoisonError};

use godot::builtin::PackedByteArray;
use rayon::prelude::*;
use variant::Refusal;
use variant_codec::{Buffer, Exact, Measure, checked_total};

use super::parts::{Cut, Part, Way};
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
    let once = match cut.way {
        Way::Measured => None,
        Way::Once => encode_once(&cut.parts)?,
        Way::Shared => workers::install(|| encode_shared(&cut.parts).map(Shared))?.0,
    };
    // Not once, or more than the parts promised.
    once.map_or_else(|| encode_measured(&cut.parts, cut.way == Way::Shared), Ok)
}

/// Encodes every part once: to read them takes longer than to write them, and a pass that only
/// measures would double the time.
///
/// `None` if the output outgrows what its parts promise, and would have to be moved.
fn encode_once(parts: &[Part<'_>]) -> Result<Option<PackedByteArray>, Refusal> {
    with_buffers(|[buffer, ..]| {
        let mut output = Growing::new(parts);
        for part in parts {
            buffer.reset(KEPT_LEN);
            part.encode(buffer)?;
            let Some(place) = output.append(buffer.written())? else { return Ok(None) };
            put(part, buffer, place)?;
        }
        Ok(Some(output.end()))
    })
}

/// As [`encode_once`], in rounds in which the cores share the parts, on a thread of the pool.
fn encode_shared(parts: &[Part<'_>]) -> Result<Option<PackedByteArray>, Refusal> {
    with_buffers(|buffers| {
        let mut output = Growing::new(parts);
        for parts in parts.chunks(ROUND) {
            let encode = |(buffer, part): (&mut Buffer, &Part<'_>)| {
                buffer.reset(KEPT_LEN);
                part.encode(buffer)
            };
            buffers.par_iter_mut().zip(parts).try_for_each(encode)?;

            let lens = buffers.iter().zip(parts).map(|(buffer, _)| buffer.written());
            let Some(mut room) = output.append(lens.clone().sum())? else { return Ok(None) };
            let places: Vec<_> = lens.filter_map(|len| room.split_off_mut(..len)).collect();
            let put = |((place, buffer), part): ((_, &Buffer), _)| put(part, buffer, place);
            places.into_par_iter().zip(&*buffers).zip(parts).try_for_each(put)?;
        }
        Ok(Some(output.end()))
    })
}

/// While another thread has the buffers, this one makes its own.
fn with_buffers<R>(work: impl FnOnce(&mut [Buffer; ROUND]) -> R) -> R {
    let mut kept = BUFFERS.try_lock().ok();
    let mut own = new_buffers();
    work(kept.as_deref_mut().unwrap_or(&mut own))
}

/// Copies what the buffer has kept of a part, or encodes the part again.
fn put(part: &Part<'_>, buffer: &Buffer, place: &mut [u8]) -> Result<(), Refusal> {
    match buffer.kept() {
        Some(bytes) => {
            place.copy_from_slice(bytes);
            Ok(())
        }
        None => part.encode(&mut Exact::new(place)),
    }
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
    fn new(parts: &[Part<'_>]) -> Growing {
        const MARGIN: usize = 64;
        let estimate: usize = parts.iter().map(Part::estimate).sum();
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
