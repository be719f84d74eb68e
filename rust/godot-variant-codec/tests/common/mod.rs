//! Bytes worked out by hand, and how they are held against the crate.
#![allow(dead_code, reason = "each test uses a part")]

use godot_variant_codec::variant::{Array, ContainerType, Dictionary, NodePath, Object, Value};
use godot_variant_codec::{DecodeOptions, Dialect, EncodeOptions, decode_as, encode_as};
use testkit::hex::hex_words;
pub(crate) use testkit::hex::unhex;

/// A value and its bytes: where the bytes are from, the value, the bytes.
pub(crate) type Row<'h> = (&'static str, Value, &'h str);

/// Both directions, in single or in double precision.
pub(crate) fn check_rows(dialect: &Dialect, double_precision: bool, rows: &[Row<'_>]) {
    for (source, value, hex) in rows {
        let encoded = encode_as(value, dialect, encode_options(double_precision));
        let encoded = encoded.unwrap_or_else(|refusal| panic!("{source}: {refusal}"));
        assert_eq!(hex_words(&encoded), hex_words(&unhex(hex)), "{source}: encoded");
        check_read(dialect, double_precision, source, value, hex);
    }
}

/// Bytes that are read and never written.
pub(crate) fn check_only_read(dialect: &Dialect, double_precision: bool, rows: &[Row<'_>]) {
    for (source, value, hex) in rows {
        let encoded = encode_as(value, dialect, encode_options(double_precision));
        assert_ne!(encoded.ok(), Some(unhex(hex)), "{source}: is written, too");
        check_read(dialect, double_precision, source, value, hex);
    }
}

fn check_read(dialect: &Dialect, double_precision: bool, source: &str, value: &Value, hex: &str) {
    let bytes = unhex(hex);
    let options = decode_options(double_precision);
    let decoded = decode_as(&bytes, dialect, options);
    let decoded = decoded.unwrap_or_else(|error| panic!("{source}: {error}"));
    assert_eq!(decoded, *value, "{source}: decoded");
    for len in 0..bytes.len() {
        if let Ok(prefix) = decode_as(&bytes[..len], dialect, options) {
            // Only the padding of a byte array may be missing.
            assert!(bytes.len() - len < 4 && prefix == *value, "{source}: {len} bytes accepted");
        }
    }
}

pub(crate) fn encode_options(double_precision: bool) -> EncodeOptions {
    EncodeOptions { double_precision, ..EncodeOptions::default() }
}

pub(crate) fn decode_options(double_precision: bool) -> DecodeOptions {
    DecodeOptions { double_precision, allow_objects: true, ..DecodeOptions::default() }
}

/// The code and the message of what `dialect` says to bytes that it does not take.
pub(crate) fn rejection(dialect: &Dialect, hex: &str) -> (String, String) {
    let error = decode_as(&unhex(hex), dialect, DecodeOptions::default()).unwrap_err();
    (error.kind().code().to_owned(), error.to_string())
}

pub(crate) fn array(elements: impl IntoIterator<Item = Value>) -> Value {
    Array::from_iter(elements).into()
}

pub(crate) fn typed_array(element_type: ContainerType, elements: Vec<Value>) -> Value {
    Array { element_type, elements }.into()
}

pub(crate) fn dictionary(entries: impl IntoIterator<Item = (Value, Value)>) -> Value {
    Dictionary::from_iter(entries).into()
}

pub(crate) fn node_path(absolute: bool, names: &[&str], subnames: &[&str]) -> Value {
    let boxed = |names: &[&str]| names.iter().map(|&name| name.into()).collect();
    Value::NodePath(Box::new(NodePath { absolute, names: boxed(names), subnames: boxed(subnames) }))
}

pub(crate) fn object(object: Object) -> Value {
    Value::Object(Box::new(object))
}
