//! The compressed form of the multiplayer API. That it is the engine's is tested inside the engine:
//! `godot_project/tests/framing/rpc_test.gd`.

use godot_variant_codec::framing::rpc::{
    Arguments, Packet, PacketError, Target, compress, decompress_into,
};
use godot_variant_codec::variant::Value;
use godot_variant_codec::{DecodeOptions, encode};
use proptest::collection::vec;
use proptest::prelude::*;
use testkit::values;

/// What the reader gets: one empty `PackedByteArray` is no argument, as in the engine.
fn received(list: Vec<Value>) -> Vec<Value> {
    match &list[..] {
        [Value::PackedByteArray(bytes)] if bytes.is_empty() => Vec::new(),
        _ => list,
    }
}

#[test]
fn an_empty_byte_array_is_no_argument() {
    let list = vec![Value::PackedByteArray(Vec::new())];
    let arguments = Arguments::new(&list).unwrap();
    assert_eq!(arguments.decode(1).unwrap(), []);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn arguments_survive(list in vec(values::value(), 0..6)) {
        let arguments = Arguments::new(&list).unwrap();
        prop_assert_eq!(arguments.decode(list.len()).unwrap(), received(list));
    }

    #[test]
    fn all_but_bools_and_ints_are_encoded_as_always(value in values::value()) {
        let mut bytes = vec![0xAA];
        compress(&mut bytes, &value).unwrap();
        if !matches!(value, Value::Bool(_) | Value::Int(_)) {
            prop_assert_eq!(&bytes[1..], &encode(&value).unwrap()[..]);
        }
        let mut decoded = Value::Nil;
        let end = decompress_into(&bytes, 1, DecodeOptions::default(), &mut decoded).unwrap();
        prop_assert_eq!(end, bytes.len());
        prop_assert_eq!(decoded, value);
    }

    #[test]
    fn ints_take_as_many_bytes_as_they_need(int in any::<i64>(), shift in 0..64u32) {
        let int = int >> shift;
        let mut bytes = Vec::new();
        compress(&mut bytes, &Value::Int(int)).unwrap();
        let fits = |bits: u32| int >> (bits - 1) == 0 || int >> (bits - 1) == -1;
        let width = [8, 16, 32].into_iter().find(|&bits| fits(bits)).unwrap_or(64) / 8;
        prop_assert_eq!(bytes.len(), 1 + width as usize);
    }

    #[test]
    fn packets_survive(
        list in vec(values::value(), 0..6),
        id in any::<u32>(), shift in 1..32u32,
        method in any::<u16>(),
        path in proptest::option::of("[a-zA-Z/]{1,20}"),
    ) {
        let target = match &path {
            Some(path) => Target::Path(path),
            None => Target::Id(id >> shift),
        };
        let arguments = Arguments::new(&list).unwrap();
        let packet = Packet { target, method, argument_count: list.len(), arguments };
        let bytes = packet.to_bytes().unwrap();
        let parsed = Packet::parse(&bytes).unwrap();
        prop_assert_eq!(&parsed.target, &packet.target);
        prop_assert_eq!(parsed.method, packet.method);
        prop_assert_eq!(parsed.decode_arguments().unwrap(), received(list));
    }

    #[test]
    fn bytes_never_panic(bytes in vec(any::<u8>(), 0..60), count in 0..300usize) {
        if let Ok(packet) = Packet::parse(&bytes) {
            let _ = packet.decode_arguments();
            prop_assert!(packet.to_bytes().is_ok());
        }
        for bare in [false, true] {
            let _ = Arguments::received(&bytes, bare).decode(count);
        }
    }
}

#[test]
fn known_bytes() {
    for (value, bytes) in [
        (Value::Bool(false), &[0x01][..]),
        (Value::Bool(true), &[0x81]),
        (Value::Int(-128), &[0x02, 0x80]),
        (Value::Int(128), &[0x42, 0x80, 0x00]),
        (Value::Int(-32769), &[0x82, 0xFF, 0x7F, 0xFF, 0xFF]),
        (Value::Int(i64::MAX), &[0xC2, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F]),
        (Value::Nil, &[0, 0, 0, 0]),
    ] {
        let mut compressed = Vec::new();
        compress(&mut compressed, &value).unwrap();
        assert_eq!(compressed, bytes, "{value:?}");
    }
    let bytes = Value::PackedByteArray(vec![1, 2, 3]);
    let bare = Arguments::new(std::slice::from_ref(&bytes)).unwrap();
    assert_eq!((&*bare.bytes, bare.bare), (&[1, 2, 3][..], true));
    let none = Arguments::new::<Value>(&[]).unwrap();
    assert_eq!((&*none.bytes, none.bare), (&[][..], true));
    assert!(!Arguments::new(&[bytes, Value::Nil]).unwrap().bare);
}

#[test]
fn errors_name_the_argument() {
    let arguments = Arguments::received(&[0x81, 0x42, 0x80], false);
    let error = arguments.decode(2).unwrap_err();
    assert_eq!(error.to_string(), "unexpected end: 2 bytes needed, 1 left (at byte 2, in [1])");
    // A type that does not exist, with bits of a bool.
    let error = Arguments::received(&[0xA7, 0, 0, 0], false).decode(1).unwrap_err();
    assert_eq!(error.kind().code(), "unknown_type");
}

#[test]
fn packets_that_are_none() {
    let parse = |bytes: &[u8]| Packet::parse(bytes).unwrap_err();
    assert!(matches!(parse(&[]), PacketError::UnexpectedEnd { len: 0, .. }));
    assert!(matches!(parse(&[3, 1, 2]), PacketError::OtherCommand { command: 3 }));
    assert!(matches!(parse(&[0x30, 1, 2]), PacketError::UnknownNodeWidth));
    assert!(matches!(parse(&[0x20, 1, 2, 0]), PacketError::UnexpectedEnd { .. }));
    assert!(matches!(parse(&[0x00, 1]), PacketError::UnexpectedEnd { .. }));
    // A path that would start behind the packet, or before the arguments.
    assert!(matches!(parse(&[0xA0, 9, 0, 0, 0x80, 1]), PacketError::NoPath { offset: 9 }));
    assert!(matches!(parse(&[0xA0, 2, 0, 0, 0x80, 1]), PacketError::UnexpectedEnd { .. }));
}
