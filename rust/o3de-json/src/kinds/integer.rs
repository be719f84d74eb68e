//! The integers (IntSerializer.cpp, CastingHelpers.h).

use godot_variant::{Refusal, Value, VariantType};

use super::{c_numbers, unsupported};
use crate::json::{Number, Reader, TextWriter};
use crate::run::Run;
use crate::schema::IntRepr;
use crate::streaming::{Fallback, Streamed, not_plain};
use crate::{Json, ResultCode, Schema, Task};

pub(crate) fn load(
    run: &mut Run<'_>,
    repr: IntRepr,
    target: &mut Value,
    json: &Json,
) -> ResultCode {
    match from_json(repr, json) {
        Some(number) => {
            *target = Value::Int(number);
            run.success(Task::ReadField)
        }
        None => {
            let (min, max) = repr.range();
            unsupported(run, json, &format!("integer from {min} to {max} ({})", repr.name()))
        }
    }
}

/// The number as an `i64`, one above `i64::MAX` as its two's complement.
pub(crate) fn from_json(repr: IntRepr, json: &Json) -> Option<i64> {
    let (min, max) = repr.range();
    let number = match json {
        Json::Bool(value) => i128::from(*value),
        Json::Int(number) => (*number).into(),
        Json::Uint(number) => (*number).into(),
        // The range holds for the double, before its fraction is cut: 255.5 and -0.5 do not fit a u8.
        Json::Double(number) if (min as f64..=max as f64).contains(number) => {
            // Smaller numbers were rounded to the smallest one, which itself is never a double.
            if repr == IntRepr::I64 && *number == min as f64 {
                return None;
            }
            *number as i128
        }
        Json::String(text) => c_numbers::leading_integer(text)?,
        _ => return None,
    };
    (min..=max).contains(&number).then_some(number as i64)
}

pub(crate) fn store(repr: IntRepr, value: &Value) -> Option<Json> {
    let Value::Int(number) = value else { return None };
    if repr == IntRepr::U64 {
        let number = *number as u64;
        return Some(i64::try_from(number).map_or(Json::Uint(number), Json::Int));
    }
    let (min, max) = repr.range();
    (min..=max).contains(&i128::from(*number)).then_some(Json::Int(*number))
}

/// The integers of a schema that can be streamed: the smallest and the greatest.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StreamedInt {
    min: i64,
    max: i64,
}

impl StreamedInt {
    pub(crate) fn new(schema: &Schema, repr: IntRepr) -> Option<Self> {
        let (min, max) = repr.range();
        let (min, max) = (min as i64, max.min(i64::MAX.into()) as i64);
        schema.has_own_type(VariantType::Int).then_some(Self { min, max })
    }

    #[inline]
    pub(crate) fn read(self, reader: &mut Reader<'_>) -> Streamed<i64> {
        read(reader, |number| (self.min..=self.max).contains(&number))
    }

    #[inline]
    pub(crate) fn write(self, value: i64, text: &mut TextWriter) -> Result<(), Refusal> {
        if !(self.min..=self.max).contains(&value) {
            return not_plain();
        }
        text.int(value);
        Ok(())
    }
}

/// An integer that `fits`.
#[inline]
pub(crate) fn read(reader: &mut Reader<'_>, fits: impl Fn(i64) -> bool) -> Streamed<i64> {
    if !reader.is_at_number() {
        return Err(Fallback::Value);
    }
    match reader.number()? {
        Number::Int(number) if fits(number) => Ok(number),
        _ => Err(Fallback::Value),
    }
}
