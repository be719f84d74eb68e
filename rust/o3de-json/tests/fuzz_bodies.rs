//! The bodies of the fuzz targets, from a seeded corpus and from what fuzzing once found.
//!
//! A file in `tests/fuzz_regressions/<target>` is an input that once failed, and stays.

use std::fs;
use std::path::Path;

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};
use testkit::codec_checks::Check;
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

#[test]
fn every_body_holds_for_the_corpus() {
    for (name, check) in o3de_checks::ALL {
        for bytes in corpus(name, 3000) {
            run((name, check), &bytes, "the corpus");
        }
    }
}

#[test]
fn what_fuzzing_found_stays_mended() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz_regressions");
    for (name, check) in o3de_checks::ALL {
        let Ok(files) = fs::read_dir(folder.join(name)) else { continue };
        for file in files {
            let path = file.unwrap().path();
            run((name, check), &fs::read(&path).unwrap(), &path.display().to_string());
        }
    }
}

/// Writes the corpus for `cargo fuzz`: `FUZZ_CORPUS=FOLDER cargo test --test fuzz_bodies`.
#[test]
fn the_corpus_can_be_written() {
    let Some(folder) = std::env::var_os("FUZZ_CORPUS") else { return };
    for (name, _) in o3de_checks::ALL {
        let folder = Path::new(&folder).join(name);
        fs::create_dir_all(&folder).unwrap();
        for (index, bytes) in corpus(name, 300).into_iter().enumerate() {
            fs::write(folder.join(format!("seed_{index:04}")), bytes).unwrap();
        }
    }
}

/// Says which input it was, if the check does not hold.
fn run((name, check): Check, bytes: &[u8], origin: &str) {
    if std::panic::catch_unwind(|| check(bytes)).is_err() {
        panic!("{name} does not hold for {origin}: {}", bytes.escape_ascii());
    }
}
