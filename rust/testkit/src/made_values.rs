//! Values that are made of bytes: each string of bytes gives one, similar ones similar values.
//!
//! For fuzzing, where the strategies of [`values`](crate::values) would be too slow.

use arbitrary::{Arbitrary, Result, Unstructured};
use godot_variant::{
    Array, ContainerType, Dictionary, NodePath, Object, Signal, Value, VariantType,
};

/// How deep values nest at most.
const MAX_DEPTH: usize = 5;

/// The value that `bytes` make. Bytes that are missing count as zeros.
pub fn value(bytes: &[u8]) -> Value {
    value_at(&mut Unstructured::new(bytes), 0).unwrap_or_default()
}

fn value_at(bytes: &mut Unstructured<'_>, depth: usize) -> Result<Value> {
    let id = usize::from(u8::arbitrary(bytes)?) % VariantType::ALL.len();
    Ok(match VariantType::ALL[id] {
        VariantType::Nil => Value::Nil,
        VariantType::Bool => Value::Bool(bytes.arbitrary()?),
        VariantType::Int => Value::Int(int(bytes)?),
        VariantType::Float => Value::Float(float(bytes)?),
        VariantType::String => Value::String(text(bytes)?),
        VariantType::Vector2 => Value::Vector2(bytes.arbitrary()?),
        VariantType::Vector2i => Value::Vector2i(bytes.arbitrary()?),
        VariantType::Rect2 => Value::Rect2(bytes.arbitrary()?),
        VariantType::Rect2i => Value::Rect2i(bytes.arbitrary()?),
        VariantType::Vector3 => Value::Vector3(bytes.arbitrary()?),
        VariantType::Vector3i => Value::Vector3i(bytes.arbitrary()?),
        VariantType::Transform2D => Value::Transform2D(bytes.arbitrary()?),
        VariantType::Vector4 => Value::Vector4(bytes.arbitrary()?),
        VariantType::Vector4i => Value::Vector4i(bytes.arbitrary()?),
        VariantType::Plane => Value::Plane(bytes.arbitrary()?),
        VariantType::Quaternion => Value::Quaternion(bytes.arbitrary()?),
        VariantType::Aabb => Value::Aabb(bytes.arbitrary()?),
        VariantType::Basis => Value::Basis(bytes.arbitrary()?),
        VariantType::Transform3D => Value::Transform3D(bytes.arbitrary()?),
        VariantType::Projection => Value::Projection(bytes.arbitrary()?),
        VariantType::Color => Value::Color(bytes.arbitrary()?),
        VariantType::StringName => Value::StringName(text(bytes)?),
        VariantType::NodePath => Value::NodePath(Box::new(NodePath {
            absolute: bytes.arbitrary()?,
            names: list(bytes, text)?,
            subnames: list(bytes, text)?,
        })),
        VariantType::Rid => Value::Rid(bytes.arbitrary()?),
        VariantType::Object => Value::Object(Box::new(object(bytes, depth)?)),
        VariantType::Callable => Value::Callable,
        VariantType::Signal => {
            let (name, object_id) = (text(bytes)?, bytes.arbitrary()?);
            Value::Signal(Box::new(Signal { name, object_id }))
        }
        VariantType::Dictionary => dictionary(bytes, depth)?.into(),
        VariantType::Array => {
            let element_type = container_type(bytes)?;
            Array { element_type, elements: content(bytes, depth, value_at)? }.into()
        }
        VariantType::PackedByteArray => Value::PackedByteArray(list(bytes, u8::arbitrary)?),
        VariantType::PackedInt32Array => Value::PackedInt32Array(list(bytes, i32::arbitrary)?),
        VariantType::PackedInt64Array => Value::PackedInt64Array(list(bytes, int)?),
        VariantType::PackedFloat32Array => Value::PackedFloat32Array(list(bytes, f32::arbitrary)?),
        VariantType::PackedFloat64Array => Value::PackedFloat64Array(list(bytes, float)?),
        VariantType::PackedStringArray => Value::PackedStringArray(list(bytes, text)?),
        VariantType::PackedVector2Array => {
            Value::PackedVector2Array(list(bytes, <[_; 2]>::arbitrary)?)
        }
        VariantType::PackedVector3Array => {
            Value::PackedVector3Array(list(bytes, <[_; 3]>::arbitrary)?)
        }
        VariantType::PackedColorArray => Value::PackedColorArray(list(bytes, <[_; 4]>::arbitrary)?),
        VariantType::PackedVector4Array => {
            Value::PackedVector4Array(list(bytes, <[_; 4]>::arbitrary)?)
        }
    })
}

fn dictionary(bytes: &mut Unstructured<'_>, depth: usize) -> Result<Dictionary> {
    let mut dictionary = Dictionary::typed(container_type(bytes)?, container_type(bytes)?);
    let entry = |bytes: &mut _, depth| Ok((value_at(bytes, depth)?, value_at(bytes, depth)?));
    for (key, value) in content(bytes, depth, entry)? {
        dictionary.insert(key, value);
    }
    Ok(dictionary)
}

fn object(bytes: &mut Unstructured<'_>, depth: usize) -> Result<Object> {
    Ok(match u8::arbitrary(bytes)? % 3 {
        0 => Object::Null,
        1 => Object::Id(bytes.arbitrary()?),
        _ => Object::Full {
            // Without a class it cannot be encoded.
            class: format!("N{}", text(bytes)?).into(),
            properties: content(bytes, depth, |bytes, depth| {
                Ok((text(bytes)?, value_at(bytes, depth)?))
            })?,
        },
    })
}

fn container_type(bytes: &mut Unstructured<'_>) -> Result<ContainerType> {
    Ok(match u8::arbitrary(bytes)? {
        1 => ContainerType::Class(text(bytes)?),
        2 => ContainerType::Script(text(bytes)?),
        // Nil means any type, and objects are named by class.
        id => match VariantType::from_id(u32::from(id / 4)) {
            None | Some(VariantType::Nil | VariantType::Object) => ContainerType::Any,
            Some(ty) => ContainerType::Builtin(ty),
        },
    })
}

/// An int of 32 or of 64 bits.
fn int(bytes: &mut Unstructured<'_>) -> Result<i64> {
    Ok(if bytes.arbitrary()? { bytes.arbitrary()? } else { i64::from(i32::arbitrary(bytes)?) })
}

/// A float of 32 or of 64 bits.
fn float(bytes: &mut Unstructured<'_>) -> Result<f64> {
    Ok(if bytes.arbitrary()? { bytes.arbitrary()? } else { f64::from(f32::arbitrary(bytes)?) })
}

/// Text without what a decoder does not give back: a NUL, a byte order mark in front.
fn text(bytes: &mut Unstructured<'_>) -> Result<Box<str>> {
    let len = usize::from(u8::arbitrary(bytes)? % 24).min(bytes.len());
    let text = String::from_utf8_lossy(bytes.bytes(len)?).replace('\0', "");
    Ok(text.trim_start_matches('\u{FEFF}').into())
}

/// What a container holds; nothing where it would nest too deep.
fn content<'a, T>(
    bytes: &mut Unstructured<'a>,
    depth: usize,
    mut one: impl FnMut(&mut Unstructured<'a>, usize) -> Result<T>,
) -> Result<Vec<T>> {
    if depth == MAX_DEPTH { Ok(Vec::new()) } else { list(bytes, |bytes| one(bytes, depth + 1)) }
}

/// Up to 15 of something, as long as there are bytes.
fn list<'a, T>(
    bytes: &mut Unstructured<'a>,
    mut one: impl FnMut(&mut Unstructured<'a>) -> Result<T>,
) -> Result<Vec<T>> {
    let count = usize::from(u8::arbitrary(bytes)? % 16);
    let mut list = Vec::new();
    while list.len() < count && !bytes.is_empty() {
        list.push(one(bytes)?);
    }
    Ok(list)
}
