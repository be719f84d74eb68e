//! `plane` and `aabb`: classes of O3DE with members of numbers, values of one type in Godot.

use godot_variant::Value;

use super::class::load_fields;
use super::unsupported;
use crate::run::Run;
use crate::store::{Step, misfit, store_value};
use crate::{Field, Json, Kind, ResultCode, Schema, Task};

/// The members of a kind, in order.
fn members(kind: &Kind) -> &'static [(&'static str, usize)] {
    match kind {
        Kind::Plane => &[("plane", 4)],
        _ => &[("min", 3), ("max", 3)],
    }
}

/// The members for a message, such as `min (3 numbers) and max (3 numbers)`.
fn wanted(kind: &Kind) -> String {
    let member = |(name, count): &(&str, usize)| format!("{name} ({count} numbers)");
    members(kind).iter().map(member).collect::<Vec<_>>().join(" and ")
}

/// The members' numbers. O3DE's plane is n·p + w = 0 and Godot's n·p = d; O3DE's box has its two
/// corners and Godot's its position and size.
fn split(kind: &Kind, value: &Value) -> Option<Vec<Value>> {
    Some(match (kind, value) {
        (Kind::Plane, &Value::Plane([x, y, z, d])) => vec![Value::Vector4([x, y, z, 0.0 - d])],
        (Kind::Aabb, &Value::Aabb([x, y, z, sx, sy, sz])) => {
            vec![Value::Vector3([x, y, z]), Value::Vector3([x + sx, y + sy, z + sz])]
        }
        _ => return None,
    })
}

fn join(parts: &[Value]) -> Option<Value> {
    Some(match *parts {
        [Value::Vector4([x, y, z, w])] => Value::Plane([x, y, z, 0.0 - w]),
        [Value::Vector3([x, y, z]), Value::Vector3([ex, ey, ez])] => {
            Value::Aabb([x, y, z, ex - x, ey - y, ez - z])
        }
        _ => return None,
    })
}

pub(crate) fn load(run: &mut Run<'_>, kind: &Kind, target: &mut Value, json: &Json) -> ResultCode {
    let (Json::Object(members_of_json), Some(mut parts)) = (json, split(kind, target)) else {
        return unsupported(
            run,
            json,
            &format!("{}: write an object of {}", kind.word(), wanted(kind)),
        );
    };
    let field = |&(name, count): &(&str, usize)| Field {
        name: name.into(),
        schema: Kind::Vector(count).into(),
    };
    let fields: Vec<Field> = members(kind).iter().map(field).collect();
    let code = load_fields(run, kind.word(), &fields, members_of_json, &mut parts);
    if !code.is_refused()
        && let Some(value) = join(&parts)
    {
        *target = value;
    }
    code
}

pub(crate) fn store(
    run: &mut Run<'_>,
    kind: &Kind,
    value: &Value,
    default: Option<&Value>,
) -> Step {
    let Some(parts) = split(kind, value) else { return misfit(run, value, kind) };
    let defaults = default.and_then(|default| split(kind, default));
    let mut code = ResultCode::started(Task::WriteValue);
    let mut stored = Vec::new();
    for (index, ((name, count), part)) in members(kind).iter().zip(&parts).enumerate() {
        let schema: Schema = Kind::Vector(*count).into();
        let default = defaults.as_ref().and_then(|defaults| defaults.get(index));
        let (json, step) = run.at(name, |run| store_value(run, &schema, part, default));
        code.add(step);
        if !json.is_explicit_default() {
            stored.push(((*name).to_owned(), json));
        }
    }
    (Json::Object(stored), code)
}
