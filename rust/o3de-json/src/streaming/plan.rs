//! Which parts of a schema can be streamed. The rule of each type is in its file in `kinds`.

use std::borrow::Cow;

use godot_variant::Value;

use super::Builder;
use crate::kinds::class::field_schema;
use crate::kinds::color::StreamedColor;
use crate::kinds::enumeration::StreamedEnum;
use crate::kinds::float::StreamedFloat;
use crate::kinds::integer::StreamedInt;
use crate::kinds::packed::StreamedPacked;
use crate::kinds::sequence::StreamedSequence;
use crate::kinds::string::StreamedString;
use crate::kinds::vector::StreamedVector;
use crate::kinds::{boolean, map, record};
use crate::schema::MapKind;
use crate::{Field, Kind, Registry, Schema, Settings};

/// How the values of a schema are streamed.
pub(crate) enum Node<'s, B: Builder> {
    /// They are not: each is read into a tree and loaded by the rules of its kind.
    Tree,
    Bool,
    Int(StreamedInt),
    Float(StreamedFloat),
    String(StreamedString),
    Enum(StreamedEnum<'s>),
    Vector(StreamedVector),
    Color(StreamedColor),
    Packed(StreamedPacked),
    PackedStrings(Box<Child<'s, B>>),
    Array(Box<Child<'s, B>>),
    /// With strings for keys; the child is the type of the values.
    Map(MapKind, Box<Child<'s, B>>),
    Record(Box<RecordNode<'s, B>>),
}

/// The schema of the elements of a container, or of a field of a record, and how they are streamed.
pub(crate) struct Child<'s, B: Builder> {
    pub(crate) schema: Cow<'s, Schema>,
    pub(crate) node: Node<'s, B>,
}

/// A record. The names of its fields differ by more than their case.
pub(crate) struct RecordNode<'s, B: Builder> {
    pub(crate) fields: &'s [Field],
    pub(crate) children: Vec<Child<'s, B>>,
    /// The value of each field that is left out.
    pub(crate) defaults: Vec<Value>,
    pub(crate) names: B::Names,
}

impl<'s, B: Builder> Node<'s, B> {
    /// How values of `schema`, which start as its default, are streamed.
    pub(super) fn new(
        schema: &'s Schema,
        registry: &Registry,
        settings: Settings,
        builder: &B,
    ) -> Node<'s, B> {
        let child = |item: &'s Schema| {
            let node = Node::new(item, registry, settings, builder);
            Box::new(Child { schema: Cow::Borrowed(item), node })
        };
        let node = match &schema.kind {
            Kind::Bool => boolean::is_streamed(schema).then_some(Node::Bool),
            Kind::Int(repr) => StreamedInt::new(schema, *repr).map(Node::Int),
            Kind::Float(repr) => StreamedFloat::new(schema, *repr).map(Node::Float),
            Kind::String => StreamedString::new(schema).map(Node::String),
            Kind::Enum(values) => StreamedEnum::new(schema, values).map(Node::Enum),
            Kind::Vector(count) => StreamedVector::new(schema, *count).map(Node::Vector),
            Kind::Color => StreamedColor::new(schema, settings).map(Node::Color),
            Kind::Sequence(kind, item) => {
                StreamedSequence::new(schema, *kind, item).map(|sequence| match sequence {
                    StreamedSequence::Array => Node::Array(child(item)),
                    StreamedSequence::PackedStrings => Node::PackedStrings(child(item)),
                    StreamedSequence::Packed(packed) => Node::Packed(packed),
                })
            }
            Kind::Map(kind, types) => {
                map::is_streamed(schema, *kind, &types.0).then(|| Node::Map(*kind, child(&types.1)))
            }
            Kind::Record(fields) => record::is_streamed(schema, fields).then(|| {
                let child = |field| child_of(field, registry, settings, builder);
                Node::Record(Box::new(RecordNode {
                    fields,
                    children: fields.iter().map(child).collect(),
                    defaults: fields.iter().map(|f| f.schema.default_value(registry)).collect(),
                    names: builder.names(fields.iter().map(|field| &*field.name)),
                }))
            }),
            _ => None,
        };
        node.unwrap_or(Node::Tree)
    }

    /// Whether values can be written, too. Sorted containers and the kinds in trees cannot.
    pub(super) fn is_written(&self) -> bool {
        match self {
            Node::Tree => false,
            Node::Array(item) => item.node.is_written(),
            Node::Map(kind, value) => *kind == MapKind::Map && value.node.is_written(),
            Node::Record(record) => record.children.iter().all(|child| child.node.is_written()),
            _ => true,
        }
    }
}

/// The child of a field. For a field, an enum that was never registered is its underlying integer.
fn child_of<'s, B: Builder>(
    field: &'s Field,
    registry: &Registry,
    settings: Settings,
    builder: &B,
) -> Child<'s, B> {
    let schema = field_schema(&field.schema);
    let node = match schema {
        Cow::Borrowed(schema) => Node::new(schema, registry, settings, builder),
        Cow::Owned(_) => Node::Tree,
    };
    Child { schema, node }
}

/// Whether a value of `schema` may be an object, or have one in it.
pub(super) fn holds_objects(schema: &Schema) -> bool {
    schema.default.as_ref().is_some_and(is_or_holds_object)
        || match &schema.kind {
            Kind::Class(_) | Kind::Pointer(_) | Kind::Any => true,
            Kind::Sequence(_, item) | Kind::FixedArray(_, item) => holds_objects(item),
            Kind::Tuple(items) => items.iter().any(holds_objects),
            Kind::Map(_, types) => holds_objects(&types.0) || holds_objects(&types.1),
            Kind::Record(fields) => fields.iter().any(|field| holds_objects(&field.schema)),
            _ => false,
        }
}

fn is_or_holds_object(value: &Value) -> bool {
    match value {
        Value::Object(_) => true,
        Value::Array(array) => array.elements.iter().any(is_or_holds_object),
        Value::Dictionary(dictionary) => dictionary
            .iter()
            .any(|(key, value)| is_or_holds_object(key) || is_or_holds_object(value)),
        _ => false,
    }
}
