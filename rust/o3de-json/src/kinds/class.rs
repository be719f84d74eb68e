//! Registered classes (JsonDeserializer::LoadClass, JsonSerializer::StoreClass).

use variant::{Object, Value};

use super::unsupported;
use crate::load::load_value;
use crate::run::Run;
use crate::store::{Step, store_value};
use crate::{Json, Kind, Outcome, ResultCode, Schema, Task};

/// The member that names an object's class.
pub(crate) const TYPE_MEMBER: &str = "$type";

pub(crate) fn load(run: &mut Run<'_>, class: &str, target: &mut Value, json: &Json) -> ResultCode {
    let Json::Object(members) = json else {
        return unsupported(run, json, &format!("`{class}`: write an object"));
    };
    let fields = run.registry.fields(class);
    let Value::Object(object) = target else { return unknown(run, Task::ReadField, class) };
    let Object::Full { properties, .. } = &mut **object else {
        return unknown(run, Task::ReadField, class);
    };
    let mut code = ResultCode::started(Task::ReadField);
    let mut loaded = 0;
    for (name, member) in members.iter().filter(|(name, _)| name != TYPE_MEMBER) {
        // Those of the class come before those of its bases.
        let field = fields.iter().rposition(|field| field.name.eq_ignore_ascii_case(name));
        let Some((field, (_, slot))) =
            field.and_then(|at| Some((fields[at], properties.get_mut(at)?)))
        else {
            let message = format!("`{class}` has no field `{name}`: remove it or correct its name");
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
    if loaded < fields.len() {
        let outcome = if loaded == 0 { Outcome::DefaultsUsed } else { Outcome::PartialDefaults };
        code.add(ResultCode::new(Task::ReadField, outcome));
    }
    code
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
        return (Vec::new(), unknown(run, Task::WriteValue, class));
    };
    let fields = run.registry.fields(class);
    if fields.is_empty() {
        let outcome = if default.is_some() { Outcome::DefaultsUsed } else { Outcome::Success };
        return (Vec::new(), ResultCode::new(Task::WriteValue, outcome));
    }
    let mut code = ResultCode::started(Task::WriteValue);
    let mut members = Vec::new();
    for (field, (_, part)) in fields.iter().zip(properties) {
        let default = default.and_then(crate::kinds::class::properties).and_then(|properties| {
            properties.iter().find(|(name, _)| *name == field.name).map(|(_, value)| value)
        });
        let schema = field_schema(&field.schema);
        let (json, step) = run.at(&field.name, |run| store_value(run, &schema, part, default));
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
fn field_schema(schema: &Schema) -> std::borrow::Cow<'_, Schema> {
    match &schema.kind {
        Kind::Enum(values) if values.values.is_empty() => std::borrow::Cow::Owned(Schema {
            kind: Kind::Int(values.underlying),
            default: schema.default.clone(),
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

fn unknown(run: &mut Run<'_>, task: Task, class: &str) -> ResultCode {
    let message = format!("no class `{class}` is registered for this value: register it");
    run.report(task, Outcome::Unknown, message)
}
