//! The engine's values as a source: each type to the call of the sink that takes it.

use godot::builtin::StringName;
use godot_variant::{
    PackedType, Refusal, RefusalKind, Sink, Source, StringKind, Text, Value, VariantType,
};

use crate::engine::memory::text;
use crate::engine::read::builtin::{
    emit_node_path, emit_packed_strings, emit_signal, packed_elements,
};
use crate::engine::read::object;
use crate::engine::read::value::EngineValue;

impl Source for EngineValue<'_> {
    /// What large containers are full of is emitted right here, in the loop of the container: the call
    /// of a function that can do everything would take longer.
    #[inline(always)]
    fn emit<S: Sink>(&self, sink: S) -> Result<(), Refusal> {
        let (api, variant) = (self.api, self.variant);
        // SAFETY: a reference to a Variant is valid.
        let id = unsafe { api.type_id(variant) };
        // SAFETY: the Variant has this type. The engine has bool as a byte, int and float as 64
        // bits, vectors and colors as their components without gaps.
        unsafe {
            match VariantType::from_id(id) {
                Some(ty @ VariantType::Int) => {
                    sink.int(api.near_content(ty, variant).cast::<i64>().read())
                }
                Some(ty @ VariantType::Float) => {
                    sink.float(api.near_content(ty, variant).cast::<f64>().read())
                }
                Some(ty @ VariantType::Bool) => {
                    sink.bool(api.near_content(ty, variant).cast::<u8>().read() != 0)
                }
                Some(VariantType::Nil) => sink.nil(),
                Some(ty @ VariantType::String) => {
                    let text = text::units(api, api.near_content(ty, variant));
                    sink.string(StringKind::String, Text::Utf32(text))
                }
                Some(ty @ VariantType::Vector2) => {
                    sink.reals::<2>(ty, &*api.near_content(ty, variant).cast())
                }
                Some(ty @ VariantType::Vector3) => {
                    sink.reals::<3>(ty, &*api.near_content(ty, variant).cast())
                }
                Some(ty @ VariantType::Color) => sink.color(&*api.near_content(ty, variant).cast()),
                Some(ty) => self.emit_compound(ty, sink),
                None => {
                    let what = "say what a value is whose type is newer than Godot 4.6";
                    Err(Refusal::new(RefusalKind::Engine { what }))
                }
            }
        }
    }
}

impl<'v> EngineValue<'v> {
    /// Transforms, containers, and vectors that are less common.
    ///
    /// # Safety
    /// The Variant must be of type `ty`, which is not one of the types that are emitted in place.
    #[inline(never)]
    unsafe fn emit_compound<S: Sink>(&self, ty: VariantType, sink: S) -> Result<(), Refusal> {
        // SAFETY: the Variant is of type `ty`. The engine has vectors and transforms as their components
        // without gaps, alive and unchanged while the Variant is borrowed.
        unsafe {
            let near = || self.api.near_content(ty, self.variant);
            match ty {
                VariantType::Rect2
                | VariantType::Vector4
                | VariantType::Plane
                | VariantType::Quaternion => sink.reals::<4>(ty, &*near().cast()),
                VariantType::Transform2D | VariantType::Aabb => {
                    sink.reals::<6>(ty, &*near().cast())
                }
                VariantType::Basis => sink.reals::<9>(ty, &*near().cast()),
                VariantType::Transform3D => sink.reals::<12>(ty, &*near().cast()),
                VariantType::Projection => sink.reals::<16>(ty, &*near().cast()),
                VariantType::Vector2i => sink.ints::<2>(ty, &*near().cast()),
                VariantType::Vector3i => sink.ints::<3>(ty, &*near().cast()),
                VariantType::Rect2i | VariantType::Vector4i => sink.ints::<4>(ty, &*near().cast()),
                VariantType::Dictionary => self.emit_dictionary(near(), sink),
                VariantType::Array => self.emit_array(near(), sink),
                _ => self.emit_rare(ty, sink),
            }
        }
    }

    /// Types that are large, or that a value rarely holds in large numbers.
    ///
    /// # Safety
    /// The Variant must be of type `ty`, one of the types in this list.
    #[inline(never)]
    unsafe fn emit_rare<S: Sink>(&self, ty: VariantType, sink: S) -> Result<(), Refusal> {
        // SAFETY: the Variant is of type `ty`, one of those listed here; each content is read by its own type.
        unsafe {
            let content = self.api.content(ty, self.variant);
            match ty {
                VariantType::StringName => {
                    let name = text::of_name(&*content.cast::<StringName>());
                    sink.string(StringKind::StringName, text::of(&name))
                }
                VariantType::NodePath => emit_node_path(content, sink),
                VariantType::Rid => sink.rid(content.cast::<u64>().read()),
                VariantType::Object => object::emit(self.variant, self.objects, sink),
                VariantType::Callable => sink.callable(),
                VariantType::Signal => emit_signal(content, sink),
                VariantType::PackedStringArray => emit_packed_strings(content, sink),
                _ => match PackedType::of(ty) {
                    Some(packed) => sink.packed(packed, packed_elements(packed, content)),
                    None => unreachable!("{ty} is emitted where it is met"),
                },
            }
        }
    }

    /// Copies the value out of the engine, for a message: what cannot be emitted becomes nil.
    #[cold]
    pub(crate) fn to_value(self) -> Value {
        let mut value = Value::Nil;
        // A key that could be encoded a moment ago can be emitted.
        let _ = self.emit(&mut value);
        value
    }
}
