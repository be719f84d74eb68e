//! How long a large value is when it is encoded, after a look at a few of its elements.

use std::slice;

use engine_kernels::tuning::{
    ESTIMATE_ENTRY_SAMPLES, ESTIMATE_SAMPLES, ESTIMATE_UNIT_SAMPLES, LARGE_CONTAINER_COUNT,
    SEARCH_COUNT, SEARCH_DEPTH, TRUSTED_ESTIMATE_LEN,
};
use godot_variant::{RefusalKind, Source};
use godot_variant_codec::{EncodedContent, Encoder, Measure, Output};

use crate::engine::read::builtin::{StringPlace, push_strings};
use crate::engine::read::container::Container;
use crate::engine::read::value::{EngineValue, Objects};

/// About how many bytes the large containers take that the value is, or holds near its surface. For a small value the answer has
/// to cost next to nothing.
///
/// Zero where objects are encoded whole: to look at one runs the getters of its script, which may change the value, and must not
/// run twice.
#[inline]
pub(crate) fn of_containers(value: &EngineValue<'_>) -> usize {
    if value.objects == Objects::AsIds { at_depth(value, 0) } else { 0 }
}

fn at_depth(value: &EngineValue<'_>, depth: usize) -> usize {
    match value.count() {
        None => 0,
        Some(count) if count >= LARGE_CONTAINER_COUNT => of_large(value),
        Some(count) if count <= SEARCH_COUNT && depth + 1 < SEARCH_DEPTH => {
            let mut len = 0_usize;
            value.for_each_container(count, |child| {
                len = len.saturating_add(at_depth(&child, depth + 1));
            });
            len
        }
        Some(_) => 0,
    }
}

#[cold]
fn of_large(value: &EngineValue<'_>) -> usize {
    match value.container() {
        None => 0,
        Some(Container::Array(elements)) => {
            let step = elements.len().div_ceil(ESTIMATE_SAMPLES);
            let samples = elements.iter().step_by(step).map(|element| value.sibling(element));
            scaled(samples.map(|sample| len_of(&sample)), elements.len())
        }
        Some(Container::Dictionary(entries)) => {
            let count = entries.len();
            let samples = entries.take(ESTIMATE_ENTRY_SAMPLES);
            let len = scaled(samples.map(|(key, value)| len_of(&key) + len_of(&value)), count);
            // The first ones are often the shortest: numbers in keys grow.
            len + len / 8
        }
    }
}

/// About how many bytes the strings of a `PackedStringArray` take, if they are many.
pub(crate) fn of_strings(value: &EngineValue<'_>, strings: &[StringPlace]) -> usize {
    if strings.len() < LARGE_CONTAINER_COUNT {
        return 0;
    }
    let samples = strings.iter().step_by(strings.len().div_ceil(ESTIMATE_SAMPLES));
    let len = |string: &StringPlace| {
        let mut measure = Measure::default();
        let mut content = EncodedContent::at_depth(&mut measure, 0);
        // Zero for a value that cannot be encoded.
        let _ = push_strings(value.api, slice::from_ref(string), &mut content);
        measure.len()
    };
    scaled(samples.map(len), strings.len())
}

/// About how many bytes the units of a text take.
pub(crate) fn of_units(units: &[u32]) -> usize {
    let sample = &units[..units.len().min(ESTIMATE_UNIT_SAMPLES)];
    let mut measure = Measure::default();
    measure.put_utf32(sample);
    measure.len().saturating_mul(units.len()) / sample.len().max(1)
}

/// For `count` elements, some of them that long.
fn scaled(lens: impl ExactSizeIterator<Item = usize>, count: usize) -> usize {
    let samples = lens.len().max(1);
    lens.sum::<usize>().saturating_mul(count) / samples
}

/// Zero for what cannot be encoded; no more than about [`TRUSTED_ESTIMATE_LEN`], since a larger estimate is not believed.
fn len_of(value: &EngineValue<'_>) -> usize {
    let mut measure = Measure::with_limit(TRUSTED_ESTIMATE_LEN);
    match value.emit(Encoder::new(&mut measure)) {
        Err(refusal) if !matches!(refusal.kind(), RefusalKind::ValueTooLarge { .. }) => 0,
        _ => measure.len(),
    }
}
