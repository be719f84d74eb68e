//! Values to JSON (`JsonSerializer` of O3DE).

use godot_variant::Value;

use crate::kinds::variant_type::{is_foreign, to_kind};
use crate::run::{Reporter, Run};
use crate::{Issue, Json, Kind, Outcome, Registry, ResultCode, Schema, Settings, Task, kinds};

/// The result of storing.
#[derive(Clone, Debug)]
pub struct Stored {
    /// The JSON; `{}` where a value is its default or cannot be written.
    pub json: Json,
    /// The code of all steps together.
    pub code: ResultCode,
    /// What did not simply succeed, and where.
    pub issues: Vec<Issue>,
}

/// Stores `value`. Unless defaults are kept, it is compared with `default`, or the schema's default.
///
/// ```
/// use o3de_json::{Kind, Registry, Settings, store};
/// use godot_variant::Value;
/// let (registry, value) = (Registry::default(), Value::Vector2([1.0, 2.5]));
/// let stored = store(&value, &Kind::Vector(2).into(), None, &registry, Settings::default(), None);
/// assert_eq!(stored.json.to_text(), "[1.0,2.5]");
/// ```
pub fn store<'a>(
    value: &Value,
    schema: &Schema,
    default: Option<&Value>,
    registry: &'a Registry,
    settings: Settings,
    reporter: Option<Reporter<'a>>,
) -> Stored {
    let own_default;
    let default = match default {
        _ if settings.keep_defaults => None,
        Some(default) => Some(default),
        None => {
            own_default = schema.default_value(registry);
            Some(&own_default)
        }
    };
    let mut run = Run::new(registry, settings, reporter);
    let (json, code) = store_value(&mut run, schema, value, default);
    Stored { json, code, issues: run.into_issues(code) }
}

/// What a step gives: JSON and a code.
pub(crate) type Step = (Json, ResultCode);

/// Stores one value (`JsonSerializer::Store`); without a `default` everything is written.
pub(crate) fn store_value(
    run: &mut Run<'_>,
    schema: &Schema,
    value: &Value,
    default: Option<&Value>,
) -> Step {
    let mut json = Json::explicit_default();
    let code = run.deeper(Task::WriteValue, |run| {
        let (stored, code) = store_plain(run, schema, value, default);
        json = stored;
        code
    });
    (json, code)
}

/// Stores a value whose type may be another than the one of its kind.
fn store_plain(run: &mut Run<'_>, schema: &Schema, value: &Value, default: Option<&Value>) -> Step {
    let kind = &schema.kind;
    if !is_foreign(kind, value) && !default.is_some_and(|default| is_foreign(kind, default)) {
        return store_kind(run, schema, value, default);
    }
    if default.is_none()
        && let Some(json) = kinds::packed::store(kind, value)
    {
        return (json, run.success(Task::WriteValue));
    }
    match (to_kind(kind, value), default.map(|default| to_kind(kind, default))) {
        (Some(value), default) => store_kind(run, schema, &value, default.flatten().as_ref()),
        (None, _) => misfit(run, value, kind),
    }
}

fn store_kind(run: &mut Run<'_>, schema: &Schema, value: &Value, default: Option<&Value>) -> Step {
    let kind = &schema.kind;
    match kind {
        Kind::Sequence(kind, item) => kinds::sequence::store(run, *kind, item, value, default),
        Kind::FixedArray(size, item) => {
            kinds::tuple::store(run, &vec![&**item; *size], value, default)
        }
        Kind::Tuple(items) => {
            kinds::tuple::store(run, &items.iter().collect::<Vec<_>>(), value, default)
        }
        Kind::Map(kind, types) => kinds::map::store(run, *kind, types, value, default),
        Kind::Class(class) => kinds::class::store(run, class, value, default),
        Kind::Pointer(item) => kinds::pointer::store(run, item, value, default),
        Kind::Record(fields) => kinds::record::store(run, fields, value, default),
        Kind::Any => kinds::any::store(run, value, default),
        Kind::Transform => kinds::transform::store(run, value, default),
        Kind::Plane | Kind::Aabb => kinds::members::store(run, kind, value, default),
        Kind::Color => kinds::color::store(run, value, default),
        Kind::Unsupported(kind) => {
            (Json::explicit_default(), kinds::unsupported::refuse(run, *kind, Task::WriteValue))
        }
        _ if default.is_some_and(|default| is_default(kind, value, default)) => {
            (Json::explicit_default(), run.defaults_used(Task::WriteValue))
        }
        _ => {
            let json = match kind {
                Kind::Bool => kinds::boolean::store(value),
                Kind::Int(repr) => kinds::integer::store(*repr, value),
                Kind::Float(repr) => kinds::float::store(*repr, value),
                Kind::Enum(schema) => kinds::enumeration::store(run, schema, value),
                Kind::Bytes => kinds::bytes::store(value),
                Kind::Vector(count) => kinds::vector::store(*count, value),
                Kind::VectorI(count) => kinds::vector::store_integers(*count, value),
                Kind::Quaternion => kinds::quaternion::store(value),
                Kind::Matrix3x3 | Kind::Matrix3x4 | Kind::Matrix4x4 => {
                    kinds::matrix::store(kind, value)
                }
                Kind::Uuid => kinds::uuid::store(value),
                _ => kinds::string::store(value),
            };
            match json {
                Some(json) => (json, run.success(Task::WriteValue)),
                None => misfit(run, value, kind),
            }
        }
    }
}

/// A value that its schema cannot hold.
pub(crate) fn misfit(run: &mut Run<'_>, value: &Value, kind: &Kind) -> Step {
    let message = match value {
        Value::Object(_) => {
            "the object's class is not registered, or not one that is allowed here: register it"
                .to_owned()
        }
        _ => format!("{} cannot be written as {}: change the schema", value.brief(), kind.word()),
    };
    let code = run.report(Task::WriteValue, Outcome::Unsupported, message);
    (Json::explicit_default(), code)
}

fn is_default(kind: &Kind, value: &Value, default: &Value) -> bool {
    match (kind, value, default) {
        (Kind::Float(repr), Value::Float(a), Value::Float(b)) => {
            kinds::float::is_close(*repr, *a, *b)
        }
        _ => value == default,
    }
}
