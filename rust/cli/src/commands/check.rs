//! `gdscene check`

mod watch;

use std::io;

use tscn::{Diagnostic, LintOptions, Severity};

use crate::args::CheckArgs;
use crate::batches::in_batches;
use crate::commands::{Counted, Status, written};
use crate::files::read;
use crate::git::retain_changed;
use crate::output::progress::Progress;
use crate::output::report::Report;
use crate::output::{Found, Renderer};
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
    if args.watch {
        return watch::run(args);
    }
    let progress = Progress::start();
    let (mut targets, mut problems) = targets(&args.paths);
    if let Some(revision) = &args.since
        && let Err(problem) = retain_changed(&mut targets, revision)
    {
        problems.push(problem);
        targets.clear();
    }
    run_on(args, targets, problems, progress)
}

/// Checks these targets; what could not be turned into targets is reported too.
fn run_on(
    args: &CheckArgs,
    targets: Vec<Target>,
    problems: Vec<Problem>,
    progress: Progress,
) -> Status {
    let renderer = args.output.renderer(args.color.is_on());
    let mut summary = Summary::default();
    let result = check_all(args, (targets, problems), progress, &*renderer, &mut summary);
    written(result, summary.status())
}

fn check_all(
    args: &CheckArgs,
    (targets, mut problems): (Vec<Target>, Vec<Problem>),
    progress: Progress,
    renderer: &dyn Renderer,
    summary: &mut Summary,
) -> io::Result<()> {
    progress.above(|| problems.iter().for_each(Problem::report));
    summary.unread = problems.len();
    let mut report = Report::start(renderer, args.output_file.as_deref())?;
    let work = |target: &Target| check(target, args).map(|checked| checked.print(renderer));
    in_batches(&targets, &progress, work, |printed| {
        match printed {
            Ok(printed) => {
                summary.add(&printed);
                report.file(printed.output.as_bytes())?;
            }
            Err(problem) => {
                summary.unread += 1;
                problem.report();
                problems.push(problem);
            }
        }
        io::Result::Ok(())
    })?;
    drop(progress);
    report.end(summary, &problems)
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
