//! What the fillers of containers have in common.

use godot::builtin::{StringName, Variant};
use godot::meta::ToGodot;
use variant::{ContainerTypeRef, Refusal, Text, VariantType};

use super::api::{Content, api, call};
use super::{object_writer, text};

/// Resizes an array of any kind. Panics if there is not enough memory.
///
/// # Safety
/// `array` must point to an array that `method` resizes, which only the caller uses.
#[inline]
pub(super) unsafe fn resize(method: ResizeMethod, array: Content, count: usize) {
    let (count, mut error) = (count as i64, 0i64);
    // SAFETY: promised by the caller; the method takes an int and returns one.
    unsafe { call(method, array, [(&raw const count).cast()], &mut error) };
    // Whoever asked is about to write to the elements.
    assert_eq!(error, 0, "there is not enough memory for an array of {count} elements");
}

type ResizeMethod =
    unsafe extern "C" fn(Content, *const *const std::ffi::c_void, *mut std::ffi::c_void, i32);

/// The declared type of a container's elements, as the engine takes it.
pub(super) struct EngineType {
    pub(super) builtin: u32,
    pub(super) class: StringName,
    pub(super) script: Variant,
}

impl EngineType {
    #[cold]
    pub(super) fn new(ty: ContainerTypeRef<'_>) -> Result<EngineType, Refusal> {
        let object = u32::from(VariantType::Object.id());
        Ok(match ty {
            ContainerTypeRef::Any => EngineType::builtin(0),
            ContainerTypeRef::Builtin(ty) => EngineType::builtin(ty.id().into()),
            ContainerTypeRef::Class(name) => EngineType {
                class: text::make_name(Text::Utf8(name)),
                ..EngineType::builtin(object)
            },
            ContainerTypeRef::Script(path) => {
                let script = object_writer::load_script(path)?;
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
    pub(super) unsafe fn apply_to(&self, array: Content) {
        let set_typed = api().interface.array_set_typed;
        // SAFETY: promised by the caller; the type outlives the call.
        unsafe { set_typed(array, self.builtin, &raw const self.class, &raw const self.script) };
    }

    /// Whether a value of type `ty` is an element without a closer look.
    pub(super) fn holds(&self, ty: u32) -> bool {
        ty == self.builtin && ty != u32::from(VariantType::Object.id())
    }
}
