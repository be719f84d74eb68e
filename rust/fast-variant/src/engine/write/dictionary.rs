//! What fills dictionaries.

use std::marker::PhantomData;

use engine_kernels::tuning::{SMALLEST_TABLE_COUNT, TRUSTED_COUNT};
use godot::builtin::Variant;
use godot_variant::{
    ContainerTypeRef, DictionarySink, Refusal, Sink, StringKind, Text, VariantType,
};

use crate::engine::ffi::api::{Api, Content};
use crate::engine::ffi::layout;
use crate::engine::memory::string_cache::StringCache;
use crate::engine::write::container_type::EngineType;
use crate::engine::write::slot::{LenHint, Slot};

/// Fills a `Dictionary`.
pub(crate) struct DictionaryWriter<'s> {
    dictionary: Content,
    key: Variant,
    /// The key, where it is a string from the cache.
    shared_key: Option<*const Variant>,
    /// Whether containers in this one get all places that they announce.
    value_hint: LenHint,
    api: &'static Api,
    cache: Option<&'s StringCache>,
    owner: PhantomData<&'s mut Variant>,
}

impl<'s> DictionaryWriter<'s> {
    /// Makes an empty dictionary, to be filled.
    #[inline]
    pub(crate) fn open(
        slot: Slot<'s>,
        key_type: ContainerTypeRef<'_>,
        value_type: ContainerTypeRef<'_>,
        count: usize,
    ) -> Result<DictionaryWriter<'s>, Refusal> {
        let types = match (key_type, value_type) {
            (ContainerTypeRef::Any, ContainerTypeRef::Any) => None,
            _ => Some((EngineType::new(key_type)?, EngineType::new(value_type)?)),
        };
        let Slot { api, cache, len_hint, .. } = slot;
        let dictionary = slot.fill_default(VariantType::Dictionary);
        if let Some((key, value)) = types {
            // SAFETY: the dictionary is new, empty and ours; the types outlive the call.
            unsafe {
                (api.interface.dictionary_set_typed)(
                    dictionary,
                    key.builtin,
                    &raw const key.class,
                    &raw const key.script,
                    value.builtin,
                    &raw const value.class,
                    &raw const value.script,
                );
            }
        }
        // SAFETY: the dictionary is new and ours.
        unsafe { reserve(api, dictionary, len_hint.bounded(count)) };
        Ok(DictionaryWriter {
            dictionary,
            key: Variant::nil(),
            shared_key: None,
            value_hint: if count <= TRUSTED_COUNT { len_hint } else { LenHint::Bounded },
            api,
            cache,
            owner: PhantomData,
        })
    }
}

impl DictionarySink for DictionaryWriter<'_> {
    type Key<'a>
        = Slot<'a>
    where
        Self: 'a;
    type Value<'a>
        = Slot<'a>
    where
        Self: 'a;

    #[inline]
    fn key(&mut self) -> Slot<'_> {
        self.shared_key = None;
        // SAFETY: a mutable reference is valid and exclusive.
        unsafe { Slot::at(self.api, &raw mut self.key, false) }
    }

    /// The dictionary copies its keys: a string from the cache need not be copied before.
    #[inline]
    fn string_key(&mut self, text: Text<'_>) -> Result<(), Refusal> {
        match self.cache.and_then(|cache| cache.find(text)) {
            Some(shared) => {
                self.shared_key = Some(shared);
                Ok(())
            }
            None => self.key().string(StringKind::String, text),
        }
    }

    /// As the engine does it: `dictionary[key] = value`, which checks the key and not the value.
    #[inline]
    fn value(&mut self) -> Slot<'_> {
        // SAFETY: the dictionary is ours. The address is that of a valid Variant, which stays there
        // until the next key comes: nothing else is put into the dictionary meanwhile. A word from
        // the cache is where it was, as none was asked for since.
        let slot = unsafe {
            let index = self.api.interface.dictionary_operator_index;
            let key = self.shared_key.unwrap_or(&raw const self.key);
            Slot::at(self.api, index(self.dictionary, key), false)
        };
        slot.with_cache(self.cache).with_hint(self.value_hint)
    }

    fn end(self) -> Result<(), Refusal> {
        Ok(())
    }
}

/// Lets the table of a dictionary have its final size from the start, as the engine's own
/// `reserve()` does, which only the engine can call: to move the entries into ever larger ones is a
/// third of the work.
///
/// # Safety
/// `dictionary` must point to a `Dictionary` that only the caller uses, and that never had an entry.
#[inline]
pub(crate) unsafe fn reserve(api: &Api, dictionary: Content, count: usize) {
    if count <= SMALLEST_TABLE_COUNT {
        return;
    }
    if let (Some(offset), Some(table)) = (api.layout.table_sizes, layout::table_for(count)) {
        // SAFETY: the dictionary is the caller's alone and never had an entry; the probe has seen
        // what stands there, and that it can be changed.
        unsafe { dictionary.cast::<*mut u8>().read().add(offset).cast::<u32>().write(table) };
    }
}

/// Puts `value` under `key`.
///
/// # Safety
/// `dictionary` must point to a `Dictionary` without declared types that only the caller uses, `key` be valid.
#[inline]
pub(crate) unsafe fn insert(api: &Api, dictionary: Content, key: *const Variant, value: Variant) {
    // SAFETY: the dictionary is the caller's alone and has no declared types, and the key is valid.
    // The place is a valid Variant, which nothing else changes now; what is plain in it needs no
    // destruction before another value is moved there.
    unsafe {
        let place = (api.interface.dictionary_operator_index)(dictionary, key);
        if layout::is_plain(api.type_id(place)) {
            place.write(value);
        } else {
            *place = value;
        }
    }
}
