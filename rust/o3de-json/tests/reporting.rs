//! What a load or store says, and where.

use godot_variant::{Array, Value};
use o3de_json::{
    FloatRepr, IntRepr, Issue, Json, Kind, MapKind, Outcome, Processing, Profile, Registry,
    ResultCode, Schema, SequenceKind, Settings, Task, load, store,
};

use crate::differences::schema;

#[test]
fn issues_name_their_place() {
    let numbers = Kind::Sequence(SequenceKind::Array, Box::new(Kind::Int(IntRepr::U8).into()));
    let types = Box::new((Kind::String.into(), numbers.into()));
    let schema = Kind::Map(MapKind::Map, types).into();
    let json = Json::parse(r#"{"a/b~c": [1, 256, 2]}"#).unwrap();
    let registry = Registry::default();
    let loaded = load(&json, &schema, None, &registry, Settings::default(), None);
    let [issue] = &loaded.issues[..] else { panic!("{:?}", loaded.issues) };
    assert_eq!(issue.path, "/a~1b~0c/1");
    assert_eq!(issue.message, "256 is not a valid integer from 0 to 255 (u8)");
    assert_eq!(loaded.code.processing(), Processing::PartialAlter);
    let Value::Dictionary(entries) = &loaded.value else { panic!("{:?}", loaded.value) };
    let kept = Array::from_iter([Value::Int(1), Value::Int(2)]);
    assert_eq!(entries.get(&Value::from("a/b~c")), Some(&Value::from(kept)));
}

#[test]
fn a_reporter_decides_how_to_go_on() {
    let schema = schema(r#"{"kind": "tuple", "items": [{"kind": "bool"}, {"kind": "int"}]}"#);
    let json = Json::parse(r#"["yes", 5, 6]"#).unwrap();
    let mut seen = Vec::new();
    let mut halt = |issue: &Issue| {
        seen.push(issue.path.clone());
        ResultCode::new(issue.code.task(), Outcome::Catastrophic)
    };
    let registry = Registry::default();
    let loaded = load(&json, &schema, None, &registry, Settings::default(), Some(&mut halt));
    assert!(loaded.code.is_halted());
    assert_eq!(loaded.issues[0].code.outcome(), Outcome::Catastrophic);
    assert_eq!(seen, ["/0"]);
}

#[test]
fn clearing_is_a_task() {
    let schema = schema(r#"{"kind": "array", "item": {"kind": "int"}}"#);
    let target = Value::from(Array::from_iter([Value::Int(1)]));
    let settings = Settings { clear_containers: true, ..Settings::default() };
    let json = Json::Array(Vec::new());
    let loaded = load(&json, &schema, Some(target), &Registry::default(), settings, None);
    assert_eq!(loaded.code, ResultCode::new(Task::Clear, Outcome::Success));
    assert_eq!(loaded.value, Value::from(Array::default()));
}

#[test]
fn the_page_and_the_engine_differ() {
    let two_forms = Json::parse(r#"{"RGB": [0, 0, 0], "RGB8": [255, 0, 0]}"#).unwrap();
    let outcome = |profile| {
        let settings = Settings { profile, ..Settings::default() };
        load(&two_forms, &Kind::Color.into(), None, &Registry::default(), settings, None)
            .code
            .outcome()
    };
    assert_eq!(outcome(Profile::Doc), Outcome::Unsupported);
    assert_eq!(outcome(Profile::Engine), Outcome::Success);
}

#[test]
fn what_json_has_no_form_for_is_refused() {
    let registry = Registry::default();
    for number in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let schema = Kind::Float(FloatRepr::F64).into();
        let value = Value::Float(number);
        let stored = store(&value, &schema, None, &registry, Settings::default(), None);
        assert_eq!(stored.code, ResultCode::new(Task::WriteValue, Outcome::Unsupported));
        assert!(stored.issues[0].path.is_empty());
    }
}

#[test]
fn a_schema_that_is_none_says_why() {
    let fails = |text: &str, message: &str| {
        let json = Json::parse(text).unwrap();
        let error = Schema::from_json(&json, &Registry::default()).unwrap_err().to_string();
        assert!(error.contains(message), "{error}");
    };
    fails("{}", "lacks `kind`");
    fails(r#"{"kind": "vector5"}"#, "`vector5` is not a valid kind");
    fails(r#"{"kind": "int", "repr": "u7"}"#, "`u7` is not an integer type");
    fails(r#"{"kind": "array"}"#, "lacks `item`");
    fails(r#"{"kind": "fixed_array", "size": -1, "item": {"kind": "bool"}}"#, "`size`");
    fails(r#"{"kind": "bool", "default": 1}"#, "`1` is not a valid bool");
}

#[test]
fn a_class_cannot_contain_itself() {
    let mut registry = Registry::default();
    for kind in [
        r#"{"kind": "class", "class": "A"}"#,
        r#"{"kind": "tuple", "items": [{"kind": "class", "class": "A"}]}"#,
        r#"{"kind": "fixed_array", "size": 1, "item": {"kind": "class", "class": "A"}}"#,
    ] {
        let class = format!("{{\"fields\": [{{\"name\": \"a\", \"type\": {kind}}}]}}");
        let class = Json::parse(&class).unwrap();
        let error = registry.register_json("A", &class).unwrap_err().to_string();
        assert!(error.contains("use a pointer"), "{error}");
    }
}

#[test]
fn planes_and_boxes_are_said_in_o3de_s_way() {
    let registry = Registry::default();
    let settings = Settings { keep_defaults: true, ..Settings::default() };
    let table = [
        (Kind::Plane, Value::Plane([0.0, 1.0, 0.0, 2.5]), r#"{"plane":[0.0,1.0,0.0,-2.5]}"#),
        (
            Kind::Aabb,
            Value::Aabb([1.0, 2.0, 3.0, 0.5, 0.5, 0.5]),
            r#"{"min":[1.0,2.0,3.0],"max":[1.5,2.5,3.5]}"#,
        ),
    ];
    for (kind, value, text) in table {
        let schema = Schema::from(kind);
        let stored = store(&value, &schema, None, &registry, settings, None);
        assert_eq!(stored.json.to_text(), text);
        let loaded = load(&stored.json, &schema, None, &registry, settings, None);
        assert_eq!(loaded.value, value);
        assert_eq!(loaded.code.outcome(), Outcome::Success);
    }
}
