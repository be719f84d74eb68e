//! An argument `default: Variant = null`.
#![allow(unsafe_code)]

use godot::builtin::Variant;
use godot::meta::error::ConvertError;
use godot::meta::{FromGodot, GodotConvert, GodotImmutable, ToGodot};

/// What a call gives back where there is nothing, `null` if the caller does not say.
///
/// gdext knows no default values of type `Variant`, since one might hold what calls could change.
/// This one is null.
#[derive(Clone, Debug)]
pub(crate) struct DefaultArgument(pub(crate) Variant);

impl DefaultArgument {
    /// `null`.
    pub(crate) fn null() -> DefaultArgument {
        DefaultArgument(Variant::nil())
    }
}

impl GodotConvert for DefaultArgument {
    type Via = Variant;

    fn godot_shape() -> godot::meta::shape::GodotShape {
        Variant::godot_shape()
    }
}

impl ToGodot for DefaultArgument {
    type Pass = godot::meta::conv::ByValue;

    fn to_godot(&self) -> Variant {
        self.0.clone()
    }
}

impl FromGodot for DefaultArgument {
    fn try_from_godot(via: Variant) -> Result<DefaultArgument, ConvertError> {
        Ok(DefaultArgument(via))
    }
}

// SAFETY: asks that clones are made safely on any thread and cannot change the value: the only
// default is null, and so is whatever else is given to be one.
unsafe impl GodotImmutable for DefaultArgument {
    fn into_runtime_immutable(self) -> DefaultArgument {
        DefaultArgument::null()
    }
}
