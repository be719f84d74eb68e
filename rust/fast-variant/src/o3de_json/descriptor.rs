//! Schemas as GDScript gives them.

use std::cell::Cell;

use godot::builtin::{VarArray, VarDictionary, Variant, VariantType};
use godot::classes::Script;
use godot::obj::Gd;
use godot_variant::{Array, Dictionary, Value};
use o3de_json::{Kind, Schema};

use super::classes::{self, Classes};
use super::derive::{self, About};
use super::objects;

/// How deep a descriptor may be.
const MAX_DEPTH: usize = 64;

/// How many parts it may have: one that has another one twice, and so on, has no end.
const MAX_PARTS: usize = 1_000_000;

/// Parts of a descriptor that are descriptors.
const PARTS: [&str; 4] = ["item", "key", "value", "type"];

/// What a part of a descriptor may still hold.
#[derive(Clone, Copy)]
struct Left<'p> {
    depth: usize,
    /// What all parts share.
    parts: &'p Cell<usize>,
}

impl Left<'_> {
    /// What a part one level deeper may hold.
    fn inside(self) -> Result<Self, String> {
        let Some(depth) = self.depth.checked_sub(1) else {
            return Err(format!(
                "descriptors are nested more than {MAX_DEPTH} levels deep: flatten them"
            ));
        };
        let Some(parts) = self.parts.get().checked_sub(1) else {
            return Err(format!("the descriptor has more than {MAX_PARTS} parts: divide it"));
        };
        self.parts.set(parts);
        Ok(Left { depth, ..self })
    }
}

/// The schema that a call gives; none if it gives `null`.
///
/// # Errors
/// What is wrong with the descriptor.
pub(crate) fn schema_of(descriptor: &Variant) -> Result<Option<Schema>, String> {
    if descriptor.is_nil() {
        return Ok(None);
    }
    let value = value_of(descriptor, Left { depth: MAX_DEPTH, parts: &Cell::new(MAX_PARTS) })?;
    let classes = classes::current();
    if let Value::String(name) | Value::StringName(name) = &value
        && let Some(values) = classes.enumeration(name)
    {
        return Ok(Some(Kind::Enum(values.clone()).into()));
    }
    Schema::from_value(&value, &classes.registry).map(Some).map_err(|error| error.to_string())
}

/// The descriptor with words in the place of scripts, which are registered.
fn value_of(descriptor: &Variant, left: Left<'_>) -> Result<Value, String> {
    let left = left.inside()?;
    match descriptor.get_type() {
        VariantType::OBJECT => match descriptor.try_to::<Gd<Script>>() {
            Ok(script) => Ok(class(&registered(&script)?)),
            Err(_) => {
                Err("an object is not a valid descriptor: use its script or its class".to_owned())
            }
        },
        VariantType::STRING | VariantType::STRING_NAME => word(&descriptor.stringify().to_string()),
        VariantType::ARRAY => {
            let elements = descriptor.to::<godot::builtin::AnyArray>();
            let elements = elements.iter_shared().map(|element| value_of(&element, left));
            Ok(elements.collect::<Result<Array, _>>()?.into())
        }
        VariantType::DICTIONARY => dictionary(descriptor, left),
        _ => plain(descriptor, &classes::current()),
    }
}

fn dictionary(descriptor: &Variant, left: Left<'_>) -> Result<Value, String> {
    let dictionary = descriptor.to::<godot::builtin::AnyDictionary>();
    let has_kind = dictionary.iter_shared().any(|(key, value)| {
        let is_text = matches!(value.get_type(), VariantType::STRING | VariantType::STRING_NAME);
        is_text && key.stringify() == "kind"
    });
    let mut entries = Dictionary::default();
    for (key, part) in dictionary.iter_shared() {
        let name = key.stringify().to_string();
        let value = match name.as_str() {
            _ if !has_kind => value_of(&part, left)?,
            name if PARTS.contains(&name) => value_of(&part, left)?,
            "items" => value_of(&part, left)?,
            "fields" => fields(&part, left)?,
            "class" => match part.try_to::<Gd<Script>>() {
                Ok(script) => Value::from(registered(&script)?.as_str()),
                Err(_) => plain(&part, &classes::current())?,
            },
            _ => plain(&part, &classes::current())?,
        };
        entries.insert(Value::from(name.as_str()), value);
    }
    Ok(entries.into())
}

/// The fields of a record: a list of `name`, `type` and `default`, or names and descriptors.
fn fields(fields: &Variant, left: Left<'_>) -> Result<Value, String> {
    let Ok(list) = fields.try_to::<VarArray>() else { return value_of(fields, left) };
    let field = |field: Variant| -> Result<Value, String> {
        let Ok(entry) = field.try_to::<VarDictionary>() else {
            return Err("a field of a record must be a dictionary of `name` and `type`".to_owned());
        };
        let mut entries = Dictionary::default();
        for (key, part) in entry.iter_shared() {
            let name = key.stringify().to_string();
            let value = match name.as_str() {
                "type" => value_of(&part, left)?,
                _ => plain(&part, &classes::current())?,
            };
            entries.insert(Value::from(name.as_str()), value);
        }
        Ok(entries.into())
    };
    Ok(list.iter_shared().map(field).collect::<Result<Array, _>>()?.into())
}

/// A word; one that is a global class of the project is registered.
fn word(name: &str) -> Result<Value, String> {
    let classes = classes::current();
    if let Some(values) = classes.enumeration(name) {
        return Ok(Schema::from(Kind::Enum(values.clone())).to_value());
    }
    let is_known = Schema::from_value(&Value::from(name), &classes.registry).is_ok();
    if !is_known && let Some(script) = derive::global_script(name) {
        derive::register_script(name, &script, &About::default())?;
    }
    Ok(Value::from(name))
}

fn class(name: &str) -> Value {
    Schema::from(Kind::Class(name.into())).to_value()
}

/// The class of a script, registered under its global name if it is not yet.
///
/// # Errors
/// It has no global name.
pub(super) fn registered(script: &Gd<Script>) -> Result<String, String> {
    if let Some(name) = classes::current().of_script(script) {
        return Ok(name.to_owned());
    }
    let name = script.get_global_name().to_string();
    if name.is_empty() {
        return Err("the script has no class_name: call O3deJson.register_class() first".to_owned());
    }
    derive::register_script(&name, script, &About::default())?;
    Ok(name)
}

fn plain(variant: &Variant, classes: &Classes) -> Result<Value, String> {
    Ok(objects::value_of(variant, classes)?)
}
