//! `any` (AnySerializer.cpp).

use godot_variant::{Value, VariantType};

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
        let message = "the value names no known type: name a registered class in `$type`";
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
    let name =
        Registry::class_of(value).map_or_else(|| value.variant_type().to_string(), str::to_owned);
    let Some(schema) = run.registry.schema_of(&name).or_else(|| builtin(&name)) else {
        return misfit(run, value, &Kind::Any);
    };
    let name = run.registry.store_type_id(&name).unwrap_or(name);
    let inner_default = default.map(|_| schema.default_value(run.registry));
    let (json, code) =
        run.at("Value", |run| store_value(run, &schema, value, inner_default.as_ref()));
    let members = vec![(TYPE_MEMBER.to_owned(), Json::String(name)), ("Value".to_owned(), json)];
    (Json::Object(members), code.combine(run.success(Task::WriteValue)))
}

fn named_schema(registry: &Registry, named: &Json) -> Option<Schema> {
    match registry.load_type_id(named, None) {
        Ok(TypeId::Class(class)) => registry.schema_of(&class),
        Ok(TypeId::Uuid(_)) => None,
        Err(_) => builtin(named.as_str()?.trim()),
    }
}

/// Godot's own types, by the names that Godot prints.
fn builtin(name: &str) -> Option<Schema> {
    VariantType::from_name(name).map(Schema::of_type)
}
