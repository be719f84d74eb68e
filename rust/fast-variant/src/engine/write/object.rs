//! Objects, made from class and properties.

use godot::builtin::{GString, StringName, Variant, VariantType as GodotType};
use godot::classes::{ClassDb, Object, RefCounted, ResourceLoader, Script};
use godot::obj::{Gd, Singleton};
use godot_variant::{ObjectSink, Refusal, RefusalKind, Text, VariantType};

use crate::by_name;
use crate::engine::memory::text;
use crate::engine::write::slot::Slot;

/// A placeholder for the object with this instance id, wherever that object is.
pub(crate) fn encoded_as_id(id: u64) -> Variant {
    by_name::encoded_object(id)
}

/// The script at `path`.
///
/// # Errors
/// The path is not one of the project, or there is no script.
pub(crate) fn load_script(path: &str) -> Result<Gd<Script>, Refusal> {
    let not_found = || Refusal::new(RefusalKind::ScriptNotFound { path: path.to_owned() });
    let mut loader = ResourceLoader::singleton();
    if !path.starts_with("res://") || !loader.exists_ex(path).type_hint("Script").done() {
        return Err(not_found());
    }
    let resource = loader.load_ex(path).type_hint("Script").done().ok_or_else(not_found)?;
    resource.try_cast().map_err(|_| not_found())
}

/// An object that is being made, and goes to `place` in the end.
///
/// A property is set when its value is whole, which is when the next one comes or all are there.
pub(crate) struct ObjectWriter<'s> {
    place: Option<Slot<'s>>,
    object: Variant,
    property: Option<GString>,
    value: Variant,
    checks_types: bool,
}

impl<'s> ObjectWriter<'s> {
    pub(crate) fn new(place: Slot<'s>, class: Text<'_>) -> Result<ObjectWriter<'s>, Refusal> {
        let class = text::make_name(class);
        let class_db = ClassDb::singleton();
        // The engine logs an error if it is asked about a class that it does not know.
        let can_be_made = class_db.class_exists(&class) && class_db.can_instantiate(&class);
        let object = match can_be_made {
            true => class_db.instantiate(&class),
            false => Variant::nil(),
        };
        if object.is_nil() {
            let class = class.to_string();
            return Err(Refusal::new(RefusalKind::ClassNotInstantiable { class }));
        }
        let checks_types = place.checks_types;
        let (property, value) = (None, Variant::nil());
        Ok(ObjectWriter { place: Some(place), object, property, value, checks_types })
    }

    /// Sets the property whose value has come, as `decode_variant` does (core/io/marshalls.cpp).
    fn set_pending(&mut self) -> Result<(), Refusal> {
        let Some(name) = self.property.take() else {
            return Ok(());
        };
        let value = std::mem::take(&mut self.value);
        // A script may have freed it, in its constructor or when another property was set.
        let mut object = self.object.try_to::<Gd<Object>>().map_err(|_| {
            Refusal::new(RefusalKind::Engine {
                what: "set a property of an object that freed itself",
            })
        })?;
        if name == "script" && !value.is_nil() {
            if value.get_type() != GodotType::STRING {
                let found = VariantType::from_id(value.get_type().ord as u32);
                let found = found.unwrap_or(VariantType::Nil);
                return Err(Refusal::new(RefusalKind::ScriptNotAPath { found }));
            }
            object.set_script(&load_script(&value.to::<GString>().to_string())?);
        } else {
            object.set(&StringName::from(&name), &value);
        }
        Ok(())
    }
}

impl ObjectSink for ObjectWriter<'_> {
    type Value<'a>
        = Slot<'a>
    where
        Self: 'a;

    fn property(&mut self, name: Text<'_>) -> Result<Slot<'_>, Refusal> {
        self.set_pending()?;
        self.property = Some(text::make(name));
        Ok(Slot::new(&mut self.value).checking_types(self.checks_types))
    }

    fn end(mut self) -> Result<(), Refusal> {
        self.set_pending()?;
        if let Some(place) = self.place.take() {
            place.put(self.object.clone());
        }
        Ok(())
    }
}

impl Drop for ObjectWriter<'_> {
    /// Frees an object that was not finished and that nothing else would free.
    fn drop(&mut self) {
        let unfinished = self.place.is_some();
        if let (true, Ok(object)) = (unfinished, self.object.try_to::<Gd<Object>>())
            && object.clone().try_cast::<RefCounted>().is_err()
        {
            self.object = Variant::nil();
            object.free();
        }
    }
}
