//! The engine's values as readers of text make them. These know the length of a container only at
//! its end: its elements are finished before it is made, and moved into it.

use std::vec::Drain;
use std::{ptr, slice};

use bytemuck::Pod;
use godot::builtin::{GString, Variant};
use godot_variant::{PackedType, Refusal, Sink, Source, StringKind, Text, Value, VariantType};
use godot_variant_codec::{CollisionCounter, KeyCounter};
use o3de_json::Builder;

use crate::engine::ffi::api::{Api, Content, api, call_int, resize};
use crate::engine::memory::string_cache::{self, StringCache};
use crate::engine::memory::text;
use crate::engine::parallel::workers;
use crate::engine::write::array::first_element;
use crate::engine::write::dictionary::insert;
use crate::engine::write::slot::Slot;

/// Lets `work` make values. It refuses keys and names that pass the limit `max_collisions`.
pub(crate) fn build<R>(max_collisions: usize, work: impl FnOnce(&EngineBuilder<'_>) -> R) -> R {
    let cache = string_cache::acquire();
    let cache = cache.as_deref().and_then(Option::as_ref);
    work(&EngineBuilder { api: api(), cache, collisions: CollisionCounter::new(max_collisions) })
}

/// The engine's String of a long `text` without NUL.
pub(crate) fn string_of(text: &str) -> GString {
    match text.is_ascii() {
        true => text::make(Text::Ascii(text.as_bytes())),
        false => text::make(Text::Utf8(text)),
    }
}

/// Makes Variants.
pub(crate) struct EngineBuilder<'s> {
    api: &'static Api,
    cache: Option<&'s StringCache>,
    collisions: CollisionCounter,
}

/// A `Dictionary` that is being filled.
pub(crate) struct EngineMap {
    dictionary: Variant,
    /// The key that was put in last.
    key: Variant,
    keys: KeyCounter,
}

impl EngineBuilder<'_> {
    /// A new, empty value of type `ty`.
    fn empty(&self, ty: VariantType) -> Variant {
        let mut variant = self.nil();
        // SAFETY: a nil needs no destruction, and the variant is ours.
        unsafe { self.api.make_default(ty, &raw mut variant) };
        variant
    }
}

/// # Safety
/// The Variant must hold a `Dictionary`.
unsafe fn content_of(api: &Api, dictionary: &Variant) -> Content {
    // SAFETY: the Variant holds a `Dictionary`.
    unsafe { api.near_content(VariantType::Dictionary, dictionary) }
}

impl Builder for EngineBuilder<'_> {
    type Value = Variant;
    type Place<'a>
        = Slot<'a>
    where
        Self: 'a;
    type Names = Vec<Variant>;
    type Map = EngineMap;

    const OBJECTS: bool = false;

    #[inline]
    fn nil(&self) -> Variant {
        self.api.nil()
    }

    #[inline]
    fn place<'a>(&'a self, value: &'a mut Variant) -> Slot<'a> {
        // SAFETY: a mutable reference is valid and exclusive, and the value is nil.
        unsafe { Slot::at(self.api, value, true) }.with_cache(self.cache)
    }

    /// A value that was read into a tree first.
    fn put(&self, value: Value, place: &mut Variant) -> Result<(), Refusal> {
        self.collisions.value(&value)?;
        value.emit(self.place(place))
    }

    fn with_help(&self, work: &(dyn Fn() + Sync)) {
        workers::with_help(work, work);
    }

    #[inline]
    fn string(&self, kind: StringKind, text: Text<'_>, place: &mut Variant) -> Result<(), Refusal> {
        if kind == StringKind::StringName {
            self.collisions.name(text)?;
        }
        self.place(place).string(kind, text)
    }

    fn packed<T: Pod>(
        &self,
        ty: PackedType,
        count: usize,
        fill: impl FnOnce(&mut [T]) -> bool,
    ) -> Option<Variant> {
        assert_eq!(size_of::<T>(), ty.element_len(), "these are elements of a {ty:?}");
        let array = self.empty(ty.variant_type());
        let functions = self.api.packed(ty);
        let is_filled = match count {
            0 => fill(&mut []),
            // SAFETY: the array is new and ours. After the resize it has `count` elements, all zeros, which stand in one row
            // from the first on, as they do in the engine's own arrays of elements of this size; of a `T` any bits are a value.
            _ => unsafe {
                let content = self.api.content(ty.variant_type(), &raw const array);
                resize(functions.resize, content, count);
                let first = (functions.index)(content, 0).cast::<T>();
                assert!(first.is_aligned(), "an element of a {ty:?} can stand here");
                fill(slice::from_raw_parts_mut(first, count))
            },
        };
        is_filled.then_some(array)
    }

    fn array(&self, elements: Drain<'_, Variant>) -> Variant {
        let (api, count) = (self.api, elements.len());
        let array = self.empty(VariantType::Array);
        // SAFETY: the array is new and ours. After the resize it has as many places as there are
        // elements, all nil, which need no destruction, in one row from the first on.
        unsafe {
            let content = api.near_content(VariantType::Array, &array);
            resize(api.methods.array_resize, content, count);
            let first = first_element(api, content, count);
            for (index, element) in elements.enumerate() {
                first.add(index).write(element);
            }
        }
        array
    }

    fn strings(&self, strings: Drain<'_, Variant>) -> Variant {
        let (api, count) = (self.api, strings.len());
        let array = self.empty(VariantType::PackedStringArray);
        if count == 0 {
            return array;
        }
        // SAFETY: the array is new and ours. After the resize it has as many places as there are
        // strings, all empty, in one row from the first on; a `String` is one pointer.
        unsafe {
            let content = api.content(VariantType::PackedStringArray, &raw const array);
            resize(api.methods.packed_strings_resize, content, count);
            let first = (api.interface.packed_string_array_operator_index)(content, 0);
            for (index, mut string) in strings.enumerate() {
                let place = first.cast::<*mut u32>().add(index);
                if api.type_id(&raw const string) != u32::from(VariantType::String.id()) {
                    continue;
                }
                // The two change their contents: the empty one needs no destruction.
                let made = api.near_content(VariantType::String, &raw mut string);
                ptr::swap(place, made.cast());
            }
        }
        array
    }

    fn names<'a>(&self, names: impl Iterator<Item = &'a str>) -> Vec<Variant> {
        names.map(|name| text::make_variant(self.api, Text::Utf8(name))).collect()
    }

    fn record(&self, names: &Vec<Variant>, values: Drain<'_, Variant>) -> Variant {
        let dictionary = self.empty(VariantType::Dictionary);
        for (name, value) in names.iter().zip(values) {
            // SAFETY: the dictionary is new and ours, a reference is valid.
            unsafe { insert(self.api, content_of(self.api, &dictionary), name, value) };
        }
        dictionary
    }

    fn map(&self) -> EngineMap {
        let (dictionary, keys) = (self.empty(VariantType::Dictionary), self.collisions.keys());
        EngineMap { dictionary, key: self.nil(), keys }
    }

    #[inline]
    fn entry(&self, map: &mut EngineMap, name: Text<'_>, value: Variant) {
        // An entry is missing then, so that the map is read into a tree, and `put` refuses that.
        if !map.keys.add(name) {
            return;
        }
        // SAFETY: the key is a valid Variant of ours.
        let slot = unsafe { Slot::at(self.api, &raw mut map.key, false) }.with_cache(self.cache);
        // A place of the engine takes any text.
        let _ = slot.string(StringKind::String, name);
        // SAFETY: the dictionary is ours, a reference is valid.
        unsafe {
            insert(self.api, content_of(self.api, &map.dictionary), &raw const map.key, value);
        }
    }

    fn end_map(&self, map: EngineMap) -> (Variant, usize) {
        let api = self.api;
        // SAFETY: the value is a Dictionary, which `size` belongs to.
        let count = unsafe {
            let content = api.near_content(VariantType::Dictionary, &map.dictionary);
            call_int(api.methods.dictionary_size, content)
        };
        (map.dictionary, count as usize)
    }
}
