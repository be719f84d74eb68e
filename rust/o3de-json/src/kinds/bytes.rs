//! `bytes` (ByteStreamSerializer.cpp).

use base64::Engine;
use base64::alphabet::STANDARD as ALPHABET;
use base64::engine::general_purpose::{GeneralPurpose, PAD};
use godot_variant::Value;

use super::unsupported;
use crate::run::Run;
use crate::{Json, Outcome, ResultCode, Task};

/// Base64 with padding. Bits behind the last byte do not count, as in O3DE.
const BASE64: GeneralPurpose =
    GeneralPurpose::new(&ALPHABET, PAD.with_decode_allow_trailing_bits(true));

pub(crate) fn load(run: &mut Run<'_>, target: &mut Value, json: &Json) -> ResultCode {
    let Json::String(text) = json else {
        return unsupported(run, json, "bytes: write a string of base64");
    };
    match BASE64.decode(text) {
        Ok(bytes) => {
            *target = Value::PackedByteArray(bytes);
            run.success(Task::ReadField)
        }
        Err(error) => {
            let message = format!("the string is not valid base64 with padding: {error}");
            run.report(Task::ReadField, Outcome::Invalid, message)
        }
    }
}

pub(crate) fn store(value: &Value) -> Option<Json> {
    match value {
        Value::PackedByteArray(bytes) => Some(Json::String(BASE64.encode(bytes))),
        _ => None,
    }
}
