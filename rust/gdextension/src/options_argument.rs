//! An argument `options: Dictionary = {}`.
#![allow(unsafe_code)]

use godot::builtin::VarDictionary;
use godot::meta::error::ConvertError;
use godot::meta::{FromGodot, GodotConvert, GodotImmutable, ToGodot};

/// A dictionary of options that a call may leave out.
///
/// gdext knows no default values of type `Dictionary`, since calls would share one that they could
/// change. This one is read-only.
#[derive(Clone, Debug)]
pub(crate) struct OptionsArgument(pub(crate) VarDictionary);

impl OptionsArgument {
    /// No options.
    pub(crate) fn none() -> OptionsArgument {
        OptionsArgument(VarDictionary::new().into_read_only())
    }
}

impl GodotConvert for OptionsArgument {
    type Via = VarDictionary;

    fn godot_shape() -> godot::meta::shape::GodotShape {
        VarDictionary::godot_shape()
    }
}

impl ToGodot for OptionsArgument {
    type Pass = godot::meta::conv::ByValue;

    fn to_godot(&self) -> VarDictionary {
        self.0.clone()
    }
}

impl FromGodot for OptionsArgument {
    fn try_from_godot(via: VarDictionary) -> Result<OptionsArgument, ConvertError> {
        Ok(OptionsArgument(via))
    }
}

// SAFETY: asks that clones are made safely on any thread and cannot change the value: the engine
// counts references atomically, and the default is read-only.
unsafe impl GodotImmutable for OptionsArgument {
    fn into_runtime_immutable(self) -> OptionsArgument {
        OptionsArgument(self.0.into_read_only())
    }
}
