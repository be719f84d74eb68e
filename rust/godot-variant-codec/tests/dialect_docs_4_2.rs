//! `DOCS_4_2` against its page: the tables of "Binäre Serialisierungs-API" of Godot 4.2, which no
//! engine speaks. Each row names the table it was worked out from.

use crate::common::{
    Row, array, check_only_read, check_rows, dictionary, encode_options, node_path, object,
    rejection, unhex,
};
use godot_variant_codec::variant::{Object, Value};
use godot_variant_codec::{DecodeOptions, Dialect, EncodeOptions, decode_as, encode_as};

const DIALECT: &Dialect = &Dialect::DOCS_4_2;

fn rows() -> Vec<Row<'static>> {
    vec![
        ("0: null", Value::Nil, "00000000"),
        ("1: bool", Value::Bool(true), "01000000 01000000"),
        ("2: int, flags == 0: 32 bits", Value::Int(-1), "02000000 ffffffff"),
        ("2: int, flags & 1 == 1: 64 bits", Value::Int(1 << 40), "02000100 00000000 00010000"),
        ("3: float, flags == 0: single", Value::Float(1.5), "03000000 0000c03f"),
        ("3: float, flags & 1 == 1: double", Value::Float(0.1), "03000100 9a999999 9999b93f"),
        ("4: String", Value::from("abc"), "04000000 03000000 61626300"),
        (
            "15: NodePath, new form",
            node_path(true, &["a"], &["bc"]),
            "0f000000 01000080 01000000 01000000 01000000 61000000 02000000 62630000",
        ),
        ("17: Object, a null value: integer null", object(Object::Null), "11000000 00000000"),
        (
            "17: Object, full_objects off: id of 8 bytes; bit 16 tells it from the others, as in the engines",
            object(Object::Id(0x0102_0304_0506_0708)),
            "11000100 08070605 04030201",
        ),
        (
            "17: Object, full_objects on: class, count, names and values",
            object(Object::Full {
                class: "Node".into(),
                properties: vec![("name".into(), Value::from("x")), ("n".into(), Value::Nil)],
            }),
            "11000000 04000000 4e6f6465 02000000 04000000 6e616d65 04000000 01000000 78000000 01000000 6e000000 00000000",
        ),
        (
            "18: Dictionary",
            dictionary([(Value::Int(1), Value::Int(2))]),
            "12000000 01000000 02000000 01000000 02000000 02000000",
        ),
        ("19: Array", array([Value::Nil]), "13000000 01000000 00000000"),
        (
            "20: PackedByteArray, padded",
            Value::PackedByteArray(vec![7]),
            "14000000 01000000 07000000",
        ),
        ("21: PackedInt32Array", Value::PackedInt32Array(vec![-1]), "15000000 01000000 ffffffff"),
        (
            "22: PackedInt64Array, offset 4, len 8: the count; the elements follow it",
            Value::PackedInt64Array(vec![1, -1]),
            "16000000 02000000 00000000 01000000 00000000 ffffffff ffffffff",
        ),
        (
            "22: PackedInt64Array, empty",
            Value::PackedInt64Array(vec![]),
            "16000000 00000000 00000000",
        ),
        (
            "23: PackedFloat32Array, 32 bits",
            Value::PackedFloat32Array(vec![1.5]),
            "17000000 01000000 0000c03f",
        ),
        (
            "24: PackedFloat64Array, offset 4, len 4: the count",
            Value::PackedFloat64Array(vec![0.1]),
            "18000000 01000000 9a999999 9999b93f",
        ),
        (
            "25: PackedStringArray, no NUL",
            Value::PackedStringArray(vec!["a".into(), "".into(), "bcde".into()]),
            "19000000 03000000 01000000 61000000 00000000 04000000 62636465",
        ),
    ]
}

/// Source, value, bytes in single and in double precision.
fn float_rows() -> Vec<(&'static str, Value, &'static str, &'static str)> {
    vec![
        (
            "5: Vector2",
            Value::Vector2([1.0, 2.0]),
            "05000000 0000803f 00000040",
            "05000000 00000000 0000f03f 00000000 00000040",
        ),
        (
            "9: Plane, distance at 16, or (16 - 4) * 2 + 4",
            Value::Plane([1.0, 1.0, 1.0, 2.0]),
            "09000000 0000803f 0000803f 0000803f 00000040",
            "09000000 00000000 0000f03f 00000000 0000f03f 00000000 0000f03f 00000000 00000040",
        ),
        (
            "14: Color, four fields of type Float",
            Value::Color([1.0, 2.0, 1.0, 2.0]),
            "0e000000 0000803f 00000040 0000803f 00000040",
            "0e000000 00000000 0000f03f 00000000 00000040 00000000 0000f03f 00000000 00000040",
        ),
        (
            "26: PackedVector2Array",
            Value::PackedVector2Array(vec![[1.0, 2.0]]),
            "1a000000 01000000 0000803f 00000040",
            "1a000000 01000000 00000000 0000f03f 00000000 00000040",
        ),
        (
            "27: PackedVector3Array",
            Value::PackedVector3Array(vec![[1.0, 2.0, 2.0]]),
            "1b000000 01000000 0000803f 00000040 00000040",
            "1b000000 01000000 00000000 0000f03f 00000000 00000040 00000000 00000040",
        ),
        (
            "28: PackedColorArray",
            Value::PackedColorArray(vec![[1.0, 2.0, 2.0, 1.0]]),
            "1c000000 01000000 0000803f 00000040 00000040 0000803f",
            "1c000000 01000000 00000000 0000f03f 00000000 00000040 00000000 00000040 00000000 0000f03f",
        ),
    ]
}

#[test]
fn the_tables_hold() {
    check_rows(DIALECT, false, &rows());
    for (source, value, single, _) in float_rows() {
        check_rows(DIALECT, false, &[(source, value, single)]);
    }
}

#[test]
fn the_tables_hold_in_double_precision() {
    check_rows(DIALECT, true, &rows());
    for (source, value, _, double) in float_rows() {
        check_rows(DIALECT, true, &[(source, value, double)]);
    }
}

#[test]
fn numbers_count_from_vector2_to_transform3d_as_in_3_0() {
    let rows: [Row<'_>; 6] = [
        ("6: Rect2", Value::Rect2([0.0; 4]), "06000000 00000000 00000000 00000000 00000000"),
        ("7: Vector3", Value::Vector3([0.0; 3]), "07000000 00000000 00000000 00000000"),
        (
            "8: Transform2D",
            Value::Transform2D([0.0; 6]),
            "08000000 00000000 00000000 00000000 00000000 00000000 00000000",
        ),
        (
            "10: Quaternion",
            Value::Quaternion([0.0; 4]),
            "0a000000 00000000 00000000 00000000 00000000",
        ),
        (
            "11: AABB",
            Value::Aabb([0.0; 6]),
            "0b000000 00000000 00000000 00000000 00000000 00000000 00000000",
        ),
        (
            "12: Basis",
            Value::Basis(Box::new([0.0; 9])),
            "0c000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000",
        ),
    ];
    check_rows(DIALECT, false, &rows);
    let transform = Value::Transform3D(Box::new([0.0; 12]));
    let bytes = encode_as(&transform, DIALECT, EncodeOptions::default()).unwrap();
    assert_eq!((bytes[0], bytes.len()), (13, 4 + 48), "13: Transform3D");
}

#[test]
fn other_forms_are_read() {
    let rows = [
        (
            "15: NodePath, old form",
            node_path(false, &["..", "a"], &[]),
            "0f000000 04000000 2e2e2f61",
        ),
        ("18: Dictionary, shared", dictionary([]), "12000000 00000080"),
        ("2: int, 64 bits for a small value", Value::Int(1), "02000100 01000000 00000000"),
        ("17: Object, id 0", object(Object::Null), "11000100 00000000 00000000"),
    ];
    check_only_read(DIALECT, false, &rows);
}

#[test]
fn what_the_page_does_not_have_is_refused() {
    let refusal = encode_as(&Value::Rid(1), DIALECT, encode_options(false)).unwrap_err();
    assert_eq!(refusal.to_string(), "DOCS_4_2 cannot store this RID: it has no format for RIDs");
    let rejected = [
        ("16: RID (unsupported)", "10000000", "not_in_dialect"),
        ("29: max", "1d000000", "unknown_type"),
        (
            "17: full objects are not allowed by default",
            "11000000 01000000 61000000 00000000",
            "objects_not_allowed",
        ),
        (
            "22: PackedInt64Array, a count beyond the bytes",
            "16000000 00000000 01000000",
            "count_too_large",
        ),
        ("22: PackedInt64Array, a negative count", "16000000 00000000 00000080", "negative_length"),
    ];
    for (source, hex, code) in rejected {
        assert_eq!(rejection(DIALECT, hex).0, code, "{source}");
    }
    // Null is no object with properties.
    let null = decode_as(&unhex("11000000 00000000"), DIALECT, DecodeOptions::default());
    assert_eq!(null.unwrap(), object(Object::Null));
}
