//! `float` and `double` (DoubleSerializer.cpp).

use godot_variant::{Refusal, Value, VariantType};

use super::{c_numbers, unsupported};
use crate::json::{Number, Reader, TextWriter};
use crate::run::Run;
use crate::schema::FloatRepr;
use crate::streaming::{Fallback, Streamed, not_plain};
use crate::{Json, Outcome, ResultCode, Schema, Task};

pub(crate) fn load(
    run: &mut Run<'_>,
    repr: FloatRepr,
    target: &mut Value,
    json: &Json,
) -> ResultCode {
    match from_json(repr, json) {
        Some(number) => {
            *target = Value::Float(number);
            read_as(run, json, number)
        }
        None => unsupported(run, json, "number in the range of its type: write a number"),
    }
}

/// The code of a number that was read as `number`. If it is an integer and another number, there is an issue.
pub(crate) fn read_as(run: &mut Run<'_>, json: &Json, number: f64) -> ResultCode {
    if json.is_number(number) {
        return run.success(Task::ReadField);
    }
    let message = format!("no float is exactly {}; it is read as {number:.0}", json.to_text());
    run.report(Task::ReadField, Outcome::PartialSkip, message)
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
        (Value::Int(number), FloatRepr::F64) => {
            Some(*number as f64).filter(|&float| float as i128 == i128::from(*number))?
        }
        (Value::Int(number), FloatRepr::F32) => {
            let float = f64::from(*number as f32);
            Some(float).filter(|&float| float as i128 == i128::from(*number))?
        }
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
            FloatRepr::F64 if value as f64 as i128 == i128::from(value) => {
                write(value as f64, text)
            }
            _ => not_plain(),
        }
    }
}

/// A number in the range of the type, rounded to what the type can hold.
#[inline]
pub(crate) fn read(reader: &mut Reader<'_>, repr: FloatRepr) -> Streamed<f64> {
    if !reader.is_at_number() {
        return Err(Fallback::Value);
    }
    component_of(repr, reader.number()?)
}

/// A number as the type holds it, if nothing is to be reported.
#[inline]
pub(crate) fn component_of(repr: FloatRepr, number: Number) -> Streamed<f64> {
    let float = rounded(repr, number.as_f64()).filter(|&float| number.is(float));
    float.ok_or(Fallback::Value)
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
