//! Generated values of every type.

use godot_variant::{
    Array, ContainerType, Dictionary, ENCODED_OBJECT_AS_ID, NodePath, Object, Signal, Value,
    VariantType,
};
use proptest::array::uniform;
use proptest::collection::vec;
use proptest::prelude::*;

/// Any value, nested a few levels deep.
///
/// Only what a decoder gives back unchanged: objects are ids, and element types are declared but
/// not kept to, as in `Value` itself.
pub fn value() -> impl Strategy<Value = Value> {
    leaf().prop_recursive(4, 64, 6, |inner| {
        prop_oneof![
            (container_type(), vec(inner.clone(), 0..6))
                .prop_map(|(element_type, elements)| Array { element_type, elements }.into()),
            (container_type(), container_type(), vec((inner.clone(), inner), 0..6)).prop_map(
                |(key_type, value_type, entries)| {
                    let mut dictionary = Dictionary::typed(key_type, value_type);
                    for (key, value) in entries {
                        dictionary.insert(key, value);
                    }
                    dictionary.into()
                }
            ),
        ]
    })
}

/// Any value that holds no other.
pub fn leaf() -> impl Strategy<Value = Value> {
    let scalars = prop_oneof![
        Just(Value::Nil),
        any::<bool>().prop_map(Value::Bool),
        int().prop_map(Value::Int),
        float().prop_map(Value::Float),
        any::<u64>().prop_map(Value::Rid),
        Just(Value::Callable),
        (1..=u64::MAX).prop_map(|id| Value::Object(Box::new(Object::Id(id)))),
        (text(), any::<u64>())
            .prop_map(|(name, object_id)| Value::Signal(Box::new(Signal { name, object_id }))),
    ];
    prop_oneof![scalars, texts(), vectors(), transforms(), packed_numbers(), packed_vectors()]
}

fn texts() -> impl Strategy<Value = Value> {
    let names = || vec(text(), 0..4);
    prop_oneof![
        text().prop_map(Value::String),
        text().prop_map(Value::StringName),
        vec(text(), 0..5).prop_map(Value::PackedStringArray),
        (any::<bool>(), names(), names()).prop_map(|(absolute, names, subnames)| {
            Value::NodePath(Box::new(NodePath { absolute, names, subnames }))
        }),
    ]
}

fn vectors() -> impl Strategy<Value = Value> {
    prop_oneof![
        uniform(real()).prop_map(Value::Vector2),
        uniform(any::<i32>()).prop_map(Value::Vector2i),
        uniform(real()).prop_map(Value::Rect2),
        uniform(any::<i32>()).prop_map(Value::Rect2i),
        uniform(real()).prop_map(Value::Vector3),
        uniform(any::<i32>()).prop_map(Value::Vector3i),
        uniform(real()).prop_map(Value::Vector4),
        uniform(any::<i32>()).prop_map(Value::Vector4i),
        uniform(real()).prop_map(Value::Color),
    ]
}

fn transforms() -> impl Strategy<Value = Value> {
    prop_oneof![
        uniform(real()).prop_map(Value::Transform2D),
        uniform(real()).prop_map(Value::Plane),
        uniform(real()).prop_map(Value::Quaternion),
        uniform(real()).prop_map(Value::Aabb),
        uniform(real()).prop_map(|parts| Value::Basis(Box::new(parts))),
        uniform(real()).prop_map(|parts| Value::Transform3D(Box::new(parts))),
        uniform(real()).prop_map(|parts| Value::Projection(Box::new(parts))),
    ]
}

fn packed_numbers() -> impl Strategy<Value = Value> {
    prop_oneof![
        vec(any::<u8>(), 0..20).prop_map(Value::PackedByteArray),
        vec(any::<i32>(), 0..20).prop_map(Value::PackedInt32Array),
        vec(any::<i64>(), 0..20).prop_map(Value::PackedInt64Array),
        vec(real(), 0..20).prop_map(Value::PackedFloat32Array),
        vec(float(), 0..20).prop_map(Value::PackedFloat64Array),
    ]
}

fn packed_vectors() -> impl Strategy<Value = Value> {
    prop_oneof![
        vec(uniform(real()), 0..9).prop_map(Value::PackedVector2Array),
        vec(uniform(real()), 0..9).prop_map(Value::PackedVector3Array),
        vec(uniform(real()), 0..9).prop_map(Value::PackedColorArray),
        vec(uniform(real()), 0..9).prop_map(Value::PackedVector4Array),
    ]
}

fn container_type() -> impl Strategy<Value = ContainerType> {
    prop_oneof![
        4 => Just(ContainerType::Any),
        1 => (1..VariantType::ALL.len())
            .prop_map(|id| VariantType::ALL[id])
            .prop_filter("objects are named by class", |ty| *ty != VariantType::Object)
            .prop_map(ContainerType::Builtin),
        1 => Just(ContainerType::Class(ENCODED_OBJECT_AS_ID.into())),
    ]
}

/// Integers of every width, the borders of 32 bits among them.
fn int() -> impl Strategy<Value = i64> {
    let border = prop_oneof![Just(i64::from(i32::MIN)), Just(i64::from(i32::MAX)), Just(0)];
    prop_oneof![
        any::<i64>(),
        any::<i32>().prop_map(i64::from),
        (border, -2..=2i64).prop_map(|(border, step)| border + step),
    ]
}

/// Every bit pattern, and many that fit 32 bits.
fn float() -> impl Strategy<Value = f64> {
    prop_oneof![
        any::<u64>().prop_map(f64::from_bits),
        any::<f32>().prop_map(f64::from),
        Just(0.0),
        Just(-0.0),
        Just(f64::INFINITY),
        Just(f64::NAN),
    ]
}

/// Every bit pattern.
fn real() -> impl Strategy<Value = f32> {
    any::<u32>().prop_map(f32::from_bits)
}

/// Text that a decoder gives back unchanged: without a NUL, and without a byte order mark in front.
fn text() -> impl Strategy<Value = Box<str>> {
    let chars = prop_oneof![
        8 => prop::char::range(' ', '~'),
        1 => prop::char::range('\u{80}', '\u{7FF}'),
        1 => any::<char>(),
    ];
    vec(chars, 0..20).prop_map(|chars| {
        let text: String = chars.into_iter().filter(|&c| c != '\0').collect();
        text.trim_start_matches('\u{FEFF}').into()
    })
}
