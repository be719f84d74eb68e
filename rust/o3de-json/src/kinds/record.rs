//! `record`: what O3DE has as a class, and Godot as a Dictionary of known entries.

use variant::{Dictionary, Value};

use super::class::{self, Slots};
use super::unsupported;
use crate::run::Run;
use crate::store::{Step, misfit};
use crate::{Field, Json, Kind, ResultCode};

/// The entries of a Dictionary under the names of the fields.
struct Entries<'a> {
    fields: &'a [Field],
    dictionary: &'a mut Dictionary,
}

impl Slots for Entries<'_> {
    fn slot(&mut self, index: usize) -> Option<&mut Value> {
        let name = self.fields.get(index)?.name.clone();
        Some(self.dictionary.entry(Value::String(name)))
    }
}

pub(crate) fn load(
    run: &mut Run<'_>,
    fields: &[Field],
    target: &mut Value,
    json: &Json,
) -> ResultCode {
    let Json::Object(members) = json else {
        return unsupported(run, json, "record: write an object");
    };
    if !matches!(target, Value::Dictionary(_)) {
        *target = Kind::Record(fields.to_vec()).default_value(run.registry);
    }
    let Value::Dictionary(dictionary) = target else {
        return unsupported(run, json, "record: it has no default");
    };
    class::load_fields(run, "record", fields, members, &mut Entries { fields, dictionary })
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
    let unknown = dictionary.iter().map(|(key, _)| key).find(|key| match key {
        Value::String(name) | Value::StringName(name) => {
            fields.iter().all(|field| field.name != *name)
        }
        _ => true,
    });
    if let Some(key) = unknown {
        let message = format!("the record has no field {}: add it to the schema", key.brief());
        let code = run.report(crate::Task::WriteValue, crate::Outcome::Unsupported, message);
        return (Json::explicit_default(), code);
    }
    let names: Vec<Value> = fields.iter().map(|field| Value::String(field.name.clone())).collect();
    let default_entries = match default {
        Some(Value::Dictionary(default)) => Some(default),
        _ => None,
    };
    let (members, code) = class::store_fields(
        run,
        fields,
        default.is_some(),
        |at| dictionary.get(&names[at]),
        |at| default_entries.and_then(|default| default.get(&names[at])),
    );
    (Json::Object(members), code)
}
