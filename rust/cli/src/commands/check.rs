//! `gdscene check`

use std::borrow::Cow;
use std::fs;
use std::io::{self, Read, Write};
use std::path::PathBuf;

use rayon::prelude::*;
use tscn::{LintOptions, Severity};

use crate::args::CheckArgs;
use crate::commands::{Status, written};
use crate::output::human;
use crate::walk::{Problem, Target, targets};

/// So many files are checked before their findings are printed: output appears early, and memory
/// stays bounded.
const BATCH: usize = 1024;

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
        report_problem(problem);
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
                    report_problem(&problem);
                }
            }
        }
    }
    written(writeln!(out, "{summary}"), summary.status())
}

/// Reads and checks one file.
fn check(target: &Target, color: bool) -> Result<Checked, Problem> {
    let path = match target {
        Target::Stdin => Cow::Borrowed("<stdin>"),
        Target::File(path) => path.to_string_lossy(),
    };
    let text = read(target).map_err(|error| Problem {
        path: PathBuf::from(path.as_ref()),
        reason: error.to_string(),
    })?;
    let report = tscn::lint(&text, &LintOptions::for_path(&path));
    let mut output = String::new();
    human::render(&mut output, &path, &text, &report.diagnostics, color);
    Ok(Checked {
        output,
        errors: report.count(Severity::Error),
        warnings: report.count(Severity::Warning),
    })
}

fn read(target: &Target) -> io::Result<Vec<u8>> {
    match target {
        Target::File(path) => fs::read(path),
        Target::Stdin => {
            let mut text = Vec::new();
            io::stdin().lock().read_to_end(&mut text)?;
            Ok(text)
        }
    }
}

fn report_problem(problem: &Problem) {
    eprintln!("gdscene: {}: {}", problem.path.display(), problem.reason);
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
        let count = |count: usize, noun: &str| {
            format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
        };
        write!(f, "{} checked: ", count(self.files, "file"))?;
        if self.errors + self.warnings == 0 {
            write!(f, "nothing found")?;
        } else {
            let (errors, warnings) = (count(self.errors, "error"), count(self.warnings, "warning"));
            write!(f, "{errors}, {warnings}")?;
        }
        if self.unread > 0 {
            write!(f, "; {} not checked", count(self.unread, "path"))?;
        }
        Ok(())
    }
}
