//! Each limit at its border, in both decoders.

use crate::common::{array, dictionary, node_path, object};
use godot_variant_codec::variant::{
    ArraySink, ContainerTypeRef, Object, Refusal, Sink, Source, StringKind, Text, Value,
};
use godot_variant_codec::{
    DecodeError, DecodeOptions, Decoder, Dialect, DialectDecoder, Limits, Reader, ValueRef, encode,
    encoded_len,
};

/// What both decoders say, which is the same.
fn try_decode(bytes: &[u8], limits: Limits) -> Result<Value, DecodeError> {
    let options = DecodeOptions { limits, allow_objects: true, ..DecodeOptions::default() };
    let (mut value, mut by_table) = (Value::Nil, Value::Nil);
    let decoded = Decoder::new(bytes, options).decode_into(&mut value);
    let table = DialectDecoder::new(bytes, &Dialect::GODOT_4, options).table_driven(&mut by_table);
    assert_eq!(
        decoded.as_ref().map_err(ToString::to_string),
        table.as_ref().map_err(ToString::to_string)
    );
    decoded.map(|()| value)
}

/// The value passes with `enough` and fails with `too_little`.
fn check(value: &Value, enough: Limits, too_little: Limits, message: &str) {
    let bytes = encode(value).unwrap();
    assert_eq!(try_decode(&bytes, enough).unwrap(), *value);
    let error = try_decode(&bytes, too_little).unwrap_err();
    assert_eq!(error.to_string(), message);
}

const ENGINE: Limits = Limits::ENGINE;

#[test]
fn depth() {
    let value = array([Value::Nil, array([array([])])]);
    let limits = |max_depth| Limits { max_depth, ..ENGINE };
    check(&value, limits(2), limits(1), "nested deeper than 1 levels (at byte 12, in [1])");
    let scalar = encode(&Value::Int(1)).unwrap();
    assert!(try_decode(&scalar, limits(0)).is_ok());
    assert!(try_decode(&encode(&array([])).unwrap(), limits(0)).is_ok());
    assert_eq!(try_decode(&encode(&value).unwrap(), limits(0)).unwrap_err().offset(), 0);
}

#[test]
fn elements_of_all_containers_together() {
    let limits = |max_elements| Limits { max_elements, ..ENGINE };
    let strings = Value::PackedStringArray(vec!["".into(), "".into()]);
    let entries = dictionary([(Value::Int(1), strings), (Value::Int(2), Value::Nil)]);
    let full = Object::Full { class: "A".into(), properties: vec![("a".into(), Value::Nil)] };
    let value = array([entries, node_path(false, &["a"], &["b"]), object(full)]);
    // 3 elements, 2 entries, 2 strings, 2 names, 1 property.
    let message =
        "the value contains more than the 9 elements that are allowed (at byte 92, in [2])";
    check(&value, limits(10), limits(9), message);
    let bytes = encode(&value).unwrap();
    for max_elements in 0..10 {
        let error = try_decode(&bytes, limits(max_elements)).unwrap_err();
        assert_eq!(error.kind().code(), "too_many_elements");
    }
    // Numbers take what they take.
    let numbers = encode(&Value::PackedByteArray(vec![0; 1000])).unwrap();
    assert!(try_decode(&numbers, limits(0)).is_ok());
}

#[test]
fn text() {
    let limits = |max_string| Limits { max_string, ..ENGINE };
    let value = array([Value::from("abcd")]);
    check(
        &value,
        limits(4),
        limits(3),
        "the text of a String has 4 bytes; the limit is 3 (at byte 12, in [0])",
    );
    for value in [
        Value::StringName("abcd".into()),
        node_path(false, &["abcd"], &[]),
        Value::PackedStringArray(vec!["abcd".into()]),
        Value::Signal(Box::new(godot_variant_codec::variant::Signal {
            name: "abcd".into(),
            object_id: 0,
        })),
        object(Object::Full { class: "abcd".into(), properties: vec![] }),
        object(Object::Full { class: "a".into(), properties: vec![("abcd".into(), Value::Nil)] }),
    ] {
        let bytes = encode(&value).unwrap();
        assert!(try_decode(&bytes, limits(4)).is_ok(), "{value:?}");
        let error = try_decode(&bytes, limits(3)).unwrap_err();
        assert_eq!(error.kind().code(), "text_too_long", "{value:?}");
    }
}

#[test]
fn bytes() {
    let limits = |max_bytes| Limits { max_bytes, ..ENGINE };
    for value in [
        array([Value::Int(1), Value::from("abc")]),
        Value::PackedByteArray(vec![1, 2, 3, 4, 5]),
        Value::PackedInt32Array(vec![1; 9]),
        dictionary([(Value::Int(1), Value::PackedByteArray(vec![1]))]),
    ] {
        let bytes = encode(&value).unwrap();
        let len = bytes.len();
        let with_more = [&bytes[..], &[0; 100]].concat();
        for allowed in len..len + 9 {
            assert_eq!(try_decode(&with_more, limits(allowed)).unwrap(), value, "{allowed}");
        }
        for allowed in 0..len {
            let error = try_decode(&with_more, limits(allowed)).unwrap_err();
            assert_eq!(error.kind().code(), "too_many_bytes", "{allowed} of {len}: {error}");
        }
    }
    // A value that ends too soon is not one that is too long.
    let cut = &encode(&Value::from("abc")).unwrap()[..8];
    assert_eq!(try_decode(cut, limits(100)).unwrap_err().kind().code(), "unexpected_end");
}

/// Limits are for each value, not for all that follow each other.
#[test]
fn a_reader_starts_anew_with_each_value() {
    let value = array([Value::Int(1), Value::PackedByteArray(vec![7])]);
    let bytes = encode(&value).unwrap();
    let limits = Limits { max_bytes: bytes.len(), max_elements: 2, ..Limits::STRICT };
    let options = DecodeOptions { limits, ..DecodeOptions::default() };
    let stream = bytes.repeat(100);
    let read: Vec<Value> =
        Reader::with_options(&stream, options).collect::<Result<_, _>>().unwrap();
    assert_eq!(read, vec![value; 100]);
}

#[test]
fn a_view_holds_to_them_where_it_looks() {
    let deep = array([array([Value::Int(1)])]);
    let names = Value::PackedStringArray(vec!["one".into(), "three".into()]);
    let elements = [deep, names, Value::from("a text"), Value::Int(7)];
    let bytes = encode(&array(elements)).unwrap();
    let view = |limits| {
        let options = DecodeOptions { limits, ..DecodeOptions::default() };
        ValueRef::with_options(&bytes, 0, options)
    };
    let code = |error: DecodeError| error.kind().code();
    let all = Limits::ENGINE;

    let tight = view(Limits { max_bytes: bytes.len() - 1, ..all });
    assert_eq!(tight.map_err(code).unwrap_err(), "too_many_bytes");
    assert!(view(Limits { max_bytes: bytes.len(), ..all }).is_ok());

    // What is stepped over may be deeper.
    let shallow = view(Limits { max_depth: 1, ..all }).unwrap();
    assert_eq!(shallow.get(3).unwrap().unwrap().as_int().unwrap(), Some(7));
    let inner = shallow.get(0).unwrap().unwrap();
    assert_eq!(inner.len().map_err(code).unwrap_err(), "too_deep");
    assert_eq!(inner.to_value().map_err(code).unwrap_err(), "too_deep");

    let few = view(Limits { max_elements: 3, ..all }).unwrap();
    assert_eq!(few.get(0).map_err(code).unwrap_err(), "too_many_elements");

    let short = view(Limits { max_string: 4, ..all }).unwrap();
    assert_eq!(short.get(2).unwrap().unwrap().as_str().map_err(code).unwrap_err(), "text_too_long");
    let names = short.get(1).unwrap().unwrap();
    assert_eq!(names.packed_element(0).unwrap(), Some(Value::from("one")));
    assert_eq!(names.packed_element(1).map_err(code).unwrap_err(), "text_too_long");
}

/// Arrays that hold one text again and again, as engine values can: more than there is time to count.
struct Endless<'c> {
    depth: u32,
    emitted: &'c std::cell::Cell<usize>,
}

impl Source for Endless<'_> {
    fn emit<S: Sink>(&self, sink: S) -> Result<(), Refusal> {
        const COUNT: usize = 1 << 30;
        self.emitted.set(self.emitted.get() + 1);
        let Some(depth) = self.depth.checked_sub(1) else {
            return sink.string(StringKind::String, Text::Utf8(&"long".repeat(1 << 20)));
        };
        let mut array = sink.array(ContainerTypeRef::Any, COUNT)?;
        for _ in 0..COUNT {
            Endless { depth, ..*self }.emit(array.element())?;
        }
        array.end()
    }
}

#[test]
#[cfg_attr(miri, ignore = "gigabytes take hours")]
fn what_is_too_large_is_not_counted_to_its_end() {
    for depth in [1, 3] {
        let emitted = std::cell::Cell::new(0);
        let refusal = encoded_len(&Endless { depth, emitted: &emitted }).unwrap_err();
        assert_eq!(refusal.kind().code(), "too_large");
        assert!(emitted.get() < 600, "{} values", emitted.get());
    }
}
