//! The engine's values as a sink.

use std::marker::PhantomData;
use std::ptr;

use godot::builtin::{PackedByteArray, Variant};
use variant::{
    ContainerTypeRef, NodePathRef, PackedType, Real, Refusal, Sink, StringKind, Text, VariantType,
};
use variant_codec::Encoder;

use super::api::{Api, Content, api};
use super::array_writer::ArrayWriter;
use super::container_writer::resize;
use super::dictionary_writer::DictionaryWriter;
use super::layout;
use super::object_writer::{self, ObjectWriter};
use super::shelf::Shelf;
use super::strings_writer::StringsWriter;
use super::text;

/// A place for one engine value: a valid Variant, which the value replaces.
pub(crate) struct Slot<'s> {
    place: *mut Variant,
    /// The Variant is nil, so that nothing needs to be destroyed.
    fresh: bool,
    /// Whether an array gets all places that it promises to fill: one of those in each other may.
    pub(super) trusted: bool,
    pub(super) api: &'static Api,
    pub(super) shelf: Option<&'s Shelf>,
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
    pub(super) unsafe fn at(api: &'static Api, place: *mut Variant, fresh: bool) -> Slot<'s> {
        Slot { place, fresh, trusted: false, api, shelf: None, owner: PhantomData }
    }

    /// The same place, for a value whose promise is believed, or not.
    #[inline]
    pub(super) fn trusting(self, trusted: bool) -> Slot<'s> {
        Slot { trusted, ..self }
    }

    /// The same place, for a value whose words may be copied from the shelf.
    #[inline]
    pub(super) fn with(self, shelf: Option<&'s Shelf>) -> Slot<'s> {
        Slot { shelf, ..self }
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
    pub(super) fn fill_default(self, ty: VariantType) -> Content {
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

    #[inline(always)]
    fn bool(self, value: bool) -> Result<(), Refusal> {
        // SAFETY: the engine's bool is a byte of 0 or 1.
        unsafe { self.fill_plain(VariantType::Bool, &u8::from(value)) };
        Ok(())
    }

    #[inline(always)]
    fn int(self, value: i64) -> Result<(), Refusal> {
        // SAFETY: the engine's int is 64 bits.
        unsafe { self.fill_plain(VariantType::Int, &value) };
        Ok(())
    }

    #[inline(always)]
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
                if let Some(shared) = self.shelf.and_then(|shelf| shelf.find(text)) {
                    // SAFETY: the place is empty, and the shelf holds valid Variants.
                    unsafe { (api.interface.variant_new_copy)(self.emptied(), shared) };
                    return Ok(());
                }
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

    #[inline(always)]
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

    #[inline(always)]
    fn ints<const N: usize>(self, ty: VariantType, parts: &[i32; N]) -> Result<(), Refusal> {
        // SAFETY: the types made of integers are their components without gaps, at most 16 bytes.
        unsafe { self.fill_plain(ty, parts) };
        Ok(())
    }

    #[inline(always)]
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
            // another one before it. Hardly any name has one.
            let is_plain = |name: &Text<'_>| match name {
                Text::Ascii(_) => true,
                Text::Utf8(name) => !name.starts_with('\u{FEFF}'),
                Text::Utf32(_) => false,
            };
            if path.names.iter().chain(path.subnames).all(is_plain) {
                return sink.node_path(path);
            }
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
        count: usize,
    ) -> Result<Self::Dictionary, Refusal> {
        DictionaryWriter::open(self, key_type, value_type, count)
    }

    #[inline]
    fn array(
        self,
        element_type: ContainerTypeRef<'_>,
        count: usize,
    ) -> Result<Self::Array, Refusal> {
        ArrayWriter::open(self, element_type, count)
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
        Ok(StringsWriter::open(self, count))
    }
}
