//! Values that can be made of any size, encoded: each repeats one thing that a reader or writer may have to compare with all
//! others of its kind, or to go through once more for each.

use godot_variant_codec::encode;
use godot_variant_codec::variant::{Array, Dictionary, NodePath, Value};

use super::texts::Shape;

/// The bits of a number that hashes of tables are made of; what is a multiple of it looks alike there.
const STEP: i64 = 1 << 32;

fn bytes(value: impl Into<Value>) -> Vec<u8> {
    encode(&value.into()).expect("the shapes can be encoded")
}

fn array(count: usize, element: impl Fn(usize) -> Value) -> Value {
    Array::from_iter((0..count).map(element)).into()
}

fn text(text: impl Into<Box<str>>) -> Value {
    Value::String(text.into())
}

/// A Dictionary with these keys.
fn keys(count: usize, key: impl Fn(usize) -> Value) -> Value {
    let mut dictionary = Dictionary::default();
    for index in 0..count {
        dictionary.insert(key(index), Value::Nil);
    }
    dictionary.into()
}

/// One value in so many others: arrays, or the keys or values of dictionaries.
fn nested(depth: usize, innermost: Value, outer: fn(Value) -> Value) -> Value {
    (0..depth).fold(innermost, |value, _| outer(value))
}

fn in_array(value: Value) -> Value {
    Array::from_iter([value]).into()
}

fn as_key(key: Value) -> Value {
    let mut dictionary = Dictionary::default();
    dictionary.insert(key, Value::Nil);
    dictionary.into()
}

fn path(names: &[&str], subnames: &[&str]) -> Value {
    let owned = |parts: &[&str]| parts.iter().map(|part| Box::from(*part)).collect();
    let (names, subnames) = (owned(names), owned(subnames));
    Value::NodePath(Box::new(NodePath { absolute: false, names, subnames }))
}

fn record(index: usize, fields: impl IntoIterator<Item = String>) -> Value {
    let mut record = Dictionary::default();
    for field in fields {
        record.insert(text(field), Value::Int(index as i64));
    }
    record.into()
}

/// A Dictionary of the engine's format that has one key again and again, which no Dictionary can be encoded to.
fn one_key(count: usize) -> Vec<u8> {
    /// `Nil` and `int` of 32 bits: the type, and what follows it.
    const NIL: u32 = 0;
    const INT: u32 = 2;
    const DICTIONARY: u32 = 27;
    let mut words = vec![DICTIONARY, count as u32];
    (0..count).for_each(|_| words.extend([INT, 1, NIL]));
    words.into_iter().flat_map(u32::to_le_bytes).collect()
}

shapes! {
    // Arrays.
    nulls = |count| bytes(array(count, |_| Value::Nil));
    ints = |count| bytes(array(count, |i| Value::Int(i as i64 * STEP)));
    floats = |count| bytes(array(count, |i| Value::Float(i as f64 * 0.1)));
    mixed = |count| bytes(array(count, |i| if i % 2 == 0 { Value::Int(1) } else { text("a") }));
    empty_arrays = |count| bytes(array(count, |_| Array::default().into()));
    arrays_of_one = |count| bytes(array(count, |i| in_array(Value::Int(i as i64))));
    two_levels = |count| bytes(array(count / 100, |_| array(100, |i| in_array(Value::Int(i as i64)))));
    deep_arrays = |count| bytes(array(count / 100, |_| nested(100, Value::Nil, in_array)));
    deep_at_the_end = |count| bytes(array(count + 1, |i| {
        if i < count { Value::Nil } else { nested(400, Value::Nil, in_array) }
    }));
    transforms = |count| bytes(array(count, |i| Value::Transform3D(Box::new([i as f32; 12]))));

    // Texts.
    long_string = |count| bytes(text("a".repeat(count)));
    long_string_of_three_bytes_each = |count| bytes(text("\u{65e5}".repeat(count)));
    strings = |count| bytes(array(count, |i| text(format!("item_{i}"))));
    strings_of_one_text = |count| bytes(array(count, |_| text("one text")));
    empty_strings = |count| bytes(array(count, |_| text("")));
    string_names = |count| bytes(array(count, |i| Value::StringName(format!("item_{i}").into())));
    packed_strings = |count| bytes(Value::PackedStringArray((0..count).map(|i| format!("item_{i}").into()).collect()));
    packed_empty_strings = |count| bytes(Value::PackedStringArray(vec!["".into(); count]));
    packed_long_strings = |count| bytes(Value::PackedStringArray(vec!["a".repeat(50).into(); count / 50]));
    long_path = |count| bytes(path(&vec!["a"; count], &[]));
    long_subnames = |count| bytes(path(&[], &vec!["a"; count]));

    // Packed arrays.
    packed_bytes = |count| bytes(Value::PackedByteArray(vec![1; count]));
    packed_floats = |count| bytes(Value::PackedFloat32Array(vec![0.5; count]));
    packed_arrays = |count| bytes(array(count, |_| Value::PackedByteArray(vec![1; 3])));

    // Dictionaries.
    empty_dictionaries = |count| bytes(array(count, |_| Dictionary::default().into()));
    int_keys = |count| bytes(keys(count, |i| Value::Int(i as i64)));
    far_int_keys = |count| bytes(keys(count, |i| Value::Int(i as i64 * STEP)));
    float_keys = |count| bytes(keys(count, |i| Value::Float(i as f64 * STEP as f64)));
    nan_keys = |count| bytes(array(count, |i| as_key(Value::Float(f64::from_bits(f64::NAN.to_bits() | i as u64)))));
    string_keys = |count| bytes(keys(count, |i| text(format!("key_{i}"))));
    long_string_keys = |count| bytes(keys(count, |i| text(format!("{}{i}", "a".repeat(100)))));
    string_name_keys = |count| bytes(keys(count, |i| Value::StringName(format!("key_{i}").into())));
    vector_keys = |count| bytes(keys(count, |i| Value::Vector3i([0, 0, i as i32])));
    packed_keys = |count| bytes(keys(count, |i| Value::PackedInt32Array(vec![0, i as i32])));
    path_keys = |count| bytes(keys(count, |i| path(&[&format!("a{i}")], &["b"])));
    array_keys = |count| bytes(keys(count, |i| in_array(Value::Int(i as i64))));
    dictionary_keys = |count| bytes(keys(count, |i| as_key(Value::Int(i as i64))));
    dictionaries_of_one_key = |count| bytes(keys(count, |i| {
        let mut key = Dictionary::default();
        key.insert(Value::Nil, Value::Int(i as i64));
        key.into()
    }));
    keys_in_keys = |count| bytes(keys(count / 20, |i| nested(20, Value::Int(i as i64), as_key)));
    deep_dictionaries = |count| bytes(array(count / 100, |_| nested(100, Value::Nil, |value| {
        let mut outer = Dictionary::default();
        outer.insert(Value::Int(0), value);
        outer.into()
    })));
    one_key_again = one_key;
    records = |count| bytes(array(count, |i| record(i, ["id", "name", "hp"].map(str::to_owned))));
    records_of_many_fields = |count| bytes(array(count / 50, |i| record(i, (0..50).map(|field| format!("field_{field}")))));
    records_unlike_each_other = |count| bytes(array(count, |i| record(i, [format!("a{i}"), format!("b{i}")])));
}
