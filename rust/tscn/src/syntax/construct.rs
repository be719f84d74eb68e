//! The table of constructs: every `Name(…)` that Godot 4.6.3 reads as a value.

/// What stands between the parentheses of a construct.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    /// Exactly so many numbers.
    Numbers(u8),
    /// A list of numbers, taken in groups of so many.
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
            Some(match name {
                $($name => ($shape, false), $($older => ($shape, true),)*)*
                _ => return None,
            })
        }

        /// The name that Godot 4 writes for a construct that it reads under an older name, such as `Transform3D` for
        /// `Transform`; nothing for all others. (`VariantParser::parse_value`, core/variant/variant_parser.cpp, 4.6.3)
        ///
        /// ```
        /// assert_eq!(tscn::present_construct_name(b"PoolIntArray"), Some("PackedInt32Array"));
        /// assert_eq!(tscn::present_construct_name(b"Vector2"), None);
        /// ```
        pub fn present_construct_name(name: &[u8]) -> Option<&'static str> {
            const fn text(name: &'static [u8]) -> &'static str {
                match std::str::from_utf8(name) {
                    Ok(text) => text,
                    Err(_) => panic!("a name is not UTF-8"),
                }
            }
            Some(match name {
                $($($older => const { text($name) },)*)*
                _ => return None,
            })
        }

        /// Every spelling, for suggestions. The first of a row is the one that Godot 4 writes.
        pub(crate) const CONSTRUCT_NAMES: &[&[u8]] = &[$($name, $($older,)*)*];
    };
}

// In the order of `VariantParser::parse_value` (core/variant/variant_parser.cpp, 4.6.3), older
// spellings included.
constructs! {
    b"Vector2" => Numbers(2),
    b"Vector2i" => Numbers(2),
    b"Rect2" => Numbers(4),
    b"Rect2i" => Numbers(4),
    b"Vector3" => Numbers(3),
    b"Vector3i" => Numbers(3),
    b"Vector4" => Numbers(4),
    b"Vector4i" => Numbers(4),
    b"Transform2D" | b"Matrix32" => Numbers(6),
    b"Plane" => Numbers(4),
    b"Quaternion" | b"Quat" => Numbers(4),
    b"AABB" | b"Rect3" => Numbers(6),
    b"Basis" | b"Matrix3" => Numbers(9),
    b"Transform3D" | b"Transform" => Numbers(12),
    b"Projection" => Numbers(16),
    b"Color" => Numbers(4),
    b"NodePath" => NodePath,
    b"RID" => Rid,
    b"Signal" => Empty,
    b"Callable" => Empty,
    b"Object" => Object,
    b"Resource" => Resource,
    b"SubResource" => SubResource,
    b"ExtResource" => ExtResource,
    b"Dictionary" => Dictionary,
    b"Array" => Array,
    b"PackedByteArray" | b"PoolByteArray" | b"ByteArray" => Bytes,
    b"PackedInt32Array" | b"PackedIntArray" | b"PoolIntArray" | b"IntArray" => NumberGroups(1),
    b"PackedInt64Array" => NumberGroups(1),
    b"PackedFloat32Array" | b"PackedRealArray" | b"PoolRealArray" | b"FloatArray" => NumberGroups(1),
    b"PackedFloat64Array" => NumberGroups(1),
    b"PackedStringArray" | b"PoolStringArray" | b"StringArray" => Strings,
    b"PackedVector2Array" | b"PoolVector2Array" | b"Vector2Array" => NumberGroups(2),
    b"PackedVector3Array" | b"PoolVector3Array" | b"Vector3Array" => NumberGroups(3),
    b"PackedVector4Array" | b"PoolVector4Array" | b"Vector4Array" => NumberGroups(4),
    b"PackedColorArray" | b"PoolColorArray" | b"ColorArray" => NumberGroups(4),
}
