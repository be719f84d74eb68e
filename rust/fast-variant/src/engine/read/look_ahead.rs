//! Fetches the memory of values before it is needed.

use engine_kernels::tuning::ALIKE_CONTENT_COUNT;
use godot::builtin::Variant;
use godot_variant::VariantType;

use crate::engine::ffi::layout::CONTENT_OFFSET;
use crate::engine::read::prefetch::{PrefetchStride, prefetch, prefetch_start};
use crate::engine::read::value::EngineValue;

impl<'v> EngineValue<'v> {
    /// Fetches what a text or a container points to.
    #[inline(always)]
    pub(crate) fn prefetch_content(&self) {
        if let Some(content) = self.pointer() {
            // The length of a text is before it.
            prefetch(content.wrapping_sub(1));
        }
    }

    /// The same value, some places before `later` in an array. If both are containers,
    /// what both have alike is fetched for `later` while this one is emitted.
    #[inline]
    pub(crate) fn looking_ahead(self, later: &'v Variant) -> EngineValue<'v> {
        let later = self.sibling(later);
        let (Some(here), Some(there)) = (self.pointer(), later.pointer()) else { return self };
        if !self.is_container() || !later.is_container() {
            return self;
        }
        prefetch_start(there);
        EngineValue { stride: PrefetchStride::between(here, there), ..self }
    }

    /// Fetches for a later array, which is made like this one, what its elements hold.
    #[cold]
    pub(crate) fn prefetch_elements_ahead(&self, elements: &'v [Variant]) {
        self.stride.prefetch_later(elements.as_ptr().cast());
        for element in elements.iter().take(ALIKE_CONTENT_COUNT) {
            self.sibling(element).prefetch_ahead();
        }
    }

    /// Fetches for a later value what this text or container points to.
    #[inline(always)]
    pub(crate) fn prefetch_ahead(&self) {
        if let Some(content) = self.pointer() {
            self.stride.prefetch_later(content.wrapping_sub(1));
        }
    }

    /// The memory that a text or a container points to, if its address is known.
    #[inline(always)]
    fn pointer(&self) -> Option<*const u8> {
        let is_one = self.is_container() || self.variant_type() == Some(VariantType::String);
        // SAFETY: the probe has seen where the content stands, which is one pointer in these types.
        (is_one && self.api.layout.variants).then(|| unsafe {
            (&raw const *self.variant).byte_add(CONTENT_OFFSET).cast::<*const u8>().read()
        })
    }
}
