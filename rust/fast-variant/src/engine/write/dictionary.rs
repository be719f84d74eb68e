//! The fillers of dictionaries.

use std::marker::PhantomData;

use engine_kernels::tuning::{SMALLEST_TABLE_COUNT, TRUSTED_COUNT};
use godot::builtin::Variant;
use godot_variant::{
    ContainerTypeRef, DictionarySink, Refusal, Segment, Sink, StringKind, Text, VariantType,
};

use crate::engine::ffi::api::{Api, Content, call_int};
use crate::engine::ffi::layout;
use crate::engine::memory::string_cache::StringCache;
use crate::engine::write::container_type::EngineType;
use crate::engine::write::slot::{LenHint, Slot};
use crate::engine::{EngineValue, Objects};

/// Fills a `Dictionary`.
pub(crate) struct DictionaryWriter<'s> {
    dictionary: Content,
    key: Variant,
    /// The key, where it is a string from the cache.
    shared_key: Option<*const Variant>,
    /// Whether containers in this one get all places that they announce.
    value_hint: LenHint,
    checks_types: bool,
    /// What keys and values have to pass, if that is an error.
    check: Option<Box<EntryCheck>>,
    api: &'static Api,
    cache: Option<&'s StringCache>,
    owner: PhantomData<&'s mut Variant>,
}

/// How far the entries of a typed dictionary were compared with its types.
struct EntryCheck {
    key: EngineType,
    value: EngineType,
    /// The value of the last key. Its source has possibly not filled it.
    pending: Option<*mut Variant>,
    /// How many entries came before this one.
    taken: usize,
    refused: Option<Refusal>,
}

impl EntryCheck {
    /// Compares the value that is filled by now, and that of `key`.
    fn settle(&mut self, key: &Variant) {
        if let Some(value) = self.pending.take() {
            // SAFETY: the value is in the dictionary since its key came, and no other key has come.
            let checked = self.value.check("value", unsafe { &*value });
            self.note(checked, || Segment::Key(EngineValue::new(key, Objects::AsIds).to_value()));
            self.taken += 1;
        }
    }

    /// Whether the dictionary takes `key`. It logs an error if it is given another one.
    fn takes(&mut self, key: &Variant) -> bool {
        let checked = self.key.check("key", key);
        let is_taken = checked.is_ok();
        let entry = self.taken;
        self.note(checked, || Segment::EntryKey(entry));
        is_taken
    }

    fn note(&mut self, checked: Result<(), Refusal>, place: impl FnOnce() -> Segment) {
        if let (Err(refusal), None) = (checked, &self.refused) {
            self.refused = Some(refusal.at(place()));
        }
    }
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
        let Slot { api, cache, len_hint, checks_types, .. } = slot;
        let dictionary = slot.fill_default(VariantType::Dictionary);
        if let Some((key, value)) = &types {
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
            checks_types,
            check: types.filter(|_| checks_types).map(|(key, value)| {
                Box::new(EntryCheck { key, value, pending: None, taken: 0, refused: None })
            }),
            api,
            cache,
            owner: PhantomData,
        })
    }
}

impl DictionaryWriter<'_> {
    /// Compares the last value, if values are compared. Its key is still the current one.
    #[inline]
    fn settle(&mut self) {
        if let Some(check) = &mut self.check {
            // SAFETY: the key is a valid Variant: ours, or a word from the cache.
            check.settle(unsafe { &*self.shared_key.unwrap_or(&raw const self.key) });
        }
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
        self.settle();
        self.shared_key = None;
        // SAFETY: a mutable reference is valid and exclusive.
        unsafe { Slot::at(self.api, &raw mut self.key, false) }.checking_types(self.checks_types)
    }

    /// The dictionary copies its keys: a string from the cache need not be copied before.
    #[inline]
    fn string_key(&mut self, text: Text<'_>) -> Result<(), Refusal> {
        self.settle();
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
            let place = match &mut self.check {
                None => index(self.dictionary, key),
                Some(check) => match check.takes(&*key) {
                    true => *check.pending.insert(index(self.dictionary, key)),
                    // The value of a refused key is only read over.
                    false => &raw mut self.key,
                },
            };
            Slot::at(self.api, place, false)
        };
        slot.with_cache(self.cache).with_hint(self.value_hint).checking_types(self.checks_types)
    }

    fn key_count(&self) -> Option<usize> {
        // SAFETY: the dictionary is ours, and `size` is a method of dictionaries.
        let len = unsafe { call_int(self.api.methods.dictionary_size, self.dictionary) };
        usize::try_from(len).ok()
    }

    fn end(mut self) -> Result<(), Refusal> {
        self.settle();
        let refused = self.check.as_mut().and_then(|check| check.refused.take());
        refused.map_or(Ok(()), Err)
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
    // The place is a valid Variant, which nothing else changes now; a plain value in it needs no
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
