//! Encoding the parts of a large value end to end.

use std::sync::{Mutex, PoisonError};

use godot::builtin::PackedByteArray;
use variant::Refusal;
use variant_codec::{Buffer, Exact, Measure, checked_total};

use super::parts::Part;
use super::pipeline::{Pipeline, WINDOW};
use super::{unfilled, workers};

static BUFFERS: Mutex<[Buffer; WINDOW]> = Mutex::new(new_buffers());

const fn new_buffers() -> [Buffer; WINDOW] {
    [const { Buffer::with_limit(super::pipeline::KEPT_LEN) }; WINDOW]
}

/// The bytes of all parts.
pub(super) fn encode(parts: &[Part<'_>]) -> Result<PackedByteArray, Refusal> {
    match encode_shared(parts)? {
        Some(bytes) => Ok(bytes),
        // More than the parts promised.
        None => encode_measured(parts),
    }
}

/// Encodes every part once, by all cores: to read them takes longer than to write them, and a pass
/// that only measures would double the time.
///
/// `None` if the output outgrows what its parts promise, and would have to be moved.
fn encode_shared(parts: &[Part<'_>]) -> Result<Option<PackedByteArray>, Refusal> {
    // While another thread has the buffers, this one makes its own.
    let mut kept = BUFFERS.try_lock().ok();
    let mut own = new_buffers();
    let pipeline = Pipeline::new(parts, kept.as_deref_mut().unwrap_or(&mut own));
    let mut output = Growing::new(parts);
    let append = |buffer: &Buffer, part: &Part<'_>| {
        let Some(place) = output.append(buffer.written())? else { return Ok(false) };
        match buffer.kept() {
            Some(bytes) => place.copy_from_slice(bytes),
            None => write_exactly(part, place)?,
        }
        Ok(true)
    };
    let whole = workers::with_help(|| pipeline.run(append), || pipeline.help())?;
    Ok(whole.then(|| output.end()))
}

/// An array that is filled from the start, and cut in the end.
///
/// What the engine takes for an array is a power of two (`CowData`, core/templates/cowdata.h), so that many bytes are
/// there in any case.
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
        let capacity = estimate.next_power_of_two();
        Growing { bytes: unfilled::bytes(capacity), len: 0, capacity }
    }

    /// `len` more bytes; `None` if they do not fit any more.
    fn append(&mut self, len: usize) -> Result<Option<&mut [u8]>, Refusal> {
        let start = self.len;
        self.len = checked_total(start + len)?;
        if self.len > self.capacity {
            return Ok(None);
        }
        Ok(self.bytes.as_mut_slice().get_mut(start..self.len))
    }

    fn end(mut self) -> PackedByteArray {
        self.bytes.resize(self.len);
        self.bytes
    }
}

/// Encodes every part twice, the first time only to learn where the next one stands.
fn encode_measured(parts: &[Part<'_>]) -> Result<PackedByteArray, Refusal> {
    let lens = parts.iter().map(measured).collect::<Result<Vec<_>, _>>()?;
    let len = checked_total(lens.iter().sum())?;
    let mut bytes = unfilled::bytes(len);
    let mut rest = bytes.as_mut_slice();
    for (part, len) in parts.iter().zip(lens) {
        let Some(place) = rest.split_off_mut(..len) else { break };
        write_exactly(part, place)?;
    }
    Ok(bytes)
}

fn write_exactly(part: &Part<'_>, place: &mut [u8]) -> Result<(), Refusal> {
    let mut output = Exact::new(place);
    let outcome = part.encode(&mut output);
    output.end();
    outcome
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
