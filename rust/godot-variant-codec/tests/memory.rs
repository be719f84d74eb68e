//! How much memory the codec asks for. In a process of its own, as the counting allocator counts
//! for all threads; and one test, so that no other runs beside it.

use godot_variant_codec::framing::{ByteOrder, append_frame};
use godot_variant_codec::variant::{Array, Dictionary, Source, Value};
use godot_variant_codec::{Encoder, Exact, Reader, ValueRef, decode, encode, encoded_len};
use peak_alloc::PeakAlloc;

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

/// What a call has at its peak beyond what was there before, in bytes.
fn peak<R>(call: impl FnOnce() -> R) -> usize {
    let before = ALLOCATOR.current_usage();
    ALLOCATOR.reset_peak_usage();
    let result = call();
    let peak = ALLOCATOR.peak_usage();
    drop(result);
    peak.saturating_sub(before)
}

#[test]
fn memory() {
    let values = values();
    for value in &values {
        nothing_for_measuring_and_reading_in_place(value);
        nothing_but_the_given_bytes(value);
        a_growing_vector_when_encoding(value);
    }
    values.iter().for_each(a_constant_times_the_bytes_when_decoding);
    counts_that_promise_more_than_there_is();
}

/// What walking may keep of the last element, to step over the next one faster.
const SHAPE_LEN: usize = 4096;

fn nothing_for_measuring_and_reading_in_place(value: &Value) {
    let bytes = encode(value).unwrap();
    assert_eq!(peak(|| encoded_len(value)), 0, "encoded_len");
    assert_eq!(peak(|| ValueRef::new(&bytes).unwrap().encoded_bytes().map(<[u8]>::len)), 0, "skip");
    let walked = peak(|| {
        let value = ValueRef::new(&bytes).unwrap();
        let elements = value.elements().unwrap().into_iter().flatten();
        let entries = value.entries().unwrap().into_iter().flatten();
        elements.count() + entries.count()
    });
    assert!(walked <= SHAPE_LEN, "walking takes {walked} bytes");
}

fn nothing_but_the_given_bytes(value: &Value) {
    let mut place = vec![0; encoded_len(value).unwrap()];
    let encoded = peak(|| value.emit(Encoder::new(&mut Exact::new(&mut place))));
    assert_eq!(encoded, 0, "encoding into a given place");
}

/// A container: a vector that doubles, which at worst is copied at once into one of twice its size (to
/// measure the value first takes half as long again). What is one piece is as long as its bytes, and a
/// container for which that is too much can be encoded into a place that was measured.
fn a_growing_vector_when_encoding(value: &Value) {
    let len = encoded_len(value).unwrap();
    let peaks = [peak(|| encode(value)), peak(|| frame(value))];
    let allowed = match value {
        Value::String(_) | Value::PackedByteArray(_) => len + ROOM,
        _ => 3 * (len + FRAME).max(64),
    };
    for peak in peaks {
        assert!(peak <= allowed, "{peak} for {len} encoded bytes, allowed {allowed}");
    }
}

/// What stands before a value in a stream.
const FRAME: usize = 4;
/// The header, which stood in a vector of its own, and the padding whether it is needed or not.
const ROOM: usize = 32;

fn frame(value: &Value) -> Vec<u8> {
    let mut bytes = Vec::new();
    append_frame(&mut bytes, value, ByteOrder::LittleEndian).unwrap();
    bytes
}

/// The worst ratios are those of many small values: 4 bytes for a null in an array, 12 for a number
/// and a null in a dictionary, which become a `Value`, or two and a hash, in tables that double.
fn a_constant_times_the_bytes_when_decoding(value: &Value) {
    const WORST: usize = 20;
    let bytes = encode(value).unwrap();
    let peak = peak(|| decode(&bytes));
    assert!(peak <= WORST * bytes.len().max(64), "{peak} for {} bytes", bytes.len());
}

/// Counts of a billion in front of a few bytes, in each type that has a count.
fn counts_that_promise_more_than_there_is() {
    const ERROR: usize = 1024;
    for ty in [4u32, 21, 22, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38] {
        for count in [0x1000_0000u32, 0x3fff_ffff, 0x7fff_ffff, 0xffff_ffff] {
            let words = [ty, count, 0, 0, 0, 0];
            let bytes: Vec<u8> = words.into_iter().flat_map(u32::to_le_bytes).collect();
            let peak = peak(|| decode(&bytes).map(drop));
            assert!(peak <= ERROR, "type {ty}, count {count:#x}: {peak} bytes");
            let read = self::peak(|| Reader::new(&bytes).count());
            assert!(read <= ERROR, "type {ty}, count {count:#x}: {read} bytes when read in turn");
        }
    }
}

fn values() -> Vec<Value> {
    let mut dictionary = Dictionary::default();
    for index in 0..1000 {
        dictionary.insert(Value::from(format!("key {index}").as_str()), Value::Int(index));
    }
    let mut small_entries = Dictionary::default();
    for index in 0..1000 {
        small_entries.insert(Value::Int(index), Value::Nil);
    }
    vec![
        Value::Nil,
        Value::Int(1),
        Value::from("text".repeat(1000).as_str()),
        Value::PackedByteArray(vec![1; 10_001]),
        Value::PackedStringArray(vec!["text".into(); 1000]),
        Array::from_iter((0..1000).map(|_| Value::Nil)).into(),
        Array::from_iter((0..1000).map(Value::Int)).into(),
        Array::from_iter((0..100).map(|_| Value::from(dictionary.clone()))).into(),
        dictionary.into(),
        small_entries.into(),
    ]
}
