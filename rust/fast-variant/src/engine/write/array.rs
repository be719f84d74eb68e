//! The fillers of arrays.

use std::marker::PhantomData;
use std::ptr;

use engine_kernels::tuning::{ARRAY_GROWTH, TRUSTED_COUNT};
use godot::builtin::Variant;
use godot_variant::{ArraySink, ContainerTypeRef, Plain, Refusal, Segment, VariantType, emit_each};

use crate::engine::ffi::api::{Api, Content, api, call, call_int, resize};
use crate::engine::ffi::layout;
use crate::engine::memory::string_cache::StringCache;
use crate::engine::write::container_type::EngineType;
use crate::engine::write::slot::{LenHint, Slot};

/// Fills an `Array` that has its final size already, or grows to it step by step.
pub(crate) struct ArrayWriter<'s> {
    places: ElementPlaces,
    /// How many elements the source has announced.
    announced: usize,
    /// How many it has pushed.
    pushed: usize,
    /// What the elements of a typed array have to pass. In an untyped one each is accepted as it is pushed.
    check: Option<TypeCheck>,
    /// Whether arrays in this one get all places that they announce.
    element_hint: LenHint,
    checks_types: bool,
    api: &'static Api,
    cache: Option<&'s StringCache>,
    owner: PhantomData<&'s mut Variant>,
}

/// The elements of an array as they stand in memory.
struct ElementPlaces {
    array: Content,
    first: *mut Variant,
    capacity: usize,
}

/// How far the elements of a typed array were compared with its type.
struct TypeCheck {
    ty: EngineType,
    /// How many elements are in the array for good. Elements that the type refused are removed.
    accepted: usize,
    /// The element pushed last is after the accepted ones, and is not compared yet, because its source has possibly not
    /// filled it.
    is_pending: bool,
    checks_types: bool,
    /// The first element that the type refused, if that is an error.
    refused: Option<Refusal>,
}

impl ElementPlaces {
    /// The place of an element.
    #[inline]
    fn at(&self, index: usize) -> *mut Variant {
        self.first.wrapping_add(index)
    }

    /// Gives the array this number of places.
    fn resize(&mut self, api: &Api, capacity: usize) {
        // SAFETY: the array is ours.
        self.first = unsafe {
            resize(api.methods.array_resize, self.array, capacity);
            first_element(api, self.array, capacity)
        };
        self.capacity = capacity;
    }
}

impl TypeCheck {
    /// Converts or drops the pending element, as the engine's `push_back` would, and returns how many are accepted.
    fn settle(&mut self, places: &ElementPlaces) -> usize {
        if std::mem::take(&mut self.is_pending) {
            let place = places.at(self.accepted);
            // SAFETY: the place holds the valid Variant that was pushed last.
            let found = unsafe { (api().interface.variant_get_type)(place) };
            if self.ty.holds(found) || self.convert(place) {
                self.accepted += 1;
            }
        }
        self.accepted
    }

    /// Lets the engine decide over an element whose type is not the declared one: false if it must be dropped.
    /// The engine logs an error then, except where that is an error of ours.
    #[cold]
    fn convert(&mut self, place: *mut Variant) -> bool {
        if self.checks_types {
            // SAFETY: the place holds the valid Variant that was pushed last.
            let checked = self.ty.check("element", unsafe { &*place });
            if let Err(refusal) = checked {
                let index = Segment::Index(self.accepted);
                self.refused.get_or_insert_with(|| refusal.at(index));
                return false;
            }
        }
        let mut judge = Variant::nil();
        let judge_array = Slot::new(&mut judge).fill_default(VariantType::Array);
        // SAFETY: the judge is a new array of ours; `push_back` takes a Variant and returns
        // nothing. It accepts a valid Variant, which changes places with the pushed one.
        unsafe {
            self.ty.apply_to(judge_array);
            call(api().methods.array_push_back, judge_array, [place.cast_const().cast()], &mut ());
            let is_accepted = call_int(api().methods.array_size, judge_array) == 1;
            if is_accepted {
                ptr::swap(place, (api().interface.array_operator_index)(judge_array, 0));
            }
            is_accepted
        }
    }
}

impl<'s> ArrayWriter<'s> {
    /// Makes an array of `count` elements, to be filled.
    #[inline]
    pub(crate) fn open(
        slot: Slot<'s>,
        element_type: ContainerTypeRef<'_>,
        count: usize,
    ) -> Result<ArrayWriter<'s>, Refusal> {
        let element_type = match element_type {
            ContainerTypeRef::Any => None,
            _ => Some(EngineType::new(element_type)?),
        };
        let Slot { api, cache, len_hint, checks_types, .. } = slot;
        let array = slot.fill_default(VariantType::Array);
        if let Some(ty) = &element_type {
            // SAFETY: the array is new, empty and ours.
            unsafe { ty.apply_to(array) };
        }
        let mut places = ElementPlaces { array, first: ptr::null_mut(), capacity: 0 };
        places.resize(api, len_hint.bounded(count));
        Ok(ArrayWriter {
            places,
            announced: count,
            pushed: 0,
            check: element_type.map(|ty| TypeCheck {
                ty,
                accepted: 0,
                is_pending: false,
                checks_types,
                refused: None,
            }),
            checks_types,
            element_hint: if count <= TRUSTED_COUNT { len_hint } else { LenHint::Bounded },
            api,
            cache,
            owner: PhantomData,
        })
    }

    /// Makes places for at least `len` more elements after the pushed ones.
    #[cold]
    fn grow(&mut self, len: usize) {
        assert!(
            self.pushed + len <= self.announced,
            "a source pushes as many elements as it has announced"
        );
        let doubled = self.places.capacity.saturating_mul(ARRAY_GROWTH);
        let wanted = self.pushed.saturating_add(len).max(doubled);
        self.places.resize(self.api, wanted.min(self.announced));
    }

    /// How many elements are in the array for good, now that the one pushed last is filled.
    #[inline]
    fn settle(&mut self) -> usize {
        match &mut self.check {
            None => self.pushed,
            Some(check) => check.settle(&self.places),
        }
    }

    /// Whether plain values can be written to the places after the pushed elements.
    #[inline]
    fn takes_as_it_is<T: Plain>(&mut self) -> bool {
        let is_declared =
            self.check.as_ref().is_none_or(|check| check.ty.holds(T::TYPE.id().into()));
        // A dropped element is still in its place.
        is_declared && self.api.layout.variants && self.settle() == self.pushed
    }
}

impl ArraySink for ArrayWriter<'_> {
    type Element<'a>
        = Slot<'a>
    where
        Self: 'a;

    #[inline]
    fn element(&mut self) -> Slot<'_> {
        let index = self.settle();
        if index == self.places.capacity {
            self.grow(1);
        }
        self.pushed += 1;
        if let Some(check) = &mut self.check {
            check.is_pending = true;
        }
        // SAFETY: the place is an element of an array of ours. It is nil if the array is untyped.
        let slot = unsafe { Slot::at(self.api, self.places.at(index), self.check.is_none()) };
        slot.with_cache(self.cache).with_hint(self.element_hint).checking_types(self.checks_types)
    }

    #[inline(always)]
    fn run<T: Plain>(
        &mut self,
        run: impl ExactSizeIterator<Item = T>,
    ) -> Result<(), (usize, Refusal)> {
        if !self.takes_as_it_is::<T>() {
            return emit_each(run, self);
        }
        let len = run.len();
        if len > self.places.capacity - self.pushed {
            self.grow(len);
        }
        let places = (self.pushed..).map(|index| self.places.at(index));
        // SAFETY: the places are elements of an array of ours: nil, or what the declared type has for a default. The
        // first is plain, and so is the second, or else it is a box for such a value. The written place was probed.
        unsafe {
            match (layout::is_boxed(T::TYPE), self.check.is_some()) {
                (false, _) => {
                    run.zip(places).for_each(|(value, place)| layout::write_plain(place, value));
                }
                (true, true) => run.zip(places).for_each(|(value, place)| {
                    self.api.near_content(T::TYPE, place).cast::<T>().write(value);
                }),
                (true, false) => {
                    let make = self.api.maker(T::TYPE);
                    run.zip(places)
                        .for_each(|(value, place)| make(place, (&raw const value).cast()));
                }
            }
        }
        self.pushed += len;
        if let Some(check) = &mut self.check {
            check.accepted = self.pushed;
        }
        Ok(())
    }

    fn end(mut self) -> Result<(), Refusal> {
        let accepted = self.settle();
        if let Some(refusal) = self.check.and_then(|check| check.refused) {
            return Err(refusal);
        }
        if accepted < self.places.capacity {
            // SAFETY: the array is ours.
            unsafe { resize(self.api.methods.array_resize, self.places.array, accepted) };
        }
        Ok(())
    }
}

/// Where the first element of an array of ours is, and the others behind it without gaps; null for
/// an array without elements.
///
/// # Safety
/// `array` must point to an `Array` of `count` elements that only the caller uses.
pub(crate) unsafe fn first_element(api: &Api, array: Content, count: usize) -> *mut Variant {
    if count == 0 {
        return ptr::null_mut();
    }
    let index = api.interface.array_operator_index;
    // SAFETY: the indices are below the size.
    let (first, last) = unsafe { (index(array, 0), index(array, count as i64 - 1)) };
    // The engine has one row of elements; only a read-only array hides it, and a new one is not
    // read-only.
    assert!(last == first.wrapping_add(count - 1), "the elements of an Array stand in one row");
    first
}
