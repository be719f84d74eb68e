//! Operations as GDScript has them: a JSON text, or dictionaries in which values may be Godot's own.

use gdscene_refactor::Operation;
use godot::builtin::{
    AnyArray, AnyDictionary, GString, PackedStringArray, StringName, Variant, VariantType,
};
use godot::classes::Resource;
use godot::global::var_to_str;
use godot::obj::Gd;
use serde_json::{Map, Value as Json};

/// The keys whose values are values of properties, or hold them.
const VALUES: &[&str] = &["value", "properties", "binds"];
/// A dictionary may hold itself.
const MAX_DEPTH: usize = 64;

/// Reads operations: a JSON text, a dictionary, or an array of them.
pub(super) fn operations_of(operations: &Variant) -> Result<Vec<Operation>, String> {
    let text = match operations.get_type() {
        VariantType::STRING => operations.to::<GString>().to_string().into_bytes(),
        _ => json_of(operations, 0)?.to_string().into_bytes(),
    };
    gdscene_refactor::operations(&text).map_err(|error| error.to_string())
}

/// An operation, or several.
fn json_of(operations: &Variant, depth: usize) -> Result<Json, String> {
    if depth > 1 {
        return Err("an operation must be a Dictionary".to_owned());
    }
    if let Ok(array) = operations.try_to::<AnyArray>() {
        let all = array.iter_shared().map(|operation| json_of(&operation, depth + 1));
        return Ok(Json::Array(all.collect::<Result<_, _>>()?));
    }
    let Ok(dictionary) = operations.try_to::<AnyDictionary>() else {
        return Err(
            "operations must be a Dictionary, an Array of Dictionaries, or a String of JSON"
                .to_owned(),
        );
    };
    object(&dictionary, |key, value| {
        if VALUES.contains(&key) { value_of(value, depth + 2) } else { name_of(key, value, true) }
    })
}

fn object(
    dictionary: &AnyDictionary,
    member: impl Fn(&str, &Variant) -> Result<Json, String>,
) -> Result<Json, String> {
    let mut object = Map::new();
    for (key, value) in dictionary.iter_shared() {
        let key = key.stringify().to_string();
        let value = member(&key, &value)?;
        object.insert(key, value);
    }
    Ok(Json::Object(object))
}

/// A path, a name, a number, or a list of names.
fn name_of(key: &str, value: &Variant, is_outermost: bool) -> Result<Json, String> {
    match value.get_type() {
        VariantType::STRING | VariantType::STRING_NAME | VariantType::NODE_PATH => {
            Ok(Json::String(value.stringify().to_string()))
        }
        VariantType::NIL => Ok(Json::Null),
        VariantType::BOOL => Ok(Json::Bool(value.to())),
        VariantType::INT => Ok(Json::from(value.to::<i64>())),
        VariantType::PACKED_STRING_ARRAY => {
            let names = value.to::<PackedStringArray>();
            Ok(names.as_slice().iter().map(|name| Json::String(name.to_string())).collect())
        }
        VariantType::ARRAY if is_outermost => {
            let names = value.try_to::<AnyArray>().map_err(|error| error.to_string())?;
            names.iter_shared().map(|name| name_of(key, &name, false)).collect()
        }
        other => Err(format!("`{key}` of an operation cannot be of the type {other:?}")),
    }
}

/// A value of a property, or what holds some.
fn value_of(value: &Variant, depth: usize) -> Result<Json, String> {
    if depth > MAX_DEPTH {
        return Err("a value is nested too deeply".to_owned());
    }
    match value.get_type() {
        VariantType::NIL => return Ok(Json::Null),
        VariantType::BOOL => return Ok(Json::Bool(value.to())),
        VariantType::INT => return Ok(Json::from(value.to::<i64>())),
        VariantType::STRING => return Ok(Json::String(value.to::<GString>().to_string())),
        VariantType::OBJECT => return resource(value),
        _ => {}
    }
    if let Ok(array) = value.try_to::<AnyArray>() {
        let all = array.iter_shared().map(|element| value_of(&element, depth + 1));
        return Ok(Json::Array(all.collect::<Result<_, _>>()?));
    }
    if let Ok(dictionary) = value.try_to::<AnyDictionary>() {
        let mut keys = dictionary.iter_shared().map(|(key, _)| key);
        if keys.all(|key| key.try_to::<GString>().is_ok() || key.try_to::<StringName>().is_ok()) {
            return object(&dictionary, |_, value| value_of(value, depth + 1));
        }
    }
    Ok(serde_json::json!({ "godot": var_to_str(value).to_string() }))
}

/// A resource of a file.
fn resource(value: &Variant) -> Result<Json, String> {
    let resource = value.try_to::<Gd<Resource>>();
    let path = resource.map(|resource| resource.get_path().to_string()).unwrap_or_default();
    if path.is_empty() || path.contains("::") {
        let reason = "an object can be a value only if it is a resource with a file; write {\"new\": \"Class\", \
                      \"properties\": {…}} for a new one";
        return Err(reason.to_owned());
    }
    Ok(serde_json::json!({ "load": path }))
}
