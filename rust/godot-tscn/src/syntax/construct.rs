//! The table of constructs: every `Name(…)` that Godot 4.6.3 reads as a value.

use crate::names::Names;

/// The contents of the parentheses of a construct.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// Exactly this number of numbers.
    Numbers(u8),
    /// A list of numbers, in groups of this size.
    NumberGroups(u8),
    /// Base64 in a string, or a list of numbers.
    Bytes,
    /// A list of strings.
    Strings,
    /// One string.
    NodePath,
    /// Nothing, or one number.
    Rid,
    /// Nothing.
    Empty,
    /// `Class,"property":value,…`
    Object,
    /// One path, or a path and a uid.
    Resource,
    /// The id of an `ext_resource`.
    ExtResource,
    /// The id of a `sub_resource`.
    SubResource,
    /// `Array[Type]([…])`
    Array,
    /// `Dictionary[Key, Value]({…})`
    Dictionary,
}

/// The shape of the construct called `name`.
pub(crate) fn shape_of(name: &[u8]) -> Option<Shape> {
    shape_and_age_of(name).map(|(shape, _)| shape)
}

/// Makes the look-up and the list of names from one table.
macro_rules! constructs {
    ($($name:literal $(| $older:literal)* => $shape:expr,)*) => {
        /// The shape of the construct called `name`, and whether that is an older spelling.
        pub(crate) fn shape_and_age_of(name: &[u8]) -> Option<(Shape, bool)> {
            use Shape::*;
            static SHAPES: Names<(Shape, bool), { CONSTRUCT_NAMES.len() }> =
                Names::new([$(($name, ($shape, false)), $(($older, ($shape, true)),)*)*]);
            SHAPES.get(name)
        }

        /// The name that Godot 4 writes for a construct that it reads under an older name, such as `Transform3D` for
        /// `Transform`; nothing for all others. (`VariantParser::parse_value`, core/variant/variant_parser.cpp, 4.6.3)
        ///
        /// ```
        /// assert_eq!(godot_tscn::present_construct_name(b"PoolIntArray"), Some("PackedInt32Array"));
        /// assert_eq!(godot_tscn::present_construct_name(b"Vector2"), None);
        /// ```
        pub fn present_construct_name(name: &[u8]) -> Option<&'static str> {
            Some(match std::str::from_utf8(name).ok()? {
                $($($older => $name,)*)*
                _ => return None,
            })
        }

        /// Every spelling, for suggestions. The first of a row is the one that Godot 4 writes.
        pub(crate) const CONSTRUCT_NAMES: &[&str] = &[$($name, $($older,)*)*];
    };
}

// In the order of `VariantParser::parse_value` (core/variant/variant_parser.cpp, 4.6.3), older
// spellings included.
constructs! {
    "Vector2" => Numbers(2),
    "Vector2i" => Numbers(2),
    "Rect2" => Numbers(4),
    "Rect2i" => Numbers(4),
    "Vector3" => Numbers(3),
    "Vector3i" => Numbers(3),
    "Vector4" => Numbers(4),
    "Vector4i" => Numbers(4),
    "Transform2D" | "Matrix32" => Numbers(6),
    "Plane" => Numbers(4),
    "Quaternion" | "Quat" => Numbers(4),
    "AABB" | "Rect3" => Numbers(6),
    "Basis" | "Matrix3" => Numbers(9),
    "Transform3D" | "Transform" => Numbers(12),
    "Projection" => Numbers(16),
    "Color" => Numbers(4),
    "NodePath" => NodePath,
    "RID" => Rid,
    "Signal" => Empty,
    "Callable" => Empty,
    "Object" => Object,
    "Resource" => Resource,
    "SubResource" => SubResource,
    "ExtResource" => ExtResource,
    "Dictionary" => Dictionary,
    "Array" => Array,
    "PackedByteArray" | "PoolByteArray" | "ByteArray" => Bytes,
    "PackedInt32Array" | "PackedIntArray" | "PoolIntArray" | "IntArray" => NumberGroups(1),
    "PackedInt64Array" => NumberGroups(1),
    "PackedFloat32Array" | "PackedRealArray" | "PoolRealArray" | "FloatArray" => NumberGroups(1),
    "PackedFloat64Array" => NumberGroups(1),
    "PackedStringArray" | "PoolStringArray" | "StringArray" => Strings,
    "PackedVector2Array" | "PoolVector2Array" | "Vector2Array" => NumberGroups(2),
    "PackedVector3Array" | "PoolVector3Array" | "Vector3Array" => NumberGroups(3),
    "PackedVector4Array" | "PoolVector4Array" | "Vector4Array" => NumberGroups(4),
    "PackedColorArray" | "PoolColorArray" | "ColorArray" => NumberGroups(4),
}
