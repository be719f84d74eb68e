//! The table of all Variant types: the only list of them.
//!
//! To add a type: its row here and its variant of `Value`; the compiler lists the other matches. Then a value in
//! `godot_project/tools/golden_values.gd`, and `scripts/data/goldens.sh`.

/// What a value of a type is made of, independent of any format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// No content at all: `Nil`, and `Callable`, which no format can carry.
    Empty,
    /// One scalar with rules of its own: bool, int, float, RID.
    Scalar,
    /// Text: `String` and `StringName`.
    Text,
    /// This many components of the engine's `real_t`, in memory order.
    Reals(usize),
    /// This many 32-bit integers, in memory order.
    Ints(usize),
    /// Four components that stay 32-bit floats in every build.
    Color,
    /// A structure of its own: `NodePath`, `Object`, `Signal`.
    Compound,
    /// Holds other values: `Dictionary` and `Array`.
    Container,
    /// A contiguous array of bare elements.
    Packed,
}

/// Writes the enum and its lookups from the rows below.
///
/// A row is `id Name "GodotName" shape`; the order and the ids are those of `Variant::Type`
/// (core/variant/variant.h, Godot 4.6).
macro_rules! variant_types {
    ($($id:literal $name:ident $godot:literal $shape:expr;)*) => {
        /// The type of a value, as Godot 4 numbers them (`Variant::Type`).
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum VariantType {
            $(#[doc = concat!("`", $godot, "`, type ", stringify!($id), ".")] $name = $id,)*
        }

        impl VariantType {
            /// Every type, in the engine's order: `ALL[i]` has the id `i`.
            pub const ALL: [VariantType; [$($id),*].len()] = [$(VariantType::$name),*];

            /// The name that Godot shows, e.g. `AABB` (`Variant::get_type_name`).
            pub const fn name(self) -> &'static str {
                match self { $(VariantType::$name => $godot,)* }
            }

            /// What a value of this type is made of.
            pub const fn shape(self) -> Shape {
                match self { $(VariantType::$name => $shape,)* }
            }
        }
    };
}

variant_types! {
     0 Nil "Nil" Shape::Empty;
     1 Bool "bool" Shape::Scalar;
     2 Int "int" Shape::Scalar;
     3 Float "float" Shape::Scalar;
     4 String "String" Shape::Text;
     5 Vector2 "Vector2" Shape::Reals(2);
     6 Vector2i "Vector2i" Shape::Ints(2);
     7 Rect2 "Rect2" Shape::Reals(4);
     8 Rect2i "Rect2i" Shape::Ints(4);
     9 Vector3 "Vector3" Shape::Reals(3);
    10 Vector3i "Vector3i" Shape::Ints(3);
    11 Transform2D "Transform2D" Shape::Reals(6);
    12 Vector4 "Vector4" Shape::Reals(4);
    13 Vector4i "Vector4i" Shape::Ints(4);
    14 Plane "Plane" Shape::Reals(4);
    15 Quaternion "Quaternion" Shape::Reals(4);
    16 Aabb "AABB" Shape::Reals(6);
    17 Basis "Basis" Shape::Reals(9);
    18 Transform3D "Transform3D" Shape::Reals(12);
    19 Projection "Projection" Shape::Reals(16);
    20 Color "Color" Shape::Color;
    21 StringName "StringName" Shape::Text;
    22 NodePath "NodePath" Shape::Compound;
    23 Rid "RID" Shape::Scalar;
    24 Object "Object" Shape::Compound;
    25 Callable "Callable" Shape::Empty;
    26 Signal "Signal" Shape::Compound;
    27 Dictionary "Dictionary" Shape::Container;
    28 Array "Array" Shape::Container;
    29 PackedByteArray "PackedByteArray" Shape::Packed;
    30 PackedInt32Array "PackedInt32Array" Shape::Packed;
    31 PackedInt64Array "PackedInt64Array" Shape::Packed;
    32 PackedFloat32Array "PackedFloat32Array" Shape::Packed;
    33 PackedFloat64Array "PackedFloat64Array" Shape::Packed;
    34 PackedStringArray "PackedStringArray" Shape::Packed;
    35 PackedVector2Array "PackedVector2Array" Shape::Packed;
    36 PackedVector3Array "PackedVector3Array" Shape::Packed;
    37 PackedColorArray "PackedColorArray" Shape::Packed;
    38 PackedVector4Array "PackedVector4Array" Shape::Packed;
}

impl VariantType {
    /// The id that Godot 4 writes for the type: 0 to 38.
    pub const fn id(self) -> u8 {
        self as u8
    }

    /// The type with this id, if Godot 4.6 has one.
    #[inline]
    pub fn from_id(id: u32) -> Option<VariantType> {
        Self::ALL.get(usize::try_from(id).ok()?).copied()
    }

    /// The type with this name, spelled as Godot does.
    ///
    /// ```
    /// use godot_variant::VariantType;
    /// assert_eq!(VariantType::from_name("AABB"), Some(VariantType::Aabb));
    /// assert_eq!(VariantType::from_name("Aabb"), None);
    /// ```
    pub fn from_name(name: &str) -> Option<VariantType> {
        Self::ALL.into_iter().find(|ty| ty.name() == name)
    }
}

impl std::fmt::Display for VariantType {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_count_up_without_a_gap() {
        for (index, ty) in VariantType::ALL.into_iter().enumerate() {
            assert_eq!(usize::from(ty.id()), index);
            assert_eq!(VariantType::from_id(index as u32), Some(ty));
            assert_eq!(VariantType::from_name(ty.name()), Some(ty));
        }
        assert_eq!(VariantType::from_id(39), None);
        assert_eq!(VariantType::from_id(u32::MAX), None);
    }
}
