//! The words of descriptors: kinds, and numbers by their width.

use super::{SchemaError, error};
use crate::schema::{FloatRepr, IntRepr, Kind, UnsupportedKind};

/// The kinds to which nothing has to be added, and numbers by their width.
pub(super) fn simple_kind(word: &str) -> Option<Kind> {
    if let Some(repr) = int_repr(word) {
        return Some(Kind::Int(repr));
    }
    Some(match word {
        "bool" => Kind::Bool,
        "int" => Kind::Int(IntRepr::I64),
        "float" | "f64" => Kind::Float(FloatRepr::F64),
        "f32" => Kind::Float(FloatRepr::F32),
        "string" => Kind::String,
        "path" => Kind::Path,
        "uuid" => Kind::Uuid,
        "bytes" => Kind::Bytes,
        "vector2" => Kind::Vector(2),
        "vector3" => Kind::Vector(3),
        "vector4" => Kind::Vector(4),
        "quaternion" => Kind::Quaternion,
        "matrix3x3" => Kind::Matrix3x3,
        "matrix3x4" => Kind::Matrix3x4,
        "matrix4x4" => Kind::Matrix4x4,
        "transform" => Kind::Transform,
        "plane" => Kind::Plane,
        "aabb" => Kind::Aabb,
        "color" => Kind::Color,
        "any" => Kind::Any,
        "variant" => Kind::Unsupported(UnsupportedKind::Variant),
        "optional" => Kind::Unsupported(UnsupportedKind::Optional),
        "bitset" => Kind::Unsupported(UnsupportedKind::Bitset),
        "rid" => Kind::Unsupported(UnsupportedKind::Rid),
        "callable" => Kind::Unsupported(UnsupportedKind::Callable),
        "signal" => Kind::Unsupported(UnsupportedKind::Signal),
        _ => return None,
    })
}

pub(super) fn vector(count: usize, component: Option<&str>) -> Result<Kind, SchemaError> {
    match component {
        None | Some("f32") => Ok(Kind::Vector(count)),
        Some("i32") => Ok(Kind::VectorI(count)),
        Some(name) => error(format!("no vector has components `{name}`: use f32 or i32")),
    }
}

fn int_repr(name: &str) -> Option<IntRepr> {
    use IntRepr::*;
    [I8, I16, I32, I64, U8, U16, U32, U64].into_iter().find(|repr| repr.name() == name)
}

pub(super) fn number(name: &str) -> Result<IntRepr, SchemaError> {
    match int_repr(name) {
        Some(repr) => Ok(repr),
        None => error(format!("`{name}` is not an integer type: use i8 to i64 or u8 to u64")),
    }
}
