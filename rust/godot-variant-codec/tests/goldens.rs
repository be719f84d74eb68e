//! The crate against what the engine wrote down: `goldens/godot4.txt`.

use godot_variant_codec::variant::{ContainerType, Object, Value, VariantType};
use godot_variant_codec::{DecodeOptions, Decoder, decode, encode};
use testkit::goldens::{self, Golden, Hostile};

const GODOT_4: &str = include_str!("../goldens/godot4.txt");

#[test]
fn every_type_has_a_golden() {
    let (values, _) = goldens::parse(GODOT_4);
    for ty in VariantType::ALL {
        assert!(values.iter().any(|golden| golden.ty == ty), "{ty} has none");
    }
}

#[test]
fn values_decode_and_encode_as_in_the_engine() {
    let (values, _) = goldens::parse(GODOT_4);
    for golden in values {
        check_value(&golden);
    }
}

fn check_value(golden: &Golden<'_>) {
    let Golden { ty, label, bytes, decoded, .. } = golden;
    match (decode(bytes), decoded) {
        (Ok(value), Some(engine)) => {
            assert!(value.variant_type() == *ty || value.variant_type() == VariantType::Nil);
            if keeps_to_its_types(&value) {
                assert_eq!(encode(&value).unwrap(), *engine, "{ty} {label}");
            }
        }
        (Err(_), None) => {}
        (ours, engine) => panic!("{ty} {label}: ours {ours:?}, the engine's {engine:02x?}"),
    }
}

#[test]
fn every_prefix_gets_the_verdict_of_the_engine() {
    let (values, _) = goldens::parse(GODOT_4);
    for Golden { ty, label, bytes, accepted_prefixes, .. } in values {
        for len in 0..bytes.len() {
            let accepted = decode(&bytes[..len]).is_ok();
            assert_eq!(accepted, accepted_prefixes.contains(&len), "{ty} {label}, {len} bytes");
        }
    }
}

#[test]
fn hostile_bytes_get_the_verdict_of_the_engine() {
    let (_, hostile) = goldens::parse(GODOT_4);
    assert!(hostile.len() >= 1000, "there are only {}", hostile.len());
    let accepted = hostile.iter().filter(|hostile| hostile.decoded.is_some()).count();
    assert!(accepted >= 100, "the engine accepts only {accepted}");
    for hostile in hostile {
        check_hostile(&hostile);
    }
}

fn check_hostile(Hostile { bytes, decoded }: &Hostile) {
    let mut value = Value::Nil;
    let mut decoder = Decoder::new(bytes, DecodeOptions::default());
    match (decoder.decode_into(&mut value), decoded) {
        (Ok(()), Some((read, engine))) => {
            // The engine counts a padding that is not there.
            assert_eq!(decoder.offset(), *read.min(&bytes.len()), "{bytes:02x?}");
            if keeps_to_its_types(&value) {
                assert_eq!(encode(&value).unwrap(), *engine, "{bytes:02x?}");
            }
        }
        (Err(error), None) => assert!(error.offset() <= bytes.len(), "{error} in {bytes:02x?}"),
        (ours, engine) => panic!("{bytes:02x?}: ours {ours:?}, the engine's {engine:02x?}"),
    }
}

/// Whether the engine would neither convert nor drop anything when it fills typed containers, the
/// one thing that a `Value` does not do.
fn keeps_to_its_types(value: &Value) -> bool {
    match value {
        Value::Array(array) => array
            .elements
            .iter()
            .all(|element| fits(element, &array.element_type) && keeps_to_its_types(element)),
        Value::Dictionary(dictionary) => dictionary.iter().all(|(key, value)| {
            // The engine checks keys and not values.
            fits(key, &dictionary.key_type) && keeps_to_its_types(key) && keeps_to_its_types(value)
        }),
        _ => true,
    }
}

fn fits(value: &Value, ty: &ContainerType) -> bool {
    match ty {
        ContainerType::Any => true,
        ContainerType::Builtin(ty) => value.variant_type() == *ty,
        ContainerType::Class(_) | ContainerType::Script(_) => match value {
            Value::Nil => true,
            Value::Object(object) => !matches!(**object, Object::Full { .. }),
            _ => false,
        },
    }
}
