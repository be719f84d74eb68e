//! The work of the methods of `O3deJson`. An `Err` is a call that cannot be served.

use godot::builtin::{AnyDictionary, Variant, VariantType};
use godot::classes::Object as EngineObject;
use godot::obj::Gd;
use godot_variant::{Object, Value};
use godot_variant_codec::CollisionCounter;
use o3de_json::{
    Issue, Json, Kind, Outcome, ResultCode, Schema, Task, load_streaming, store_streaming,
};

use super::call::{Call, NoJson};
use super::classes::{self, Classes};
use super::misuse::Misuse;
use super::{derive, descriptor, objects};
use crate::decode_options::type_name;
use crate::engine::{self, EngineValue, Objects};
use crate::o3de_json_result::O3deJsonResult;

/// What a call gives, or why it cannot be served.
pub(super) type Answer = Result<Gd<O3deJsonResult>, Misuse>;

pub(super) fn store(value: &Variant, schema: &Variant, options: &AnyDictionary) -> Answer {
    let call = Call::parse(options)?;
    let schema = descriptor::schema_of(schema)?;
    register_scripts(value)?;
    let classes = classes::current();
    // A reporter wants to be asked before anything is known of the rest.
    if let (Some(schema), None, None) = (&schema, &call.default, &call.report)
        && let source = EngineValue::new(value, Objects::AsIds)
        && let (registry, settings) = (&classes.registry, call.settings)
        && let Some((text, code)) =
            store_streaming(&source, schema, registry, settings, call.pretty)
    {
        return Ok(O3deJsonResult::written(&text, code, &[]));
    }
    let engine_value = value;
    let value = objects::value_of(value, &classes)?;
    let default = match &call.default {
        Some(default) => {
            let default = objects::value_of(default, &classes);
            Some(default.map_err(|misuse| misuse.in_option("default"))?)
        }
        None => None,
    };
    let schema = schema.unwrap_or_else(|| derive::schema_of_value(engine_value, &value));
    let mut reporter = call.reporter();
    let stored = o3de_json::store(
        &value,
        &schema,
        default.as_ref(),
        &classes.registry,
        call.settings,
        reporter.as_mut().map(|reporter| reporter as _),
    );
    let answer = O3deJsonResult::written(&call.text(&stored.json), stored.code, &stored.issues);
    discard_json(stored.json);
    discard_value(value);
    Ok(answer)
}

/// An object that is stored without a schema is one of code, so its script may be registered.
pub(super) fn register_scripts(value: &Variant) -> Result<(), String> {
    if value.get_type() != VariantType::OBJECT {
        return Ok(());
    }
    let script = value.try_to::<Gd<EngineObject>>().ok().and_then(|object| object.get_script());
    script.map_or(Ok(()), |script| descriptor::registered(&script).map(drop))
}

pub(super) fn load(json: &Variant, schema: &Variant, options: &AnyDictionary) -> Answer {
    let call = Call::parse(options)?;
    let schema = descriptor::schema_of(schema)?.unwrap_or_else(|| Kind::Any.into());
    let classes = classes::current();
    // A reporter wants to be asked, and a target is changed, before anything is known of the rest.
    if call.report.is_none()
        && call.target.is_none()
        && let Some(text) = call.text_of(json)
    {
        return load_text(&text, &schema, &call, &classes);
    }
    match call.json(json, &classes) {
        Ok(tree) => {
            let text = call.text_of(json);
            load_tree(&tree, text.as_deref(), &schema, &call, &classes)
        }
        Err(error) => Ok(O3deJsonResult::no_json(Task::ReadField, error)),
    }
}

fn load_text(text: &str, schema: &Schema, call: &Call, classes: &Classes) -> Answer {
    let (limits, registry, settings) = (call.limits, &classes.registry, call.settings);
    let streamed = engine::build(call.max_collisions, |builder| {
        load_streaming(text, limits, schema, registry, settings, builder)
    });
    if let Some((value, code)) = streamed {
        return Ok(O3deJsonResult::loaded(value, code, &[]));
    }
    match o3de_json::load_text(text, limits, schema, registry, settings) {
        Ok(loaded) => finished(&loaded.value, loaded.code, &loaded.issues, call, classes),
        Err(error) => Ok(O3deJsonResult::no_json(Task::ReadField, NoJson::Text(error))),
    }
}

/// Loads `json`, which came from `text` if it came from one.
pub(super) fn load_tree(
    json: &Json,
    text: Option<&str>,
    schema: &Schema,
    call: &Call,
    classes: &Classes,
) -> Answer {
    let target = target_of(call, schema, classes)?;
    let mut reporter = call.reporter();
    let mut loaded = o3de_json::load(
        json,
        schema,
        target,
        &classes.registry,
        call.settings,
        reporter.as_mut().map(|reporter| reporter as _),
    );
    call.locate(text, &mut loaded.issues);
    finished(&loaded.value, loaded.code, &loaded.issues, call, classes)
}

/// What is loaded over.
///
/// # Errors
/// It cannot be read, or its class is not the one that `schema` names.
pub(super) fn target_of(
    call: &Call,
    schema: &Schema,
    classes: &Classes,
) -> Result<Option<Value>, Misuse> {
    if let (Some(target), Kind::Class(wanted)) = (&call.target, &schema.kind)
        && classes.registry.class(wanted).is_some()
        && let Some(found) = unfit(target, wanted, classes)
    {
        let message = format!("the option `target` is {found}; expected an object of `{wanted}`");
        return Err(message.into());
    }
    let target = call.target.as_ref().map(|target| objects::value_of(target, classes));
    target.transpose().map_err(|misuse| misuse.in_option("target"))
}

/// What a target is, unless it is an object of the class `wanted`.
fn unfit(target: &Variant, wanted: &str, classes: &Classes) -> Option<String> {
    if target.get_type() != VariantType::OBJECT {
        return Some(match target.is_nil() {
            true => "null".to_owned(),
            false => format!("of type {}", type_name(target)),
        });
    }
    let Ok(object) = target.try_to::<Gd<EngineObject>>() else {
        return Some("null, or an object that was freed".to_owned());
    };
    match classes.of_object(&object) {
        Some(class) if classes.registry.derives_from(class, wanted) => None,
        Some(class) => Some(format!("an object of `{class}`")),
        None => Some(format!("a {} of no registered class", object.get_class())),
    }
}

/// From this number of inner values on, another thread frees them. Only behind a store: behind a load the
/// engine makes values at the same time, and the C library lets one thread wait for the other.
const LARGE: usize = 1000;

fn discard_json(json: Json) {
    let count = json.as_array().map_or(0, <[Json]>::len);
    if count.max(json.as_object().map_or(0, <[_]>::len)) >= LARGE {
        engine::discard(json);
    }
}

fn discard_value(value: Value) {
    let count = match &value {
        Value::Array(array) => array.elements.len(),
        Value::Dictionary(dictionary) => dictionary.len(),
        _ => 0,
    };
    if count >= LARGE {
        engine::discard(value);
    }
}

/// The engine's value of what was loaded; an object that is the target is filled.
pub(super) fn finished(
    value: &Value,
    code: ResultCode,
    issues: &[Issue],
    call: &Call,
    classes: &Classes,
) -> Answer {
    CollisionCounter::new(call.max_collisions).value(value)?;
    if let Some(target) = &call.target
        && let Ok(object) = target.try_to::<Gd<EngineObject>>()
        && let Value::Object(full) = value
        && let Object::Full { class, properties } = &**full
        && classes.of_object(&object) == Some(class)
    {
        objects::fill(object, properties, classes, true)?;
        return Ok(O3deJsonResult::loaded(target.clone(), code, issues));
    }
    match objects::variant_of(value, classes) {
        Ok(value) => Ok(O3deJsonResult::loaded(value, code, issues)),
        Err(message) => {
            let code = ResultCode::new(Task::CreateDefault, Outcome::Catastrophic);
            let issue = Issue::new("", message, code);
            Ok(O3deJsonResult::refused(Task::CreateDefault, &[issue]))
        }
    }
}
