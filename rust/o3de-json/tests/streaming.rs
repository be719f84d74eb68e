//! The streaming path of loading a text gives what the tree path gives, and is taken where it can be.

use godot_variant::{Dictionary, Refusal, Sink, Source, StringKind, Text, Value};
use o3de_json::{
    Json, Kind, Profile, ReadLimits, Registry, Schema, Settings, ValueBuilder, load,
    load_streaming, load_text, locate, store, store_streaming,
};
use proptest::prelude::*;

/// Loads both ways, and says whether the streaming path was taken.
#[track_caller]
fn is_streamed(schema: &str, text: &str, profile: Profile) -> bool {
    let registry = registry();
    let schema = Schema::from_json(&Json::parse(schema).unwrap(), &registry).unwrap();
    let settings = Settings { profile, ..Settings::default() };
    let limits = ReadLimits::default();
    let streamed = load_streaming(text, limits, &schema, &registry, settings, &ValueBuilder);
    let Ok(json) = Json::parse(text) else {
        assert!(streamed.is_none(), "{text}");
        let error = load_text(text, limits, &schema, &registry, settings).unwrap_err();
        assert_eq!(Err(error), Json::parse(text));
        return false;
    };
    let mut tree = load(&json, &schema, None, &registry, settings, None);
    locate(text, limits, &mut tree.issues);
    let whole = load_text(text, limits, &schema, &registry, settings).unwrap();
    assert_eq!((whole.code, &whole.issues), (tree.code, &tree.issues), "{text}");
    assert_eq!(format!("{:?}", whole.value), format!("{:?}", tree.value), "{text}");
    stored(&tree.value, &schema, profile);
    let Some((value, code)) = streamed else { return false };
    assert!(tree.issues.is_empty(), "{text}: {:?}", tree.issues);
    assert_eq!(code, tree.code, "{text}");
    // Numbers that are no number are not equal.
    assert_eq!(format!("{value:?}"), format!("{:?}", tree.value), "{text}");
    true
}

/// Stores both ways, and gives the text if the streaming path was taken.
#[track_caller]
fn stored(value: &Value, schema: &Schema, profile: Profile) -> Option<String> {
    let settings = Settings { profile, keep_defaults: true, ..Settings::default() };
    let tree = store(value, schema, None, &registry(), settings, None);
    let texts = [tree.json.to_text(), tree.json.to_text_pretty()];
    let mut streamed = None;
    for (text, pretty) in texts.into_iter().zip([false, true]) {
        streamed = store_streaming(value, schema, &registry(), settings, pretty);
        if let Some((streamed, code)) = &streamed {
            assert_eq!((code, tree.issues.len()), (&tree.code, 0), "{:?}", tree.issues);
            assert_eq!(*streamed, text, "{value:?}");
        }
    }
    streamed.map(|(text, _)| text)
}

fn registry() -> Registry {
    let mut registry = Registry::default();
    let hero =
        r#"{"fields": [{"name": "hp", "type": {"kind": "int", "repr": "u16"}, "default": 10}]}"#;
    registry.register_json("Hero", &Json::parse(hero).unwrap()).unwrap();
    registry
}

const RECORD: &str = r#"{"kind": "record", "fields": [
    {"name": "name", "type": "string"},
    {"name": "hp", "type": "u8", "default": 7},
    {"name": "at", "type": "vector2"},
    {"name": "tags", "type": {"kind": "array", "item": "string"}}]}"#;

/// What has nothing to report is streamed.
#[test]
fn usual_texts_are_streamed() {
    let record = |kind: &str| kind.replace("RECORD", RECORD);
    let table = [
        ("\"bool\"", "true"),
        ("\"i8\"", "-128"),
        ("\"u64\"", "9223372036854775807"),
        ("\"u64\"", "18446744073709551615"),
        ("\"u8\"", "\"0x1F\""),
        ("\"f32\"", "0.1"),
        ("\"f64\"", "-0"),
        ("\"f64\"", "-0.0"),
        ("\"f64\"", "9007199254740992"),
        ("\"f64\"", "\"1e3\""),
        ("\"string\"", "\"a \\u00e4 \\n \\\" \\ud83d\\ude00 ä\""),
        ("\"string\"", "12"),
        ("\"string\"", "\"\""),
        ("\"vector3\"", "[1, 2.5, \"3\"]"),
        ("\"vector3\"", "{\"x\": 1, \"Y\": 2}"),
        ("\"vector2\"", "[1, 2, 3]"),
        ("\"color\"", "[1.0, 0.5, 0.25, 1.0]"),
        ("\"color\"", "[1.0, 0.5, 0.25]"),
        ("{\"kind\": \"array\", \"item\": \"i32\"}", "[1, 2, // two\n 3]"),
        ("{\"kind\": \"array\", \"item\": \"i32\"}", " [ ] "),
        ("{\"kind\": \"array\", \"item\": \"i32\"}", "[{}, 1, {}]"),
        ("{\"kind\": \"array\", \"item\": \"i32\"}", "[{}, {}]"),
        (
            "{\"kind\": \"array\", \"item\": \"f64\", \"as\": \"PackedFloat32Array\"}",
            "[1, 2.5, -3e2]",
        ),
        (
            "{\"kind\": \"array\", \"item\": \"f64\", \"as\": \"PackedFloat64Array\"}",
            "[\"1\", 2.5]",
        ),
        ("{\"kind\": \"array\", \"item\": \"i64\", \"as\": \"PackedInt32Array\"}", "[1, -2]"),
        ("{\"kind\": \"array\", \"item\": \"i64\", \"as\": \"PackedInt64Array\"}", "[1, -2]"),
        (
            "{\"kind\": \"array\", \"item\": \"string\", \"as\": \"PackedStringArray\"}",
            "[\"a\", 1, \"\\n\"]",
        ),
        (
            "{\"kind\": \"array\", \"item\": \"vector3\", \"as\": \"PackedVector3Array\"}",
            "[[1, 2, 3]]",
        ),
        (
            "{\"kind\": \"array\", \"item\": \"vector2\", \"as\": \"PackedVector2Array\"}",
            "[[1, 2], {\"x\": 1}]",
        ),
        ("{\"kind\": \"map\", \"key\": \"string\", \"value\": \"i32\"}", "{\"a\": 1, \"b\": {}}"),
        ("{\"kind\": \"map\", \"key\": \"string\", \"value\": \"i32\"}", "{\"a\": {}, \"b\": {}}"),
        ("{\"kind\": \"map\", \"key\": \"string\", \"value\": \"i32\"}", "{\"a\": 1, \"a\": 2}"),
        ("{\"kind\": \"map\", \"key\": \"string\", \"value\": \"i32\"}", "{\"{}\": 1}"),
        (
            "{\"kind\": \"map\", \"key\": \"string\", \"value\": \"i32\"}",
            "[{\"Key\": \"a\", \"Value\": 1}]",
        ),
        ("{\"kind\": \"enum\", \"underlying\": \"u8\", \"values\": {\"A\": 1, \"B\": 2}}", "\"b\""),
        (
            "{\"kind\": \"enum\", \"underlying\": \"u8\", \"values\": {\"A\": 1, \"B\": 2}}",
            "[\"A\", 2]",
        ),
        (
            "{\"kind\": \"array\", \"item\": {\"kind\": \"class\", \"class\": \"Hero\"}}",
            "[{\"hp\": 1}, {}]",
        ),
        (&record("RECORD"), "{\"name\": \"a\", \"hp\": 1, \"at\": [1, 2], \"tags\": [\"b\"]}"),
        (&record("RECORD"), "{\"tags\": [], \"AT\": [1, 2]}"),
        (&record("RECORD"), "{\"name\": \"a\", \"tags\": [\"b\"]}"),
        (&record("RECORD"), "{\"name\": \"a\", \"hp\": 1, \"hp\": 2}"),
        (&record("{\"kind\": \"array\", \"item\": RECORD}"), "[{}, {\"hp\": 1}, {\"name\": {}}]"),
        (
            &record("{\"kind\": \"map\", \"key\": \"string\", \"value\": RECORD}"),
            "{\"a\": {\"hp\": 3}}",
        ),
    ];
    for (schema, text) in table {
        for profile in [Profile::Doc, Profile::Engine] {
            assert!(is_streamed(schema, text, profile), "{schema} {text} {profile:?}");
        }
    }
}

/// What has nothing to report is streamed, with all of its defaults.
#[test]
fn usual_values_are_streamed() {
    let (array, map) = (
        "{\"kind\": \"array\", \"item\": \"i32\"}",
        "{\"kind\": \"map\", \"key\": \"any\", \"value\": \"f32\"}",
    );
    let packed = |item: &str, ty: &str| {
        format!("{{\"kind\": \"array\", \"item\": \"{item}\", \"as\": \"{ty}\"}}")
    };
    let table = [
        ("\"bool\"", "true"),
        ("\"i8\"", "-128"),
        ("\"u64\"", "9223372036854775807"),
        ("\"f32\"", "0.1"),
        ("\"f64\"", "1e-7"),
        ("\"string\"", "\"a\\u0001 \\n \\\" \\\\ \\ud83d\\ude00 ä and more than sixteen\""),
        ("\"vector4\"", "[1, 2.5, -3, 0.1]"),
        ("\"color\"", "[1.0, 0.5, 0.25, 1.0]"),
        ("{\"kind\": \"enum\", \"underlying\": \"u8\", \"values\": {\"A\": 1, \"B\": 2}}", "2"),
        (array, "[1, 2]"),
        (array, "[]"),
        (map, "{\"a\": 1, \"ä\": 2}"),
        (map, "[]"),
        (RECORD, "{\"name\": \"a\", \"hp\": 1, \"at\": [1, 2], \"tags\": [\"b\"]}"),
        (RECORD, "{}"),
        (&packed("f64", "PackedFloat64Array"), "[1.5, 2]"),
        (&packed("f64", "PackedFloat32Array"), "[0.1]"),
        (&packed("i64", "PackedInt64Array"), "[-1, 2]"),
        (&packed("i64", "PackedInt32Array"), "[]"),
        (&packed("vector3", "PackedVector3Array"), "[[1, 2, 3], [4, 5, 6]]"),
        (&packed("string", "PackedStringArray"), "[\"a\", \"\\t\"]"),
    ];
    for (schema, text) in table {
        for profile in [Profile::Doc, Profile::Engine] {
            let json = Json::parse(schema).unwrap();
            let schema = Schema::from_json(&json, &registry()).unwrap();
            let settings = Settings { profile, ..Settings::default() };
            let json = Json::parse(text).unwrap();
            let value = load(&json, &schema, None, &registry(), settings, None).value;
            assert!(stored(&value, &schema, profile).is_some(), "{text}");
        }
    }
}

/// What is to be reported, sorted or left out is left to the tree path.
#[test]
fn other_values_are_not() {
    let float = |value: f64| Value::Float(value);
    let table = [
        ("\"f64\"", float(f64::NAN)),
        ("\"f32\"", float(1e300)),
        ("\"u8\"", Value::Int(256)),
        ("\"u64\"", Value::Int(-1)),
        ("\"string\"", Value::Int(1)),
        ("\"vector2\"", Value::Vector3([1.0; 3])),
        (
            "{\"kind\": \"unordered_map\", \"key\": \"string\", \"value\": \"i32\"}",
            Value::from(Dictionary::default()),
        ),
        (
            "{\"kind\": \"map\", \"key\": \"string\", \"value\": \"i32\"}",
            [(Value::from("{}"), Value::Int(1))].into_iter().collect::<Dictionary>().into(),
        ),
        (
            "{\"kind\": \"map\", \"key\": \"any\", \"value\": \"i32\"}",
            [(Value::Int(1), Value::Int(1))].into_iter().collect::<Dictionary>().into(),
        ),
        (
            "{\"a\": \"i32\"}",
            [(Value::from("b"), Value::Int(1))].into_iter().collect::<Dictionary>().into(),
        ),
        ("{\"a\": \"i32\"}", Value::from(Dictionary::default())),
    ];
    for (schema, value) in table {
        let schema = Schema::from_json(&Json::parse(schema).unwrap(), &registry()).unwrap();
        for profile in [Profile::Doc, Profile::Engine] {
            assert_eq!(stored(&value, &schema, profile), None, "{value:?}");
        }
        let (registry, settings) = (registry(), Settings::default());
        assert!(store_streaming(&value, &schema, &registry, settings, true).is_none());
    }
}

/// Units that are no characters are written as U+FFFD, others as they are.
#[test]
fn units_of_the_engine_are_written_as_text() {
    struct Units(Vec<u32>);
    impl Source for Units {
        fn emit<S: Sink>(&self, sink: S) -> Result<(), Refusal> {
            sink.string(StringKind::String, Text::Utf32(&self.0))
        }
    }
    let (registry, schema) = (Registry::default(), Kind::String.into());
    let settings = Settings { keep_defaults: true, ..Settings::default() };
    let text = "plain text of more than sixteen units, then \" \\ ä 😀 \n\u{1f} and the end";
    for cut in 0..text.chars().count() {
        let units: Vec<u32> = text.chars().skip(cut).map(u32::from).collect();
        let expected: String = text.chars().skip(cut).collect();
        let (stored, _) =
            store_streaming(&Units(units), &schema, &registry, settings, false).unwrap();
        assert_eq!(stored, Json::from(expected.as_str()).to_text());
    }
    let units = Units(vec![0xD800, 97, 0x0011_0000]);
    let (stored, _) = store_streaming(&units, &schema, &registry, settings, false).unwrap();
    assert_eq!(stored, "\"\u{FFFD}a\u{FFFD}\"");
}

/// What is to be reported, and what is no JSON, is left to the tree path.
#[test]
fn all_else_is_not() {
    let array = "{\"kind\": \"array\", \"item\": \"u8\"}";
    let map = "{\"kind\": \"map\", \"key\": \"string\", \"value\": \"u8\"}";
    let table = [
        ("\"u8\"", "256"),
        ("\"u8\"", "-1"),
        ("\"u8\"", "null"),
        ("\"f32\"", "1e39"),
        ("\"bool\"", "\"yes\""),
        (array, "[1, 2, 300]"),
        (array, "[1, 2, ]"),
        (array, "[1, 2"),
        (array, "[1, 2] 3"),
        (array, "{\"a\": 1}"),
        (map, "{\"a\": 1, \"b\": []}"),
        (map, "{\"a\" 1}"),
        (RECORD, "{\"name\": \"a\", \"unknown\": 1}"),
        (RECORD, "{\"name\": \"a\", \"hp\": 1000}"),
        ("\"any\"", "{\"$type\": \"int\", \"Value\": 1}"),
        ("{\"kind\": \"set\", \"item\": \"u8\"}", "[1, 1]"),
        ("\"string\"", "\"\\ud800\""),
    ];
    for (schema, text) in table {
        for profile in [Profile::Doc, Profile::Engine] {
            assert!(!is_streamed(schema, text, profile), "{schema} {text}");
        }
    }
}

/// A long array of numbers is read in parts; what is in it besides is found wherever it is.
#[test]
fn long_arrays_are_read_in_parts() {
    let packed = |item: &str, ty: &str| {
        format!("{{\"kind\": \"array\", \"item\": \"{item}\", \"as\": \"{ty}\"}}")
    };
    let (floats, ints) = (packed("f64", "PackedFloat64Array"), packed("i32", "PackedInt32Array"));
    let numbers: Vec<String> =
        (1..60_000).map(|index| (1_000_000_000 + index).to_string()).collect();
    let text = |at: usize, other: &str| {
        let mut numbers = numbers.clone();
        numbers[at] = other.to_owned();
        format!(" [ {} ] ", numbers.join(if at < 40_000 { "," } else { " ,\n " }))
    };
    let others = [
        ("1.5e3", true),
        ("\"12\"", true),
        ("7 // , ]\n", true),
        ("7 // ], [5\n", true),
        ("/* [ , ] , */ 7", true),
        ("", false),
        ("1 2", false),
        ("]", false),
        ("1,,", false),
    ];
    // In the middle, and at the end.
    for (index, (other, is_taken)) in others.into_iter().enumerate() {
        let text = text(if index < 4 { 30_000 } else { 59_998 }, other);
        assert_eq!(is_streamed(&floats, &text, Profile::Doc), is_taken, "{other}");
    }
    assert!(!is_streamed(&floats, &format!("[{}]", ",".repeat(600_000)), Profile::Doc));
    assert!(is_streamed(&ints, &text(59_998, "-5"), Profile::Doc));
    assert!(!is_streamed(&ints, &text(59_998, "2147483648"), Profile::Doc));
}

/// Deep values stop where the tree path says they do.
#[test]
fn depth_is_limited() {
    let mut schema = "\"u8\"".to_owned();
    let mut text = "1".to_owned();
    for _ in 0..60 {
        schema = format!("{{\"kind\": \"array\", \"item\": {schema}}}");
        text = format!("[{text}]");
    }
    assert!(is_streamed(&schema, &text, Profile::Doc));
    let deep = format!("{}1{}", "[".repeat(300), "]".repeat(300));
    assert!(!is_streamed(&schema, &deep, Profile::Doc));
}

/// A member that stands twice in each of many levels does not make the text be read again and again.
#[test]
fn twins_inside_each_other_are_read_in_time() {
    let mut schema = "\"u8\"".to_owned();
    let mut text = "1".to_owned();
    for _ in 0..40 {
        schema = format!("{{\"a\": {schema}, \"b\": \"u8\"}}");
        text = format!("{{\"a\": {text}, \"b\": 1, \"b\": 2}}");
    }
    assert!(!is_streamed(&schema, &text, Profile::Doc));
}

fn documents() -> impl Strategy<Value = String> {
    let number = prop_oneof![
        any::<i64>().prop_map(|number| number.to_string()),
        any::<u64>().prop_map(|number| number.to_string()),
        any::<f64>().prop_filter("JSON has it", |n| n.is_finite()).prop_map(|n| format!("{n:?}")),
        "-?[0-9]{1,3}(\\.[0-9]{1,3})?([eE][-+]?[0-9]{1,2})?",
    ];
    let text = "[ -~ä😀]{0,12}".prop_map(|text| Json::from(text.as_str()).to_text());
    let leaf = prop_oneof![
        number,
        text,
        Just("{}".to_owned()),
        Just("true".to_owned()),
        Just("null".to_owned()),
    ];
    let name =
        prop_oneof![Just("name"), Just("hp"), Just("HP"), Just("at"), Just("tags"), Just("other")];
    leaf.prop_recursive(4, 32, 6, move |inner| {
        let member =
            (name.clone(), inner.clone()).prop_map(|(name, value)| format!("\"{name}\" :{value}"));
        prop_oneof![
            prop::collection::vec(inner, 0..5).prop_map(|all| format!("[{}]", all.join(" , "))),
            prop::collection::vec(member, 0..6).prop_map(|all| format!("{{{}}}", all.join(","))),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(1500) })]

    #[test]
    fn both_ways_agree(text in documents(), kind in 0..8usize, is_doc: bool) {
        let profile = if is_doc { Profile::Doc } else { Profile::Engine };
        let array = format!("{{\"kind\": \"array\", \"item\": {RECORD}}}");
        let map = format!("{{\"kind\": \"map\", \"key\": \"any\", \"value\": {RECORD}}}");
        let schema = [
            RECORD, &array, &map, "\"i64\"", "\"f32\"", "\"string\"", "\"vector2\"",
            "{\"kind\": \"array\", \"item\": \"f64\", \"as\": \"PackedFloat64Array\"}",
        ][kind];
        is_streamed(schema, &text, profile);
        is_streamed(&array, &format!("[{text}]"), profile);
    }
}
