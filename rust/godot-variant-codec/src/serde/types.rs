//! Types of Godot that Rust has no like of.

use std::fmt;
use std::marker::PhantomData;

use ::serde::de::value::SeqAccessDeserializer;
use ::serde::de::{Deserialize, Deserializer, Error as _, SeqAccess, Visitor};
use ::serde::ser::{Error as _, Serialize, Serializer};
use godot_variant::{Value, VariantType};

/// What a wrapper type of this module stands for.
///
/// It passes through serde as a newtype struct whose name no type has, so that other formats see
/// nothing but its content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wrapped {
    /// A value of this type.
    Type(VariantType),
    /// Any value, as its encoded bytes.
    Variant,
}

const TOKEN_PREFIX: &str = "$variant_codec::";

macro_rules! token {
    ($name:literal) => {
        concat!("$variant_codec::", $name)
    };
}

impl Wrapped {
    pub(super) fn from_token(name: &str) -> Option<Wrapped> {
        match name.strip_prefix(TOKEN_PREFIX)? {
            "Variant" => Some(Wrapped::Variant),
            name => VariantType::from_name(name).map(Wrapped::Type),
        }
    }
}

/// Vectors and colors, by the names of their components.
macro_rules! component_types {
    ($($(#[$meta:meta])* $name:ident $godot:literal [$part:ty; $len:literal] { $($field:ident)* })*) => {$(
        #[doc = concat!("Godot's `", $godot, "`.")]
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq)]
        #[allow(missing_docs, reason = "they are the components that Godot names")]
        pub struct $name {
            $(pub $field: $part,)*
        }

        impl From<[$part; $len]> for $name {
            fn from([$($field),*]: [$part; $len]) -> $name {
                $name { $($field),* }
            }
        }

        impl From<$name> for [$part; $len] {
            fn from(value: $name) -> [$part; $len] {
                [$(value.$field),*]
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_newtype_struct(token!($godot), &<[$part; $len]>::from(*self))
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<$name, D::Error> {
                wrapped::<D, [$part; $len]>(deserializer, token!($godot)).map($name::from)
            }
        }
    )*};
}

component_types! {
    #[derive(Default)]
    Vector2 "Vector2" [f32; 2] { x y }
    #[derive(Default, Eq, Hash)]
    Vector2i "Vector2i" [i32; 2] { x y }
    #[derive(Default)]
    Vector3 "Vector3" [f32; 3] { x y z }
    #[derive(Default, Eq, Hash)]
    Vector3i "Vector3i" [i32; 3] { x y z }
    #[derive(Default)]
    Vector4 "Vector4" [f32; 4] { x y z w }
    #[derive(Default, Eq, Hash)]
    Vector4i "Vector4i" [i32; 4] { x y z w }
    Quaternion "Quaternion" [f32; 4] { x y z w }
    Color "Color" [f32; 4] { r g b a }
}

/// Types around one field.
macro_rules! content_types {
    ($($(#[$meta:meta])* $name:ident $godot:literal $content:ty;)*) => {$(
        #[doc = concat!("Godot's `", $godot, "`")]
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq)]
        pub struct $name(pub $content);

        impl From<$content> for $name {
            fn from(content: $content) -> $name {
                $name(content)
            }
        }

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_newtype_struct(token!($godot), &self.0)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<$name, D::Error> {
                wrapped::<D, $content>(deserializer, token!($godot)).map($name)
            }
        }
    )*};
}

content_types! {
    /// : the position, then the size.
    #[derive(Copy)]
    Rect2 "Rect2" [f32; 4];
    /// : the position, then the size.
    #[derive(Copy, Eq, Hash)]
    Rect2i "Rect2i" [i32; 4];
    /// : the columns x, y and origin.
    #[derive(Copy)]
    Transform2D "Transform2D" [f32; 6];
    /// : the normal, then d.
    #[derive(Copy)]
    Plane "Plane" [f32; 4];
    /// : the position, then the size.
    #[derive(Copy)]
    Aabb "AABB" [f32; 6];
    /// : row by row.
    #[derive(Copy)]
    Basis "Basis" [f32; 9];
    /// : the basis row by row, then the origin.
    #[derive(Copy)]
    Transform3D "Transform3D" [f32; 12];
    /// : column by column.
    #[derive(Copy)]
    Projection "Projection" [f32; 16];
    /// : text that the engine keeps once.
    #[derive(Eq, Hash)]
    StringName "StringName" String;
    /// : a number that names a resource of a server.
    #[derive(Copy, Eq, Hash)]
    Rid "RID" u64;
    /// that travels as its instance id, which the engine decodes as an `EncodedObjectAsID`.
    #[derive(Copy, Eq, Hash)]
    ObjectId "Object" u64;
    /// .
    #[derive(Eq, Hash)]
    PackedByteArray "PackedByteArray" Vec<u8>;
    /// .
    #[derive(Eq, Hash)]
    PackedInt32Array "PackedInt32Array" Vec<i32>;
    /// .
    #[derive(Eq, Hash)]
    PackedInt64Array "PackedInt64Array" Vec<i64>;
    /// .
    PackedFloat32Array "PackedFloat32Array" Vec<f32>;
    /// .
    PackedFloat64Array "PackedFloat64Array" Vec<f64>;
    /// .
    #[derive(Eq, Hash)]
    PackedStringArray "PackedStringArray" Vec<String>;
    /// .
    PackedVector2Array "PackedVector2Array" Vec<Vector2>;
    /// .
    PackedVector3Array "PackedVector3Array" Vec<Vector3>;
    /// .
    PackedColorArray "PackedColorArray" Vec<Color>;
    /// .
    PackedVector4Array "PackedVector4Array" Vec<Vector4>;
}

/// Any value: for fields whose type is not known, or for types that have no wrapper here.
///
/// Other formats see it as its encoded bytes.
///
/// ```
/// use godot_variant_codec::serde::{Variant, from_bytes, to_bytes};
/// use godot_variant_codec::variant::Value;
///
/// let mixed = vec![Variant(Value::Int(1)), Variant(Value::from("two"))];
/// let bytes = to_bytes(&mixed)?;
/// assert_eq!(from_bytes::<Vec<Variant>>(&bytes)?, mixed);
/// # Ok::<(), godot_variant_codec::serde::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Variant(pub Value);

impl Serialize for Variant {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let bytes = crate::encode(&self.0).map_err(S::Error::custom)?;
        serializer.serialize_newtype_struct(token!("Variant"), &Bytes(bytes))
    }
}

impl<'de> Deserialize<'de> for Variant {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Variant, D::Error> {
        let Bytes(bytes) = wrapped(deserializer, token!("Variant"))?;
        crate::decode(&bytes).map(Variant).map_err(D::Error::custom)
    }
}

/// Bytes as serde's own type of that name, which `Vec<u8>` is not.
struct Bytes(Vec<u8>);

impl Serialize for Bytes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(&self.0)
    }
}

impl<'de> Deserialize<'de> for Bytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Bytes, D::Error> {
        struct BytesVisitor;

        impl<'de> Visitor<'de> for BytesVisitor {
            type Value = Bytes;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the bytes of an encoded value")
            }

            fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Bytes, E> {
                Ok(Bytes(bytes.to_vec()))
            }

            fn visit_byte_buf<E>(self, bytes: Vec<u8>) -> Result<Bytes, E> {
                Ok(Bytes(bytes))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<Bytes, A::Error> {
                Vec::deserialize(SeqAccessDeserializer::new(seq)).map(Bytes)
            }
        }

        deserializer.deserialize_byte_buf(BytesVisitor)
    }
}

/// The content of the wrapper type that `token` names.
fn wrapped<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    deserializer: D,
    token: &'static str,
) -> Result<T, D::Error> {
    struct WrappedVisitor<T>(&'static str, PhantomData<T>);

    impl<'de, T: Deserialize<'de>> Visitor<'de> for WrappedVisitor<T> {
        type Value = T;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "a {}", self.0.trim_start_matches(TOKEN_PREFIX))
        }

        fn visit_newtype_struct<D: Deserializer<'de>>(self, content: D) -> Result<T, D::Error> {
            T::deserialize(content)
        }

        fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<T, A::Error> {
            T::deserialize(SeqAccessDeserializer::new(seq))
        }
    }

    deserializer.deserialize_newtype_struct(token, WrappedVisitor(token, PhantomData))
}
