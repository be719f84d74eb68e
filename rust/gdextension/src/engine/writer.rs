//! The engine's values as a sink.

use std::marker::PhantomData;
use std::ptr;

use godot::builtin::{PackedByteArray, StringName, Variant};
use godot::meta::ToGodot;
use variant::{
    ArraySink, ContainerTypeRef, DictionarySink, NodePathRef, PackedType, Real, Refusal, Sink,
    StringKind, StringsSink, Text, VariantType,
};
use variant_codec::Encoder;

use super::api::{Api, Content, api, call, call_int};
use super::layout;
use super::object_writer::{self, ObjectWriter};
use super::text;

/// A place for one engine value: a valid Variant, which the value replaces.
pub(crate) struct Slot<'s> {
    place: *mut Variant,
    /// The Variant is nil, so that nothing needs to be destroyed.
    fresh: bool,
    api: &'static Api,
    owner: PhantomData<&'s mut Variant>,
}

impl<'s> Slot<'s> {
    /// The place of `variant`.
    pub(crate) fn new(variant: &'s mut Variant) -> Slot<'s> {
        // SAFETY: a mutable reference is valid and exclusive.
        unsafe { Slot::at(api(), variant, false) }
    }

    /// The place at `place`.
    ///
    /// # Safety
    /// `place` must hold a valid Variant, nil if `fresh`, that only the caller uses during `'s`.
    #[inline]
    unsafe fn at(api: &'static Api, place: *mut Variant, fresh: bool) -> Slot<'s> {
        Slot { place, fresh, api, owner: PhantomData }
    }

    /// Puts a whole value into the place.
    pub(super) fn put(self, value: Variant) {
        // SAFETY: the place is empty, and a Variant may be moved like any value of the engine.
        unsafe { self.emptied().write(value) };
    }

    /// The place after what it held was destroyed. The caller fills it at once.
    #[inline]
    fn emptied(self) -> *mut Variant {
        // SAFETY: the place holds a valid Variant, and nobody sees it before it is filled.
        unsafe {
            let plain = self.fresh
                || self.api.layout.variants && layout::is_plain(self.api.type_id(self.place));
            if !plain {
                (self.api.interface.variant_destroy)(self.place);
            }
        }
        self.place
    }

    /// Fills the place with a `ty` made from its bare value.
    ///
    /// # Safety
    /// `T` must be what the engine has for `ty`.
    #[inline]
    unsafe fn fill<T>(self, ty: VariantType, value: &T) {
        // SAFETY: promised by the caller, and the place is empty.
        unsafe { self.api.make(ty, self.emptied(), (&raw const *value).cast()) }
    }

    /// As [`Slot::fill`], for what the engine keeps in the Variant itself and copies bit by bit.
    ///
    /// # Safety
    /// As [`Slot::fill`], and `T` must be plain data of at most 16 bytes.
    #[inline(always)]
    unsafe fn fill_plain<T: Copy>(self, ty: VariantType, value: &T) {
        if !self.api.layout.variants {
            // SAFETY: promised by the caller.
            return unsafe { self.fill(ty, value) };
        }
        let place = self.emptied();
        // SAFETY: the place is empty and has 24 bytes. The probe has seen where type and content
        // stand, and that the engine takes what is written so for its own.
        unsafe {
            place.cast::<u64>().write(ty.id().into());
            place.byte_add(layout::CONTENT_OFFSET).cast::<T>().write(*value);
        }
    }

    /// Fills the place with an empty `ty`, and says where its content is.
    #[inline]
    fn fill_default(self, ty: VariantType) -> Content {
        // SAFETY: the place is empty.
        unsafe { self.api.make_default(ty, self.emptied()) }
    }

    /// Fills the place with an empty `String`, and says where it is.
    #[inline]
    fn fill_empty_string(self) -> Content {
        if !self.api.layout.variants {
            return self.fill_default(VariantType::String);
        }
        let content = self.place.wrapping_byte_add(layout::CONTENT_OFFSET).cast();
        // SAFETY: an empty String is a null pointer, which the probe has tried.
        unsafe { self.fill_plain(VariantType::String, &0u64) };
        content
    }

    /// Lets the engine decode a value that cannot be built from outside the engine.
    #[cold]
    fn decode_in_engine(
        self,
        describe: impl FnOnce(Encoder<'_, Vec<u8>>) -> Result<(), Refusal>,
    ) -> Result<(), Refusal> {
        let mut bytes = Vec::new();
        describe(Encoder::new(&mut bytes))?;
        self.put(godot::global::bytes_to_var(&PackedByteArray::from(bytes)));
        Ok(())
    }
}

impl<'s> Sink for Slot<'s> {
    type Array = ArrayWriter<'s>;
    type Dictionary = DictionaryWriter<'s>;
    type Object = ObjectWriter<'s>;
    type Strings = StringsWriter<'s>;

    #[inline]
    fn nil(self) -> Result<(), Refusal> {
        if !self.fresh {
            self.put(Variant::nil());
        }
        Ok(())
    }

    #[inline]
    fn bool(self, value: bool) -> Result<(), Refusal> {
        // SAFETY: the engine's bool is a byte of 0 or 1.
        unsafe { self.fill_plain(VariantType::Bool, &u8::from(value)) };
        Ok(())
    }

    #[inline]
    fn int(self, value: i64) -> Result<(), Refusal> {
        // SAFETY: the engine's int is 64 bits.
        unsafe { self.fill_plain(VariantType::Int, &value) };
        Ok(())
    }

    #[inline]
    fn float(self, value: f64) -> Result<(), Refusal> {
        // SAFETY: the engine's float is 64 bits.
        unsafe { self.fill_plain(VariantType::Float, &value) };
        Ok(())
    }

    #[inline]
    fn string(self, kind: StringKind, text: Text<'_>) -> Result<(), Refusal> {
        match kind {
            StringKind::String => {
                let api = self.api;
                let string = self.fill_empty_string();
                // SAFETY: a new String is empty and ours.
                unsafe { text::fill(api, string, text) };
            }
            StringKind::StringName => {
                // SAFETY: the wrapper is the engine's StringName.
                unsafe { self.fill(VariantType::StringName, &text::make_name(text)) };
            }
        }
        Ok(())
    }

    #[inline]
    fn reals<const N: usize>(self, ty: VariantType, parts: &[Real; N]) -> Result<(), Refusal> {
        // SAFETY: the types made of reals are their components without gaps, and up to 16 bytes of
        // them stand in the Variant itself.
        unsafe {
            if size_of::<[Real; N]>() <= 16 {
                self.fill_plain(ty, parts);
            } else {
                self.fill(ty, parts);
            }
        }
        Ok(())
    }

    #[inline]
    fn ints<const N: usize>(self, ty: VariantType, parts: &[i32; N]) -> Result<(), Refusal> {
        // SAFETY: the types made of integers are their components without gaps, at most 16 bytes.
        unsafe { self.fill_plain(ty, parts) };
        Ok(())
    }

    #[inline]
    fn color(self, parts: &[f32; 4]) -> Result<(), Refusal> {
        // SAFETY: a Color is its components without gaps.
        unsafe { self.fill_plain(VariantType::Color, parts) };
        Ok(())
    }

    /// The engine offers no way to make a path from its names, only from text, which cannot hold
    /// every name.
    fn node_path(self, path: NodePathRef<'_>) -> Result<(), Refusal> {
        self.decode_in_engine(|sink| {
            // The engine takes a byte order mark off each name: one that is part of the name needs
            // another one before it.
            let marked = |names: &[Text<'_>]| -> Vec<Box<str>> {
                let mark = |name: String| match name.starts_with('\u{FEFF}') {
                    true => format!("\u{FEFF}{name}").into(),
                    false => name.into(),
                };
                names.iter().map(|name| mark(name.to_string())).collect()
            };
            let (names, subnames) = (marked(path.names), marked(path.subnames));
            variant::NodePath { absolute: path.absolute, names, subnames }
                .with_ref(|path| sink.node_path(path))
        })
    }

    fn rid(self, id: u64) -> Result<(), Refusal> {
        // SAFETY: the engine's RID is its id.
        unsafe { self.fill(VariantType::Rid, &id) };
        Ok(())
    }

    fn null_object(self) -> Result<(), Refusal> {
        // SAFETY: for an object the bare value is a pointer to it, which may be null.
        unsafe { self.fill(VariantType::Object, &ptr::null::<u8>()) };
        Ok(())
    }

    fn object_id(self, id: u64) -> Result<(), Refusal> {
        self.put(object_writer::encoded_as_id(id));
        Ok(())
    }

    fn object(self, class: Text<'_>, _property_count: usize) -> Result<Self::Object, Refusal> {
        ObjectWriter::new(self, class)
    }

    fn callable(self) -> Result<(), Refusal> {
        self.fill_default(VariantType::Callable);
        Ok(())
    }

    /// A signal of an object that does not exist cannot be made from outside the engine.
    fn signal(self, name: Text<'_>, object_id: u64) -> Result<(), Refusal> {
        self.decode_in_engine(|sink| match name.to_string() {
            // See `node_path`.
            name if name.starts_with('\u{FEFF}') => {
                sink.signal(Text::Utf8(&format!("\u{FEFF}{name}")), object_id)
            }
            name => sink.signal(Text::Utf8(&name), object_id),
        })
    }

    #[inline]
    fn dictionary(
        self,
        key_type: ContainerTypeRef<'_>,
        value_type: ContainerTypeRef<'_>,
        _count: usize,
    ) -> Result<Self::Dictionary, Refusal> {
        let types = match (key_type, value_type) {
            (ContainerTypeRef::Any, ContainerTypeRef::Any) => None,
            _ => Some((EngineType::new(key_type)?, EngineType::new(value_type)?)),
        };
        let api = self.api;
        let dictionary = self.fill_default(VariantType::Dictionary);
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
        Ok(DictionaryWriter { dictionary, key: Variant::nil(), api, owner: PhantomData })
    }

    #[inline]
    fn array(
        self,
        element_type: ContainerTypeRef<'_>,
        count: usize,
    ) -> Result<Self::Array, Refusal> {
        let element_type = match element_type {
            ContainerTypeRef::Any => None,
            _ => Some(EngineType::new(element_type)?),
        };
        let api = self.api;
        let array = self.fill_default(VariantType::Array);
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
        Ok(ArrayWriter { array, first, element_type, given: 0, kept: 0, api, owner: PhantomData })
    }

    #[inline]
    fn packed(self, ty: PackedType, elements: &[u8]) -> Result<(), Refusal> {
        let array = self.fill_default(ty.variant_type());
        if elements.is_empty() {
            return Ok(());
        }
        let functions = api().packed(ty);
        // SAFETY: the array is new and ours; after the resize its elements are contiguous and
        // without gaps from the first on, and take exactly as many bytes as are copied.
        unsafe {
            resize(functions.resize, array, elements.len() / ty.element_len());
            let first = (functions.index)(array, 0);
            ptr::copy_nonoverlapping(elements.as_ptr(), first, elements.len());
        }
        Ok(())
    }

    fn packed_strings(self, count: usize) -> Result<Self::Strings, Refusal> {
        let array = self.fill_default(VariantType::PackedStringArray);
        // SAFETY: the array is new and ours.
        unsafe { resize(api().methods.packed_strings_resize, array, count) };
        Ok(StringsWriter { array, next: 0, owner: PhantomData })
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
unsafe fn resize(method: ResizeMethod, array: Content, count: usize) {
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

/// Fills an `Array` that has its final size already.
pub(crate) struct ArrayWriter<'s> {
    array: Content,
    first: *mut Variant,
    element_type: Option<EngineType>,
    /// How many elements were given; those that the type refused are no longer there.
    given: usize,
    kept: usize,
    api: &'static Api,
    owner: PhantomData<&'s mut Variant>,
}

impl ArrayWriter<'_> {
    /// The place of an element below the count.
    #[inline]
    fn place(&self, index: usize) -> *mut Variant {
        self.first.wrapping_add(index)
    }

    /// Converts or drops the element given last, as the engine's `push_back` would.
    fn settle(&mut self) {
        let Some(ty) = self.element_type.as_ref().filter(|_| self.given > 0) else {
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
        // SAFETY: the place is an element of an array of ours. It is nil if the array is untyped.
        unsafe { Slot::at(self.api, self.place(self.kept), self.element_type.is_none()) }
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
    api: &'static Api,
    owner: PhantomData<&'s mut Variant>,
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
        // SAFETY: a mutable reference is valid and exclusive.
        unsafe { Slot::at(self.api, &raw mut self.key, false) }
    }

    /// As the engine does it: `dictionary[key] = value`, which checks the key and not the value.
    #[inline]
    fn value(&mut self) -> Slot<'_> {
        // SAFETY: the dictionary is ours. The address is that of a valid Variant, which stays there
        // until the next key comes: nothing else is put into the dictionary meanwhile.
        unsafe {
            let index = self.api.interface.dictionary_operator_index;
            Slot::at(self.api, index(self.dictionary, &raw const self.key), false)
        }
    }

    fn end(self) -> Result<(), Refusal> {
        Ok(())
    }
}

/// Fills a `PackedStringArray` that has its final size already.
pub(crate) struct StringsWriter<'s> {
    array: Content,
    next: i64,
    owner: PhantomData<&'s mut Variant>,
}

impl StringsSink for StringsWriter<'_> {
    #[inline]
    fn push(&mut self, text: Text<'_>) -> Result<(), Refusal> {
        // SAFETY: the source gives as many strings as it promised, for which the array was sized;
        // the new elements are empty.
        unsafe {
            let index = api().interface.packed_string_array_operator_index;
            text::fill(api(), index(self.array, self.next).cast(), text);
        }
        self.next += 1;
        Ok(())
    }

    fn end(self) -> Result<(), Refusal> {
        Ok(())
    }
}
