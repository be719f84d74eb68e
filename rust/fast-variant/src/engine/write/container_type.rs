//! Declared types of containers.

use std::fmt;

use godot::builtin::{StringName, Variant};
use godot::classes::{Object, Script};
use godot::meta::ToGodot;
use godot::obj::Gd;
use godot_variant::{ContainerTypeRef, Refusal, RefusalKind, Text, VariantType};

use crate::decode_options::type_name;
use crate::engine::ffi::api::{Content, api};
use crate::engine::memory::text;
use crate::engine::write::object;

const OBJECT: u32 = VariantType::Object.id() as u32;

/// The declared type of a container's elements, as the engine takes it.
pub(crate) struct EngineType {
    pub(crate) builtin: u32,
    pub(crate) class: StringName,
    pub(crate) script: Variant,
}

impl EngineType {
    #[cold]
    pub(crate) fn new(ty: ContainerTypeRef<'_>) -> Result<EngineType, Refusal> {
        Ok(match ty {
            ContainerTypeRef::Any => EngineType::builtin(0),
            ContainerTypeRef::Builtin(ty) => EngineType::builtin(ty.id().into()),
            ContainerTypeRef::Class(name) => EngineType {
                class: text::make_name(Text::Utf8(name)),
                ..EngineType::builtin(OBJECT)
            },
            ContainerTypeRef::Script(path) => {
                let script = object::load_script(path)?;
                EngineType {
                    builtin: OBJECT,
                    class: script.get_instance_base_type(),
                    script: script.to_variant(),
                }
            }
        })
    }

    fn builtin(builtin: u32) -> EngineType {
        EngineType { builtin, class: StringName::default(), script: Variant::nil() }
    }

    /// Makes an array one of this type.
    ///
    /// # Safety
    /// `array` must point to an empty, untyped array that only the caller uses.
    pub(crate) unsafe fn apply_to(&self, array: Content) {
        let set_typed = api().interface.array_set_typed;
        // SAFETY: the array is empty and untyped, and only the caller uses it; the type outlives the call.
        unsafe { set_typed(array, self.builtin, &raw const self.class, &raw const self.script) };
    }

    /// Whether a value of type `ty` is an element without a closer look.
    pub(crate) fn holds(&self, ty: u32) -> bool {
        ty == self.builtin && ty != OBJECT
    }

    /// Refuses what is not of this type. The engine drops it, or converts it (`ContainerTypeValidate`).
    #[cold]
    pub(crate) fn check(&self, part: &'static str, value: &Variant) -> Result<(), Refusal> {
        let is_taken = match (self.builtin, value.get_type().ord as u32) {
            (0, _) | (OBJECT, 0) => true,
            (OBJECT, OBJECT) => self.takes_object(value),
            (declared, found) => declared == found,
        };
        if is_taken {
            return Ok(());
        }
        let (declared, found) = (self.to_string(), type_name(value));
        Err(Refusal::new(RefusalKind::WrongElementType { part, declared, found }))
    }

    fn takes_object(&self, value: &Variant) -> bool {
        let Ok(object) = value.try_to::<Gd<Object>>() else { return true };
        if !self.class.is_empty() && !object.is_class(&self.class.to_string()) {
            return false;
        }
        let Ok(declared) = self.script.try_to::<Gd<Script>>() else { return true };
        let mut script = object.get_script();
        while let Some(current) = script {
            if current == declared {
                return true;
            }
            script = current.get_base_script();
        }
        false
    }
}

impl fmt::Display for EngineType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Ok(script) = self.script.try_to::<Gd<Script>>() {
            return write!(f, "the script {}", script.get_path());
        }
        if !self.class.is_empty() {
            return write!(f, "{}", self.class);
        }
        let ty = u8::try_from(self.builtin).ok().and_then(|id| VariantType::from_id(id.into()));
        write!(f, "{}", ty.unwrap_or(VariantType::Nil))
    }
}
