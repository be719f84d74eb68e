//! Memory that is needed soon.

/// Tells the processor to fetch what stands at `address`, if anything does, while it goes on.
#[inline(always)]
pub(super) fn prefetch(address: *const u8) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: a hint, which reads nothing that a program can see and ignores addresses where there is no memory.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(address.cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = address;
}
