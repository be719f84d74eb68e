//! Dictionaries without `kind`, the fields of records and the constants of enums.

use super::form::Descriptor;
use super::word::number;
use super::{SchemaError, error, schema};
use crate::schema::{Constants, EnumSchema, IntRepr, Kind};
use crate::{Field, Registry, Schema};

/// A dictionary without `kind`: the constants of an enum, or the fields of a record.
///
/// Both may be names and integers, since Godot's types are numbers too. Constants begin with a
/// capital and properties do not, as Godot's style guide has it.
pub(super) fn without_kind<D: Descriptor>(
    members: &[(&str, &D)],
    registry: &Registry,
    depth: usize,
) -> Result<Schema, SchemaError> {
    if members.is_empty() {
        return error(
            "an empty dictionary is not a valid descriptor, it lacks `kind`: name its fields",
        );
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
pub(super) fn fields<D: Descriptor>(
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

pub(super) fn enumeration<D: Descriptor>(d: &D) -> Result<EnumSchema, SchemaError> {
    let underlying = d.member("underlying").and_then(D::text).unwrap_or("i64");
    let members = d.member("values").and_then(D::members).unwrap_or_default();
    Ok(EnumSchema { underlying: number(underlying)?, values: constants(members.into_iter())? })
}

fn constants<'a, D: Descriptor + 'a>(
    members: impl Iterator<Item = (&'a str, &'a D)>,
) -> Result<Constants, SchemaError> {
    members
        .map(|(name, number)| match number.integer() {
            Some(number) => Ok((name.into(), number)),
            None => error(format!("the enum's constant `{name}` is not an integer")),
        })
        .collect()
}
