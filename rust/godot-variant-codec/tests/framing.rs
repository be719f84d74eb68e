//! Streams of values in pieces of any length, whole or broken.

use godot_variant_codec::framing::{
    ByteOrder, FrameDecoder, FrameError, FrameOptions, append_frame,
};
use godot_variant_codec::variant::{Array, Value};
use godot_variant_codec::{decode, encode};
use proptest::collection::vec;
use proptest::prelude::*;
use testkit::values;

const ORDERS: [ByteOrder; 2] = [ByteOrder::LittleEndian, ByteOrder::BigEndian];

fn stream(values: &[Value], byte_order: ByteOrder) -> Vec<u8> {
    let mut bytes = Vec::new();
    for value in values {
        append_frame(&mut bytes, value, byte_order).unwrap();
    }
    bytes
}

/// What a decoder gives for pieces that end at `cuts`, each frame read as soon as it is there.
fn read(bytes: &[u8], mut cuts: Vec<usize>, options: FrameOptions) -> Vec<Value> {
    cuts.sort_unstable();
    cuts.push(bytes.len());
    let mut decoder = FrameDecoder::new(options);
    let (mut values, mut start) = (Vec::new(), 0);
    for cut in cuts {
        decoder.push(&bytes[start..cut]).unwrap();
        start = cut;
        while let Some(value) = decoder.next_value().unwrap() {
            values.push(value);
        }
    }
    decoder.finish().unwrap();
    assert_eq!(decoder.position(), bytes.len() as u64);
    values
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn values_come_out_whatever_the_pieces(
        list in vec(values::value(), 0..6),
        cuts in vec(any::<prop::sample::Index>(), 0..12),
        order in prop::sample::select(&ORDERS[..]),
    ) {
        let bytes = stream(&list, order);
        let cuts = cuts.iter().map(|cut| cut.index(bytes.len() + 1)).collect();
        let options = FrameOptions { byte_order: order, exact: true, ..FrameOptions::default() };
        prop_assert_eq!(read(&bytes, cuts, options), list);
    }

    #[test]
    fn bytes_never_panic_and_pieces_do_not_matter(
        bytes in vec(prop_oneof![3 => 0..3u8, 1 => any::<u8>()], 0..200),
        cuts in vec(any::<prop::sample::Index>(), 0..12),
        order in prop::sample::select(&ORDERS[..]),
    ) {
        let options = FrameOptions { byte_order: order, ..FrameOptions::default() };
        let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut.index(bytes.len() + 1)).collect();
        cuts.sort_unstable();
        prop_assert_eq!(outcomes(&bytes, &cuts, options), outcomes(&bytes, &[], options));
    }
}

/// Everything that comes out of a stream, errors included.
fn outcomes(bytes: &[u8], cuts: &[usize], options: FrameOptions) -> Vec<String> {
    let mut decoder = FrameDecoder::new(options);
    let (mut outcomes, mut start) = (Vec::new(), 0);
    for &cut in cuts.iter().chain([&bytes.len()]) {
        decoder.push(&bytes[start..cut]).unwrap();
        start = cut;
        loop {
            match decoder.next_value() {
                Ok(Some(value)) => outcomes.push(format!("{value:?}")),
                Ok(None) => break,
                Err(error) if error.is_fatal() => {
                    outcomes.push(error.to_string());
                    return outcomes;
                }
                Err(error) => outcomes.push(error.to_string()),
            }
        }
    }
    outcomes.extend(decoder.finish().err().map(|error| error.to_string()));
    outcomes
}

#[test]
fn a_length_stands_in_the_order_that_was_asked_for() {
    let value = Value::from("hello");
    let encoded = encode(&value).unwrap();
    for (order, length) in
        [(ByteOrder::LittleEndian, [16, 0, 0, 0]), (ByteOrder::BigEndian, [0, 0, 0, 16])]
    {
        let bytes = stream(std::slice::from_ref(&value), order);
        assert_eq!(bytes, [&length[..], &encoded].concat());
    }
}

#[test]
fn a_length_above_the_limit_ends_the_stream() {
    let options = FrameOptions { max_frame_len: 16, ..FrameOptions::default() };
    let mut bytes = stream(&[Value::from("hello"), Value::Int(1)], ByteOrder::LittleEndian);
    bytes.extend([17, 0, 0, 0]);
    let mut decoder = FrameDecoder::new(options);
    decoder.push(&bytes).unwrap();
    assert_eq!(decoder.next_value().unwrap(), Some(Value::from("hello")));
    assert_eq!(decoder.next_value().unwrap(), Some(Value::Int(1)));
    for _ in 0..2 {
        let error = decoder.next_value().unwrap_err();
        assert!(matches!(error, FrameError::TooLarge { at: 32, len: 17, max: 16 }), "{error}");
        assert!(error.is_fatal());
        assert_eq!(error.code(), "frame_too_large");
    }
    // With the wrong byte order every length is far too large.
    let mut decoder = FrameDecoder::new(FrameOptions::default());
    decoder.push(&stream(&[Value::Nil], ByteOrder::BigEndian)).unwrap();
    assert_eq!(decoder.has_frame().unwrap_err().code(), "frame_too_large");
}

#[test]
fn a_broken_value_does_not_end_the_stream() {
    let mut bytes = vec![4, 0, 0, 0, 0xFF, 0, 0, 0];
    bytes.extend([0, 0, 0, 0]);
    append_frame(&mut bytes, &Value::Int(7), ByteOrder::LittleEndian).unwrap();
    let mut decoder = FrameDecoder::new(FrameOptions::default());
    decoder.push(&bytes).unwrap();

    let error = decoder.next_value().unwrap_err();
    assert_eq!(
        error.to_string(),
        "frame at byte 0 of the stream: unknown type 255: the types are 0 to 38 (at byte 0)"
    );
    assert_eq!((error.code(), error.is_fatal()), ("unknown_type", false));
    assert_eq!(decoder.next_value().unwrap_err().code(), "unexpected_end");
    assert_eq!(decoder.next_value().unwrap(), Some(Value::Int(7)));
    assert_eq!(decoder.next_value().unwrap(), None);
}

#[test]
fn what_stands_behind_a_value_is_ignored_unless_told_otherwise() {
    let mut bytes = vec![12, 0, 0, 0, 2, 0, 0, 0, 7, 0, 0, 0, 1, 2, 3, 4];
    append_frame(&mut bytes, &Value::Nil, ByteOrder::LittleEndian).unwrap();
    assert_eq!(read(&bytes, vec![], FrameOptions::default()), [Value::Int(7), Value::Nil]);

    let mut decoder = FrameDecoder::new(FrameOptions::debugger());
    decoder.push(&bytes).unwrap();
    let error = decoder.next_value().unwrap_err();
    assert!(matches!(error, FrameError::TrailingBytes { at: 0, value_len: 8, len: 12 }), "{error}");
    assert_eq!(decoder.next_value().unwrap(), Some(Value::Nil));
}

#[test]
fn memory_stays_bounded() {
    let options =
        FrameOptions { max_frame_len: 1000, max_buffered_len: 2000, ..FrameOptions::default() };
    let mut decoder = FrameDecoder::new(options);
    // The length is there, and lies.
    decoder.push(&1000u32.to_le_bytes()).unwrap();
    decoder.push(&[0; 996]).unwrap();
    assert_eq!(decoder.next_value().unwrap(), None);
    decoder.push(&[0; 1000]).unwrap();
    let error = decoder.push(&[0; 1]).unwrap_err();
    assert!(
        matches!(error, FrameError::BufferFull { buffered: 2000, pushed: 1, max: 2000 }),
        "{error}"
    );
    assert!(!error.is_fatal());
    // None of it was taken, so that it can be pushed again.
    assert_eq!(decoder.next_value().unwrap(), Some(Value::Nil));
    decoder.push(&[0; 1]).unwrap();

    // A limit below one frame would let no frame through.
    let options = FrameOptions { max_buffered_len: 0, ..options };
    let mut decoder = FrameDecoder::new(options);
    decoder.push(&1000u32.to_le_bytes()).unwrap();
    decoder.push(&[0; 1000]).unwrap();
    assert_eq!(decoder.next_value().unwrap(), Some(Value::Nil));
}

#[test]
fn a_stream_that_ends_too_soon_is_noticed() {
    let bytes = stream(&[Value::Int(1), Value::from("hello")], ByteOrder::LittleEndian);
    for len in 0..bytes.len() {
        let mut decoder = FrameDecoder::new(FrameOptions::default());
        decoder.push(&bytes[..len]).unwrap();
        while decoder.next_value().unwrap().is_some() {}
        match decoder.finish() {
            Ok(()) => assert!(len == 0 || len == 12, "{len}"),
            Err(error) => assert_eq!(error.code(), "unfinished_frame"),
        }
    }
}

#[test]
fn a_refused_value_leaves_the_stream_whole() {
    let deep = (0..1026).fold(Value::Nil, |inner, _| Array::from(vec![inner]).into());
    let mut bytes = stream(&[Value::Int(1)], ByteOrder::LittleEndian);
    let before = bytes.clone();
    std::thread::Builder::new()
        .stack_size(16 << 20)
        .spawn(move || {
            assert_eq!(
                append_frame(&mut bytes, &deep, ByteOrder::LittleEndian).unwrap_err().kind().code(),
                "too_deep"
            );
            assert_eq!(bytes, before);
        })
        .unwrap()
        .join()
        .unwrap();
}

#[test]
fn a_frame_is_a_length_and_what_encode_gives() {
    let value = Value::PackedByteArray(vec![1, 2, 3]);
    let bytes = stream(std::slice::from_ref(&value), ByteOrder::LittleEndian);
    assert_eq!(decode(&bytes[4..]).unwrap(), value);
}
