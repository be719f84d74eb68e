//! `float` and `double` (DoubleSerializer.cpp).

use godot_variant::{Refusal, Value, VariantType};

use super::{c_numbers, unsupported};
use crate::json::{Reader, TextWriter};
use crate::run::Run;
use crate::schema::FloatRepr;
use crate::streaming::{Fallback, Streamed, not_plain};
use crate::{Json, ResultCode, Schema, Task};

pub(crate) fn load(
    run: &mut Run<'_>,
    repr: FloatRepr,
    target: &mut Value,
    json: &Json,
) -> ResultCode {
    match from_json(repr, json) {
        Some(number) => {
            *target = Value::Float(number);
            run.success(Task::ReadField)
        }
        None => unsupported(run, json, "number in the range of its type: write a number"),
    }
}

/// The number, rounded to what the type can hold.
pub(crate) fn from_json(repr: FloatRepr, json: &Json) -> Option<f64> {
    let number = match json {
        Json::Bool(value) => f64::from(u8::from(*value)),
        Json::String(text) => c_numbers::leading_float(text)?,
        _ => json.as_f64()?,
    };
    rounded(repr, number)
}

/// A number as the type can hold it, if it is in its range.
#[inline]
pub(crate) fn rounded(repr: FloatRepr, number: f64) -> Option<f64> {
    match repr {
        FloatRepr::F64 => Some(number),
        FloatRepr::F32 if number.abs() > f32::MAX.into() => None,
        FloatRepr::F32 => Some(f64::from(number as f32)),
    }
}

/// A component of a vector, matrix or color.
pub(crate) fn component(json: &Json) -> Option<f32> {
    from_json(FloatRepr::F32, json).map(|number| number as f32)
}

/// Whether two numbers differ by no more than the type's epsilon (`AZ::IsClose`).
pub(crate) fn is_close(repr: FloatRepr, a: f64, b: f64) -> bool {
    let tolerance = match repr {
        FloatRepr::F32 => f32::EPSILON.into(),
        FloatRepr::F64 => f64::EPSILON,
    };
    (a - b).abs() <= tolerance
}

/// JSON has no NaN and no infinity: they are refused.
pub(crate) fn store(repr: FloatRepr, value: &Value) -> Option<Json> {
    let number = match (value, repr) {
        (Value::Float(number), FloatRepr::F64) => *number,
        (Value::Float(number), FloatRepr::F32) => f64::from(*number as f32),
        (Value::Int(number), _) => *number as f64,
        _ => return None,
    };
    number.is_finite().then_some(Json::Double(number))
}

/// Components as an array, none if one of them is NaN or infinite.
pub(crate) fn store_components(components: &[f32]) -> Option<Json> {
    let numbers = components.iter().map(|&c| c.is_finite().then_some(Json::Double(c.into())));
    numbers.collect::<Option<Vec<_>>>().map(Json::Array)
}

/// The numbers of a schema that can be streamed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StreamedFloat(FloatRepr);

impl StreamedFloat {
    pub(crate) fn new(schema: &Schema, repr: FloatRepr) -> Option<Self> {
        schema.has_own_type(VariantType::Float).then_some(Self(repr))
    }

    #[inline]
    pub(crate) fn read(self, reader: &mut Reader<'_>) -> Streamed<f64> {
        read(reader, self.0)
    }

    #[inline]
    pub(crate) fn write(self, value: f64, text: &mut TextWriter) -> Result<(), Refusal> {
        match self.0 {
            FloatRepr::F64 => write(value, text),
            FloatRepr::F32 => write(f64::from(value as f32), text),
        }
    }

    /// Writes an int, which a Dictionary may hold where the schema has a float.
    pub(crate) fn write_int(self, value: i64, text: &mut TextWriter) -> Result<(), Refusal> {
        match self.0 {
            FloatRepr::F64 => write(value as f64, text),
            FloatRepr::F32 => not_plain(),
        }
    }
}

/// A number in the range of the type, rounded to what the type can hold.
#[inline]
pub(crate) fn read(reader: &mut Reader<'_>, repr: FloatRepr) -> Streamed<f64> {
    if !reader.is_at_number() {
        return Err(Fallback::Value);
    }
    rounded(repr, reader.number()?.as_f64()).ok_or(Fallback::Value)
}

/// An array of numbers, if all of them are finite.
pub(crate) fn write_all(
    numbers: impl Iterator<Item = f64>,
    text: &mut TextWriter,
) -> Result<(), Refusal> {
    text.begin(b'[');
    for number in numbers {
        text.next();
        write(number, text)?;
    }
    text.end(b']');
    Ok(())
}

fn write(number: f64, text: &mut TextWriter) -> Result<(), Refusal> {
    if !number.is_finite() {
        return not_plain();
    }
    text.double(number);
    Ok(())
}
