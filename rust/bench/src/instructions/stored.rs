//! The counts that are stored in the repository, and those that were made now.
//!
//! A line for each path: its name, a tab, its count. The first line says which compiler built what was counted: another one
//! makes other code of the same source.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;

/// Changes up to so much, in percent, are let through: hashers are seeded by chance, and code that is not touched moves.
const ALLOWED: u64 = 5;

/// Prints how the counts differ from the stored ones, and how many paths passed. Answers whether none became slower.
pub(crate) fn compare(stored: &Path, counted: &Path, compiler: &str) -> io::Result<bool> {
    let read = |path: &Path| {
        let text = fs::read_to_string(path)
            .map_err(|error| io::Error::other(format!("{}: {error}", path.display())))?;
        Counts::parse(&text).map_err(|what| io::Error::other(format!("{}: {what}", path.display())))
    };
    let (stored, counted) = (read(stored)?, read(counted)?);
    let report = Report::of(&stored, &counted, compiler);
    report.lines.iter().for_each(|line| println!("{line}"));
    println!("{} passed, {} failed, {} skipped", report.passed, report.failed, report.skipped);
    Ok(report.failed == 0)
}

struct Counts {
    /// Empty in what was counted now.
    compiler: String,
    by_path: BTreeMap<String, u64>,
}

impl Counts {
    fn parse(text: &str) -> Result<Self, String> {
        let mut counts = Self { compiler: String::new(), by_path: BTreeMap::new() };
        for line in text.lines() {
            if let Some(compiler) = line.strip_prefix("# ") {
                counts.compiler = compiler.to_owned();
                continue;
            }
            let count = line.split_once('\t').and_then(|(path, count)| {
                let count = count.parse().ok().filter(|count| *count > 0)?;
                Some((path.to_owned(), count))
            });
            let (path, count) = count.ok_or_else(|| format!("`{line}` is not a valid count"))?;
            counts.by_path.insert(path, count);
        }
        Ok(counts)
    }
}

#[derive(Debug, Default, PartialEq)]
struct Report {
    lines: Vec<String>,
    passed: usize,
    failed: usize,
    skipped: usize,
}

impl Report {
    fn of(stored: &Counts, counted: &Counts, compiler: &str) -> Self {
        let mut report = Self::default();
        if stored.compiler != compiler {
            report.lines.push(format!(
                "SKIPPED: the stored counts are those of `{}`, and this is `{compiler}`: store new ones with \
                 scripts/bench.sh instructions --record, from a commit whose speed is known to be good",
                stored.compiler
            ));
            report.skipped = counted.by_path.len();
            return report;
        }
        for (path, count) in &counted.by_path {
            report.path(path, stored.by_path.get(path).copied(), *count);
        }
        for path in stored.by_path.keys().filter(|path| !counted.by_path.contains_key(*path)) {
            report.fails(&format!("{path}: was not counted; --record, if the path is gone"));
        }
        report
    }

    fn path(&mut self, path: &str, stored: Option<u64>, count: u64) {
        let Some(stored) = stored else {
            self.fails(&format!(
                "{path}: has no stored count; scripts/bench.sh instructions --record"
            ));
            return;
        };
        let percent = (count as f64 / stored as f64 - 1.0) * 100.0;
        let change =
            format!("{path}: {stored} instructions are stored, now {count} ({percent:+.1} %)");
        if count * 100 > stored * (100 + ALLOWED) {
            self.fails(&change);
            return;
        }
        self.passed += 1;
        if count * 100 < stored * (100 - ALLOWED) {
            self.lines.push(format!(
                "FASTER: {change}: store the new counts with scripts/bench.sh instructions --record"
            ));
        }
    }

    fn fails(&mut self, line: &str) {
        self.failed += 1;
        self.lines.push(format!("FAIL: {line}"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(stored: &str, counted: &str) -> Report {
        let [stored, counted] = [stored, counted].map(|text| Counts::parse(text).unwrap());
        Report::of(&stored, &counted, "rustc 1")
    }

    #[test]
    fn only_what_takes_more_fails() {
        let stored = "# rustc 1\na\t1000\nb\t1000\nc\t1000\nd\t1000\n";
        let report = report(stored, "a\t1050\nb\t1051\nc\t950\nd\t900\n");
        assert_eq!((report.passed, report.failed, report.skipped), (3, 1, 0));
        assert_eq!(
            report.lines,
            [
                "FAIL: b: 1000 instructions are stored, now 1051 (+5.1 %)",
                "FASTER: d: 1000 instructions are stored, now 900 (-10.0 %): store the new counts with \
                 scripts/bench.sh instructions --record",
            ]
        );
    }

    #[test]
    fn each_path_has_to_be_stored_and_counted() {
        let report = report("# rustc 1\na\t1000\nb\t1000\n", "a\t1000\nc\t1000\n");
        assert_eq!((report.passed, report.failed, report.skipped), (1, 2, 0));
    }

    #[test]
    fn counts_of_another_compiler_say_nothing() {
        let report = report("# rustc 2\na\t1000\n", "a\t9000\n");
        assert_eq!((report.passed, report.failed, report.skipped), (0, 0, 1));
        assert!(report.lines[0].starts_with("SKIPPED: the stored counts are those of `rustc 2`"));
    }

    #[test]
    fn what_is_not_a_count_is_said() {
        for text in ["a", "a\t", "a\tb", "a\t0", "a\t-1"] {
            assert!(Counts::parse(text).is_err(), "{text}");
        }
    }
}
