//! Memory grows with the bytes that are there, at most by `Limits::MAX_MEMORY_PER_BYTE`.
//!
//! A test of its own, because it counts every allocation of the process.

use godot_variant_codec::variant::Value;
use godot_variant_codec::{DecodeOptions, Dialect, Limits, decode, decode_as};
use peak_alloc::PeakAlloc;

#[global_allocator]
static ALLOCATOR: PeakAlloc = PeakAlloc;

/// Values that take many bytes of memory for few bytes of encoding: their header, and what follows.
const GREEDY: &[(&str, &[u32])] = &[
    ("nil", &[0]),
    ("bool", &[1, 1]),
    ("int", &[2, 1]),
    ("empty String", &[4, 0]),
    ("String of one byte", &[4, 1, 0x61]),
    ("StringName", &[21, 1, 0x61]),
    ("empty NodePath", &[22, 1 << 31, 0, 0]),
    ("NodePath of one empty name", &[22, 1 << 31 | 1, 0, 0, 0]),
    ("object id", &[24 | 1 << 16, 1, 0]),
    ("object without properties", &[24, 1, 0x61, 0]),
    ("object with a property", &[24, 1, 0x61, 1, 0, 0]),
    ("Signal", &[26, 0, 0, 0]),
    ("empty Dictionary", &[27, 0]),
    ("Dictionary typed by classes", &[27 | 2 << 16 | 2 << 18, 0, 0, 0]),
    ("Dictionary of one entry", &[27, 1, 0, 0]),
    ("Dictionary of a dictionary", &[27, 1, 0, 27, 1, 0, 27, 1, 0, 27, 1, 0, 27, 1, 0, 0]),
    ("Dictionary whose key is one", &[27, 1, 27, 1, 27, 1, 27, 1, 0, 0, 0, 0, 0]),
    ("empty Array", &[28, 0]),
    ("Array typed by class", &[28 | 2 << 16, 0, 0]),
    ("Array of one nil", &[28, 1, 0]),
    ("Array of two arrays", &[28, 2, 28, 0, 28, 0]),
    ("empty PackedByteArray", &[29, 0]),
    ("PackedByteArray of one byte", &[29, 1, 0]),
    ("empty PackedStringArray", &[34, 0]),
    ("PackedStringArray of one empty text", &[34, 1, 0]),
    ("PackedVector3Array of one wide vector", &[36 | 1 << 16, 1, 0, 0, 0, 0, 0, 0]),
];

fn words(words: &[u32]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// The most memory that was in use at once while `decode` ran, beyond what was in use before.
fn peak(decode: impl FnOnce() -> Option<Value>) -> usize {
    let before = ALLOCATOR.current_usage();
    ALLOCATOR.reset_peak_usage();
    let value = decode();
    let peak = ALLOCATOR.peak_usage();
    drop(value);
    peak.saturating_sub(before)
}

fn memory_is_bounded_by_the_bytes() {
    let mut worst = (0.0, String::new());
    // One more than what room is made for at once.
    for count in [1000, 4097] {
        for (name, inner) in GREEDY {
            let mut bytes = words(&[28, count as u32]);
            (0..count).for_each(|_| bytes.extend(words(inner)));
            worst = measure(worst, &format!("{count} times {name}"), &bytes);
        }
        // Keys that differ, or there would be one entry.
        let mut bytes = words(&[27, count as u32]);
        (0..count as u32).for_each(|key| bytes.extend(words(&[2, key, 0])));
        worst = measure(worst, &format!("Dictionary of {count} ints to nil"), &bytes);
        // The strings of a packed array.
        let bytes = [words(&[34, count as u32]), vec![0; 4 * count]].concat();
        worst = measure(worst, &format!("{count} empty strings"), &bytes);
        let bytes = [words(&[22, 1 << 31 | count as u32, 0, 0]), vec![0; 4 * count]].concat();
        worst = measure(worst, &format!("{count} empty names"), &bytes);
    }
    let (most, what) = worst;
    println!("at most {most:.1} bytes of memory for a byte: {what}");
    assert!(most <= Limits::MAX_MEMORY_PER_BYTE as f64, "{most:.1} for {what}");
    assert!(
        most >= Limits::MAX_MEMORY_PER_BYTE as f64 / 2.0,
        "the bound is far too large: {most:.1}"
    );
}

fn measure(worst: (f64, String), what: &str, bytes: &[u8]) -> (f64, String) {
    let options = DecodeOptions { allow_objects: true, ..DecodeOptions::default() };
    let used = peak(|| Some(decode_as(bytes, &Dialect::GODOT_4, options).expect(what)));
    let per_byte = used as f64 / bytes.len() as f64;
    if per_byte > worst.0 { (per_byte, what.to_owned()) } else { worst }
}

/// One test for both, because the allocator counts for all threads.
#[test]
fn memory_grows_with_the_bytes_and_nothing_else() {
    memory_is_bounded_by_the_bytes();
    a_promise_costs_nothing();
}

/// Bytes that promise much: a count or a length of all sizes, and nothing behind it.
fn a_promise_costs_nothing() {
    for dialect in Dialect::ALL {
        for id in 0..40 {
            for flags in [0, 1 << 16, 2 << 16, 1 << 18] {
                for promise in [1 << 16, i32::MAX as u32, 1 << 31 | 1 << 20, u32::MAX] {
                    let bytes = words(&[id | flags, promise, promise, promise, promise]);
                    let options = DecodeOptions { allow_objects: true, ..Default::default() };
                    let used = peak(|| decode_as(&bytes, dialect, options).ok());
                    assert!(used < 2000, "{used} bytes for {bytes:02x?} in {}", dialect.name());
                }
            }
        }
    }
    assert!(decode(&words(&[28, u32::MAX >> 1])).is_err());
}
