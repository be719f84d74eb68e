//! What is whole in damaged bytes is what the original has at its place.

use godot_variant_codec::salvage::{MAX_ISSUES, Salvaged, salvage};
use godot_variant_codec::variant::{Array, ContainerType, Dictionary, Object, Value, VariantType};
use godot_variant_codec::{DecodeError, DecodeOptions, Decoder, Limits, encode, encoded_len};
use proptest::prelude::*;
use testkit::values;

const OPTIONS: DecodeOptions = DecodeOptions {
    allow_objects: true,
    limits: Limits::ENGINE,
    double_precision: false,
    lossy: false,
};

fn len(value: &Value) -> usize {
    encoded_len(value).unwrap()
}

fn decodes(bytes: &[u8]) -> Option<Value> {
    let mut value = Value::Nil;
    Decoder::new(bytes, OPTIONS).decode_into(&mut value).ok().map(|()| value)
}

/// Values that are the same, bit for bit.
fn same(a: &Value, b: &Value) -> bool {
    encode(a).unwrap() == encode(b).unwrap()
}

/// Whether `found` has all of `original` that ends within its first `intact` bytes.
fn has_whole_parts(original: &Value, found: Option<&Value>, intact: usize) -> bool {
    if intact >= len(original) {
        return found.is_some_and(|found| same(original, found));
    }
    match (original, found) {
        (Value::Array(original), Some(Value::Array(found))) => {
            let head = len(&Value::Array(original.clone()))
                - original.elements.iter().map(len).sum::<usize>();
            let parts = original.elements.iter().map(|element| vec![element]);
            let found: Vec<_> = found.elements.iter().map(|element| vec![element]).collect();
            have_whole_parts(parts, &found, intact.saturating_sub(head))
        }
        (Value::Dictionary(original), Some(Value::Dictionary(found))) => {
            let content: usize = original.iter().map(|(key, value)| len(key) + len(value)).sum();
            let head = len(&Value::Dictionary(original.clone())) - content;
            let parts = original.iter().map(|(key, value)| vec![key, value]);
            let found: Vec<_> = found.iter().map(|(key, value)| vec![key, value]).collect();
            have_whole_parts(parts, &found, intact.saturating_sub(head))
        }
        (Value::PackedInt32Array(original), Some(Value::PackedInt32Array(found))) => {
            let whole = (intact.saturating_sub(8) / 4).min(original.len());
            found.get(..whole) == Some(&original[..whole])
        }
        (Value::PackedColorArray(original), Some(Value::PackedColorArray(found))) => {
            let whole = (intact.saturating_sub(8) / 16).min(original.len());
            let bits = |colors: &[[f32; 4]]| bytemuck::cast_slice::<_, u32>(colors).to_vec();
            found.get(..whole).map(bits) == Some(bits(&original[..whole]))
        }
        _ => true,
    }
}

/// The same for what a container holds: elements, or keys with their values.
fn have_whole_parts<'v>(
    original: impl Iterator<Item = Vec<&'v Value>>,
    found: &[Vec<&Value>],
    mut intact: usize,
) -> bool {
    for (index, part) in original.enumerate() {
        let part_len: usize = part.iter().map(|value| len(value)).sum();
        let there = found.get(index);
        if intact >= part_len {
            let is_there = there.is_some_and(|there| {
                part.iter().zip(there).all(|(original, found)| same(original, found))
            });
            if !is_there {
                return false;
            }
            intact -= part_len;
            continue;
        }
        // The one that is broken, if its key is whole.
        let keys: usize = part[..part.len() - 1].iter().map(|key| len(key)).sum();
        return match (part.last(), there.and_then(|there| there.last())) {
            (Some(original), Some(found)) if intact >= keys => {
                has_whole_parts(original, Some(found), intact - keys)
            }
            _ => true,
        };
    }
    true
}

/// Values whose containers take all that they hold.
fn untyped() -> impl Strategy<Value = Value> {
    values::value().prop_map(without_types)
}

fn without_types(value: Value) -> Value {
    match value {
        Value::Array(inner) => array(inner.elements.into_iter().map(without_types)),
        Value::Dictionary(inner) => {
            let entries = inner.iter().map(|(key, value)| (key.clone(), value.clone()));
            Dictionary::from_iter(
                entries.map(|(key, value)| (without_types(key), without_types(value))),
            )
            .into()
        }
        Value::Object(object) => match *object {
            Object::Full { class, properties } => {
                let properties =
                    properties.into_iter().map(|(name, value)| (name, without_types(value)));
                Value::Object(Object::Full { class, properties: properties.collect() }.into())
            }
            object => Value::Object(object.into()),
        },
        value => value,
    }
}

fn check(salvaged: &Salvaged, bytes: &[u8]) -> Result<(), TestCaseError> {
    // Each issue is at a byte that there is, and only intact bytes have none. A `Value` holds elements of other types than
    // its container declares.
    let is_damage = |issue: &DecodeError| issue.kind().code() != "wrong_element_type";
    let is_damaged = salvaged.issues.iter().any(is_damage) || salvaged.more_issues > 0;
    prop_assert_eq!(is_damaged, decodes(bytes).is_none());
    for issue in &salvaged.issues {
        prop_assert!(issue.offset() <= bytes.len(), "{}", issue);
    }
    // It can be stored and read again.
    if let Some(value) = &salvaged.value {
        let again = encode(value).unwrap();
        prop_assert!(decodes(&again).is_some());
        prop_assert!(
            again.len() <= bytes.len().next_multiple_of(4) + 4,
            "{} {}",
            again.len(),
            bytes.len()
        );
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    /// Intact bytes give what decoding gives.
    #[test]
    fn intact_bytes_are_decoded(value in untyped()) {
        let bytes = encode(&value).unwrap();
        let salvaged = salvage(&bytes, 0, OPTIONS);
        prop_assert!(salvaged.issues.is_empty());
        prop_assert!(same(&salvaged.value.unwrap(), &decodes(&bytes).unwrap()));
    }

    /// Of bytes that end early, wherever that is, each part is there that ends before.
    #[test]
    fn each_prefix_keeps_its_whole_parts(value in untyped()) {
        let bytes = encode(&value).unwrap();
        for cut in 0..bytes.len() {
            let salvaged = salvage(&bytes[..cut], 0, OPTIONS);
            check(&salvaged, &bytes[..cut])?;
            prop_assert!(
                has_whole_parts(&value, salvaged.value.as_ref(), cut),
                "{value:?}\ncut at {cut}: {:?}", salvaged
            );
        }
    }

    /// What is before a flipped bit is there.
    #[test]
    fn what_is_before_a_flipped_bit_stays(
        value in untyped(),
        flips in proptest::collection::vec((any::<proptest::sample::Index>(), 0_u8..8), 32),
    ) {
        let bytes = encode(&value).unwrap();
        for (at, bit) in flips {
            let at = at.index(bytes.len());
            let mut damaged = bytes.clone();
            damaged[at] ^= 1 << bit;
            let salvaged = salvage(&damaged, 0, OPTIONS);
            check(&salvaged, &damaged)?;
            // A damaged key may be one that was there before.
            if !holds_dictionary(&value) {
                prop_assert!(
                    has_whole_parts(&value, salvaged.value.as_ref(), at / 4 * 4),
                    "{value:?}\nbit {bit} of {at}: {:?}", salvaged
                );
            }
        }
    }

    #[test]
    fn any_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        check(&salvage(&bytes, 0, OPTIONS), &bytes)?;
    }

    /// Small numbers, as headers and counts have them.
    #[test]
    fn any_words(words in proptest::collection::vec(prop_oneof![0_u32..40, any::<u32>()], 0..80)) {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
        check(&salvage(&bytes, 0, OPTIONS), &bytes)?;
        let strict = DecodeOptions { limits: Limits::STRICT, ..DecodeOptions::default() };
        salvage(&bytes, 0, strict);
    }
}

fn holds_dictionary(value: &Value) -> bool {
    match value {
        Value::Dictionary(_) => true,
        Value::Array(array) => array.elements.iter().any(holds_dictionary),
        Value::Object(_) => true,
        _ => false,
    }
}

fn array(elements: impl IntoIterator<Item = Value>) -> Value {
    Array::from_iter(elements).into()
}

fn shown(salvaged: &Salvaged) -> Vec<String> {
    salvaged.issues.iter().map(ToString::to_string).collect()
}

/// Where the length of what is broken is known, all that follows stays.
#[test]
fn what_is_behind_the_damage_stays() {
    let broken = Value::from("broken");
    let value = array([
        Value::Int(1),
        Dictionary::from_iter([
            (Value::from("a"), broken.clone()),
            (broken, Value::Int(2)),
            (Value::from("c"), Value::Int(3)),
        ])
        .into(),
        Value::PackedStringArray(vec!["x".into(), "broken".into(), "z".into()]),
        Value::Int(4),
    ]);
    let mut bytes = encode(&value).unwrap();
    while let Some(at) = bytes.windows(6).position(|window| window == b"broken") {
        bytes[at + 1] = 0xFF;
    }
    let salvaged = salvage(&bytes, 0, OPTIONS);
    let expected = array([
        Value::Int(1),
        Dictionary::from_iter([(Value::from("c"), Value::Int(3))]).into(),
        Value::PackedStringArray(vec!["x".into(), "z".into()]),
        Value::Int(4),
    ]);
    assert_eq!(salvaged.value, Some(expected));
    let issues = shown(&salvaged);
    assert_eq!(issues.len(), 3, "{issues:?}");
    for (issue, path) in issues.iter().zip(["in [1][\"a\"])", "in [1][key 1])", "in [2][1])"]) {
        assert!(
            issue.starts_with("text that is not valid UTF-8") && issue.ends_with(path),
            "{issue}"
        );
    }
}

/// An object that may not be decoded is left out, and what it holds is stepped over.
#[test]
fn objects_are_left_out() {
    let object = |inner: Value| {
        let properties = vec![("name".into(), Value::from("Ada")), ("inner".into(), inner)];
        Value::Object(Object::Full { class: "Node".into(), properties }.into())
    };
    let value = array([Value::Int(1), object(array([object(Value::Nil)])), Value::Int(2)]);
    let bytes = encode(&value).unwrap();
    let salvaged = salvage(&bytes, 0, DecodeOptions::default());
    assert_eq!(salvaged.value, Some(array([Value::Int(1), Value::Int(2)])));
    assert_eq!(
        shown(&salvaged),
        ["an object with properties; decoding of objects is not allowed (at byte 16, in [1])"]
    );
}

/// A damaged header hides the places of all later elements. Each container around it reports the number of lost ones.
#[test]
fn lost_elements_are_counted() {
    let value =
        array([array([Value::Int(1), Value::Int(2), Value::Int(3)]), Value::Int(4), Value::Int(5)]);
    let mut bytes = encode(&value).unwrap();
    bytes[24] = 0xEE;
    let salvaged = salvage(&bytes, 0, OPTIONS);
    assert_eq!(salvaged.value, Some(array([array([Value::Int(1)])])));
    assert_eq!(
        shown(&salvaged),
        [
            "unknown type 238: the types are 0 to 38 (at byte 24, in [0][1])",
            "1 more element cannot be found after the broken part (at byte 28, in [0])",
            "2 more elements cannot be found after the broken part (at byte 28)",
        ]
    );
}

#[test]
fn a_declared_type_that_is_none_leaves_the_elements() {
    let typed = Array {
        element_type: ContainerType::Builtin(godot_variant_codec::variant::VariantType::Int),
        elements: vec![Value::Int(1)],
    };
    let mut bytes = encode(&Value::from(typed)).unwrap();
    bytes[4] = 0xEE;
    let salvaged = salvage(&bytes, 0, OPTIONS);
    assert_eq!(salvaged.value, Some(array([Value::Int(1)])));
    assert_eq!(salvaged.issues.len(), 1);
}

/// However the bytes are made, paths do not take much more memory than they.
#[test]
fn issues_and_paths_are_bounded() {
    let text_at_fault = [4, 0, 0, 0, 1, 0, 0, 0, 0xFF, 0, 0, 0];
    let mut bytes = Vec::new();
    for _ in 0..1000 {
        bytes.extend([28, 0, 0, 0, 1, 0, 0, 0]);
    }
    bytes.extend([28, 0, 0, 0]);
    bytes.extend(20_000_u32.to_le_bytes());
    (0..20_000).for_each(|_| bytes.extend(text_at_fault));
    let salvaged = salvage(&bytes, 0, OPTIONS);
    let steps: usize = salvaged.issues.iter().map(|issue| issue.path().segments().count()).sum();
    assert!(steps <= 1 << 16, "{steps}");
    assert_eq!(salvaged.issues.len() + salvaged.more_issues, 20_000);
    let flat = salvage(&bytes[8000..], 0, OPTIONS);
    assert_eq!((flat.issues.len(), flat.more_issues), (MAX_ISSUES, 20_000 - MAX_ISSUES));
    // Deeper than the engine goes: what is too deep is left out.
    let deep = [28, 0, 0, 0, 1, 0, 0, 0].repeat(5000);
    assert_eq!(shown(&salvage(&deep, 0, OPTIONS)).len(), 1);
}

/// What a typed container does not take is left out, and is an issue with its place.
#[test]
fn elements_of_other_types() {
    let elements = vec![Value::Int(1), Value::from("a"), Value::Int(3)];
    let element_type = ContainerType::Builtin(VariantType::Int);
    let mut entries =
        Dictionary::typed(ContainerType::Builtin(VariantType::String), ContainerType::Any);
    entries.insert(Value::from("a"), Array { element_type: element_type.clone(), elements }.into());
    entries.insert(Value::Int(2), Value::Nil);
    let salvaged = salvage(&encode(&Value::from(entries)).unwrap(), 0, OPTIONS);
    assert_eq!(
        shown(&salvaged),
        [
            "\"String\" is not a valid element of this typed container; expected \"int\" (at byte 44, in [\"a\"][1])",
            "\"int\" is not a valid key of this typed container; expected \"String\" (at byte 64, in [key 1])",
        ]
    );
    let kept = Array { element_type, elements: vec![Value::Int(1), Value::Int(3)] };
    let mut whole =
        Dictionary::typed(ContainerType::Builtin(VariantType::String), ContainerType::Any);
    whole.insert(Value::from("a"), kept.into());
    assert_eq!(salvaged.value, Some(whole.into()));
}
