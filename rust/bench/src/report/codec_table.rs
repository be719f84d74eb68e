//! The table of `docs/speed.md`.

use std::fmt::Write;

use super::format::{self, Verdict};
use super::rows::{Measured, Range, Run};

/// A Markdown table: encoded bytes, our times, and how much faster we are, for decoding also with what was decoded freed.
pub(crate) fn table(run: &Run) -> String {
    let mut table = format!(
        "Godot {}, {} cores, exported release build:\n\n\
         | value | bytes | encode | | decode | | decode and free |\n\
         |---|---|---|---|---|---|---|\n",
        run.godot, run.cores
    );
    for line in run.lines() {
        let (encode, decode) = (cells(line.encode), cells(line.decode));
        let freed = line.decode.map_or("-".into(), |decode| verdict(decode.ratio_freed));
        // Writing to a String cannot fail.
        let _ = writeln!(
            table,
            "| {} | {} | {encode} | {decode} | {freed} |",
            line.name.replace('|', "\\|"),
            format::bytes(line.bytes)
        );
    }
    table
}

/// A Markdown table: how much faster we are on one core and beside another program, with what was made freed.
pub(crate) fn loads(alone: &Run, pinned: &Run, neighbour: &Run) -> String {
    let mut table = String::from(
        "| value | encode | on one core | beside a busy program | decode and free | on one core | beside a busy program |\n\
         |---|---|---|---|---|---|---|\n",
    );
    for line in alone.lines().iter().filter(|line| line.encode.is_some()) {
        let same = |run: &Run| run.lines().into_iter().find(|other| other.name == line.name);
        let all = [Some(line.clone()), same(pinned), same(neighbour)];
        let cell = |measured: Option<Measured>| {
            measured.map_or("-".into(), |measured| verdict(measured.ratio_freed))
        };
        let encode = all.iter().map(|line| cell(line.as_ref().and_then(|line| line.encode)));
        let decode = all.iter().map(|line| cell(line.as_ref().and_then(|line| line.decode)));
        let cells: Vec<String> = encode.chain(decode).collect();
        let _ = writeln!(table, "| {} | {} |", line.name.replace('|', "\\|"), cells.join(" | "));
    }
    table
}

fn cells(measured: Option<Measured>) -> String {
    let Some(measured) = measured else { return "- | -".into() };
    format!("{} | {}", format::times(measured.ours_us), verdict(measured.ratio))
}

fn verdict(range: Range) -> String {
    let ratio = format::ratios(range);
    match format::verdict(range) {
        Verdict::Faster => format!("**{ratio}**"),
        Verdict::Tie => format!("{ratio} (tie)"),
        Verdict::Slower => format!("{ratio} (slower)"),
        Verdict::Mixed => format!("{ratio} (mixed)"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::rows::ALONE;

    fn row(workload: &str, direction: &str, other_us: u32) -> String {
        format!(
            r#"{{"build": "release", "workload": "{workload}", "direction": "{direction}",
                "bytes": 800000, "ours_us": 100, "other": "engine", "other_us": {other_us},
                "ours_freed_us": 200, "other_freed_us": {other_us}, "godot": "4.6.3", "cores": 2}}"#
        )
    }

    #[test]
    fn wins_ties_and_losses() {
        let rows = [row("a", "encode", 410), row("a", "decode", 99), row("b", "decode", 40)];
        let run = Run::parse(&format!("[{}]", rows.join(",")), ALONE).unwrap();
        let lines: Vec<String> = table(&run).lines().skip(4).map(Into::into).collect();
        assert_eq!(
            lines,
            [
                "| a | 800 KB | 100 µs | **4.1x** | 100 µs | 0.99x (tie) | 0.49x (slower) |",
                "| b | 800 KB | - | - | 100 µs | 0.40x (slower) | 0.20x (slower) |",
            ]
        );
    }

    #[test]
    fn a_column_for_each_load() {
        let run = |other_us| {
            let rows = [row("a", "encode", other_us), row("a", "decode", 2 * other_us)];
            Run::parse(&format!("[{}]", rows.join(",")), ALONE).unwrap()
        };
        let table = loads(&run(400), &run(200), &run(100));
        let expected =
            "| a | **2.0x** | 1.0x (tie) | 0.50x (slower) | **4.0x** | **2.0x** | 1.0x (tie) |";
        assert_eq!(table.lines().nth(2), Some(expected));
    }
}
