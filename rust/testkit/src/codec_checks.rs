//! What must hold for all bytes and all values: the bodies of the fuzz targets in `rust/fuzz`, which the tests of
//! `variant-codec` run, too, from a seeded corpus and from what fuzzing once found.
//!
//! Each takes bytes that anyone may have made up, and panics if something does not hold.

mod streams;

pub use streams::{CONTROL_LEN, rpc_packets, stream_chunks};

use godot_variant_codec::salvage::salvage;
use godot_variant_codec::variant::{Array, Dictionary, Object, Source, Value};
use godot_variant_codec::{
    AllowedObjects, DecodeError, DecodeOptions, Decoder, Dialect, DialectDecoder, DialectEncoder,
    EncodeOptions, Limits, Reader, ValueRef, decode_as, detect_dialects, encode, encode_as,
    encoded_len,
};

use crate::fuzz_bodies::Check;
use crate::made_values;

/// Every check, by the name of its fuzz target.
pub const ALL: [Check; 7] = [
    ("decode_dialects", decode_dialects),
    ("round_trip", round_trip),
    ("view_against_decode", view_against_decode),
    ("encode_values", encode_values),
    ("limits", limits),
    ("stream_chunks", stream_chunks),
    ("rpc_packets", rpc_packets),
];

/// Limits that most values pass.
const TIGHT: Limits =
    Limits { max_bytes: 64, max_depth: 2, max_elements: 5, max_string: 7, ..Limits::ENGINE };

/// Every dialect reads the bytes or says where they are wrong; a second reader of Godot 4 agrees.
pub fn decode_dialects(bytes: &[u8]) {
    for options in all_options() {
        for dialect in Dialect::ALL {
            let mut decoder = DialectDecoder::new(bytes, dialect, options);
            let decoded = decoder.table_driven(&mut Value::Nil);
            assert!(decoder.offset() <= bytes.len());
            if let Err(error) = &decoded {
                assert!(error.offset() <= bytes.len(), "{error}");
                assert!(!error.to_string().contains('\n'), "{error}");
            }
            if dialect.is_native() {
                let mut by_heart = Decoder::new(bytes, options);
                match (by_heart.decode_into(&mut Value::Nil), decoded) {
                    (Ok(()), Ok(())) => assert_eq!(by_heart.offset(), decoder.offset()),
                    (Err(one), Err(other)) => {
                        assert_eq!(one.kind().code(), other.kind().code(), "{one} {other}");
                        assert_eq!(one.offset(), other.offset(), "{one} {other}");
                        assert_eq!(one.path(), other.path());
                    }
                    (one, other) => panic!("{one:?} {other:?}"),
                }
            }
        }
    }
    let allowed = AllowedObjects::new(["Node*"], ["res://*"]);
    let _ = allowed.check(bytes, 0, &Dialect::GODOT_4, DecodeOptions::default());
    assert!(detect_dialects(bytes, DecodeOptions::default()).count() <= Dialect::ALL.len());
}

/// What is decoded can be encoded, and is the same when it is decoded again.
pub fn round_trip(bytes: &[u8]) {
    // A reader takes the mark off a text that begins with one; the next takes another.
    let marked = has_mark(bytes);
    for options in all_options() {
        for dialect in Dialect::ALL {
            let Ok(value) = decode_as(bytes, dialect, options) else { continue };
            let wide = options.double_precision && dialect.has_double_precision();
            let written = EncodeOptions { double_precision: wide, lossy: true };
            let encode = |value: &Value| encode_as(value, dialect, written).expect("brought near");
            let decode = |bytes: &[u8]| decode_as(bytes, dialect, options).expect("we wrote it");
            let again = decode(&encode(&value));
            if marked {
                continue;
            }
            if ["GODOT_2", "DOCS_3_0"].contains(&dialect.name()) {
                // Wide numbers are read there, and written narrow.
                assert_eq!(decode(&encode(&again)), again, "{}", dialect.name());
            } else {
                let strict = EncodeOptions { lossy: false, ..written };
                encode_as(&value, dialect, strict).expect("what was read can be written");
                assert_eq!(nulls_as_nil(again), nulls_as_nil(value), "{}", dialect.name());
            }
        }
    }
}

/// What a view shows is what is decoded, and it ends where that ends. What can be salvaged is all of that, or there are issues.
pub fn view_against_decode(bytes: &[u8]) {
    for (allow_objects, limits) in
        [(false, Limits::ENGINE), (true, Limits::ENGINE), (false, TIGHT), (true, TIGHT)]
    {
        let options = DecodeOptions { allow_objects, limits, ..DecodeOptions::default() };
        let mut value = Value::Nil;
        let mut decoder = Decoder::new(bytes, options);
        let decoded = decoder.decode_into(&mut value);
        let salvaged = salvage(bytes, 0, options);
        // A `Value` holds elements of other types than its container declares.
        let is_damage = |issue: &DecodeError| issue.kind().code() != "wrong_element_type";
        let is_whole = !salvaged.issues.iter().any(is_damage);
        assert_eq!(is_whole, decoded.is_ok(), "{:?}", salvaged.issues);
        if decoded.is_ok() && salvaged.issues.is_empty() {
            assert_eq!(format!("{:?}", salvaged.value), format!("{:?}", Some(&value)));
        }
        let view = ValueRef::with_options(bytes, 0, options);
        let shown = view.and_then(|view| Ok((view, view.encoded_bytes()?)));
        match (&decoded, shown) {
            (Ok(()), Ok((view, encoded))) => {
                assert_eq!(encoded.len(), decoder.offset());
                compare_view(view, &value);
            }
            (Ok(()), Err(error)) => panic!("decoded, but not shown: {error}"),
            // A view looks at less: texts are read when they are asked for.
            (Err(_), Ok((_, encoded))) => assert!(encoded.len() <= limits.max_bytes),
            (Err(_), Err(_)) => {}
        }
        Reader::with_options(bytes, options).take(100).for_each(drop);
    }
}

/// Values made up from the bytes: each is encoded in every dialect, and decoded again.
pub fn encode_values(bytes: &[u8]) {
    let value = made_values::value(bytes);
    let encoded = encode(&value).expect("made to be encoded");
    assert_eq!(encoded.len(), encoded_len(&value).expect("it was just encoded"));
    let mut by_table = Vec::new();
    let sink = DialectEncoder::new(&mut by_table, &Dialect::GODOT_4, EncodeOptions::default());
    value.emit(sink.expect("it has both precisions")).expect("made to be encoded");
    assert_eq!(by_table, encoded);
    for dialect in Dialect::ALL {
        for double_precision in [false, true] {
            let options = EncodeOptions { lossy: true, double_precision };
            let Ok(encoded) = encode_as(&value, dialect, options) else { continue };
            let allow_objects = true;
            let read =
                DecodeOptions { double_precision, allow_objects, ..DecodeOptions::default() };
            decode_as(&encoded, dialect, read).expect("we wrote it");
        }
    }
    view_against_decode(&encoded);
}

/// Tight limits reject bytes and never accept what loose ones reject.
pub fn limits(bytes: &[u8]) {
    let options = |limits| DecodeOptions { limits, ..DecodeOptions::default() };
    for dialect in Dialect::ALL {
        let mut decoder = DialectDecoder::new(bytes, dialect, options(TIGHT));
        let mut value = Value::Nil;
        if decoder.decode_into(&mut value).is_ok() {
            assert!(decoder.offset() <= 64, "{}", decoder.offset());
            assert!(depth(&value) <= 3, "{value:?}");
            let same = decode_as(bytes, dialect, DecodeOptions::default());
            assert_eq!(same.expect("less is refused"), value);
        }
    }
}

fn all_options() -> impl Iterator<Item = DecodeOptions> {
    [(false, false), (true, false), (true, true)].into_iter().map(|(allow_objects, more)| {
        DecodeOptions { allow_objects, double_precision: more, lossy: more, limits: Limits::ENGINE }
    })
}

/// Whether a text in `bytes` may begin with a byte order mark.
fn has_mark(bytes: &[u8]) -> bool {
    bytes.windows(3).any(|window| window == "\u{FEFF}".as_bytes())
}

/// How deep containers are nested.
fn depth(value: &Value) -> usize {
    match value {
        Value::Array(array) => 1 + array.elements.iter().map(depth).max().unwrap_or(0),
        Value::Dictionary(dictionary) => {
            1 + dictionary.iter().map(|(k, v)| depth(k).max(depth(v))).max().unwrap_or(0)
        }
        _ => 0,
    }
}

/// A null object is written as nil, as the engine does; keys that are both are then one.
fn nulls_as_nil(value: Value) -> Value {
    match value {
        Value::Object(object) => match *object {
            Object::Null => Value::Nil,
            Object::Full { class, properties } => {
                let properties = properties.into_iter().map(|(n, v)| (n, nulls_as_nil(v)));
                let properties = properties.collect();
                Value::Object(Box::new(Object::Full { class, properties }))
            }
            id @ Object::Id(_) => Value::Object(Box::new(id)),
        },
        Value::Array(array) => {
            let Array { element_type, elements } = *array;
            let elements = elements.into_iter().map(nulls_as_nil).collect();
            Array { element_type, elements }.into()
        }
        Value::Dictionary(dictionary) => {
            let types = (dictionary.key_type.clone(), dictionary.value_type.clone());
            let mut plain = Dictionary::typed(types.0, types.1);
            for (key, value) in dictionary.iter() {
                plain.insert(nulls_as_nil(key.clone()), nulls_as_nil(value.clone()));
            }
            plain.into()
        }
        other => other,
    }
}

/// Walks a view along the value that it should show.
fn compare_view(view: ValueRef<'_>, value: &Value) {
    const RIGHT: &str = "what was decoded is shown";
    assert_eq!(view.variant_type(), value.variant_type());
    match value {
        Value::Array(array) => {
            let elements = view.elements().expect(RIGHT).expect("it is an array");
            let mut count = 0;
            for (shown, element) in elements.zip(&array.elements) {
                compare_view(shown.expect(RIGHT), element);
                count += 1;
            }
            assert_eq!(count, array.elements.len());
        }
        Value::Dictionary(dictionary) => {
            // A key that occurs twice counts twice.
            let len = view.len().expect(RIGHT).expect("it is a dictionary");
            assert!(len >= dictionary.len());
            for entry in view.entries().expect(RIGHT).expect("it is a dictionary") {
                let (key, _) = entry.expect(RIGHT);
                let key = key.to_value().expect(RIGHT);
                assert!(dictionary.get(&key).is_some(), "{key:?}");
            }
        }
        Value::String(text) | Value::StringName(text) => {
            assert_eq!(view.as_str().expect(RIGHT), Some(&**text));
        }
        Value::Int(int) => assert_eq!(view.as_int().expect(RIGHT), Some(*int)),
        Value::Bool(bool) => assert_eq!(view.as_bool().expect(RIGHT), Some(*bool)),
        Value::Float(float) => {
            let shown = view.as_float().expect(RIGHT).expect("it is a float");
            assert_eq!(shown.to_bits(), float.to_bits());
        }
        _ => {}
    }
}
