//! `DOCS_3_0` against its page: the tables of "Binary serialization API" of Godot 3.x, an English and
//! a Japanese copy, which no engine speaks. Each row names the table it was worked out from.

use crate::common::{
    Row, array, check_only_read, check_rows, decode_options, dictionary, encode_options, node_path,
    object, rejection, unhex,
};
use godot_variant_codec::variant::{Object, Value};
use godot_variant_codec::{Dialect, decode_as, encode_as};

const DIALECT: &Dialect = &Dialect::DOCS_3_0;

/// What does not change with the precision.
fn plain_rows() -> Vec<Row<'static>> {
    vec![
        ("0: null", Value::Nil, "00000000"),
        ("1: bool, 0 for False", Value::Bool(false), "01000000 00000000"),
        ("1: bool, 1 for True", Value::Bool(true), "01000000 01000000"),
        ("2: int, offset 4, len 8", Value::Int(1), "02000000 01000000 00000000"),
        ("2: int, 64-bit signed integer", Value::Int(-2), "02000000 feffffff ffffffff"),
        ("2: int", Value::Int(1 << 40), "02000000 00000000 00010000"),
        ("3: float, len 4, 32 bits", Value::Float(1.5), "03000000 0000c03f"),
        ("4: String, length in bytes", Value::from(""), "04000000 00000000"),
        ("4: String, padded to 4", Value::from("abc"), "04000000 03000000 61626300"),
        ("4: String, UTF-8", Value::from("日本"), "04000000 06000000 e697a5e6 9cac0000"),
        ("4: String, no padding", Value::from("abcd"), "04000000 04000000 61626364"),
        (
            "15: NodePath, new format: val&0x80000000, name count; sub-name count; flags; names",
            node_path(true, &["root", "ab"], &["c"]),
            "0f000000 02000080 01000000 01000000 04000000 726f6f74 02000000 61620000 01000000 63000000",
        ),
        (
            "15: NodePath, new format, not absolute",
            node_path(false, &["a"], &[]),
            "0f000000 01000080 00000000 00000000 01000000 61000000",
        ),
        ("18: Dictionary, val&0x7FFFFFFF elements", dictionary([]), "12000000 00000000"),
        (
            "18: Dictionary, pairs of key and value",
            dictionary([(Value::from("a"), Value::Int(1)), (Value::Nil, Value::Bool(true))]),
            "12000000 02000000 04000000 01000000 61000000 02000000 01000000 00000000 00000000 01000000 01000000",
        ),
        ("19: Array", array([]), "13000000 00000000"),
        (
            "19: Array, values one after the other",
            array([Value::Nil, array([Value::Float(-1.0)])]),
            "13000000 02000000 00000000 13000000 01000000 03000000 000080bf",
        ),
        (
            "20: PoolByteArray, padded to 4",
            Value::PackedByteArray(vec![1, 2, 255]),
            "14000000 03000000 0102ff00",
        ),
        (
            "21: PoolIntArray, 32-bit signed integers",
            Value::PackedInt32Array(vec![1, -1]),
            "15000000 02000000 01000000 ffffffff",
        ),
        (
            "22: PoolRealArray, 32-bits floats, type Integer: in double precision, too",
            Value::PackedFloat32Array(vec![1.5, -2.0]),
            "16000000 02000000 0000c03f 000000c0",
        ),
        (
            "23: PoolStringArray: length and bytes, each padded to 4, no NUL",
            Value::PackedStringArray(vec!["a".into(), "bcde".into(), "".into()]),
            "17000000 03000000 01000000 61000000 04000000 62636465 00000000",
        ),
    ]
}

fn numbers<const N: usize>() -> [f32; N] {
    std::array::from_fn(|index| (index + 1) as f32)
}

/// 1.0, 2.0, ... as 32-bit floats.
const SINGLE: [&str; 12] = [
    "0000803f", "00000040", "00004040", "00008040", "0000a040", "0000c040", "0000e040", "00000041",
    "00001041", "00002041", "00003041", "00004041",
];

/// 1.0, 2.0, ... as 64-bit floats.
const DOUBLE: [&str; 12] = [
    "000000000000f03f",
    "0000000000000040",
    "0000000000000840",
    "0000000000001040",
    "0000000000001440",
    "0000000000001840",
    "0000000000001c40",
    "0000000000002040",
    "0000000000002240",
    "0000000000002440",
    "0000000000002640",
    "0000000000002840",
];

/// Everything made of fields that the page calls "Float": source, value, header and count, how many
/// floats.
fn float_rows() -> Vec<(&'static str, Value, &'static str, usize)> {
    vec![
        ("5: Vector2, 4 and 8", Value::Vector2(numbers()), "05000000", 2),
        ("6: Rect2, 4 to 16", Value::Rect2(numbers()), "06000000", 4),
        ("7: Vector3, 4 to 12", Value::Vector3(numbers()), "07000000", 3),
        ("8: Transform2D, 4 to 24", Value::Transform2D(numbers()), "08000000", 6),
        ("9: Plane, 4 to 16", Value::Plane(numbers()), "09000000", 4),
        ("10: Quat, 4 to 16", Value::Quaternion(numbers()), "0a000000", 4),
        ("11: AABB, 4 to 24", Value::Aabb(numbers()), "0b000000", 6),
        ("12: Basis, 4 to 36", Value::Basis(Box::new(numbers())), "0c000000", 9),
        ("13: Transform, 4 to 48", Value::Transform3D(Box::new(numbers())), "0d000000", 12),
        ("14: Color, 4 to 16", Value::Color(numbers()), "0e000000", 4),
        (
            "24: PoolVector2Array, 8..8+length*8",
            Value::PackedVector2Array(vec![[1.0, 2.0], [3.0, 4.0]]),
            "18000000 02000000",
            4,
        ),
        (
            "25: PoolVector3Array, 8..8+length*12",
            Value::PackedVector3Array(vec![[1.0, 2.0, 3.0]]),
            "19000000 01000000",
            3,
        ),
        (
            "26: PoolColorArray, 8..8+length*16",
            Value::PackedColorArray(vec![[1.0, 2.0, 3.0, 4.0]]),
            "1a000000 01000000",
            4,
        ),
    ]
}

#[test]
fn the_tables_hold() {
    check_rows(DIALECT, false, &plain_rows());
    for (source, value, head, count) in float_rows() {
        let hex = head.to_owned() + &SINGLE[..count].concat();
        check_rows(DIALECT, false, &[(source, value, &hex)]);
    }
}

/// "If Godot was compiled with double-precision floats, the length of "Float" fields within data
/// structures should be 8, and the offset should be (offset - 4) * 2 + 4."
#[test]
fn the_tables_hold_in_double_precision() {
    check_rows(DIALECT, true, &plain_rows());
    for (source, value, head, count) in float_rows() {
        let hex = head.to_owned() + &DOUBLE[..count].concat();
        check_rows(DIALECT, true, &[(source, value, &hex)]);
    }
    // The formula itself, for the last field of a Transform: 48 becomes 92.
    let transform = Value::Transform3D(Box::new(numbers()));
    let bytes = encode_as(&transform, DIALECT, encode_options(true)).unwrap();
    assert_eq!(bytes[(48 - 4) * 2 + 4..], 12f64.to_le_bytes());
}

#[test]
fn other_forms_are_read() {
    let rows = [
        (
            "3: \"float\" always uses double precision: the table wins for writing, the flag for reading",
            Value::Float(0.1),
            "03000100 9a999999 9999b93f",
        ),
        (
            "15: NodePath, old format: string length and bytes, padded to 4",
            node_path(true, &["root", "a"], &["b"]),
            "0f000000 09000000 2f726f6f 742f613a 62000000",
        ),
        ("15: NodePath, old format, empty", node_path(false, &[], &[]), "0f000000 00000000"),
        (
            "18: Dictionary, val&0x80000000 shared",
            dictionary([(Value::Nil, Value::Nil)]),
            "12000000 01000080 00000000 00000000",
        ),
        ("19: Array, val&0x80000000 shared", array([Value::Nil]), "13000000 01000080 00000000"),
    ];
    check_only_read(DIALECT, false, &rows);
}

#[test]
fn what_the_page_does_not_have_is_refused() {
    let refused = [
        (
            "16: RID (unsupported)",
            Value::Rid(0),
            "DOCS_3_0 cannot store this RID: it has no format for RIDs (at [0])",
        ),
        (
            "17: Object (unsupported)",
            object(Object::Id(1)),
            "DOCS_3_0 cannot store this Object: it has no format for objects (at [0])",
        ),
        (
            "3: float, 32 bits",
            Value::Float(1e300),
            "DOCS_3_0 cannot store this float: its floats have 32 bits (at [0])",
        ),
        (
            "there is no number for it",
            Value::PackedInt64Array(vec![1]),
            "DOCS_3_0 cannot store this PackedInt64Array: it does not have this type (at [0])",
        ),
    ];
    for (source, value, message) in refused {
        let refusal = encode_as(&array([value]), DIALECT, encode_options(false)).unwrap_err();
        assert_eq!(refusal.to_string(), message, "{source}");
        assert_eq!(refusal.kind().code(), "not_in_dialect", "{source}");
    }
    let rejected = [
        (
            "16: RID (unsupported)",
            "10000000",
            "not_in_dialect",
            "DOCS_3_0 has a type number for RID, but no format (at byte 0)",
        ),
        (
            "17: Object (unsupported)",
            "11000000",
            "not_in_dialect",
            "DOCS_3_0 has a type number for Object, but no format (at byte 0)",
        ),
        (
            "27: max",
            "1b000000",
            "unknown_type",
            "unknown type 27: the types of DOCS_3_0 are 0 to 26 (at byte 0)",
        ),
        (
            "the type is the integer",
            "02010000 00000000 00000000",
            "unknown_type",
            "unknown type 258: the types of DOCS_3_0 are 0 to 26 (at byte 0)",
        ),
        (
            "2: int, len 8",
            "02000000 07000000",
            "unexpected_end",
            "unexpected end: 8 bytes needed, 4 left (at byte 4)",
        ),
    ];
    for (source, hex, code, message) in rejected {
        assert_eq!(rejection(DIALECT, hex), (code.into(), message.into()), "{source}");
    }
}

#[test]
fn a_float_is_rounded_to_what_the_table_has() {
    let bytes = encode_as(&Value::Float(0.1), DIALECT, encode_options(false)).unwrap();
    assert_eq!(bytes, unhex("03000000 cdcccc3d"));
    let decoded = decode_as(&bytes, DIALECT, decode_options(false)).unwrap();
    assert_eq!(decoded, Value::Float(f64::from(0.1f32)));
}
