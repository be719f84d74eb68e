//! The bodies of the fuzz targets, from fixtures, from pieces of them, and from what fuzzing once found.
//!
//! A file in `tests/fuzz_regressions/<target>` is an input that once failed, and stays.

use std::fs;
use std::path::Path;

use testkit::codec_checks::Check;
use testkit::text_checks;

/// The fixtures, and each with some lines or bytes taken out, doubled or swapped.
fn corpus() -> Vec<Vec<u8>> {
    let mut corpus = vec![Vec::new()];
    for folder in ["clean", "findings"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(folder);
        let mut paths: Vec<_> =
            fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        corpus.extend(paths.iter().map(|path| fs::read(path).unwrap()));
    }
    let mut random = fastrand::Rng::with_seed(7);
    let whole = corpus.clone();
    for text in whole.iter().filter(|text| text.len() < 20_000) {
        corpus.extend((0..12).map(|_| changed(text, &mut random)));
    }
    corpus
}

fn changed(text: &[u8], random: &mut fastrand::Rng) -> Vec<u8> {
    let mut text = text.to_vec();
    for _ in 0..random.usize(1..5) {
        let from = random.usize(0..=text.len());
        let to = (from + random.usize(0..40)).min(text.len());
        match random.u8(0..4) {
            0 => drop(text.drain(from..to)),
            1 => {
                let piece = text[from..to].to_vec();
                text.splice(from..from, piece);
            }
            2 => text.truncate(text.len() - text.len() / 8),
            _ => {
                let piece = *random.choice(b"[](){}\"=,;#\\\n \0\xff1a&").unwrap();
                text.insert(from, piece);
            }
        }
    }
    text
}

#[test]
fn every_body_holds_for_the_corpus() {
    let corpus = corpus();
    for check in text_checks::ALL {
        for text in &corpus {
            run(check, text, "the corpus");
        }
    }
}

#[test]
fn what_fuzzing_found_stays_mended() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz_regressions");
    for check in text_checks::ALL {
        let Ok(files) = fs::read_dir(folder.join(check.0)) else { continue };
        for file in files {
            let path = file.unwrap().path();
            run(check, &fs::read(&path).unwrap(), &path.display().to_string());
        }
    }
}

/// Writes the corpus for `cargo fuzz`: `FUZZ_CORPUS=FOLDER cargo test --test fuzz_bodies`.
#[test]
fn the_corpus_can_be_written() {
    let Some(folder) = std::env::var_os("FUZZ_CORPUS") else { return };
    for (name, _) in text_checks::ALL {
        let folder = Path::new(&folder).join(name);
        fs::create_dir_all(&folder).unwrap();
        for (index, text) in corpus().into_iter().enumerate() {
            fs::write(folder.join(format!("seed_{index:04}")), text).unwrap();
        }
    }
}

fn run((name, check): Check, text: &[u8], place: &str) {
    let outcome = std::panic::catch_unwind(|| check(text));
    let shown = String::from_utf8_lossy(text);
    assert!(outcome.is_ok(), "{name} fails for {shown:?} of {place}");
}
