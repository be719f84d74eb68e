//! `string` (StringSerializer.cpp).

use godot_variant::{StringKind, Value, VariantType};

use super::unsupported;
use crate::json::Reader;
use crate::run::Run;
use crate::streaming::{Builder, Fallback, Streamed};
use crate::{Json, ResultCode, Schema, Task};

pub(crate) fn load(run: &mut Run<'_>, target: &mut Value, json: &Json) -> ResultCode {
    let text = match json {
        Json::String(text) => text.clone(),
        Json::Bool(true) => "True".into(),
        Json::Bool(false) => "False".into(),
        Json::Int(number) => number.to_string(),
        Json::Uint(number) => number.to_string(),
        Json::Big(number) => number.as_str().into(),
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

/// The texts of a schema that can be streamed. They are written by `TextWriter::string`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StreamedString(StringKind);

impl StreamedString {
    pub(crate) fn new(schema: &Schema) -> Option<Self> {
        match (schema.variant_type, &schema.default) {
            (None | Some(VariantType::String), None | Some(Value::String(_))) => {
                Some(Self(StringKind::String))
            }
            (Some(VariantType::StringName), _) => Some(Self(StringKind::StringName)),
            _ => None,
        }
    }

    #[inline]
    pub(crate) fn read<B: Builder>(
        self,
        reader: &mut Reader<'_>,
        builder: &B,
        place: &mut B::Value,
    ) -> Streamed<()> {
        if reader.peek() != Some(b'"') {
            return Err(Fallback::Value);
        }
        let string = reader.string()?;
        Ok(builder.string(self.0, string.text(), place)?)
    }
}
