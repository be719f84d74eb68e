//! `record`: what O3DE has as a class, and Godot as a Dictionary of known entries.

use variant::{Dictionary, Value};

use super::class::{self, Slots};
use super::unsupported;
use crate::run::Run;
use crate::store::{Step, misfit};
use crate::{Field, Json, Kind, ResultCode};

/// The values of the fields, in their order.
struct Values(Vec<Value>);

impl Slots for Values {
    fn slot(&mut self, index: usize) -> Option<&mut Value> {
        self.0.get_mut(index)
    }
}

/// Loads over a Dictionary; anything else stands for the defaults, which need not be made then.
pub(crate) fn load(
    run: &mut Run<'_>,
    fields: &[Field],
    target: &mut Value,
    json: &Json,
) -> ResultCode {
    let Json::Object(members) = json else {
        return unsupported(run, json, "record: write an object");
    };
    let mut known = match std::mem::take(target) {
        Value::Dictionary(dictionary) => Some(dictionary),
        _ => None,
    };
    let value = |field: &Field| {
        let known =
            known.as_mut().and_then(|known| known.remove(&Value::String(field.name.clone())));
        known.unwrap_or_else(|| field.schema.default_value(run.registry))
    };
    let mut values = Values(fields.iter().map(value).collect());
    let code = class::load_fields(run, "record", fields, members, &mut values);
    let names = fields.iter().map(|field| Value::String(field.name.clone()));
    let mut entries: Dictionary = names.zip(values.0).collect();
    for (key, value) in known.iter().flat_map(|known| known.iter()) {
        entries.insert(key.clone(), value.clone());
    }
    *target = entries.into();
    code
}

pub(crate) fn store(
    run: &mut Run<'_>,
    fields: &[Field],
    value: &Value,
    default: Option<&Value>,
) -> Step {
    let Value::Dictionary(dictionary) = value else {
        return misfit(run, value, &Kind::Record(fields.to_vec()));
    };
    // Most have the entries of the fields in their order.
    let is_at = |at: usize, name: &str| {
        dictionary.get_index(at).filter(|(key, _)| is_text(key, name)).map(|(_, value)| value)
    };
    let is_in_order = dictionary.len() == fields.len()
        && fields.iter().enumerate().all(|(at, field)| is_at(at, &field.name).is_some());
    let unknown = dictionary
        .iter()
        .map(|(key, _)| key)
        .find(|key| !is_in_order && fields.iter().all(|field| !is_text(key, &field.name)));
    if let Some(key) = unknown {
        let message = format!("the record has no field {}: add it to the schema", key.brief());
        let code = run.report(crate::Task::WriteValue, crate::Outcome::Unsupported, message);
        return (Json::explicit_default(), code);
    }
    let entry = |dictionary: &'_ Dictionary, at: usize| -> Option<usize> {
        let name = &fields[at].name;
        match dictionary.get_index(at) {
            Some((key, _)) if is_text(key, name) => Some(at),
            _ => dictionary.iter().position(|(key, _)| is_text(key, name)),
        }
    };
    let default_entries = match default {
        Some(Value::Dictionary(default)) => Some(default),
        _ => None,
    };
    let (members, code) = class::store_fields(
        run,
        fields,
        default.is_some(),
        |at| dictionary.get_index(entry(dictionary, at)?).map(|(_, value)| value),
        |at| {
            let default = default_entries?;
            default.get_index(entry(default, at)?).map(|(_, value)| value)
        },
    );
    (Json::Object(members), code)
}

fn is_text(key: &Value, name: &str) -> bool {
    match key {
        Value::String(text) | Value::StringName(text) => **text == *name,
        _ => false,
    }
}
