//! The engine's values as a sink: each call of a source to a value in its place.

use std::ptr;

use godot::builtin::Variant;

use godot_variant::{
    ContainerTypeRef, NodePathRef, PackedType, Real, Refusal, Sink, StringKind, Text, VariantType,
};

use crate::engine::ffi::api::{api, resize};
use crate::engine::memory::text;
use crate::engine::write::array::ArrayWriter;
use crate::engine::write::dictionary::DictionaryWriter;
use crate::engine::write::object::{self, ObjectWriter};
use crate::engine::write::slot::Slot;
use crate::engine::write::strings::StringsWriter;

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
                if let Some(shared) = self.cache.and_then(|cache| cache.find(text)) {
                    // SAFETY: the place is empty, and the cache holds valid Variants.
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
    fn reals<const N: usize>(self, ty: VariantType, components: &[Real; N]) -> Result<(), Refusal> {
        // SAFETY: the types made of reals are their components without gaps, and up to 16 bytes of
        // them stand in the Variant itself.
        unsafe {
            if size_of::<[Real; N]>() <= 16 {
                self.fill_plain(ty, components);
            } else {
                self.fill(ty, components);
            }
        }
        Ok(())
    }

    #[inline(always)]
    fn ints<const N: usize>(self, ty: VariantType, components: &[i32; N]) -> Result<(), Refusal> {
        // SAFETY: the types made of integers are their components without gaps, at most 16 bytes.
        unsafe { self.fill_plain(ty, components) };
        Ok(())
    }

    #[inline(always)]
    fn color(self, components: &[f32; 4]) -> Result<(), Refusal> {
        // SAFETY: a Color is its components without gaps.
        unsafe { self.fill_plain(VariantType::Color, components) };
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
            godot_variant::NodePath { absolute: path.absolute, names, subnames }
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
        self.put(object::encoded_as_id(id));
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
