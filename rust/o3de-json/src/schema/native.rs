//! Values written out part by part, as defaults stand in descriptors.
//!
//! This is not O3DE's JSON: nothing is converted and nothing may be missing. Vectors, colors and
//! matrices (row by row) are flat arrays of numbers, maps are arrays of `[key, value]`, an object
//! names its class in `__class`.

use variant::{Array, Dictionary, Object, Value};

use super::descriptor::error;
use super::{Kind, MapKind, Schema, SchemaError};
use crate::kinds::{matrix, quaternion, vector};
use crate::{Json, Registry};

impl Schema {
    /// The value that `json` writes out.
    ///
    /// # Errors
    /// If `json` does not fit this schema.
    pub fn value_from_native(
        &self,
        json: &Json,
        registry: &Registry,
    ) -> Result<Value, SchemaError> {
        let misfit =
            || error(format!("`{}` is no value of the kind {:?}", json.to_text(), self.kind));
        let elements = json.as_array().unwrap_or_default();
        let each = |schema: &Schema| -> Result<Array, SchemaError> {
            elements.iter().map(|element| schema.value_from_native(element, registry)).collect()
        };
        let floats: Vec<f32> = elements.iter().filter_map(Json::as_f64).map(|f| f as f32).collect();
        Ok(match (&self.kind, json) {
            (Kind::Bool, Json::Bool(value)) => Value::Bool(*value),
            (Kind::Int(_) | Kind::Enum(_), Json::Int(number)) => Value::Int(*number),
            (Kind::Int(_) | Kind::Enum(_), Json::Uint(number)) => Value::Int(*number as i64),
            (Kind::Float(_), number) if number.as_f64().is_some() => {
                Value::Float(number.as_f64().unwrap_or_default())
            }
            (Kind::String | Kind::Path | Kind::Uuid, Json::String(text)) => {
                Value::from(text.as_str())
            }
            (Kind::Bytes, Json::Array(_)) => {
                Value::PackedByteArray(floats.iter().map(|byte| *byte as u8).collect())
            }
            (Kind::Vector(_), Json::Array(_)) => {
                vector::from_components(&floats).map_or_else(misfit, Ok)?
            }
            (Kind::Quaternion, Json::Array(_)) => {
                quaternion::from_components(&floats).map_or_else(misfit, Ok)?
            }
            (Kind::Plane, Json::Array(_)) => match floats[..] {
                [x, y, z, d] => Value::Plane([x, y, z, d]),
                _ => return misfit(),
            },
            (Kind::Aabb, Json::Array(_)) => match floats[..] {
                [x, y, z, sx, sy, sz] => Value::Aabb([x, y, z, sx, sy, sz]),
                _ => return misfit(),
            },
            (Kind::Color, Json::Array(_)) => match floats[..] {
                [r, g, b, a] => Value::Color([r, g, b, a]),
                _ => return misfit(),
            },
            (Kind::Matrix3x3 | Kind::Matrix3x4 | Kind::Matrix4x4, Json::Array(_)) => {
                matrix::from_rows(&floats).map_or_else(misfit, Ok)?
            }
            (Kind::Transform, Json::Object(_)) => transform(json).map_or_else(misfit, Ok)?,
            (Kind::Sequence(_, item) | Kind::FixedArray(_, item), Json::Array(_)) => {
                each(item)?.into()
            }
            (Kind::Tuple(items), Json::Array(_)) if items.len() == elements.len() => items
                .iter()
                .zip(elements)
                .map(|(item, element)| item.value_from_native(element, registry))
                .collect::<Result<Array, _>>()?
                .into(),
            (Kind::Map(kind, types), Json::Array(_)) => {
                let mut dictionary = Dictionary::default();
                for pair in elements {
                    let Some([key, value]) = pair.as_array() else { return misfit() };
                    let key = types.0.value_from_native(key, registry)?;
                    let value = types.1.value_from_native(value, registry)?;
                    match (kind, dictionary.entry(key)) {
                        (MapKind::UnorderedMultimap, Value::Array(array)) => {
                            array.elements.push(value);
                        }
                        (MapKind::UnorderedMultimap, slot) => {
                            *slot = Array::from(vec![value]).into();
                        }
                        (_, slot) => *slot = value,
                    }
                }
                dictionary.into()
            }
            (Kind::Class(_), Json::Object(members)) => instance(json, members, registry)?,
            (Kind::Pointer(_) | Kind::Any | Kind::Unsupported(_), Json::Null) => Value::Nil,
            (Kind::Pointer(item), json) => item.value_from_native(json, registry)?,
            (Kind::Any, Json::Object(_)) => {
                let named = json.member("type").and_then(Json::as_str);
                let schema = named.and_then(|name| registry.schema_of(name));
                match (schema, json.member("value")) {
                    (Some(schema), Some(value)) => schema.value_from_native(value, registry)?,
                    _ => return misfit(),
                }
            }
            _ => return misfit(),
        })
    }
}

fn transform(json: &Json) -> Option<Value> {
    let floats = |name| -> Option<Vec<f32>> {
        let elements = json.member(name)?.as_array()?;
        elements.iter().map(|element| Some(element.as_f64()? as f32)).collect()
    };
    Some(super::defaults::transform(
        floats("Translation")?.try_into().ok()?,
        floats("Rotation")?.try_into().ok()?,
        json.member("Scale")?.as_f64()? as f32,
    ))
}

fn instance(
    json: &Json,
    members: &[(String, Json)],
    registry: &Registry,
) -> Result<Value, SchemaError> {
    let Some(class) = json.member("__class").and_then(Json::as_str) else {
        return error("an object has to name its class in `__class`");
    };
    // An unregistered class has no fields that could be read.
    let fields = registry.fields(class);
    let mut properties = Vec::new();
    for field in fields {
        let value = match members.iter().find(|(name, _)| **name == *field.name) {
            Some((_, json)) => field.schema.value_from_native(json, registry)?,
            None => field.schema.default_value(registry),
        };
        properties.push((field.name.clone(), value));
    }
    Ok(Value::Object(Box::new(Object::Full { class: class.into(), properties })))
}
