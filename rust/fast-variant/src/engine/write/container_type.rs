//! Declared types of containers.

use godot::builtin::{StringName, Variant};
use godot::meta::ToGodot;
use godot_variant::{ContainerTypeRef, Refusal, Text, VariantType};

use crate::engine::ffi::api::{Content, api};
use crate::engine::memory::text;
use crate::engine::write::object;

/// The declared type of a container's elements, as the engine takes it.
pub(crate) struct EngineType {
    pub(crate) builtin: u32,
    pub(crate) class: StringName,
    pub(crate) script: Variant,
}

impl EngineType {
    #[cold]
    pub(crate) fn new(ty: ContainerTypeRef<'_>) -> Result<EngineType, Refusal> {
        let object = u32::from(VariantType::Object.id());
        Ok(match ty {
            ContainerTypeRef::Any => EngineType::builtin(0),
            ContainerTypeRef::Builtin(ty) => EngineType::builtin(ty.id().into()),
            ContainerTypeRef::Class(name) => EngineType {
                class: text::make_name(Text::Utf8(name)),
                ..EngineType::builtin(object)
            },
            ContainerTypeRef::Script(path) => {
                let script = object::load_script(path)?;
                EngineType {
                    builtin: object,
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
        ty == self.builtin && ty != u32::from(VariantType::Object.id())
    }
}
