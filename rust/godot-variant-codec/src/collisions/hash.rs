//! The engine's hash of a value (`Variant::recursive_hash`, core/variant/variant.cpp;
//! core/templates/hashfuncs.h; Godot 4.4 to 4.7): none of these functions has a secret, so whoever
//! sends the bytes can make keys that have one hash.

use godot_variant::{NodePath, Object, Value, VariantType};

const SEED: u32 = 0x07F0_7C65;

/// How the engine hashes a `NodePath` (`NodePath::_update_hash_cache`, core/string/node_path.cpp).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Paths {
    /// Up to Godot 4.5: the names, each on its own.
    ByName,
    /// Since Godot 4.6: the names as one text, and the subnames. Names may hold what joins them, so `a/b` is both one name and two.
    Joined,
}

/// The engine looks at no container that is deeper in a key (`MAX_RECURSION`, core/variant/variant.h).
const MAX_RECURSION: usize = 100;

/// The hash of a key.
pub(super) fn hash(value: &Value, paths: Paths) -> u32 {
    hash_at(value, paths, 0)
}

/// The hash of a value inside of `depth` containers of a key.
fn hash_at(value: &Value, paths: Paths, depth: usize) -> u32 {
    let inner = |value| hash_at(value, paths, depth + 1);
    match value {
        Value::Array(_) | Value::Dictionary(_) if depth > MAX_RECURSION => 0,
        Value::Nil => 0,
        Value::Bool(value) => u32::from(*value),
        Value::Int(number) => of_u64(number.cast_unsigned()),
        Value::Float(number) => with_f64(SEED, *number),
        Value::String(text) | Value::StringName(text) => of_text(text),
        Value::NodePath(path) if paths == Paths::Joined => of_joined_path(path),
        Value::NodePath(path) => of_path(path),
        Value::Rid(id) => of_u64(*id),
        // The engine hashes an object's address, which nobody knows; an id becomes a new object.
        Value::Object(object) => match **object {
            Object::Id(id) => of_u64(id),
            _ => 0,
        },
        Value::Callable => 0,
        Value::Signal(signal) => with_u64(of_text(&signal.name), signal.object_id),
        Value::Array(array) => {
            let parts = array.elements.iter().map(inner);
            finished(parts.fold(with(SEED, VariantType::Array.id().into()), with))
        }
        Value::Dictionary(dictionary) => {
            let parts = dictionary.iter().flat_map(|(key, value)| [inner(key), inner(value)]);
            finished(parts.fold(with(SEED, VariantType::Dictionary.id().into()), with))
        }
        Value::PackedByteArray(data) => of_bytes(data),
        Value::PackedInt32Array(data) => of_bytes(bytemuck::cast_slice(data)),
        Value::PackedInt64Array(data) => of_bytes(bytemuck::cast_slice(data)),
        Value::PackedFloat32Array(data) => of_floats(data),
        Value::PackedFloat64Array(data) if data.is_empty() => with_u64(SEED, 0),
        Value::PackedFloat64Array(data) => finished(data.iter().copied().fold(SEED, with_f64)),
        Value::PackedStringArray(strings) if strings.is_empty() => with_u64(SEED, 0),
        Value::PackedStringArray(strings) => {
            finished(strings.iter().map(|text| of_text(text)).fold(SEED, with))
        }
        Value::PackedVector2Array(data) => of_floats(data.as_flattened()),
        Value::PackedVector3Array(data) => of_floats(data.as_flattened()),
        Value::PackedVector4Array(data) | Value::PackedColorArray(data) => {
            of_floats(data.as_flattened())
        }
        Value::Vector2i(parts) => of_ints(parts),
        Value::Vector3i(parts) => of_ints(parts),
        Value::Vector4i(parts) | Value::Rect2i(parts) => of_ints(parts),
        Value::Vector2(parts) => of_floats(parts),
        Value::Vector3(parts) => of_floats(parts),
        Value::Rect2(parts)
        | Value::Vector4(parts)
        | Value::Plane(parts)
        | Value::Quaternion(parts)
        | Value::Color(parts) => of_floats(parts),
        Value::Transform2D(parts) | Value::Aabb(parts) => of_floats(parts),
        Value::Basis(parts) => of_floats(&**parts),
        Value::Transform3D(parts) => of_floats(&**parts),
        Value::Projection(parts) => of_floats(&**parts),
    }
}

/// `String::hash` and `StringName::hash`.
pub(super) fn of_text(text: &str) -> u32 {
    of_units(text.chars().map(u32::from))
}

pub(super) fn of_units(units: impl Iterator<Item = u32>) -> u32 {
    units.fold(5381, |hash: u32, unit| hash.wrapping_mul(33).wrapping_add(unit))
}

/// Whether the hash depends on [`Paths`].
pub(super) fn has_path(value: &Value) -> bool {
    match value {
        Value::NodePath(_) => true,
        Value::Array(array) => array.elements.iter().any(has_path),
        Value::Dictionary(dictionary) => {
            dictionary.iter().any(|(key, value)| has_path(key) || has_path(value))
        }
        _ => false,
    }
}

/// The names of a path, and its subnames, each as one text: the engine makes names of both when it hashes the path.
pub(super) fn joined(path: &NodePath) -> [String; 2] {
    [path.names.join("/"), path.subnames.join(":")]
}

fn of_joined_path(path: &NodePath) -> u32 {
    // The engine has no data for it.
    if *path == NodePath::default() {
        return 0;
    }
    let [names, subnames] = joined(path).map(|text| u64::from(of_text(&text)));
    let hash = of_u64(names << 32 | subnames);
    if path.absolute { hash } else { !hash }
}

fn of_path(path: &NodePath) -> u32 {
    let names = path.names.iter().chain(&path.subnames);
    names.fold(u32::from(path.absolute), |hash, name| hash ^ of_text(name))
}

/// `hash_one_uint64`.
fn of_u64(number: u64) -> u32 {
    let mut v = (!number).wrapping_add(number << 18);
    v ^= v >> 31;
    v = v.wrapping_mul(21);
    v ^= v >> 11;
    v = v.wrapping_add(v << 6);
    v ^= v >> 22;
    v as u32
}

fn of_ints(parts: &[i32]) -> u32 {
    finished(parts.iter().fold(SEED, |hash, part| with(hash, part.cast_unsigned())))
}

fn of_floats(parts: &[f32]) -> u32 {
    if parts.is_empty() {
        return with_u64(SEED, 0);
    }
    finished(parts.iter().fold(SEED, |hash, part| with_f32(hash, *part)))
}

/// `hash_murmur3_buffer`.
fn of_bytes(data: &[u8]) -> u32 {
    if data.is_empty() {
        return with_u64(SEED, 0);
    }
    let (words, rest) = data.as_chunks::<4>();
    let mut hash = words.iter().fold(SEED, |hash, word| with(hash, u32::from_le_bytes(*word)));
    if !rest.is_empty() {
        let mut last = [0; 4];
        last[..rest.len()].copy_from_slice(rest);
        hash ^= mixed(u32::from_le_bytes(last));
    }
    finished(hash ^ data.len() as u32)
}

/// `hash_murmur3_one_32`.
fn with(hash: u32, word: u32) -> u32 {
    (hash ^ mixed(word)).rotate_left(13).wrapping_mul(5).wrapping_add(0xe654_6b64)
}

fn mixed(word: u32) -> u32 {
    word.wrapping_mul(0xcc9e_2d51).rotate_left(15).wrapping_mul(0x1b87_3593)
}

fn with_u64(hash: u32, number: u64) -> u32 {
    with(with(hash, number as u32), (number >> 32) as u32)
}

fn with_f64(hash: u32, number: f64) -> u32 {
    let number = if number == 0.0 { 0.0 } else { number };
    let bits = if number.is_nan() { f64::from(f32::NAN).to_bits() } else { number.to_bits() };
    with_u64(hash, bits)
}

fn with_f32(hash: u32, number: f32) -> u32 {
    let number = if number == 0.0 { 0.0 } else { number };
    with(hash, if number.is_nan() { f32::NAN.to_bits() } else { number.to_bits() })
}

/// `hash_fmix32`.
fn finished(mut hash: u32) -> u32 {
    hash = (hash ^ hash >> 16).wrapping_mul(0x85eb_ca6b);
    hash = (hash ^ hash >> 13).wrapping_mul(0xc2b2_ae35);
    hash ^ hash >> 16
}
