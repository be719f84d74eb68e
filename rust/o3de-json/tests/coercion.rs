//! The page's table of basic types, cell by cell, and what it says of the others, in both profiles.

use godot_variant::Value;
use o3de_json::{Json, Outcome, Profile, Registry, Schema, Settings, load};

use Outcome::{Success, Unsupported};

/// What `json` is by `schema`, over a target that shows whether it was written to.
fn loaded(schema: &str, json: &str, profile: Profile) -> (Value, Outcome) {
    let registry = Registry::default();
    let schema = Schema::from_json(&Json::parse(schema).unwrap(), &registry).unwrap();
    let settings = Settings { profile, ..Settings::default() };
    let loaded = load(&Json::parse(json).unwrap(), &schema, None, &registry, settings, None);
    (loaded.value, loaded.code.outcome())
}

#[track_caller]
fn check(schema: &str, json: &str, value: impl Into<Value>, outcome: Outcome) {
    let value = value.into();
    for profile in [Profile::Doc, Profile::Engine] {
        let found = loaded(schema, json, profile);
        assert_eq!(found, (value.clone(), outcome), "{schema} from {json}, {profile:?}");
    }
}

#[test]
fn bool_from() {
    for (json, value) in [("true", true), ("false", false)] {
        check("\"bool\"", json, value, Success);
    }
    let numbers = [("0", false), ("-0.0", false), ("1", true), ("-7", true), ("0.1", true)];
    for (json, value) in numbers {
        check("\"bool\"", json, value, Success);
    }
    let texts = [
        ("\"true\"", true),
        ("\"FALSE\"", false),
        ("\"TrUe\"", true),
        ("\"1\"", true),
        ("\"0x0\"", false),
        ("\"12 apples\"", true),
    ];
    for (json, value) in texts {
        check("\"bool\"", json, value, Success);
    }
    for json in ["\"yes\"", "\"\"", "\" true\"", "null", "[]", "[true]", "{\"a\": 1}"] {
        check("\"bool\"", json, false, Unsupported);
    }
}

#[test]
fn integers_from() {
    check("\"i32\"", "true", 1, Success);
    check("\"i32\"", "false", 0, Success);
    let ranges: [(&str, i128, i128); 8] = [
        ("i8", i8::MIN.into(), i8::MAX.into()),
        ("i16", i16::MIN.into(), i16::MAX.into()),
        ("i32", i32::MIN.into(), i32::MAX.into()),
        ("i64", i64::MIN.into(), i64::MAX.into()),
        ("u8", 0, u8::MAX.into()),
        ("u16", 0, u16::MAX.into()),
        ("u32", 0, u32::MAX.into()),
        ("u64", 0, u64::MAX.into()),
    ];
    for (repr, min, max) in ranges {
        let schema = format!("\"{repr}\"");
        for number in [min, max] {
            // What is above the greatest signed number is held as its two's complement.
            check(&schema, &number.to_string(), number as i64, Success);
            check(&schema, &format!("\"{number}\""), number as i64, Success);
        }
        for number in [min - 1, max + 1] {
            check(&schema, &format!("\"{number}\""), 0, Unsupported);
            // As a JSON number this one is a double, which is -2^63 and fits.
            if number != i128::from(i64::MIN) - 1 {
                check(&schema, &number.to_string(), 0, Unsupported);
            }
        }
    }
    // A fraction is cut, but the range is that of the whole number.
    let fractions = [("1.9", 1), ("-1.9", -1), ("1e3", 1000), ("-0.5", 0)];
    for (json, number) in fractions {
        check("\"i32\"", json, number, Success);
    }
    check("\"u8\"", "254.9", 254, Success);
    check("\"u8\"", "255.5", 0, Unsupported);
    check("\"u8\"", "-0.5", 0, Unsupported);
    let texts =
        [("\" 42\"", 42), ("\"0x1F\"", 31), ("\"017\"", 15), ("\"42.9\"", 42), ("\"7x\"", 7)];
    for (json, number) in texts {
        check("\"i32\"", json, number, Success);
    }
    for json in ["\"\"", "\"x\"", "\"-\"", "null", "[1]", "{\"a\": 1}"] {
        check("\"i32\"", json, 0, Unsupported);
    }
}

#[test]
fn floats_from() {
    check("\"f64\"", "true", 1.0, Success);
    check("\"f64\"", "false", 0.0, Success);
    for (json, number) in
        [("1", 1.0), ("0.1", 0.1), ("-1e300", -1e300), ("9007199254740992", 9007199254740992.0)]
    {
        check("\"f64\"", json, number, Success);
    }
    check("\"f64\"", "9007199254740993", 9007199254740992.0, Outcome::PartialSkip);
    check("\"f32\"", "0.1", f64::from(0.1_f32), Success);
    check("\"f32\"", "1e300", 0.0, Unsupported);
    let texts = [("\"1.5\"", 1.5), ("\" -2e1x\"", -20.0), ("\"0x10\"", 16.0), ("\".5\"", 0.5)];
    for (json, number) in texts {
        check("\"f64\"", json, number, Success);
    }
    for json in ["\"\"", "\"x\"", "\"inf\"", "\"1e999\"", "\"1e-320\"", "null", "[1]", "{\"a\": 1}"]
    {
        check("\"f64\"", json, 0.0, Unsupported);
    }
}

#[test]
fn strings_from() {
    let table = [
        ("true", "True"),
        ("false", "False"),
        ("12", "12"),
        ("18446744073709551615", "18446744073709551615"),
        ("3.1415", "3.141500"),
        ("1e21", "1000000000000000000000.000000"),
        ("\"text\"", "text"),
        ("\"\"", ""),
    ];
    for (json, text) in table {
        check("\"string\"", json, text, Success);
    }
    for json in ["null", "[]", "[\"a\"]", "{\"a\": 1}"] {
        check("\"string\"", json, "", Unsupported);
    }
}

/// `{}` stands for the default in every position, before any rule of a type.
#[test]
fn the_explicit_default() {
    let words = [
        "bool",
        "u8",
        "f32",
        "string",
        "path",
        "uuid",
        "bytes",
        "vector2",
        "vector3",
        "vector4",
        "quaternion",
        "matrix3x3",
        "matrix3x4",
        "matrix4x4",
        "transform",
        "plane",
        "aabb",
        "color",
        "any",
        "optional",
        "Rect2",
        "Vector3i",
        "NodePath",
        "PackedInt32Array",
        "RID",
    ];
    for word in words {
        let registry = Registry::default();
        let schema = Schema::from_json(&Json::from(word), &registry).unwrap();
        let default = schema.default_value(&registry);
        check(&format!("\"{word}\""), "{}", default, Outcome::DefaultsUsed);
    }
    for schema in ["[\"u8\"]", "{\"a\": \"u8\"}", "{\"A\": 1}", "[\"u8\", \"bool\"]"] {
        let registry = Registry::default();
        let parsed = Schema::from_json(&Json::parse(schema).unwrap(), &registry).unwrap();
        check(schema, "{}", parsed.default_value(&registry), Outcome::DefaultsUsed);
    }
}
