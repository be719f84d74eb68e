//! What holds for every dialect.

use crate::common::{array, dictionary, node_path, object, typed_array, unhex};
use godot_variant_codec::variant::{
    ContainerType, Dictionary, Object, RefusalKind, Source, Value, VariantType,
};
use godot_variant_codec::{
    DecodeOptions, Decoder, Dialect, DialectDecoder, DialectEncoder, EncodeOptions, decode_as,
    detect_dialects, encode, encode_as,
};
use proptest::prelude::*;
use testkit::goldens::{self, Golden, Hostile};
use testkit::{shared, values};

const LOSSY: EncodeOptions = EncodeOptions { lossy: true, double_precision: false };

fn strict() -> EncodeOptions {
    EncodeOptions::default()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn what_a_dialect_holds_survives(value in values::value(), index in 0..Dialect::ALL.len()) {
        let dialect = Dialect::ALL[index];
        if let Ok(bytes) = encode_as(&value, dialect, strict()) {
            prop_assert_eq!(bytes.len() % 4, 0);
            let decoded = decode_as(&bytes, dialect, DecodeOptions::default()).unwrap();
            check_stays(&decoded, dialect)?;
            prop_assert!(detect_dialects(&bytes, DecodeOptions::default())
                .any(|found| found.name() == dialect.name()));
            if !["GODOT_2", "DOCS_3_0"].contains(&dialect.name()) {
                // Elsewhere floats are not rounded.
                prop_assert_eq!(&decoded, &value);
                prop_assert_eq!(encode_as(&decoded, dialect, strict()).unwrap(), bytes);
            }
        }
    }

    #[test]
    fn every_value_has_a_lossy_form(value in values::value(), index in 0..Dialect::ALL.len()) {
        let dialect = Dialect::ALL[index];
        let bytes = encode_as(&value, dialect, LOSSY).unwrap();
        // Keys that differ by their types only are the same then.
        let read = DecodeOptions { lossy: true, ..DecodeOptions::default() };
        let decoded = decode_as(&bytes, dialect, read).unwrap();
        check_stays(&decoded, dialect)?;
    }

    #[test]
    fn double_precision_survives(value in values::value(), index in 0..Dialect::ALL.len()) {
        let dialect = Dialect::ALL[index];
        let options = EncodeOptions { lossy: true, double_precision: true };
        prop_assert_eq!(encode_as(&value, dialect, options).is_ok(), dialect.has_double_precision());
        if let Ok(bytes) = encode_as(&value, dialect, options) {
            let read = DecodeOptions { double_precision: true, lossy: true, ..DecodeOptions::default() };
            let decoded = decode_as(&bytes, dialect, read).unwrap();
            let again = encode_as(&decoded, dialect, options).unwrap();
            prop_assert_eq!(decode_as(&again, dialect, read).unwrap(), decoded);
        }
    }

    /// The reader and the writer that know Godot 4 by heart do what its table says.
    #[test]
    fn the_table_of_godot_4_is_right(value in values::value()) {
        let by_heart = encode(&value).unwrap();
        prop_assert_eq!(encode_by_table(&value), by_heart.clone());
        check_verdict(&by_heart);
    }

    #[test]
    fn broken_values_never_panic(
        value in values::value(),
        index in 0..Dialect::ALL.len(),
        changes in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..6),
    ) {
        let mut bytes = encode_as(&value, Dialect::ALL[index], LOSSY).unwrap();
        for (place, byte) in changes {
            let place = place.index(bytes.len());
            bytes[place] = byte;
        }
        check_verdict(&bytes);
        for dialect in Dialect::ALL {
            for allow_objects in [false, true] {
                let options = DecodeOptions { allow_objects, ..DecodeOptions::default() };
                if let Err(error) = decode_as(&bytes, dialect, options) {
                    prop_assert!(error.offset() <= bytes.len(), "{} in {:02x?}", error, bytes);
                }
            }
        }
    }
}

/// What a dialect once gave back it holds as it is. Before that, keys may have become one: numbers
/// that are rounded, values that turn into nil.
fn check_stays(value: &Value, dialect: &Dialect) -> Result<(), TestCaseError> {
    let bytes = encode_as(value, dialect, strict()).unwrap();
    let decoded = decode_as(&bytes, dialect, DecodeOptions::default()).unwrap();
    prop_assert_eq!(&decoded, value);
    prop_assert_eq!(encode_as(&decoded, dialect, strict()).unwrap(), bytes);
    Ok(())
}

fn encode_by_table(value: &Value) -> Vec<u8> {
    let mut bytes = Vec::new();
    let sink = DialectEncoder::new(&mut bytes, &Dialect::GODOT_4, strict()).unwrap();
    value.emit(sink).unwrap();
    bytes
}

/// Both decoders of Godot 4 say the same of `bytes`, down to the message.
fn check_verdict(bytes: &[u8]) {
    for allow_objects in [false, true] {
        let options = DecodeOptions { allow_objects, ..DecodeOptions::default() };
        let (mut by_heart, mut by_table) = (Value::Nil, Value::Nil);
        let mut fast = Decoder::new(bytes, options);
        let mut slow = DialectDecoder::new(bytes, &Dialect::GODOT_4, options);
        match (fast.decode_into(&mut by_heart), slow.table_driven(&mut by_table)) {
            (Ok(()), Ok(())) => {
                assert_eq!(by_heart, by_table, "{bytes:02x?}");
                assert_eq!(fast.offset(), slow.offset(), "{bytes:02x?}");
            }
            (Err(fast), Err(slow)) => {
                assert_eq!(
                    (fast.offset(), fast.path()),
                    (slow.offset(), slow.path()),
                    "{fast} {slow}"
                );
                assert_eq!(fast.kind().code(), slow.kind().code(), "{bytes:02x?}");
            }
            (fast, slow) => panic!("{fast:?} {slow:?} for {bytes:02x?}"),
        }
    }
}

#[test]
fn the_table_of_godot_4_agrees_with_what_the_engine_wrote() {
    let (values, hostile) = goldens::parse(include_str!("../goldens/godot4.txt"));
    for Golden { bytes, .. } in values {
        (0..=bytes.len()).for_each(|len| check_verdict(&bytes[..len]));
    }
    for Hostile { bytes, .. } in hostile {
        check_verdict(&bytes);
    }
}

#[test]
fn what_godot_3_wrote_is_read_and_written() {
    let Some(file) = shared::require_shared("vectors/variant/godot3.txt") else { return };
    let text = std::fs::read_to_string(file).unwrap();
    let mut checked = 0;
    for line in text.lines().skip(1) {
        let (_, hex) = line.rsplit_once(' ').unwrap_or(("", line));
        let mut bytes = unhex(hex);
        let value = decode_as(&bytes, &Dialect::GODOT_3, DecodeOptions::default()).expect(line);
        if line.starts_with("np ") {
            bytes[21..24].fill(0); // The padding of a name is what was in memory before.
        }
        assert_eq!(encode_as(&value, &Dialect::GODOT_3, strict()).unwrap(), bytes, "{line}");
        checked += 1;
    }
    assert!(checked >= 35, "only {checked} lines");
}

#[test]
fn typed_containers_depend_on_the_step_of_godot_4() {
    let array = typed_array(ContainerType::Builtin(VariantType::Int), vec![Value::Int(1)]);
    let key_type = ContainerType::Builtin(VariantType::Int);
    let mut typed = Dictionary::typed(key_type, ContainerType::Any);
    typed.insert(Value::Int(1), Value::Nil);
    let typed = Value::from(typed);
    let vectors = Value::PackedVector4Array(vec![[0.0; 4]]);
    let holds = |value: &Value| -> Vec<&str> {
        let holders = Dialect::ALL.into_iter().filter(|d| encode_as(value, d, strict()).is_ok());
        holders.map(Dialect::name).collect()
    };
    assert_eq!(holds(&array), ["GODOT_4", "GODOT_4_3"]);
    assert_eq!(holds(&typed), ["GODOT_4"]);
    assert_eq!(holds(&vectors), ["GODOT_4", "GODOT_4_3"]);
    // A reader of 4.2 takes the id of the type for the count.
    let bytes = encode(&array).unwrap();
    let error = decode_as(&bytes, &Dialect::GODOT_4_0, DecodeOptions::default()).unwrap_err();
    assert_eq!(error.path().to_string(), "[1]", "{error}");
}

#[test]
fn lossy_forms_are_the_documented_ones() {
    let all_of = |properties: Vec<(Box<str>, Value)>| {
        object(Object::Full { class: "Node".into(), properties })
    };
    let rows = [
        (Value::Vector2i([1, -2]), Value::Vector2([1.0, -2.0])),
        (Value::Vector3i([1, -2, 3]), Value::Vector3([1.0, -2.0, 3.0])),
        (Value::Rect2i([1, 2, 3, 4]), Value::Rect2([1.0, 2.0, 3.0, 4.0])),
        (Value::Vector4i([1, 2, 3, 4]), Value::Quaternion([1.0, 2.0, 3.0, 4.0])),
        (Value::Vector4([1.0, 2.0, 3.0, 4.0]), Value::Quaternion([1.0, 2.0, 3.0, 4.0])),
        (Value::Projection(Box::new([1.0; 16])), Value::PackedFloat32Array(vec![1.0; 16])),
        (Value::StringName("a".into()), Value::from("a")),
        (Value::Callable, Value::Nil),
        (Value::Signal(Box::default()), Value::Nil),
        (Value::Rid(7), Value::Nil),
        (object(Object::Null), Value::Nil),
        (object(Object::Id(7)), Value::Nil),
        (
            all_of(vec![("a".into(), Value::StringName("b".into()))]),
            dictionary([(Value::from("a"), Value::from("b"))]),
        ),
        (
            typed_array(ContainerType::Builtin(VariantType::Bool), vec![Value::Bool(true)]),
            array([Value::Bool(true)]),
        ),
        (Value::PackedInt64Array(vec![1 << 40]), array([Value::Int(1 << 40)])),
        (Value::PackedFloat64Array(vec![0.5]), array([Value::Float(0.5)])),
        (Value::PackedVector4Array(vec![[1.0; 4]]), array([Value::Quaternion([1.0; 4])])),
        (Value::Float(1e300), Value::Float(f64::INFINITY)),
    ];
    for (value, near) in rows {
        let refusal = encode_as(&value, &Dialect::DOCS_3_0, strict()).unwrap_err();
        assert_eq!(refusal.kind().code(), "not_in_dialect", "{value:?}");
        let bytes = encode_as(&value, &Dialect::DOCS_3_0, LOSSY).unwrap();
        let read = decode_as(&bytes, &Dialect::DOCS_3_0, DecodeOptions::default()).unwrap();
        assert_eq!(read, near);
    }
}

#[test]
fn a_refusal_names_the_type_and_the_path() {
    let value = array([Value::Nil, dictionary([(Value::from("pos"), Value::Vector4([0.0; 4]))])]);
    let refusal = encode_as(&value, &Dialect::GODOT_3, strict()).unwrap_err();
    assert_eq!(
        refusal.to_string(),
        "GODOT_3 cannot store this Vector4: it does not have this type (at [1][\"pos\"])"
    );
    let bytes = unhex("13000000 01000000 12000000 01000000 04000000 01000000 61000000 1b000000");
    let error = decode_as(&bytes, &Dialect::GODOT_3, DecodeOptions::default()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "unknown type 27: the types of GODOT_3 are 0 to 26 (at byte 28, in [0][\"a\"])"
    );
}

#[test]
fn the_obsolete_path_is_read_where_the_documents_have_it() {
    let bytes = unhex("0f000000 01000000 61000000");
    let found: Vec<&str> =
        detect_dialects(&bytes, DecodeOptions::default()).map(Dialect::name).collect();
    assert_eq!(found, ["DOCS_3_0", "DOCS_4_2"]);
    let path = decode_as(&bytes, &Dialect::DOCS_4_2, DecodeOptions::default()).unwrap();
    assert_eq!(path, node_path(false, &["a"], &[]));
}

#[test]
fn dialects_nest_as_deep_as_the_engine_and_no_deeper() {
    // Unoptimised code takes several KiB a level.
    let deep = std::thread::Builder::new().stack_size(64 << 20).spawn(|| {
        let nested = |levels: usize| (0..levels).fold(array([]), |inner, _| array([inner]));
        for dialect in Dialect::ALL {
            let bytes = encode_as(&nested(1024), dialect, strict()).unwrap();
            assert_eq!(bytes.len(), 8200, "{}", dialect.name());
            decode_as(&bytes, dialect, DecodeOptions::default()).unwrap();
            let refusal = encode_as(&nested(1025), dialect, strict()).unwrap_err();
            assert_eq!(refusal.kind().code(), "too_deep", "{}", dialect.name());
            let deeper = [&bytes[..8], &bytes[..]].concat();
            let error = decode_as(&deeper, dialect, DecodeOptions::default()).unwrap_err();
            assert_eq!(error.kind().code(), "too_deep", "{}", dialect.name());
        }
    });
    deep.unwrap().join().unwrap();
}

#[test]
fn every_dialect_is_listed_once() {
    for dialect in Dialect::ALL {
        let found = Dialect::from_name(dialect.name()).unwrap();
        assert!(std::ptr::eq(found, dialect) || found.name() == dialect.name());
        assert_eq!(dialect.type_id(VariantType::Nil), Some(0));
    }
    let mut names = Dialect::ALL.map(Dialect::name).to_vec();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), Dialect::ALL.len());
}

/// A class without a name stands for null, behind which nobody looks for properties.
#[test]
fn an_object_needs_a_class() {
    for class in ["", "\u{FEFF}", "\0Node"] {
        let properties = vec![("name".into(), Value::Nil)];
        let object = Value::Object(Box::new(Object::Full { class: class.into(), properties }));
        for dialect in Dialect::ALL {
            let strict = encode_as(&object, dialect, EncodeOptions::default());
            assert!(strict.is_err(), "{} {class:?}", dialect.name());
            match encode_as(&object, dialect, LOSSY) {
                Ok(bytes) => {
                    let read = decode_as(&bytes, dialect, DecodeOptions::default()).unwrap();
                    assert_eq!(read.variant_type(), VariantType::Dictionary);
                }
                Err(refusal) => assert_eq!(refusal.kind(), &RefusalKind::ObjectWithoutClass),
            }
        }
    }
}

/// What Godot 3.6.2 writes for dictionaries of two entries: `{{}: 1, {}: 2}`, and the same with arrays around the keys.
#[test]
fn equal_dictionaries_are_two_keys_in_godot_3() {
    const DICTIONARIES: &str = "12000000 02000000 12000000 00000000 02000000 01000000 \
         12000000 00000000 02000000 02000000";
    const ARRAYS: &str = "12000000 02000000 13000000 01000000 12000000 00000000 02000000 01000000 \
         13000000 01000000 12000000 00000000 02000000 02000000";
    for bytes in [DICTIONARIES, ARRAYS].map(unhex) {
        let error = decode_as(&bytes, &Dialect::GODOT_3, DecodeOptions::default()).unwrap_err();
        assert_eq!(error.kind().code(), "equal_keys", "{error}");
        let lossy = DecodeOptions { lossy: true, ..DecodeOptions::default() };
        let Value::Dictionary(last) = decode_as(&bytes, &Dialect::GODOT_3, lossy).unwrap() else {
            panic!("a dictionary");
        };
        assert_eq!(last.iter().map(|(_, value)| value).collect::<Vec<_>>(), [&Value::Int(2)]);
    }
    // Of other keys the last value counts in all of them.
    let twice = unhex("12000000 02000000 02000000 01000000 00000000 02000000 01000000 00000000");
    decode_as(&twice, &Dialect::GODOT_3, DecodeOptions::default()).unwrap();
}
