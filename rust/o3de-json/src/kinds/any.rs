//! `any` (AnySerializer.cpp).

use godot_variant::{Array, ContainerType, Dictionary, Value, VariantType};

use super::class::TYPE_MEMBER;
use super::unsupported;
use crate::load::load_value;
use crate::registry::TypeId;
use crate::run::Run;
use crate::store::{Step, misfit, store_value};
use crate::{Json, Kind, Outcome, Registry, ResultCode, Schema, Task};

pub(crate) fn load(run: &mut Run<'_>, target: &mut Value, json: &Json) -> ResultCode {
    let Json::Object(_) = json else {
        return unsupported(run, json, "any: write {\"$type\": …, \"Value\": …}");
    };
    let Some(schema) = json.member(TYPE_MEMBER).and_then(|named| named_schema(run.registry, named))
    else {
        let message = "the value does not name a known type: name a registered class in `$type`, or give a schema";
        return run.report(Task::ReadField, Outcome::DefaultsUsed, message);
    };
    let mut value = schema.default_value(run.registry);
    let named = ["Value", "value"].into_iter().find_map(|name| Some((name, json.member(name)?)));
    let step = match named {
        Some((name, json)) => run.at(name, |run| load_value(run, &schema, &mut value, json)),
        None => run.defaults_used(Task::ReadField),
    };
    // The type was read in any case: it holds its default where the value cannot be read.
    let code = run.success(Task::ReadField).combine(step);
    if !code.is_halted() {
        *target = value;
    }
    code
}

pub(crate) fn store(run: &mut Run<'_>, value: &Value, default: Option<&Value>) -> Step {
    if default == Some(value) || *value == Value::Nil {
        return (Json::explicit_default(), run.defaults_used(Task::WriteValue));
    }
    // An object of which nothing is known but that it is one.
    if Registry::class_of(value).is_none() && matches!(value, Value::Object(_)) {
        return misfit(run, value, &Kind::Any);
    }
    let name = Registry::class_of(value).map_or_else(|| type_name(value), str::to_owned);
    let Some(schema) = run.registry.schema_of(&name).or_else(|| builtin(&name)) else {
        return misfit(run, value, &Kind::Any);
    };
    let name = run.registry.store_type_id(&name).unwrap_or(name);
    let inner_default = default.map(|_| schema.default_value(run.registry));
    let (json, code) =
        run.at("Value", |run| store_value(run, &schema, value, inner_default.as_ref()));
    let code = code.combine(untyped(run, value));
    let members = vec![(TYPE_MEMBER.to_owned(), Json::String(name)), ("Value".to_owned(), json)];
    (Json::Object(members), code.combine(run.success(Task::WriteValue)))
}

/// The code of a container's declared types. Those that are classes or scripts have no name here: there is an issue.
fn untyped(run: &mut Run<'_>, value: &Value) -> ResultCode {
    let types = match value {
        Value::Array(array) => [&array.element_type, &ContainerType::Any],
        Value::Dictionary(dictionary) => [&dictionary.key_type, &dictionary.value_type],
        _ => return run.success(Task::WriteValue),
    };
    let named = types.into_iter().find_map(|ty| match ty {
        ContainerType::Class(name) | ContainerType::Script(name) => Some(name),
        ContainerType::Any | ContainerType::Builtin(_) => None,
    });
    let Some(name) = named else { return run.success(Task::WriteValue) };
    let message = format!(
        "the {} is declared to contain objects of `{name}` and comes back without that type: give a schema, or assign it to an \
         untyped one before",
        value.variant_type()
    );
    run.report(Task::WriteValue, Outcome::Unsupported, message)
}

fn named_schema(registry: &Registry, named: &Json) -> Option<Schema> {
    match registry.load_type_id(named, None) {
        Ok(TypeId::Class(class)) => registry.schema_of(&class),
        Ok(TypeId::Uuid(_)) => None,
        Err(_) => builtin(named.as_str()?.trim()),
    }
}

/// The type of a value as Godot prints it, with what a container is declared to hold: `Array[float]`.
fn type_name(value: &Value) -> String {
    let name = |ty: &ContainerType| match ty {
        ContainerType::Builtin(ty) => Some(ty.to_string()),
        _ => None,
    };
    match value {
        Value::Array(array) => {
            name(&array.element_type).map_or("Array".to_owned(), |item| format!("Array[{item}]"))
        }
        Value::Dictionary(dictionary) => {
            match (name(&dictionary.key_type), name(&dictionary.value_type)) {
                (None, None) => "Dictionary".to_owned(),
                (key, value) => {
                    let [key, value] = [key, value].map(|ty| ty.unwrap_or_else(|| ANY.to_owned()));
                    format!("Dictionary[{key}, {value}]")
                }
            }
        }
        value => value.variant_type().to_string(),
    }
}

/// What is declared where a dictionary types its keys or its values only.
const ANY: &str = "Variant";

/// Godot's own types, by the names that [`type_name`] gives.
fn builtin(name: &str) -> Option<Schema> {
    let declared = |name: &str| match name.trim() {
        ANY => Some(ContainerType::Any),
        name => VariantType::from_name(name).map(ContainerType::Builtin),
    };
    let Some((container, inside)) = name.strip_suffix(']').and_then(|name| name.split_once('['))
    else {
        return VariantType::from_name(name).map(Schema::of_type);
    };
    let empty = match container {
        "Array" => Value::from(Array { element_type: declared(inside)?, elements: Vec::new() }),
        "Dictionary" => {
            let (key, value) = inside.split_once(',')?;
            Dictionary::typed(declared(key)?, declared(value)?).into()
        }
        _ => return None,
    };
    let schema = Schema::of_value(&empty);
    Some(Schema { default: Some(empty), ..schema })
}
