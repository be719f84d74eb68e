//! Arrays as a source.

use std::ops::Range;
use std::slice;

use engine_kernels::tuning::{ELEMENTS_AHEAD, PLAIN_RUN_COUNT};
use godot::builtin::Variant;
use godot_variant::{ArraySink, ContainerType, Refusal, Segment, Sink, Source, VariantType, plain};

use crate::engine::ffi::api::{Content, call, call_int};
use crate::engine::ffi::layout::private;
use crate::engine::read::value::{EngineValue, Objects};

impl<'v> EngineValue<'v> {
    /// # Safety
    /// `array` must point to the `Array` that the Variant holds.
    pub(crate) unsafe fn emit_array<S: Sink>(
        &self,
        array: Content,
        sink: S,
    ) -> Result<(), Refusal> {
        let mut copy = Variant::nil();
        // SAFETY: `array` points to the `Array` that the Variant holds.
        let array = unsafe { self.unchanging(array, &mut copy) };
        // SAFETY: as above, or to a copy of it.
        let (element_type, count) = unsafe { self.array_head(array)? };
        let mut sink = sink.array(element_type.as_ref(), count)?;
        // SAFETY: as above, and it has `count` elements.
        if let Some(elements) = unsafe { self.elements_in_place(array, count) } {
            if self.stride.is_known() {
                self.prefetch_elements_ahead(elements);
            }
            self.emit_elements(elements, &mut sink)?;
            return sink.end();
        }
        for index in 0..count {
            // SAFETY: the index is below the size. The address is used before the next one is asked
            // for: before 4.5 all elements of a read-only array (in GDScript every `const` one)
            // come at the address of one and the same copy.
            let element = unsafe {
                self.inner((self.api.interface.array_operator_index_const)(array, index as i64))
            };
            emit_element(index, element, &mut sink)?;
        }
        sink.end()
    }

    /// Elements that stand in one row, which are emitted as those of this value are.
    #[inline]
    pub(crate) fn emit_elements<A: ArraySink>(
        &self,
        elements: &'v [Variant],
        sink: &mut A,
    ) -> Result<(), Refusal> {
        for (number, run) in elements.chunks(PLAIN_RUN_COUNT).enumerate() {
            let first_index = number * PLAIN_RUN_COUNT;
            if let Some(emitted) = self.emit_run(run, sink) {
                emitted
                    .map_err(|(index, refusal)| refusal.at(Segment::Index(first_index + index)))?;
                continue;
            }
            if !self.stride.is_known() && self.sibling(&run[0]).is_container() {
                self.emit_looking_ahead(elements, first_index..first_index + run.len(), sink)?;
                continue;
            }
            for (index, element) in run.iter().enumerate() {
                emit_element(first_index + index, self.sibling(element), sink)?;
            }
        }
        Ok(())
    }

    /// Some of the elements, while memory of those behind them is fetched.
    #[inline(never)]
    fn emit_looking_ahead<A: ArraySink>(
        &self,
        elements: &'v [Variant],
        range: Range<usize>,
        sink: &mut A,
    ) -> Result<(), Refusal> {
        for index in range {
            let element = self.sibling(&elements[index]);
            let element = match elements.get(index + ELEMENTS_AHEAD) {
                Some(later) => element.looking_ahead(later),
                None => element,
            };
            emit_element(index, element, sink)?;
        }
        Ok(())
    }

    /// Elements that are all of one plain type; none, and nothing is emitted, if they are not.
    #[inline]
    fn emit_run<A: ArraySink>(
        &self,
        run: &'v [Variant],
        sink: &mut A,
    ) -> Option<Result<(), (usize, Refusal)>> {
        let (api, first) = (self.api, run.first()?);
        // SAFETY: references to Variants are valid.
        let type_id = |variant: &Variant| unsafe { api.type_id(variant) };
        let id = type_id(first);
        let ty = VariantType::from_id(id).filter(|ty| is_emitted_in_runs(*ty))?;
        if !run.iter().all(|variant| type_id(variant) == id) {
            return None;
        }
        // SAFETY: every element has the type that is asked for. The engine has numbers as 64 bits,
        // and vectors, colors and transforms as their components without gaps; of all of these any
        // bits are a value.
        Some(unsafe {
            match ty {
                // The engine only guarantees a byte, and a bool that is neither 0 nor 1 is invalid.
                VariantType::Bool => sink.run(self.contents::<u8>(ty, run).map(|byte| byte != 0)),
                VariantType::Int => sink.run(self.contents::<i64>(ty, run)),
                VariantType::Float => sink.run(self.contents::<f64>(ty, run)),
                VariantType::Vector2 => sink.run(self.contents::<plain::Vector2>(ty, run)),
                VariantType::Vector3 => sink.run(self.contents::<plain::Vector3>(ty, run)),
                VariantType::Color => sink.run(self.contents::<plain::Color>(ty, run)),
                _ => sink.run(self.contents::<plain::Transform3D>(ty, run)),
            }
        })
    }

    /// The bare values of Variants of one type.
    ///
    /// # Safety
    /// All of them must be of type `ty`, and `T` be the engine's type for it, in which all bits are a value.
    #[inline(always)]
    unsafe fn contents<T: Copy>(
        &self,
        ty: VariantType,
        run: &'v [Variant],
    ) -> impl ExactSizeIterator<Item = T> {
        let api = self.api;
        // SAFETY: the Variant is of type `ty`, for which the engine has a `T`.
        run.iter().map(move |variant| unsafe { api.near_content(ty, variant).cast::<T>().read() })
    }

    /// The array, or a copy in `copy` where its elements could change while they are emitted: the
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
    pub(crate) unsafe fn array_head(
        &self,
        array: Content,
    ) -> Result<(ContainerType, usize), Refusal> {
        let methods = &self.api.methods;
        // SAFETY: `array` points to the `Array` that the Variant holds; the probe has seen what stands at the offset.
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
    pub(crate) unsafe fn elements_in_place(
        &self,
        array: Content,
        count: usize,
    ) -> Option<&'v [Variant]> {
        let layout = self.api.layout.arrays.filter(|_| count > 0)?;
        // SAFETY: the probe has seen that the elements stand there in one row.
        Some(unsafe { slice::from_raw_parts(private(array, layout.elements), count) })
    }
}

/// What large arrays are full of.
const fn is_emitted_in_runs(ty: VariantType) -> bool {
    use VariantType::{Bool, Color, Float, Int, Transform3D, Vector2, Vector3};
    matches!(ty, Bool | Int | Float | Vector2 | Vector3 | Color | Transform3D)
}

#[inline(always)]
fn emit_element<A: ArraySink>(
    index: usize,
    element: EngineValue<'_>,
    sink: &mut A,
) -> Result<(), Refusal> {
    element.emit(sink.element()).map_err(|refusal| refusal.at(Segment::Index(index)))
}
