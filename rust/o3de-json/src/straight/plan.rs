//! Which short way each part of a schema takes.

use std::borrow::Cow;

use variant::{ContainerType, PackedType, StringKind, Value, VariantType};

use super::Builder;
use crate::kinds::class::{TYPE_MEMBER, field_schema};
use crate::schema::{EnumSchema, FloatRepr, IntRepr, MapKind, SequenceKind};
use crate::{Field, Kind, Registry, Schema, Settings};

/// The way of one type.
pub(super) enum Node<'s, B: Builder> {
    /// The general rules, by a tree of this value.
    General,
    Bool,
    /// The smallest and the greatest number.
    Int(i64, i64),
    Float(FloatRepr),
    String(StringKind),
    Enum(&'s EnumSchema),
    /// How many components.
    Vector(usize),
    /// Whether a channel may be written as an integer.
    Color(bool),
    Array(Box<Part<'s, B>>),
    PackedFloats(PackedType, FloatRepr),
    PackedInts(PackedType, IntRepr),
    PackedVectors(PackedType, usize),
    PackedStrings(Box<Part<'s, B>>),
    /// With strings for keys.
    Map(MapKind, Box<Part<'s, B>>),
    Record(Box<RecordNode<'s, B>>),
}

/// A part of a container: what it is to be, and the way to it.
pub(super) struct Part<'s, B: Builder> {
    pub(super) schema: Cow<'s, Schema>,
    pub(super) node: Node<'s, B>,
}

/// A record with names that differ by more than their case.
pub(super) struct RecordNode<'s, B: Builder> {
    pub(super) fields: &'s [Field],
    pub(super) parts: Vec<Part<'s, B>>,
    /// What a field is that is left out.
    pub(super) defaults: Vec<Value>,
    pub(super) names: B::Names,
}

impl<'s, B: Builder> Part<'s, B> {
    fn new(schema: Cow<'s, Schema>, node: Node<'s, B>) -> Box<Part<'s, B>> {
        Box::new(Part { schema, node })
    }
}

impl<'s, B: Builder> Node<'s, B> {
    /// The way to values of `schema`, which begin as its default.
    pub(super) fn new(
        schema: &'s Schema,
        registry: &Registry,
        settings: Settings,
        builder: &B,
    ) -> Node<'s, B> {
        let part = |item: &'s Schema| {
            Part::new(Cow::Borrowed(item), Node::new(item, registry, settings, builder))
        };
        let is = |ty| schema.variant_type.is_none_or(|wanted| wanted == ty);
        match &schema.kind {
            Kind::Bool if is(VariantType::Bool) => Node::Bool,
            Kind::Int(repr) if is(VariantType::Int) => {
                let (min, max) = repr.range();
                Node::Int(min as i64, max.min(i64::MAX.into()) as i64)
            }
            Kind::Float(repr) if is(VariantType::Float) => Node::Float(*repr),
            Kind::String => match (schema.variant_type, &schema.default) {
                (None | Some(VariantType::String), None | Some(Value::String(_))) => {
                    Node::String(StringKind::String)
                }
                (Some(VariantType::StringName), _) => Node::String(StringKind::StringName),
                _ => Node::General,
            },
            Kind::Enum(values) if is(VariantType::Int) => Node::Enum(values),
            Kind::Vector(count @ 2..=4) if is(vector_type(*count)) => Node::Vector(*count),
            Kind::Color if is(VariantType::Color) => {
                Node::Color(settings.profile == crate::Profile::Doc)
            }
            Kind::Sequence(SequenceKind::Array, item) if begins_empty(schema) => {
                match schema.variant_type {
                    None | Some(VariantType::Array) => Node::Array(part(item)),
                    Some(VariantType::PackedStringArray) if **item == Kind::String.into() => {
                        Node::PackedStrings(part(item))
                    }
                    Some(ty) => packed(ty, item),
                }
            }
            Kind::Map(kind @ (MapKind::Map | MapKind::UnorderedMap), types)
                if is(VariantType::Dictionary) && begins_empty(schema) =>
            {
                let has_names = types.0 == Kind::String.into() || types.0.kind == Kind::Any;
                if has_names { Node::Map(*kind, part(&types.1)) } else { Node::General }
            }
            Kind::Record(fields) if is_plain(schema, fields) => {
                let parts = fields.iter().map(|field| *part_of(field, registry, settings, builder));
                Node::Record(Box::new(RecordNode {
                    fields,
                    parts: parts.collect(),
                    defaults: fields.iter().map(|f| f.schema.default_value(registry)).collect(),
                    names: builder.names(fields.iter().map(|field| &*field.name)),
                }))
            }
            _ => Node::General,
        }
    }
}

impl<B: Builder> Node<'_, B> {
    /// Whether all of it can be stored straight. What is sorted cannot, and what has rules of its own.
    pub(super) fn is_stored(&self) -> bool {
        match self {
            Node::General => false,
            Node::Array(item) => item.node.is_stored(),
            Node::Map(kind, value) => *kind == MapKind::Map && value.node.is_stored(),
            Node::Record(record) => record.parts.iter().all(|part| part.node.is_stored()),
            _ => true,
        }
    }
}

/// An enum that was never registered is to a field the integer below it.
fn part_of<'s, B: Builder>(
    field: &'s Field,
    registry: &Registry,
    settings: Settings,
    builder: &B,
) -> Box<Part<'s, B>> {
    match field_schema(&field.schema) {
        Cow::Borrowed(schema) => {
            Part::new(Cow::Borrowed(schema), Node::new(schema, registry, settings, builder))
        }
        owned @ Cow::Owned(_) => Part::new(owned, Node::General),
    }
}

fn packed<'s, B: Builder>(ty: VariantType, item: &Schema) -> Node<'s, B> {
    if item.default.is_some() || item.variant_type.is_some() {
        return Node::General;
    }
    match (ty, &item.kind) {
        (VariantType::PackedFloat64Array, Kind::Float(repr)) => {
            Node::PackedFloats(PackedType::Float64, *repr)
        }
        (VariantType::PackedFloat32Array, Kind::Float(repr)) => {
            Node::PackedFloats(PackedType::Float32, *repr)
        }
        (VariantType::PackedInt64Array, Kind::Int(repr)) => {
            Node::PackedInts(PackedType::Int64, *repr)
        }
        (VariantType::PackedInt32Array, Kind::Int(repr)) => {
            Node::PackedInts(PackedType::Int32, *repr)
        }
        (VariantType::PackedVector2Array, Kind::Vector(2)) => {
            Node::PackedVectors(PackedType::Vector2, 2)
        }
        (VariantType::PackedVector3Array, Kind::Vector(3)) => {
            Node::PackedVectors(PackedType::Vector3, 3)
        }
        (VariantType::PackedVector4Array, Kind::Vector(4)) => {
            Node::PackedVectors(PackedType::Vector4, 4)
        }
        _ => Node::General,
    }
}

fn vector_type(count: usize) -> VariantType {
    match count {
        2 => VariantType::Vector2,
        3 => VariantType::Vector3,
        _ => VariantType::Vector4,
    }
}

/// Whether a container's default has no elements that others would be added to, and no type.
fn begins_empty(schema: &Schema) -> bool {
    match &schema.default {
        None => true,
        Some(Value::Array(array)) => {
            array.elements.is_empty() && array.element_type == ContainerType::Any
        }
        Some(Value::Dictionary(dictionary)) => {
            let types = [&dictionary.key_type, &dictionary.value_type];
            dictionary.is_empty() && types.iter().all(|ty| **ty == ContainerType::Any)
        }
        Some(_) => false,
    }
}

/// Whether a record is a Dictionary of its fields, each of which is found by its name alone.
fn is_plain(schema: &Schema, fields: &[Field]) -> bool {
    let is_unique = |(at, field): (usize, &Field)| {
        *field.name != *TYPE_MEMBER
            && fields[..at].iter().all(|known| !known.name.eq_ignore_ascii_case(&field.name))
    };
    schema.default.is_none()
        && schema.variant_type.is_none_or(|ty| ty == VariantType::Dictionary)
        && !fields.is_empty()
        && fields.iter().enumerate().all(is_unique)
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
