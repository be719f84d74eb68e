//! The bodies of the fuzz targets, from a seeded corpus and from what fuzzing once found.
//!
//! A file in `tests/fuzz_regressions/<target>` is an input that once failed, and stays.

use std::fs;
use std::path::Path;

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{RngAlgorithm, TestRng, TestRunner};
use testkit::codec_checks::{self, Check};
use testkit::{goldens, values};
use variant_codec::{Dialect, EncodeOptions, encode_as};

/// Valid values of every dialect, and what the engine's goldens hold.
fn corpus(count: usize) -> Vec<Vec<u8>> {
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &[7; 32]);
    let mut runner = TestRunner::new_with_rng(ProptestConfig::default(), rng);
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

#[test]
fn every_body_holds_for_the_corpus() {
    let corpus = corpus(300);
    for (name, check) in codec_checks::ALL {
        for bytes in &corpus {
            run((name, check), bytes, "the corpus");
        }
    }
}

#[test]
fn what_fuzzing_found_stays_mended() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz_regressions");
    for (name, check) in codec_checks::ALL {
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
    for (name, _) in codec_checks::ALL {
        let folder = Path::new(&folder).join(name);
        fs::create_dir_all(&folder).unwrap();
        for (index, bytes) in corpus(300).into_iter().enumerate() {
            fs::write(folder.join(format!("seed_{index:04}")), bytes).unwrap();
        }
    }
}

fn run((name, check): Check, bytes: &[u8], place: &str) {
    let outcome = std::panic::catch_unwind(|| check(bytes));
    assert!(outcome.is_ok(), "{name} fails for {bytes:02x?} of {place}");
}
