//! An argument `options: Dictionary = {}`.
#![allow(unsafe_code)]

use godot::builtin::{AnyDictionary, VarDictionary};
use godot::meta::error::ConvertError;
use godot::meta::{FromGodot, GodotConvert, GodotImmutable, ToGodot};
use godot::register::property::SimpleVar;

/// A dictionary of options that a call may leave out.
///
/// gdext knows no default values of type `Dictionary`, since calls would share one that they could
/// change. This one is read-only. A dictionary may be typed, which gdext refuses where `VarDictionary` is asked for.
#[derive(Clone, Debug)]
pub(crate) struct OptionsArgument(pub(crate) AnyDictionary);

impl OptionsArgument {
    /// No options.
    pub(crate) fn none() -> OptionsArgument {
        OptionsArgument(VarDictionary::new().upcast_any_dictionary().into_read_only())
    }

    /// A read-only copy, without types for keys and values.
    pub(crate) fn kept(&self) -> OptionsArgument {
        let mut kept = VarDictionary::new();
        for (key, value) in self.0.iter_shared() {
            kept.set(&key, &value);
        }
        OptionsArgument(kept.upcast_any_dictionary().duplicate_deep().into_read_only())
    }
}

/// For properties.
impl SimpleVar for OptionsArgument {}

impl GodotConvert for OptionsArgument {
    type Via = AnyDictionary;

    fn godot_shape() -> godot::meta::shape::GodotShape {
        AnyDictionary::godot_shape()
    }
}

impl ToGodot for OptionsArgument {
    type Pass = godot::meta::conv::ByValue;

    fn to_godot(&self) -> AnyDictionary {
        self.0.clone()
    }
}

impl FromGodot for OptionsArgument {
    fn try_from_godot(via: AnyDictionary) -> Result<OptionsArgument, ConvertError> {
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
