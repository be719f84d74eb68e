//! The wrapper of files: `Type`, `Version`, `ClassName`, `ClassData` (JsonSerializationUtils.cpp).

use godot_variant::{Value, VariantType};

use crate::{
    Issue, Json, Kind, Loaded, Outcome, Processing, Registry, ResultCode, Schema, Settings, Stored,
    Task, load, store,
};

const FILE_TYPE: &str = "JsonSerialization";

/// Loads an object of `class` from a wrapped document.
///
/// `Type` and `ClassName` are compared in any case, `Version` is not read.
///
/// # Errors
/// The issues if the document is not wrapped or holds another class, or if anything in it has an
/// outcome other than success and defaults: a member that the class does not have fails the load.
pub fn load_wrapped(
    document: &Json,
    class: &str,
    registry: &Registry,
    settings: Settings,
) -> Result<Loaded, Vec<Issue>> {
    load_wrapped_over(document, class, None, registry, settings)
}

/// As [`load_wrapped`], over `target` or, without one, over a new object.
///
/// # Errors
/// As [`load_wrapped`].
pub fn load_wrapped_over(
    document: &Json,
    class: &str,
    target: Option<Value>,
    registry: &Registry,
    settings: Settings,
) -> Result<Loaded, Vec<Issue>> {
    check_text(document, "Type", FILE_TYPE)?;
    check_text(document, "ClassName", class)?;
    let data = match document.member("ClassData") {
        Some(data @ (Json::Object(_) | Json::Array(_))) => data,
        Some(data) => {
            let message =
                format!("`ClassData` must be an object or an array, not {}", data.type_name());
            return Err(vec![refused("/ClassData", Outcome::TypeMismatch, message)]);
        }
        None => {
            let message =
                "the file lacks `ClassData`: add it, or `{}` for an object with default values";
            return Err(vec![refused("", Outcome::Missing, message)]);
        }
    };
    let schema = schema_of(class, registry);
    let mut loaded = load(data, &schema, target, registry, settings, None);
    for issue in &mut loaded.issues {
        issue.path.insert_str(0, "/ClassData");
    }
    let is_issue = |issue: &Issue| {
        !matches!(
            issue.code.outcome(),
            Outcome::Success | Outcome::DefaultsUsed | Outcome::PartialDefaults
        )
    };
    if loaded.issues.iter().any(is_issue) { Err(loaded.issues) } else { Ok(loaded) }
}

/// Stores an object of `class` as a wrapped document.
///
/// # Errors
/// The issues if a part of the value cannot be written.
pub fn store_wrapped(
    value: &Value,
    class: &str,
    registry: &Registry,
    settings: Settings,
) -> Result<Json, Vec<Issue>> {
    let schema = schema_of(class, registry);
    let Stored { json, code, issues } = store(value, &schema, None, registry, settings, None);
    if code.processing() != Processing::Completed {
        return Err(issues);
    }
    Ok(Json::Object(vec![
        ("Type".into(), Json::from(FILE_TYPE)),
        ("Version".into(), Json::Int(1)),
        ("ClassName".into(), Json::from(class)),
        ("ClassData".into(), json),
    ]))
}

/// The class that a wrapped document says it holds; none if it is not wrapped.
pub fn wrapped_class(document: &Json) -> Option<&str> {
    document.member("ClassData")?;
    document.member("ClassName")?.as_str()
}

/// A registered class, one of Godot's own types, or an unknown class.
fn schema_of(class: &str, registry: &Registry) -> Schema {
    registry
        .schema_of(class)
        .or_else(|| VariantType::from_name(class).map(Schema::of_type))
        .unwrap_or_else(|| Kind::Class(class.into()).into())
}

fn check_text(document: &Json, name: &str, expected: &str) -> Result<(), Vec<Issue>> {
    match document.member(name) {
        Some(Json::String(text)) if text.eq_ignore_ascii_case(expected) => Ok(()),
        Some(found) => {
            let message = format!("`{name}` is {}, not \"{expected}\"", found.to_text());
            Err(vec![refused(&format!("/{name}"), Outcome::TypeMismatch, message)])
        }
        None => {
            let message = format!("the file lacks `{name}`: add \"{name}\": \"{expected}\"");
            Err(vec![refused("", Outcome::Missing, message)])
        }
    }
}

fn refused(path: &str, outcome: Outcome, message: impl Into<String>) -> Issue {
    let code = ResultCode::new(Task::ReadField, outcome);
    Issue::new(path, message, code)
}
