//! Load and store of every type, as O3DE's own unit tests fix it: `types.jsonl`.

use crate::vectors::{Counts, Vector, outcome_fits, registry, run_all};
use godot_variant::Value;
use o3de_json::{Json, Processing, Profile, Registry, Schema, Settings, load, store};

const COUNTS: Counts =
    Counts { doc: 11, engine: 24, both: 775, without_mode: 0, without_outcome: 27 };

/// Vectors that do not hold in a profile, and why.
///
/// Both name both profiles but restate what the engine does alone: AzCore/Math/ColorSerializer.cpp,
/// `JsonColorSerializer::LoadObject`, goes from the last member to the first and takes the first
/// that it knows (`auto it = inputValue.MemberEnd() - 1`, `--it`), and its tests
/// Load_MiscObjectMultipleObjects and …WithLastNotSupported fix that. The page says that such an
/// object must have exactly one of the keys. They hold in the profile `engine`.
const EXCEPTIONS: [(&str, Profile, &str); 2] = [
    ("color-046", Profile::Doc, "a color with two forms is refused: the page's word"),
    ("color-047", Profile::Doc, "a color with two forms is refused: the page's word"),
];

#[test]
fn types() {
    let registry = registry();
    run_all("types.jsonl", "direction", COUNTS, &EXCEPTIONS, |vector, profile| {
        let schema =
            Schema::from_json(vector.member("type"), &registry).map_err(|e| e.to_string())?;
        let flag = |name| vector.get(name) == Some(&Json::Bool(true));
        let settings = Settings {
            profile,
            keep_defaults: flag("keep_defaults"),
            clear_containers: flag("clear_containers"),
        };
        match vector.text("direction") {
            "serialize" => check_store(vector, &schema, &registry, settings),
            "deserialize" => check_load(vector, &schema, &registry, settings),
            direction => Err(format!("no direction is called `{direction}`")),
        }
    });
}

fn native(json: &Json, schema: &Schema, registry: &Registry) -> Result<Value, String> {
    schema.value_from_native(json, registry).map_err(|error| error.to_string())
}

fn check_store(
    vector: &Vector,
    schema: &Schema,
    registry: &Registry,
    settings: Settings,
) -> Result<(), String> {
    let input = native(vector.member("input"), schema, registry)?;
    let default = vector.get("default").map(|json| native(json, schema, registry)).transpose()?;
    let stored = store(&input, schema, default.as_ref(), registry, settings, None);
    let expected = vector.member("expected");
    if !is_same_json(&stored.json, expected) {
        return Err(format!("stored {}, not {}", stored.json.to_text(), expected.to_text()));
    }
    check_code(vector, stored.code.outcome(), stored.code.processing())
}

fn check_load(
    vector: &Vector,
    schema: &Schema,
    registry: &Registry,
    settings: Settings,
) -> Result<(), String> {
    let text = vector.get("input_text").and_then(Json::as_str).map(Json::parse);
    let parsed = text.transpose().map_err(|error| error.to_string())?;
    let input = parsed.as_ref().unwrap_or_else(|| vector.member("input"));
    // A new instance starts as the default, whatever was in its memory.
    let is_new = vector.get("new_instance") == Some(&Json::Bool(true));
    let target = vector.get("target").filter(|_| !is_new);
    let target = target.map(|json| native(json, schema, registry)).transpose()?;
    let loaded = load(input, schema, target, registry, settings, None);
    let expected = native(vector.member("expected"), schema, registry)?;
    if !is_close(&loaded.value, &expected) {
        return Err(format!("loaded {:?}, not {expected:?}: {:?}", loaded.value, loaded.issues));
    }
    check_code(vector, loaded.code.outcome(), loaded.code.processing())
}

fn check_code(
    vector: &Vector,
    outcome: o3de_json::Outcome,
    processing: Processing,
) -> Result<(), String> {
    if !outcome_fits(vector.member("outcome"), outcome) {
        return Err(format!("outcome {outcome:?}, not {}", vector.member("outcome").to_text()));
    }
    match vector.get("processing").and_then(Json::as_str) {
        Some(expected) if expected != format!("{processing:?}") => {
            Err(format!("processing {processing:?}, not {expected}"))
        }
        _ => Ok(()),
    }
}

/// Whether two values are the same JSON. The vectors write 32-bit floats with few decimals.
fn is_same_json(a: &Json, b: &Json) -> bool {
    match (a, b) {
        (Json::Double(a), Json::Double(b)) => a == b || *a as f32 == *b as f32,
        (Json::Array(a), Json::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| is_same_json(a, b))
        }
        (Json::Object(a), Json::Object(b)) => {
            a.len() == b.len()
                && a.iter().zip(b).all(|(a, b)| a.0 == b.0 && is_same_json(&a.1, &b.1))
        }
        _ => a == b,
    }
}

/// Whether two values are the same, 32-bit floats up to what the vectors' decimals say.
fn is_close(a: &Value, b: &Value) -> bool {
    let near = |a: &[f32], b: &[f32]| a.iter().zip(b).all(|(a, b)| (a - b).abs() <= 1e-6);
    match (a, b) {
        (Value::Float(a), Value::Float(b)) => a == b || (a - b).abs() <= 1e-6 * b.abs(),
        (Value::Vector2(a), Value::Vector2(b)) => near(a, b),
        (Value::Vector3(a), Value::Vector3(b)) => near(a, b),
        (Value::Vector4(a), Value::Vector4(b))
        | (Value::Quaternion(a), Value::Quaternion(b))
        | (Value::Color(a), Value::Color(b)) => near(a, b),
        _ => a == b,
    }
}
