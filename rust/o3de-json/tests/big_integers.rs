//! Integers that a float does not hold: each one that becomes another number is an issue with its place.

use std::cmp::Ordering;

use godot_variant::Value;
use o3de_json::{
    FloatRepr, Json, Kind, Loaded, Outcome, Place, ReadLimits, Registry, Schema, SequenceKind,
    Settings, ValueBuilder, apply_merge_patch, compare, load_plain_streaming, load_plain_text,
    load_streaming, load_text,
};
use proptest::prelude::*;

/// Integers around the limits of doubles, of 64 bits with and without a sign, and far beyond, as they are written.
fn integers() -> impl Strategy<Value = String> {
    let near = |power: u32| {
        (-3_000_i128..3_000).prop_map(move |offset| ((1_i128 << power) + offset).to_string())
    };
    let exact = (0_u32..110, 1_i128..1 << 10).prop_map(|(power, odd)| (odd << power).to_string());
    let zeros = (1_u32..10_000, 0_usize..60)
        .prop_map(|(number, zeros)| format!("{number}{}", "0".repeat(zeros)));
    let magnitude = prop_oneof![
        near(24),
        near(53),
        near(63),
        near(64),
        near(100),
        exact,
        zeros,
        "[1-9][0-9]{15,300}",
    ];
    (any::<bool>(), magnitude)
        .prop_map(|(is_negative, digits)| if is_negative { format!("-{digits}") } else { digits })
}

/// The whole number that a float is, digit by digit.
fn digits(float: f64) -> String {
    format!("{float:.0}")
}

fn is_whole(loaded: &Loaded) -> bool {
    loaded.issues.iter().all(|issue| issue.code.outcome() == Outcome::Success)
}

fn first(value: &Value) -> &Value {
    match value {
        Value::Array(array) => &array.elements[0],
        Value::Dictionary(dictionary) => dictionary.get(&Value::from("b")).unwrap(),
        other => other,
    }
}

fn loaded_by(kind: Kind, text: &str) -> Loaded {
    let schema = Schema::from(kind);
    let (limits, registry) = (ReadLimits::default(), Registry::default());
    let streamed =
        load_streaming(text, limits, &schema, &registry, Settings::default(), &ValueBuilder);
    let loaded = load_text(text, limits, &schema, &registry, Settings::default()).unwrap();
    if let Some((value, _)) = streamed {
        assert!(is_whole(&loaded), "{text}: streamed though there is an issue");
        assert_eq!(value, loaded.value);
    }
    loaded
}

proptest! {
    /// Without a schema: an int, or the nearest float, and an issue exactly where that is another number.
    #[test]
    fn plain_json_reports_each_lost_integer(integer in integers(), line in 0_usize..4) {
        let text = format!("{{\"a\": 1,{}\"b\": {integer}}}", "\n".repeat(line));
        let loaded = load_plain_text(&text, ReadLimits::default()).unwrap();
        let streamed = load_plain_streaming(&text, ReadLimits::default(), &ValueBuilder);
        let is_kept = match first(&loaded.value) {
            Value::Int(number) => number.to_string() == integer,
            Value::Float(number) => {
                prop_assert_eq!(*number, integer.parse::<f64>().unwrap());
                prop_assert!(integer.parse::<i64>().is_err());
                digits(*number) == integer
            }
            other => panic!("{other:?}"),
        };
        prop_assert_eq!(is_kept, is_whole(&loaded));
        if let Some(value) = streamed {
            prop_assert!(is_kept);
            prop_assert_eq!(value, loaded.value.clone());
        }
        if !is_kept {
            let column = if line == 0 { 14 } else { 6 };
            prop_assert_eq!(loaded.issues.len(), 1);
            prop_assert_eq!(&loaded.issues[0].path, "/b");
            prop_assert_eq!(loaded.issues[0].place, Some(Place { line: line + 1, column }));
            prop_assert!(loaded.issues[0].message.contains(&integer));
        }
    }

    /// With a schema: floats of both sizes, alone, in vectors, in colors and in arrays.
    #[test]
    fn schemas_report_each_lost_integer(integer in integers(), is_double: bool) {
        let wide = integer.parse::<f64>().unwrap();
        let narrow = f64::from(wide as f32);
        let (repr, float) = match is_double {
            true => (FloatRepr::F64, wide),
            false => (FloatRepr::F32, narrow),
        };
        if !float.is_finite() {
            return Ok(());
        }
        let is_kept = digits(float) == integer;
        let loaded = loaded_by(Kind::Float(repr), &integer);
        prop_assert_eq!(&loaded.value, &Value::Float(float));
        prop_assert_eq!(is_whole(&loaded), is_kept);
        let item = Schema::from(Kind::Float(repr));
        let sequence = Kind::Sequence(SequenceKind::Array, item.into());
        let loaded = loaded_by(sequence, &format!("[\n{integer}]"));
        prop_assert_eq!(first(&loaded.value), &Value::Float(float));
        prop_assert_eq!(is_whole(&loaded), is_kept);
        if !is_kept {
            prop_assert_eq!(loaded.issues[0].place, Some(Place { line: 2, column: 1 }));
        }
        if narrow.is_finite() {
            let is_kept = digits(narrow) == integer;
            let loaded = loaded_by(Kind::Vector(2), &format!("[0, {integer}]"));
            prop_assert_eq!(&loaded.value, &Value::Vector2([0.0, narrow as f32]));
            prop_assert_eq!(is_whole(&loaded), is_kept);
            let loaded = loaded_by(Kind::Color, &format!("[0.5, 0.5, 0.5, {integer}]"));
            prop_assert_eq!(&loaded.value, &Value::Color([0.5, 0.5, 0.5, narrow as f32]));
            prop_assert_eq!(is_whole(&loaded), is_kept);
        }
    }

    /// A document that is patched and written again keeps each integer, and a string may be given as one.
    #[test]
    fn documents_keep_integers(integer in integers()) {
        let mut json = Json::parse(&format!("{{\"a\": {integer}}}")).unwrap();
        apply_merge_patch(&mut json, &Json::parse(&format!("{{\"b\": [{integer}]}}")).unwrap());
        prop_assert_eq!(json.to_text(), format!("{{\"a\":{integer},\"b\":[{integer}]}}"));
        let loaded = loaded_by(Kind::String, &integer);
        prop_assert_eq!(loaded.value, Value::from(integer.as_str()));
    }

    /// Integers compare exactly.
    #[test]
    fn integers_compare_by_value(a in -(1_i128 << 100)..1 << 100, offset in -2_i128..=2) {
        let b = a + offset;
        let json = |number: i128| Json::parse(&number.to_string()).unwrap();
        prop_assert_eq!(compare(&json(a), &json(b)), a.cmp(&b));
    }
}

#[test]
fn the_limits_themselves() {
    let table = [
        ("9223372036854775807", true),
        ("9223372036854775808", true),
        ("9223372036854775809", false),
        ("-9223372036854775808", true),
        ("-9223372036854775809", false),
        ("18446744073709551615", false),
        ("18446744073709551616", true),
        ("99999999999999999999", false),
        ("1000000000000000000000", true),
        ("100000000000000000000000", false),
    ];
    for (text, is_kept) in table {
        let loaded = load_plain_text(text, ReadLimits::default()).unwrap();
        assert_eq!(is_whole(&loaded), is_kept, "{text}: {loaded:?}");
    }
    let [small, big] =
        ["18446744073709551615", "18446744073709551616"].map(|text| Json::parse(text).unwrap());
    assert_eq!(compare(&small, &big), Ordering::Less);
}

/// The value that counts is the last of its name, and so is its issue.
#[test]
fn a_replaced_value_has_nothing_to_lose() {
    let lost = "99999999999999999999";
    for (text, place) in [
        (format!("{{\"a\": {lost},\n\"a\": 1}}"), None),
        (format!("{{\"a\": 1,\n\"a\": {lost}}}"), Some(Place { line: 2, column: 6 })),
        (
            format!("{{\"a\": {lost}, \"b\": 0,\n \"a\": {lost}}}"),
            Some(Place { line: 2, column: 7 }),
        ),
    ] {
        let loaded = load_plain_text(&text, ReadLimits::default()).unwrap();
        let places: Vec<_> = loaded.issues.iter().map(|issue| issue.place).collect();
        assert_eq!(places, Vec::from_iter(place.map(Some)), "{text}");
    }
}

/// Names of any kind lead to their place.
#[test]
fn places_behind_odd_names() {
    let long = "n".repeat(500);
    for name in ["a/b", "a~b", "\\n\\u001b", "ä", "", "0", &long] {
        let text = format!("\u{feff}// a comment\n[{{\"{name}\": [true, 99999999999999999999]}}]");
        let loaded = load_plain_text(&text, ReadLimits::default()).unwrap();
        let column = 14 + name.len();
        assert_eq!(loaded.issues[0].place, Some(Place { line: 2, column }), "{name}");
    }
}
