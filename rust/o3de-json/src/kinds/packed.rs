//! Packed arrays of numbers, without a value for each number.

use variant::{Value, VariantType};

use super::{float, integer};
use crate::schema::SequenceKind;
use crate::{Json, Kind, Schema};

/// The array of `elements`, if all are numbers that fit. Anything else is for the container's rules,
/// which say what is wrong.
pub(crate) fn load(schema: &Schema, elements: &[Json]) -> Option<Value> {
    let Kind::Sequence(SequenceKind::Array, item) = &schema.kind else { return None };
    let floats = || match item.kind {
        Kind::Float(repr) => {
            let numbers = elements.iter().map(|element| match element {
                Json::Double(_) | Json::Int(_) | Json::Uint(_) => float::from_json(repr, element),
                _ => None,
            });
            numbers.collect::<Option<Vec<f64>>>()
        }
        _ => None,
    };
    let integers = || match item.kind {
        Kind::Int(repr) => {
            let numbers = elements.iter().map(|element| match element {
                Json::Int(_) => integer::from_json(repr, element),
                _ => None,
            });
            numbers.collect::<Option<Vec<i64>>>()
        }
        _ => None,
    };
    Some(match schema.variant_type? {
        VariantType::PackedFloat64Array => Value::PackedFloat64Array(floats()?),
        VariantType::PackedFloat32Array => {
            Value::PackedFloat32Array(floats()?.into_iter().map(|float| float as f32).collect())
        }
        VariantType::PackedInt64Array => Value::PackedInt64Array(integers()?),
        VariantType::PackedInt32Array => {
            let numbers = integers()?.into_iter().map(|number| i32::try_from(number).ok());
            Value::PackedInt32Array(numbers.collect::<Option<_>>()?)
        }
        _ => return None,
    })
}

/// The numbers of an array, if all are ones that JSON has and that fit.
pub(crate) fn store(kind: &Kind, value: &Value) -> Option<Json> {
    let Kind::Sequence(SequenceKind::Array, item) = kind else { return None };
    let mut numbers = Vec::new();
    match (&item.kind, value) {
        (Kind::Float(repr), Value::PackedFloat64Array(data)) => {
            numbers.reserve(data.len());
            for &number in data {
                numbers.push(float::store(*repr, &Value::Float(number))?);
            }
        }
        (Kind::Float(repr), Value::PackedFloat32Array(data)) => {
            numbers.reserve(data.len());
            for &number in data {
                numbers.push(float::store(*repr, &Value::Float(number.into()))?);
            }
        }
        (Kind::Int(repr), Value::PackedInt64Array(data)) => {
            numbers.reserve(data.len());
            for &number in data {
                numbers.push(integer::store(*repr, &Value::Int(number))?);
            }
        }
        (Kind::Int(repr), Value::PackedInt32Array(data)) => {
            numbers.reserve(data.len());
            for &number in data {
                numbers.push(integer::store(*repr, &Value::Int(number.into()))?);
            }
        }
        _ => return None,
    }
    (!numbers.is_empty()).then_some(Json::Array(numbers))
}

/// Whether there is nothing in the array that elements would be added to.
pub(crate) fn is_empty(value: &Value) -> bool {
    match value {
        Value::PackedFloat64Array(data) => data.is_empty(),
        Value::PackedFloat32Array(data) => data.is_empty(),
        Value::PackedInt64Array(data) => data.is_empty(),
        Value::PackedInt32Array(data) => data.is_empty(),
        _ => false,
    }
}
