//! Long arrays, whose elements are written and read in runs: the same bytes and values as one by one.

use crate::common::array;
use godot_variant_codec::variant::{ArraySink, Plain, Segment, Value, plain};
use godot_variant_codec::{
    Buffer, DecodeError, DecodeOptions, Decoder, Dialect, DialectEncoder, EncodeOptions,
    EncodedContent, Encoder, Exact, Output, decode, encode,
};
use proptest::collection::vec;
use proptest::prelude::*;

/// Header and count of an array without a type.
const HEAD_LEN: usize = 8;

/// Some elements of one type, enough for more than one run or too few for one.
fn stretch() -> impl Strategy<Value = Vec<Value>> {
    let len = prop_oneof![0..4_usize, 60..70_usize, 120..200_usize];
    let narrow = (-1000_i32..1000).prop_map(f64::from);
    len.prop_flat_map(move |len| {
        prop_oneof![
            vec(any::<bool>().prop_map(Value::Bool), len),
            vec(any::<i32>().prop_map(|int| Value::Int(int.into())), len),
            vec(any::<i64>().prop_map(Value::Int), len),
            vec((-3_i64..3).prop_map(|int| Value::Int(int << 31)), len),
            vec(any::<f64>().prop_map(Value::Float), len),
            vec(prop_oneof![any::<f64>(), narrow.clone()].prop_map(Value::Float), len),
            vec(any::<[f32; 2]>().prop_map(Value::Vector2), len),
            vec(any::<[f32; 3]>().prop_map(Value::Vector3), len),
            vec(any::<[f32; 4]>().prop_map(Value::Color), len),
            vec(any::<[f32; 4]>().prop_map(Value::Quaternion), len),
            vec("[a-z]{0,5}".prop_map(|text| Value::from(&*text)), len),
            vec(Just(Value::Nil), len),
        ]
    })
}

fn elements() -> impl Strategy<Value = Vec<Value>> {
    vec(stretch(), 1..5).prop_map(|stretches| stretches.concat())
}

/// What the elements take one by one.
fn one_by_one(elements: &[Value]) -> Vec<u8> {
    elements.iter().flat_map(|element| encode(element).unwrap()).collect()
}

/// The elements, or the index of the first that is wrong and what is wrong with it.
fn decode_one_by_one(bytes: &[u8], count: usize) -> Result<Vec<Value>, (usize, DecodeError)> {
    let mut decoder = Decoder::at(bytes, HEAD_LEN, DecodeOptions::default());
    let decode = |index| {
        let mut value = Value::Nil;
        decoder.decode_at_depth(&mut value, 1).map(|()| value).map_err(|error| (index, error))
    };
    (0..count).map(decode).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn long_arrays_are_read_as_their_elements_are(elements in elements()) {
        let bytes = encode(&array(elements.clone())).unwrap();
        prop_assert_eq!(&bytes[HEAD_LEN..], &one_by_one(&elements)[..]);
        let decoded = decode(&bytes).unwrap();
        // Bits, too, which a comparison of NaNs does not show.
        prop_assert_eq!(encode(&decoded).unwrap(), bytes);
    }

    #[test]
    fn no_prefix_of_a_long_array_is_one(elements in elements(), len in any::<prop::sample::Index>()) {
        let bytes = encode(&array(elements)).unwrap();
        let len = len.index(bytes.len());
        let error = decode(&bytes[..len]).unwrap_err();
        prop_assert!(error.offset() <= len, "{error}");
    }

    /// Bytes that are broken anywhere: the same values, or the same error at the same place.
    #[test]
    fn broken_arrays_are_read_as_their_elements_are(
        elements in elements(),
        changes in vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
    ) {
        let count = elements.len();
        let mut bytes = encode(&array(elements)).unwrap();
        prop_assume!(count > 0);
        for (place, byte) in changes {
            let place = HEAD_LEN + place.index(bytes.len() - HEAD_LEN);
            bytes[place] = byte;
        }
        match (decode(&bytes), decode_one_by_one(&bytes, count)) {
            (Ok(Value::Array(array)), Ok(elements)) => {
                prop_assert_eq!(one_by_one(&array.elements), one_by_one(&elements));
            }
            (Err(error), Err((index, expected))) => {
                prop_assert_eq!(error.kind(), expected.kind());
                prop_assert_eq!(error.offset(), expected.offset());
                prop_assert_eq!(error.path().segments().next(), Some(&Segment::Index(index)));
            }
            (whole, elements) => prop_assert!(false, "{whole:?} and {elements:?}"),
        }
    }

    /// Where what the elements hold is refused, the error is the one of the element.
    #[test]
    fn what_is_refused_in_a_run_is_named(
        narrow in vec(any::<i32>(), 64..200),
        place in any::<prop::sample::Index>(),
    ) {
        let mut elements: Vec<Value> = narrow.into_iter().map(|int| Value::Int(int.into())).collect();
        let index = place.index(elements.len());
        elements[index] = Value::Int(1 << 40);
        let bytes = encode(&array(elements)).unwrap();
        let mut out = Vec::new();
        let sink =
            DialectEncoder::new(&mut out, &Dialect::GODOT_2, EncodeOptions::default()).unwrap();
        let error = Decoder::new(&bytes, DecodeOptions::default()).decode_into(sink).unwrap_err();
        prop_assert_eq!(error.kind().code(), "not_in_dialect");
        prop_assert_eq!(error.offset(), HEAD_LEN + 8 * index);
        prop_assert!(error.path().segments().eq([&Segment::Index(index)]), "{}", error);
    }

    #[test]
    fn runs_are_written_as_their_elements_are(floats in vec(any::<f64>(), 0..100)) {
        check_run(&floats)?;
    }

    #[test]
    fn runs_of_vectors_are_written_as_their_elements_are(vectors in vec(any::<[f32; 3]>(), 0..100)) {
        check_run(&vectors.into_iter().map(plain::Vector3).collect::<Vec<_>>())?;
    }
}

/// A run goes to every kind of output as its elements do, to one that has no room but for just them, too.
fn check_run<T: Plain>(run: &[T]) -> Result<(), TestCaseError> {
    let mut expected = Vec::new();
    for value in run {
        value.emit(Encoder::new(&mut expected)).unwrap();
    }
    let mut buffer = Buffer::default();
    write_run(&mut buffer, run);
    prop_assert_eq!(buffer.kept(), Some(&expected[..]));
    for spare in [0, 1, 4, 1000] {
        let mut bytes = vec![0xAA; expected.len() + spare];
        write_run(&mut Exact::new(&mut bytes), run);
        prop_assert_eq!(&bytes[..expected.len()], &expected[..]);
    }
    let mut small = Buffer::with_limit(64);
    write_run(&mut small, run);
    prop_assert_eq!(small.written(), expected.len());
    Ok(())
}

fn write_run<T: Plain>(out: &mut impl Output, run: &[T]) {
    let mut content = EncodedContent::at_depth(out, 1);
    assert!(content.run(run.iter().copied()).is_ok());
    content.end().unwrap();
}
