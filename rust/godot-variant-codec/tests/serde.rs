//! Rust's own types through the codec.
#![allow(clippy::needless_pass_by_value, reason = "values are made where they are given")]

use std::collections::BTreeMap;
use std::fmt::Debug;

use godot_variant_codec::serde::{
    Aabb, Basis, Color, ObjectId, PackedByteArray, PackedColorArray, PackedFloat32Array,
    PackedFloat64Array, PackedInt32Array, PackedInt64Array, PackedStringArray, PackedVector2Array,
    PackedVector3Array, PackedVector4Array, Plane, Projection, Quaternion, Rect2, Rect2i, Rid,
    StringName, Transform2D, Transform3D, Variant, Vector2, Vector2i, Vector3, Vector3i, Vector4,
    Vector4i, from_bytes, from_value, to_bytes, to_value,
};
use godot_variant_codec::variant::{Array, Dictionary, NodePath, Object, Value};
use godot_variant_codec::{decode, encode};
use proptest::collection::{btree_map, vec};
use proptest::prelude::*;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use testkit::values;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Everything {
    flag: bool,
    small: (i8, u8, i16, u16),
    large: (i32, u32, i64),
    real: f32,
    number: f64,
    letter: char,
    text: String,
    nothing: (),
    maybe: Option<u32>,
    list: Vec<Item>,
    by_name: BTreeMap<String, f64>,
    by_number: BTreeMap<i64, Vec<bool>>,
    inner: Box<Option<Everything>>,
    unit: Unit,
    newtype: Newtype,
    pair: Pair,
    position: Vector3,
    samples: PackedFloat32Array,
    path: PackedVector2Array,
    any: Variant,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Unit;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Newtype(u64);

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Pair(String, i32);

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
enum Item {
    Key,
    Coins(u32),
    Between(i8, i8),
    Named { name: String, weight: Option<f32> },
}

fn item() -> impl Strategy<Value = Item> {
    prop_oneof![
        Just(Item::Key),
        any::<u32>().prop_map(Item::Coins),
        any::<(i8, i8)>().prop_map(|(low, high)| Item::Between(low, high)),
        (text(), proptest::option::of(real()))
            .prop_map(|(name, weight)| Item::Named { name, weight }),
    ]
}

/// Text that a decoder gives back unchanged.
fn text() -> impl Strategy<Value = String> {
    "[a-zA-Zäöü日本 ]{0,12}"
}

/// Numbers that are equal to themselves.
fn real() -> impl Strategy<Value = f32> {
    any::<f32>().prop_filter("NaN", |real| !real.is_nan())
}

fn everything() -> impl Strategy<Value = Everything> {
    let scalars = (
        any::<bool>(),
        any::<(i8, u8, i16, u16)>(),
        any::<(i32, u32, i64)>(),
        real(),
        any::<f64>().prop_filter("NaN", |number| !number.is_nan()),
        any::<char>().prop_filter("NUL and the byte order mark", |&c| c != '\0' && c != '\u{FEFF}'),
        text(),
        proptest::option::of(any::<u32>()),
    );
    let containers = (
        vec(item(), 0..5),
        btree_map(text(), -1e9..1e9, 0..4),
        btree_map(any::<i64>(), vec(any::<bool>(), 0..3), 0..4),
        (0..=i64::MAX as u64),
        (text(), any::<i32>()),
        proptest::array::uniform3(real()),
        vec(real(), 0..20),
        vec(proptest::array::uniform2(real()), 0..5),
        values::value(),
    );
    let flat = (scalars, containers).prop_map(|(scalars, containers)| {
        let (flag, small, large, real, number, letter, text, maybe) = scalars;
        let (list, by_name, by_number, newtype, pair, position, samples, path, any) = containers;
        Everything {
            flag,
            small,
            large,
            real,
            number,
            letter,
            text,
            nothing: (),
            maybe,
            list,
            by_name,
            by_number,
            inner: Box::new(None),
            unit: Unit,
            newtype: Newtype(newtype),
            pair: Pair(pair.0, pair.1),
            position: position.into(),
            samples: PackedFloat32Array(samples),
            path: PackedVector2Array(path.into_iter().map(Vector2::from).collect()),
            any: Variant(any),
        }
    });
    let flat = flat.boxed();
    (flat.clone(), proptest::option::of(flat))
        .prop_map(|(outer, inner)| Everything { inner: Box::new(inner), ..outer })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn a_type_survives_the_way_there_and_back(everything in everything()) {
        let bytes = to_bytes(&everything).unwrap();
        prop_assert_eq!(&from_bytes::<Everything>(&bytes).unwrap(), &everything);
        // The same as through a value, whose encoding is the engine's.
        let value = to_value(&everything).unwrap();
        prop_assert_eq!(encode(&value).unwrap(), &bytes[..]);
        prop_assert_eq!(&decode(&bytes).unwrap(), &value);
        prop_assert_eq!(&from_value::<Everything>(&value).unwrap(), &everything);
    }

    #[test]
    fn any_value_can_be_held(value in values::value()) {
        let bytes = to_bytes(&Variant(value.clone())).unwrap();
        prop_assert_eq!(&bytes, &encode(&value).unwrap());
        prop_assert_eq!(from_bytes::<Variant>(&bytes).unwrap().0, value);
    }

    #[test]
    fn broken_bytes_never_panic(
        everything in everything(),
        changes in vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
        cut in any::<prop::sample::Index>(),
    ) {
        let mut bytes = to_bytes(&everything).unwrap();
        for (place, byte) in changes {
            let place = place.index(bytes.len());
            bytes[place] = byte;
        }
        check_hostile::<Everything>(&bytes);
        check_hostile::<Everything>(&bytes[..cut.index(bytes.len())]);
    }

    #[test]
    fn values_of_other_types_never_panic(value in values::value()) {
        let bytes = encode(&value).unwrap();
        check_hostile::<Everything>(&bytes);
        check_hostile::<Vec<Item>>(&bytes);
        check_hostile::<BTreeMap<String, Variant>>(&bytes);
        check_hostile::<serde_json::Value>(&bytes);
        check_hostile::<(f32, f32)>(&bytes);
        check_hostile::<Vec<Option<Vector3>>>(&bytes);
        from_bytes::<serde::de::IgnoredAny>(&bytes).unwrap();
    }
}

fn check_hostile<T: DeserializeOwned>(bytes: &[u8]) {
    if let Err(error) = from_bytes::<T>(bytes) {
        assert!(error.offset().is_some_and(|offset| offset <= bytes.len()), "{error}");
    }
}

#[test]
fn every_wrapper_is_its_type() {
    fn check<T: Serialize + DeserializeOwned + PartialEq + Debug>(wrapper: T, value: Value) {
        assert_eq!(to_value(&wrapper).unwrap(), value);
        let bytes = encode(&value).unwrap();
        assert_eq!(to_bytes(&wrapper).unwrap(), bytes);
        assert_eq!(from_bytes::<T>(&bytes).unwrap(), wrapper);
        // Other formats see the content.
        let json = serde_json::to_string(&wrapper).unwrap();
        assert_eq!(serde_json::from_str::<T>(&json).unwrap(), wrapper, "{json}");
        // No other type is taken for it.
        let other = encode(&Value::Bool(true)).unwrap();
        let error = from_bytes::<T>(&other).unwrap_err().to_string();
        let expected = format!("invalid type: bool, expected a {}", value.variant_type());
        assert_eq!(error, format!("{expected} (at byte 0)"));
    }
    let reals = |count: usize| (0..count).map(|part| part as f32 + 0.5);
    fn array<const N: usize>(parts: impl Iterator<Item = f32>) -> [f32; N] {
        parts.collect::<Vec<_>>().try_into().unwrap()
    }
    check(Vector2::from([1.0, 2.0]), Value::Vector2([1.0, 2.0]));
    check(Vector2i::from([1, -2]), Value::Vector2i([1, -2]));
    check(Vector3::from([1.0, 2.0, 3.0]), Value::Vector3([1.0, 2.0, 3.0]));
    check(Vector3i::from([1, 2, -3]), Value::Vector3i([1, 2, -3]));
    check(Vector4::from(array(reals(4))), Value::Vector4(array(reals(4))));
    check(Vector4i::from([1, 2, 3, 4]), Value::Vector4i([1, 2, 3, 4]));
    check(Quaternion::from(array(reals(4))), Value::Quaternion(array(reals(4))));
    check(Color::from(array(reals(4))), Value::Color(array(reals(4))));
    check(Rect2(array(reals(4))), Value::Rect2(array(reals(4))));
    check(Rect2i([1, 2, 3, 4]), Value::Rect2i([1, 2, 3, 4]));
    check(Transform2D(array(reals(6))), Value::Transform2D(array(reals(6))));
    check(Plane(array(reals(4))), Value::Plane(array(reals(4))));
    check(Aabb(array(reals(6))), Value::Aabb(array(reals(6))));
    check(Basis(array(reals(9))), Value::Basis(Box::new(array(reals(9)))));
    check(Transform3D(array(reals(12))), Value::Transform3D(Box::new(array(reals(12)))));
    check(Projection(array(reals(16))), Value::Projection(Box::new(array(reals(16)))));
    check(StringName("jump".into()), Value::StringName("jump".into()));
    check(Rid(u64::MAX), Value::Rid(u64::MAX));
    check(ObjectId(7), Value::Object(Box::new(Object::Id(7))));
    check(PackedByteArray(vec![1, 2, 3]), Value::PackedByteArray(vec![1, 2, 3]));
    check(PackedInt32Array(vec![1, -2]), Value::PackedInt32Array(vec![1, -2]));
    check(PackedInt64Array(vec![1, -2]), Value::PackedInt64Array(vec![1, -2]));
    check(PackedFloat32Array(vec![1.0, -2.5]), Value::PackedFloat32Array(vec![1.0, -2.5]));
    check(PackedFloat64Array(vec![0.1]), Value::PackedFloat64Array(vec![0.1]));
    let strings = vec!["".to_owned(), "a".to_owned()];
    check(PackedStringArray(strings), Value::PackedStringArray(vec!["".into(), "a".into()]));
    check(PackedVector2Array(vec![[1.0, 2.0].into()]), Value::PackedVector2Array(vec![[1.0, 2.0]]));
    check(
        PackedVector3Array(vec![[1.0, 2.0, 3.0].into()]),
        Value::PackedVector3Array(vec![[1.0, 2.0, 3.0]]),
    );
    check(
        PackedColorArray(vec![array(reals(4)).into()]),
        Value::PackedColorArray(vec![array(reals(4))]),
    );
    check(
        PackedVector4Array(vec![array(reals(4)).into()]),
        Value::PackedVector4Array(vec![array(reals(4))]),
    );
}

#[test]
fn types_become_what_a_script_would_write() {
    let value = to_value(&vec![
        Item::Key,
        Item::Coins(3),
        Item::Between(-1, 1),
        Item::Named { name: "rope".into(), weight: None },
    ]);
    let text = |text: &str| Value::from(text);
    let entry = |key: &str, value: Value| Value::from(Dictionary::from_iter([(text(key), value)]));
    let named = Dictionary::from_iter([(text("name"), text("rope")), (text("weight"), Value::Nil)]);
    let expected = Array::from(vec![
        text("Key"),
        entry("Coins", Value::Int(3)),
        entry("Between", Array::from(vec![Value::Int(-1), Value::Int(1)]).into()),
        entry("Named", named.into()),
    ]);
    assert_eq!(value.unwrap(), expected.into());
}

#[test]
fn reading_is_lenient_where_nothing_is_lost() {
    fn read<T: DeserializeOwned>(value: Value) -> T {
        from_value(&value).unwrap()
    }
    assert_eq!(read::<f64>(Value::Int(3)), 3.0);
    assert_eq!(read::<Vec<f64>>(Value::PackedFloat32Array(vec![0.5])), [0.5]);
    assert_eq!(read::<Vec<u8>>(Value::PackedInt64Array(vec![7])), [7]);
    assert_eq!(read::<[f32; 3]>(Value::Vector3([1.0, 2.0, 3.0])), [1.0, 2.0, 3.0]);
    assert_eq!(read::<Vec<[f32; 2]>>(Value::PackedVector2Array(vec![[1.0, 2.0]])), [[1.0, 2.0]]);
    assert_eq!(read::<Vec<String>>(Value::PackedStringArray(vec!["a".into()])), ["a"]);
    assert_eq!(read::<String>(Value::StringName("a".into())), "a");
    assert_eq!(read::<Item>(Value::StringName("Key".into())), Item::Key);
    let path = NodePath { absolute: true, names: vec!["a".into()], subnames: vec!["b".into()] };
    assert_eq!(read::<String>(Value::NodePath(Box::new(path))), "/a:b");
    let fields = [(Value::StringName("x".into()), Value::Int(1)), (Value::Int(5), Value::Nil)];
    #[derive(Debug, Deserialize)]
    struct OneField {
        x: u8,
    }
    // A key that is no field's name is an error for serde, unless it is text.
    let dictionary = Value::from(Dictionary::from_iter(fields));
    assert!(from_value::<OneField>(&dictionary).is_err());
    let fields = [(Value::StringName("x".into()), Value::Int(1)), (Value::from("y"), Value::Nil)];
    assert_eq!(read::<OneField>(Dictionary::from_iter(fields).into()).x, 1);
}

#[test]
fn text_and_bytes_can_be_borrowed() {
    let bytes = to_bytes(&("text", serde_bytes_like(&[1, 2, 3]))).unwrap();
    let (text, data): (&str, &[u8]) = from_bytes(&bytes).unwrap();
    assert_eq!((text, data), ("text", &[1, 2, 3][..]));
    assert!(bytes.as_ptr_range().contains(&text.as_ptr()));
    assert!(bytes.as_ptr_range().contains(&data.as_ptr()));
}

fn serde_bytes_like(bytes: &[u8]) -> impl Serialize + '_ {
    PackedByteArray(bytes.to_vec())
}

#[test]
fn errors_say_where_they_are() {
    #[derive(Debug, Deserialize)]
    #[allow(dead_code, reason = "only read into")]
    struct World {
        players: Vec<Player>,
    }
    #[derive(Debug, Deserialize)]
    #[allow(dead_code, reason = "only read into")]
    struct Player {
        health: u8,
        items: Vec<Item>,
    }
    let world = serde_json::json!({
        "players": [{"health": 1, "items": []}, {"health": 2, "items": ["Key", {"Coins": -1}]}],
    });
    let bytes = to_bytes(&world).unwrap();
    let error = from_bytes::<World>(&bytes).unwrap_err();
    assert!(
        error.to_string().starts_with("invalid value: integer `-1`, expected u32 (at byte "),
        "{error}"
    );
    let path = r#"["players"][1]["items"][1]["Coins"]"#;
    assert_eq!((error.code(), error.path().to_string().as_str()), ("wrong_content", path));
    let offset = error.offset().unwrap();
    assert_eq!(bytes[offset..offset + 8], [2, 0, 0, 0, 0xFF, 0xFF, 0xFF, 0xFF]);

    // Broken bytes keep their code.
    let mut cut = bytes.clone();
    cut.truncate(offset + 4);
    let error = from_bytes::<World>(&cut).unwrap_err();
    assert_eq!((error.code(), error.path().to_string().as_str()), ("unexpected_end", path));

    let missing = to_bytes(&serde_json::json!({"players": [{"health": 1}]})).unwrap();
    let error = from_bytes::<World>(&missing).unwrap_err();
    assert!(error.to_string().starts_with("missing field `items` (at byte "), "{error}");
    assert_eq!(error.path().to_string(), r#"["players"][0]"#);

    let error = from_bytes::<(u8, u8)>(&to_bytes(&[1, 2, 3]).unwrap()).unwrap_err();
    assert_eq!(error.to_string(), "invalid length 3, expected 2 elements (at byte 0)");
}

#[test]
fn what_does_not_fit_is_refused() {
    let error = to_bytes(&vec![1, u64::MAX]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the number 18446744073709551615 does not fit in an int, which has 64 bits and a sign (in [1])"
    );
    assert_eq!(to_value(&i128::from(i64::MIN)).unwrap(), Value::Int(i64::MIN));
    assert!(to_value(&i128::MIN).is_err());
    assert!(to_value(&u128::MAX).is_err());
}

#[test]
fn nesting_ends_where_the_engine_ends() {
    #[derive(Debug, Deserialize)]
    struct Nested(#[allow(dead_code, reason = "only read into")] Vec<Nested>);

    let deeper = |levels: usize| {
        let mut bytes = [28, 0, 0, 0, 1, 0, 0, 0].repeat(levels);
        bytes.extend([28, 0, 0, 0, 0, 0, 0, 0]);
        bytes
    };
    let check = move || {
        from_bytes::<Nested>(&deeper(1024)).unwrap();
        for levels in [1025, 100_000] {
            let error = from_bytes::<Nested>(&deeper(levels)).unwrap_err();
            assert_eq!(error.code(), "too_deep");
            assert_eq!(from_bytes::<Variant>(&deeper(levels)).unwrap_err().code(), "too_deep");
            let ignored = from_bytes::<serde::de::IgnoredAny>(&deeper(levels));
            assert_eq!(ignored.unwrap_err().code(), "too_deep");
        }
    };
    std::thread::Builder::new().stack_size(64 << 20).spawn(check).unwrap().join().unwrap();
}

#[test]
fn a_count_takes_no_memory() {
    for id in [28u32, 27, 29, 30, 34, 36] {
        let bytes: Vec<u8> =
            [id, i32::MAX as u32, 0].iter().flat_map(|word| word.to_le_bytes()).collect();
        assert_eq!(from_bytes::<Vec<u8>>(&bytes).unwrap_err().code(), "count_too_large", "{id}");
    }
}

#[test]
fn flattened_and_untagged_types_work() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Message {
        id: u32,
        #[serde(flatten)]
        content: Content,
        #[serde(skip_serializing_if = "Option::is_none")]
        note: Option<String>,
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    #[serde(tag = "kind", rename_all = "snake_case")]
    enum Content {
        Move { to: Vector2, path: PackedVector2Array },
        Say { text: String },
    }
    for content in [
        Content::Move { to: [1.0, 2.0].into(), path: PackedVector2Array(vec![[3.0, 4.0].into()]) },
        Content::Say { text: "hi".into() },
    ] {
        let message = Message { id: 7, content, note: None };
        let bytes = to_bytes(&message).unwrap();
        assert_eq!(from_bytes::<Message>(&bytes).unwrap(), message);
    }
}

#[test]
fn limits_hold() {
    use godot_variant_codec::serde::Deserializer;
    use godot_variant_codec::{DecodeOptions, Decoder, Limits};

    fn read(bytes: &[u8], limits: Limits) -> Result<Vec<Vec<String>>, String> {
        let options = DecodeOptions { limits, ..DecodeOptions::default() };
        let mut decoder = Decoder::new(bytes, options);
        let read = Vec::deserialize(Deserializer::new(&mut decoder));
        // The second value is counted on its own.
        assert_eq!(decoder.offset() == bytes.len(), read.is_ok());
        read.map_err(|error| error.code().to_owned())
    }
    let list = vec![vec!["abc".to_owned(), "d".to_owned()], vec!["e".to_owned()]];
    let bytes = to_bytes(&list).unwrap();
    let exact = Limits { max_depth: 2, max_elements: 5, max_string: 3, ..Limits::ENGINE };
    assert_eq!(read(&bytes, exact), Ok(list));
    for (limits, code) in [
        (Limits { max_depth: 1, ..exact }, "too_deep"),
        (Limits { max_elements: 4, ..exact }, "too_many_elements"),
        (Limits { max_string: 2, ..exact }, "text_too_long"),
    ] {
        assert_eq!(read(&bytes, limits), Err(code.to_owned()));
    }
    let strings = Value::PackedStringArray(vec!["a".into(); 6]);
    let packed = encode(&Value::from(Array::from(vec![strings]))).unwrap();
    assert_eq!(read(&packed, exact), Err("too_many_elements".to_owned()));
}
