//! `string` (StringSerializer.cpp).

use variant::Value;

use super::unsupported;
use crate::run::Run;
use crate::{Json, ResultCode, Task};

pub(crate) fn load(run: &mut Run<'_>, target: &mut Value, json: &Json) -> ResultCode {
    let text = match json {
        Json::String(text) => text.clone(),
        Json::Bool(true) => "True".into(),
        Json::Bool(false) => "False".into(),
        Json::Int(number) => number.to_string(),
        Json::Uint(number) => number.to_string(),
        // printf's `%f`, which O3DE uses.
        Json::Double(number) => format!("{number:.6}"),
        Json::Null | Json::Array(_) | Json::Object(_) => {
            return unsupported(run, json, "string: write one in quotes");
        }
    };
    *target = match target {
        Value::StringName(_) => Value::StringName(text.into()),
        _ => Value::String(text.into()),
    };
    run.success(Task::ReadField)
}

/// Strings, and the texts that are one to Godot.
pub(crate) fn store(value: &Value) -> Option<Json> {
    match value {
        Value::String(text) | Value::StringName(text) => Some(Json::from(&**text)),
        _ => None,
    }
}
