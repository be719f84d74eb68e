//! A schema written as data: as JSON, or as a Dictionary of Godot's.

use variant::{Value, VariantType};

use super::{EnumSchema, FloatRepr, IntRepr, Kind, MapKind, Schema, SequenceKind, UnsupportedKind};
use crate::{Field, Json, Registry};

/// Why a descriptor is none.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct SchemaError(pub(crate) String);

pub(crate) fn error<T>(message: impl Into<String>) -> Result<T, SchemaError> {
    Err(SchemaError(message.into()))
}

impl Schema {
    /// The schema of a descriptor, e.g. `{"kind": "array", "item": {"kind": "int", "repr": "u8"}}`,
    /// or of its short form:
    ///
    /// | short | long |
    /// |---|---|
    /// | `9`, `"Vector3"`: a type of Godot's, by number or name | the kind of [`Schema::of_type`] |
    /// | `"u8"`, `"f32"`, `"string"`, `"uuid"`, `"color"` … | `{"kind": "int", "repr": "u8"}` … |
    /// | `["i32"]` | `{"kind": "array", "item": "i32"}` |
    /// | `["i32", "string"]` | `{"kind": "tuple", "items": ["i32", "string"]}` |
    /// | `"Hero"`: a registered class | `{"kind": "class", "class": "Hero"}` |
    /// | `{"FIRE": 1, "WATER": 2}`: names with a capital, and integers | `{"kind": "enum", "values": {…}}` |
    /// | `{"hp": "u16", "at": "Vector3"}`: any other names | `{"kind": "record", "fields": [{"name": "hp", "type": "u16"}, …]}` |
    ///
    /// ```
    /// use o3de_json::{Json, Kind, Registry, Schema, SequenceKind, IntRepr};
    /// let schema = Schema::from_json(&Json::parse("[\"u8\"]")?, &Registry::default())?;
    /// let item = Kind::Int(IntRepr::U8).into();
    /// assert_eq!(schema.kind, Kind::Sequence(SequenceKind::Array, Box::new(item)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If a kind or a member of it is missing or unknown, or a default does not fit.
    pub fn from_json(json: &Json, registry: &Registry) -> Result<Schema, SchemaError> {
        schema(json, registry, MAX_DEPTH)
    }

    /// As [`Schema::from_json`], of a descriptor that is a value: defaults in it are values too.
    ///
    /// # Errors
    /// As [`Schema::from_json`].
    pub fn from_value(value: &Value, registry: &Registry) -> Result<Schema, SchemaError> {
        schema(value, registry, MAX_DEPTH)
    }
}

/// How deep descriptors may be in each other.
const MAX_DEPTH: usize = 64;

/// What a descriptor can be written in.
trait Descriptor: Sized {
    fn member(&self, name: &str) -> Option<&Self>;
    /// Names and values, if all names are text.
    fn members(&self) -> Option<Vec<(&str, &Self)>>;
    fn elements(&self) -> Option<&[Self]>;
    fn text(&self) -> Option<&str>;
    fn integer(&self) -> Option<i64>;
    /// The value that stands here as a default.
    fn default_of(&self, schema: &Schema, registry: &Registry) -> Result<Value, SchemaError>;
    fn shown(&self) -> String;
}

impl Descriptor for Json {
    fn member(&self, name: &str) -> Option<&Json> {
        self.member(name)
    }

    fn members(&self) -> Option<Vec<(&str, &Json)>> {
        Some(self.as_object()?.iter().map(|(name, value)| (name.as_str(), value)).collect())
    }

    fn elements(&self) -> Option<&[Json]> {
        self.as_array()
    }

    fn text(&self) -> Option<&str> {
        self.as_str()
    }

    fn integer(&self) -> Option<i64> {
        match self {
            Json::Int(number) => Some(*number),
            Json::Uint(number) => Some(*number as i64),
            _ => None,
        }
    }

    fn default_of(&self, schema: &Schema, registry: &Registry) -> Result<Value, SchemaError> {
        schema.value_from_native(self, registry)
    }

    fn shown(&self) -> String {
        self.to_text()
    }
}

impl Descriptor for Value {
    fn member(&self, name: &str) -> Option<&Value> {
        match self {
            Value::Dictionary(dictionary) => dictionary.get(&Value::from(name)),
            _ => None,
        }
    }

    fn members(&self) -> Option<Vec<(&str, &Value)>> {
        let Value::Dictionary(dictionary) = self else { return None };
        dictionary.iter().map(|(key, value)| Some((key.text()?, value))).collect()
    }

    fn elements(&self) -> Option<&[Value]> {
        match self {
            Value::Array(array) => Some(&array.elements),
            _ => None,
        }
    }

    fn text(&self) -> Option<&str> {
        match self {
            Value::String(text) | Value::StringName(text) => Some(text),
            _ => None,
        }
    }

    fn integer(&self) -> Option<i64> {
        match self {
            Value::Int(number) => Some(*number),
            _ => None,
        }
    }

    fn default_of(&self, _: &Schema, _: &Registry) -> Result<Value, SchemaError> {
        Ok(self.clone())
    }

    fn shown(&self) -> String {
        self.brief()
    }
}

fn schema<D: Descriptor>(d: &D, registry: &Registry, depth: usize) -> Result<Schema, SchemaError> {
    let Some(depth) = depth.checked_sub(1) else {
        return error(format!("descriptors nest deeper than {MAX_DEPTH}: flatten them"));
    };
    if let Some(id) = d.integer() {
        return match u32::try_from(id).ok().and_then(VariantType::from_id) {
            Some(ty) => Ok(Schema::of_type(ty)),
            None => error(format!("no type of Godot's has the number {id}: use TYPE_INT, say")),
        };
    }
    if let Some(word) = d.text() {
        return named(word, registry);
    }
    if let Some(items) = d.elements() {
        let mut items = items.iter().map(|item| schema(item, registry, depth));
        return match (items.len(), items.next()) {
            (1, Some(item)) => Ok(Kind::Sequence(SequenceKind::Array, Box::new(item?)).into()),
            (_, Some(first)) => {
                let items = std::iter::once(first).chain(items);
                Ok(Kind::Tuple(items.collect::<Result<_, _>>()?).into())
            }
            _ => error("an empty array is no descriptor: put that of its elements into it"),
        };
    }
    let Some(members) = d.members() else {
        return error(format!(
            "{} is no descriptor: use a type, a word, an array or a dictionary",
            d.shown()
        ));
    };
    if d.member("kind").is_none_or(|kind| kind.text().is_none()) {
        return without_kind(&members, registry, depth);
    }
    with_kind(d, registry, depth)
}

/// A descriptor that says its `kind`, with `as` and `default`.
fn with_kind<D: Descriptor>(
    d: &D,
    registry: &Registry,
    depth: usize,
) -> Result<Schema, SchemaError> {
    let mut schema = kind(d, registry, depth)?;
    if let Some(ty) = d.member("as") {
        let id = ty.integer().and_then(|id| u32::try_from(id).ok());
        let ty = id.and_then(VariantType::from_id).or_else(|| VariantType::from_name(ty.text()?));
        let Some(ty) = ty else {
            return error(
                "`as` names no type of Godot's: use TYPE_STRING_NAME or \"StringName\", say",
            );
        };
        check_type(&schema.kind, ty)?;
        schema.variant_type = Some(ty);
    }
    if let Some(default) = d.member("default") {
        schema.default = Some(default.default_of(&schema, registry)?);
    }
    Ok(schema)
}

/// Whether values of a kind can be of a type that is not its own.
fn check_type(kind: &Kind, ty: VariantType) -> Result<(), SchemaError> {
    use VariantType::*;
    let own = Schema::of_type(ty);
    let fits = match kind {
        Kind::String | Kind::Path | Kind::Uuid => matches!(ty, String | StringName | NodePath),
        Kind::Sequence(..) | Kind::FixedArray(..) | Kind::Tuple(_) => {
            matches!(own.kind, Kind::Sequence(..)) || ty == PackedByteArray
        }
        Kind::Record(_) => matches!(own.kind, Kind::Record(_)) || ty == Dictionary,
        Kind::Transform => matches!(ty, Transform3D | Dictionary),
        Kind::Matrix3x3 => matches!(ty, Basis | Transform2D),
        _ => std::mem::discriminant(kind) == std::mem::discriminant(&own.kind),
    };
    if fits { Ok(()) } else { error(format!("a value of the kind {kind:?} cannot be a {ty}")) }
}

/// One word: a kind, a number's width, a type of Godot's, or a registered class.
fn named(word: &str, registry: &Registry) -> Result<Schema, SchemaError> {
    if let Some(kind) = simple_kind(word) {
        return Ok(kind.into());
    }
    if let Some(ty) = VariantType::from_name(word) {
        return Ok(Schema::of_type(ty));
    }
    match registry.load_type_id(&Json::from(word), None) {
        Ok(crate::TypeId::Class(class)) => {
            Ok(registry.schema_of(&class).unwrap_or(Kind::Any.into()))
        }
        _ => error(format!(
            "`{word}` is no kind, no type of Godot's and no registered class: register the class first"
        )),
    }
}

/// The kinds to which nothing has to be added, and numbers by their width.
fn simple_kind(word: &str) -> Option<Kind> {
    if let Some(repr) = int_repr(word) {
        return Some(Kind::Int(repr));
    }
    Some(match word {
        "bool" => Kind::Bool,
        "int" => Kind::Int(IntRepr::I64),
        "float" | "f64" => Kind::Float(FloatRepr::F64),
        "f32" => Kind::Float(FloatRepr::F32),
        "string" => Kind::String,
        "path" => Kind::Path,
        "uuid" => Kind::Uuid,
        "bytes" => Kind::Bytes,
        "vector2" => Kind::Vector(2),
        "vector3" => Kind::Vector(3),
        "vector4" => Kind::Vector(4),
        "quaternion" => Kind::Quaternion,
        "matrix3x3" => Kind::Matrix3x3,
        "matrix3x4" => Kind::Matrix3x4,
        "matrix4x4" => Kind::Matrix4x4,
        "transform" => Kind::Transform,
        "plane" => Kind::Plane,
        "aabb" => Kind::Aabb,
        "color" => Kind::Color,
        "any" => Kind::Any,
        "variant" => Kind::Unsupported(UnsupportedKind::Variant),
        "optional" => Kind::Unsupported(UnsupportedKind::Optional),
        "bitset" => Kind::Unsupported(UnsupportedKind::Bitset),
        "rid" => Kind::Unsupported(UnsupportedKind::Rid),
        "callable" => Kind::Unsupported(UnsupportedKind::Callable),
        "signal" => Kind::Unsupported(UnsupportedKind::Signal),
        _ => return None,
    })
}

fn kind<D: Descriptor>(d: &D, registry: &Registry, depth: usize) -> Result<Schema, SchemaError> {
    let part = |name| match d.member(name) {
        Some(part) => schema(part, registry, depth),
        None => error(format!("the descriptor `{}` lacks `{name}`: add it", d.shown())),
    };
    let text = |name| d.member(name).and_then(D::text);
    let sequence = |kind| Ok(Kind::Sequence(kind, Box::new(part("item")?)).into());
    let map = |kind| Ok(Kind::Map(kind, Box::new((part("key")?, part("value")?))).into());
    let word = text("kind").unwrap_or_default();
    let kind = match word {
        "int" => Kind::Int(number(text("repr").unwrap_or("i64"))?),
        "float" => Kind::Float(match text("repr") {
            None | Some("f64") => FloatRepr::F64,
            Some("f32") => FloatRepr::F32,
            Some(name) => return error(format!("no float is called `{name}`: use f32 or f64")),
        }),
        "enum" => Kind::Enum(enumeration(d)?),
        "vector2" => vector(2, text("component"))?,
        "vector3" => vector(3, text("component"))?,
        "vector4" => vector(4, text("component"))?,
        "array" => return sequence(SequenceKind::Array),
        "fixed_vector" => return sequence(SequenceKind::FixedVector(count(d, "capacity")?)),
        "set" => return sequence(SequenceKind::Set),
        "unordered_set" => return sequence(SequenceKind::UnorderedSet),
        "unordered_multiset" => return sequence(SequenceKind::UnorderedMultiset),
        "fixed_array" => Kind::FixedArray(count(d, "size")?, Box::new(part("item")?)),
        "tuple" => match d.member("items").and_then(D::elements) {
            Some(items) => Kind::Tuple(
                items.iter().map(|item| schema(item, registry, depth)).collect::<Result<_, _>>()?,
            ),
            None => return error("a tuple lacks `items`: add an array of descriptors"),
        },
        "map" => return map(MapKind::Map),
        "unordered_map" => return map(MapKind::UnorderedMap),
        "unordered_multimap" => return map(MapKind::UnorderedMultimap),
        "class" => match text("class") {
            Some(class) => Kind::Class(class.into()),
            None => return error("a class lacks `class`: add its name"),
        },
        "record" => Kind::Record(fields(d.member("fields"), registry, depth)?),
        "ptr" | "smart_ptr" => Kind::Pointer(Box::new(part("item")?)),
        word => match simple_kind(word) {
            Some(kind) => kind,
            // A type of Godot's, with a default.
            None => match VariantType::from_name(word) {
                Some(ty) => return Ok(Schema::of_type(ty)),
                None => return error(format!("no kind is called `{word}`")),
            },
        },
    };
    Ok(kind.into())
}

/// A dictionary without `kind`: the constants of an enum, or the fields of a record.
///
/// Both may be names and integers, since Godot's types are numbers too. Constants begin with a
/// capital and properties do not, as Godot's style guide has it.
fn without_kind<D: Descriptor>(
    members: &[(&str, &D)],
    registry: &Registry,
    depth: usize,
) -> Result<Schema, SchemaError> {
    if members.is_empty() {
        return error("an empty dictionary is no descriptor, it lacks `kind`: name its fields");
    }
    let is_capital = |(name, _): &&(&str, &D)| name.starts_with(char::is_uppercase);
    let capitals = members.iter().filter(is_capital).count();
    if members.iter().all(|(_, value)| value.integer().is_some()) {
        if capitals == members.len() && capitals > 0 {
            let values = constants(members.iter().copied())?;
            let underlying = IntRepr::I64;
            return Ok(Kind::Enum(EnumSchema { underlying, values }).into());
        }
        if capitals > 0 {
            return error(
                "this is an enum or a record, some of its names begin with a capital: say \
                 {\"kind\": \"enum\", \"values\": …} or {\"kind\": \"record\", \"fields\": …}",
            );
        }
    }
    let field = |(name, part): &(&str, &D)| {
        Ok(Field { name: (*name).into(), schema: schema(*part, registry, depth)? })
    };
    Ok(Kind::Record(members.iter().map(field).collect::<Result<_, SchemaError>>()?).into())
}

/// The fields of a record: objects of `name`, `type` and `default`, or names and descriptors.
fn fields<D: Descriptor>(
    d: Option<&D>,
    registry: &Registry,
    depth: usize,
) -> Result<Vec<Field>, SchemaError> {
    let Some(d) = d else { return error("a record lacks `fields`: add them") };
    let Some(elements) = d.elements() else {
        let members = d.members().unwrap_or_default();
        let field = |(name, part): &(&str, &D)| {
            Ok(Field { name: (*name).into(), schema: schema(*part, registry, depth)? })
        };
        return members.iter().map(field).collect();
    };
    elements
        .iter()
        .map(|field| {
            let name = field.member("name").and_then(D::text);
            let (Some(name), Some(part)) = (name, field.member("type")) else {
                return error("a field of a record lacks `name` or `type`: add it");
            };
            let mut schema = schema(part, registry, depth)?;
            if let Some(default) = field.member("default") {
                schema.default = Some(default.default_of(&schema, registry)?);
            }
            Ok(Field { name: name.into(), schema })
        })
        .collect()
}

fn vector(count: usize, component: Option<&str>) -> Result<Kind, SchemaError> {
    match component {
        None | Some("f32") => Ok(Kind::Vector(count)),
        Some("i32") => Ok(Kind::VectorI(count)),
        Some(name) => error(format!("no vector has components `{name}`: use f32 or i32")),
    }
}

fn int_repr(name: &str) -> Option<IntRepr> {
    use IntRepr::*;
    [I8, I16, I32, I64, U8, U16, U32, U64].into_iter().find(|repr| repr.name() == name)
}

fn number(name: &str) -> Result<IntRepr, SchemaError> {
    match int_repr(name) {
        Some(repr) => Ok(repr),
        None => error(format!("no integer is called `{name}`: use i8 to i64 or u8 to u64")),
    }
}

/// How many elements a fixed container may have: each has a default that is really made.
const MAX_FIXED_COUNT: i64 = 1 << 20;

fn count<D: Descriptor>(d: &D, name: &str) -> Result<usize, SchemaError> {
    match d.member(name).and_then(D::integer) {
        Some(count @ 0..=MAX_FIXED_COUNT) => Ok(count as usize),
        _ => error(format!("`{name}` has to be an integer from 0 to {MAX_FIXED_COUNT}")),
    }
}

fn enumeration<D: Descriptor>(d: &D) -> Result<EnumSchema, SchemaError> {
    let underlying = d.member("underlying").and_then(D::text).unwrap_or("i64");
    let members = d.member("values").and_then(D::members).unwrap_or_default();
    Ok(EnumSchema { underlying: number(underlying)?, values: constants(members.into_iter())? })
}

fn constants<'a, D: Descriptor + 'a>(
    members: impl Iterator<Item = (&'a str, &'a D)>,
) -> Result<Vec<(Box<str>, i64)>, SchemaError> {
    members
        .map(|(name, number)| match number.integer() {
            Some(number) => Ok((name.into(), number)),
            None => error(format!("the enum's constant `{name}` is no integer")),
        })
        .collect()
}
