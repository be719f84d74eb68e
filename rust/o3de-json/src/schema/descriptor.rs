//! A schema written as data: as JSON, or as a Dictionary of Godot's.

mod form;
mod members;
mod word;

use godot_variant::{Value, VariantType};

use super::{FloatRepr, Kind, MapKind, Packing, Schema, SequenceKind};
use crate::{Json, Registry};
pub(super) use form::Descriptor;
use members::{enumeration, fields, without_kind};
use word::{number, simple_kind, vector};

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

fn schema<D: Descriptor>(d: &D, registry: &Registry, depth: usize) -> Result<Schema, SchemaError> {
    let Some(depth) = depth.checked_sub(1) else {
        return error(format!(
            "descriptors are nested more than {MAX_DEPTH} levels deep: flatten them"
        ));
    };
    if let Some(id) = d.integer() {
        return match u32::try_from(id).ok().and_then(VariantType::from_id) {
            Some(ty) => Ok(Schema::of_type(ty)),
            None => error(format!(
                "no type of Godot has the number {id}: use a constant such as TYPE_INT"
            )),
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
            _ => error(
                "an empty array is not a valid descriptor: put the descriptor of its elements into it",
            ),
        };
    }
    let Some(members) = d.members() else {
        return error(format!(
            "{} is not a valid descriptor: use a type, a word, an array or a dictionary",
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
    schema.packing = Packing::read(d, &schema.kind)?;
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
            "`{word}` is not a kind, a type of Godot or a registered class: register the class first"
        )),
    }
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
            Some(name) => return error(format!("`{name}` is not a float type: use f32 or f64")),
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
                None => return error(format!("`{word}` is not a valid kind")),
            },
        },
    };
    Ok(kind.into())
}

/// How many elements a fixed container may have: each has a default that is really made.
const MAX_FIXED_COUNT: i64 = 1 << 20;

fn count<D: Descriptor>(d: &D, name: &str) -> Result<usize, SchemaError> {
    match d.member(name).and_then(D::integer) {
        Some(count @ 0..=MAX_FIXED_COUNT) => Ok(count as usize),
        _ => error(format!("`{name}` has to be an integer from 0 to {MAX_FIXED_COUNT}")),
    }
}
