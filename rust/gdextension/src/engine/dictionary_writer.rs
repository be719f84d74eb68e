//! What fills dictionaries.

use std::marker::PhantomData;

use godot::builtin::Variant;
use variant::{ContainerTypeRef, DictionarySink, Refusal, Sink, StringKind, Text, VariantType};

use super::api::{Api, Content};
use super::container_writer::EngineType;
use super::shelf::Shelf;
use super::writer::Slot;

/// Fills a `Dictionary`.
pub(crate) struct DictionaryWriter<'s> {
    dictionary: Content,
    key: Variant,
    /// The key, where it is one from the shelf.
    shared_key: Option<*const Variant>,
    api: &'static Api,
    shelf: Option<&'s Shelf>,
    owner: PhantomData<&'s mut Variant>,
}

impl<'s> DictionaryWriter<'s> {
    /// Makes an empty dictionary, to be filled.
    #[inline]
    pub(super) fn open(
        slot: Slot<'s>,
        key_type: ContainerTypeRef<'_>,
        value_type: ContainerTypeRef<'_>,
    ) -> Result<DictionaryWriter<'s>, Refusal> {
        let types = match (key_type, value_type) {
            (ContainerTypeRef::Any, ContainerTypeRef::Any) => None,
            _ => Some((EngineType::new(key_type)?, EngineType::new(value_type)?)),
        };
        let Slot { api, shelf, .. } = slot;
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
        Ok(DictionaryWriter {
            dictionary,
            key: Variant::nil(),
            shared_key: None,
            api,
            shelf,
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

    /// The dictionary copies its keys: a word from the shelf need not be copied before.
    #[inline]
    fn string_key(&mut self, text: Text<'_>) -> Result<(), Refusal> {
        match self.shelf.and_then(|shelf| shelf.find(text)) {
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
        // the shelf is where it was, as none was asked for since.
        let slot = unsafe {
            let index = self.api.interface.dictionary_operator_index;
            let key = self.shared_key.unwrap_or(&raw const self.key);
            Slot::at(self.api, index(self.dictionary, key), false)
        };
        slot.with(self.shelf)
    }

    fn end(self) -> Result<(), Refusal> {
        Ok(())
    }
}
