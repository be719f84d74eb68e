//! The first word of every encoded value.
//!
//! Byte 0 is the type, byte 1 is unused, bytes 2 and 3 hold flags whose meaning depends on the
//! type (core/io/marshalls.cpp, 4.6). Unknown flags are ignored.

use godot_variant::{ContainerTypeRef, VariantType};

/// The type.
pub(crate) const TYPE_MASK: u32 = 0xFF;

/// int, float and the types made of `real_t`: the components have 64 bits.
pub(crate) const FLAG_64: u32 = 1 << 16;

/// Object: the instance id stands for the object.
pub(crate) const FLAG_OBJECT_AS_ID: u32 = 1 << 16;

/// Array: where the kind of the element type stands.
pub(crate) const ARRAY_ELEMENT_SHIFT: u32 = 16;

/// Dictionary: where the kind of the key type stands.
pub(crate) const DICTIONARY_KEY_SHIFT: u32 = 16;

/// Dictionary: where the kind of the value type stands.
pub(crate) const DICTIONARY_VALUE_SHIFT: u32 = 18;

/// Array: the kind of the element type.
pub(crate) const ARRAY_TYPE_MASK: u32 = 0b11 << ARRAY_ELEMENT_SHIFT;

/// Dictionary: the kinds of the key type and the value type.
pub(crate) const DICTIONARY_TYPES_MASK: u32 =
    0b11 << DICTIONARY_KEY_SHIFT | 0b11 << DICTIONARY_VALUE_SHIFT;

/// Array and Dictionary: a mark in the count that the 2.x and 3.x editors used; ignored.
pub(crate) const COUNT_SHARED: u32 = 0x8000_0000;

/// NodePath: in the first count, the mark of the format that is not plain text.
pub(crate) const NODE_PATH_NEW_FORMAT: u32 = 0x8000_0000;

/// NodePath: the path is absolute.
pub(crate) const NODE_PATH_ABSOLUTE: u32 = 1;

/// NodePath: obsolete, one more subname follows than is counted.
pub(crate) const NODE_PATH_EXTRA_SUBNAME: u32 = 2;

/// How the type of a container's elements is written, two bits of the header.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ContainerKind {
    /// Not at all: untyped.
    None = 0,
    /// As the id of a built-in type.
    Builtin = 1,
    /// As the name of a class.
    Class = 2,
    /// As the path of a script.
    Script = 3,
}

impl ContainerKind {
    /// The kind of a type.
    pub(crate) fn of(ty: ContainerTypeRef<'_>) -> ContainerKind {
        match ty {
            ContainerTypeRef::Any => ContainerKind::None,
            ContainerTypeRef::Builtin(_) => ContainerKind::Builtin,
            ContainerTypeRef::Class(_) => ContainerKind::Class,
            ContainerTypeRef::Script(_) => ContainerKind::Script,
        }
    }

    /// The kind in the two bits of `header` from `shift` on.
    pub(crate) fn from_header(header: u32, shift: u32) -> ContainerKind {
        match (header >> shift) & 0b11 {
            0 => ContainerKind::None,
            1 => ContainerKind::Builtin,
            2 => ContainerKind::Class,
            _ => ContainerKind::Script,
        }
    }
}

/// The header of a value without flags.
pub(crate) const fn plain(ty: VariantType) -> u32 {
    ty.id() as u32
}

/// How many zero bytes follow `len` bytes of content.
pub(crate) fn padding(len: usize) -> usize {
    len.wrapping_neg() % 4
}

// Whole headers of what large containers are full of.
pub(crate) const BOOL: u32 = plain(VariantType::Bool);
pub(crate) const INT: u32 = plain(VariantType::Int);
pub(crate) const FLOAT: u32 = plain(VariantType::Float);
pub(crate) const STRING: u32 = plain(VariantType::String);
pub(crate) const VECTOR2: u32 = plain(VariantType::Vector2);
pub(crate) const VECTOR3: u32 = plain(VariantType::Vector3);
pub(crate) const COLOR: u32 = plain(VariantType::Color);
pub(crate) const TRANSFORM3D: u32 = plain(VariantType::Transform3D);
pub(crate) const INT_64: u32 = INT | FLAG_64;
pub(crate) const FLOAT_64: u32 = FLOAT | FLAG_64;
