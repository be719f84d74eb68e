//! What fills arrays.

use std::marker::PhantomData;
use std::ptr;

use engine_kernels::tuning::{ARRAY_GROWTH, TRUSTED_COUNT};
use godot::builtin::Variant;
use variant::{ArraySink, ContainerTypeRef, Plain, Refusal, VariantType, tell_each};

use crate::engine::ffi::api::{Api, Content, api, call, call_int, resize};
use crate::engine::ffi::layout;
use crate::engine::memory::cross_thread::Places;
use crate::engine::memory::string_cache::Shelf;
use crate::engine::parallel::fill::Helpers;
use crate::engine::write::container_type::EngineType;
use crate::engine::write::slot::Slot;

/// Fills an `Array` that has its final size already, or grows to it step by step.
pub(crate) struct ArrayWriter<'s> {
    array: Content,
    first: *mut Variant,
    /// How many places there are.
    room: usize,
    element_type: Option<EngineType>,
    /// Whether the promises of arrays in this one are believed.
    trusts: bool,
    /// How many elements were given; those that the type refused are no longer there.
    given: usize,
    kept: usize,
    count: usize,
    /// Who fills it together.
    helpers: Helpers,
    /// The element given last is not among the kept ones yet.
    is_open: bool,
    api: &'static Api,
    shelf: Option<&'s Shelf>,
    owner: PhantomData<&'s mut Variant>,
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
        let Slot { api, shelf, trusted, .. } = slot;
        let array = slot.fill_default(VariantType::Array);
        if let Some(ty) = &element_type {
            // SAFETY: the array is new, empty and ours.
            unsafe { ty.apply_to(array) };
        }
        let mut writer = ArrayWriter {
            array,
            first: ptr::null_mut(),
            room: 0,
            trusts: trusted && count <= TRUSTED_COUNT,
            element_type,
            given: 0,
            kept: 0,
            count,
            helpers: Helpers::default(),
            is_open: false,
            api,
            shelf,
            owner: PhantomData,
        };
        writer.make_room(if trusted { count } else { count.min(TRUSTED_COUNT) });
        Ok(writer)
    }

    /// Gives the array so many places.
    fn make_room(&mut self, room: usize) {
        // SAFETY: the array is ours.
        self.first = unsafe {
            resize(self.api.methods.array_resize, self.array, room);
            first_element(self.api, self.array, room)
        };
        self.room = room;
    }

    /// Makes places for at least `len` more elements behind those that were given.
    #[cold]
    fn grow(&mut self, len: usize) {
        assert!(self.given + len <= self.count, "a source gives as many elements as it promised");
        let wanted = self.given.saturating_add(len).max(self.room.saturating_mul(ARRAY_GROWTH));
        self.make_room(wanted.min(self.count));
    }

    /// The place of an element for which there is room.
    #[inline]
    fn place(&self, index: usize) -> *mut Variant {
        self.first.wrapping_add(index)
    }

    /// Whether plain values can be written to the places behind those that were given.
    #[inline]
    fn takes_as_it_is<T: Plain>(&mut self) -> bool {
        let is_declared = self.element_type.as_ref().is_none_or(|ty| ty.holds(T::TYPE.id().into()));
        if !is_declared || !self.api.layout.variants {
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

    /// As [`ArrayWriter::settle`], for all elements, which were given together.
    fn settle_all(&mut self) {
        self.given = self.count;
        if self.element_type.is_none() {
            self.kept = self.count;
            return;
        }
        for index in 0..self.count {
            // SAFETY: both are places of the array, which hold valid Variants.
            unsafe { ptr::swap(self.place(self.kept), self.place(index)) };
            self.is_open = true;
            self.settle();
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
        if self.kept == self.room {
            self.grow(1);
        }
        self.given += 1;
        self.is_open = true;
        // SAFETY: the place is an element of an array of ours. It is nil if the array is untyped.
        let slot =
            unsafe { Slot::at(self.api, self.place(self.kept), self.element_type.is_none()) };
        slot.with(self.shelf).trusting(self.trusts)
    }

    #[inline(always)]
    fn run<T: Plain>(
        &mut self,
        run: impl ExactSizeIterator<Item = T>,
    ) -> Result<(), (usize, Refusal)> {
        if !self.takes_as_it_is::<T>() {
            return tell_each(run, self);
        }
        let len = run.len();
        if len > self.room - self.given {
            self.grow(len);
        }
        let places = (self.given..).map(|index| self.place(index));
        // SAFETY: the places are elements of an array of ours: nil, or what the declared type has for a default. The
        // first is plain, and so is the second, or else it is a box for such a value. What is written there was probed.
        unsafe {
            match (layout::is_boxed(T::TYPE), self.element_type.is_some()) {
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
        self.given += len;
        self.kept = self.given;
        Ok(())
    }

    #[inline]
    fn takes_parts(&self) -> bool {
        Helpers::are_free()
    }

    fn together<'a, P, E: Send>(
        &'a mut self,
        _len: usize,
        cut: impl FnMut() -> Option<(P, usize)> + Send,
        tell: impl Fn(P, &mut dyn Iterator<Item = Slot<'a>>) -> Result<(), E> + Sync,
    ) -> Option<Result<(), E>> {
        assert_eq!(self.given, 0, "all elements are given together, or none");
        self.helpers = Helpers::new()?;
        self.make_room(self.count);
        let (api, room, is_untyped) = (self.api, self.room, self.element_type.is_none());
        let all = Places::new(self.first);
        Some(self.helpers.work(cut, |part, places, shelf| {
            assert!(places.end <= room, "a source gives as many elements as it promised");
            let mut slots = places.map(|index| {
                // SAFETY: the place is an element of an array of ours, and no two parts have the same. It
                // is nil if the array is untyped.
                let slot = unsafe { Slot::at(api, all.at(index), is_untyped) };
                slot.with(shelf)
            });
            tell(part, &mut slots)
        }))
    }

    fn end(mut self) -> Result<(), Refusal> {
        match self.helpers.is_empty() {
            true => self.settle(),
            false => self.settle_all(),
        }
        if self.kept < self.room {
            // SAFETY: the array is ours.
            unsafe { resize(self.api.methods.array_resize, self.array, self.kept) };
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
    // The engine has one row of elements; only a read-only array hides it, and a new one is none.
    assert!(last == first.wrapping_add(count - 1), "the elements of an Array stand in one row");
    first
}
