//! A place for a value of the engine.

use std::marker::PhantomData;

use engine_kernels::tuning::TRUSTED_COUNT;
use godot::builtin::{PackedByteArray, Variant};
use godot_variant::{Refusal, VariantType};
use godot_variant_codec::Encoder;

use crate::engine::ffi::api::{Api, Content, api};
use crate::engine::ffi::layout;
use crate::engine::memory::string_cache::StringCache;

/// A place for one engine value: a valid Variant, which the value replaces.
pub(crate) struct Slot<'s> {
    place: *mut Variant,
    /// The Variant is nil, so that nothing needs to be destroyed.
    pub(super) fresh: bool,
    /// Whether an array gets all places that it announces.
    pub(crate) len_hint: LenHint,
    /// Whether a value of another type than its typed container declares is an error. Godot converts it, logs an error and
    /// drops it, or keeps it under a type that it does not have.
    pub(super) checks_types: bool,
    pub(crate) api: &'static Api,
    pub(crate) cache: Option<&'s StringCache>,
    owner: PhantomData<&'s mut Variant>,
}

/// What the announced length of an array is worth: a thousand arrays in each other may each
/// announce as many elements as there are bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LenHint {
    /// All places are made at once. At most one of the large arrays in each other is announced so.
    Trusted,
    /// At most [`TRUSTED_COUNT`] places are made before they are filled.
    Bounded,
}

impl LenHint {
    /// How many of the announced places are made at once.
    #[inline]
    pub(crate) fn bounded(self, announced: usize) -> usize {
        match self {
            LenHint::Trusted => announced,
            LenHint::Bounded => announced.min(TRUSTED_COUNT),
        }
    }
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
    pub(crate) unsafe fn at(api: &'static Api, place: *mut Variant, fresh: bool) -> Slot<'s> {
        Slot {
            place,
            fresh,
            len_hint: LenHint::Bounded,
            checks_types: false,
            api,
            cache: None,
            owner: PhantomData,
        }
    }

    /// The same place, for a value that is announced with this hint.
    #[inline]
    pub(crate) fn with_hint(self, len_hint: LenHint) -> Slot<'s> {
        Slot { len_hint, ..self }
    }

    /// The same place, for a value whose typed containers hold nothing but values of their types.
    #[inline]
    pub(crate) fn checking_types(self, checks_types: bool) -> Slot<'s> {
        Slot { checks_types, ..self }
    }

    /// The same place, for a value whose strings may be copied from the cache.
    #[inline]
    pub(crate) fn with_cache(self, cache: Option<&'s StringCache>) -> Slot<'s> {
        Slot { cache, ..self }
    }

    /// Puts a whole value into the place.
    pub(crate) fn put(self, value: Variant) {
        // SAFETY: the place is empty, and a Variant may be moved like any value of the engine.
        unsafe { self.emptied().write(value) };
    }

    /// The place after what it held was destroyed. The caller fills it at once.
    #[inline]
    pub(super) fn emptied(self) -> *mut Variant {
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
    pub(super) unsafe fn fill<T>(self, ty: VariantType, value: &T) {
        // SAFETY: the place is empty, and `T` is what the engine has for `ty`, as this function
        // asks, and the place is empty.
        unsafe { self.api.make(ty, self.emptied(), (&raw const *value).cast()) }
    }

    /// As [`Slot::fill`], for what the engine keeps in the Variant itself and copies bit by bit.
    ///
    /// # Safety
    /// As [`Slot::fill`], and `T` must be plain data of at most 16 bytes.
    #[inline(always)]
    pub(super) unsafe fn fill_plain<T: Copy>(self, ty: VariantType, value: &T) {
        if !self.api.layout.variants {
            // SAFETY: `T` is what the engine has for `ty`.
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
    pub(crate) fn fill_default(self, ty: VariantType) -> Content {
        // SAFETY: the place is empty.
        unsafe { self.api.make_default(ty, self.emptied()) }
    }

    /// Fills the place with an empty `String`, and says where it is.
    #[inline]
    pub(super) fn fill_empty_string(self) -> Content {
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
    pub(super) fn decode_in_engine(
        self,
        describe: impl FnOnce(Encoder<'_, Vec<u8>>) -> Result<(), Refusal>,
    ) -> Result<(), Refusal> {
        let mut bytes = Vec::new();
        describe(Encoder::new(&mut bytes))?;
        self.put(godot::global::bytes_to_var(&PackedByteArray::from(bytes)));
        Ok(())
    }
}
