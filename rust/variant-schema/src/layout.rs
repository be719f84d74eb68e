//! The places of all parts of a value: what is left of a schema for the bytes.

mod compile;

use godot_variant::{PackedType, Refusal, Sink, Source, Value, VariantType};
use o3de_json::{Registry, Schema};

use crate::bits::{BitReader, BitWriter};
use crate::numbers::Steps;
use crate::{decode, encode};

/// The form of compact bytes, made of a schema.
///
/// Two layouts with the same [`Layout::fingerprint`] read and write the same bytes.
#[derive(Clone, Debug)]
pub struct Layout {
    pub(crate) root: Node,
    /// The classes that the schema names, by their indices.
    pub(crate) classes: Vec<Class>,
    /// Whether there is only one value, which takes no bits.
    pub(crate) is_constant: bool,
    fingerprint: u64,
}

/// Why a schema has no compact form: the path to the part, and the reason.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}{reason}", if path.is_empty() { String::new() } else { format!("{path}: ") })]
pub struct LayoutError {
    /// The fields that lead to the part: `hero.items[]`.
    pub path: String,
    /// The reason.
    pub reason: String,
}

/// A class and its fields.
#[derive(Clone, Debug)]
pub(crate) struct Class {
    pub(crate) name: Box<str>,
    pub(crate) fields: Vec<Field>,
}

/// A field of a record or class.
#[derive(Clone, Debug)]
pub(crate) struct Field {
    pub(crate) name: Box<str>,
    pub(crate) node: Node,
    /// The value of a field that a record lacks.
    pub(crate) default: Option<Value>,
}

/// The form of one value.
#[derive(Clone, Debug)]
pub(crate) enum Node {
    Bool,
    Integer(Integer),
    /// The index of one of these numbers, or their count and then the number.
    Constant {
        numbers: Vec<i64>,
        other: Integer,
    },
    Float(Float),
    Text {
        ty: VariantType,
        max_length: Option<usize>,
    },
    /// The index of one of these texts.
    OneOf {
        ty: VariantType,
        texts: Vec<Box<str>>,
    },
    /// The components of a vector, a transform and the like.
    Reals {
        ty: VariantType,
        form: Float,
    },
    Ints {
        ty: VariantType,
        form: Integer,
    },
    Color(Float),
    /// A quaternion as its three smallest components.
    Rotation {
        bits: u32,
    },
    /// A packed array, as the bytes of its elements or element by element.
    Packed {
        ty: PackedType,
        form: PackedForm,
        count: Count,
    },
    Strings {
        count: Count,
        max_length: Option<usize>,
    },
    Array {
        item: Box<Node>,
        count: Count,
    },
    Tuple(Vec<Node>),
    Map {
        key: Box<Node>,
        value: Box<Node>,
        count: Count,
    },
    /// Null, or a value.
    Optional(Box<Node>),
    Record(Vec<Field>),
    /// An object of the class with this index.
    Object(usize),
}

/// The form of an integer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Integer {
    /// The distance from `min`, in a fixed number of bits.
    Range { min: i64, max: i64 },
    /// A number with a sign, in 7-bit groups.
    Signed { min: i64, max: i64 },
    /// A number of 32 or 64 bits without a sign, in 7-bit groups.
    Unsigned { max: u64 },
}

/// The form of a floating-point number.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Float {
    F32,
    F64,
    Steps(Steps),
    Angle { bits: u32 },
}

/// The form of a packed array's elements.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum PackedForm {
    Bytes,
    Integers(Integer),
    Floats(Float),
}

/// How many elements a container has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Count {
    Fixed(usize),
    UpTo(usize),
    Any,
}

impl Layout {
    /// The form of the values of a schema.
    ///
    /// # Errors
    /// If the schema has no compact form: it contains `any`, a class that is not registered, or elements without content.
    pub fn new(schema: &Schema, registry: &Registry) -> Result<Self, LayoutError> {
        compile::compile(schema, registry)
    }

    /// A number that changes with everything that changes the bytes: names and order of fields, types, ranges and lists.
    pub fn fingerprint(&self) -> u64 {
        self.fingerprint
    }

    /// The bytes of a value.
    ///
    /// # Errors
    /// If a part of the value does not fit the schema, with the path to it.
    pub fn encode(&self, value: &impl Source) -> Result<Vec<u8>, Refusal> {
        let mut bits = BitWriter::default();
        value.emit(encode::Place::new(self, &mut bits))?;
        Ok(bits.finish())
    }

    /// Fills `sink` with the value of `bytes`.
    ///
    /// # Errors
    /// If the bytes are not those of a value of this layout, with the offset; or if the sink refuses the value.
    pub fn decode<S: Sink>(&self, bytes: &[u8], sink: S) -> Result<(), Refusal> {
        let reader = decode::Bits::new(BitReader::new(bytes));
        decode::Part::new(self, &reader).emit(sink)?;
        reader.expect_end()
    }

    /// The names of the fields of the outermost value, if it is a record or an object.
    pub fn field_names(&self) -> Option<impl ExactSizeIterator<Item = &str>> {
        Some(self.fields()?.iter().map(|field| &*field.name))
    }

    /// The bytes of a record or object, of which `value_of` emits each field by its index.
    ///
    /// # Errors
    /// What `value_of` returns, with the field's name before its path.
    pub fn encode_fields(
        &self,
        mut value_of: impl FnMut(usize, encode::Place<'_>) -> Result<(), Refusal>,
    ) -> Result<Vec<u8>, Refusal> {
        let mut bits = BitWriter::default();
        for (index, field) in self.fields().unwrap_or_default().iter().enumerate() {
            value_of(index, encode::Place::of(self, &field.node, &mut bits))
                .map_err(|refusal| refusal.at(encode::segment(&field.name, self.what())))?;
        }
        Ok(bits.finish())
    }

    /// Hands each field of a record or object to `take`, by its index.
    ///
    /// # Errors
    /// As [`Layout::decode`], and what `take` returns, with the field's name before its path.
    pub fn decode_fields(
        &self,
        bytes: &[u8],
        mut take: impl FnMut(usize, decode::Part<'_>) -> Result<(), Refusal>,
    ) -> Result<(), Refusal> {
        let reader = decode::Bits::new(BitReader::new(bytes));
        for (index, field) in self.fields().unwrap_or_default().iter().enumerate() {
            take(index, decode::Part::of(self, &field.node, &reader))
                .map_err(|refusal| refusal.at(encode::segment(&field.name, self.what())))?;
        }
        reader.expect_end()
    }

    /// The class of the outermost value, if it is an object.
    pub fn class(&self) -> Option<&str> {
        match &self.root {
            Node::Object(index) => Some(&self.classes[*index].name),
            _ => None,
        }
    }

    /// Whether reading a value needs no care: it makes no objects, and neither keys nor names that can be made to collide.
    pub fn is_harmless(&self) -> bool {
        is_harmless(&self.root)
    }

    /// Whether the values may contain objects.
    pub fn has_objects(&self) -> bool {
        !self.classes.is_empty()
    }

    /// Whether the fields of the outermost value may contain objects.
    pub fn has_objects_in_fields(&self) -> bool {
        self.fields().is_some_and(|fields| fields.iter().any(|field| has_objects(&field.node)))
    }

    /// Whether reading each field of the outermost value needs no care.
    pub fn has_harmless_fields(&self) -> bool {
        self.fields().is_some_and(|fields| fields.iter().all(|field| is_harmless(&field.node)))
    }

    /// The type of the outermost value, if it has fields.
    fn what(&self) -> VariantType {
        if self.class().is_some() { VariantType::Object } else { VariantType::Dictionary }
    }

    fn fields(&self) -> Option<&[Field]> {
        match &self.root {
            Node::Record(fields) => Some(fields),
            Node::Object(index) => Some(&self.classes[*index].fields),
            _ => None,
        }
    }
}

fn is_harmless(node: &Node) -> bool {
    match node {
        Node::Map { .. } | Node::Object(_) => false,
        Node::Text { ty, .. } => *ty == VariantType::String,
        Node::Array { item, .. } | Node::Optional(item) => is_harmless(item),
        Node::Tuple(items) => items.iter().all(is_harmless),
        Node::Record(fields) => fields.iter().all(|field| is_harmless(&field.node)),
        _ => true,
    }
}

fn has_objects(node: &Node) -> bool {
    match node {
        Node::Object(_) => true,
        Node::Array { item, .. } | Node::Optional(item) => has_objects(item),
        Node::Map { value, .. } => has_objects(value),
        Node::Tuple(items) => items.iter().any(has_objects),
        Node::Record(fields) => fields.iter().any(|field| has_objects(&field.node)),
        _ => false,
    }
}
