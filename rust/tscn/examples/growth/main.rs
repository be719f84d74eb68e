//! How much more work a text of twice the size makes: what `scripts/growth.sh` counts with.
//!
//! ```text
//! cargo run --release -p godot-tscn --example growth -- write BYTES FOLDER
//! cargo run --release -p godot-tscn --example growth -- work FILE...
//! cargo run --release -p godot-tscn --example growth -- compare DUMPS FILE...
//! ```
//!
//! The first form writes each of the texts in `texts.rs`, of about that size, into a project: `FOLDER/NAME.tscn`.
//!
//! The second form judges, fixes and formats files, merges what two sides made of them and compares those, in the functions
//! [`judge`], [`fix_all`], [`format_all`], [`merge_all`] and [`compare_all`] that a profiler is to count.
//!
//! The third form says what grows too fast; see [`counts::compare`].

mod counts;
mod texts;

use std::fs;
use std::hint::black_box;
use std::path::Path;

use tscn::{FixOptions, FormatOptions, SafetyOptions};

use crate::texts::{LEAF, SHAPES, Shape};

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    match args[..] {
        ["write", bytes, folder] => {
            let bytes = bytes.parse().expect("BYTES is not a valid number");
            write(Path::new(folder), bytes).expect("the folder cannot be written");
        }
        ["work", ref paths @ ..] => paths.iter().for_each(|path| work(path)),
        ["compare", dumps, ref files @ ..] => {
            if !counts::compare(Path::new(dumps), files).expect("the files cannot be read") {
                std::process::exit(1);
            }
        }
        _ => panic!("see the comment at the top of this file"),
    }
}

fn write(folder: &Path, bytes: usize) -> std::io::Result<()> {
    fs::create_dir_all(folder)?;
    fs::write(folder.join("project.godot"), "config_version=5\n")?;
    fs::write(folder.join("leaf.tscn"), LEAF)?;
    fs::write(folder.join("leaf.gd"), "extends Node\n")?;
    for shape in SHAPES {
        let text = text(shape, bytes);
        let extension = if text.starts_with(b"[gd_resource") { "tres" } else { "tscn" };
        fs::write(folder.join(shape.name).with_extension(extension), text)?;
    }
    Ok(())
}

/// The text of this shape that has about so many bytes.
fn text(shape: &Shape, bytes: usize) -> Vec<u8> {
    const TRIAL: usize = 100;
    let [one, two] = [TRIAL, 2 * TRIAL].map(|count| (shape.make)(count).len());
    (shape.make)((bytes * TRIAL / (two - one)).max(4))
}

fn work(path: &str) {
    let text = fs::read(path).expect("the file cannot be read");
    judge(&text, path);
    fix_all(&text, path);
    format_all(&text);
    let [ours, theirs] = [2, 3].map(|every| with_other_digits(&text, every));
    merge_all([&text, &ours, &theirs]);
    compare_all([&ours, &theirs]);
}

/// The text with other digits in one of so many lines: in names, ids, numbers and strings.
fn with_other_digits(text: &[u8], every: u8) -> Vec<u8> {
    let changed = |byte: u8| match byte {
        b'0'..=b'9' => b'0' + (byte - b'0' + every) % 10,
        _ => byte,
    };
    let mut new = Vec::with_capacity(text.len());
    for (index, line) in text.split_inclusive(|byte| *byte == b'\n').enumerate() {
        let is_changed = index % usize::from(every) == 1;
        new.extend(line.iter().map(|byte| if is_changed { changed(*byte) } else { *byte }));
    }
    new
}

#[inline(never)]
fn judge(text: &[u8], path: &str) {
    black_box(tscn::safety(text, &SafetyOptions::for_path(path)));
}

#[inline(never)]
fn fix_all(text: &[u8], path: &str) {
    let _ = black_box(tscn::fix(text, &FixOptions::for_path(path)));
}

#[inline(never)]
fn format_all(text: &[u8]) {
    let _ = black_box(tscn::format(text, &FormatOptions::default()));
}

#[inline(never)]
fn merge_all([base, ours, theirs]: [&[u8]; 3]) {
    let _ = black_box(tscn::merge(base, ours, theirs));
}

#[inline(never)]
fn compare_all([old, new]: [&[u8]; 2]) {
    let _ = black_box(tscn::diff(old, new));
}
