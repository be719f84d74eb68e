//! Large containers that several threads fill: the same values and the same errors as from one.

mod sink;

use std::sync::Mutex;

use proptest::prelude::*;
use sink::{Place, Tally};
use variant_codec::variant::{Array, ContainerType, Dictionary, Value, VariantType};
use variant_codec::{DecodeError, DecodeOptions, Decoder, Limits, encode};

/// The length of the bytes, and of the number of elements, from which on a container is shared.
const LONG: usize = 1 << 17;

/// What one element of a large container is made of, by its number.
type Make = fn(usize) -> Value;

const KINDS: [Make; 5] = [
    |index| Value::from(&*format!("a text that is number {index} of them")),
    |index| Value::from(&*"漢字かな".repeat(index % 7 + 1)),
    |index| {
        let mut record = Dictionary::default();
        record.insert("id".into(), Value::Int(index as i64));
        record.insert("name".into(), Value::from(&*format!("enemy_{index}")));
        record.insert("position".into(), Value::Vector3([index as f32, 0.5, -1.0]));
        Value::Dictionary(Box::new(record))
    },
    |index| {
        let elements = (0..index % 9).map(|number| Value::Float(number as f64 * 0.1)).collect();
        Value::Array(Box::new(Array { element_type: ContainerType::Any, elements }))
    },
    |index| match index % 5 {
        // Whether a container is shared is seen by what it begins with.
        0 => Value::from("short"),
        1 => Value::PackedByteArray(vec![7; index % 40]),
        2 => Value::Int(index as i64),
        3 => Value::PackedStringArray(vec!["one".into(), "two".into()]),
        _ => Value::Nil,
    },
];

fn array(make: impl Fn(usize) -> Value, count: usize) -> Value {
    let elements = (0..count).map(make).collect();
    Value::Array(Box::new(Array { element_type: ContainerType::Any, elements }))
}

fn dictionary(make: impl Fn(usize) -> Value, count: usize) -> Value {
    let mut dictionary = Dictionary::default();
    for index in 0..count {
        dictionary.insert(Value::from(&*format!("key {index}")), make(index));
    }
    Value::Dictionary(Box::new(dictionary))
}

fn strings(count: usize) -> Value {
    Value::PackedStringArray((0..count).map(|index| format!("string {index}").into()).collect())
}

/// Values that are large enough, some of them below the surface.
fn large_value(number: usize) -> Value {
    let nested = |index: usize| match index {
        1 => strings(9_000),
        2 => array(KINDS[2], 3_000),
        _ => Value::Int(index as i64),
    };
    match number {
        0..5 => array(KINDS[number], 10_000),
        5..10 => dictionary(KINDS[number - 5], 5_000),
        10 => array(nested, 4),
        11 => dictionary(nested, 4),
        12 => strings(9_000),
        _ => Value::Array(Box::new(Array {
            element_type: ContainerType::Builtin(VariantType::String),
            elements: (0..9_000).map(KINDS[0]).collect(),
        })),
    }
}

const LARGE_VALUES: usize = 14;

fn large_values() -> impl Iterator<Item = Value> {
    (0..LARGE_VALUES).map(large_value)
}

fn by_one(bytes: &[u8], options: DecodeOptions) -> Result<(Value, usize), DecodeError> {
    let mut value = Value::Nil;
    let mut decoder = Decoder::new(bytes, options);
    decoder.decode_into(&mut value).map(|()| (value, decoder.offset()))
}

fn by_many(
    bytes: &[u8],
    options: DecodeOptions,
    tally: &Mutex<Tally>,
) -> Result<(Value, usize), DecodeError> {
    let mut value = Value::Nil;
    let mut decoder = Decoder::new(bytes, options);
    let place = Place { value: &mut value, tally };
    decoder.decode_into(place).map(|()| (value, decoder.offset()))
}

/// Decodes in both ways, and says how many parts there were.
fn check(bytes: &[u8]) -> usize {
    let tally = Mutex::default();
    let options = DecodeOptions::default();
    match (by_one(bytes, options), by_many(bytes, options, &tally)) {
        (Ok(one), Ok(many)) => assert!(one == many, "the values, or their ends, differ"),
        (Err(one), Err(many)) => {
            assert_eq!(one.kind(), many.kind());
            assert_eq!(one.to_string(), many.to_string());
        }
        (one, many) => panic!("one: {:?}, many: {:?}", one.map(drop), many.map(drop)),
    }
    tally.into_inner().unwrap().parts
}

#[test]
fn many_threads_make_the_same_value() {
    for value in large_values() {
        let bytes = encode(&value).unwrap();
        assert!(bytes.len() > LONG, "{} bytes", bytes.len());
        assert!(check(&bytes) > 1, "{} was not cut", value.variant_type());
        assert_eq!(by_one(&bytes, DecodeOptions::default()).unwrap().0, value);
    }
}

#[test]
fn more_than_one_thread_tells_parts() {
    let tally = Mutex::default();
    let bytes = encode(&array(KINDS[2], 6_000)).unwrap();
    for _ in 0..100 {
        by_many(&bytes, DecodeOptions::default(), &tally).unwrap();
        if tally.lock().unwrap().threads.len() > 1 {
            return;
        }
    }
    panic!("one thread emitted all parts");
}

/// Most damage leaves bytes that say something else: all that matters is that both see the same.
#[test]
fn damage_is_seen_alike() {
    for value in large_values() {
        let bytes = encode(&value).unwrap();
        let mut damaged = bytes.clone();
        for number in 0..3_usize {
            let position = (number + 1) * 39_916 % bytes.len();
            let word = &mut damaged[position / 4 * 4..][..4];
            let before: [u8; 4] = word.try_into().unwrap();
            for after in [0, u32::MAX, 0x1C] {
                damaged[position / 4 * 4..][..4].copy_from_slice(&after.to_le_bytes());
                check(&damaged);
            }
            damaged[position / 4 * 4..][..4].copy_from_slice(&before);
        }
        for len in (0..bytes.len()).step_by(bytes.len() / 4) {
            check(&bytes[..len]);
        }
    }
}

#[test]
fn a_double_key_keeps_its_place_and_takes_the_last_value() {
    let mut bytes = encode(&dictionary(KINDS[0], 8_000)).unwrap();
    let text = |index: usize| format!("key {index}");
    // The same length, so that the key of one entry can be put into another.
    let (first, last) = (text(1_000), text(7_999));
    let find = |bytes: &[u8], key: &str| {
        bytes.windows(key.len()).position(|window| window == key.as_bytes()).unwrap()
    };
    let position = find(&bytes, &last);
    bytes[position..][..first.len()].copy_from_slice(first.as_bytes());
    assert!(check(&bytes) > 1);
    let (Value::Dictionary(decoded), _) = by_one(&bytes, DecodeOptions::default()).unwrap() else {
        panic!("a dictionary was encoded");
    };
    assert_eq!(decoded.len(), 7_999);
}

#[test]
fn limits_and_small_values_are_for_one_thread() {
    let bytes = encode(&array(KINDS[2], 6_000)).unwrap();
    let tally = Mutex::default();
    let limits = Limits { max_elements: 10_000_000, ..Limits::ENGINE };
    let options = DecodeOptions { limits, ..DecodeOptions::default() };
    by_many(&bytes, options, &tally).unwrap();
    assert_eq!(tally.into_inner().unwrap().parts, 0);
    for count in [0, 1, 100, 1_000] {
        assert_eq!(check(&encode(&array(KINDS[0], count)).unwrap()), 0, "{count} elements");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn damage_anywhere_is_seen_alike(
        number in 0..LARGE_VALUES,
        damage in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
    ) {
        let mut bytes = encode(&large_value(number)).unwrap();
        for (position, byte) in damage {
            *position.get_mut(&mut bytes) = byte;
        }
        check(&bytes);
    }
}
