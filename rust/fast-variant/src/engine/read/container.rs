//! The common part of arrays and dictionaries as a source.

use godot::builtin::{StringName, Variant};
use godot::classes::Script;
use godot::obj::Gd;
use godot_variant::{ContainerType, ENCODED_OBJECT_AS_ID, Refusal, VariantType};

use crate::engine::ffi::api::{Content, call_int};
use crate::engine::ffi::layout::private;
use crate::engine::read::dictionary::Chain;
use crate::engine::read::object;
use crate::engine::read::value::{EngineValue, Objects};

/// The content of a container, as it is in memory.
pub(crate) enum Container<'v> {
    /// The elements of an `Array`.
    Array(&'v [Variant]),
    /// The entries of a `Dictionary`.
    Dictionary(Chain<'v>),
}

impl<'v> EngineValue<'v> {
    /// The container that the value is, if it is one that is not empty and whose layout is known.
    pub(crate) fn container(&self) -> Option<Container<'v>> {
        let (content, count) = (self.container_content()?, self.count()?);
        // SAFETY: the content is that of the container that the Variant holds.
        unsafe {
            match self.variant_type()? {
                VariantType::Array => self.elements_in_place(content, count).map(Container::Array),
                _ => {
                    let layout = self.api.layout.dictionaries.as_ref()?;
                    Some(Container::Dictionary(self.chain(content, layout, count)))
                }
            }
        }
    }

    /// The number of elements or entries, if the value is a container whose layout is known.
    #[inline]
    pub(crate) fn count(&self) -> Option<usize> {
        let content = self.container_content()?;
        let layout = &self.api.layout;
        // SAFETY: the content is that of the container that the Variant holds.
        unsafe {
            match self.variant_type()? {
                VariantType::Array => {
                    layout.arrays?;
                    Some(call_int(self.api.methods.array_size, content) as usize)
                }
                _ => Some(private::<u32>(content, layout.dictionaries?.count) as usize),
            }
        }
    }

    /// Calls `visit` for each container among the `count` elements, or values, of a container whose layout is known.
    #[inline]
    pub(crate) fn for_each_container(&self, count: usize, visit: impl FnMut(EngineValue<'v>)) {
        let Some(content) = self.container_content() else { return };
        // SAFETY: the content is that of the container that the Variant holds.
        unsafe {
            if let Some(VariantType::Array) = self.variant_type() {
                let elements = self.elements_in_place(content, count).unwrap_or_default();
                visit_containers(elements.iter().map(|element| self.sibling(element)), visit);
            } else if let Some(layout) = &self.api.layout.dictionaries {
                visit_containers(self.chain(content, layout, count).map(|(_, value)| value), visit);
            }
        }
    }

    #[inline(always)]
    pub(crate) fn is_container(&self) -> bool {
        // SAFETY: a reference to a Variant is valid.
        let id = unsafe { self.api.type_id(self.variant) };
        [VariantType::Dictionary, VariantType::Array].iter().any(|ty| id == u32::from(ty.id()))
    }

    /// Where the content of an Array or a Dictionary is.
    #[inline]
    fn container_content(&self) -> Option<Content> {
        let ty = self.variant_type().filter(|_| self.is_container())?;
        // SAFETY: the Variant has this type.
        Some(unsafe { self.api.near_content(ty, self.variant) })
    }

    /// What a container says of its elements: the built-in type, and for objects what the other
    /// two put into the place they are given.
    #[inline]
    pub(crate) fn container_type(
        &self,
        builtin: i64,
        class_name: impl FnOnce(&mut StringName),
        script: impl FnOnce(&mut Variant),
    ) -> Result<ContainerType, Refusal> {
        match u32::try_from(builtin).ok().and_then(VariantType::from_id) {
            None | Some(VariantType::Nil) => Ok(ContainerType::Any),
            Some(VariantType::Object) => self.object_container_type(class_name, script),
            Some(ty) => Ok(ContainerType::Builtin(ty)),
        }
    }

    /// As `_encode_container_type` decides it (core/io/marshalls.cpp, 4.6).
    #[cold]
    fn object_container_type(
        &self,
        class_name: impl FnOnce(&mut StringName),
        script: impl FnOnce(&mut Variant),
    ) -> Result<ContainerType, Refusal> {
        let (mut class, mut script_variant) = (StringName::default(), Variant::nil());
        class_name(&mut class);
        script(&mut script_variant);
        let script = script_variant.try_to::<Gd<Script>>().ok();
        if class.is_empty() && script.is_none() {
            return Ok(ContainerType::Builtin(VariantType::Object));
        }
        Ok(match (self.objects, script) {
            (Objects::AsIds, _) => ContainerType::Class(ENCODED_OBJECT_AS_ID.into()),
            (Objects::Full, None) => ContainerType::Class(class.to_string().into()),
            (Objects::Full, Some(script)) => {
                ContainerType::Script(object::script_path(&script)?.into())
            }
        })
    }
}

/// A loop, as the compiler leaves the closure of `for_each` a function of its own, and small values wait for this.
#[inline(always)]
fn visit_containers<'v>(
    values: impl Iterator<Item = EngineValue<'v>>,
    mut visit: impl FnMut(EngineValue<'v>),
) {
    for value in values {
        if value.is_container() {
            visit(value);
        }
    }
}
