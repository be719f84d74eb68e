//! The numbers of the types.

use godot_variant::VariantType;

/// What a type number stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WireType {
    /// A type that Godot 4 has, too.
    Known(VariantType),
    /// Godot 2: an image, which is an object since.
    Image,
    /// Godot 2: an input event, which is an object since.
    InputEvent,
}

/// A list of type names, the first being number 0.
macro_rules! wire_types {
    (@ Image) => { WireType::Image };
    (@ InputEvent) => { WireType::InputEvent };
    (@ $name:ident) => { WireType::Known(VariantType::$name) };
    ($($name:ident)*) => { &[$(wire_types!(@ $name)),*] };
}

/// Numbers 0 to 38 (`Variant::Type`, core/variant/variant.h, 4.6).
pub(super) const GODOT_4_TYPES: &[WireType] = {
    const ALL: [WireType; VariantType::ALL.len()] = {
        let mut types = [WireType::Image; VariantType::ALL.len()];
        let mut id = 0;
        while id < types.len() {
            types[id] = WireType::Known(VariantType::ALL[id]);
            id += 1;
        }
        types
    };
    &ALL
};

/// Numbers 0 to 26 (`Variant::Type`, core/variant.h, 3.6; the page of 3.x has the same).
pub(super) const GODOT_3_TYPES: &[WireType] = wire_types! {
    Nil Bool Int Float String
    Vector2 Rect2 Vector3 Transform2D Plane
    Quaternion Aabb Basis Transform3D Color
    NodePath Rid Object Dictionary Array
    PackedByteArray PackedInt32Array PackedFloat32Array PackedStringArray
    PackedVector2Array PackedVector3Array PackedColorArray
};

/// Numbers 0 to 28 (`Variant::Type`, core/variant.h, 2.1).
pub(super) const GODOT_2_TYPES: &[WireType] = wire_types! {
    Nil Bool Int Float String
    Vector2 Rect2 Vector3 Transform2D Plane
    Quaternion Aabb Basis Transform3D Color
    Image NodePath Rid Object InputEvent Dictionary Array
    PackedByteArray PackedInt32Array PackedFloat32Array PackedStringArray
    PackedVector2Array PackedVector3Array PackedColorArray
};

/// Numbers 0 to 28 of the page of 4.2.
pub(super) const DOCS_4_2_TYPES: &[WireType] = wire_types! {
    Nil Bool Int Float String
    Vector2 Rect2 Vector3 Transform2D Plane
    Quaternion Aabb Basis Transform3D Color
    NodePath Rid Object Dictionary Array
    PackedByteArray PackedInt32Array PackedInt64Array PackedFloat32Array
    PackedFloat64Array PackedStringArray
    PackedVector2Array PackedVector3Array PackedColorArray
};
