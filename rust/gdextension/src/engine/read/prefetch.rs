//! Memory that is needed soon.
//!
//! To encode a large value is to wait for memory most of the time: each container and each text stands somewhere else, and
//! where is known only when what holds it has come.

use std::ops::Range;

use engine_kernels::tuning::{ALIKE_CONTENT_COUNT, MAX_STRIDE};
use godot::builtin::Variant;
use variant::VariantType;

use crate::engine::ffi::layout::CONTENT_OFFSET;
use crate::engine::read::value::EngineValue;

pub(crate) const CACHE_LINE: usize = 64;

/// Tells the processor to fetch what stands at `address`, if anything does, while it goes on.
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

impl<'v> EngineValue<'v> {
    /// Fetches what a text or a container points to.
    #[inline(always)]
    pub(crate) fn prefetch_content(&self) {
        if let Some(content) = self.pointer() {
            // The length of a text stands in front of it.
            prefetch(content.wrapping_sub(1));
        }
    }

    /// The same value, which stands in an array some places before `later`. If both are containers, what is alike in both
    /// is fetched for `later` while this one is told: of records that were made one after the other, everything is equally
    /// far apart.
    #[inline]
    pub(crate) fn looking_ahead(self, later: &'v Variant) -> EngineValue<'v> {
        const DISTANCES: Range<u32> = CACHE_LINE as u32..MAX_STRIDE;
        let later = self.sibling(later);
        let (Some(here), Some(there)) = (self.pointer(), later.pointer()) else { return self };
        if !self.is_container() || !later.is_container() {
            return self;
        }
        prefetch(there);
        prefetch(there.wrapping_add(CACHE_LINE));
        let distance = there.addr().wrapping_sub(here.addr()).cast_signed();
        match i32::try_from(distance) {
            Ok(ahead) if DISTANCES.contains(&ahead.unsigned_abs()) => EngineValue { ahead, ..self },
            _ => self,
        }
    }

    /// Fetches for a later array, which is made like this one, what its elements hold.
    #[cold]
    pub(crate) fn prefetch_elements_ahead(&self, elements: &'v [Variant]) {
        self.prefetch_as_far(elements.as_ptr().cast());
        for element in elements.iter().take(ALIKE_CONTENT_COUNT) {
            self.sibling(element).prefetch_ahead();
        }
    }

    /// Fetches for a later value what this text or container points to.
    #[inline(always)]
    pub(crate) fn prefetch_ahead(&self) {
        if let Some(content) = self.pointer() {
            self.prefetch_as_far(content.wrapping_sub(1));
        }
    }

    /// Fetches what stands in a later value where this one has something at `address`.
    #[inline(always)]
    pub(crate) fn prefetch_as_far(&self, address: *const u8) {
        let there = address.wrapping_offset(self.ahead as isize);
        prefetch(there);
        prefetch(there.wrapping_add(CACHE_LINE));
    }

    /// What a text or a container points to, if it is known where that stands.
    #[inline(always)]
    fn pointer(&self) -> Option<*const u8> {
        let is_one = self.is_container() || self.variant_type() == Some(VariantType::String);
        // SAFETY: the probe has seen where the content stands, which is one pointer in these types.
        (is_one && self.api.layout.variants).then(|| unsafe {
            (&raw const *self.variant).byte_add(CONTENT_OFFSET).cast::<*const u8>().read()
        })
    }
}
