//! The names of constructs, and what the numbers in them are.

use crate::format::numeral::Context;

/// How Godot 4 spells the name of a construct that it reads in several spellings.
pub(crate) fn godot4_name(name: &[u8]) -> &[u8] {
    match name {
        b"Matrix32" => b"Transform2D",
        b"Quat" => b"Quaternion",
        b"Rect3" => b"AABB",
        b"Matrix3" => b"Basis",
        b"Transform" => b"Transform3D",
        b"PoolByteArray" | b"ByteArray" => b"PackedByteArray",
        b"PackedIntArray" | b"PoolIntArray" | b"IntArray" => b"PackedInt32Array",
        b"PackedRealArray" | b"PoolRealArray" | b"FloatArray" => b"PackedFloat32Array",
        b"PoolStringArray" | b"StringArray" => b"PackedStringArray",
        b"PoolVector2Array" | b"Vector2Array" => b"PackedVector2Array",
        b"PoolVector3Array" | b"Vector3Array" => b"PackedVector3Array",
        b"PoolVector4Array" | b"Vector4Array" => b"PackedVector4Array",
        b"PoolColorArray" | b"ColorArray" => b"PackedColorArray",
        _ => name,
    }
}

/// What the numbers between the parentheses of the construct `name` are, for an engine whose
/// `real_t` has 32 bits.
pub(crate) fn context_of(name: &[u8]) -> Context {
    match name {
        b"PackedFloat64Array" => Context::Wide,
        b"Vector2i" | b"Rect2i" | b"Vector3i" | b"Vector4i" | b"PackedByteArray"
        | b"PoolByteArray" | b"ByteArray" | b"PackedInt32Array" | b"PackedIntArray"
        | b"PoolIntArray" | b"IntArray" | b"PackedInt64Array" => Context::Int,
        _ => Context::Narrow,
    }
}
