//! Dictionaries as a source.

use std::{iter, ptr};

use engine_kernels::tuning::{ENTRIES_AHEAD, LARGE_CONTAINER_COUNT};
use godot::builtin::Variant;
use godot_variant::{
    ContainerType, ContainerTypeRef, DictionarySink, Refusal, Segment, Sink, Source, VariantType,
};

use crate::engine::ffi::api::{Content, call, call_int};
use crate::engine::ffi::layout::{DictionaryLayout, Entry, private};
use crate::engine::read::prefetch::prefetch_start;
use crate::engine::read::value::{EngineValue, Objects};

/// The entries of a `Dictionary` along the chain of the engine's hash map.
#[derive(Clone, Copy)]
pub(crate) struct Chain<'v> {
    next: *const Entry,
    left: usize,
    /// The dictionary, whose options go for all that it holds.
    owner: EngineValue<'v>,
}

impl<'v> Chain<'v> {
    /// Walks past an entry, and fetches what it holds. Fetches the entry a few further on, too, if the dictionary was filled in
    /// one go: then all are equally far apart.
    #[inline(always)]
    fn fetch_next(&mut self) {
        let entry = self.next;
        let Some((key, value)) = self.next() else { return };
        let distance = self.next.addr().wrapping_sub(entry.addr());
        prefetch_start(entry.cast::<u8>().wrapping_add(distance.wrapping_mul(ENTRIES_AHEAD)));
        key.prefetch_content();
        value.prefetch_content();
    }

    /// The next entry. Fetches what a later dictionary has in its place, if one is known that was made like this one.
    #[inline(always)]
    fn next_alike(&mut self) -> Option<(EngineValue<'v>, EngineValue<'v>)> {
        let entry = self.next;
        let (key, value) = self.next()?;
        if self.owner.stride.is_known() {
            self.owner.stride.prefetch_later(entry.cast());
            value.prefetch_ahead();
        }
        Some((key, value))
    }
}

impl<'v> Iterator for Chain<'v> {
    type Item = (EngineValue<'v>, EngineValue<'v>);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        self.left = self.left.checked_sub(1)?;
        // SAFETY: there are as many entries as the engine counts, and nobody changes the dictionary
        // while it is read.
        let entry: &'v Entry = unsafe { &*self.next };
        self.next = entry.next;
        let inner = |variant| EngineValue { variant, ..self.owner };
        Some((inner(&entry.key), inner(&entry.value)))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl ExactSizeIterator for Chain<'_> {}

impl<'v> EngineValue<'v> {
    /// # Safety
    /// `dictionary` must point to the `Dictionary` that the Variant holds.
    pub(crate) unsafe fn emit_dictionary<S: Sink>(
        &self,
        dictionary: Content,
        sink: S,
    ) -> Result<(), Refusal> {
        // SAFETY: `dictionary` points to the `Dictionary` that the Variant holds.
        let (mut sink, count) = match unsafe { self.untyped_count(dictionary) } {
            Some(count) => {
                (sink.dictionary(ContainerTypeRef::Any, ContainerTypeRef::Any, count)?, count)
            }
            None => {
                // SAFETY: as above.
                let (key_type, value_type, count) = unsafe { self.dictionary_head(dictionary)? };
                (sink.dictionary(key_type.as_ref(), value_type.as_ref(), count)?, count)
            }
        };
        if count > 0 {
            // SAFETY: as above, and it has `count` entries.
            unsafe {
                match &self.api.layout.dictionaries {
                    // The chain could change while it is walked, see `unchanging`.
                    Some(layout) if self.objects == Objects::AsIds => {
                        self.emit_chain(dictionary, layout, count, &mut sink)?;
                    }
                    _ => self.emit_entries(dictionary, count, &mut sink)?,
                }
            }
        }
        sink.end()
    }

    /// The number of entries, if the layout is known and no types are declared, as in most dictionaries.
    ///
    /// # Safety
    /// `dictionary` must point to the `Dictionary` that the Variant holds.
    #[inline]
    unsafe fn untyped_count(&self, dictionary: Content) -> Option<usize> {
        let layout = self.api.layout.dictionaries.as_ref()?;
        // SAFETY: `dictionary` points to the `Dictionary` that the Variant holds; the probe has
        // seen what stands at the offsets.
        unsafe {
            let key_type = private::<u32>(dictionary, layout.key_type);
            let value_type = private::<u32>(dictionary, layout.value_type);
            (key_type | value_type == 0).then(|| private::<u32>(dictionary, layout.count) as usize)
        }
    }

    /// Declared types of the keys and the values, and the number of entries.
    ///
    /// # Safety
    /// `dictionary` must point to the `Dictionary` that the Variant holds.
    #[inline]
    pub(crate) unsafe fn dictionary_head(
        &self,
        dictionary: Content,
    ) -> Result<(ContainerType, ContainerType, usize), Refusal> {
        let methods = &self.api.methods;
        // SAFETY: `dictionary` points to the `Dictionary` that the Variant holds; the probe has
        // seen what stands at the offsets.
        unsafe {
            let (key_builtin, value_builtin, count) = match &self.api.layout.dictionaries {
                Some(layout) => (
                    private::<u32>(dictionary, layout.key_type).into(),
                    private::<u32>(dictionary, layout.value_type).into(),
                    private::<u32>(dictionary, layout.count) as usize,
                ),
                None => (
                    call_int(methods.dictionary_key_builtin, dictionary),
                    call_int(methods.dictionary_value_builtin, dictionary),
                    call_int(methods.dictionary_size, dictionary) as usize,
                ),
            };
            let key_type = self.container_type(
                key_builtin,
                |class| call(methods.dictionary_key_class_name, dictionary, [], class),
                |script| call(methods.dictionary_key_script, dictionary, [], script),
            )?;
            let value_type = self.container_type(
                value_builtin,
                |class| call(methods.dictionary_value_class_name, dictionary, [], class),
                |script| call(methods.dictionary_value_script, dictionary, [], script),
            )?;
            Ok((key_type, value_type, count))
        }
    }

    /// Walks the chain of the engine's hash map.
    ///
    /// # Safety
    /// `dictionary` must point to a `Dictionary` of `count` entries that does not change meanwhile,
    /// and `layout` be what the probe found.
    #[inline]
    unsafe fn emit_chain<D: DictionarySink>(
        &self,
        dictionary: Content,
        layout: &DictionaryLayout,
        count: usize,
        sink: &mut D,
    ) -> Result<(), Refusal> {
        // SAFETY: `dictionary` has `count` entries and does not change meanwhile, and `layout` is what the probe found.
        let mut chain = unsafe { self.chain(dictionary, layout, count) };
        if count >= LARGE_CONTAINER_COUNT {
            return emit_looking_ahead(chain, sink);
        }
        for (index, (key, value)) in iter::from_fn(|| chain.next_alike()).enumerate() {
            emit_entry(index, key, value, sink)?;
        }
        Ok(())
    }

    /// The entries along the chain of the engine's hash map.
    ///
    /// # Safety
    /// As [`Self::emit_chain`].
    #[inline]
    pub(crate) unsafe fn chain(
        &self,
        dictionary: Content,
        layout: &DictionaryLayout,
        count: usize,
    ) -> Chain<'v> {
        // SAFETY: the probe has seen that the chain starts there and has an entry for each key.
        let next = unsafe { private::<*const Entry>(dictionary, layout.entries) };
        Chain { next, left: count, owner: *self }
    }

    /// Takes keys and values out as arrays.
    ///
    /// # Safety
    /// `dictionary` must point to a `Dictionary` of `count` entries that does not change meanwhile.
    unsafe fn emit_entries<D: DictionarySink>(
        &self,
        dictionary: Content,
        count: usize,
        sink: &mut D,
    ) -> Result<(), Refusal> {
        let (api, methods) = (self.api, &self.api.methods);
        let (mut keys, mut values) = (Variant::nil(), Variant::nil());
        // SAFETY: `dictionary` has `count` entries and does not change meanwhile; both methods
        // return an `Array`, which replaces an empty one.
        let (keys, values) = unsafe {
            let keys = api.make_default(VariantType::Array, &raw mut keys);
            let values = api.make_default(VariantType::Array, &raw mut values);
            (methods.dictionary_keys)(dictionary, ptr::null(), keys, 0);
            (methods.dictionary_values)(dictionary, ptr::null(), values, 0);
            (keys, values)
        };
        for index in 0..count {
            // SAFETY: both arrays have `count` elements, and live to the end of this function.
            let (key, value) = unsafe {
                let index_const = api.interface.array_operator_index_const;
                let element = |array: Content| self.inner(index_const(array, index as i64));
                (element(keys), element(values))
            };
            emit_entry(index, key, value, sink)?;
        }
        Ok(())
    }
}

/// The entries of a large dictionary. Its chain is walked a few entries ahead of what is emitted: to find where an entry is, is to
/// wait for memory.
#[inline(never)]
fn emit_looking_ahead<D: DictionarySink>(chain: Chain<'_>, sink: &mut D) -> Result<(), Refusal> {
    let mut ahead = chain;
    for _ in 0..ENTRIES_AHEAD {
        ahead.fetch_next();
    }
    for (index, (key, value)) in chain.enumerate() {
        ahead.fetch_next();
        emit_entry(index, key, value, sink)?;
    }
    Ok(())
}

#[inline(always)]
fn emit_entry<D: DictionarySink>(
    index: usize,
    key: EngineValue<'_>,
    value: EngineValue<'_>,
    sink: &mut D,
) -> Result<(), Refusal> {
    key.emit(sink.key()).map_err(|refusal| refusal.at(Segment::EntryKey(index)))?;
    value.emit(sink.value()).map_err(|refusal| refusal.at(Segment::Key(key.to_value())))
}
