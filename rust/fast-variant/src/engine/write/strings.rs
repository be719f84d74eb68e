//! The fillers of arrays of strings.

use std::slice;

use godot_variant::{Refusal, StringsSink, Text, VariantType};

use crate::engine::ffi::api::{Api, Content, resize};
use crate::engine::memory::string_cache::StringCache;
use crate::engine::memory::text;
use crate::engine::write::slot::Slot;

/// Fills a `PackedStringArray` that has its final size already.
pub(crate) struct StringsWriter<'s> {
    /// The places that are left, each a `String`, which is one pointer.
    places: slice::IterMut<'s, *mut u32>,
    api: &'static Api,
    cache: Option<&'s StringCache>,
}

impl<'s> StringsWriter<'s> {
    /// Makes an array of `count` empty strings, to be filled.
    pub(crate) fn open(slot: Slot<'s>, count: usize) -> StringsWriter<'s> {
        let Slot { api, cache, .. } = slot;
        let array = slot.fill_default(VariantType::PackedStringArray);
        let mut places: &mut [*mut u32] = &mut [];
        if count > 0 {
            let index = api.interface.packed_string_array_operator_index;
            // SAFETY: the array is new and ours; its elements stand in one row from the first on.
            unsafe {
                resize(api.methods.packed_strings_resize, array, count);
                places = slice::from_raw_parts_mut(index(array, 0).cast(), count);
            }
        }
        StringsWriter { places: places.iter_mut(), api, cache }
    }
}

impl StringsSink for StringsWriter<'_> {
    #[inline]
    fn push(&mut self, text: Text<'_>) -> Result<(), Refusal> {
        // The source gives as many strings as it promised.
        let Some(place) = self.places.next() else { return Ok(()) };
        // SAFETY: the place is an empty String in an array of ours.
        unsafe { fill(self.api, place, text, self.cache) };
        Ok(())
    }

    fn end(self) -> Result<(), Refusal> {
        Ok(())
    }
}

/// # Safety
/// The place must be an empty `String` that only the caller uses.
#[inline]
unsafe fn fill(
    api: &'static Api,
    place: *mut *mut u32,
    text: Text<'_>,
    cache: Option<&StringCache>,
) {
    let place: Content = place.cast();
    // SAFETY: the place is an empty String that only the caller uses; an empty String needs no destruction.
    unsafe {
        match cache.and_then(|cache| cache.find(text)) {
            Some(shared) => {
                let shared = api.near_content(VariantType::String, shared).cast_const();
                (api.string_copy)(place, [shared].as_ptr());
            }
            None => text::fill(api, place, text),
        }
    }
}
