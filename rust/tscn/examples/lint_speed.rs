//! How fast files are parsed and checked on one core: `lint_speed PATH…`, folders included.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use std::{env, fs, hint};

/// Long enough for a steady figure.
const TIME: Duration = Duration::from_secs(2);

fn main() {
    let mut texts = Vec::new();
    for path in env::args_os().skip(1) {
        collect(&PathBuf::from(path), &mut texts);
    }
    let bytes: usize = texts.iter().map(Vec::len).sum();
    println!("{} files, {:.1} MB", texts.len(), bytes as f64 / 1e6);
    measure("parse", bytes, || {
        texts.iter().for_each(|text| drop(hint::black_box(tscn::parse(text))));
    });
    measure("parse and all rules", bytes, || {
        for text in &texts {
            hint::black_box(tscn::lint(text, &tscn::LintOptions::default()));
        }
    });
}

fn collect(path: &Path, texts: &mut Vec<Vec<u8>>) {
    if path.is_dir() {
        for entry in fs::read_dir(path).into_iter().flatten().flatten() {
            collect(&entry.path(), texts);
        }
    } else if path.extension().is_some_and(|end| ["tscn", "tres", "escn"].iter().any(|e| end == *e))
    {
        texts.extend(fs::read(path));
    }
}

/// The best of as many runs as fit in the time.
fn measure(name: &str, bytes: usize, run: impl Fn()) {
    let (mut best, start) = (Duration::MAX, Instant::now());
    while start.elapsed() < TIME {
        let begin = Instant::now();
        run();
        best = best.min(begin.elapsed());
    }
    println!("{name:20} {:7.0} MB/s", bytes as f64 / 1e6 / best.as_secs_f64());
}
