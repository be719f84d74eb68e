//! `transform` (TransformSerializer.cpp): translation, rotation and one scale for all axes.

use godot_variant::{Dictionary, Value};

use super::unsupported;
use crate::load::load_value;
use crate::run::Run;
use crate::schema::{FloatRepr, Kind, Schema};
use crate::store::{Step, misfit, store_value};
use crate::{Json, ResultCode, Task};

/// The parts in the order in which they are stored. Their names count to the letter.
fn parts() -> [(&'static str, Schema); 3] {
    [
        ("Translation", Kind::Vector(3).into()),
        ("Rotation", Kind::Quaternion.into()),
        ("Scale", Kind::Float(FloatRepr::F32).into()),
    ]
}

pub(crate) fn load(run: &mut Run<'_>, target: &mut Value, json: &Json) -> ResultCode {
    let (Json::Object(_), Value::Dictionary(dictionary)) = (json, &mut *target) else {
        return unsupported(
            run,
            json,
            "transform: write {\"Translation\", \"Rotation\", \"Scale\"}",
        );
    };
    let mut code = ResultCode::started(Task::ReadField);
    for (name, schema) in parts() {
        code.add(match json.member(name) {
            Some(member) => run.at(name, |run| {
                load_value(run, &schema, dictionary.entry(Value::from(name)), member)
            }),
            None => run.defaults_used(Task::ReadField),
        });
    }
    code
}

pub(crate) fn store(run: &mut Run<'_>, value: &Value, default: Option<&Value>) -> Step {
    let Value::Dictionary(dictionary) = value else {
        return misfit(run, value, &Kind::Transform);
    };
    let part_of = |dictionary: &Dictionary, name: &str| dictionary.get(&Value::from(name)).cloned();
    let mut code = ResultCode::started(Task::WriteValue);
    let mut members = Vec::new();
    for (name, schema) in parts() {
        let default = match default {
            Some(Value::Dictionary(default)) => part_of(default, name),
            _ => None,
        };
        let part = part_of(dictionary, name).unwrap_or_default();
        let (json, step) = run.at(name, |run| store_value(run, &schema, &part, default.as_ref()));
        code.add(step);
        if !json.is_explicit_default() {
            members.push((name.to_owned(), json));
        }
    }
    (Json::Object(members), code)
}
