//! Encoding the parts of a large value end to end.

use std::sync::{Mutex, PoisonError};

use godot::builtin::PackedByteArray;
use variant::Refusal;
use variant_codec::{Buffer, Measure, checked_total};

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
        // Too large to be put anywhere but where it stays.
        None => encode_measured(parts),
    }
}

/// Encodes every part once, by all cores: to read them takes longer than to write them, and a pass
/// that only measures would double the time.
///
/// `None` if the parts promise more than can be taken on trust.
fn encode_shared(parts: &[Part<'_>]) -> Result<Option<PackedByteArray>, Refusal> {
    // While another thread has the buffers, this one makes its own.
    let mut kept = BUFFERS.try_lock().ok();
    let mut own = new_buffers();
    let pipeline = Pipeline::new(parts, kept.as_deref_mut().unwrap_or(&mut own));
    let Some(mut output) = Growing::new(parts) else { return Ok(None) };
    let append = |buffer: &Buffer, part: &Part<'_>| {
        let place = output.append(buffer.written())?;
        match buffer.kept() {
            Some(bytes) => place.copy_from_slice(bytes),
            None => unfilled::write(place, |out| part.encode(out))?,
        }
        Ok(true)
    };
    let whole = workers::with_help(|| pipeline.run(append), || pipeline.help())?;
    Ok(whole.then(|| output.end()))
}

/// An array that is filled from the start, and cut in the end. What it has too much it keeps in newer engines, as long
/// as it lives (`CowData`, core/templates/cowdata.h); nobody has written there, so that few systems have memory for it.
struct Growing {
    bytes: PackedByteArray,
    len: usize,
}

impl Growing {
    fn new(parts: &[Part<'_>]) -> Option<Growing> {
        /// A few samples of large elements among small ones promise anything.
        const TRUSTED_LEN: usize = 1 << 28;
        const MARGIN: usize = 8;
        let estimate = parts.iter().map(Part::estimate).fold(0, usize::saturating_add);
        (estimate <= TRUSTED_LEN)
            .then(|| Growing { bytes: unfilled::bytes(estimate + estimate / MARGIN), len: 0 })
    }

    /// A place for `len` more bytes.
    fn append(&mut self, len: usize) -> Result<&mut [u8], Refusal> {
        let start = self.len;
        self.len = checked_total(start + len)?;
        if self.len > self.bytes.len() {
            self.bytes.resize(self.len + self.len / 4);
        }
        Ok(&mut self.bytes.as_mut_slice()[start..self.len])
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
        unfilled::write(place, |out| part.encode(out))?;
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
