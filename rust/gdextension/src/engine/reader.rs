//! The engine's values as a source.

use std::ffi::c_void;
use std::{ptr, slice};

use godot::builtin::{StringName, Variant};
use godot::classes::Script;
use godot::obj::Gd;
use variant::{
    ArraySink, ContainerType, DictionarySink, ENCODED_OBJECT_AS_ID, NodePathRef, PackedType,
    Refusal, RefusalKind, Segment, Sink, Source, StringKind, StringsSink, Text, Value, VariantType,
};

use super::api::{Api, Content, api, call, call_int};
use super::layout::{DictionaryLayout, Entry};
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
    api: &'static Api,
}

impl<'v> EngineValue<'v> {
    pub(crate) fn new(variant: &'v Variant, objects: Objects) -> EngineValue<'v> {
        EngineValue { variant, objects, api: api() }
    }

    /// The same way of reading, of an inner value.
    ///
    /// # Safety
    /// `variant` must be valid as long as `self` is.
    #[inline]
    unsafe fn inner(&self, variant: *const Variant) -> EngineValue<'v> {
        // SAFETY: promised by the caller.
        let variant = unsafe { &*variant };
        EngineValue { variant, ..*self }
    }
}

impl Source for EngineValue<'_> {
    /// What large containers are full of is told right here, in the loop of the container: the call
    /// of a function that can do everything would take longer.
    #[inline(always)]
    fn describe<S: Sink>(&self, sink: S) -> Result<(), Refusal> {
        let (api, variant) = (self.api, self.variant);
        // SAFETY: a reference to a Variant is valid.
        let id = unsafe { api.type_id(variant) };
        // SAFETY: the Variant has this type. The engine has bool as a byte, int and float as 64
        // bits, vectors and colors as their components without gaps.
        unsafe {
            match VariantType::from_id(id) {
                Some(ty @ VariantType::Int) => {
                    sink.int(api.near_content(ty, variant).cast::<i64>().read())
                }
                Some(ty @ VariantType::Float) => {
                    sink.float(api.near_content(ty, variant).cast::<f64>().read())
                }
                Some(ty @ VariantType::Bool) => {
                    sink.bool(api.near_content(ty, variant).cast::<u8>().read() != 0)
                }
                Some(VariantType::Nil) => sink.nil(),
                Some(ty @ VariantType::String) => {
                    let text = text::units(api, api.near_content(ty, variant));
                    sink.string(StringKind::String, Text::Utf32(text))
                }
                Some(ty @ VariantType::Vector2) => {
                    sink.reals::<2>(ty, &*api.near_content(ty, variant).cast())
                }
                Some(ty @ VariantType::Vector3) => {
                    sink.reals::<3>(ty, &*api.near_content(ty, variant).cast())
                }
                Some(ty @ VariantType::Color) => sink.color(&*api.near_content(ty, variant).cast()),
                Some(ty) => self.describe_compound(ty, sink),
                None => {
                    let what = "say what a value is whose type is newer than Godot 4.6";
                    Err(Refusal::new(RefusalKind::Engine { what }))
                }
            }
        }
    }
}

impl<'v> EngineValue<'v> {
    /// Transforms, containers, and vectors that are less common.
    ///
    /// # Safety
    /// The Variant must be of type `ty`, which is none of those that are told where they are met.
    #[inline(never)]
    unsafe fn describe_compound<S: Sink>(&self, ty: VariantType, sink: S) -> Result<(), Refusal> {
        // SAFETY: promised by the caller. The engine has vectors and transforms as their components
        // without gaps, alive and unchanged while the Variant is borrowed.
        unsafe {
            let near = || self.api.near_content(ty, self.variant);
            match ty {
                VariantType::Rect2
                | VariantType::Vector4
                | VariantType::Plane
                | VariantType::Quaternion => sink.reals::<4>(ty, &*near().cast()),
                VariantType::Transform2D | VariantType::Aabb => {
                    sink.reals::<6>(ty, &*near().cast())
                }
                VariantType::Basis => sink.reals::<9>(ty, &*near().cast()),
                VariantType::Transform3D => sink.reals::<12>(ty, &*near().cast()),
                VariantType::Projection => sink.reals::<16>(ty, &*near().cast()),
                VariantType::Vector2i => sink.ints::<2>(ty, &*near().cast()),
                VariantType::Vector3i => sink.ints::<3>(ty, &*near().cast()),
                VariantType::Rect2i | VariantType::Vector4i => sink.ints::<4>(ty, &*near().cast()),
                VariantType::Dictionary => self.describe_dictionary(near(), sink),
                VariantType::Array => self.describe_array(near(), sink),
                _ => self.describe_rare(ty, sink),
            }
        }
    }

    /// The types of which a value seldom holds many, or that are large.
    ///
    /// # Safety
    /// The Variant must be of type `ty`, one of those that are listed here.
    #[inline(never)]
    unsafe fn describe_rare<S: Sink>(&self, ty: VariantType, sink: S) -> Result<(), Refusal> {
        // SAFETY: promised by the caller; each content is read by its own type.
        unsafe {
            let content = self.api.content(ty, self.variant);
            match ty {
                VariantType::StringName => {
                    let name = text::of_name(&*content.cast::<StringName>());
                    sink.string(StringKind::StringName, text::of(&name))
                }
                VariantType::NodePath => describe_node_path(content, sink),
                VariantType::Rid => sink.rid(content.cast::<u64>().read()),
                VariantType::Object => object_reader::describe(self.variant, self.objects, sink),
                VariantType::Callable => sink.callable(),
                VariantType::Signal => describe_signal(content, sink),
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
                _ => unreachable!("{ty} is described where it is met"),
            }
        }
    }

    /// # Safety
    /// `array` must point to the `Array` that the Variant holds.
    unsafe fn describe_array<S: Sink>(&self, array: Content, sink: S) -> Result<(), Refusal> {
        let mut copy = Variant::nil();
        // SAFETY: promised by the caller.
        let array = unsafe { self.unchanging(array, &mut copy) };
        // SAFETY: promised by the caller.
        let (element_type, count) = unsafe { self.array_head(array)? };
        let mut sink = sink.array(element_type.as_ref(), count)?;
        // SAFETY: promised by the caller.
        if let Some(elements) = unsafe { self.elements_in_place(array, count) } {
            for (index, variant) in elements.iter().enumerate() {
                describe_element(index, EngineValue { variant, ..*self }, &mut sink)?;
            }
            return sink.end();
        }
        for index in 0..count {
            // SAFETY: the index is below the size. The address is used before the next one is asked
            // for: before 4.5 all elements of a read-only array (in GDScript every `const` one)
            // come at the address of one and the same copy.
            let element = unsafe {
                self.inner((self.api.interface.array_operator_index_const)(array, index as i64))
            };
            describe_element(index, element, &mut sink)?;
        }
        sink.end()
    }

    /// The array, or a copy in `copy` where its elements could change while they are told: the
    /// getter of an object's property may be a script.
    ///
    /// # Safety
    /// `array` must point to an `Array`.
    #[inline]
    unsafe fn unchanging(&self, array: Content, copy: &mut Variant) -> Content {
        if self.objects == Objects::AsIds {
            return array;
        }
        let deep = false;
        // SAFETY: `copy` is a nil; the method takes a bool and returns an `Array`, which replaces
        // the empty one.
        unsafe {
            let copied = self.api.make_default(VariantType::Array, copy);
            let arguments = [(&raw const deep).cast()];
            (self.api.methods.array_duplicate)(array, arguments.as_ptr(), copied, 1);
            copied
        }
    }

    /// Declared type and number of the elements.
    ///
    /// # Safety
    /// `array` must point to the `Array` that the Variant holds.
    #[inline]
    unsafe fn array_head(&self, array: Content) -> Result<(ContainerType, usize), Refusal> {
        let methods = &self.api.methods;
        // SAFETY: promised by the caller; the probe has seen what stands at the offset.
        unsafe {
            let builtin = match self.api.layout.arrays {
                Some(layout) => private::<u32>(array, layout.element_type).into(),
                None => call_int(methods.array_typed_builtin, array),
            };
            let element_type = self.container_type(
                builtin,
                |class| call(methods.array_typed_class_name, array, [], class),
                |script| call(methods.array_typed_script, array, [], script),
            )?;
            Ok((element_type, call_int(methods.array_size, array) as usize))
        }
    }

    /// The elements as they stand in memory, where that is known.
    ///
    /// # Safety
    /// `array` must point to the `Array` that the Variant holds, which has `count` elements.
    #[inline]
    unsafe fn elements_in_place(&self, array: Content, count: usize) -> Option<&'v [Variant]> {
        let layout = self.api.layout.arrays.filter(|_| count > 0)?;
        // SAFETY: the probe has seen that the elements stand there in one row.
        Some(unsafe { slice::from_raw_parts(private(array, layout.elements), count) })
    }

    /// # Safety
    /// `dictionary` must point to the `Dictionary` that the Variant holds.
    unsafe fn describe_dictionary<S: Sink>(
        &self,
        dictionary: Content,
        sink: S,
    ) -> Result<(), Refusal> {
        // SAFETY: promised by the caller.
        let (key_type, value_type, count) = unsafe { self.dictionary_head(dictionary)? };
        let mut sink = sink.dictionary(key_type.as_ref(), value_type.as_ref(), count)?;
        if count > 0 {
            // SAFETY: promised by the caller.
            unsafe {
                match self.api.layout.dictionaries {
                    // The chain could change while it is walked, see `unchanging`.
                    Some(layout) if self.objects == Objects::AsIds => {
                        self.describe_chain(dictionary, layout, count, &mut sink)?;
                    }
                    _ => self.describe_entries(dictionary, count, &mut sink)?,
                }
            }
        }
        sink.end()
    }

    /// Declared types of the keys and the values, and the number of entries.
    ///
    /// # Safety
    /// `dictionary` must point to the `Dictionary` that the Variant holds.
    #[inline]
    unsafe fn dictionary_head(
        &self,
        dictionary: Content,
    ) -> Result<(ContainerType, ContainerType, usize), Refusal> {
        let methods = &self.api.methods;
        // SAFETY: promised by the caller; the probe has seen what stands at the offsets.
        unsafe {
            let (key_builtin, value_builtin, count) = match self.api.layout.dictionaries {
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
    /// `dictionary` must point to a `Dictionary` of `count` entries that nobody changes meanwhile,
    /// and `layout` be what the probe found.
    #[inline]
    unsafe fn describe_chain<D: DictionarySink>(
        &self,
        dictionary: Content,
        layout: DictionaryLayout,
        count: usize,
        sink: &mut D,
    ) -> Result<(), Refusal> {
        // SAFETY: promised by the caller.
        let chain = unsafe { self.chain(dictionary, layout, count) };
        for (index, (key, value)) in chain.enumerate() {
            describe_entry(index, key, value, sink)?;
        }
        Ok(())
    }

    /// The entries along the chain of the engine's hash map.
    ///
    /// # Safety
    /// As [`Self::describe_chain`].
    #[inline]
    unsafe fn chain(
        &self,
        dictionary: Content,
        layout: DictionaryLayout,
        count: usize,
    ) -> impl Iterator<Item = (EngineValue<'v>, EngineValue<'v>)> {
        // SAFETY: the probe has seen that the chain starts there and has an entry for each key.
        let mut next = unsafe { private::<*const Entry>(dictionary, layout.entries) };
        let value = *self;
        (0..count).map(move |_| {
            // SAFETY: there are as many entries as the engine counts.
            let entry: &'v Entry = unsafe { &*next };
            next = entry.next;
            (
                EngineValue { variant: &entry.key, ..value },
                EngineValue { variant: &entry.value, ..value },
            )
        })
    }

    /// Takes keys and values out as arrays.
    ///
    /// # Safety
    /// `dictionary` must point to a `Dictionary` of `count` entries that nobody changes meanwhile.
    unsafe fn describe_entries<D: DictionarySink>(
        &self,
        dictionary: Content,
        count: usize,
        sink: &mut D,
    ) -> Result<(), Refusal> {
        let (api, methods) = (self.api, &self.api.methods);
        let (mut keys, mut values) = (Variant::nil(), Variant::nil());
        // SAFETY: promised by the caller; both methods return an `Array`, which replaces an empty
        // one.
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
            describe_entry(index, key, value, sink)?;
        }
        Ok(())
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

/// Reads from what a container points to.
///
/// # Safety
/// `container` must point to an `Array` or a `Dictionary`, and a `T` stand at the offset.
#[inline]
unsafe fn private<T>(container: Content, offset: usize) -> T {
    // SAFETY: promised by the caller; both are one pointer.
    unsafe { container.cast::<*const T>().read().byte_add(offset).read() }
}

#[inline(always)]
fn describe_element<A: ArraySink>(
    index: usize,
    element: EngineValue<'_>,
    sink: &mut A,
) -> Result<(), Refusal> {
    element.describe(sink.element()).map_err(|refusal| refusal.at(Segment::Index(index)))
}

#[inline(always)]
fn describe_entry<D: DictionarySink>(
    index: usize,
    key: EngineValue<'_>,
    value: EngineValue<'_>,
    sink: &mut D,
) -> Result<(), Refusal> {
    key.describe(sink.key()).map_err(|refusal| refusal.at(Segment::EntryKey(index)))?;
    value.describe(sink.value()).map_err(|refusal| refusal.at(Segment::Key(key.to_value())))
}

/// What a container holds, as it stands in memory.
pub(super) enum Container<'v> {
    /// An `Array` with elements of this type.
    Array(ContainerType, &'v [Variant]),
    /// A `Dictionary` with keys and values of these types.
    Dictionary(ContainerType, ContainerType, Vec<(EngineValue<'v>, EngineValue<'v>)>),
}

impl<'v> EngineValue<'v> {
    /// The container that the value is, if it is one that is not empty and whose layout is known.
    pub(super) fn container(&self) -> Option<Container<'v>> {
        let (api, variant) = (self.api, self.variant);
        // SAFETY: the Variant is valid, and each container is read as what its type says.
        unsafe {
            let ty = VariantType::from_id(api.type_id(variant))?;
            match ty {
                VariantType::Array => {
                    let content = api.near_content(ty, variant);
                    let (element_type, count) = self.array_head(content).ok()?;
                    let elements = self.elements_in_place(content, count)?;
                    Some(Container::Array(element_type, elements))
                }
                VariantType::Dictionary => {
                    let content = api.near_content(ty, variant);
                    let layout = api.layout.dictionaries?;
                    let (key_type, value_type, count) = self.dictionary_head(content).ok()?;
                    let entries = self.chain(content, layout, count).collect();
                    Some(Container::Dictionary(key_type, value_type, entries))
                }
                _ => None,
            }
        }
    }

    /// The value's type, if Godot 4.6 has it.
    pub(super) fn variant_type(&self) -> Option<VariantType> {
        // SAFETY: a reference to a Variant is valid.
        VariantType::from_id(unsafe { self.api.type_id(self.variant) })
    }

    /// The text of a `String`.
    pub(super) fn text_units(&self) -> Option<&'v [u32]> {
        let ty = VariantType::String;
        // SAFETY: the Variant is valid, and read as a String only if it is one.
        unsafe {
            let is_string = self.api.type_id(self.variant) == u32::from(ty.id());
            is_string.then(|| text::units(self.api, self.api.near_content(ty, self.variant)))
        }
    }

    /// Another value that is told in the same way.
    pub(super) fn sibling(&self, variant: &'v Variant) -> EngineValue<'v> {
        EngineValue { variant, ..*self }
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
                api,
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
