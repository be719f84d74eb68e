//! The confusion matrix.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use godot_tscn::{GodotVersion, LintOptions, Severity};

use crate::bases::names_another_scene;
use crate::case::{Case, Origin};
use crate::engine::Verdict;

/// Both judgements side by side.
#[derive(Debug, Default)]
pub(crate) struct Report {
    pub(crate) mutation_count: usize,
    /// How many cases there are of each origin, harm and diagnostic.
    counts: BTreeMap<(&'static str, bool, &'static str), usize>,
    /// Errors in what the engine reads as it was meant.
    false_errors: Vec<String>,
    /// Harm without a diagnostic.
    missed: Vec<String>,
    outside: usize,
    left_out: usize,
    /// Sound files that the engine has harmed, and nobody knows why.
    harmed_bases: Vec<String>,
    /// Harm without a diagnostic, for which what is not in the text may be to blame.
    silent_outside: usize,
    /// The entries of [`HARMED_BASES`] that came up.
    explained: BTreeSet<&'static str>,
}

/// Sound files that come out otherwise for a reason that is not in the text.
const HARMED_BASES: &[(&str, &str)] = &[(
    "dialogic-godot__dialogic/addons/dialogic/Editor/Events/Fields/field_dictionary.tscn",
    "an `Image` that only an `ImageTexture` refers to, which keeps a copy of it",
)];

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
                    if matches!(case.origin, Origin::Base(_)) && !verdict.harms.is_empty() {
                        report.add_harmed_base(case, verdict);
                    }
                }
                Origin::Example | Origin::Shuffled(_) | Origin::Fixed(_) => {}
                _ => report.add(index, case, verdict),
            }
        }
        report
    }

    fn add_harmed_base(&mut self, case: &Case, verdict: &Verdict) {
        match HARMED_BASES.iter().find(|(name, _)| *name == case.label) {
            Some((name, _)) => {
                self.explained.insert(name);
            }
            None => self.harmed_bases.push(format!("{} | {verdict:?}", case.label)),
        }
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
        let mut options = LintOptions::for_path(&path);
        // What only newer versions read is an error for the engine that runs.
        options.target = Some(GodotVersion::godot4(6));
        let found = godot_tscn::lint(&case.text, &options);
        let codes: BTreeSet<_> = found.diagnostics.iter().map(|found| found.code).collect();
        let worst = found.diagnostics.iter().map(|found| found.severity).max();
        let diagnostic = match worst {
            Some(Severity::Error) => "error",
            Some(Severity::Warning) => "warning",
            _ => "silent",
        };
        let is_harmed = !verdict.harms.is_empty();
        if !is_harmed && !verdict.outside.is_empty() {
            self.outside += 1;
            return;
        }
        let may_be_of_another_scene =
            matches!(case.origin, Origin::AsItIs) && names_another_scene(&case.text);
        let has_cause_outside = !verdict.outside.is_empty() || may_be_of_another_scene;
        if is_harmed && diagnostic == "silent" && has_cause_outside {
            self.silent_outside += 1;
            return;
        }
        *self.counts.entry((origin, is_harmed, diagnostic)).or_default() += 1;
        let line = format!("{index:06} {} | {codes:?} | {:?}", case.label, verdict);
        match (is_harmed, diagnostic) {
            (false, "error") => self.false_errors.push(line),
            (true, "silent") => self.missed.push(line),
            _ => {}
        }
    }

    pub(crate) fn is_good(&self, is_whole: bool) -> bool {
        self.false_errors.is_empty()
            && self.missed.is_empty()
            && self.harmed_bases.is_empty()
            && (!is_whole || self.explained.len() == HARMED_BASES.len())
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for origin in ["broken files", "sound files", "mutations"] {
            let count = |harmed, diagnostic| {
                self.counts.get(&(origin, harmed, diagnostic)).copied().unwrap_or(0)
            };
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
        writeln!(
            f,
            "not compared: {} harmed and silent here, {} harmed or odd, both with a cause that is not in the \
             text; {} of sound files that have such a cause, and their mutations",
            self.silent_outside, self.outside, self.left_out
        )?;
        for (title, lines) in [
            ("false error", &self.false_errors),
            ("missed", &self.missed),
            ("sound, but harmed", &self.harmed_bases),
        ] {
            for line in lines {
                writeln!(f, "{title}: {line}")?;
            }
        }
        writeln!(
            f,
            "{} mutations; {} false errors, {} missed failures",
            self.mutation_count,
            self.false_errors.len(),
            self.missed.len(),
        )?;
        let failed = self.false_errors.len() + self.missed.len() + self.harmed_bases.len();
        let judged: usize = self.counts.values().sum();
        write!(f, "{} passed, {failed} failed, 0 skipped", judged - failed)
    }
}
