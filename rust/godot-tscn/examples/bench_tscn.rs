//! Measures parser, linter and formatter on files that are in memory, on one core.
//!
//! ```text
//! cargo run --release -p godot-tscn --example bench_tscn -- parse|lint|format|format-edited|format-changed PATH...
//! cargo run --release -p godot-tscn --example bench_tscn -- command GDSCENE [PATH...]
//! cargo run --release -p godot-tscn --example bench_tscn -- make nodes|array|dictionary BYTES FILE
//! ```
//!
//! The first form prints `files bytes seconds memory`, with tabs: the bytes of all files, how long one
//! pass over them takes (the fastest of several), and the most memory that it took, the text included.
//! Folders stand for the scenes and resources in them. `format-edited` formats texts in which one line
//! differs from what it should be, `format-changed` those in which every line does.
//!
//! The second form prints the same of whole runs of `GDSCENE check`, or of `GDSCENE --version` if there is no PATH: the median
//! of several.
//!
//! The third form writes a scene of about that size.

use std::fs;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use godot_tscn::{FormatOptions, LintOptions};

/// How long a measurement takes at least.
const BUDGET: Duration = Duration::from_millis(1500);

/// How often a command is run.
const RUNS: usize = 21;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    match args[..] {
        ["make", kind, bytes, path] => {
            let bytes = bytes.parse().expect("BYTES is no number");
            fs::write(path, made(kind, bytes)).expect("the file cannot be written");
        }
        ["command", program, ref paths @ ..] => time_command(program, paths),
        ["parse", ref paths @ ..] => measure(paths, 0, |text| {
            black_box(godot_tscn::parse(text));
        }),
        ["lint", ref paths @ ..] => measure(paths, 0, |text| {
            black_box(godot_tscn::lint(text, &LintOptions::default()));
        }),
        ["format", ref paths @ ..] => measure(paths, 0, format),
        ["format-edited", ref paths @ ..] => measure(paths, 1, format),
        ["format-changed", ref paths @ ..] => measure(paths, usize::MAX, format),
        _ => panic!("see the comment at the top of this file"),
    }
}

fn format(text: &[u8]) {
    let _ = black_box(godot_tscn::format(text, &FormatOptions::default()));
}

fn measure(paths: &[&str], changed_lines: usize, work: impl Fn(&[u8])) {
    let before = peak_memory();
    let mut texts = Vec::new();
    for path in paths.iter().flat_map(|path| files(Path::new(path))) {
        let text = fs::read(&path).expect("a file cannot be read");
        texts.push(if changed_lines > 0 { spoiled(&text, changed_lines) } else { text });
    }
    let bytes: usize = texts.iter().map(Vec::len).sum();
    let (mut fastest, start) = (Duration::MAX, Instant::now());
    while fastest == Duration::MAX || start.elapsed() < BUDGET {
        let start = Instant::now();
        texts.iter().for_each(|text| work(text));
        fastest = fastest.min(start.elapsed());
    }
    let memory = peak_memory().saturating_sub(before);
    println!("{}\t{bytes}\t{:.9}\t{memory}", texts.len(), fastest.as_secs_f64());
}

/// Runs the command as often as a measurement needs, output thrown away.
fn time_command(program: &str, paths: &[&str]) {
    let files: Vec<PathBuf> = paths.iter().flat_map(|path| files(Path::new(path))).collect();
    let bytes: u64 =
        files.iter().map(|path| fs::metadata(path).expect("a file cannot be read").len()).sum();
    let mut times: Vec<Duration> = (0..RUNS)
        .map(|_| {
            let start = Instant::now();
            let mut command = Command::new(program);
            command.arg(if paths.is_empty() { "--version" } else { "check" });
            command.args(paths).stdout(Stdio::null()).stderr(Stdio::null());
            command.status().expect("the command cannot be run");
            start.elapsed()
        })
        .collect();
    times.sort();
    println!("{}\t{bytes}\t{:.9}\t0", files.len(), times[RUNS / 2].as_secs_f64());
}

/// The most memory that the process had so far; 0 where the system does not tell.
fn peak_memory() -> usize {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.trim().strip_suffix(" kB")?.trim().parse().ok());
    kilobytes.unwrap_or(0) * 1024
}

fn files(path: &Path) -> Vec<PathBuf> {
    if !path.is_dir() {
        return vec![path.to_owned()];
    }
    let entries = fs::read_dir(path).expect("a folder cannot be read");
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    let is_scene = |path: &PathBuf| {
        path.extension()
            .is_some_and(|end| ["tscn", "tres", "escn"].iter().any(|known| end == *known))
    };
    paths
        .into_iter()
        .filter(|path| path.is_dir() || is_scene(path))
        .flat_map(|path| files(&path))
        .collect()
}

/// The text with two spaces around each `=` of the first so many properties.
fn spoiled(text: &[u8], mut count: usize) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len() + text.len() / 8);
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        match line.windows(3).position(|bytes| bytes == b" = ") {
            Some(place) if line[0] != b'[' && count > 0 => {
                count -= 1;
                out.extend_from_slice(&line[..place]);
                out.extend_from_slice(b"  =  ");
                out.extend_from_slice(&line[place + 3..]);
            }
            _ => out.extend_from_slice(line),
        }
    }
    out
}

/// A scene of about `bytes`, as Godot would save it.
fn made(kind: &str, bytes: usize) -> Vec<u8> {
    let mut text = b"[gd_scene format=3]\n\n[node name=\"Root\" type=\"Node3D\"]\n".to_vec();
    let mut random = 0x9e37_79b9_7f4a_7c15_u64;
    let mut number = || {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        (random >> 40) as u32
    };
    match kind {
        "nodes" => {
            for index in 0.. {
                if text.len() >= bytes {
                    break;
                }
                let (x, y) = (number() % 100_000, number() % 100_000);
                text.extend_from_slice(
                    format!(
                        "\n[node name=\"Node{index}\" type=\"Sprite2D\" parent=\".\"]\nposition = Vector2({}, {})\n\
                         modulate = Color(1, 0.5, 0.25, 1)\nz_index = {}\n",
                        x as f32 / 1000.0,
                        y as f32 / 1000.0,
                        index % 100,
                    )
                    .as_bytes(),
                );
            }
        }
        "array" => {
            // As many digits as 32-bit numbers have: nine bytes and a separator.
            let numbers = (0..bytes / 12).map(|_| number() as f32 / 16_777_216.0);
            let array = godot_variant::Value::PackedFloat32Array(numbers.collect());
            text.extend_from_slice(b"metadata/points = ");
            text.extend_from_slice(
                &godot_tscn::write_value(&array).expect("numbers can be written"),
            );
            text.push(b'\n');
        }
        "dictionary" => {
            text.extend_from_slice(b"metadata/table = {\n\"\": 0");
            for index in 0_usize.. {
                if text.len() >= bytes {
                    break;
                }
                text.extend_from_slice(
                    format!(",\n\"key{index:09}\": [{}, \"text\"]", number()).as_bytes(),
                );
            }
            text.extend_from_slice(b"\n}\n");
        }
        _ => panic!("unknown kind {kind}"),
    }
    text
}
