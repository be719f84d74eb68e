//! The owned value.

mod sink;
mod source;

pub use sink::Place;

use crate::{Array, Dictionary, NodePath, Object, Real, Signal, VariantType};

/// A Godot value that owns its content and needs no engine.
///
/// Vectors and transforms are flat arrays of their components in the engine's memory order:
/// `Basis` by rows, `Transform2D` and `Projection` by columns, `Transform3D` as its basis and then
/// its origin, `Plane` as its normal and then `d`, rectangles as position and then size.
#[derive(Clone, Debug, Default)]
#[allow(missing_docs, reason = "the variants are the rows of the table of types")]
pub enum Value {
    #[default]
    Nil,
    Bool(bool),
    Int(i64),
    Float(f64),
    String(Box<str>),
    Vector2([Real; 2]),
    Vector2i([i32; 2]),
    Rect2([Real; 4]),
    Rect2i([i32; 4]),
    Vector3([Real; 3]),
    Vector3i([i32; 3]),
    Transform2D([Real; 6]),
    Vector4([Real; 4]),
    Vector4i([i32; 4]),
    Plane([Real; 4]),
    Quaternion([Real; 4]),
    Aabb([Real; 6]),
    Basis(Box<[Real; 9]>),
    Transform3D(Box<[Real; 12]>),
    Projection(Box<[Real; 16]>),
    Color([f32; 4]),
    StringName(Box<str>),
    NodePath(Box<NodePath>),
    Rid(u64),
    Object(Box<Object>),
    Callable,
    Signal(Box<Signal>),
    Dictionary(Box<Dictionary>),
    Array(Box<Array>),
    PackedByteArray(Vec<u8>),
    PackedInt32Array(Vec<i32>),
    PackedInt64Array(Vec<i64>),
    PackedFloat32Array(Vec<f32>),
    PackedFloat64Array(Vec<f64>),
    PackedStringArray(Vec<Box<str>>),
    PackedVector2Array(Vec<[Real; 2]>),
    PackedVector3Array(Vec<[Real; 3]>),
    PackedColorArray(Vec<[f32; 4]>),
    PackedVector4Array(Vec<[Real; 4]>),
}

impl Value {
    /// The value's type.
    pub fn variant_type(&self) -> VariantType {
        macro_rules! same_names {
            ($($name:ident)*) => { match self { $(Value::$name { .. } => VariantType::$name,)* } };
        }
        same_names! {
            Nil Bool Int Float String Vector2 Vector2i Rect2 Rect2i Vector3 Vector3i Transform2D
            Vector4 Vector4i Plane Quaternion Aabb Basis Transform3D Projection Color StringName
            NodePath Rid Object Callable Signal Dictionary Array PackedByteArray PackedInt32Array
            PackedInt64Array PackedFloat32Array PackedFloat64Array PackedStringArray
            PackedVector2Array PackedVector3Array PackedColorArray PackedVector4Array
        }
    }

    /// The value in a few words, for messages.
    pub fn brief(&self) -> String {
        const SHOWN_CHARS: usize = 40;
        match self {
            Value::Nil => "null".into(),
            Value::Bool(value) => value.to_string(),
            Value::Int(value) => value.to_string(),
            Value::Float(value) => format!("{value:?}"),
            Value::String(text) | Value::StringName(text) => {
                let mark = if matches!(self, Value::StringName(_)) { "&" } else { "" };
                format!("{mark}{}", brief_text(text, SHOWN_CHARS))
            }
            _ => format!("{}(…)", self.variant_type()),
        }
    }
}

/// Text in quotes and on one line, cut behind `max_chars`.
pub(crate) fn brief_text(text: &str, max_chars: usize) -> String {
    match text.char_indices().nth(max_chars) {
        Some((cut, _)) => format!("{:?}…", &text[..cut]),
        None => format!("{text:?}"),
    }
}

impl From<&str> for Value {
    fn from(text: &str) -> Self {
        Value::String(text.into())
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Self {
        Value::Bool(value)
    }
}

impl From<i64> for Value {
    fn from(value: i64) -> Self {
        Value::Int(value)
    }
}

impl From<f64> for Value {
    fn from(value: f64) -> Self {
        Value::Float(value)
    }
}

impl From<Array> for Value {
    fn from(array: Array) -> Self {
        Value::Array(Box::new(array))
    }
}

impl From<Dictionary> for Value {
    fn from(dictionary: Dictionary) -> Self {
        Value::Dictionary(Box::new(dictionary))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_stays_small() {
        assert_eq!(size_of::<Value>(), 32);
    }
}
