//! The bodies of the fuzz targets, from fixtures, from pieces of them, and from what fuzzing once found.

use std::fs;
use std::path::Path;

use testkit::fuzz_bodies::FuzzBodies;
use testkit::merge_checks::SEPARATOR;
use testkit::text_checks;

/// Changed texts of each fixture.
const CHANGED_COUNT: usize = 12;

/// The fixtures, and each with some lines or bytes taken out, doubled or swapped.
fn corpus(target: &str, changed_count: usize) -> Vec<Vec<u8>> {
    let mut corpus = vec![Vec::new()];
    for folder in ["clean", "findings", "security", "harmless"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(folder);
        let mut paths: Vec<_> =
            fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        corpus.extend(paths.iter().map(|path| fs::read(path).unwrap()));
    }
    let mut random = fastrand::Rng::with_seed(7);
    if target == "merge_texts" {
        return three_texts(&corpus, changed_count, &mut random);
    }
    let whole = corpus.clone();
    for text in whole.iter().filter(|text| text.len() < 20_000) {
        corpus.extend((0..changed_count).map(|_| changed(text, &mut random)));
    }
    corpus
}

/// The fixtures, settings files too, each with what two sides made of it: lines are taken out, doubled, swapped or have another
/// number, and once in a while bytes.
fn three_texts(whole: &[Vec<u8>], count: usize, random: &mut fastrand::Rng) -> Vec<Vec<u8>> {
    let settings =
        fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/../../godot_project/project.godot"));
    let mut inputs = Vec::new();
    for text in whole.iter().filter(|text| text.len() < 5_000).chain([&settings.unwrap()]) {
        for _ in 0..count.div_ceil(4) {
            let [ours, theirs] = [(); 2].map(|()| match random.u8(0..8) {
                0 => changed(text, random),
                _ => changed_lines(text, random),
            });
            inputs.push([text.as_slice(), &ours, &theirs].join(&SEPARATOR));
        }
    }
    inputs
}

fn changed_lines(text: &[u8], random: &mut fastrand::Rng) -> Vec<u8> {
    let mut lines: Vec<Vec<u8>> = text.split(|byte| *byte == b'\n').map(<[u8]>::to_vec).collect();
    for _ in 0..random.usize(1..6) {
        let (one, other) = (random.usize(0..lines.len()), random.usize(0..lines.len()));
        match random.u8(0..5) {
            0 if lines.len() > 1 => drop(lines.remove(one)),
            1 => lines.insert(other, lines[one].clone()),
            2 => lines.swap(one, other),
            _ => {
                let digit = random.u8(b'0'..=b'9');
                lines[one]
                    .iter_mut()
                    .filter(|byte| byte.is_ascii_digit())
                    .for_each(|byte| *byte = digit);
            }
        }
    }
    lines.join(&b'\n')
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

/// `FUZZ_CORPUS=FOLDER cargo test --test tests fuzz_bodies` does so.
#[test]
fn the_corpus_can_be_written() {
    BODIES.write_corpus(CHANGED_COUNT);
}
