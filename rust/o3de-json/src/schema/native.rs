//! Values written out part by part, as descriptors give defaults.
//!
//! This is not O3DE's JSON: nothing is converted and nothing may be missing. Vectors, colors and
//! matrices (row by row) are flat arrays of numbers, maps are arrays of `[key, value]`, an object
//! names its class in `__class`.

use godot_variant::{Array, Dictionary, Object, Value, VariantType};

use super::descriptor::error;
use super::{Kind, MapKind, Schema, SchemaError};
use crate::kinds::{float, matrix, quaternion, variant_type, vector};
use crate::{Field, Json, Registry};

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
        let misfit = || error(format!("`{}` is not a valid {}", json.to_text(), self.kind.word()));
        let elements = json.as_array().unwrap_or_default();
        let each = |schema: &Schema| -> Result<Array, SchemaError> {
            elements.iter().map(|element| schema.value_from_native(element, registry)).collect()
        };
        let floats: Vec<f32> = elements.iter().filter_map(Json::as_f64).map(|f| f as f32).collect();
        let value = match (&self.kind, json) {
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
            (Kind::VectorI(_), Json::Array(_)) => {
                let integers: Vec<i32> = floats.iter().map(|&float| float as i32).collect();
                vector::from_integers(&integers).map_or_else(misfit, Ok)?
            }
            (Kind::Record(fields), Json::Object(_)) => {
                let field = |field: &Field| {
                    let value = match json.member(&field.name) {
                        Some(json) => field.schema.value_from_native(json, registry)?,
                        None => field.schema.default_value(registry),
                    };
                    Ok((Value::String(field.name.clone()), value))
                };
                fields.iter().map(field).collect::<Result<Dictionary, SchemaError>>()?.into()
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
                let schema = named.and_then(|name| {
                    let builtin = || VariantType::from_name(name).map(Schema::of_type);
                    registry.schema_of(name).or_else(builtin)
                });
                match (schema, json.member("value")) {
                    (Some(schema), Some(value)) => schema.value_from_native(value, registry)?,
                    _ => return misfit(),
                }
            }
            _ => return misfit(),
        };
        Ok(variant_type::from_kind(self, value))
    }

    /// The value written out part by part, as [`Schema::value_from_native`] reads it.
    pub(crate) fn native_value(&self, value: &Value) -> Value {
        let plain = variant_type::to_kind(&self.kind, value).unwrap_or_default();
        let pairs = |a: Value, b: Value| Value::from(Array::from(vec![a, b]));
        let entries =
            |entries: Vec<(Value, Value)>| Value::from(entries.into_iter().collect::<Dictionary>());
        match (&self.kind, &plain) {
            (Kind::Bytes, Value::PackedByteArray(data)) => {
                data.iter().map(|&byte| Value::Int(byte.into())).collect::<Array>().into()
            }
            (Kind::Pointer(item), plain) if *plain != Value::Nil => item.native_value(plain),
            (Kind::Sequence(_, item) | Kind::FixedArray(_, item), Value::Array(array)) => {
                array.elements.iter().map(|e| item.native_value(e)).collect::<Array>().into()
            }
            (Kind::Tuple(items), Value::Array(array)) => {
                let items = items.iter().zip(&array.elements);
                items.map(|(item, e)| item.native_value(e)).collect::<Array>().into()
            }
            (Kind::Map(kind, types), Value::Dictionary(dictionary)) => {
                let mut all = Array::default();
                for (key, value) in dictionary.iter() {
                    let key = types.0.native_value(key);
                    match (kind, value) {
                        (MapKind::UnorderedMultimap, Value::Array(values)) => {
                            let values = values.elements.iter();
                            let values =
                                values.map(|v| pairs(key.clone(), types.1.native_value(v)));
                            all.elements.extend(values);
                        }
                        _ => all.elements.push(pairs(key, types.1.native_value(value))),
                    }
                }
                all.into()
            }
            (Kind::Record(fields), Value::Dictionary(dictionary)) => entries(
                fields
                    .iter()
                    .filter_map(|field| {
                        let name = Value::String(field.name.clone());
                        let value = field.schema.native_value(dictionary.get(&name)?);
                        Some((name, value))
                    })
                    .collect(),
            ),
            (Kind::Any, plain) if *plain != Value::Nil => {
                let ty = plain.variant_type();
                let value = Schema::of_type(ty).native_value(plain);
                entries(vec![
                    (Value::from("type"), Value::from(ty.name())),
                    (Value::from("value"), value),
                ])
            }
            (_, Value::Object(object)) => match &**object {
                // The registry has the types of the fields; a written value names its own.
                Object::Full { class, properties } => {
                    let mut all = vec![(Value::from("__class"), Value::String(class.clone()))];
                    all.extend(properties.iter().map(|(name, value)| {
                        let schema = Schema::of_type(value.variant_type());
                        (Value::String(name.clone()), schema.native_value(value))
                    }));
                    entries(all)
                }
                _ => Value::Nil,
            },
            (Kind::Transform, Value::Dictionary(parts)) => {
                entries(parts.iter().map(|(name, part)| (name.clone(), components(part))).collect())
            }
            (_, plain) => components(plain),
        }
    }
}

/// A vector, color or matrix as an array of its numbers; another value as it is.
fn components(value: &Value) -> Value {
    let json = match value {
        Value::Vector2i(_) | Value::Vector3i(_) | Value::Vector4i(_) => {
            [2, 3, 4].iter().find_map(|&count| vector::store_integers(count, value))
        }
        Value::Vector2(_) | Value::Vector3(_) | Value::Vector4(_) => {
            [2, 3, 4].iter().find_map(|&count| vector::store(count, value))
        }
        Value::Quaternion(parts) | Value::Color(parts) | Value::Plane(parts) => {
            float::store_components(parts)
        }
        Value::Aabb(parts) => float::store_components(parts),
        Value::Basis(_) => matrix::store(&Kind::Matrix3x3, value),
        Value::Transform3D(_) => matrix::store(&Kind::Matrix3x4, value),
        Value::Projection(_) => matrix::store(&Kind::Matrix4x4, value),
        _ => None,
    };
    match json {
        Some(Json::Array(numbers)) => numbers
            .iter()
            .map(|number| match number {
                Json::Int(number) => Value::Int(*number),
                number => Value::Float(number.as_f64().unwrap_or_default()),
            })
            .collect::<Array>()
            .into(),
        _ => value.clone(),
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
