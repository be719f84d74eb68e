//! The confusion matrix.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use tscn::{LintOptions, Severity};

use crate::case::{Case, Origin};
use crate::engine::Verdict;

/// Both judgements side by side.
#[derive(Debug, Default)]
pub(crate) struct Report {
    pub(crate) mutation_count: usize,
    /// How many cases there are of each origin, harm and finding.
    counts: BTreeMap<(&'static str, bool, &'static str), usize>,
    /// Errors in what the engine reads as it was meant.
    false_errors: Vec<String>,
    /// Harm without a finding.
    missed: Vec<String>,
    outside: usize,
    left_out: usize,
}

impl Report {
    pub(crate) fn new(cases: &[Case], verdicts: &[Verdict]) -> Self {
        let mut report = Self::default();
        let unfit: BTreeSet<usize> = cases
            .iter()
            .zip(verdicts)
            .filter(|(_, verdict)| !verdict.harms.is_empty() || !verdict.outside.is_empty())
            .filter_map(|(case, _)| match case.origin {
                Origin::Base(base) => Some(base),
                _ => None,
            })
            .collect();
        for (index, (case, verdict)) in cases.iter().zip(verdicts).enumerate() {
            match case.origin {
                Origin::Base(base) | Origin::Mutation(base) if unfit.contains(&base) => {
                    report.left_out += 1;
                    if matches!(case.origin, Origin::Base(_))
                        && std::env::var_os("FV_DIFFERENTIAL_UNFIT").is_some()
                    {
                        println!("unfit: {} {verdict:?}", case.label);
                    }
                }
                Origin::Example | Origin::Fixed(_) => {}
                _ => report.add(index, case, verdict),
            }
        }
        report
    }

    fn add(&mut self, index: usize, case: &Case, verdict: &Verdict) {
        let origin = match case.origin {
            Origin::AsItIs => "broken files",
            Origin::Mutation(_) => {
                self.mutation_count += 1;
                "mutations"
            }
            _ => "sound files",
        };
        let path = case.path();
        let found = tscn::lint(&case.text, &LintOptions::for_path(&path));
        let codes: BTreeSet<_> = found.diagnostics.iter().map(|found| found.code).collect();
        let worst = found.diagnostics.iter().map(|found| found.severity).max();
        let finding = match worst {
            Some(Severity::Error) => "error",
            Some(Severity::Warning) => "warning",
            _ => "silent",
        };
        let is_harmed = !verdict.harms.is_empty();
        if !is_harmed && !verdict.outside.is_empty() {
            self.outside += 1;
            return;
        }
        *self.counts.entry((origin, is_harmed, finding)).or_default() += 1;
        let line = format!("{index:06} {} | {codes:?} | {:?}", case.label, verdict);
        match (is_harmed, finding) {
            (false, "error") => self.false_errors.push(line),
            (true, "silent") if verdict.outside.is_empty() => self.missed.push(line),
            _ => {}
        }
    }

    pub(crate) fn is_good(&self) -> bool {
        self.false_errors.is_empty() && self.missed.is_empty()
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for origin in ["broken files", "sound files", "mutations"] {
            let count =
                |harmed, finding| self.counts.get(&(origin, harmed, finding)).copied().unwrap_or(0);
            writeln!(f, "{origin:15} {:>8} {:>8} {:>8}", "error", "warning", "silent")?;
            for (harmed, name) in [(true, "engine harmed"), (false, "engine fine")] {
                writeln!(
                    f,
                    "  {name:13} {:>8} {:>8} {:>8}",
                    count(harmed, "error"),
                    count(harmed, "warning"),
                    count(harmed, "silent")
                )?;
            }
        }
        for (title, lines) in [("false error", &self.false_errors), ("missed", &self.missed)] {
            for line in lines {
                writeln!(f, "{title}: {line}")?;
            }
        }
        writeln!(
            f,
            "{} mutations; {} false errors, {} missed failures; {} harmed by what is not in the text; \
             {} left out",
            self.mutation_count,
            self.false_errors.len(),
            self.missed.len(),
            self.outside,
            self.left_out
        )?;
        let failed = self.false_errors.len() + self.missed.len();
        let judged: usize = self.counts.values().sum();
        write!(f, "{} passed, {failed} failed, 0 skipped", judged - failed)
    }
}
