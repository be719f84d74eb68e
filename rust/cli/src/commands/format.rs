//! `gdscene format`

use std::fmt::Write as _;
use std::io::{self, Write};

use rayon::prelude::*;
use tscn::{FormatOptions, FormatRefusal, LineIndex};

use crate::args::{FormatArgs, FormatTarget};
use crate::commands::{BATCH, Counted, Status, written};
use crate::files::{read, replace};
use crate::output::diff::unified;
use crate::projects::Projects;
use crate::walk::{Problem, Target, targets};

/// What became of a file.
enum Outcome {
    /// It was as it should be.
    Same,
    /// It was not.
    Changed,
    /// It is an `.escn` file.
    LeftAlone,
}

/// A file that was dealt with, and what is to be printed about it.
struct Done {
    outcome: Outcome,
    output: Vec<u8>,
}

/// What is counted for the last line.
#[derive(Debug, Default)]
struct Summary {
    same: usize,
    changed: usize,
    left_alone: usize,
    failed: usize,
    /// Whether nothing is written.
    is_dry: bool,
}

pub(crate) fn run(args: &FormatArgs) -> Status {
    let (targets, problems) = targets(&args.paths);
    let is_dry = args.check || args.diff;
    let mut summary = Summary { failed: problems.len(), is_dry, ..Summary::default() };
    for problem in &problems {
        problem.report();
    }
    let projects = Projects::default();
    let (mut out, mut result) = (io::stdout().lock(), Ok(()));
    for batch in targets.chunks(BATCH) {
        let done: Vec<_> = batch.par_iter().map(|target| format(target, args, &projects)).collect();
        for done in done {
            match done {
                Ok(done) => {
                    summary.add(&done.outcome);
                    // A closed pipe does not leave the other files as they were.
                    result = result.and_then(|()| out.write_all(&done.output));
                }
                Err(problem) => {
                    summary.failed += 1;
                    problem.report();
                }
            }
        }
    }
    // Standard output may be a text or a patch, to which nothing is added.
    if args.diff {
        eprintln!("{summary}");
    } else if is_dry || !targets.contains(&Target::Stdin) {
        result = result.and_then(|()| writeln!(out, "{summary}"));
    }
    written(result, summary.status())
}

/// Reads and formats one file, and writes it unless asked not to.
fn format(target: &Target, args: &FormatArgs, projects: &Projects) -> Result<Done, Problem> {
    let name = target.name();
    let text = read(target)?;
    let mut options = FormatOptions::for_path(&name);
    options.force_escn = args.force_escn;
    options.target = match (args.target, target) {
        (FormatTarget::Version(version), _) => Some(version),
        (FormatTarget::Auto, Target::File(path)) => {
            tscn::project_target(&text, projects.version_of(path))
        }
        (FormatTarget::Auto, Target::Stdin) => None,
    };
    let formatted = match tscn::format(&text, &options) {
        Ok(formatted) => formatted,
        Err(FormatRefusal::Escn) => {
            return Ok(Done { outcome: Outcome::LeftAlone, output: Vec::new() });
        }
        Err(refusal) => return Err(refused(target, &text, &refusal)),
    };
    let outcome = if formatted.is_changed { Outcome::Changed } else { Outcome::Same };
    let output = match target {
        _ if args.diff => unified(&name, &text, &formatted.text),
        _ if args.check && formatted.is_changed => format!("{name}: not formatted\n").into_bytes(),
        Target::Stdin if !args.check => formatted.text.into_owned(),
        Target::File(path) if !args.check && formatted.is_changed => {
            replace(path, &formatted.text).map_err(|error| target.problem(error))?;
            format!("{name}: formatted\n").into_bytes()
        }
        _ => Vec::new(),
    };
    Ok(Done { outcome, output })
}

/// `path: line:column: not formatted: reason`
fn refused(target: &Target, text: &[u8], refusal: &FormatRefusal) -> Problem {
    let mut reason = String::new();
    if let Some(span) = refusal.span() {
        let position = LineIndex::new(text).position(span.start);
        let _ = write!(reason, "{}:{}: ", position.line, position.column);
    }
    target.problem(format_args!("{reason}not formatted: {refusal}"))
}

impl Summary {
    fn add(&mut self, outcome: &Outcome) {
        match outcome {
            Outcome::Same => self.same += 1,
            Outcome::Changed => self.changed += 1,
            Outcome::LeftAlone => self.left_alone += 1,
        }
    }

    fn status(&self) -> Status {
        if self.failed > 0 {
            Status::Failure
        } else if self.is_dry && self.changed > 0 {
            Status::Findings
        } else {
            Status::Clean
        }
    }
}

impl std::fmt::Display for Summary {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let would = if self.is_dry { "would be " } else { "" };
        write!(f, "{} {would}formatted, {} left as is", Counted(self.changed, "file"), self.same)?;
        if self.left_alone > 0 {
            let files = Counted(self.left_alone, ".escn file");
            write!(f, "; {files} left alone, see --force-escn")?;
        }
        if self.failed > 0 {
            write!(f, "; {} not formatted", Counted(self.failed, "path"))?;
        }
        Ok(())
    }
}
