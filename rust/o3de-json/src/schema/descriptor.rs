//! A schema written as JSON.

use super::{EnumSchema, FloatRepr, IntRepr, Kind, MapKind, Schema, SequenceKind, UnsupportedKind};
use crate::{Json, Registry};

/// Why a descriptor is none.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct SchemaError(pub(crate) String);

pub(crate) fn error<T>(message: impl Into<String>) -> Result<T, SchemaError> {
    Err(SchemaError(message.into()))
}

impl Schema {
    /// The schema of a descriptor, e.g. `{"kind": "array", "item": {"kind": "int", "repr": "u8"}}`.
    ///
    /// # Errors
    /// If a kind or a member of it is missing or unknown, or a default does not fit.
    pub fn from_json(json: &Json, registry: &Registry) -> Result<Schema, SchemaError> {
        let mut schema = Schema::from(kind(json, registry)?);
        if let Some(default) = json.member("default") {
            schema.default = Some(schema.value_from_native(default, registry)?);
        }
        Ok(schema)
    }
}

fn kind(json: &Json, registry: &Registry) -> Result<Kind, SchemaError> {
    let part = |name| match json.member(name) {
        Some(part) => Schema::from_json(part, registry),
        None => error(format!("the descriptor `{}` lacks `{name}`: add it", json.to_text())),
    };
    let text = |name| json.member(name).and_then(Json::as_str);
    let sequence = |kind| Ok(Kind::Sequence(kind, Box::new(part("item")?)));
    let map = |kind| Ok(Kind::Map(kind, Box::new((part("key")?, part("value")?))));
    Ok(match text("kind") {
        Some("bool") => Kind::Bool,
        Some("int") => Kind::Int(int_repr(text("repr").unwrap_or("i64"))?),
        Some("float") => Kind::Float(match text("repr") {
            None | Some("f64") => FloatRepr::F64,
            Some("f32") => FloatRepr::F32,
            Some(name) => return error(format!("no float is called `{name}`: use f32 or f64")),
        }),
        Some("string") => Kind::String,
        Some("path") => Kind::Path,
        Some("uuid") => Kind::Uuid,
        Some("bytes") => Kind::Bytes,
        Some("enum") => Kind::Enum(enumeration(json)?),
        Some("vector2") => Kind::Vector(2),
        Some("vector3") => Kind::Vector(3),
        Some("vector4") => Kind::Vector(4),
        Some("quaternion") => Kind::Quaternion,
        Some("matrix3x3") => Kind::Matrix3x3,
        Some("matrix3x4") => Kind::Matrix3x4,
        Some("matrix4x4") => Kind::Matrix4x4,
        Some("transform") => Kind::Transform,
        Some("plane") => Kind::Plane,
        Some("aabb") => Kind::Aabb,
        Some("color") => Kind::Color,
        Some("array") => return sequence(SequenceKind::Array),
        Some("fixed_vector") => {
            return sequence(SequenceKind::FixedVector(count(json, "capacity")?));
        }
        Some("set") => return sequence(SequenceKind::Set),
        Some("unordered_set") => return sequence(SequenceKind::UnorderedSet),
        Some("unordered_multiset") => return sequence(SequenceKind::UnorderedMultiset),
        Some("fixed_array") => Kind::FixedArray(count(json, "size")?, Box::new(part("item")?)),
        Some("tuple") => match json.member("items").and_then(Json::as_array) {
            Some(items) => Kind::Tuple(
                items
                    .iter()
                    .map(|item| Schema::from_json(item, registry))
                    .collect::<Result<_, _>>()?,
            ),
            None => return error("a tuple lacks `items`: add an array of descriptors"),
        },
        Some("map") => return map(MapKind::Map),
        Some("unordered_map") => return map(MapKind::UnorderedMap),
        Some("unordered_multimap") => return map(MapKind::UnorderedMultimap),
        Some("class") => match text("class") {
            Some(class) => Kind::Class(class.into()),
            None => return error("a class lacks `class`: add its name"),
        },
        Some("ptr" | "smart_ptr") => Kind::Pointer(Box::new(part("item")?)),
        Some("any") => Kind::Any,
        Some("variant") => Kind::Unsupported(UnsupportedKind::Variant),
        Some("optional") => Kind::Unsupported(UnsupportedKind::Optional),
        Some("bitset") => Kind::Unsupported(UnsupportedKind::Bitset),
        Some(kind) => return error(format!("no kind is called `{kind}`")),
        None => return error(format!("the descriptor `{}` lacks `kind`: add it", json.to_text())),
    })
}

fn int_repr(name: &str) -> Result<IntRepr, SchemaError> {
    use IntRepr::*;
    match [I8, I16, I32, I64, U8, U16, U32, U64].into_iter().find(|repr| repr.name() == name) {
        Some(repr) => Ok(repr),
        None => error(format!("no integer is called `{name}`: use i8 to i64 or u8 to u64")),
    }
}

/// How many elements a fixed container may have: each has a default that is really made.
const MAX_FIXED_COUNT: i64 = 1 << 20;

fn count(json: &Json, name: &str) -> Result<usize, SchemaError> {
    match json.member(name) {
        Some(Json::Int(count @ 0..=MAX_FIXED_COUNT)) => Ok(*count as usize),
        _ => error(format!("`{name}` has to be an integer from 0 to {MAX_FIXED_COUNT}")),
    }
}

fn enumeration(json: &Json) -> Result<EnumSchema, SchemaError> {
    let underlying = json.member("underlying").and_then(Json::as_str).unwrap_or("i64");
    let members = json.member("values").and_then(Json::as_object).unwrap_or_default();
    let values = members.iter().map(|(name, number)| match number {
        Json::Int(number) => Ok((name.as_str().into(), *number)),
        Json::Uint(number) => Ok((name.as_str().into(), *number as i64)),
        _ => error(format!("the enum's constant `{name}` is no integer")),
    });
    Ok(EnumSchema { underlying: int_repr(underlying)?, values: values.collect::<Result<_, _>>()? })
}
