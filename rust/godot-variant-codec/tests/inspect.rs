//! Listings of whole and of broken values.

use godot_variant_codec::inspect::{Content, Row, inspect};
use godot_variant_codec::variant::{Array, ContainerType, Dictionary, Value, VariantType};
use godot_variant_codec::{
    DecodeErrorKind, DecodeOptions, Decoder, Dialect, EncodeOptions, decode_as, encode, encode_as,
};
use proptest::collection::vec;
use proptest::prelude::*;
use testkit::goldens;
use testkit::values;

const GODOT_4: &str = include_str!("../goldens/godot4.txt");

/// Whatever the bytes: each stands in one row, errors are those of the decoder, text comes out.
fn check(bytes: &[u8]) {
    let rows: Vec<Row<'_>> = inspect(bytes).rows().collect();
    let listed: Vec<u8> = rows.iter().flat_map(|row| row.bytes.to_vec()).collect();
    assert_eq!(listed, bytes, "a byte is missing or stands there twice");
    let mut offset = 0;
    for row in &rows {
        assert_eq!(row.offset, offset, "{row:?}");
        offset += row.bytes.len();
    }

    let options = DecodeOptions { allow_objects: true, ..DecodeOptions::default() };
    let mut value = Value::Nil;
    let mut decoder = Decoder::new(bytes, options);
    let first_error = rows.iter().find_map(|row| match &row.content {
        Content::Error(error) => Some(error),
        _ => None,
    });
    match (decoder.decode_into(&mut value), first_error) {
        (Ok(()), None) => {
            let trailing = rows.iter().find(|row| matches!(row.content, Content::Trailing));
            assert_eq!(trailing.map_or(bytes.len(), |row| row.offset), decoder.offset());
        }
        (Err(expected), Some(error)) => {
            assert_eq!(error.kind(), expected.kind());
            assert_eq!(error.offset(), expected.offset());
        }
        (expected, found) => panic!("expected {expected:?}, found {found:?} in {bytes:02x?}"),
    }

    let text = inspect(bytes).to_string();
    assert!(text.lines().all(|line| line.contains("  ") && !line.contains('\u{1b}')), "{text}");
    let short = inspect(bytes).max_rows(2).to_string();
    assert!(short.lines().count() <= 2 * 5 + 1, "{short}");
}

#[test]
fn names_of_classes_do_not_steer_the_terminal() {
    let mut bytes = vec![28, 0, 2, 0, 4, 0, 0, 0];
    bytes.extend(b"\x1b[2J");
    bytes.extend([0; 4]);
    check(&bytes);
    assert!(inspect(&bytes).to_string().contains(r#"Array["\u{1b}[2J"], 0 elements"#));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn values_are_listed_whole(value in values::value(), behind in vec(any::<u8>(), 0..4)) {
        let mut bytes = encode(&value).unwrap();
        bytes.extend(behind);
        check(&bytes);
    }

    #[test]
    fn broken_values_are_listed_as_far_as_they_go(
        value in values::value(),
        changes in vec((any::<prop::sample::Index>(), any::<u8>()), 0..6),
        cut in any::<prop::sample::Index>(),
    ) {
        let mut bytes = encode(&value).unwrap();
        for (place, byte) in changes {
            let place = place.index(bytes.len());
            bytes[place] = byte;
        }
        bytes.truncate(cut.index(bytes.len() + 1));
        check(&bytes);
    }

    #[test]
    fn any_bytes_are_listed(bytes in vec(prop_oneof![2 => 0..40u8, 1 => any::<u8>()], 0..200)) {
        check(&bytes);
    }
}

#[test]
fn what_the_engine_wrote_is_listed() {
    let (values, hostile) = goldens::parse(GODOT_4);
    for golden in values {
        check(&golden.bytes);
        let first = inspect(&golden.bytes).rows().next().unwrap();
        if let Content::Value { ty, .. } = first.content {
            assert!(ty == golden.ty || ty == VariantType::Nil, "{} {}", golden.ty, golden.label);
        }
    }
    for hostile in hostile {
        check(&hostile.bytes);
    }
}

#[test]
fn a_listing() {
    let mut player = Dictionary::default();
    player.insert(Value::from("name"), Value::from("Ada"));
    player.insert(Value::StringName("pos".into()), Value::Vector2([1.0, 2.5]));
    let mut array = Array::from(vec![
        Value::Int(1 << 40),
        player.into(),
        Value::PackedInt32Array((1..=20).collect()),
        Value::Nil,
    ]);
    array.element_type = ContainerType::Builtin(VariantType::Int);
    let mut bytes = encode(&Value::from(array)).unwrap();
    bytes.extend([1, 2]);
    assert_eq!(
        inspect(&bytes).to_string(),
        r#"00000000  1c000100 02000000 04000000           Array[int], 4 elements
0000000c  02000100 00000000 00010000             [0] int 1099511627776
00000018  1b000000 02000000                      [1] Dictionary, 2 entries
00000020  04000000 04000000 6e616d65               [key 0] String "name"
0000002c  04000000 03000000 41646100               ["name"] String "Ada"
00000038  15000000 03000000 706f7300               [key 1] StringName "pos"
00000044  05000000 0000803f 00002040               [&"pos"] Vector2(1, 2.5)
00000050  1e000000 14000000 01000000 02000000    [2] PackedInt32Array 20 elements: 1, 2, 3, 4, 5, 6, 7, 8, …
00000060  03000000 04000000 05000000 06000000
00000070  07000000 08000000 09000000 0a000000
00000080  0b000000 0c000000 0d000000 0e000000
00000090  … 24 bytes
000000a8  00000000                               [3] Nil
000000ac  0102                                 2 bytes behind the value
"#
    );
    assert!(inspect(&bytes).starting_at(0x18).to_string().starts_with("00000018  1b000000"));
    let short = inspect(&bytes).max_rows(3).to_string();
    assert_eq!(short.lines().last().unwrap(), "00000020  … and 142 bytes more");
}

#[test]
fn a_value_whose_end_is_missing_is_listed_up_to_there() {
    let numbers = Array::from_iter((0..1000).map(Value::Int));
    let mut bytes = encode(&Value::from(numbers)).unwrap();
    bytes.truncate(8 + 2 * 8 + 5);
    let text = inspect(&bytes).to_string();
    assert_eq!(
        text,
        "\
00000000  1c000000 e8030000                    error: an Array of 1000 elements does not fit in the 21 bytes left (at byte 4)
00000008  02000000 00000000                      [0] int 0
00000010  02000000 01000000                      [1] int 1
00000018  02000000 02                            [2] error: unexpected end: 4 bytes needed, 1 left (at byte 28)
"
    );
}

#[test]
fn nesting_takes_no_stack() {
    let mut bytes = [28, 0, 0, 0, 1, 0, 0, 0].repeat(100_000);
    bytes.extend([0; 4]);
    let rows: Vec<Row<'_>> = inspect(&bytes).rows().collect();
    assert_eq!(rows.len(), 1025);
    let Content::Error(error) = &rows[1024].content else {
        panic!("{:?}", rows[1024]);
    };
    assert_eq!(error.kind(), &DecodeErrorKind::TooDeep { limit: 1024 });
    assert_eq!(error.offset(), 1024 * 8);
}

#[test]
fn no_bytes_at_all() {
    let text = inspect(&[]).to_string();
    assert!(text.contains("error: unexpected end: 4 bytes needed, 0 left (at byte 0)"), "{text}");
    assert!(inspect(&[0]).starting_at(7).to_string().contains("0 left (at byte 1)"));
}

/// What a dialect decodes is listed without an error, and what it refuses with one.
fn check_dialect(bytes: &[u8], dialect: &'static Dialect) {
    let rows: Vec<Row<'_>> = inspect(bytes).dialect(dialect).rows().collect();
    let listed: Vec<u8> = rows.iter().flat_map(|row| row.bytes.to_vec()).collect();
    assert_eq!(listed, bytes, "a byte is missing or stands there twice");
    let options = DecodeOptions { allow_objects: true, ..DecodeOptions::default() };
    let decoded = decode_as(bytes, dialect, options);
    let found = rows.iter().find_map(|row| match &row.content {
        Content::Error(error) => Some(error.to_string()),
        _ => None,
    });
    // The bytes of keys that only older engines tell apart are not wrong. Decoding ends there, and does not see what is behind.
    let ends_early = decoded.as_ref().is_err_and(|error| error.kind().code() == "equal_keys");
    assert!(
        ends_early || decoded.is_err() == found.is_some(),
        "{} {decoded:?} {found:?}",
        dialect.name()
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn every_dialect_is_listed(
        value in values::value(),
        changes in vec((any::<prop::sample::Index>(), any::<u8>()), 0..3),
    ) {
        for dialect in Dialect::ALL {
            let options = EncodeOptions { lossy: true, ..EncodeOptions::default() };
            // Not even the nearest value of a dialect need exist.
            let Ok(mut bytes) = encode_as(&value, dialect, options) else {
                continue;
            };
            check_dialect(&bytes, dialect);
            for (place, byte) in &changes {
                let place = place.index(bytes.len());
                bytes[place] = *byte;
            }
            check_dialect(&bytes, dialect);
        }
    }
}
