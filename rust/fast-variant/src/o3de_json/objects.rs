//! The engine's values to values without an engine, and back; objects by their registered class.

use godot::builtin::{StringName, VarArray, VarDictionary, Variant, VariantType};
use godot::classes::{Object as EngineObject, RefCounted};
use godot::meta::ToGodot;
use godot::obj::{Gd, InstanceId};
use godot_variant::{Array, ContainerType, Dictionary, Object, Place, RefusalKind, Source, Value};

use super::classes::Classes;
use super::misuse::Misuse;
use crate::engine::{self, EngineValue, Objects};

/// How deep arrays, dictionaries and objects may be in each other: as deep as O3DE's JSON is read.
const MAX_DEPTH: usize = 256;

/// The value of a Variant.
///
/// Objects of registered classes become their fields. An object of another class, or one inside itself, stays the
/// number of an object, which no schema stores.
///
/// # Errors
/// It nests deeper than JSON may, or contains itself.
pub(crate) fn value_of(variant: &Variant, classes: &Classes) -> Result<Value, Misuse> {
    Reading { classes, open: Vec::new() }.value(variant, MAX_DEPTH)
}

/// What all parts of a value share while it is read.
struct Reading<'c> {
    classes: &'c Classes,
    /// The ids of the objects around the value at hand.
    open: Vec<u64>,
}

impl Reading<'_> {
    /// The value of a Variant that can have at most `levels` levels.
    fn value(&mut self, variant: &Variant, levels: usize) -> Result<Value, Misuse> {
        let mut value = Value::Nil;
        EngineValue::new(variant, Objects::AsIds).emit(Place::new(&mut value, levels)).map_err(
            |refusal| match refusal.kind() {
                RefusalKind::TooDeep { .. } => Misuse {
                    message: RefusalKind::TooDeep { limit: MAX_DEPTH }.to_string(),
                    ..Misuse::from(refusal)
                },
                _ => refusal.into(),
            },
        )?;
        self.fill_objects(&mut value, levels)?;
        Ok(value)
    }

    /// Replaces objects that are given as numbers with their fields.
    fn fill_objects(&mut self, value: &mut Value, levels: usize) -> Result<(), Misuse> {
        // Nothing in the value is deeper than the given number of levels.
        let inside = levels.saturating_sub(1);
        match value {
            Value::Array(array) => {
                without_object_type(&mut array.element_type);
                let mut elements = array.elements.iter_mut().enumerate();
                elements.try_for_each(|(index, element)| {
                    self.fill_objects(element, inside).map_err(|e| e.at(&index.to_string()))
                })
            }
            // A key that is an object cannot be distinguished from data, and stays a number.
            Value::Dictionary(dictionary) => {
                without_object_type(&mut dictionary.key_type);
                without_object_type(&mut dictionary.value_type);
                dictionary.iter_mut().try_for_each(|(key, value)| {
                    self.fill_objects(value, inside).map_err(|misuse| misuse.at(&name_of(key)))
                })
            }
            Value::Object(object) => {
                let Object::Id(id) = **object else { return Ok(()) };
                if let Some(full) = self.object(id, levels)? {
                    **object = full;
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// An object with its fields, if its class is registered.
    fn object(&mut self, id: u64, levels: usize) -> Result<Option<Object>, Misuse> {
        let object = InstanceId::try_from_i64(id as i64)
            .and_then(|id| Gd::<EngineObject>::try_from_instance_id(id).ok());
        let Some(object) = object else { return Ok(None) };
        let classes = self.classes;
        let Some(class) = classes.of_object(&object) else { return Ok(None) };
        if self.open.contains(&id) {
            let message =
                format!("an object of the class `{class}` contains itself: break the cycle");
            return Err(message.into());
        }
        let Some(levels) = levels.checked_sub(1) else {
            return Err(format!("objects are nested deeper than {MAX_DEPTH}: flatten them").into());
        };
        self.open.push(id);
        let fields = classes.registry.fields(class);
        let mut properties = Vec::with_capacity(fields.len());
        for field in fields {
            // The getter of another property may have freed it.
            if !object.is_instance_valid() {
                let message =
                    format!("an object of the class `{class}` freed itself while it was read");
                return Err(message.into());
            }
            let part = object.get(&StringName::from(&*field.name));
            let value = self.value(&part, levels).map_err(|misuse| misuse.at(&field.name))?;
            properties.push((field.name.clone(), value));
        }
        self.open.pop();
        Ok(Some(Object::Full { class: class.into(), properties }))
    }
}

fn name_of(key: &Value) -> String {
    match key {
        Value::String(name) | Value::StringName(name) => name.to_string(),
        key => key.brief(),
    }
}

/// Containers of objects become untyped, because their objects are given as numbers.
fn without_object_type(ty: &mut ContainerType) {
    if matches!(ty, ContainerType::Class(_) | ContainerType::Script(_)) {
        *ty = ContainerType::Any;
    }
}

/// The Variant of a value, with new objects.
///
/// # Errors
/// An object cannot be made.
pub(crate) fn variant_of(value: &Value, classes: &Classes) -> Result<Variant, String> {
    if !holds_objects(value) {
        return engine::variant_of(value).map_err(|refusal| refusal.to_string());
    }
    match value {
        Value::Array(array) => {
            let elements = array.elements.iter().map(|element| variant_of(element, classes));
            let made = elements.collect::<Result<VarArray, _>>()?.to_variant();
            let element_type = array.element_type.clone();
            declared(Array { element_type, elements: Vec::new() }.into(), made)
        }
        Value::Dictionary(dictionary) => {
            let mut entries = VarDictionary::new();
            for (key, value) in dictionary.iter() {
                entries.set(&variant_of(key, classes)?, &variant_of(value, classes)?);
            }
            let (key, value) = (dictionary.key_type.clone(), dictionary.value_type.clone());
            declared(Dictionary::typed(key, value).into(), entries.to_variant())
        }
        Value::Object(object) => match &**object {
            Object::Full { class, properties } => new_object(class, properties, classes),
            // The contents of a target that the data did not name.
            Object::Id(id) => {
                let object = InstanceId::try_from_i64(*id as i64)
                    .and_then(|id| Gd::<EngineObject>::try_from_instance_id(id).ok());
                Ok(object.map_or_else(Variant::nil, |object| object.to_variant()))
            }
            Object::Null => Ok(Variant::nil()),
        },
        value => engine::variant_of(value).map_err(|refusal| refusal.to_string()),
    }
}

/// An array or dictionary with the declared types of `empty`.
fn declared(empty: Value, made: Variant) -> Result<Variant, String> {
    let typed = engine::variant_of(&empty).map_err(|refusal| refusal.to_string())?;
    Ok(of_the_type_of(&typed, made))
}

fn holds_objects(value: &Value) -> bool {
    match value {
        Value::Object(_) => true,
        Value::Array(array) => array.elements.iter().any(holds_objects),
        Value::Dictionary(dictionary) => {
            dictionary.iter().any(|(key, value)| holds_objects(key) || holds_objects(value))
        }
        _ => false,
    }
}

fn new_object(
    class: &str,
    properties: &[(Box<str>, Value)],
    classes: &Classes,
) -> Result<Variant, String> {
    let made = classes.make(class)?;
    let Ok(object) = made.try_to::<Gd<EngineObject>>() else {
        return Err(format!("the class `{class}` cannot be instantiated: its script cannot run"));
    };
    match fill(object.clone(), properties, classes, false) {
        Ok(()) => Ok(made),
        Err(message) => {
            drop(made);
            free(object);
            Err(message)
        }
    }
}

/// Frees an object that nothing else frees.
pub(crate) fn free(object: Gd<EngineObject>) {
    if object.is_instance_valid() && object.clone().try_cast::<RefCounted>().is_err() {
        object.free();
    }
}

/// Sets the properties of an object. With `in_place`, objects in it that have the class of the value
/// are filled and stay the same objects.
///
/// # Errors
/// An object in it cannot be made, or it frees itself.
pub(crate) fn fill(
    mut object: Gd<EngineObject>,
    properties: &[(Box<str>, Value)],
    classes: &Classes,
    in_place: bool,
) -> Result<(), String> {
    for (name, value) in properties {
        if !object.is_instance_valid() {
            return Err("an object freed itself while its properties were set".into());
        }
        let property = StringName::from(&**name);
        let known = object.get(&property);
        if let (true, Value::Object(part)) = (in_place, value)
            && let Object::Full { class, properties } = &**part
            && let Ok(inner) = known.try_to::<Gd<EngineObject>>()
            && classes.of_object(&inner) == Some(class)
        {
            fill(inner, properties, classes, in_place)?;
            continue;
        }
        // A number in the place of an object means the earlier object.
        if matches!(value, Value::Object(part) if matches!(**part, Object::Id(_))) {
            continue;
        }
        let variant = variant_of(value, classes)?;
        object.set(&property, &of_the_type_of(&known, variant));
    }
    Ok(())
}

/// An array or dictionary with the declared types of the one that it replaces.
pub(crate) fn of_the_type_of(known: &Variant, new: Variant) -> Variant {
    let ty = new.get_type();
    let is_container = ty == VariantType::ARRAY || ty == VariantType::DICTIONARY;
    if !is_container || known.get_type() != ty || !is_typed(known) {
        return new;
    }
    let typed = known.call("duplicate", &[]);
    typed.call("clear", &[]);
    typed.call("assign", &[new]);
    typed
}

fn is_typed(container: &Variant) -> bool {
    let method = match container.get_type() {
        VariantType::ARRAY => "is_typed",
        _ => "is_typed_key",
    };
    let is = |method: &str| container.call(method, &[]).booleanize();
    is(method) || (method == "is_typed_key" && is("is_typed_value"))
}
