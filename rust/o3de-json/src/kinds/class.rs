//! Registered classes (JsonDeserializer::LoadClass, JsonSerializer::StoreClass).

use godot_variant::{Object, Value};

use super::unsupported;
use crate::load::load_value;
use crate::run::Run;
use crate::store::{Step, store_value};
use crate::{Field, Json, Kind, Outcome, ResultCode, Schema, Task};

/// The member that names an object's class.
pub(crate) const TYPE_MEMBER: &str = "$type";

/// The places of a class's or a record's fields.
pub(crate) trait Slots {
    /// The place of the field with this number.
    fn slot(&mut self, index: usize) -> Option<&mut Value>;
}

impl Slots for Vec<(Box<str>, Value)> {
    fn slot(&mut self, index: usize) -> Option<&mut Value> {
        self.get_mut(index).map(|(_, value)| value)
    }
}

impl Slots for Vec<Value> {
    fn slot(&mut self, index: usize) -> Option<&mut Value> {
        self.get_mut(index)
    }
}

pub(crate) fn load(run: &mut Run<'_>, class: &str, target: &mut Value, json: &Json) -> ResultCode {
    let Json::Object(members) = json else {
        return unsupported(run, json, &format!("`{class}`: write an object"));
    };
    let fields = run.registry.fields(class);
    let Value::Object(object) = target else { return unknown(run, class) };
    let Object::Full { properties, .. } = &mut **object else {
        return unknown(run, class);
    };
    load_fields(run, class, fields, members, properties)
}

/// Loads the members of an object into the places of the fields that they name.
pub(crate) fn load_fields(
    run: &mut Run<'_>,
    owner: &str,
    fields: &[Field],
    members: &[(String, Json)],
    slots: &mut impl Slots,
) -> ResultCode {
    let mut code = ResultCode::started(Task::ReadField);
    let mut loaded = 0;
    for (index, (name, member)) in members.iter().enumerate() {
        if name == TYPE_MEMBER {
            continue;
        }
        let field = position(fields, index, name);
        let Some((field, slot)) = field.and_then(|at| Some((&fields[at], slots.slot(at)?))) else {
            let message = format!("`{owner}` has no field `{name}`: remove it or correct its name");
            code.add(run.at(name, |run| run.report(Task::ReadField, Outcome::Skipped, message)));
            continue;
        };
        let schema = field_schema(&field.schema);
        let step = run.at(name, |run| load_value(run, &schema, slot, member));
        if step.is_halted() {
            return step;
        }
        code.add(step);
        loaded += usize::from(!step.is_refused());
    }
    if let Some(outcome) = outcome_of_fields(loaded, fields.len()) {
        code.add(ResultCode::new(Task::ReadField, outcome));
    }
    code
}

/// What it means that `loaded` fields of `count` are there; nothing if all are.
pub(crate) fn outcome_of_fields(loaded: usize, count: usize) -> Option<Outcome> {
    match loaded {
        _ if loaded >= count => None,
        0 => Some(Outcome::DefaultsUsed),
        _ => Some(Outcome::PartialDefaults),
    }
}

/// The index of the field with this name. `fields` starts with those of the bases; a field of the class itself is
/// preferred. Most members are in the order of the fields, so the search starts at the index `expected`.
fn position(fields: &[Field], expected: usize, name: &str) -> Option<usize> {
    let is_named =
        |field: &Field| field.name.len() == name.len() && field.name.eq_ignore_ascii_case(name);
    let (before, rest) = fields.split_at(expected.min(fields.len()));
    let behind = rest.iter().rposition(is_named).map(|at| before.len() + at);
    behind.or_else(|| before.iter().rposition(is_named))
}

pub(crate) fn store(
    run: &mut Run<'_>,
    class: &str,
    value: &Value,
    default: Option<&Value>,
) -> Step {
    let (json, code) = store_members(run, class, value, default);
    (Json::Object(json), code)
}

/// The members of an object, those of its bases first; what is its default is left out.
pub(crate) fn store_members(
    run: &mut Run<'_>,
    class: &str,
    value: &Value,
    default: Option<&Value>,
) -> (Vec<(String, Json)>, ResultCode) {
    let (Some(properties), Some(_)) = (properties(value), run.registry.class(class)) else {
        return (Vec::new(), unknown(run, class));
    };
    let fields = run.registry.fields(class);
    let defaults = default.and_then(self::properties);
    store_fields(
        run,
        fields,
        default.is_some(),
        |at| properties.get(at).map(|(_, value)| value),
        |at| {
            let defaults = defaults?;
            let name = &fields[at].name;
            let same = defaults.get(at).filter(|(known, _)| known == name);
            same.or_else(|| defaults.iter().find(|(known, _)| known == name)).map(|(_, v)| v)
        },
    )
}

/// The members for the fields of a class or a record.
pub(crate) fn store_fields<'v>(
    run: &mut Run<'_>,
    fields: &[Field],
    has_default: bool,
    part: impl Fn(usize) -> Option<&'v Value>,
    default: impl Fn(usize) -> Option<&'v Value>,
) -> (Vec<(String, Json)>, ResultCode) {
    if fields.is_empty() {
        let outcome = if has_default { Outcome::DefaultsUsed } else { Outcome::Success };
        return (Vec::new(), ResultCode::new(Task::WriteValue, outcome));
    }
    let mut code = ResultCode::started(Task::WriteValue);
    let mut members = Vec::with_capacity(fields.len());
    for (index, field) in fields.iter().enumerate() {
        let Some(part) = part(index) else { continue };
        let default = default(index);
        let schema = field_schema(&field.schema);
        let (json, step) = run.at(&*field.name, |run| store_value(run, &schema, part, default));
        code.add(step);
        if step.is_halted() {
            break;
        }
        // An object where the default is none is more than a default.
        let is_new = default == Some(&Value::Nil) && *part != Value::Nil;
        if default.is_none() || is_new || step.outcome() != Outcome::DefaultsUsed {
            members.push((field.name.to_string(), json));
        }
    }
    (members, code)
}

/// An enum that was never registered is to a field the integer below it.
pub(crate) fn field_schema(schema: &Schema) -> std::borrow::Cow<'_, Schema> {
    match &schema.kind {
        Kind::Enum(values) if values.values.is_empty() => std::borrow::Cow::Owned(Schema {
            kind: Kind::Int(values.underlying),
            default: schema.default.clone(),
            variant_type: None,
            packing: None,
        }),
        _ => std::borrow::Cow::Borrowed(schema),
    }
}

fn properties(value: &Value) -> Option<&[(Box<str>, Value)]> {
    match value {
        Value::Object(object) => match &**object {
            Object::Full { properties, .. } => Some(properties),
            _ => None,
        },
        _ => None,
    }
}

pub(crate) fn unknown(run: &mut Run<'_>, class: &str) -> ResultCode {
    let message = format!("the class `{class}` of this value is not registered: register it");
    run.report(Task::RetrieveInfo, Outcome::Unknown, message)
}
