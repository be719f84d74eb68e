//! The bodies of the fuzz targets, from fixtures, from pieces of them, and from what fuzzing once found.

use std::fs;
use std::path::Path;

use testkit::fuzz_bodies::FuzzBodies;
use testkit::text_checks;

/// Changed texts of each fixture.
const CHANGED_COUNT: usize = 12;

/// The fixtures, and each with some lines or bytes taken out, doubled or swapped.
fn corpus(_: &str, changed_count: usize) -> Vec<Vec<u8>> {
    let mut corpus = vec![Vec::new()];
    for folder in ["clean", "findings", "security", "harmless"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(folder);
        let mut paths: Vec<_> =
            fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        corpus.extend(paths.iter().map(|path| fs::read(path).unwrap()));
    }
    let mut random = fastrand::Rng::with_seed(7);
    let whole = corpus.clone();
    for text in whole.iter().filter(|text| text.len() < 20_000) {
        corpus.extend((0..changed_count).map(|_| changed(text, &mut random)));
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

const BODIES: FuzzBodies =
    FuzzBodies { checks: &text_checks::ALL, crate_folder: env!("CARGO_MANIFEST_DIR"), corpus };

#[test]
fn every_body_holds_for_the_corpus() {
    BODIES.check_corpus(CHANGED_COUNT);
}

#[test]
fn what_fuzzing_found_stays_mended() {
    BODIES.check_regressions();
}

/// `FUZZ_CORPUS=FOLDER cargo test --test fuzz_bodies` does so.
#[test]
fn the_corpus_can_be_written() {
    BODIES.write_corpus(CHANGED_COUNT);
}
