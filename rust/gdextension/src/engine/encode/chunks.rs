//! A large value, cut into chunks that are encoded each by itself.
//!
//! Put end to end, the encoded chunks are the encoded value: what stands in front of the elements of
//! a large container is a chunk, and so is each run of its elements.

use std::{iter, slice};

use engine_kernels::pipeline::Chunk;
use engine_kernels::tuning::{
    CONTAINER_RUN_LEN, ESTIMATE_ENTRY_SAMPLES, ESTIMATE_SAMPLES, ESTIMATE_UNIT_SAMPLES,
    LARGE_CONTAINER_COUNT, LARGE_CONTAINER_LEN, PARALLEL_TEXTS_COUNT, SEARCH_COUNT, SEARCH_DEPTH,
};
use godot::builtin::Variant;
use variant::{Refusal, Shape, Sink, Source, VariantType};
use variant_codec::{EncodedContent, Encoder, Measure, Output, encoded_len};

use crate::engine::ffi::api::Api;
use crate::engine::read::builtin::{StringPlace, push_strings};
use crate::engine::read::container::{Container, Sample};
use crate::engine::read::dictionary::Chain;
use crate::engine::read::value::EngineValue;

/// A chunk of a value: see [`Chunk`].
pub(crate) enum ValueChunk<'v> {
    /// What is encoded already.
    Bytes(Vec<u8>),
    /// One value at this depth.
    Value(EngineValue<'v>, usize),
    /// Elements of an array at this depth, emitted as those of the value are.
    Elements(EngineValue<'v>, &'v [Variant], usize),
    /// Keys and values of a dictionary at this depth, and how many entries make a run.
    Entries(Chain<'v>, usize, usize),
    /// A run of the units of a text.
    Text(&'v [u32]),
    /// Elements of a `PackedStringArray`.
    Strings(&'static Api, &'v [StringPlace]),
}

// SAFETY: a chunk only reads from the engine's memory, which nobody changes while it is encoded: by
// id, an object is not reached into, and no script runs. It frees nothing but its own bytes.
unsafe impl Send for ValueChunk<'_> {}
// SAFETY: as above.
unsafe impl Sync for ValueChunk<'_> {}

impl Chunk for ValueChunk<'_> {
    fn encode<O: Output>(&self, out: &mut O) -> Result<(), Refusal> {
        match self {
            ValueChunk::Bytes(bytes) => {
                out.put(bytes);
                Ok(())
            }
            ValueChunk::Text(units) => {
                out.put_utf32(units);
                Ok(())
            }
            ValueChunk::Strings(api, strings) => {
                push_strings(api, strings, &mut EncodedContent::at_depth(out, 0))
            }
            ValueChunk::Value(value, depth) => value.emit(Encoder::at_depth(out, *depth)),
            ValueChunk::Elements(array, elements, depth) => {
                array.emit_elements(elements, &mut EncodedContent::at_depth(out, *depth))
            }
            ValueChunk::Entries(entries, depth, _) => {
                entries.clone().try_for_each(|(key, value)| {
                    key.emit(Encoder::at_depth(out, *depth))?;
                    value.emit(Encoder::at_depth(out, *depth))
                })
            }
        }
    }

    fn divisible(&self) -> Option<Self> {
        match self {
            ValueChunk::Entries(entries, depth, run) => {
                Some(ValueChunk::Entries(*entries, *depth, *run))
            }
            _ => None,
        }
    }

    /// Only a dictionary's entries are cut so late: to find where a run of them ends is to walk to
    /// there, and the thread that encodes it next has it in its cache then.
    fn split_off_run(&mut self) -> Option<Self> {
        match self {
            ValueChunk::Entries(entries, depth, run) if entries.len() > *run => {
                Some(ValueChunk::Entries(entries.split_off_front(*run), *depth, *run))
            }
            _ => None,
        }
    }
}

impl ValueChunk<'_> {
    /// About as many bytes as the encoded chunk takes, after a look at a few of its elements.
    pub(crate) fn estimate(&self) -> usize {
        let average = |lens: usize, samples: usize, count: usize| lens * count / samples.max(1);
        match self {
            ValueChunk::Bytes(bytes) => bytes.len(),
            ValueChunk::Text(units) => {
                let sample = &units[..units.len().min(ESTIMATE_UNIT_SAMPLES)];
                let mut measure = Measure::default();
                measure.put_utf32(sample);
                average(measure.len(), sample.len(), units.len())
            }
            ValueChunk::Strings(api, strings) => {
                let samples =
                    strings.iter().step_by(strings.len().div_ceil(ESTIMATE_SAMPLES).max(1));
                let (count, lens) = (samples.len(), samples.map(|s| len_of_string(api, s)));
                average(lens.sum(), count, strings.len())
            }
            ValueChunk::Value(value, _) => len_of(value),
            ValueChunk::Elements(array, elements, _) => {
                let samples =
                    elements.iter().step_by(elements.len().div_ceil(ESTIMATE_SAMPLES).max(1));
                let (count, lens) = (samples.len(), samples.map(|e| len_of(&array.sibling(e))));
                average(lens.sum(), count, elements.len())
            }
            ValueChunk::Entries(entries, ..) => {
                let samples = entries.take(ESTIMATE_ENTRY_SAMPLES);
                let (count, lens) = (samples.len(), samples.map(|(k, v)| len_of(&k) + len_of(&v)));
                let len = average(lens.sum(), count, entries.len());
                // The first ones are often the shortest: numbers in keys grow.
                len + len / 8
            }
        }
    }
}

/// Zero for what cannot be encoded.
fn len_of(value: &EngineValue<'_>) -> usize {
    encoded_len(value).unwrap_or_default()
}

/// The encoded length of an element of a `PackedStringArray`.
fn len_of_string(api: &Api, string: &StringPlace) -> usize {
    let mut measure = Measure::default();
    let mut content = EncodedContent::at_depth(&mut measure, 0);
    // Zero for what cannot be encoded.
    let _ = push_strings(api, slice::from_ref(string), &mut content);
    measure.len()
}

/// The chunks of a `PackedStringArray` that is not empty.
fn cut_strings<'v>(
    value: &EngineValue<'v>,
    strings: &'v [StringPlace],
) -> Option<Vec<ValueChunk<'v>>> {
    let mut head = Vec::new();
    Encoder::new(&mut head).packed_strings(strings.len()).ok()?;
    let run = CONTAINER_RUN_LEN / len_of_string(value.api, &strings[strings.len() / 2]).max(4);
    let runs = strings.chunks(run.max(1)).map(|run| ValueChunk::Strings(value.api, run));
    Some(iter::once(ValueChunk::Bytes(head)).chain(runs).collect())
}

/// The chunks of a large `PackedStringArray`, or of a value that [`holds_large`].
pub(crate) fn cut<'v>(value: &EngineValue<'v>) -> Option<Vec<ValueChunk<'v>>> {
    if let Some(strings) = value.packed_strings() {
        return cut_strings(value, strings);
    }
    let mut chunks = Vec::new();
    cut_into(value, 0, &mut chunks).then_some(chunks)
}

/// Whether the value is, or holds near its surface, a container that is worth cutting. For a small
/// value the answer has to cost next to nothing.
#[inline]
pub(crate) fn holds_large(value: &EngineValue<'_>) -> bool {
    holds_large_at(value, 0)
}

fn holds_large_at(value: &EngineValue<'_>, depth: usize) -> bool {
    match value.count() {
        None => false,
        Some(count) if count >= LARGE_CONTAINER_COUNT => {
            value.count_and_sample().is_some_and(|(count, sample)| are_large(count, &sample))
        }
        Some(count) => {
            depth + 1 < SEARCH_DEPTH
                && count <= SEARCH_COUNT
                && value.any_container_in(count, |child| holds_large_at(child, depth + 1))
        }
    }
}

/// Appends the chunks of `value` if it is, or holds, something large; else leaves the chunks alone.
fn cut_into<'v>(value: &EngineValue<'v>, depth: usize, chunks: &mut Vec<ValueChunk<'v>>) -> bool {
    let Some(container) = value.container() else { return false };
    let Some(head) = head(&container, depth) else { return false };
    let Some((count, sample)) = value.count_and_sample() else { return false };
    let is_large = are_large(count, &sample);
    let before = chunks.len();
    chunks.push(ValueChunk::Bytes(head));
    let run = (CONTAINER_RUN_LEN / len_of_sample(&sample).max(4)).max(1);
    let is_cut = match container {
        _ if !is_large && (depth + 1 >= SEARCH_DEPTH || count > SEARCH_COUNT) => false,
        Container::Array(_, elements) if !is_large => {
            let elements = elements.iter().map(|element| value.sibling(element));
            cut_children(elements, depth + 1, chunks)
        }
        Container::Dictionary(_, _, entries) if !is_large => {
            let children = entries.flat_map(|(key, value)| [key, value]);
            cut_children(children, depth + 1, chunks)
        }
        Container::Array(_, elements) => {
            let runs = elements.chunks(run).map(|run| ValueChunk::Elements(*value, run, depth + 1));
            chunks.extend(runs);
            true
        }
        Container::Dictionary(_, _, entries) => {
            chunks.push(ValueChunk::Entries(entries, depth + 1, run));
            true
        }
    };
    if !is_cut {
        chunks.truncate(before);
    }
    is_cut
}

/// Whether to encode `count` elements or entries like `sample` takes long enough for the cores to share it.
fn are_large(count: usize, sample: &Sample<'_>) -> bool {
    if count < LARGE_CONTAINER_COUNT {
        return false;
    }
    let any = |test: fn(VariantType) -> bool| {
        let types = [sample.key.and_then(|key| key.variant_type()), sample.value.variant_type()];
        types.into_iter().flatten().any(test)
    };
    if any(|ty| matches!(ty, VariantType::Array | VariantType::Dictionary)) {
        true
    } else if any(|ty| ty.shape() == Shape::Text) {
        count >= PARALLEL_TEXTS_COUNT
    } else if any(|ty| ty.shape() == Shape::Packed) {
        false
    } else {
        len_of_sample(sample).saturating_mul(count) >= LARGE_CONTAINER_LEN
    }
}

fn len_of_sample(sample: &Sample<'_>) -> usize {
    sample.key.as_ref().map_or(0, len_of) + len_of(&sample.value)
}

fn cut_children<'v>(
    children: impl Iterator<Item = EngineValue<'v>>,
    depth: usize,
    chunks: &mut Vec<ValueChunk<'v>>,
) -> bool {
    let mut large = false;
    for child in children {
        if cut_into(&child, depth, chunks) {
            large = true;
        } else {
            chunks.push(ValueChunk::Value(child, depth));
        }
    }
    large
}

/// What stands in front of the elements.
fn head(container: &Container<'_>, depth: usize) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let encoder = Encoder::at_depth(&mut bytes, depth);
    match container {
        Container::Array(element_type, elements) => {
            encoder.array(element_type.as_ref(), elements.len()).map(drop)
        }
        Container::Dictionary(key_type, value_type, entries) => {
            encoder.dictionary(key_type.as_ref(), value_type.as_ref(), entries.len()).map(drop)
        }
    }
    .ok()?;
    Some(bytes)
}
