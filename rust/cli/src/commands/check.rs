//! `gdscene check`

use std::io::{self, Write};

use rayon::prelude::*;
use tscn::{LintOptions, Severity};

use crate::args::{CheckArgs, OutputFormat};
use crate::commands::{BATCH, Counted, Status, written};
use crate::files::read;
use crate::output::{self, Found, progress};
use crate::walk::{Problem, Target, targets};

/// What is counted for the last line.
#[derive(Clone, Copy, Debug, Default)]
struct Summary {
    files: usize,
    errors: usize,
    warnings: usize,
    unread: usize,
}

/// A file that was checked.
struct Checked {
    output: String,
    errors: usize,
    warnings: usize,
}

pub(crate) fn run(args: &CheckArgs) -> Status {
    let (targets, problems) = targets(&args.paths);
    let color = args.color.is_on();
    let mut summary = Summary { unread: problems.len(), ..Summary::default() };
    for problem in &problems {
        problem.report();
    }
    let bar = progress::bar(targets.len());
    let mut out = List { out: io::stdout().lock(), format: args.output, is_empty: true };
    for batch in targets.chunks(BATCH) {
        let checked: Vec<_> = batch.par_iter().map(|target| check(target, args, color)).collect();
        for checked in checked {
            match checked {
                Ok(checked) => {
                    summary.add(&checked);
                    if let Err(error) = out.push(&checked.output) {
                        return written(Err(error), summary.status());
                    }
                }
                Err(problem) => {
                    summary.unread += 1;
                    problem.report();
                }
            }
        }
        bar.inc(batch.len() as u64);
    }
    bar.finish_and_clear();
    written(out.finish(&summary), summary.status())
}

/// Standard output: for programs one list or one object on each line, else with a last line.
struct List<'o> {
    out: io::StdoutLock<'o>,
    format: OutputFormat,
    is_empty: bool,
}

impl List<'_> {
    /// Writes what was found in a file.
    fn push(&mut self, found: &str) -> io::Result<()> {
        if self.format != OutputFormat::Json || found.is_empty() {
            return self.out.write_all(found.as_bytes());
        }
        self.out.write_all(if self.is_empty { b"[\n" } else { b",\n" })?;
        self.is_empty = false;
        self.out.write_all(found.trim_end_matches(",\n").as_bytes())
    }

    fn finish(&mut self, summary: &Summary) -> io::Result<()> {
        match self.format {
            OutputFormat::Full | OutputFormat::Concise => writeln!(self.out, "{summary}"),
            OutputFormat::Json if self.is_empty => writeln!(self.out, "[]"),
            OutputFormat::Json => writeln!(self.out, "\n]"),
            OutputFormat::Jsonl => Ok(()),
        }
    }
}

/// Reads and checks one file.
fn check(target: &Target, args: &CheckArgs, color: bool) -> Result<Checked, Problem> {
    let path = target.name();
    let text = read(target)?;
    let mut options = LintOptions::for_path(&path);
    options.all_rules = args.all_rules;
    let report = tscn::lint(&text, &options);
    let mut output = String::new();
    let found = Found { path: &path, text: &text, diagnostics: &report.diagnostics };
    output::render(&mut output, &found, args.output, color);
    Ok(Checked {
        output,
        errors: report.count(Severity::Error),
        warnings: report.count(Severity::Warning),
    })
}

impl Summary {
    fn add(&mut self, checked: &Checked) {
        self.files += 1;
        self.errors += checked.errors;
        self.warnings += checked.warnings;
    }

    fn status(&self) -> Status {
        if self.unread > 0 {
            Status::Failure
        } else if self.errors + self.warnings > 0 {
            Status::Findings
        } else {
            Status::Clean
        }
    }
}

impl std::fmt::Display for Summary {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} checked: ", Counted(self.files, "file"))?;
        if self.errors + self.warnings == 0 {
            write!(f, "nothing found")?;
        } else {
            let errors = Counted(self.errors, "error");
            let warnings = Counted(self.warnings, "warning");
            write!(f, "{errors}, {warnings}")?;
        }
        if self.unread > 0 {
            write!(f, "; {} not checked", Counted(self.unread, "path"))?;
        }
        Ok(())
    }
}
