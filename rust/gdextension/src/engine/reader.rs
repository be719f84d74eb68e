//! The engine's values as a source.

use std::ffi::c_void;
use std::slice;

use godot::builtin::{StringName, VarArray, Variant};
use godot::classes::Script;
use godot::obj::Gd;
use variant::{
    ArraySink, ContainerType, DictionarySink, ENCODED_OBJECT_AS_ID, NodePathRef, PackedType,
    Refusal, RefusalKind, Segment, Sink, Source, StringKind, StringsSink, Text, Value, VariantType,
};

use super::api::{Content, api, call, call_int};
use super::{object_reader, text};

/// How objects are told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Objects {
    /// By instance id, as `var_to_bytes` does.
    AsIds,
    /// With their properties, as `var_to_bytes_with_objects` does.
    Full,
}

/// An engine Variant that is read in place.
///
/// Nobody may change the value, or anything in it, while it is read: the engine's containers have
/// no locks. Reading from several threads at once is fine.
#[derive(Clone, Copy)]
pub(crate) struct EngineValue<'v> {
    variant: &'v Variant,
    objects: Objects,
}

impl<'v> EngineValue<'v> {
    pub(crate) fn new(variant: &'v Variant, objects: Objects) -> EngineValue<'v> {
        EngineValue { variant, objects }
    }

    /// The same way of reading, of an inner value.
    ///
    /// # Safety
    /// `variant` must be valid as long as `self` is.
    #[inline]
    unsafe fn inner(&self, variant: *const Variant) -> EngineValue<'v> {
        // SAFETY: promised by the caller.
        let variant = unsafe { &*variant };
        EngineValue { variant, objects: self.objects }
    }
}

impl Source for EngineValue<'_> {
    fn describe<S: Sink>(&self, sink: S) -> Result<(), Refusal> {
        // SAFETY: a reference to a Variant is valid.
        let id = unsafe { (api().interface.variant_get_type)(self.variant) };
        let Some(ty) = VariantType::from_id(id) else {
            let what = "say what a value is whose type is newer than Godot 4.6";
            return Err(Refusal::new(RefusalKind::Engine { what }));
        };
        if ty == VariantType::Nil {
            return sink.nil();
        }
        // SAFETY: the Variant is valid and has this type.
        let content = unsafe { api().content(ty, self.variant) };
        // SAFETY: the content of each type is what the engine has for it, alive and unchanged while
        // the Variant is borrowed: bool as a byte, int, float and RID as 64 bits, vectors and
        // transforms as their components without gaps, the others behind their own functions.
        unsafe {
            match ty {
                VariantType::Nil => sink.nil(),
                VariantType::Bool => sink.bool(content.cast::<u8>().read() != 0),
                VariantType::Int => sink.int(content.cast::<i64>().read()),
                VariantType::Float => sink.float(content.cast::<f64>().read()),
                VariantType::String => {
                    sink.string(StringKind::String, Text::Utf32(text::units(content)))
                }
                VariantType::StringName => {
                    let name = text::of_name(&*content.cast::<StringName>());
                    sink.string(StringKind::StringName, text::of(&name))
                }
                VariantType::Vector2 => sink.reals::<2>(ty, &*content.cast()),
                VariantType::Vector3 => sink.reals::<3>(ty, &*content.cast()),
                VariantType::Rect2
                | VariantType::Vector4
                | VariantType::Plane
                | VariantType::Quaternion => sink.reals::<4>(ty, &*content.cast()),
                VariantType::Transform2D | VariantType::Aabb => {
                    sink.reals::<6>(ty, &*content.cast())
                }
                VariantType::Basis => sink.reals::<9>(ty, &*content.cast()),
                VariantType::Transform3D => sink.reals::<12>(ty, &*content.cast()),
                VariantType::Projection => sink.reals::<16>(ty, &*content.cast()),
                VariantType::Vector2i => sink.ints::<2>(ty, &*content.cast()),
                VariantType::Vector3i => sink.ints::<3>(ty, &*content.cast()),
                VariantType::Rect2i | VariantType::Vector4i => sink.ints::<4>(ty, &*content.cast()),
                VariantType::Color => sink.color(&*content.cast()),
                VariantType::NodePath => describe_node_path(content, sink),
                VariantType::Rid => sink.rid(content.cast::<u64>().read()),
                VariantType::Object => object_reader::describe(self.variant, self.objects, sink),
                VariantType::Callable => sink.callable(),
                VariantType::Signal => describe_signal(content, sink),
                VariantType::Dictionary => self.describe_dictionary(content, sink),
                VariantType::Array => self.describe_array(content, sink),
                VariantType::PackedStringArray => describe_packed_strings(content, sink),
                VariantType::PackedByteArray => describe_packed(PackedType::Byte, content, sink),
                VariantType::PackedInt32Array => describe_packed(PackedType::Int32, content, sink),
                VariantType::PackedInt64Array => describe_packed(PackedType::Int64, content, sink),
                VariantType::PackedFloat32Array => {
                    describe_packed(PackedType::Float32, content, sink)
                }
                VariantType::PackedFloat64Array => {
                    describe_packed(PackedType::Float64, content, sink)
                }
                VariantType::PackedVector2Array => {
                    describe_packed(PackedType::Vector2, content, sink)
                }
                VariantType::PackedVector3Array => {
                    describe_packed(PackedType::Vector3, content, sink)
                }
                VariantType::PackedColorArray => describe_packed(PackedType::Color, content, sink),
                VariantType::PackedVector4Array => {
                    describe_packed(PackedType::Vector4, content, sink)
                }
            }
        }
    }
}

impl EngineValue<'_> {
    /// # Safety
    /// `array` must point to the `Array` that the Variant holds.
    unsafe fn describe_array<S: Sink>(&self, array: Content, sink: S) -> Result<(), Refusal> {
        let (interface, methods) = (&api().interface, &api().methods);
        // SAFETY: promised by the caller.
        let (count, element_type) = unsafe {
            let element_type = self.container_type(
                call_int(methods.array_typed_builtin, array),
                |class| call(methods.array_typed_class_name, array, [], class),
                |script| call(methods.array_typed_script, array, [], script),
            )?;
            (call_int(methods.array_size, array), element_type)
        };
        let mut elements = sink.array(element_type.as_ref(), count as usize)?;
        for index in 0..count {
            // SAFETY: the index is below the size. The address is used before the next one is
            // asked for: before 4.5 all elements of a read-only array come at the same address.
            let element =
                unsafe { self.inner((interface.array_operator_index_const)(array, index)) };
            elements
                .element()
                .and_then(|sink| element.describe(sink))
                .map_err(|refusal| refusal.at(Segment::Index(index as usize)))?;
        }
        elements.end()
    }

    /// # Safety
    /// `dictionary` must point to the `Dictionary` that the Variant holds.
    unsafe fn describe_dictionary<S: Sink>(
        &self,
        dictionary: Content,
        sink: S,
    ) -> Result<(), Refusal> {
        let methods = &api().methods;
        // SAFETY: promised by the caller.
        let (count, key_type, value_type) = unsafe {
            let key_type = self.container_type(
                call_int(methods.dictionary_key_builtin, dictionary),
                |class| call(methods.dictionary_key_class_name, dictionary, [], class),
                |script| call(methods.dictionary_key_script, dictionary, [], script),
            )?;
            let value_type = self.container_type(
                call_int(methods.dictionary_value_builtin, dictionary),
                |class| call(methods.dictionary_value_class_name, dictionary, [], class),
                |script| call(methods.dictionary_value_script, dictionary, [], script),
            )?;
            (call_int(methods.dictionary_size, dictionary), key_type, value_type)
        };
        let mut entries =
            sink.dictionary(key_type.as_ref(), value_type.as_ref(), count as usize)?;
        if count == 0 {
            return entries.end();
        }

        let (mut keys, mut values) = (VarArray::new(), VarArray::new());
        // SAFETY: promised by the caller; both methods return an `Array`.
        unsafe {
            call(methods.dictionary_keys, dictionary, [], &mut keys);
            call(methods.dictionary_values, dictionary, [], &mut values);
        }
        for index in 0..count {
            // SAFETY: both arrays have `count` elements, and live to the end of this function.
            let (key, value) = unsafe {
                let index_const = api().interface.array_operator_index_const;
                let element = |array: &VarArray| index_const((&raw const *array).cast(), index);
                (self.inner(element(&keys)), self.inner(element(&values)))
            };
            entries
                .key()
                .and_then(|sink| key.describe(sink))
                .map_err(|refusal| refusal.at(Segment::EntryKey(index as usize)))?;
            entries
                .value()
                .and_then(|sink| value.describe(sink))
                .map_err(|refusal| refusal.at(Segment::Key(key.to_value())))?;
        }
        entries.end()
    }

    /// What a container says of its elements: the built-in type, and for objects what the other
    /// two put into the place they are given.
    #[inline]
    fn container_type(
        &self,
        builtin: i64,
        class_name: impl FnOnce(&mut StringName),
        script: impl FnOnce(&mut Variant),
    ) -> Result<ContainerType, Refusal> {
        match u32::try_from(builtin).ok().and_then(VariantType::from_id) {
            None | Some(VariantType::Nil) => Ok(ContainerType::Any),
            Some(VariantType::Object) => self.object_container_type(class_name, script),
            Some(ty) => Ok(ContainerType::Builtin(ty)),
        }
    }

    /// As `_encode_container_type` decides it (core/io/marshalls.cpp, 4.6).
    #[cold]
    fn object_container_type(
        &self,
        class_name: impl FnOnce(&mut StringName),
        script: impl FnOnce(&mut Variant),
    ) -> Result<ContainerType, Refusal> {
        let (mut class, mut script_variant) = (StringName::default(), Variant::nil());
        class_name(&mut class);
        script(&mut script_variant);
        let script = script_variant.try_to::<Gd<Script>>().ok();
        if class.is_empty() && script.is_none() {
            return Ok(ContainerType::Builtin(VariantType::Object));
        }
        Ok(match (self.objects, script) {
            (Objects::AsIds, _) => ContainerType::Class(ENCODED_OBJECT_AS_ID.into()),
            (Objects::Full, None) => ContainerType::Class(class.to_string().into()),
            (Objects::Full, Some(script)) => {
                ContainerType::Script(object_reader::script_path(&script)?.into())
            }
        })
    }

    /// Copies the value out of the engine, for a message: what cannot be told becomes nil.
    #[cold]
    fn to_value(self) -> Value {
        let mut value = Value::Nil;
        // A key that could be encoded a moment ago can be told.
        let _ = self.describe(&mut value);
        value
    }
}

/// # Safety
/// `array` must point to a packed array of type `ty` that nobody changes meanwhile.
unsafe fn describe_packed<S: Sink>(ty: PackedType, array: Content, sink: S) -> Result<(), Refusal> {
    let functions = api().packed(ty);
    // SAFETY: promised by the caller. The elements are contiguous from the first on and without
    // gaps, and the first is asked for only where there is one.
    let elements = unsafe {
        match call_int(functions.size, array) as usize {
            0 => &[],
            count => {
                slice::from_raw_parts((functions.index_const)(array, 0), count * ty.element_len())
            }
        }
    };
    sink.packed(ty, elements)
}

/// # Safety
/// `array` must point to a `PackedStringArray` that nobody changes meanwhile.
unsafe fn describe_packed_strings<S: Sink>(array: Content, sink: S) -> Result<(), Refusal> {
    let api = api();
    // SAFETY: promised by the caller.
    let count = unsafe { call_int(api.methods.packed_strings_size, array) };
    let mut strings = sink.packed_strings(count as usize)?;
    for index in 0..count {
        // SAFETY: the index is below the size, and what stands there is a `String`.
        let text = unsafe {
            text::units(
                (api.interface.packed_string_array_operator_index_const)(array, index).cast(),
            )
        };
        strings.push(Text::Utf32(text))?;
    }
    strings.end()
}

/// # Safety
/// `path` must point to a `NodePath`.
unsafe fn describe_node_path<S: Sink>(path: Content, sink: S) -> Result<(), Refusal> {
    let methods = &api().methods;
    let mut absolute = false;
    // SAFETY: promised by the caller; the counts bound the indices, the names are `StringName`s.
    let (names, subnames) = unsafe {
        call(methods.node_path_is_absolute, path, [], &mut absolute);
        let names = |count, method| -> Vec<_> {
            (0..call_int(count, path))
                .map(|index: i64| {
                    let mut name = StringName::default();
                    call(method, path, [(&raw const index).cast::<c_void>()], &mut name);
                    text::of_name(&name)
                })
                .collect()
        };
        (
            names(methods.node_path_name_count, methods.node_path_name),
            names(methods.node_path_subname_count, methods.node_path_subname),
        )
    };
    let names: Vec<Text<'_>> = names.iter().map(text::of).collect();
    let subnames: Vec<Text<'_>> = subnames.iter().map(text::of).collect();
    sink.node_path(NodePathRef { absolute, names: &names, subnames: &subnames })
}

/// # Safety
/// `signal` must point to a `Signal`.
unsafe fn describe_signal<S: Sink>(signal: Content, sink: S) -> Result<(), Refusal> {
    let methods = &api().methods;
    let mut name = StringName::default();
    // SAFETY: promised by the caller; the methods return a `StringName` and an int.
    let object_id = unsafe {
        call(methods.signal_name, signal, [], &mut name);
        call_int(methods.signal_object_id, signal)
    };
    sink.signal(text::of(&text::of_name(&name)), object_id.cast_unsigned())
}
