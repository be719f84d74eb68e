//! What holds for every value and for all bytes.

use godot_variant_codec::variant::{Array, Dictionary, Segment, Shape, Source, Value};
use godot_variant_codec::{
    DecodeErrorKind, DecodeOptions, Decoder, ElementIndex, Encoder, Reader, ValueRef, decode,
    encode, encoded_len,
};
use proptest::prelude::*;
use testkit::values;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn a_value_survives_the_way_there_and_back(value in values::value()) {
        let bytes = encode(&value).unwrap();
        prop_assert_eq!(encoded_len(&value).unwrap(), bytes.len());
        prop_assert_eq!(bytes.len() % 4, 0);
        let decoded = decode(&bytes).unwrap();
        prop_assert_eq!(&decoded, &value);
        // The same to the bit, too.
        prop_assert_eq!(encode(&decoded).unwrap(), bytes);
    }

    #[test]
    fn a_prefix_is_no_value(value in values::value()) {
        let bytes = encode(&value).unwrap();
        for len in 0..bytes.len() {
            if let Ok(prefix) = decode(&bytes[..len]) {
                // Only the padding of a PackedByteArray may be missing.
                prop_assert!(bytes.len() - len < 4);
                prop_assert_eq!(prefix, value.clone());
            }
        }
    }

    #[test]
    fn reading_in_place_finds_what_decoding_finds(value in values::value()) {
        let bytes = encode(&value).unwrap();
        let view = ValueRef::new(&bytes).unwrap();
        prop_assert_eq!(view.encoded_bytes().unwrap(), &bytes[..]);
        check_view(view, &value)?;
    }

    #[test]
    fn values_follow_each_other(list in proptest::collection::vec(values::value(), 0..5)) {
        let mut bytes = Vec::new();
        for value in &list {
            value.emit(Encoder::new(&mut bytes)).unwrap();
        }
        let read: Vec<Value> = Reader::new(&bytes).collect::<Result<_, _>>().unwrap();
        prop_assert_eq!(read, list);
    }

    #[test]
    fn bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        check_bytes(&bytes);
    }

    #[test]
    fn broken_values_never_panic(
        value in values::value(),
        changes in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
    ) {
        let mut bytes = encode(&value).unwrap();
        for (place, byte) in changes {
            let place = place.index(bytes.len());
            bytes[place] = byte;
        }
        check_bytes(&bytes);
    }
}

proptest! {
    // Larger values, so fewer.
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// What is alike is stepped over in a way of its own.
    #[test]
    fn many_that_look_alike_never_panic(
        kinds in proptest::collection::vec(values::value(), 1..4),
        choices in proptest::collection::vec(any::<prop::sample::Index>(), 1..150),
        changes in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..3),
        as_dictionary in any::<bool>(),
    ) {
        let chosen = choices.iter().map(|choice| kinds[choice.index(kinds.len())].clone());
        let value = if as_dictionary {
            let entries = chosen.enumerate().map(|(key, value)| (Value::Int(key as i64), value));
            Value::from(entries.collect::<Dictionary>())
        } else {
            Value::from(chosen.collect::<Array>())
        };
        let mut bytes = encode(&value).unwrap();
        let view = ValueRef::new(&bytes).unwrap();
        prop_assert_eq!(view.encoded_bytes().unwrap(), &bytes[..]);
        check_view(view, &value)?;
        for (place, byte) in changes {
            let place = place.index(bytes.len());
            bytes[place] = byte;
        }
        check_bytes(&bytes);
    }
}

/// Walks a view along the value that it should show.
fn check_view(view: ValueRef<'_>, value: &Value) -> Result<(), TestCaseError> {
    prop_assert_eq!(&view.to_value().unwrap(), value);
    match value {
        Value::Array(array) => {
            prop_assert_eq!(view.len().unwrap(), Some(array.elements.len()));
            for (index, element) in array.elements.iter().enumerate() {
                check_view(view.get(index).unwrap().unwrap(), element)?;
            }
            let mut index = ElementIndex::default();
            for number in [array.elements.len() / 2, array.elements.len().saturating_sub(1), 0] {
                let found = index.get(view, number).unwrap().map(|element| element.offset());
                let walked = view.elements().unwrap().unwrap().nth(number);
                prop_assert_eq!(found, walked.map(|element| element.unwrap().offset()));
            }
            prop_assert!(view.get(array.elements.len()).unwrap().is_none());
        }
        Value::Dictionary(dictionary) => {
            prop_assert_eq!(view.len().unwrap(), Some(dictionary.len()));
            for (key, value) in dictionary.iter() {
                check_view(view.get_key(key).unwrap().unwrap(), value)?;
            }
        }
        Value::Int(int) => prop_assert_eq!(view.as_int().unwrap(), Some(*int)),
        Value::Bool(bool) => prop_assert_eq!(view.as_bool().unwrap(), Some(*bool)),
        Value::Float(float) => {
            prop_assert_eq!(view.as_float().unwrap().map(f64::to_bits), Some(float.to_bits()));
        }
        Value::String(text) | Value::StringName(text) => {
            prop_assert_eq!(view.as_str().unwrap(), Some(&**text));
        }
        _ if value.variant_type().shape() == Shape::Packed => check_packed(view, value)?,
        _ => prop_assert_eq!(view.len().unwrap(), None),
    }
    Ok(())
}

fn check_packed(view: ValueRef<'_>, value: &Value) -> Result<(), TestCaseError> {
    let elements: Vec<Value> = match value {
        Value::PackedByteArray(data) => data.iter().map(|&x| Value::Int(x.into())).collect(),
        Value::PackedInt32Array(data) => data.iter().map(|&x| Value::Int(x.into())).collect(),
        Value::PackedInt64Array(data) => data.iter().map(|&x| Value::Int(x)).collect(),
        Value::PackedFloat32Array(data) => data.iter().map(|&x| Value::Float(x.into())).collect(),
        Value::PackedFloat64Array(data) => data.iter().map(|&x| Value::Float(x)).collect(),
        Value::PackedStringArray(data) => data.iter().map(|x| Value::String(x.clone())).collect(),
        Value::PackedVector2Array(data) => data.iter().map(|&x| Value::Vector2(x)).collect(),
        Value::PackedVector3Array(data) => data.iter().map(|&x| Value::Vector3(x)).collect(),
        Value::PackedColorArray(data) => data.iter().map(|&x| Value::Color(x)).collect(),
        Value::PackedVector4Array(data) => data.iter().map(|&x| Value::Vector4(x)).collect(),
        _ => unreachable!("a packed array"),
    };
    prop_assert_eq!(view.len().unwrap(), Some(elements.len()));
    prop_assert!(view.packed_element(elements.len()).unwrap().is_none());
    for (index, element) in elements.into_iter().enumerate() {
        prop_assert_eq!(view.packed_element(index).unwrap(), Some(element));
    }
    Ok(())
}

/// What does not hide where a value ends.
fn is_stepped_over(kind: &DecodeErrorKind) -> bool {
    matches!(kind, DecodeErrorKind::InvalidUtf8 | DecodeErrorKind::ObjectsNotAllowed)
}

/// Everything that reads bytes reads these. Skipping finds the end that decoding finds, or the same
/// thing wrong, except what it steps over: text that is not UTF-8, and objects.
fn check_bytes(bytes: &[u8]) {
    for allow_objects in [false, true] {
        let options = DecodeOptions { allow_objects, ..DecodeOptions::default() };
        let mut value = Value::Nil;
        let mut decoder = Decoder::new(bytes, options);
        let decoded = decoder.decode_into(&mut value);
        let skipped = ValueRef::with_options(bytes, 0, options).and_then(|v| v.encoded_bytes());
        match (&decoded, skipped) {
            (Ok(()), skipped) => assert_eq!(skipped.unwrap().len(), decoder.offset()),
            (Err(error), Err(skipped)) if !is_stepped_over(error.kind()) => {
                assert_eq!(skipped.kind(), error.kind(), "{bytes:02x?}");
                assert_eq!(skipped.offset(), error.offset(), "{bytes:02x?}");
                assert_eq!(skipped.path(), error.path(), "{bytes:02x?}");
            }
            (Err(error), _) => assert!(is_stepped_over(error.kind()), "{error}"),
        }
        if let Err(error) = &decoded {
            assert!(error.offset() <= bytes.len(), "{error} in {bytes:02x?}");
        }
        if let Ok(view) = ValueRef::with_options(bytes, 0, options) {
            check_walk(view, decoded.is_ok().then_some(&value));
        }
    }
}

/// A view of broken bytes tells what is in front of the fault, and of good ones what decoding tells.
fn check_walk(view: ValueRef<'_>, decoded: Option<&Value>) {
    if let Some(elements) = view.elements().unwrap_or_default() {
        let read: Vec<_> = elements.map(|element| element.and_then(|e| e.to_value())).collect();
        if let Some(Value::Array(array)) = decoded {
            let read: Vec<Value> = read.into_iter().map(Result::unwrap).collect();
            assert_eq!(read, array.elements);
        }
        let mut index = ElementIndex::default();
        for number in [70, 3, 4, 0, 64, 127, 128, 149, 72, usize::MAX] {
            let (quick, plain) = (index.get(view, number), view.get(number));
            match (quick, plain) {
                (Ok(quick), Ok(plain)) => {
                    assert_eq!(quick.map(|v| v.offset()), plain.map(|v| v.offset()));
                }
                (quick, plain) => {
                    let errors = (quick.unwrap_err(), plain.unwrap_err());
                    assert_eq!(errors.0.to_string(), errors.1.to_string());
                }
            }
        }
    }
    if let Some(Value::Dictionary(dictionary)) = decoded {
        for (key, value) in dictionary.iter() {
            assert_eq!(&view.get_key(key).unwrap().unwrap().to_value().unwrap(), value);
        }
    } else if let Some(entries) = view.entries().unwrap_or_default() {
        let _: Vec<_> = entries.collect();
        let _ = view.get_key(&Value::from("pos"));
    }
    let _ = view.packed_element(2);
}

fn nested(levels: usize) -> Value {
    (0..levels).fold(Array::default().into(), |inner, _| Array::from(vec![inner]).into())
}

#[test]
fn nests_as_deep_as_the_engine_and_no_deeper() {
    // Unoptimised code takes 4 KiB a level, optimised code about 600 bytes.
    let deep = std::thread::Builder::new().stack_size(16 << 20).spawn(check_depth);
    deep.unwrap().join().unwrap();
}

fn check_depth() {
    let deepest = encode(&nested(1024)).unwrap();
    assert_eq!(deepest.len(), 8200);
    assert_eq!(encode(&decode(&deepest).unwrap()).unwrap(), deepest);

    let refusal = encode(&nested(1025)).unwrap_err();
    assert_eq!(refusal.kind().code(), "too_deep");

    let mut deeper = [28, 0, 0, 0, 1, 0, 0, 0].repeat(100_000);
    deeper.extend([28, 0, 0, 0, 0, 0, 0, 0]);
    let error = decode(&deeper).unwrap_err();
    assert_eq!(error.kind(), &DecodeErrorKind::TooDeep { limit: 1024 });
    assert_eq!(error.offset(), 1024 * 8);
    let skipped = ValueRef::new(&deeper).unwrap().encoded_bytes().unwrap_err();
    assert_eq!(skipped.to_string(), error.to_string());

    // From inside, the limit is the same.
    let mut inner = ValueRef::new(&deeper).unwrap();
    let refused = loop {
        match inner.get(0) {
            Ok(element) => inner = element.unwrap(),
            Err(error) => break error,
        }
    };
    assert_eq!((refused.kind(), refused.offset()), (error.kind(), error.offset()));
    assert_eq!(inner.depth(), 1024);
    assert!(inner.to_value().is_err());
}

#[test]
fn a_value_is_refused_that_is_longer_than_the_engine_can_count() {
    // Zeroed memory that nobody looks at takes no room.
    let gibibyte = || Value::PackedByteArray(vec![0; 1 << 30]);
    let array = Value::from(Array::from(vec![gibibyte(), gibibyte()]));
    assert_eq!(encoded_len(&array).unwrap_err().kind().code(), "too_large");
    let packed = Value::PackedByteArray(vec![0; 1 << 31]);
    assert_eq!(encoded_len(&packed).unwrap_err().kind().code(), "too_large");
    assert_eq!(encoded_len(&gibibyte()).unwrap(), 8 + (1 << 30));
}

#[test]
fn an_error_says_where_it_is() {
    let mut inner = Dictionary::default();
    inner.insert(Value::from("pos"), Value::from("here"));
    let array = Array::from(vec![Value::Nil, inner.into()]);
    let mut bytes = encode(&Value::from(array)).unwrap();
    let len = bytes.len();
    bytes[len - 1] = 0xFF;

    let error = decode(&bytes).unwrap_err();
    assert_eq!(error.kind(), &DecodeErrorKind::InvalidUtf8);
    assert_eq!(error.offset(), len - 1);
    assert_eq!(error.path().to_string(), "[1][\"pos\"]");
    assert_eq!(
        error.path().segments().collect::<Vec<_>>(),
        [&Segment::Index(1), &Segment::Key(Value::from("pos"))]
    );
}

#[test]
fn a_count_never_allocates_before_its_elements_are_there() {
    for (header, len) in [(28u32, 4), (27, 8), (34, 4), (32, 4), (22, 4)] {
        let count = if header == 22 { u32::MAX } else { i32::MAX as u32 };
        let bytes: Vec<u8> =
            [header, count, 0, 0].iter().flat_map(|word| word.to_le_bytes()).collect();
        let error = decode(&bytes).unwrap_err();
        let kind = error.kind();
        assert!(matches!(kind, DecodeErrorKind::CountTooLarge { .. }), "{header}: {kind:?} {len}");
    }
}
