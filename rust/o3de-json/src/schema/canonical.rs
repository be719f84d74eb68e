//! The long form of a schema's descriptor.

use godot_variant::{Dictionary, Value};

use super::{EnumSchema, FloatRepr, Kind, MapKind, Packing, Schema, SequenceKind};
use crate::{Field, Json};

impl Schema {
    /// The descriptor, in its long form, which [`Schema::from_value`] reads. Defaults are values.
    pub fn to_value(&self) -> Value {
        self.descriptor(&|_, default| default.clone())
    }

    /// The descriptor, in its long form, which [`Schema::from_json`] reads. Defaults are written
    /// out part by part.
    ///
    /// ```
    /// use o3de_json::Schema;
    /// use godot_variant::VariantType;
    /// let schema = Schema::of_type(VariantType::Color).to_json();
    /// assert_eq!(schema.to_text(), r#"{"kind":"color","default":[0.0,0.0,0.0,1.0]}"#);
    /// ```
    pub fn to_json(&self) -> Json {
        plain_json(&self.descriptor(&|schema, default| schema.native_value(default)))
    }

    fn descriptor(&self, written: &dyn Fn(&Schema, &Value) -> Value) -> Value {
        let part = |schema: &Schema| schema.descriptor(written);
        let text = |text: &str| Value::from(text);
        let mut members: Vec<(&str, Value)> = vec![("kind", text(self.kind.word()))];
        match &self.kind {
            Kind::Int(repr) => members.push(("repr", text(repr.name()))),
            Kind::Float(FloatRepr::F32) => members.push(("repr", text("f32"))),
            Kind::Float(FloatRepr::F64) => members.push(("repr", text("f64"))),
            Kind::VectorI(_) => members.push(("component", text("i32"))),
            Kind::Enum(EnumSchema { underlying, values }) => {
                let values = values.iter().map(|(name, n)| (text(name), Value::Int(*n)));
                members.push(("underlying", text(underlying.name())));
                members.push(("values", values.collect::<Dictionary>().into()));
            }
            Kind::Sequence(kind, item) => {
                members.push(("item", part(item)));
                if let SequenceKind::FixedVector(capacity) = kind {
                    members.push(("capacity", Value::Int(*capacity as i64)));
                }
            }
            Kind::FixedArray(size, item) => {
                members.push(("item", part(item)));
                members.push(("size", Value::Int(*size as i64)));
            }
            Kind::Tuple(items) => {
                let items: godot_variant::Array = items.iter().map(part).collect();
                members.push(("items", items.into()));
            }
            Kind::Map(_, types) => {
                members.push(("key", part(&types.0)));
                members.push(("value", part(&types.1)));
            }
            Kind::Class(class) => members.push(("class", text(class))),
            Kind::Record(fields) => {
                let field = |field: &Field| {
                    let entries = [("name", text(&field.name)), ("type", part(&field.schema))];
                    entries.map(|(k, v)| (text(k), v)).into_iter().collect::<Dictionary>().into()
                };
                let fields: godot_variant::Array = fields.iter().map(field).collect();
                members.push(("fields", fields.into()));
            }
            Kind::Pointer(item) => members.push(("item", part(item))),
            _ => {}
        }
        members.extend(self.packing.iter().flat_map(Packing::members));
        if let Some(ty) = self.variant_type {
            members.push(("as", text(ty.name())));
        }
        if let Some(default) = &self.default {
            members.push(("default", written(self, default)));
        }
        members.into_iter().map(|(k, v)| (text(k), v)).collect::<Dictionary>().into()
    }
}

impl Kind {
    /// The word of a descriptor's `kind`.
    pub fn word(&self) -> &'static str {
        match self {
            Kind::Bool => "bool",
            Kind::Int(_) => "int",
            Kind::Float(_) => "float",
            Kind::String => "string",
            Kind::Path => "path",
            Kind::Uuid => "uuid",
            Kind::Bytes => "bytes",
            Kind::Enum(_) => "enum",
            Kind::Vector(2) | Kind::VectorI(2) => "vector2",
            Kind::Vector(3) | Kind::VectorI(3) => "vector3",
            Kind::Vector(_) | Kind::VectorI(_) => "vector4",
            Kind::Quaternion => "quaternion",
            Kind::Matrix3x3 => "matrix3x3",
            Kind::Matrix3x4 => "matrix3x4",
            Kind::Matrix4x4 => "matrix4x4",
            Kind::Transform => "transform",
            Kind::Plane => "plane",
            Kind::Aabb => "aabb",
            Kind::Color => "color",
            Kind::Sequence(SequenceKind::Array, _) => "array",
            Kind::Sequence(SequenceKind::FixedVector(_), _) => "fixed_vector",
            Kind::Sequence(SequenceKind::Set, _) => "set",
            Kind::Sequence(SequenceKind::UnorderedSet, _) => "unordered_set",
            Kind::Sequence(SequenceKind::UnorderedMultiset, _) => "unordered_multiset",
            Kind::FixedArray(..) => "fixed_array",
            Kind::Tuple(_) => "tuple",
            Kind::Map(MapKind::Map, _) => "map",
            Kind::Map(MapKind::UnorderedMap, _) => "unordered_map",
            Kind::Map(MapKind::UnorderedMultimap, _) => "unordered_multimap",
            Kind::Class(_) => "class",
            Kind::Record(_) => "record",
            Kind::Pointer(_) => "smart_ptr",
            Kind::Any => "any",
            Kind::Unsupported(kind) => kind.word(),
        }
    }
}

/// Dictionaries of text, arrays and scalars as the JSON that they look like.
fn plain_json(value: &Value) -> Json {
    match value {
        Value::Bool(value) => Json::Bool(*value),
        Value::Int(number) => Json::Int(*number),
        Value::Float(number) => Json::Double(*number),
        Value::String(text) | Value::StringName(text) => Json::from(&**text),
        Value::Array(array) => Json::Array(array.elements.iter().map(plain_json).collect()),
        Value::Dictionary(dictionary) => Json::Object(
            dictionary
                .iter()
                .map(|(key, value)| match key {
                    Value::String(name) | Value::StringName(name) => {
                        (name.to_string(), plain_json(value))
                    }
                    key => (key.brief(), plain_json(value)),
                })
                .collect(),
        ),
        _ => Json::Null,
    }
}
