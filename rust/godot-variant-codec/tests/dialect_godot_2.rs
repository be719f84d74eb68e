//! `GODOT_2` against the tables of Godot 2.1 (core/io/marshalls.cpp, 2.1).

use crate::common::{
    Row, array, check_only_read, check_rows, dictionary, encode_options, node_path, object,
    rejection, unhex,
};
use godot_variant_codec::variant::{Object, Value};
use godot_variant_codec::{DecodeOptions, Dialect, EncodeOptions, decode_as, encode_as};

const DIALECT: &Dialect = &Dialect::GODOT_2;

fn rows() -> Vec<Row<'static>> {
    vec![
        ("0 NIL", Value::Nil, "00000000"),
        ("1 BOOL", Value::Bool(true), "01000000 01000000"),
        ("2 INT: always i32", Value::Int(-2), "02000000 feffffff"),
        ("3 REAL: always f32", Value::Float(1.5), "03000000 0000c03f"),
        ("4 STRING", Value::from("abc"), "04000000 03000000 61626300"),
        ("5 VECTOR2", Value::Vector2([1.0, 2.0]), "05000000 0000803f 00000040"),
        ("14 COLOR", Value::Color([1.0; 4]), "0e000000 0000803f 0000803f 0000803f 0000803f"),
        (
            "16 NODE_PATH, without a property",
            node_path(true, &["root"], &[]),
            "10000000 01000080 00000000 01000000 04000000 726f6f74",
        ),
        (
            "16 NODE_PATH: the last subname is the property, flag 2, and not counted",
            node_path(false, &["a"], &["b", "c"]),
            "10000000 01000080 01000000 02000000 01000000 61000000 01000000 62000000 01000000 63000000",
        ),
        ("17 _RID: the header alone", Value::Rid(0), "11000000"),
        ("18 OBJECT: the header alone, null", object(Object::Null), "12000000"),
        (
            "20 DICTIONARY",
            dictionary([(Value::from("a"), Value::Int(1))]),
            "14000000 01000000 04000000 01000000 61000000 02000000 01000000",
        ),
        ("21 ARRAY", array([Value::Nil]), "15000000 01000000 00000000"),
        ("22 RAW_ARRAY", Value::PackedByteArray(vec![1]), "16000000 01000000 01000000"),
        ("23 INT_ARRAY", Value::PackedInt32Array(vec![-1]), "17000000 01000000 ffffffff"),
        ("24 REAL_ARRAY", Value::PackedFloat32Array(vec![1.5]), "18000000 01000000 0000c03f"),
        (
            "25 STRING_ARRAY: with NUL",
            Value::PackedStringArray(vec!["a".into(), "".into()]),
            "19000000 02000000 02000000 61000000 01000000 00000000",
        ),
        (
            "26 VECTOR2_ARRAY",
            Value::PackedVector2Array(vec![[1.0, 2.0]]),
            "1a000000 01000000 0000803f 00000040",
        ),
        (
            "27 VECTOR3_ARRAY",
            Value::PackedVector3Array(vec![[1.0, 2.0, 1.0]]),
            "1b000000 01000000 0000803f 00000040 0000803f",
        ),
        (
            "28 COLOR_ARRAY",
            Value::PackedColorArray(vec![[1.0; 4]]),
            "1c000000 01000000 0000803f 0000803f 0000803f 0000803f",
        ),
    ]
}

#[test]
fn the_tables_hold() {
    check_rows(DIALECT, false, &rows());
}

#[test]
fn other_forms_are_read() {
    let rows = [
        (
            "20 DICTIONARY, shared: as in godotengine/godot#6226",
            dictionary([]),
            "14000000 00000080",
        ),
        ("21 ARRAY, shared", array([Value::Nil]), "15000000 01000080 00000000"),
        ("2 INT, flag of 2.1.5", Value::Int(1 << 40), "02000100 00000000 00010000"),
        ("3 REAL, flag of 2.1.5", Value::Float(0.1), "03000100 9a999999 9999b93f"),
    ];
    check_only_read(DIALECT, false, &rows);
}

#[test]
fn images_and_input_events_are_dictionaries_or_nothing() {
    let int = |name: &str, value: i64| (Value::from(name), Value::Int(value));
    let image = dictionary([
        int("format", 3),
        int("mipmaps", 0),
        int("width", 1),
        int("height", 1),
        (Value::from("data"), Value::PackedByteArray(vec![9, 8, 7])),
    ]);
    let key =
        dictionary([int("type", 1), int("device", 0), int("modifiers", 2), int("scancode", 65)]);
    let motion = dictionary([
        int("type", 4),
        int("device", 1),
        int("axis", 2),
        (Value::from("value"), Value::Float(-0.5)),
    ]);
    let rows = [
        ("Image", image, "0f000000 03000000 00000000 01000000 01000000 03000000 09080700"),
        ("InputEvent", key, "13000000 01000000 00000000 14000000 02000000 41000000"),
        ("InputEvent", motion, "13000000 04000000 01000000 14000000 02000000 000000bf"),
        (
            "InputEvent",
            dictionary([int("type", 2), int("device", 0)]),
            "13000000 02000000 00000000 0c000000",
        ),
    ];
    for (name, nearest, hex) in rows {
        let (code, message) = rejection(DIALECT, hex);
        assert_eq!(code, "no_such_value");
        assert!(message.contains(name), "{message}");
        // A value after it is still found.
        let bytes = [unhex("15000000 02000000"), unhex(hex), unhex("02000000 07000000")].concat();
        let options = DecodeOptions { lossy: true, ..DecodeOptions::default() };
        let decoded = decode_as(&bytes, DIALECT, options).unwrap();
        assert_eq!(decoded, array([nearest, Value::Int(7)]));
    }
}

#[test]
fn what_needs_more_bits_is_refused_or_brought_near() {
    let lossy = EncodeOptions { lossy: true, ..EncodeOptions::default() };
    for (value, near) in [
        (Value::Int(1 << 31), Value::Int(i64::from(i32::MAX))),
        (Value::Int(i64::MIN), Value::Int(i64::from(i32::MIN))),
        (Value::Float(-1e300), Value::Float(f64::NEG_INFINITY)),
        (Value::Rid(3), Value::Rid(0)),
        (object(Object::Id(3)), Value::Nil),
    ] {
        let refusal = encode_as(&value, DIALECT, encode_options(false)).unwrap_err();
        assert_eq!(refusal.kind().code(), "not_in_dialect", "{value:?}");
        let bytes = encode_as(&value, DIALECT, lossy).unwrap();
        assert_eq!(decode_as(&bytes, DIALECT, DecodeOptions::default()).unwrap(), near);
    }
}

#[test]
fn there_is_no_double_precision() {
    let refusal = encode_as(&Value::Nil, DIALECT, encode_options(true)).unwrap_err();
    assert_eq!(refusal.to_string(), "GODOT_2 does not support double precision");
}
