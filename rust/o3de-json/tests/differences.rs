//! Where O3DE's page and its code differ: each row of the table in `rust/docs/o3de-json.md`.

use godot_variant::{Array, Dictionary, Value};
use o3de_json::{Class, Json, Outcome, Profile, Registry, Schema, Settings, TypeId, load, store};

pub(crate) fn schema(text: &str) -> Schema {
    Schema::from_json(&Json::parse(text).unwrap(), &Registry::default()).unwrap()
}

fn stored(schema_text: &str, value: &Value, profile: Profile, keep_defaults: bool) -> String {
    let settings = Settings { profile, keep_defaults, ..Settings::default() };
    let registry = Registry::default();
    store(value, &schema(schema_text), None, &registry, settings, None).json.to_text()
}

fn loaded(
    schema_text: &str,
    json: &str,
    target: Option<Value>,
    profile: Profile,
) -> (Value, Outcome) {
    let settings = Settings { profile, ..Settings::default() };
    let (json, registry) = (Json::parse(json).unwrap(), Registry::default());
    let loaded = load(&json, &schema(schema_text), target, &registry, settings, None);
    (loaded.value, loaded.code.outcome())
}

/// What both profiles store.
#[track_caller]
fn stores(schema: &str, value: &Value, doc: &str, engine: &str) {
    assert_eq!(stored(schema, value, Profile::Doc, true), doc);
    assert_eq!(stored(schema, value, Profile::Engine, true), engine);
}

/// What both profiles load, without a target.
#[track_caller]
#[expect(clippy::needless_pass_by_value, reason = "the calls are tables")]
fn loads(schema: &str, json: &str, doc: (Value, Outcome), engine: (Value, Outcome)) {
    assert_eq!(loaded(schema, json, None, Profile::Doc), doc);
    assert_eq!(loaded(schema, json, None, Profile::Engine), engine);
}

const FLAGS: &str = r#"{"kind": "enum", "underlying": "u8",
    "values": {"Flag1": 1, "Flag2": 2, "Flag4": 8, "Flag2Flag3Combo": 6}}"#;

#[test]
fn row_1_combinations_of_flags() {
    stores(FLAGS, &Value::Int(10), r#"["Flag2","Flag4"]"#, r#"["Flag4","Flag2"]"#);
    stores(
        FLAGS,
        &Value::Int(7),
        r#"["Flag1","Flag2Flag3Combo"]"#,
        r#"["Flag2Flag3Combo","Flag2","Flag1"]"#,
    );
}

#[test]
fn row_2_all_bits() {
    stores(FLAGS, &Value::Int(255), "255", r#"["Flag4","Flag2Flag3Combo","Flag2","Flag1",240]"#);
}

#[test]
fn row_3_names_before_numbers() {
    let digits = r#"{"kind": "enum", "values": {"2D": 7}}"#;
    let is = |number| (Value::Int(number), Outcome::Success);
    loads(digits, "\"2D\"", is(7), is(2));
}

#[test]
fn row_4_defaults() {
    for profile in [Profile::Doc, Profile::Engine] {
        assert_eq!(stored(FLAGS, &Value::Int(0), profile, true), "0");
        assert_eq!(stored(FLAGS, &Value::Int(0), profile, false), "{}");
    }
}

#[test]
fn row_5_too_few_elements() {
    let partly = |value| (value, Outcome::PartialDefaults);
    let refused = |value| (value, Outcome::Unsupported);
    loads(
        "\"vector3\"",
        "[1]",
        partly(Value::Vector3([1.0, 0.0, 0.0])),
        refused(Value::Vector3([0.0; 3])),
    );
    let array = |numbers: [i64; 2]| Value::from(Array::from_iter(numbers.map(Value::Int)));
    let fixed = r#"{"kind": "fixed_array", "size": 2, "item": "int"}"#;
    loads(fixed, "[1]", partly(array([1, 0])), refused(array([0, 0])));
    loads(r#"["int", "int"]"#, "[1]", partly(array([1, 0])), refused(array([0, 0])));
}

#[test]
fn row_6_too_many_elements() {
    for profile in [Profile::Doc, Profile::Engine] {
        let vector = (Value::Vector2([1.0, 2.0]), Outcome::Success);
        assert_eq!(loaded("\"vector2\"", "[1, 2, 3]", None, profile), vector);
        let fixed = r#"{"kind": "fixed_array", "size": 1, "item": "int"}"#;
        let array = Value::from(Array::from_iter([Value::Int(1)]));
        assert_eq!(loaded(fixed, "[1, 2]", None, profile), (array, Outcome::PartialSkip));
    }
}

#[test]
fn row_7_components_in_any_case() {
    for profile in [Profile::Doc, Profile::Engine] {
        let vector = (Value::Vector2([1.0, 2.0]), Outcome::Success);
        assert_eq!(loaded("\"vector2\"", r#"{"x": 1, "Y": 2}"#, None, profile), vector);
    }
}

#[test]
fn row_8_keys_that_are_written_as_text() {
    let map = r#"{"kind": "map", "key": {"kind": "enum", "values": {"A": 1}}, "value": "int"}"#;
    let value = Value::from(Dictionary::from_iter([(Value::Int(1), Value::Int(2))]));
    stores(map, &value, r#"[{"Key":"A","Value":2}]"#, r#"{"A":2}"#);
    for json in [r#"[{"Key":"A","Value":2}]"#, r#"{"A":2}"#] {
        for profile in [Profile::Doc, Profile::Engine] {
            assert_eq!(loaded(map, json, None, profile), (value.clone(), Outcome::Success));
        }
    }
}

#[test]
fn row_9_whole_numbers_in_colors() {
    loads(
        "\"color\"",
        "[1, 0, 0, 1]",
        (Value::Color([1.0, 0.0, 0.0, 1.0]), Outcome::Success),
        (Value::Color([0.0; 4]), Outcome::Unsupported),
    );
}

#[test]
fn row_10_colors_in_several_forms() {
    loads(
        "\"color\"",
        r#"{"RGB": [0.5, 0.5, 0.5], "RGBA": [1.0, 0.0, 0.0, 1.0]}"#,
        (Value::Color([0.0; 4]), Outcome::Unsupported),
        (Value::Color([1.0, 0.0, 0.0, 1.0]), Outcome::Success),
    );
}

#[test]
fn row_11_colors_without_alpha() {
    for profile in [Profile::Doc, Profile::Engine] {
        let value = Value::Color([1.0, 0.5, 0.0, 0.0]);
        assert_eq!(stored("\"color\"", &value, profile, true), "[1.0,0.5,0.0,0.0]");
        assert_eq!(stored("\"color\"", &value, profile, false), "[1.0,0.5,0.0]");
    }
}

#[test]
fn row_12_uuids_without_braces() {
    let uuid = Value::from("{8651B6DA-9792-407C-A46D-A6E2E39CA900}");
    let null = Value::from("{00000000-0000-0000-0000-000000000000}");
    for text in ["\"8651b6da-9792-407c-a46d-a6e2e39ca900\"", "\"8651B6DA9792407CA46DA6E2E39CA900\""]
    {
        let (found, refused) = (uuid.clone(), null.clone());
        loads("\"uuid\"", text, (found, Outcome::Success), (refused, Outcome::Unsupported));
    }
}

#[test]
fn row_13_fractions_and_ranges() {
    for profile in [Profile::Doc, Profile::Engine] {
        let is = |number, outcome| (Value::Int(number), outcome);
        assert_eq!(loaded("\"u8\"", "255.5", None, profile), is(0, Outcome::Unsupported));
        assert_eq!(loaded("\"u8\"", "254.9", None, profile), is(254, Outcome::Success));
    }
}

#[test]
fn row_14_fractions_as_text() {
    for profile in [Profile::Doc, Profile::Engine] {
        let text = (Value::from("0.100000"), Outcome::Success);
        assert_eq!(loaded("\"string\"", "0.1", None, profile), text);
    }
}

#[test]
fn row_15_several_values_of_a_key() {
    let map = r#"{"kind": "unordered_multimap", "key": "string", "value": "int"}"#;
    let values = Value::from(Array::from_iter([Value::Int(1), Value::Int(2)]));
    let value = Value::from(Dictionary::from_iter([(Value::from("a"), values)]));
    stores(map, &value, r#"{"a":[1,2]}"#, r#"{"a":[1,2]}"#);
}

#[test]
fn row_16_names_of_several_classes() {
    let mut registry = Registry::default();
    for (space, uuid) in [("A", "{8651B6DA-9792-407C-A46D-A6E2E39CA900}"), ("B", "")] {
        let full_name: Box<str> = format!("{space}::Hero").into();
        let class = Class { full_name, name: "Hero".into(), uuid: uuid.into(), ..Class::default() };
        registry.register(class).unwrap();
    }
    registry.register_alias("Namespace::Hero", "A::Hero").unwrap();
    let written = registry.store_type_id("A::Hero").unwrap();
    assert_eq!(written, "{8651B6DA-9792-407C-A46D-A6E2E39CA900} Hero");
    for name in [written.as_str(), "namespace::hero"] {
        let found = registry.load_type_id(&Json::from(name), None);
        assert_eq!(found, Ok(TypeId::Class("A::Hero".into())));
    }
    assert!(registry.load_type_id(&Json::from("Hero"), None).is_err());
}

#[test]
fn row_17_components_that_are_missing() {
    for profile in [Profile::Doc, Profile::Engine] {
        let target = Some(Value::Vector2([5.0, 6.0]));
        let vector = (Value::Vector2([5.0, 2.0]), Outcome::PartialDefaults);
        assert_eq!(loaded("\"vector2\"", r#"{"y": 2}"#, target, profile), vector);
    }
}

/// Each row of the table has a test here.
#[test]
fn the_table_is_complete() {
    let table = include_str!("../../docs/o3de-json.md");
    let rows = table.lines().filter(|line| {
        let number = line.trim_start_matches("| ").split(' ').next().unwrap_or_default();
        line.starts_with("| ") && number.parse::<usize>().is_ok()
    });
    let tests = include_str!("differences.rs").matches("\nfn row_").count();
    assert_eq!(rows.count(), tests);
}
