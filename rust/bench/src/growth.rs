//! How much more work an input of twice the size makes: what `scripts/test/performance/growth.sh` counts with.
//!
//! [`write()`] writes each of the texts in `texts.rs`, of about that size, into a project, `FOLDER/NAME.tscn`, and each of the
//! values in `values.rs`, as the engine would encode it: `FOLDER/NAME.bin`.
//!
//! [`work`] judges, fixes and formats texts, merges what two sides made of them and compares those, and decodes and encodes
//! values: in functions that a profiler is to count.
//!
//! [`compare`] says what grows too fast.

mod counts;
#[macro_use]
mod texts;
mod values;

use std::fs;
use std::hint::black_box;
use std::io;
use std::path::{Path, PathBuf};

use godot_tscn::{FixOptions, FormatOptions, SafetyOptions};
use godot_variant_codec::variant::Value;
use godot_variant_codec::{ValueRef, decode, encode};

pub(crate) use self::counts::compare;
use self::texts::{LEAF, SHAPES, Shape};

pub(crate) fn write(folder: &Path, bytes: usize) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    fs::write(folder.join("project.godot"), "config_version=5\n")?;
    fs::write(folder.join("leaf.tscn"), LEAF)?;
    fs::write(folder.join("leaf.gd"), "extends Node\n")?;
    for shape in SHAPES {
        let text = of_size(shape, bytes);
        let extension = if text.starts_with(b"[gd_resource") { "tres" } else { "tscn" };
        fs::write(folder.join(shape.name).with_extension(extension), text)?;
    }
    fs::write(folder.join("leaf.bin"), encode(&Value::Nil).expect("encodes"))?;
    for shape in values::SHAPES {
        fs::write(folder.join(shape.name).with_extension("bin"), of_size(shape, bytes))?;
    }
    Ok(())
}

/// The text or value of this shape that has about so many bytes.
fn of_size(shape: &Shape, bytes: usize) -> Vec<u8> {
    const TRIAL: usize = 100;
    let [one, two] = [TRIAL, 2 * TRIAL].map(|count| (shape.make)(count).len());
    (shape.make)((bytes * TRIAL / (two - one)).max(4))
}

pub(crate) fn work(files: &[PathBuf]) -> io::Result<()> {
    for path in files {
        let bytes = fs::read(path)?;
        if path.extension().is_some_and(|extension| extension == "bin") {
            work_on_value(&bytes);
        } else {
            work_on_text(&bytes, &path.to_string_lossy());
        }
    }
    Ok(())
}

fn work_on_value(bytes: &[u8]) {
    let value = decode_all(bytes);
    encode_all(&value);
    skip_all(bytes);
}

fn work_on_text(text: &[u8], path: &str) {
    judge(text, path);
    fix_all(text, path);
    format_all(text);
    let [ours, theirs] = [2, 3].map(|every| with_other_digits(text, every));
    merge_all([text, &ours, &theirs]);
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
    black_box(godot_tscn::safety(text, &SafetyOptions::for_path(path)));
}

#[inline(never)]
fn fix_all(text: &[u8], path: &str) {
    let _ = black_box(godot_tscn::fix(text, &FixOptions::for_path(path)));
}

#[inline(never)]
fn format_all(text: &[u8]) {
    let _ = black_box(godot_tscn::format(text, &FormatOptions::default()));
}

#[inline(never)]
fn merge_all([base, ours, theirs]: [&[u8]; 3]) {
    let _ = black_box(godot_tscn::merge(base, ours, theirs));
}

#[inline(never)]
fn compare_all([old, new]: [&[u8]; 2]) {
    let _ = black_box(godot_tscn::diff(old, new));
}

#[inline(never)]
fn decode_all(bytes: &[u8]) -> Value {
    black_box(decode(bytes).expect("our own values can be decoded"))
}

#[inline(never)]
fn encode_all(value: &Value) {
    black_box(encode(value).expect("what was decoded can be encoded"));
}

#[inline(never)]
fn skip_all(bytes: &[u8]) {
    let value = ValueRef::new(bytes).expect("our own values can be read");
    black_box(value.encoded_bytes().expect("our own values can be read"));
}
