//! Units of 32 bits that are ASCII to bytes.
#![allow(unsafe_code)]

use std::mem::MaybeUninit;

use crate::tuning::STREAMED_TEXT_COUNT;

/// How the bytes of a text are stored by [`utf32_to_ascii`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stores {
    /// Through the cache, where the caller finds the bytes.
    Cached,
    /// Past the cache. Cached stores fetch each line of memory before it is written, and a core
    /// waits for memory here most of its time.
    Streamed,
}

impl Stores {
    /// The faster stores for the runs of a text of `count` units.
    pub fn for_text(count: usize) -> Stores {
        if count > STREAMED_TEXT_COUNT { Stores::Streamed } else { Stores::Cached }
    }
}

/// Writes the low byte of each unit to all of `place`, and returns the bitwise OR of all units: the
/// bytes are the text only if that is below 0x80.
///
/// # Panics
/// `place` does not have as many bytes as there are units.
///
/// # Examples
/// ```
/// use std::mem::MaybeUninit;
///
/// use engine_kernels::utf32_to_ascii::{Stores, utf32_to_ascii};
///
/// let units = [0x47, 0x6F];
/// let mut place = [MaybeUninit::uninit(); 2];
/// assert!(utf32_to_ascii(&units, &mut place, Stores::Cached) < 0x80);
/// ```
pub fn utf32_to_ascii(units: &[u32], place: &mut [MaybeUninit<u8>], stores: Stores) -> u32 {
    assert_eq!(units.len(), place.len(), "a byte for each unit");
    match stores {
        Stores::Cached => write_cached(units, place),
        Stores::Streamed => write_streamed(units, place),
    }
}

#[inline]
fn write_cached(units: &[u32], place: &mut [MaybeUninit<u8>]) -> u32 {
    let mut all = 0;
    for (byte, &unit) in place.iter_mut().zip(units) {
        all |= unit;
        byte.write(unit as u8);
    }
    all
}

#[cfg(not(target_arch = "x86_64"))]
fn write_streamed(units: &[u32], place: &mut [MaybeUninit<u8>]) -> u32 {
    write_cached(units, place)
}

#[cfg(target_arch = "x86_64")]
fn write_streamed(units: &[u32], place: &mut [MaybeUninit<u8>]) -> u32 {
    // Miri knows neither streamed stores nor the fence behind them. The usual store wants the same alignment.
    #[cfg(miri)]
    use std::arch::x86_64::_mm_store_si128 as _mm_stream_si128;
    use std::arch::x86_64::{
        __m128i, _mm_loadu_si128, _mm_or_si128, _mm_packs_epi32, _mm_packus_epi16,
        _mm_setzero_si128, _mm_storeu_si128,
    };
    #[cfg(not(miri))]
    use std::arch::x86_64::{_mm_sfence, _mm_stream_si128};
    const GROUP: usize = size_of::<__m128i>();

    // A streamed store wants an aligned address.
    let to_aligned = place.as_ptr().align_offset(GROUP).min(place.len()).min(units.len());
    let (first_units, units) = units.split_at(to_aligned);
    let (first_places, places) = place.split_at_mut(to_aligned);
    let (groups, last_units) = units.as_chunks::<GROUP>();
    let (group_places, last_places) = places.as_chunks_mut::<GROUP>();

    // SAFETY: every x86-64 processor has SSE2. Each load is of a fourth of a group. Each store
    // fills one place of 16 bytes, of which the first one is aligned, and so are all that follow
    // it. Nothing reads them before the fence.
    let all = unsafe {
        let mut all = _mm_setzero_si128();
        for (group, place) in groups.iter().zip(group_places) {
            let quarter = |n: usize| _mm_loadu_si128(group[4 * n..][..4].as_ptr().cast());
            let (a, b, c, d) = (quarter(0), quarter(1), quarter(2), quarter(3));
            all = _mm_or_si128(all, _mm_or_si128(_mm_or_si128(a, b), _mm_or_si128(c, d)));
            let bytes = _mm_packus_epi16(_mm_packs_epi32(a, b), _mm_packs_epi32(c, d));
            _mm_stream_si128(place.as_mut_ptr().cast(), bytes);
        }
        #[cfg(not(miri))]
        _mm_sfence();
        let mut bits = [0_u32; 4];
        _mm_storeu_si128(bits.as_mut_ptr().cast(), all);
        bits.into_iter().fold(0, |all, bits| all | bits)
    };
    all | write_cached(first_units, first_places) | write_cached(last_units, last_places)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Both kinds of stores, at each alignment, in lengths around whole groups.
    fn each_place(mut check: impl FnMut(Stores, usize, usize)) {
        // Under Miri a part of them, or it would take hours.
        let step = if cfg!(miri) { 19 } else { 1 };
        for stores in [Stores::Cached, Stores::Streamed] {
            for start in (0..20).step_by(step) {
                for len in (0..70).chain([1000, 1024]).step_by(step) {
                    check(stores, start, len);
                }
            }
        }
    }

    #[test]
    fn writes_each_unit_of_ascii_and_nothing_else() {
        each_place(|stores, start, len| {
            let units: Vec<u32> = (0..len as u32).map(|index| index * 7 % 0x80).collect();
            let mut bytes = Vec::with_capacity(start + len + 20);
            let (before, places) = bytes.spare_capacity_mut().split_at_mut(start);
            let (places, behind) = places.split_at_mut(len);
            before.fill(MaybeUninit::new(0xAA));
            behind.fill(MaybeUninit::new(0xAA));
            assert!(utf32_to_ascii(&units, places, stores) < 0x80);
            // SAFETY: there is room for them, and all of them were written. Miri sees whether they were.
            unsafe { bytes.set_len(start + len + 20) };
            let written: Vec<u32> = bytes[start..][..len].iter().copied().map(u32::from).collect();
            assert_eq!(written, units, "{stores:?}, {len} units at {start}");
            let around = bytes[..start].iter().chain(&bytes[start + len..]);
            assert!(around.into_iter().all(|&byte| byte == 0xAA), "{stores:?}, {len} at {start}");
        });
    }

    #[test]
    fn tells_of_every_unit_that_is_more() {
        each_place(|stores, start, len| {
            for unit in [0x80, 0xFF, 0x100, 0x8000, 0x1_0000, 0x10_FFFF, 0x8000_0000, u32::MAX] {
                for index in (0..len).step_by(if cfg!(miri) { 101 } else { 13 }) {
                    let mut units = vec![0; len];
                    units[index] = unit;
                    let mut place = vec![MaybeUninit::uninit(); start + len];
                    let all = utf32_to_ascii(&units, &mut place[start..], stores);
                    assert_eq!(all, unit, "{stores:?}, {len} units at {start}");
                }
            }
        });
    }

    #[test]
    fn only_what_is_long_goes_past_the_cache() {
        assert_eq!(Stores::for_text(0), Stores::Cached);
        assert_eq!(Stores::for_text(STREAMED_TEXT_COUNT), Stores::Cached);
        assert_eq!(Stores::for_text(STREAMED_TEXT_COUNT + 1), Stores::Streamed);
    }
}
