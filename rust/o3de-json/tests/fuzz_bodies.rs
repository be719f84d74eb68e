//! The bodies of the fuzz targets, from a seeded corpus and from what fuzzing once found.

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};
use testkit::fuzz_bodies::FuzzBodies;
use testkit::o3de_checks;

/// Texts that are JSON, nearly JSON, and pairs of documents; and bytes of any kind.
fn corpus(name: &str, count: usize) -> Vec<Vec<u8>> {
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[9; 32]);
    let mut runner = TestRunner::new_with_rng(ProptestConfig::default(), rng);
    let text = "[\\[\\]{}\",:0-9eE.+\\-/* \\n\\\\utrlfasn]{0,60}";
    let pair =
        "\\[\\{\"a\": ([0-9]|null|\\[1\\])\\}, (\\{\"[ab]\": [0-9]\\}|\\[[0-9], [0-9]\\]|null)\\]";
    let mut corpus: Vec<Vec<u8>> = SEEDS.iter().map(|seed| seed.as_bytes().to_vec()).collect();
    for _ in 0..count {
        for pattern in [text, pair] {
            let text = pattern.new_tree(&mut runner).unwrap().current();
            corpus.push(text.into_bytes());
        }
        let len = if name == "o3de_load" { 200 } else { 20 };
        let bytes = (0..len).map(|_| any::<u8>().new_tree(&mut runner).unwrap().current());
        corpus.push(bytes.collect());
    }
    corpus
}

const SEEDS: [&str; 8] = [
    "[{\"a\": 1}, [{\"op\": \"move\", \"from\": \"/a\", \"path\": \"/b\"}]]",
    "[{\"a\": [1, 2]}, [{\"op\": \"copy\", \"from\": \"/a/0\", \"path\": \"/a/-\"}]]",
    "// comment\n{\"a\": /* \" */ 1.5e-7, \"a\": -0.0, \"\\ud83d\\ude00\": \"\\u0001\"}",
    "[18446744073709551615, 18446744073709551616, -9223372036854775808, 1e-320]",
    "\"\\ud800\"",
    "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]",
    "[\u{feff}1]",
    "/* /* */ */",
];

const BODIES: FuzzBodies =
    FuzzBodies { checks: &o3de_checks::ALL, crate_folder: env!("CARGO_MANIFEST_DIR"), corpus };

#[test]
fn every_body_holds_for_the_corpus() {
    BODIES.check_corpus(3000);
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
