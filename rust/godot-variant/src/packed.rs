//! Packed arrays of fixed-width elements.

use crate::{Real, VariantType};

/// The packed arrays whose elements all have the same width.
///
/// All but `PackedStringArray`. Such arrays cross the crates as the bytes of their elements,
/// little-endian and without gaps, which is how the engine keeps them in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PackedType {
    /// `PackedByteArray`.
    Byte,
    /// `PackedInt32Array`.
    Int32,
    /// `PackedInt64Array`.
    Int64,
    /// `PackedFloat32Array`.
    Float32,
    /// `PackedFloat64Array`.
    Float64,
    /// `PackedVector2Array`.
    Vector2,
    /// `PackedVector3Array`.
    Vector3,
    /// `PackedColorArray`.
    Color,
    /// `PackedVector4Array`.
    Vector4,
}

impl PackedType {
    /// Every packed type of fixed width.
    pub const ALL: [PackedType; 9] = [
        PackedType::Byte,
        PackedType::Int32,
        PackedType::Int64,
        PackedType::Float32,
        PackedType::Float64,
        PackedType::Vector2,
        PackedType::Vector3,
        PackedType::Color,
        PackedType::Vector4,
    ];

    /// The packed type that a Variant type is, if it is one of these.
    ///
    /// ```
    /// use godot_variant::{PackedType, VariantType};
    ///
    /// assert_eq!(PackedType::of(VariantType::PackedColorArray), Some(PackedType::Color));
    /// assert_eq!(PackedType::of(VariantType::PackedStringArray), None);
    /// ```
    pub fn of(ty: VariantType) -> Option<PackedType> {
        PackedType::ALL.into_iter().find(|packed| packed.variant_type() == ty)
    }

    /// The Variant type of the whole array.
    pub const fn variant_type(self) -> VariantType {
        match self {
            PackedType::Byte => VariantType::PackedByteArray,
            PackedType::Int32 => VariantType::PackedInt32Array,
            PackedType::Int64 => VariantType::PackedInt64Array,
            PackedType::Float32 => VariantType::PackedFloat32Array,
            PackedType::Float64 => VariantType::PackedFloat64Array,
            PackedType::Vector2 => VariantType::PackedVector2Array,
            PackedType::Vector3 => VariantType::PackedVector3Array,
            PackedType::Color => VariantType::PackedColorArray,
            PackedType::Vector4 => VariantType::PackedVector4Array,
        }
    }

    /// Bytes per element in memory.
    pub const fn element_len(self) -> usize {
        match self {
            PackedType::Byte => 1,
            PackedType::Int32 | PackedType::Float32 => 4,
            PackedType::Int64 | PackedType::Float64 => 8,
            PackedType::Color => 16,
            PackedType::Vector2 => 2 * size_of::<Real>(),
            PackedType::Vector3 => 3 * size_of::<Real>(),
            PackedType::Vector4 => 4 * size_of::<Real>(),
        }
    }

    /// How many `real_t` an element has, for the arrays that change with the engine's precision.
    pub const fn real_count(self) -> Option<usize> {
        match self {
            PackedType::Vector2 => Some(2),
            PackedType::Vector3 => Some(3),
            PackedType::Vector4 => Some(4),
            _ => None,
        }
    }
}
