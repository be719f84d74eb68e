//! From a schema to its layout.

use godot_variant::{PackedType, Shape, VariantType};
use o3de_json::{FloatRepr, IntRepr, Kind, MapKind, Packing, Registry, Schema, SequenceKind};

use crate::fingerprint;
use crate::layout::{Class, Count, Field, Float, Integer, Layout, LayoutError, Node, PackedForm};
use crate::numbers::Steps;

/// The layout of a schema.
pub(super) fn compile(schema: &Schema, registry: &Registry) -> Result<Layout, LayoutError> {
    let mut compiler =
        Compiler { registry, classes: Vec::new(), unfinished: Vec::new(), path: Vec::new() };
    let root = compiler.node(schema)?;
    let is_constant = compiler.least_width(&root) == 0;
    let fingerprint = fingerprint::of(&root, &compiler.classes);
    Ok(Layout { root, classes: compiler.classes, is_constant, fingerprint })
}

struct Compiler<'r> {
    registry: &'r Registry,
    classes: Vec<Class>,
    /// The classes whose fields are not all known yet.
    unfinished: Vec<usize>,
    /// The fields around the part at hand.
    path: Vec<String>,
}

impl Compiler<'_> {
    fn node(&mut self, schema: &Schema) -> Result<Node, LayoutError> {
        let packing = schema.packing.as_ref();
        if let Some(ty) = schema.variant_type.or(own_type(&schema.kind)) {
            if let Some(node) = self.components(ty, packing) {
                return Ok(node);
            }
            if let (Some(ty), Kind::Sequence(_, item)) = (PackedType::of(ty), &schema.kind) {
                let form = packed_form(item.packing.as_ref());
                if let PackedForm::Integers(form) = form {
                    self.check_content(&Node::Integer(form))?;
                }
                return Ok(Node::Packed { ty, form, count: count(packing) });
            }
            if ty == VariantType::PackedStringArray
                && let Kind::Sequence(_, item) = &schema.kind
            {
                let max_length = max_length(item.packing.as_ref());
                return Ok(Node::Strings { count: count(packing), max_length });
            }
        }
        Ok(match &schema.kind {
            Kind::Bool => Node::Bool,
            Kind::Int(repr) => Node::Integer(integer(*repr, packing)),
            Kind::Float(repr) => Node::Float(float(*repr, packing)),
            Kind::Enum(values) => Node::Constant {
                numbers: values.values.iter().map(|(_, number)| *number).collect(),
                other: integer(values.underlying, None),
            },
            Kind::String | Kind::Path | Kind::Uuid => {
                let ty = schema.variant_type.unwrap_or(VariantType::String);
                match packing {
                    Some(Packing::OneOf(texts)) => Node::OneOf { ty, texts: texts.clone() },
                    _ => Node::Text { ty, max_length: max_length(packing) },
                }
            }
            Kind::Bytes => {
                let count = count(packing);
                Node::Packed { ty: PackedType::Byte, form: PackedForm::Bytes, count }
            }
            Kind::Sequence(kind, item) => {
                let count = match kind {
                    SequenceKind::FixedVector(most) => Count::UpTo(*most),
                    _ => count(packing),
                };
                self.array(item, count)?
            }
            Kind::FixedArray(size, item) => self.array(item, Count::Fixed(*size))?,
            Kind::Tuple(items) => {
                let mut nodes = Vec::new();
                for (index, item) in items.iter().enumerate() {
                    nodes.push(self.inside(format!("[{index}]"), item)?);
                }
                Node::Tuple(nodes)
            }
            Kind::Map(kind, types) => self.map(*kind, &types.0, &types.1, count(packing))?,
            Kind::Pointer(item) => Node::Optional(Box::new(self.node(item)?)),
            Kind::Record(fields) => Node::Record(self.fields(fields)?),
            Kind::Class(name) => Node::Object(self.class(name)?),
            Kind::Any => {
                return self.error("a value of any type has no compact form; expected a type");
            }
            kind => return self.error(format!("`{}` has no compact form", kind.word())),
        })
    }

    /// Types with a fixed number of components.
    fn components(&self, ty: VariantType, packing: Option<&Packing>) -> Option<Node> {
        let float = float(FloatRepr::F32, packing);
        Some(match (ty.shape(), packing) {
            (_, Some(Packing::SmallestThree(bits))) if ty == VariantType::Quaternion => {
                Node::Rotation { bits: u32::from(*bits) }
            }
            (Shape::Reals(_), _) => Node::Reals { ty, form: float },
            (Shape::Ints(_), _) => Node::Ints { ty, form: integer(IntRepr::I32, packing) },
            (Shape::Color, _) => Node::Color(float),
            _ => return None,
        })
    }

    fn array(&mut self, item: &Schema, count: Count) -> Result<Node, LayoutError> {
        let item = self.inside("[]".to_owned(), item)?;
        self.check_content(&item)?;
        Ok(Node::Array { item: Box::new(item), count })
    }

    fn map(
        &mut self,
        kind: MapKind,
        key: &Schema,
        value: &Schema,
        count: Count,
    ) -> Result<Node, LayoutError> {
        let key = self.inside("[key]".to_owned(), key)?;
        self.check_content(&key)?;
        let value = self.inside("[value]".to_owned(), value)?;
        let value = match kind {
            MapKind::UnorderedMultimap => {
                self.check_content(&value)?;
                Node::Array { item: Box::new(value), count: Count::Any }
            }
            _ => value,
        };
        Ok(Node::Map { key: Box::new(key), value: Box::new(value), count })
    }

    /// Elements without any bits would let a few bytes stand for billions of them.
    fn check_content(&self, item: &Node) -> Result<(), LayoutError> {
        match self.least_width(item) {
            0 => self.error("elements must have more than one possible value"),
            _ => Ok(()),
        }
    }

    /// How many bits a value takes at least.
    fn least_width(&self, node: &Node) -> usize {
        let all = |fields: &[Field]| -> usize {
            fields.iter().map(|field| self.least_width(&field.node)).sum()
        };
        match node {
            Node::Integer(Integer::Range { min, max }) => usize::from(min < max),
            Node::Constant { numbers, .. } => usize::from(!numbers.is_empty()),
            Node::OneOf { texts, .. } => usize::from(texts.len() > 1),
            Node::Ints { form: Integer::Range { min, max }, .. } => usize::from(min < max),
            Node::Tuple(items) => items.iter().map(|item| self.least_width(item)).sum(),
            Node::Array { item, count: Count::Fixed(size) } => size * self.least_width(item),
            Node::Record(fields) => all(fields),
            // It contains itself in something that takes bits: in an array or a pointer.
            Node::Object(index) if self.unfinished.contains(index) => 1,
            Node::Object(index) => all(&self.classes[*index].fields),
            _ => 1,
        }
    }

    /// A field of an object or an array: one more step of the path.
    fn inside(&mut self, step: String, schema: &Schema) -> Result<Node, LayoutError> {
        self.path.push(step);
        let node = self.node(schema);
        self.path.pop();
        node
    }

    fn fields(&mut self, fields: &[o3de_json::Field]) -> Result<Vec<Field>, LayoutError> {
        let mut compiled = Vec::new();
        for field in fields {
            let node = self.inside(format!(".{}", field.name), &field.schema)?;
            let default = field.schema.default.clone();
            compiled.push(Field { name: field.name.clone(), node, default });
        }
        Ok(compiled)
    }

    /// The index of a class. A class may contain itself, through a pointer or an array.
    fn class(&mut self, name: &str) -> Result<usize, LayoutError> {
        if let Some(known) = self.classes.iter().position(|class| &*class.name == name) {
            return Ok(known);
        }
        if self.registry.class(name).is_none() {
            return self
                .error(format!("the class `{name}` is not registered, or can be any class"));
        }
        let index = self.classes.len();
        self.classes.push(Class { name: name.into(), fields: Vec::new() });
        self.unfinished.push(index);
        let fields = self.fields(self.registry.fields(name));
        self.unfinished.pop();
        self.classes[index].fields = fields?;
        Ok(index)
    }

    fn error<T>(&self, reason: impl Into<String>) -> Result<T, LayoutError> {
        let path = self.path.concat();
        let path = path.strip_prefix('.').unwrap_or(&path).to_owned();
        Err(LayoutError { path, reason: reason.into() })
    }
}

/// The type of a kind with components.
fn own_type(kind: &Kind) -> Option<VariantType> {
    Some(match kind {
        Kind::Vector(2) => VariantType::Vector2,
        Kind::Vector(3) => VariantType::Vector3,
        Kind::Vector(_) => VariantType::Vector4,
        Kind::VectorI(2) => VariantType::Vector2i,
        Kind::VectorI(3) => VariantType::Vector3i,
        Kind::VectorI(_) => VariantType::Vector4i,
        Kind::Quaternion => VariantType::Quaternion,
        Kind::Matrix3x3 => VariantType::Basis,
        Kind::Matrix3x4 => VariantType::Transform3D,
        Kind::Matrix4x4 => VariantType::Projection,
        Kind::Plane => VariantType::Plane,
        Kind::Aabb => VariantType::Aabb,
        Kind::Color => VariantType::Color,
        _ => return None,
    })
}

fn integer(repr: IntRepr, packing: Option<&Packing>) -> Integer {
    if let Some(Packing::Range { min, max }) = packing {
        return Integer::Range { min: *min, max: *max };
    }
    let (min, max) = repr.range();
    match repr {
        IntRepr::I8 | IntRepr::I16 | IntRepr::U8 | IntRepr::U16 => {
            Integer::Range { min: min as i64, max: max as i64 }
        }
        IntRepr::I32 | IntRepr::I64 => Integer::Signed { min: min as i64, max: max as i64 },
        IntRepr::U32 | IntRepr::U64 => Integer::Unsigned { max: max as u64 },
    }
}

fn float(repr: FloatRepr, packing: Option<&Packing>) -> Float {
    match (packing, repr) {
        (Some(Packing::Steps { min, max, step }), _) => Float::Steps(Steps::new(*min, *max, *step)),
        (Some(Packing::Angle(bits)), _) => Float::Angle { bits: u32::from(*bits) },
        (_, FloatRepr::F32) => Float::F32,
        (_, FloatRepr::F64) => Float::F64,
    }
}

fn packed_form(packing: Option<&Packing>) -> PackedForm {
    match packing {
        Some(Packing::Range { min, max }) => {
            PackedForm::Integers(Integer::Range { min: *min, max: *max })
        }
        Some(Packing::Steps { .. } | Packing::Angle(_)) => {
            PackedForm::Floats(float(FloatRepr::F64, packing))
        }
        _ => PackedForm::Bytes,
    }
}

fn max_length(packing: Option<&Packing>) -> Option<usize> {
    match packing {
        Some(Packing::MaxLength(length)) => Some(*length),
        _ => None,
    }
}

fn count(packing: Option<&Packing>) -> Count {
    max_length(packing).map_or(Count::Any, Count::UpTo)
}
