//! What a run of the bench has measured, in the order of its rows.

use std::collections::BTreeMap;

use serde::Deserialize;

/// The contender that decides; the others are floors.
const ENGINE: &str = "engine";
/// The build that players run.
const BUILD: &str = "release";

/// What else the machine does, by its name in the rows.
pub(crate) const ALONE: &str = "alone";
pub(crate) const PINNED: &str = "pinned";
pub(crate) const NEIGHBOUR: &str = "neighbour";

/// A run in an exported release build.
#[derive(Debug)]
pub(crate) struct Run {
    /// The engine's version.
    pub(crate) godot: String,
    pub(crate) cores: u32,
    pub(crate) workloads: Vec<Workload>,
}

/// One line of the table, or several workloads that share it.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Workload {
    pub(crate) name: String,
    /// The encoded length.
    pub(crate) bytes: u64,
    pub(crate) encode: Option<Measured>,
    pub(crate) decode: Option<Measured>,
}

/// Of one direction; from the least to the largest, where several workloads share a line.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Measured {
    /// Microseconds for one call of ours.
    pub(crate) ours_us: Range,
    /// The engine's time by ours.
    pub(crate) ratio: Range,
    /// The same with what was returned freed inside the clock.
    pub(crate) ratio_freed: Range,
}

/// From the least to the largest.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Range {
    pub(crate) min: f64,
    pub(crate) max: f64,
}

/// Why rows make no table.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Error {
    #[error("not the bench's rows: {0}")]
    Json(#[from] serde_json::Error),
    #[error("no row was measured in the {BUILD} build; run scripts/bench.sh codec --json FILE")]
    NoRelease,
    #[error(
        "no row was measured with `--load {0}`; run scripts/bench.sh codec --load all --json FILE"
    )]
    NoLoad(&'static str),
    #[error("`{workload}`, {direction}: {what} must be above 0")]
    Number { workload: String, direction: String, what: &'static str },
    #[error("`{workload}`: unknown direction `{direction}`")]
    Direction { workload: String, direction: String },
}

/// As the bench writes it (godot_project/bench/bench_table.gd).
#[derive(Debug, Deserialize)]
struct Row {
    build: String,
    #[serde(default = "alone")]
    load: String,
    workload: String,
    direction: String,
    bytes: f64,
    ours_us: f64,
    other: String,
    other_us: f64,
    ours_freed_us: f64,
    other_freed_us: f64,
    #[serde(default)]
    godot: String,
    #[serde(default)]
    cores: f64,
}

fn alone() -> String {
    ALONE.into()
}

impl Run {
    /// The rows of the release build against the engine, with this load of the machine.
    pub(crate) fn parse(json: &str, load: &'static str) -> Result<Run, Error> {
        let rows: Vec<Row> = serde_json::from_str(json)?;
        let rows = rows.iter().filter(|row| row.build == BUILD && row.other == ENGINE);
        let mut run = Run { godot: String::new(), cores: 0, workloads: Vec::new() };
        for row in rows.filter(|row| row.load == load) {
            run.godot.clone_from(&row.godot);
            run.cores = row.cores as u32;
            run.add(row)?;
        }
        if run.workloads.is_empty() {
            return Err(if load == ALONE { Error::NoRelease } else { Error::NoLoad(load) });
        }
        Ok(run)
    }

    fn add(&mut self, row: &Row) -> Result<(), Error> {
        let measured = row.measured()?;
        let index = match self.workloads.iter().position(|known| known.name == row.workload) {
            Some(index) => index,
            None => {
                self.workloads.push(Workload {
                    name: row.workload.clone(),
                    bytes: row.bytes as u64,
                    encode: None,
                    decode: None,
                });
                self.workloads.len() - 1
            }
        };
        let workload = &mut self.workloads[index];
        match row.direction.as_str() {
            "encode" => workload.encode = Some(measured),
            "decode" => workload.decode = Some(measured),
            _ => {
                return Err(Error::Direction {
                    workload: row.workload.clone(),
                    direction: row.direction.clone(),
                });
            }
        }
        Ok(())
    }

    /// The lines to show: packed arrays of numbers, which are alike, share one for each size.
    pub(crate) fn lines(&self) -> Vec<Workload> {
        let mut counts = BTreeMap::new();
        for size in self.workloads.iter().filter_map(|workload| packed_size(&workload.name)) {
            *counts.entry(size).or_insert(0) += 1;
        }
        let mut lines: Vec<Workload> = Vec::new();
        for workload in &self.workloads {
            match packed_size(&workload.name) {
                Some(size) if counts[size] > 1 => {
                    let name = format!("packed array {size} ({} types)", counts[size]);
                    match lines.iter_mut().find(|line| line.name == name) {
                        Some(line) => line.merge(workload),
                        None => lines.push(Workload { name, ..workload.clone() }),
                    }
                }
                _ => lines.push(workload.clone()),
            }
        }
        lines
    }
}

impl Row {
    fn measured(&self) -> Result<Measured, Error> {
        for (what, number) in [
            ("ours_us", self.ours_us),
            ("other_us", self.other_us),
            ("ours_freed_us", self.ours_freed_us),
            ("other_freed_us", self.other_freed_us),
        ] {
            if !(number.is_finite() && number > 0.0) {
                let (workload, direction) = (self.workload.clone(), self.direction.clone());
                return Err(Error::Number { workload, direction, what });
            }
        }
        Ok(Measured {
            ours_us: Range::from(self.ours_us),
            ratio: Range::from(self.other_us / self.ours_us),
            ratio_freed: Range::from(self.other_freed_us / self.ours_freed_us),
        })
    }
}

impl Workload {
    fn merge(&mut self, other: &Workload) {
        merge(&mut self.encode, other.encode);
        merge(&mut self.decode, other.decode);
    }
}

fn merge(measured: &mut Option<Measured>, other: Option<Measured>) {
    *measured = match (*measured, other) {
        (Some(one), Some(other)) => Some(Measured {
            ours_us: one.ours_us.with(other.ours_us),
            ratio: one.ratio.with(other.ratio),
            ratio_freed: one.ratio_freed.with(other.ratio_freed),
        }),
        (one, other) => one.or(other),
    };
}

impl From<f64> for Range {
    fn from(number: f64) -> Range {
        Range { min: number, max: number }
    }
}

impl Range {
    fn with(self, other: Range) -> Range {
        Range { min: self.min.min(other.min), max: self.max.max(other.max) }
    }
}

/// The size in the name of a packed array of numbers, as `64 KB` in `PackedColorArray 64 KB`.
fn packed_size(name: &str) -> Option<&str> {
    let (ty, size) = name.split_once(' ')?;
    let packed = ty.starts_with("Packed") && ty.ends_with("Array") && ty != "PackedStringArray";
    packed.then_some(size)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(workload: &str, direction: &str, ours_us: f64, other: &str, other_us: f64) -> String {
        format!(
            r#"{{"suite": "codec", "build": "release", "workload": "{workload}", "godot": "4.6.3",
                "direction": "{direction}", "bytes": 8, "ours_us": {ours_us}, "other": "{other}",
                "other_us": {other_us}, "ours_freed_us": {ours_us}, "other_freed_us": {other_us},
                "ratio": 1, "cores": 2}}"#
        )
    }

    fn run(rows: &[String]) -> Result<Run, Error> {
        Run::parse(&format!("[{}]", rows.join(",")), ALONE)
    }

    #[test]
    fn only_the_release_build_against_the_engine() {
        let editor = row("one int", "encode", 1.0, "engine", 9.0).replace("release", "editor");
        let floor = row("one int", "decode", 1.0, "duplicate(true)", 9.0);
        let ours = row("one int", "encode", 2.0, "engine", 3.0);
        let run = run(&[editor, floor, ours]).unwrap();
        assert_eq!((run.godot.as_str(), run.cores, run.workloads.len()), ("4.6.3", 2, 1));
        assert_eq!(run.workloads[0].encode.unwrap().ratio, Range::from(1.5));
        assert_eq!(run.workloads[0].decode, None);
    }

    #[test]
    fn only_rows_of_one_load() {
        let alone = row("one int", "encode", 1.0, "engine", 9.0);
        let pinned = row("one int", "encode", 2.0, "engine", 3.0)
            .replace(r#""build""#, r#""load": "pinned", "build""#);
        let json = format!("[{alone},{pinned}]");
        let ratio = |run: Run| run.workloads[0].encode.unwrap().ratio_freed;
        assert_eq!(ratio(Run::parse(&json, ALONE).unwrap()), Range::from(9.0));
        assert_eq!(ratio(Run::parse(&json, PINNED).unwrap()), Range::from(1.5));
        assert!(matches!(Run::parse(&json, NEIGHBOUR), Err(Error::NoLoad(NEIGHBOUR))));
    }

    #[test]
    fn packed_arrays_of_a_size_share_a_line() {
        let run = run(&[
            row("PackedByteArray 4 KB", "encode", 1.0, "engine", 0.5),
            row("PackedColorArray 4 KB", "encode", 2.0, "engine", 3.0),
            row("PackedColorArray 64 KB", "encode", 2.0, "engine", 3.0),
            row("PackedStringArray 50k", "encode", 2.0, "engine", 3.0),
        ]);
        let lines = run.unwrap().lines();
        let names: Vec<_> = lines.iter().map(|line| line.name.as_str()).collect();
        let expected =
            ["packed array 4 KB (2 types)", "PackedColorArray 64 KB", "PackedStringArray 50k"];
        assert_eq!(names, expected);
        assert_eq!(lines[0].encode.unwrap().ratio, Range { min: 0.5, max: 1.5 });
    }

    #[test]
    fn what_is_no_row_is_said() {
        let zero = row("one int", "encode", 0.0, "engine", 3.0);
        let message = run(&[zero]).unwrap_err().to_string();
        assert_eq!(message, "`one int`, encode: ours_us must be above 0");
        assert!(matches!(run(&[]), Err(Error::NoRelease)));
        assert!(matches!(Run::parse("{}", ALONE), Err(Error::Json(_))));
        let sideways = row("one int", "sideways", 1.0, "engine", 3.0);
        assert!(matches!(run(&[sideways]), Err(Error::Direction { .. })));
    }
}
