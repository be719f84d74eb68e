//! The bodies of the fuzz targets, from a seeded corpus and from what fuzzing once found.

use godot_variant_codec::framing::ByteOrder;
use godot_variant_codec::framing::rpc::{Arguments, Packet, Target};
use godot_variant_codec::variant::Value;
use godot_variant_codec::{Dialect, EncodeOptions, encode_as};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};
use testkit::fuzz_bodies::FuzzBodies;
use testkit::{codec_checks, goldens, values};

/// What a check begins with.
fn corpus_of(name: &str, count: usize) -> Vec<Vec<u8>> {
    match name {
        "stream_chunks" => streams(count),
        "rpc_packets" => packets(count),
        _ => corpus(count),
    }
}

/// The same numbers every time.
fn runner() -> TestRunner {
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[7; 32]);
    TestRunner::new_with_rng(ProptestConfig::default(), rng)
}

/// Streams of three values of the corpus in every dialect and either byte order, every other one cut
/// short.
fn streams(count: usize) -> Vec<Vec<u8>> {
    let corpus = corpus(count);
    let stream = |(index, values): (usize, &[Vec<u8>])| {
        let flags = index as u8;
        let byte_order =
            if flags & 1 == 0 { ByteOrder::LittleEndian } else { ByteOrder::BigEndian };
        // Frames of up to 16 KiB, pieces of either kind.
        let mut stream = vec![flags, flags >> 3, 14, (index / 8) as u8];
        assert_eq!(stream.len(), codec_checks::CONTROL_LEN);
        for value in values {
            stream.extend(byte_order.length_bytes(value.len() as u32));
            stream.extend(value);
        }
        stream.truncate(stream.len() - index / 8 % 2);
        stream
    };
    corpus.chunks(3).enumerate().map(stream).collect()
}

/// Packets of calls with none to three arguments, of nodes by id and by path.
fn packets(count: usize) -> Vec<Vec<u8>> {
    let mut runner = runner();
    let mut next = || values::value().new_tree(&mut runner).unwrap().current();
    (0..count)
        .map(|index| {
            let mut values: Vec<Value> = (0..index % 4).map(|_| next()).collect();
            if index % 7 == 0 {
                values = vec![Value::PackedByteArray(vec![7; index])];
            }
            let target = match index % 3 {
                0 => Target::Path("Level/Player"),
                1 => Target::Id(index as u32),
                _ => Target::Id(index as u32 * 1000),
            };
            let (method, argument_count) = (index as u16 * 10, values.len());
            let arguments = Arguments::new(&values).unwrap();
            Packet { target, method, argument_count, arguments }.to_bytes().unwrap()
        })
        .collect()
}

/// Valid values of every dialect, and what the engine's goldens hold.
fn corpus(count: usize) -> Vec<Vec<u8>> {
    let mut runner = runner();
    let (values, hostile) = goldens::parse(include_str!("../goldens/godot4.txt"));
    let mut corpus: Vec<Vec<u8>> = values.into_iter().map(|golden| golden.bytes).collect();
    corpus.extend(hostile.into_iter().map(|hostile| hostile.bytes));
    let lossy = EncodeOptions { lossy: true, double_precision: false };
    for index in 0..count {
        let value = values::value().new_tree(&mut runner).unwrap().current();
        let dialect = Dialect::ALL[index % Dialect::ALL.len()];
        corpus.push(encode_as(&value, dialect, lossy).unwrap());
        corpus
            .push((0..400).map(|_| any::<u8>().new_tree(&mut runner).unwrap().current()).collect());
    }
    corpus
}

const BODIES: FuzzBodies = FuzzBodies {
    checks: &codec_checks::ALL,
    crate_folder: env!("CARGO_MANIFEST_DIR"),
    corpus: corpus_of,
};

#[test]
fn every_body_holds_for_the_corpus() {
    BODIES.check_corpus(300);
}

#[test]
fn what_fuzzing_found_stays_mended() {
    BODIES.check_regressions();
}

/// `FUZZ_CORPUS=FOLDER cargo test --test tests fuzz_bodies` does so.
#[test]
fn the_corpus_can_be_written() {
    BODIES.write_corpus(300);
}
