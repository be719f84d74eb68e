//! `gdscene check`

use std::io::{self, Write};

use rayon::prelude::*;
use tscn::{LintOptions, Severity};

use crate::args::CheckArgs;
use crate::commands::{BATCH, Counted, Status, written};
use crate::files::read;
use crate::output::human;
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
    let mut out = io::stdout().lock();
    for batch in targets.chunks(BATCH) {
        let checked: Vec<_> = batch.par_iter().map(|target| check(target, color)).collect();
        for checked in checked {
            match checked {
                Ok(checked) => {
                    summary.add(&checked);
                    if let Err(error) = out.write_all(checked.output.as_bytes()) {
                        return written(Err(error), summary.status());
                    }
                }
                Err(problem) => {
                    summary.unread += 1;
                    problem.report();
                }
            }
        }
    }
    written(writeln!(out, "{summary}"), summary.status())
}

/// Reads and checks one file.
fn check(target: &Target, color: bool) -> Result<Checked, Problem> {
    let path = target.name();
    let text = read(target)?;
    let report = tscn::lint(&text, &LintOptions::for_path(&path));
    let mut output = String::new();
    human::render(&mut output, &path, &text, &report.diagnostics, color);
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
