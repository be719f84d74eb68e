//! JSON to values (`JsonDeserializer` of O3DE).

use godot_variant::Value;

use crate::run::{Reporter, Run};
use crate::{Issue, Json, Kind, Outcome, Registry, ResultCode, Schema, Settings, Task, kinds};

/// The result of loading.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The value. Parts that were not read are as they were before.
    pub value: Value,
    /// The code of all steps together.
    pub code: ResultCode,
    /// What did not simply succeed, and where.
    pub issues: Vec<Issue>,
}

/// Loads `json` over `target`, or over the schema's default.
///
/// ```
/// use o3de_json::{Json, Kind, Registry, Settings, load};
/// use godot_variant::Value;
/// let (json, registry) = (Json::parse("[1, \"2.5\"]")?, Registry::default());
/// let loaded = load(&json, &Kind::Vector(2).into(), None, &registry, Settings::default(), None);
/// assert_eq!(loaded.value, Value::Vector2([1.0, 2.5]));
/// # Ok::<(), o3de_json::JsonError>(())
/// ```
pub fn load<'a>(
    json: &Json,
    schema: &Schema,
    target: Option<Value>,
    registry: &'a Registry,
    settings: Settings,
    reporter: Option<Reporter<'a>>,
) -> Loaded {
    let mut value = target.unwrap_or_else(|| schema.default_value(registry));
    let mut run = Run::new(registry, settings, reporter);
    let code = load_value(&mut run, schema, &mut value, json);
    Loaded { value, code, issues: run.into_issues(code) }
}

/// Loads one value over `target` (`JsonDeserializer::Load`).
pub(crate) fn load_value(
    run: &mut Run<'_>,
    schema: &Schema,
    target: &mut Value,
    json: &Json,
) -> ResultCode {
    // `{}` comes before any rule of a type, except that a pointer may have to be filled for it, and that nothing is known of
    // a class that is not registered.
    let has_default = match &schema.kind {
        Kind::Pointer(_) => false,
        Kind::Class(class) => run.registry.is_known(class),
        _ => true,
    };
    if json.is_explicit_default() && has_default {
        return run.defaults_used(Task::ReadField);
    }
    let Some(_) = schema.variant_type else {
        return load_kind(run, schema, target, json);
    };
    if let Json::Array(elements) = json
        && !elements.is_empty()
        && (run.settings.clear_containers || kinds::packed::is_empty(target))
        && let Some(value) = kinds::packed::load(schema, elements)
    {
        *target = value;
        return run.success(Task::ReadField);
    }
    let mut value = std::mem::take(target);
    if kinds::variant_type::is_foreign(&schema.kind, &value) {
        // What has no form in this kind is replaced as a whole.
        value = kinds::variant_type::to_kind(&schema.kind, &value)
            .unwrap_or_else(|| schema.kind.default_value(run.registry));
    }
    let before = kinds::variant_type::is_narrower(schema).then(|| value.clone());
    let code = load_kind(run, schema, &mut value, json);
    *target = kinds::variant_type::from_kind(schema, value);
    let Some(before) = before.filter(|_| matches!(target, Value::Basis(_))) else { return code };
    *target = kinds::variant_type::from_kind(schema, before);
    run.report(
        Task::ReadField,
        Outcome::Unsupported,
        "the last row of the matrix is not [0, 0, 1]: a Transform2D has two dimensions",
    )
}

/// Loads one value over what O3DE takes for a new instance, though it may be one that is there: `{}` sets it back to its
/// default, where its serializer has the flag `InitializeNewInstance`.
pub(crate) fn load_anew(
    run: &mut Run<'_>,
    schema: &Schema,
    target: &mut Value,
    json: &Json,
) -> ResultCode {
    if json.is_explicit_default() && schema.kind.is_initialized() {
        *target = schema.default_value(run.registry);
    }
    load_value(run, schema, target, json)
}

fn load_kind(run: &mut Run<'_>, schema: &Schema, target: &mut Value, json: &Json) -> ResultCode {
    run.deeper(Task::ReadField, |run| match &schema.kind {
        Kind::Bool => kinds::boolean::load(run, target, json),
        Kind::Int(repr) => kinds::integer::load(run, *repr, target, json),
        Kind::Float(repr) => kinds::float::load(run, *repr, target, json),
        Kind::String => kinds::string::load(run, target, json),
        Kind::Path => kinds::path::load(run, target, json),
        Kind::Uuid => kinds::uuid::load(run, target, json),
        Kind::Bytes => kinds::bytes::load(run, target, json),
        Kind::Enum(schema) => kinds::enumeration::load(run, schema, target, json),
        Kind::Vector(count) => kinds::vector::load(run, *count, target, json),
        Kind::VectorI(count) => kinds::vector::load_integers(run, *count, target, json),
        Kind::Record(fields) => kinds::record::load(run, fields, target, json),
        Kind::Quaternion => kinds::quaternion::load(run, target, json),
        Kind::Matrix3x3 | Kind::Matrix3x4 | Kind::Matrix4x4 => {
            kinds::matrix::load(run, &schema.kind, target, json)
        }
        Kind::Transform => kinds::transform::load(run, target, json),
        Kind::Plane | Kind::Aabb => kinds::members::load(run, &schema.kind, target, json),
        Kind::Color => kinds::color::load(run, target, json),
        Kind::Sequence(kind, item) => kinds::sequence::load(run, *kind, item, target, json),
        Kind::FixedArray(size, item) => kinds::fixed_array::load(run, *size, item, target, json),
        Kind::Tuple(items) => kinds::tuple::load(run, items, target, json),
        Kind::Map(kind, types) => kinds::map::load(run, *kind, types, target, json),
        Kind::Class(class) => kinds::class::load(run, class, target, json),
        Kind::Pointer(item) => kinds::pointer::load(run, item, target, json),
        Kind::Any => kinds::any::load(run, target, json),
        Kind::Unsupported(kind) => kinds::unsupported::refuse(run, *kind, Task::ReadField),
    })
}
