//! What fills arrays and dictionaries.

use std::marker::PhantomData;
use std::{ptr, slice};

use godot::builtin::{StringName, Variant};
use godot::meta::ToGodot;
use variant::{
    ArraySink, ContainerTypeRef, DictionarySink, Plain, Refusal, Sink, StringKind, StringsSink,
    Text, VariantType,
};

use super::api::{Api, Content, api, call, call_int};
use super::shelf::Shelf;
use super::writer::Slot;
use super::{layout, object_writer, text};

/// Fills an `Array` that has its final size already.
pub(crate) struct ArrayWriter<'s> {
    array: Content,
    first: *mut Variant,
    element_type: Option<EngineType>,
    /// How many elements were given; those that the type refused are no longer there.
    given: usize,
    kept: usize,
    /// The element given last is not among the kept ones yet.
    is_open: bool,
    api: &'static Api,
    shelf: Option<&'s Shelf>,
    owner: PhantomData<&'s mut Variant>,
}

impl<'s> ArrayWriter<'s> {
    /// Makes an array of `count` elements, to be filled.
    #[inline]
    pub(super) fn open(
        slot: Slot<'s>,
        element_type: ContainerTypeRef<'_>,
        count: usize,
    ) -> Result<ArrayWriter<'s>, Refusal> {
        let element_type = match element_type {
            ContainerTypeRef::Any => None,
            _ => Some(EngineType::new(element_type)?),
        };
        let Slot { api, shelf, .. } = slot;
        let array = slot.fill_default(VariantType::Array);
        if let Some(ty) = &element_type {
            // SAFETY: the array is new, empty and ours.
            unsafe { ty.apply_to(array) };
        }
        // SAFETY: the array is ours; the size comes from bytes that are there, at least four for
        // each element.
        let first = unsafe {
            resize(api.methods.array_resize, array, count);
            first_element(api, array, count)
        };
        Ok(ArrayWriter {
            array,
            first,
            element_type,
            given: 0,
            kept: 0,
            is_open: false,
            api,
            shelf,
            owner: PhantomData,
        })
    }

    /// The place of an element below the count.
    #[inline]
    fn place(&self, index: usize) -> *mut Variant {
        self.first.wrapping_add(index)
    }

    /// Whether plain values can be written to the places behind those that were given.
    #[inline]
    fn takes_as_it_is<T: Plain>(&mut self) -> bool {
        let is_declared = self.element_type.as_ref().is_none_or(|ty| ty.holds(T::TYPE.id().into()));
        if !is_declared || layout::is_boxed(T::TYPE) || !self.api.layout.variants {
            return false;
        }
        self.settle();
        // Where one was dropped it still stands in its place.
        self.kept == self.given
    }

    /// Converts or drops the element given last, as the engine's `push_back` would.
    fn settle(&mut self) {
        if !std::mem::take(&mut self.is_open) {
            return;
        }
        let Some(ty) = &self.element_type else {
            self.kept = self.given;
            return;
        };
        let place = self.place(self.kept);
        // SAFETY: the place holds the valid Variant that was given last.
        let found = unsafe { (api().interface.variant_get_type)(place) };
        if ty.holds(found) || self.convert(place) {
            self.kept += 1;
        }
    }

    /// Lets the engine decide over an element whose type is not the declared one: false if it is
    /// to be dropped. The engine logs an error then.
    #[cold]
    fn convert(&self, place: *mut Variant) -> bool {
        let Some(ty) = &self.element_type else {
            return true;
        };
        let mut judge = Variant::nil();
        let judge_array = Slot::new(&mut judge).fill_default(VariantType::Array);
        // SAFETY: the judge is a new array of ours; `push_back` takes a Variant and returns
        // nothing. What it keeps is a valid Variant, which changes places with the given one.
        unsafe {
            ty.apply_to(judge_array);
            call(api().methods.array_push_back, judge_array, [place.cast_const().cast()], &mut ());
            let kept = call_int(api().methods.array_size, judge_array) == 1;
            if kept {
                ptr::swap(place, (api().interface.array_operator_index)(judge_array, 0));
            }
            kept
        }
    }
}

impl ArraySink for ArrayWriter<'_> {
    type Element<'a>
        = Slot<'a>
    where
        Self: 'a;

    #[inline]
    fn element(&mut self) -> Slot<'_> {
        if self.element_type.is_some() {
            self.settle();
        } else {
            self.kept = self.given;
        }
        self.given += 1;
        self.is_open = true;
        // SAFETY: the place is an element of an array of ours. It is nil if the array is untyped.
        let slot =
            unsafe { Slot::at(self.api, self.place(self.kept), self.element_type.is_none()) };
        slot.with(self.shelf)
    }

    #[inline(always)]
    fn run<T: Plain>(
        &mut self,
        run: impl ExactSizeIterator<Item = T>,
    ) -> Result<(), (usize, Refusal)> {
        if !self.takes_as_it_is::<T>() {
            for (index, value) in run.enumerate() {
                value.tell(self.element()).map_err(|refusal| (index, refusal))?;
            }
            return Ok(());
        }
        let len = run.len();
        for (index, value) in run.enumerate() {
            // SAFETY: the place is an element of an array of ours: nil, or what the declared type has for a
            // default, which is plain. What is written there was probed.
            unsafe { layout::write_plain(self.place(self.given + index), value) };
        }
        self.given += len;
        self.kept = self.given;
        Ok(())
    }

    fn end(mut self) -> Result<(), Refusal> {
        self.settle();
        if self.kept < self.given {
            // SAFETY: the array is ours.
            unsafe { resize(api().methods.array_resize, self.array, self.kept) };
        }
        Ok(())
    }
}

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

/// Fills a `PackedStringArray` that has its final size already.
pub(crate) struct StringsWriter<'s> {
    /// The places that are left, each a `String`, which is one pointer.
    places: slice::IterMut<'s, *mut u32>,
    api: &'static Api,
    shelf: Option<&'s Shelf>,
}

impl<'s> StringsWriter<'s> {
    /// Makes an array of `count` empty strings, to be filled.
    pub(super) fn open(slot: Slot<'s>, count: usize) -> StringsWriter<'s> {
        let Slot { api, shelf, .. } = slot;
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
        StringsWriter { places: places.iter_mut(), api, shelf }
    }
}

impl StringsSink for StringsWriter<'_> {
    #[inline]
    fn push(&mut self, text: Text<'_>) -> Result<(), Refusal> {
        // The source gives as many strings as it promised.
        let Some(place) = self.places.next() else { return Ok(()) };
        let place: Content = (&raw mut *place).cast();
        let api = self.api;
        // SAFETY: the place is an empty String, which needs no destruction, in an array of ours.
        unsafe {
            match self.shelf.and_then(|shelf| shelf.find(text)) {
                Some(shared) => {
                    let shared = api.near_content(VariantType::String, shared).cast_const();
                    (api.string_copy)(place, [shared].as_ptr());
                }
                None => text::fill(api, place, text),
            }
        }
        Ok(())
    }

    fn end(self) -> Result<(), Refusal> {
        Ok(())
    }
}

/// Where the first element of an array of ours is, and the others behind it without gaps; null for
/// an array without elements.
///
/// # Safety
/// `array` must point to an `Array` of `count` elements that only the caller uses.
unsafe fn first_element(api: &Api, array: Content, count: usize) -> *mut Variant {
    if count == 0 {
        return ptr::null_mut();
    }
    let index = api.interface.array_operator_index;
    // SAFETY: the indices are below the size.
    let (first, last) = unsafe { (index(array, 0), index(array, count as i64 - 1)) };
    // The engine has one row of elements; only a read-only array hides it, and a new one is none.
    assert!(last == first.wrapping_add(count - 1), "the elements of an Array stand in one row");
    first
}

/// Resizes an array of any kind.
///
/// # Safety
/// `array` must point to an array that `method` resizes, which only the caller uses.
#[inline]
pub(super) unsafe fn resize(method: ResizeMethod, array: Content, count: usize) {
    let (count, mut error) = (count as i64, 0i64);
    // SAFETY: promised by the caller; the method takes an int and returns one.
    unsafe { call(method, array, [(&raw const count).cast()], &mut error) };
}

type ResizeMethod =
    unsafe extern "C" fn(Content, *const *const std::ffi::c_void, *mut std::ffi::c_void, i32);

/// The declared type of a container's elements, as the engine takes it.
struct EngineType {
    builtin: u32,
    class: StringName,
    script: Variant,
}

impl EngineType {
    #[cold]
    fn new(ty: ContainerTypeRef<'_>) -> Result<EngineType, Refusal> {
        let object = u32::from(VariantType::Object.id());
        Ok(match ty {
            ContainerTypeRef::Any => EngineType::builtin(0),
            ContainerTypeRef::Builtin(ty) => EngineType::builtin(ty.id().into()),
            ContainerTypeRef::Class(name) => EngineType {
                class: text::make_name(Text::Utf8(name)),
                ..EngineType::builtin(object)
            },
            ContainerTypeRef::Script(path) => {
                let script = object_writer::load_script(path)?;
                EngineType {
                    builtin: object,
                    class: script.get_instance_base_type(),
                    script: script.to_variant(),
                }
            }
        })
    }

    fn builtin(builtin: u32) -> EngineType {
        EngineType { builtin, class: StringName::default(), script: Variant::nil() }
    }

    /// Makes an array one of this type.
    ///
    /// # Safety
    /// `array` must point to an empty, untyped array that only the caller uses.
    unsafe fn apply_to(&self, array: Content) {
        let set_typed = api().interface.array_set_typed;
        // SAFETY: promised by the caller; the type outlives the call.
        unsafe { set_typed(array, self.builtin, &raw const self.class, &raw const self.script) };
    }

    /// Whether a value of type `ty` is an element without a closer look.
    fn holds(&self, ty: u32) -> bool {
        ty == self.builtin && ty != u32::from(VariantType::Object.id())
    }
}
