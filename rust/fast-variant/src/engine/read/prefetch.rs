//! Memory that is needed soon.
//!
//! Encoding a large value mostly waits for memory: each container and each text is somewhere else,
//! and its address is known only when its owner has arrived.

use engine_kernels::tuning::MAX_STRIDE;

const CACHE_LINE: usize = 64;

/// Asks the processor to fetch the cache line at `address` while it goes on. Any address may be given.
#[inline(always)]
pub(crate) fn prefetch(address: *const u8) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a hint, which reads nothing that a program can see and ignores addresses where there is no memory.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(address.cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = address;
}

/// Fetches the first two cache lines of a structure.
#[inline(always)]
pub(crate) fn prefetch_start(address: *const u8) {
    prefetch(address);
    prefetch(address.wrapping_add(CACHE_LINE));
}

/// How many bytes lie between what a record holds and what the record some places later in the same array holds.
///
/// ```text
/// array    r0 r1 r2 r3 r4 ...               each the address of a record
/// memory   [r0: keys values] [r1: ...] ... [r4: keys values]
///          |---------------- stride ------>|
/// ```
///
/// Records that were made one after the other stand equally far apart, and so does all that they hold. So when `r0` is
/// read, what it has at `address` is fetched for `r4` at `address + stride`. A wrong guess costs next to nothing, as
/// fetching is only a hint.
///
/// The reader of an array sets the stride of each of its elements; what is inside an element inherits it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PrefetchStride(i32);

impl PrefetchStride {
    /// The stride of a value, if no later value is known to be like it.
    pub(crate) const UNKNOWN: PrefetchStride = PrefetchStride(0);

    /// The stride from one record to another; unknown if they are too far apart to have been made one after the other.
    #[inline(always)]
    pub(crate) fn between(here: *const u8, there: *const u8) -> PrefetchStride {
        let distance = there.addr().wrapping_sub(here.addr()).cast_signed();
        match i32::try_from(distance) {
            Ok(stride) if (CACHE_LINE as u32..MAX_STRIDE).contains(&stride.unsigned_abs()) => {
                PrefetchStride(stride)
            }
            _ => PrefetchStride::UNKNOWN,
        }
    }

    #[inline(always)]
    pub(crate) fn is_known(self) -> bool {
        self != PrefetchStride::UNKNOWN
    }

    /// Fetches what a later record has where this one has something at `address`.
    #[inline(always)]
    pub(crate) fn prefetch_later(self, address: *const u8) {
        prefetch_start(address.wrapping_offset(self.0 as isize));
    }
}
