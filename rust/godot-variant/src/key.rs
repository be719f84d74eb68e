//! When two values are the same, and when they are the same key.

use std::hash::{BuildHasher, Hash, Hasher};
use std::sync::LazyLock;

use hashbrown::DefaultHashBuilder;
use indexmap::Equivalent;

use crate::{Array, Dictionary, Value};

/// Equality of content, as the engine compares what its containers hold (`Variant::hash_compare`,
/// core/variant/variant.cpp, 4.6): types must match, NaN equals NaN, -0.0 equals 0.0, and the
/// declared element types of containers do not count.
///
/// To ask whether two values are the same to the bit, compare their encodings.
impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        use Value::*;
        match (self, other) {
            (Nil, Nil) | (Callable, Callable) => true,
            (Bool(a), Bool(b)) => a == b,
            (Int(a), Int(b)) => a == b,
            (Float(a), Float(b)) => same_double(*a, *b),
            (String(a), String(b)) | (StringName(a), StringName(b)) => a == b,
            (NodePath(a), NodePath(b)) => a == b,
            (Rid(a), Rid(b)) => a == b,
            (Object(a), Object(b)) => a == b,
            (Signal(a), Signal(b)) => a == b,
            (Dictionary(a), Dictionary(b)) => a == b,
            (Array(a), Array(b)) => a == b,
            (PackedByteArray(a), PackedByteArray(b)) => a == b,
            (PackedInt32Array(a), PackedInt32Array(b)) => a == b,
            (PackedInt64Array(a), PackedInt64Array(b)) => a == b,
            (PackedStringArray(a), PackedStringArray(b)) => a == b,
            (PackedFloat64Array(a), PackedFloat64Array(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same_double(*a, *b))
            }
            _ if self.variant_type() != other.variant_type() => false,
            _ => match (self.int_parts(), other.int_parts()) {
                (Some(a), Some(b)) => a == b,
                _ => same_floats(self.float_parts(), other.float_parts()),
            },
        }
    }
}

impl Eq for Value {}

impl Hash for Value {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.variant_type().hash(state);
        self.hash_content(state);
    }
}

impl Value {
    /// Hashes everything but the type.
    fn hash_content<H: Hasher>(&self, state: &mut H) {
        match self {
            Value::Nil | Value::Callable => {}
            Value::Bool(value) => value.hash(state),
            Value::Int(value) => value.hash(state),
            Value::Float(value) => hash_double(*value, state),
            Value::String(text) | Value::StringName(text) => text.hash(state),
            Value::NodePath(path) => path.hash(state),
            Value::Rid(id) => id.hash(state),
            Value::Object(object) => object.hash(state),
            Value::Signal(signal) => signal.hash(state),
            Value::Dictionary(dictionary) => dictionary.hash(state),
            Value::Array(array) => array.elements.hash(state),
            Value::PackedByteArray(data) => data.hash(state),
            Value::PackedInt32Array(data) => data.hash(state),
            Value::PackedInt64Array(data) => data.hash(state),
            Value::PackedStringArray(data) => data.hash(state),
            Value::PackedFloat64Array(data) => data.iter().for_each(|x| hash_double(*x, state)),
            _ => match self.int_parts() {
                Some(components) => components.hash(state),
                None => self.float_parts().iter().for_each(|x| hash_double(f64::from(*x), state)),
            },
        }
    }

    /// The components of the types made of 32-bit floats, packed or not.
    fn float_parts(&self) -> &[f32] {
        use Value::*;
        match self {
            Vector2(components) => components,
            Vector3(components) => components,
            Rect2(components)
            | Vector4(components)
            | Plane(components)
            | Quaternion(components)
            | Color(components) => components,
            Transform2D(components) | Aabb(components) => components,
            Basis(components) => &components[..],
            Transform3D(components) => &components[..],
            Projection(components) => &components[..],
            PackedFloat32Array(data) => data,
            PackedVector2Array(data) => data.as_flattened(),
            PackedVector3Array(data) => data.as_flattened(),
            PackedColorArray(data) | PackedVector4Array(data) => data.as_flattened(),
            _ => &[],
        }
    }

    /// The components of the types made of 32-bit integers.
    fn int_parts(&self) -> Option<&[i32]> {
        match self {
            Value::Vector2i(components) => Some(components),
            Value::Vector3i(components) => Some(components),
            Value::Rect2i(components) | Value::Vector4i(components) => Some(components),
            _ => None,
        }
    }
}

impl PartialEq for Array {
    fn eq(&self, other: &Self) -> bool {
        self.elements == other.elements
    }
}

impl Eq for Array {}

/// The same entries, in any order, as the engine has it (`Dictionary::recursive_equal`).
impl PartialEq for Dictionary {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len()
            && self.iter().all(|(key, value)| other.get(key).is_some_and(|found| found == value))
    }
}

impl Eq for Dictionary {}

/// Of all entries, or dictionaries of one length would be one slot of a table when they are keys. Their order does not count,
/// so each is hashed by itself.
impl Hash for Dictionary {
    fn hash<H: Hasher>(&self, state: &mut H) {
        /// One for all, as equal dictionaries have to have equal hashes.
        static ENTRIES: LazyLock<DefaultHashBuilder> = LazyLock::new(DefaultHashBuilder::default);
        let sum = self.iter().fold(0_u64, |sum, (key, value)| {
            sum.wrapping_add(ENTRIES.hash_one((KeyRef(key), value)))
        });
        (self.len(), sum).hash(state);
    }
}

/// A value as a dictionary's key.
///
/// Keys compare like values, but for one thing: a `String` and a `StringName` of the same text are
/// the same key (`StringLikeVariantComparator`, core/variant/variant.cpp, 4.6).
#[derive(Clone, Debug)]
pub(crate) struct Key(pub(crate) Value);

/// A [`Key`] to look up.
pub(crate) struct KeyRef<'a>(pub(crate) &'a Value);

impl PartialEq for Key {
    fn eq(&self, other: &Self) -> bool {
        same_key(&self.0, &other.0)
    }
}

impl Eq for Key {}

impl Hash for Key {
    fn hash<H: Hasher>(&self, state: &mut H) {
        KeyRef(&self.0).hash(state);
    }
}

impl Hash for KeyRef<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash_content(state);
    }
}

impl Equivalent<Key> for KeyRef<'_> {
    fn equivalent(&self, key: &Key) -> bool {
        same_key(self.0, &key.0)
    }
}

fn same_key(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::String(a), Value::StringName(b)) | (Value::StringName(a), Value::String(b)) => {
            a == b
        }
        _ => a == b,
    }
}

fn same_double(a: f64, b: f64) -> bool {
    a == b || (a.is_nan() && b.is_nan())
}

fn same_floats(a: &[f32], b: &[f32]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same_double(f64::from(*a), f64::from(*b)))
}

fn hash_double<H: Hasher>(value: f64, state: &mut H) {
    let canonical = match value {
        _ if value.is_nan() => f64::NAN,
        _ if value == 0.0 => 0.0,
        _ => value,
    };
    canonical.to_bits().hash(state);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_compare_as_the_engine_compares_content() {
        let cases = [
            (Value::Float(f64::NAN), Value::Float(-f64::NAN), true),
            (Value::Float(0.0), Value::Float(-0.0), true),
            (Value::Int(1), Value::Float(1.0), false),
            (Value::from("a"), Value::StringName("a".into()), false),
            (Value::Vector2([1.0, f32::NAN]), Value::Vector2([1.0, f32::NAN]), true),
            (Value::Vector4([0.0; 4]), Value::Quaternion([0.0; 4]), false),
            (Value::Vector2i([1, 2]), Value::Vector2i([1, 3]), false),
            (Value::PackedFloat64Array(vec![1.0]), Value::PackedFloat64Array(vec![2.0]), false),
            (Value::PackedVector2Array(vec![[1.0; 2]]), Value::PackedVector2Array(vec![]), false),
        ];
        for (a, b, same) in cases {
            assert_eq!(a == b, same, "{a:?} and {b:?}");
        }
    }

    #[test]
    fn dictionaries_compare_without_order() {
        let ab: Dictionary =
            [(Value::Int(1), Value::Nil), (Value::Int(2), Value::Nil)].into_iter().collect();
        let ba: Dictionary =
            [(Value::Int(2), Value::Nil), (Value::Int(1), Value::Nil)].into_iter().collect();
        assert_eq!(ab, ba);
        assert_ne!(ab, Dictionary::default());
    }

    #[test]
    fn dictionaries_as_keys_have_hashes_of_their_own() {
        let of = |pairs: &[(&str, i64)]| -> Value {
            let entries = pairs.iter().map(|(key, value)| (Value::from(*key), Value::Int(*value)));
            entries.collect::<Dictionary>().into()
        };
        let same = std::iter::repeat_with(DefaultHashBuilder::default);
        for hasher in same.take(10) {
            let hash = |value: &Value| hasher.hash_one(value);
            assert_eq!(hash(&of(&[("a", 1), ("b", 2)])), hash(&of(&[("b", 2), ("a", 1)])));
            assert_ne!(hash(&of(&[("a", 1)])), hash(&of(&[("a", 2)])));
            assert_ne!(hash(&of(&[("a", 1)])), hash(&of(&[("b", 1)])));
        }
        // A String and a StringName of the same text are one key, so these are equal.
        let mut by_name = Dictionary::default();
        by_name.insert(Value::StringName("a".into()), Value::Int(1));
        let by_name = Value::from(by_name);
        assert_eq!(of(&[("a", 1)]), by_name);
        let hasher = DefaultHashBuilder::default();
        assert_eq!(hasher.hash_one(of(&[("a", 1)])), hasher.hash_one(&by_name));
    }
}
