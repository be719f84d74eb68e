//! `gdscene check`

use std::io;

use rayon::prelude::*;
use tscn::{Diagnostic, LintOptions, Severity};

use crate::args::CheckArgs;
use crate::commands::{BATCH, Counted, Status, written};
use crate::files::read;
use crate::output::report::Report;
use crate::output::{Found, Renderer, progress};
use crate::walk::{Problem, Target, targets};

/// What is counted for the last line.
#[derive(Clone, Copy, Debug, Default)]
struct Summary {
    files: usize,
    errors: usize,
    warnings: usize,
    unread: usize,
}

/// A file that was read, and what was found in it.
struct Checked {
    name: String,
    text: Vec<u8>,
    diagnostics: Vec<Diagnostic>,
}

/// What is left of a file once it is printed.
struct Printed {
    output: String,
    errors: usize,
    warnings: usize,
}

pub(crate) fn run(args: &CheckArgs) -> Status {
    let (targets, mut problems) = targets(&args.paths);
    problems.iter().for_each(Problem::report);
    let renderer = args.output.renderer(args.color.is_on());
    let mut summary = Summary::default();
    let result = check_all(args, &*renderer, &targets, &mut summary, &mut problems);
    summary.unread = problems.len();
    written(result, summary.status())
}

/// Checks and prints, batch by batch, so that output appears early and memory stays bounded.
fn check_all(
    args: &CheckArgs,
    renderer: &dyn Renderer,
    targets: &[Target],
    summary: &mut Summary,
    problems: &mut Vec<Problem>,
) -> io::Result<()> {
    let bar = progress::bar(targets.len());
    let mut report = Report::start(renderer)?;
    for batch in targets.chunks(BATCH) {
        let check = |target| check(target, args).map(|checked| checked.print(renderer));
        let printed: Vec<_> = batch.par_iter().map(check).collect();
        for printed in printed {
            match printed {
                Ok(printed) => {
                    summary.add(&printed);
                    report.file(&printed.output)?;
                }
                Err(problem) => {
                    problem.report();
                    problems.push(problem);
                }
            }
        }
        bar.inc(batch.len() as u64);
    }
    bar.finish_and_clear();
    summary.unread = problems.len();
    report.end(summary, problems)
}

/// Reads and checks one file.
fn check(target: &Target, args: &CheckArgs) -> Result<Checked, Problem> {
    let name = target.name().into_owned();
    let text = read(target)?;
    let mut options = LintOptions::for_path(&name);
    options.all_rules = args.all_rules;
    let diagnostics = tscn::lint(&text, &options).diagnostics;
    Ok(Checked { name, text, diagnostics })
}

impl Checked {
    fn print(&self, renderer: &dyn Renderer) -> Printed {
        let count = |severity| self.diagnostics.iter().filter(|d| d.severity == severity).count();
        let mut output = String::new();
        renderer.file(&mut output, &Found::new(&self.name, &self.text, &self.diagnostics));
        Printed { output, errors: count(Severity::Error), warnings: count(Severity::Warning) }
    }
}

impl Summary {
    fn add(&mut self, printed: &Printed) {
        self.files += 1;
        self.errors += printed.errors;
        self.warnings += printed.warnings;
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
