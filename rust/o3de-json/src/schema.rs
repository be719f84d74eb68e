//! What a value is to be: the types that O3DE's page names.

mod canonical;
mod constants;
mod defaults;
mod descriptor;
mod native;
mod packing;
mod variant_types;

pub use constants::Constants;
pub(crate) use defaults::transform;
pub use descriptor::SchemaError;
pub use packing::Packing;
pub(crate) use variant_types::OBJECT;

use godot_variant::{Value, VariantType};

use crate::Field;

/// The width and sign of an integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "Rust's own names")]
pub enum IntRepr {
    I8,
    I16,
    I32,
    I64,
    U8,
    U16,
    U32,
    U64,
}

impl IntRepr {
    /// The smallest and the greatest number.
    pub fn range(self) -> (i128, i128) {
        match self {
            IntRepr::I8 => (i8::MIN.into(), i8::MAX.into()),
            IntRepr::I16 => (i16::MIN.into(), i16::MAX.into()),
            IntRepr::I32 => (i32::MIN.into(), i32::MAX.into()),
            IntRepr::I64 => (i64::MIN.into(), i64::MAX.into()),
            IntRepr::U8 => (0, u8::MAX.into()),
            IntRepr::U16 => (0, u16::MAX.into()),
            IntRepr::U32 => (0, u32::MAX.into()),
            IntRepr::U64 => (0, u64::MAX.into()),
        }
    }

    /// Whether there are no negative numbers.
    pub fn is_unsigned(self) -> bool {
        self.range().0 == 0
    }

    /// The name in descriptors, e.g. `u8`.
    pub fn name(self) -> &'static str {
        match self {
            IntRepr::I8 => "i8",
            IntRepr::I16 => "i16",
            IntRepr::I32 => "i32",
            IntRepr::I64 => "i64",
            IntRepr::U8 => "u8",
            IntRepr::U16 => "u16",
            IntRepr::U32 => "u32",
            IntRepr::U64 => "u64",
        }
    }
}

/// The width of a floating point number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "Rust's own names")]
pub enum FloatRepr {
    F32,
    F64,
}

/// An enum: its width and its constants in the order of their registration.
#[derive(Clone, Debug, PartialEq)]
pub struct EnumSchema {
    /// The underlying type.
    pub underlying: IntRepr,
    /// Names and numbers.
    pub values: Constants,
}

/// The containers that hold elements of one type and grow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SequenceKind {
    /// `vector`, `list`, `forward_list`.
    Array,
    /// `fixed_vector`: no more than this many elements.
    FixedVector(usize),
    /// `set`: each element once, sorted.
    Set,
    /// `unordered_set`: each element once, stored sorted.
    UnorderedSet,
    /// `unordered_multiset`: stored sorted.
    UnorderedMultiset,
}

/// The containers of keys and values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MapKind {
    /// `map`.
    Map,
    /// `unordered_map`: stored sorted.
    UnorderedMap,
    /// `unordered_multimap`: a key with several values; a Dictionary of Arrays.
    UnorderedMultimap,
}

/// The types that O3DE registers only to refuse them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "O3DE's own names")]
pub enum UnsupportedKind {
    Variant,
    Optional,
    Bitset,
    /// Godot's own: what lives in one run of a program only.
    Rid,
    Callable,
    Signal,
}

impl UnsupportedKind {
    pub(crate) fn word(self) -> &'static str {
        match self {
            UnsupportedKind::Variant => "variant",
            UnsupportedKind::Optional => "optional",
            UnsupportedKind::Bitset => "bitset",
            UnsupportedKind::Rid => "rid",
            UnsupportedKind::Callable => "callable",
            UnsupportedKind::Signal => "signal",
        }
    }
}

/// One of the types, with what belongs to it. The word of each in a descriptor is its `kind`.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// `bool`.
    Bool,
    /// `int`. Numbers of `u64` above `i64::MAX` are held as their two's complement.
    Int(IntRepr),
    /// `float`.
    Float(FloatRepr),
    /// `string`.
    String,
    /// `path`: of a file, normalised.
    Path,
    /// `uuid`: a String such as `{8651B6DA-9792-407C-A46D-A6E2E39CA900}`.
    Uuid,
    /// `bytes`: a PackedByteArray, as base64.
    Bytes,
    /// `enum`: an int.
    Enum(EnumSchema),
    /// `vector2`, `vector3`, `vector4`: how many components.
    Vector(usize),
    /// `vector2`, `vector3`, `vector4` with the component `i32`: a Vector2i, Vector3i or Vector4i.
    /// O3DE has no such types; the forms are those of its vectors, the numbers are its integers.
    VectorI(usize),
    /// `quaternion`.
    Quaternion,
    /// `matrix3x3`: a Basis.
    Matrix3x3,
    /// `matrix3x4`: a Transform3D.
    Matrix3x4,
    /// `matrix4x4`: a Projection.
    Matrix4x4,
    /// `transform`: a Dictionary of `Translation`, `Rotation` and `Scale`, O3DE's own parts.
    Transform,
    /// `plane`. O3DE's w is Godot's -d.
    Plane,
    /// `aabb`. O3DE's corners are Godot's position and end.
    Aabb,
    /// `color`.
    Color,
    /// The growing containers; an Array.
    Sequence(SequenceKind, Box<Schema>),
    /// `fixed_array` of so many elements; an Array.
    FixedArray(usize, Box<Schema>),
    /// `tuple`, `pair`; an Array.
    Tuple(Vec<Schema>),
    /// The maps; a Dictionary.
    Map(MapKind, Box<(Schema, Schema)>),
    /// `class`: an Object of a registered class, by its full name.
    Class(Box<str>),
    /// `ptr` and `smart_ptr`: what it points to, or Nil.
    Pointer(Box<Schema>),
    /// `record`: a Dictionary with these entries; a class without a name.
    Record(Vec<Field>),
    /// `any`: whatever a `$type` names.
    Any,
    /// `variant`, `optional`, `bitset`.
    Unsupported(UnsupportedKind),
}

/// What a value is to be, and what it is if nothing is said.
#[derive(Clone, Debug, PartialEq)]
pub struct Schema {
    /// The type.
    pub kind: Kind,
    /// The default, if it is not the type's own.
    pub default: Option<Value>,
    /// The type of the value, if it is not the one that the kind has: `as` in descriptors. A
    /// StringName or NodePath is a `string`, a packed array an `array`, a Rect2 a `record`.
    pub variant_type: Option<VariantType>,
    /// How compact bytes hold the values, if not in the way of the kind. JSON is the same with and without.
    pub packing: Option<Packing>,
}

impl Schema {
    /// Whether the values are of the type `ty`, which is the one that the kind has.
    pub(crate) fn has_own_type(&self, ty: VariantType) -> bool {
        self.variant_type.is_none_or(|chosen| chosen == ty)
    }
}

impl From<Kind> for Schema {
    fn from(kind: Kind) -> Schema {
        Schema { kind, default: None, variant_type: None, packing: None }
    }
}
