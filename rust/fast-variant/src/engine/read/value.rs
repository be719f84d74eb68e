//! A value of the engine that is read in place.

use godot::builtin::Variant;
use godot_variant::VariantType;

use crate::engine::ffi::api::{Api, api};
use crate::engine::read::prefetch::PrefetchStride;

/// How objects are emitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Objects {
    /// By instance id, as `var_to_bytes` does.
    AsIds,
    /// With their properties, as `var_to_bytes_with_objects` does.
    Full,
}

/// An engine Variant that is read in place.
///
/// Neither the value nor anything in it may change while it is read: the engine's containers have
/// no locks. Reading from several threads at once is fine.
#[derive(Clone, Copy)]
pub(crate) struct EngineValue<'v> {
    pub(crate) variant: &'v Variant,
    pub(crate) objects: Objects,
    pub(crate) api: &'static Api,
    /// Where a value that is read a little later has what this one has.
    pub(crate) stride: PrefetchStride,
}

impl<'v> EngineValue<'v> {
    pub(crate) fn new(variant: &'v Variant, objects: Objects) -> EngineValue<'v> {
        EngineValue { variant, objects, api: api(), stride: PrefetchStride::UNKNOWN }
    }

    /// The same way of reading, of an inner value.
    ///
    /// # Safety
    /// `variant` must be valid as long as `self` is.
    #[inline]
    pub(crate) unsafe fn inner(&self, variant: *const Variant) -> EngineValue<'v> {
        // SAFETY: the Variant is valid as long as `self` is.
        let variant = unsafe { &*variant };
        EngineValue { variant, ..*self }
    }

    /// The value's type, if Godot 4.6 has it.
    pub(crate) fn variant_type(&self) -> Option<VariantType> {
        // SAFETY: a reference to a Variant is valid.
        VariantType::from_id(unsafe { self.api.type_id(self.variant) })
    }

    /// Another value that is emitted in the same way.
    pub(crate) fn sibling(&self, variant: &'v Variant) -> EngineValue<'v> {
        EngineValue { variant, ..*self }
    }
}
