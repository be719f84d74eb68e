//! `bool` (BoolSerializer.cpp).

use godot_variant::{Value, VariantType};

use super::{c_numbers, unsupported};
use crate::json::{Reader, TextWriter};
use crate::run::Run;
use crate::streaming::{Fallback, Streamed};
use crate::{Json, ResultCode, Schema, Task};

pub(crate) fn load(run: &mut Run<'_>, target: &mut Value, json: &Json) -> ResultCode {
    let value = match json {
        Json::Bool(value) => Some(*value),
        Json::String(text) if text.eq_ignore_ascii_case("true") => Some(true),
        Json::String(text) if text.eq_ignore_ascii_case("false") => Some(false),
        Json::String(text) => c_numbers::leading_integer(text).map(|number| number != 0),
        _ => json.as_f64().map(|number| number != 0.0),
    };
    let Some(value) = value else {
        return unsupported(run, json, "bool: write true, false, a number, or a string of one");
    };
    *target = Value::Bool(value);
    run.success(Task::ReadField)
}

pub(crate) fn store(value: &Value) -> Option<Json> {
    match value {
        Value::Bool(value) => Some(Json::Bool(*value)),
        _ => None,
    }
}

/// Whether values of `schema` can be streamed.
pub(crate) fn is_streamed(schema: &Schema) -> bool {
    schema.has_own_type(VariantType::Bool)
}

#[inline]
pub(crate) fn read(reader: &mut Reader<'_>) -> Streamed<bool> {
    match reader.peek() {
        Some(b't') => Ok(reader.word("true").map(|()| true)?),
        Some(b'f') => Ok(reader.word("false").map(|()| false)?),
        _ => Err(Fallback::Value),
    }
}

#[inline]
pub(crate) fn write(value: bool, text: &mut TextWriter) {
    text.word(if value { "true" } else { "false" });
}
