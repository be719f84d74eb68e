//! Arrays and dictionaries as a source.

use std::{ptr, slice};

use godot::builtin::{StringName, Variant};
use godot::classes::Script;
use godot::obj::Gd;
use variant::{
    ArraySink, ContainerType, DictionarySink, ENCODED_OBJECT_AS_ID, Plain, Refusal, Segment, Sink,
    Source, VariantType, plain,
};

use super::api::{Content, call, call_int};
use super::layout::{DictionaryLayout, Entry};
use super::object_reader;
use super::reader::{EngineValue, Objects};

/// How many elements are told at once if they are of one plain type: few enough to stay in the nearest cache
/// between the look at their types and the look at them.
const RUN_LEN: usize = 64;

/// What a container holds, as it stands in memory.
pub(super) enum Container<'v> {
    /// An `Array` with elements of this type.
    Array(ContainerType, &'v [Variant]),
    /// A `Dictionary` with keys and values of these types.
    Dictionary(ContainerType, ContainerType, Chain<'v>),
}

/// An element or entry of a container, to judge all by.
pub(super) struct Sample<'v> {
    pub(super) key: Option<EngineValue<'v>>,
    /// The element, if it is an array.
    pub(super) value: EngineValue<'v>,
}

/// The entries of a `Dictionary` along the chain of the engine's hash map.
#[derive(Clone, Copy)]
pub(super) struct Chain<'v> {
    next: *const Entry,
    left: usize,
    /// The dictionary, whose way of telling goes for all that it holds.
    owner: EngineValue<'v>,
}

impl<'v> Chain<'v> {
    /// Takes the first `len` entries off.
    pub(super) fn split_off_front(&mut self, len: usize) -> Chain<'v> {
        let front = Chain { left: self.left.min(len), ..*self };
        self.take(front.left).for_each(drop);
        front
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
        let told = |variant| EngineValue { variant, ..self.owner };
        Some((told(&entry.key), told(&entry.value)))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl ExactSizeIterator for Chain<'_> {}

impl<'v> EngineValue<'v> {
    /// The container that the value is, if it is one that is not empty and whose layout is known.
    pub(super) fn container(&self) -> Option<Container<'v>> {
        let content = self.container_content()?;
        // SAFETY: the content is that of the container that the Variant holds.
        unsafe {
            match self.variant_type()? {
                VariantType::Array => {
                    let (element_type, count) = self.array_head(content).ok()?;
                    let elements = self.elements_in_place(content, count)?;
                    Some(Container::Array(element_type, elements))
                }
                _ => {
                    let layout = self.api.layout.dictionaries?;
                    let (key_type, value_type, count) = self.dictionary_head(content).ok()?;
                    let entries = self.chain(content, layout, count);
                    Some(Container::Dictionary(key_type, value_type, entries))
                }
            }
        }
    }

    /// The number of elements or entries and what one of them consists of, an element, or a key and a
    /// value, if the value is a container that is not empty and whose layout is known.
    pub(super) fn count_and_sample(&self) -> Option<(usize, Sample<'v>)> {
        let (content, count) = (self.container_content()?, self.count()?);
        // SAFETY: the content is that of the container that the Variant holds.
        let sample = unsafe {
            match self.variant_type()? {
                VariantType::Array => {
                    let elements = self.elements_in_place(content, count)?;
                    Sample { key: None, value: self.sibling(elements.get(count / 2)?) }
                }
                _ => {
                    let layout = self.api.layout.dictionaries?;
                    let (key, value) = self.chain(content, layout, count).next()?;
                    Sample { key: Some(key), value }
                }
            }
        };
        Some((count, sample))
    }

    /// The number of elements or entries, if the value is a container whose layout is known.
    #[inline]
    pub(super) fn count(&self) -> Option<usize> {
        let content = self.container_content()?;
        let layout = &self.api.layout;
        // SAFETY: the content is that of the container that the Variant holds.
        unsafe {
            match self.variant_type()? {
                VariantType::Array => {
                    layout.arrays?;
                    Some(call_int(self.api.methods.array_size, content) as usize)
                }
                _ => Some(private::<u32>(content, layout.dictionaries?.count) as usize),
            }
        }
    }

    /// Whether `test` holds for a container among the elements, or the values, of a container whose
    /// layout is known.
    #[inline]
    pub(super) fn any_container_in(&self, test: impl Fn(&EngineValue<'v>) -> bool) -> bool {
        let (Some(content), Some(count)) = (self.container_content(), self.count()) else {
            return false;
        };
        let test = |value: &EngineValue<'v>| value.is_container() && test(value);
        // SAFETY: the content is that of the container that the Variant holds.
        unsafe {
            if let Some(VariantType::Array) = self.variant_type() {
                let elements = self.elements_in_place(content, count).unwrap_or_default();
                return elements.iter().any(|element| test(&self.sibling(element)));
            }
            self.api.layout.dictionaries.is_some_and(|layout| {
                self.chain(content, layout, count).any(|(_, value)| test(&value))
            })
        }
    }

    #[inline(always)]
    fn is_container(&self) -> bool {
        // SAFETY: a reference to a Variant is valid.
        let id = unsafe { self.api.type_id(self.variant) };
        [VariantType::Dictionary, VariantType::Array].iter().any(|ty| id == u32::from(ty.id()))
    }

    /// Where the content of an Array or a Dictionary is.
    #[inline]
    fn container_content(&self) -> Option<Content> {
        let ty = self.variant_type().filter(|_| self.is_container())?;
        // SAFETY: the Variant has this type.
        Some(unsafe { self.api.near_content(ty, self.variant) })
    }

    /// # Safety
    /// `array` must point to the `Array` that the Variant holds.
    pub(super) unsafe fn describe_array<S: Sink>(
        &self,
        array: Content,
        sink: S,
    ) -> Result<(), Refusal> {
        let mut copy = Variant::nil();
        // SAFETY: promised by the caller.
        let array = unsafe { self.unchanging(array, &mut copy) };
        // SAFETY: promised by the caller.
        let (element_type, count) = unsafe { self.array_head(array)? };
        let mut sink = sink.array(element_type.as_ref(), count)?;
        // SAFETY: promised by the caller.
        if let Some(elements) = unsafe { self.elements_in_place(array, count) } {
            self.describe_elements(elements, &mut sink)?;
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

    /// Elements that stand in one row, which are told in the way of this value.
    #[inline]
    pub(super) fn describe_elements<A: ArraySink>(
        &self,
        elements: &'v [Variant],
        sink: &mut A,
    ) -> Result<(), Refusal> {
        for (number, run) in elements.chunks(RUN_LEN).enumerate() {
            let first_index = number * RUN_LEN;
            if let Some(told) = self.describe_run(run, sink) {
                told.map_err(|(index, refusal)| refusal.at(Segment::Index(first_index + index)))?;
                continue;
            }
            for (index, element) in run.iter().enumerate() {
                describe_element(first_index + index, self.sibling(element), sink)?;
            }
        }
        Ok(())
    }

    /// Elements that are all of one plain type; none, and nothing is told, if they are not.
    #[inline]
    fn describe_run<A: ArraySink>(
        &self,
        run: &'v [Variant],
        sink: &mut A,
    ) -> Option<Result<(), (usize, Refusal)>> {
        let (api, first) = (self.api, run.first()?);
        // SAFETY: references to Variants are valid.
        let type_id = |variant: &Variant| unsafe { api.type_id(variant) };
        let id = type_id(first);
        let ty = VariantType::from_id(id).filter(|ty| is_told_in_runs(*ty))?;
        if !run.iter().all(|variant| type_id(variant) == id) {
            return None;
        }
        // SAFETY: every element has the type that is asked for.
        Some(unsafe {
            match ty {
                VariantType::Bool => sink.run(self.plain::<bool>(run)),
                VariantType::Int => sink.run(self.plain::<i64>(run)),
                VariantType::Float => sink.run(self.plain::<f64>(run)),
                VariantType::Vector2 => sink.run(self.plain::<plain::Vector2>(run)),
                VariantType::Vector3 => sink.run(self.plain::<plain::Vector3>(run)),
                VariantType::Color => sink.run(self.plain::<plain::Color>(run)),
                _ => sink.run(self.plain::<plain::Transform3D>(run)),
            }
        })
    }

    /// The bare values of Variants of one type.
    ///
    /// # Safety
    /// All of them must be of the type `T::TYPE`.
    #[inline(always)]
    unsafe fn plain<T: Plain>(&self, run: &'v [Variant]) -> impl ExactSizeIterator<Item = T> {
        let api = self.api;
        // SAFETY: promised by the caller; a plain type is what the engine has for it.
        run.iter().map(move |variant| unsafe { *api.near_content(T::TYPE, variant).cast::<T>() })
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
    pub(super) unsafe fn describe_dictionary<S: Sink>(
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
    ) -> Chain<'v> {
        // SAFETY: the probe has seen that the chain starts there and has an entry for each key.
        let next = unsafe { private::<*const Entry>(dictionary, layout.entries) };
        Chain { next, left: count, owner: *self }
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
}

/// What large arrays are full of.
const fn is_told_in_runs(ty: VariantType) -> bool {
    use VariantType::{Bool, Color, Float, Int, Transform3D, Vector2, Vector3};
    matches!(ty, Bool | Int | Float | Vector2 | Vector3 | Color | Transform3D)
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
