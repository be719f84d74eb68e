//! The table of the README.

use std::fmt::Write;

use crate::format::{self, Verdict};
use crate::rows::{Measured, Run};

/// A Markdown table: encoded bytes, our times, and how much faster we are.
pub(crate) fn table(run: &Run) -> String {
    let mut table = format!(
        "Godot {}, {} cores, exported release build:\n\n\
         | value | bytes | encode | | decode | |\n\
         |---|---|---|---|---|---|\n",
        run.godot, run.cores
    );
    for line in run.lines() {
        let (encode, decode) = (cells(line.encode), cells(line.decode));
        // Writing to a String cannot fail.
        let _ = writeln!(
            table,
            "| {} | {} | {encode} | {decode} |",
            line.name.replace('|', "\\|"),
            format::bytes(line.bytes)
        );
    }
    table
}

fn cells(measured: Option<Measured>) -> String {
    let Some(measured) = measured else { return "- | -".into() };
    let ratio = format::ratios(measured.ratio);
    let verdict = match format::verdict(measured.ratio) {
        Verdict::Faster => format!("**{ratio}**"),
        Verdict::Tie => format!("{ratio} (tie)"),
        Verdict::Slower => format!("{ratio} (slower)"),
        Verdict::Mixed => format!("{ratio} (mixed)"),
    };
    format!("{} | {verdict}", format::times(measured.ours_us))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wins_ties_and_losses() {
        let row = |workload, direction, other_us| {
            format!(
                r#"{{"build": "release", "workload": "{workload}", "direction": "{direction}",
                    "bytes": 800000, "ours_us": 100, "other": "engine", "other_us": {other_us},
                    "godot": "4.6.3", "cores": 2}}"#
            )
        };
        let rows = [row("a", "encode", 410), row("a", "decode", 99), row("b", "decode", 40)];
        let run = Run::parse(&format!("[{}]", rows.join(","))).unwrap();
        let lines: Vec<String> = table(&run).lines().skip(4).map(Into::into).collect();
        assert_eq!(
            lines,
            [
                "| a | 800 KB | 100 µs | **4.1x** | 100 µs | 0.99x (tie) |",
                "| b | 800 KB | - | - | 100 µs | 0.40x (slower) |",
            ]
        );
    }
}
