//! Encoding the chunks of a large value end to end.

use std::sync::{Mutex, TryLockError};

use engine_kernels::pipeline::{Chunk, Pipeline};
use engine_kernels::tuning::{
    ESTIMATE_MARGIN, PIPELINE_BUFFER_LEN, PIPELINE_WINDOW, TRUSTED_ESTIMATE_LEN,
};
use engine_kernels::uninit_output::{self, UninitOutput};
use godot::builtin::PackedByteArray;
use variant::Refusal;
use variant_codec::{Buffer, Measure, Output, checked_total};

use crate::engine::encode::chunks::ValueChunk;
use crate::engine::memory::uninit_bytes::UninitBytes;
use crate::engine::parallel::workers;

static BUFFERS: Mutex<[Buffer; PIPELINE_WINDOW]> = Mutex::new(new_buffers());

const fn new_buffers() -> [Buffer; PIPELINE_WINDOW] {
    [const { Buffer::with_limit(PIPELINE_BUFFER_LEN) }; PIPELINE_WINDOW]
}

/// The bytes of all chunks.
pub(crate) fn encode(chunks: &[ValueChunk<'_>]) -> Result<PackedByteArray, Refusal> {
    match encode_shared(chunks)? {
        Some(bytes) => Ok(bytes),
        // Too large to be put anywhere but where it stays.
        None => encode_measured(chunks),
    }
}

/// Encodes every chunk once, by all cores: to read them takes longer than to write them, and a pass
/// that only measures would double the time.
///
/// `None` if the chunks promise more than can be taken on trust.
fn encode_shared(chunks: &[ValueChunk<'_>]) -> Result<Option<PackedByteArray>, Refusal> {
    // While another thread has the buffers, this one makes its own.
    let mut kept = BUFFERS.try_lock().ok();
    let mut own = new_buffers();
    let pipeline = Pipeline::new(chunks, kept.as_deref_mut().unwrap_or(&mut own));
    let Some(mut output) = Growing::new(chunks) else { return Ok(None) };
    let append = |buffer: &Buffer, chunk: &ValueChunk<'_>| {
        output.append(buffer.written(), |out| match buffer.kept() {
            Some(bytes) => {
                out.put(bytes);
                Ok(())
            }
            None => chunk.encode(out),
        })?;
        Ok(true)
    };
    let whole = workers::with_help(|| pipeline.run(append), || pipeline.help(workers::count_part))?;
    Ok(whole.then(|| output.end()))
}

/// An array that is filled from the start, and cut in the end. What it has too much it keeps in newer engines, as long
/// as it lives (`CowData`, core/templates/cowdata.h); nothing has written there, so that few systems have memory for it.
struct Growing {
    bytes: UninitBytes,
    /// So many bytes are written.
    len: usize,
}

impl Growing {
    fn new(chunks: &[ValueChunk<'_>]) -> Option<Growing> {
        let estimate = chunks.iter().map(ValueChunk::estimate).fold(0, usize::saturating_add);
        (estimate <= TRUSTED_ESTIMATE_LEN).then(|| Growing {
            bytes: UninitBytes::new(estimate + estimate / ESTIMATE_MARGIN),
            len: 0,
        })
    }

    /// Fills `len` more bytes with what `write` writes.
    fn append(
        &mut self,
        len: usize,
        write: impl FnOnce(&mut UninitOutput<'_>) -> Result<(), Refusal>,
    ) -> Result<(), Refusal> {
        let end = checked_total(self.len + len)?;
        if end > self.bytes.len() {
            self.bytes.resize(end + end / 4);
        }
        uninit_output::fill(&mut self.bytes.places()[self.len..end], write)?;
        self.len = end;
        Ok(())
    }

    fn end(mut self) -> PackedByteArray {
        self.bytes.resize(self.len);
        // SAFETY: every byte in front of `len` was filled when it was appended.
        unsafe { self.bytes.assume_init() }
    }
}

/// Encodes every chunk twice, the first time only to learn where the next one stands.
fn encode_measured(chunks: &[ValueChunk<'_>]) -> Result<PackedByteArray, Refusal> {
    let lens = chunks.iter().map(measured).collect::<Result<Vec<_>, _>>()?;
    let len = checked_total(lens.iter().sum())?;
    let mut bytes = UninitBytes::new(len);
    let mut rest = bytes.places();
    for (chunk, len) in chunks.iter().zip(lens) {
        let Some(place) = rest.split_off_mut(..len) else { break };
        uninit_output::fill(place, |out| chunk.encode(out))?;
    }
    assert!(rest.is_empty(), "the lengths of the chunks are that of the whole");
    // SAFETY: every chunk has filled its place, and nothing is left.
    Ok(unsafe { bytes.assume_init() })
}

fn measured(chunk: &ValueChunk<'_>) -> Result<usize, Refusal> {
    let mut measure = Measure::default();
    chunk.encode(&mut measure)?;
    Ok(measure.len())
}

/// Lets go of the buffers, except if a call works with them: whether there was none.
pub(crate) fn shut_down() -> bool {
    let mut buffers = match BUFFERS.try_lock() {
        Ok(buffers) => buffers,
        Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
        Err(TryLockError::WouldBlock) => return false,
    };
    *buffers = new_buffers();
    true
}
