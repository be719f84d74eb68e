//! What the methods of `O3deJson` do. An `Err` is a call that cannot be served.

use godot::builtin::{Callable, VarArray, VarDictionary, Variant, VariantType};
use godot::classes::{Crypto, Object as EngineObject, Script};
use godot::obj::{Gd, NewGd};
use o3de_json::{
    EnumSchema, IntRepr, Issue, Json, Kind, Outcome, ResultCode, Schema, Task, apply_json_patch,
    apply_merge_patch, create_json_patch, create_merge_patch, load_straight,
    resolve_imports_in_order, store_straight,
};
use variant::{Object, Value};

use super::call::Call;
use super::classes::{self, Classes};
use super::{derive, descriptor, objects};
use crate::engine::{self, EngineValue, Objects};
use crate::o3de_json_result::O3deJsonResult;

/// What a call gives, or why it cannot be served.
pub(super) type Answer = Result<Gd<O3deJsonResult>, String>;

pub(super) fn store(value: &Variant, schema: &Variant, options: &VarDictionary) -> Answer {
    let call = Call::parse(options)?;
    let schema = descriptor::schema_of(schema)?;
    register_scripts(value)?;
    let classes = classes::current();
    // A reporter wants to be asked before anything is known of the rest.
    if let (Some(schema), None, None) = (&schema, &call.default, &call.report)
        && let source = EngineValue::new(value, Objects::AsIds)
        && let (registry, settings) = (&classes.registry, call.settings)
        && let Some((text, code)) = store_straight(&source, schema, registry, settings, call.pretty)
    {
        return Ok(O3deJsonResult::written(&text, code, &[]));
    }
    let engine_value = value;
    let value = objects::value_of(value, &classes)?;
    let default = match &call.default {
        Some(default) => Some(objects::value_of(default, &classes)?),
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

pub(super) fn load(json: &Variant, schema: &Variant, options: &VarDictionary) -> Answer {
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
        Ok(json) => load_tree(&json, &schema, &call, &classes),
        Err(error) => Ok(O3deJsonResult::no_json(Task::ReadField, &error)),
    }
}

fn load_text(text: &str, schema: &Schema, call: &Call, classes: &Classes) -> Answer {
    let (limits, registry, settings) = (call.limits, &classes.registry, call.settings);
    let straight =
        engine::build(|builder| load_straight(text, limits, schema, registry, settings, builder));
    if let Some((value, code)) = straight {
        return Ok(O3deJsonResult::loaded(value, code, &[]));
    }
    match o3de_json::load_text(text, limits, schema, registry, settings) {
        Ok(loaded) => finished(&loaded.value, loaded.code, &loaded.issues, call, classes),
        Err(error) => Ok(O3deJsonResult::no_json(Task::ReadField, &error)),
    }
}

pub(super) fn load_tree(json: &Json, schema: &Schema, call: &Call, classes: &Classes) -> Answer {
    let target = match &call.target {
        Some(target) => Some(objects::value_of(target, classes)?),
        None => None,
    };
    let mut reporter = call.reporter();
    let loaded = o3de_json::load(
        json,
        schema,
        target,
        &classes.registry,
        call.settings,
        reporter.as_mut().map(|reporter| reporter as _),
    );
    finished(&loaded.value, loaded.code, &loaded.issues, call, classes)
}

/// From so many inner values on, another thread frees them. Only behind a store: behind a load the
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
            let issue = Issue { path: String::new(), message, code };
            Ok(O3deJsonResult::refused(Task::CreateDefault, &[issue]))
        }
    }
}

/// The two documents of a call, or the result that says which is none.
fn documents(
    a: &Variant,
    b: &Variant,
    call: &Call,
    task: Task,
) -> Result<(Json, Json), Gd<O3deJsonResult>> {
    let classes = classes::current();
    let read = |json: &Variant| {
        call.json(json, &classes).map_err(|error| O3deJsonResult::no_json(task, &error))
    };
    Ok((read(a)?, read(b)?))
}

pub(super) fn apply_patch(document: &Variant, patch: &Variant, options: &VarDictionary) -> Answer {
    let call = Call::parse(options)?;
    let (mut document, patch) = match documents(document, patch, &call, Task::Merge) {
        Ok(documents) => documents,
        Err(result) => return Ok(result),
    };
    Ok(match apply_json_patch(&mut document, &patch) {
        Ok(()) => done(&document, Task::Merge, &call),
        Err(issue) => O3deJsonResult::refused(Task::Merge, &[issue]),
    })
}

pub(super) fn merge_patch(document: &Variant, patch: &Variant, options: &VarDictionary) -> Answer {
    let call = Call::parse(options)?;
    Ok(match documents(document, patch, &call, Task::Merge) {
        Ok((mut document, patch)) => {
            apply_merge_patch(&mut document, &patch);
            done(&document, Task::Merge, &call)
        }
        Err(result) => result,
    })
}

pub(super) fn create_patch(
    source: &Variant,
    target: &Variant,
    kind: &str,
    options: &VarDictionary,
) -> Answer {
    let call = Call::parse(options)?;
    let (source, target) = match documents(source, target, &call, Task::CreatePatch) {
        Ok(documents) => documents,
        Err(result) => return Ok(result),
    };
    let patch = match kind {
        "json_patch" => Ok(create_json_patch(&source, &target)),
        "merge_patch" => create_merge_patch(&source, &target),
        _ => return Err("there are two kinds of patch: \"json_patch\" and \"merge_patch\"".into()),
    };
    Ok(match patch {
        Ok(patch) => done(&patch, Task::CreatePatch, &call),
        Err(issue) => O3deJsonResult::refused(Task::CreatePatch, &[issue]),
    })
}

pub(super) fn resolve_imports(
    document: &Variant,
    resolver: &Callable,
    in_order: bool,
    options: &VarDictionary,
) -> Answer {
    let call = Call::parse(options)?;
    let classes = classes::current();
    let mut document = match call.json(document, &classes) {
        Ok(document) => document,
        Err(error) => return Ok(O3deJsonResult::no_json(Task::Import, &error)),
    };
    let mut resolve = |name: &str| {
        let name = godot::builtin::GString::from(name);
        let found = resolver.callv(&VarArray::from_iter([godot::meta::ToGodot::to_variant(&name)]));
        if found.is_nil() {
            return Err("the resolver gives nothing".to_owned());
        }
        call.json(&found, &classes).map_err(|error| error.to_string())
    };
    let resolved = if in_order {
        resolve_imports_in_order(&mut document, &mut resolve)
    } else {
        o3de_json::resolve_imports(&mut document, &mut resolve).map(drop)
    };
    Ok(match resolved {
        Ok(()) => done(&document, Task::Import, &call),
        Err(issue) => O3deJsonResult::refused(Task::Import, &[issue]),
    })
}

fn done(json: &Json, task: Task, call: &Call) -> Gd<O3deJsonResult> {
    O3deJsonResult::written(&call.text(json), ResultCode::new(task, Outcome::Success), &[])
}

pub(super) fn compare(a: &Variant, b: &Variant) -> Result<i64, String> {
    let call = Call::parse(&VarDictionary::new())?;
    let classes = classes::current();
    let read = |json| call.json(json, &classes).map_err(|error| error.to_string());
    Ok(o3de_json::compare(&read(a)?, &read(b)?) as i64)
}

pub(super) fn register_class(
    name: &str,
    class: &Variant,
    options: &VarDictionary,
) -> Result<(), String> {
    let (mut uuid, mut properties) = (String::new(), Vec::new());
    for (key, value) in options.iter_shared() {
        match key.stringify().to_string().as_str() {
            "uuid" => uuid = checked_uuid(&value.stringify().to_string())?,
            "properties" => {
                let Ok(names) = value.try_to::<godot::builtin::AnyArray>() else {
                    return Err("the option `properties` is no Array".into());
                };
                properties = names.iter_shared().map(|name| name.stringify().to_string()).collect();
            }
            _ => {
                return Err(format!(
                    "there is no option `{key}`; they are `uuid` and `properties`"
                ));
            }
        }
    }
    if name.trim().is_empty() {
        return Err("a class needs a name".into());
    }
    match class.try_to::<Gd<Script>>() {
        Ok(script) => derive::register_script(name, &script, &uuid, &properties),
        Err(_) if matches!(class.get_type(), VariantType::STRING | VariantType::STRING_NAME) => {
            derive::register_engine_class(name, &class.stringify().to_string(), &uuid)
        }
        Err(_) => Err("`class` is a script, or the name of a class of the engine's".into()),
    }
}

fn checked_uuid(uuid: &str) -> Result<String, String> {
    let loaded = o3de_json::load(
        &Json::from(uuid),
        &Kind::Uuid.into(),
        None,
        &o3de_json::Registry::default(),
        o3de_json::Settings::default(),
        None,
    );
    match loaded.value {
        Value::String(uuid) if loaded.code.outcome() == Outcome::Success => Ok(uuid.into()),
        _ => Err(format!("`{uuid}` is no UUID: write {{01234567-89AB-CDEF-0123-456789ABCDEF}}")),
    }
}

pub(super) fn register_enum(
    name: &str,
    values: &VarDictionary,
    underlying: &str,
) -> Result<(), String> {
    let values = enumeration(values, underlying)?;
    let changed = classes::change(|classes| {
        classes.register_enum(name, values);
        Ok(())
    });
    changed.map_err(|error| error.to_string())
}

pub(super) fn enumeration(values: &VarDictionary, underlying: &str) -> Result<EnumSchema, String> {
    use IntRepr::*;
    let repr = [I8, I16, I32, I64, U8, U16, U32, U64].into_iter().find(|r| r.name() == underlying);
    let Some(underlying) = repr else {
        return Err(format!("no integer is called `{underlying}`: use i8 to i64 or u8 to u64"));
    };
    match derive::enum_of(values) {
        Some(values) => Ok(EnumSchema { underlying, ..values }),
        None => Err("an enum is a Dictionary of names and integers".into()),
    }
}

pub(super) fn schema_of(schema: &Variant) -> Result<VarDictionary, String> {
    let Some(schema) = descriptor::schema_of(schema)? else {
        return Err("null is no schema".into());
    };
    if let Kind::Class(class) = &schema.kind {
        let classes = classes::current();
        let fields = classes.registry.fields(class).to_vec();
        let mut described = dictionary_of(&schema)?;
        let record = dictionary_of(&Kind::Record(fields).into())?;
        described.set("fields", &record.get("fields").unwrap_or_default());
        return Ok(described);
    }
    dictionary_of(&schema)
}

pub(super) fn dictionary_of(schema: &Schema) -> Result<VarDictionary, String> {
    // Objects that are defaults are described and not made.
    let value = without_objects(schema.to_value());
    let variant = engine::variant_of(&value).map_err(|refusal| refusal.to_string())?;
    variant.try_to().map_err(|error| error.to_string())
}

fn without_objects(value: Value) -> Value {
    match value {
        Value::Object(object) => match *object {
            Object::Full { class, .. } => Value::String(class),
            _ => Value::Nil,
        },
        Value::Array(mut array) => {
            array.elements = array.elements.into_iter().map(without_objects).collect();
            Value::Array(array)
        }
        Value::Dictionary(mut dictionary) => {
            dictionary
                .iter_mut()
                .for_each(|(_, value)| *value = without_objects(std::mem::take(value)));
            Value::Dictionary(dictionary)
        }
        value => value,
    }
}

/// A random UUID in O3DE's spelling.
pub(super) fn new_uuid() -> String {
    let random = Crypto::new_gd().generate_random_bytes(16);
    let mut bytes: Vec<u8> = random.as_slice().to_vec();
    bytes.resize(16, 0);
    bytes[6] = bytes[6] & 0x0F | 0x40;
    bytes[8] = bytes[8] & 0x3F | 0x80;
    let mut uuid = String::from("{");
    for (index, byte) in bytes.iter().enumerate() {
        if [4, 6, 8, 10].contains(&index) {
            uuid.push('-');
        }
        uuid.push_str(&format!("{byte:02X}"));
    }
    uuid.push('}');
    uuid
}
