//! `gdscene format`

mod unformatted;

use std::fmt::Write;

use tscn::{Diagnostic, FormatOptions, FormatRefusal, LineIndex, Profile};

use crate::args::{FormatArgs, FormatTarget};
use crate::batches::in_batches_that_may_fail;
use crate::commands::{Counted, Status, written};
use crate::files::{clean_up, read, replace};
use crate::output::diff::unified;
use crate::output::progress::Progress;
use crate::output::report::Report;
use crate::output::terminal::printable;
use crate::output::{FileDiagnostics, Renderer};
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
    /// It cannot be formatted, which is a finding.
    Refused,
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
    let progress = Progress::start();
    let (targets, problems) = targets(&args.paths, Profile::Trusted);
    progress.above(|| problems.iter().for_each(Problem::report));
    let is_dry = args.check || args.diff;
    if !is_dry {
        clean_up(&targets);
    }
    let mut summary = Summary { failed: problems.len(), is_dry, ..Summary::default() };
    let renderer = args.output.renderer(args.color.is_on());
    let formatting = Formatting { args, projects: Projects::default(), renderer: &*renderer };
    let mut report = None;
    let mut result = Report::start(formatting.renderer, None).map(|started| report = Some(started));
    let work = |target: &Target| formatting.format(target);
    let failed = in_batches_that_may_fail(&targets, &progress, work, |done| {
        summary.add(&done.outcome);
        if let (Ok(()), Some(report)) = (&result, &mut report) {
            // A closed pipe does not leave the other files as they were.
            result = report.file(&done.output);
        }
    });
    summary.failed += failed;
    drop(progress);
    // Standard output may be a text or a patch, to which nothing is added.
    if args.diff {
        eprintln!("{summary}");
    } else if let (Ok(()), Some(report)) = (&result, report)
        && (is_dry || !targets.contains(&Target::Stdin))
    {
        result = report.end(&summary, &problems);
    }
    written(result, summary.status())
}

/// How files are formatted.
struct Formatting<'r> {
    args: &'r FormatArgs,
    projects: Projects,
    renderer: &'r dyn Renderer,
}

impl Formatting<'_> {
    /// Reads and formats one file, and writes it unless asked not to.
    fn format(&self, target: &Target) -> Result<Done, Problem> {
        let (name, args) = (target.name(), self.args);
        let text = read(target)?;
        let formatted = match tscn::format(&text, &self.options(target, &name, &text)) {
            Ok(formatted) => formatted,
            Err(FormatRefusal::Escn) => {
                return Ok(Done { outcome: Outcome::LeftAlone, output: Vec::new() });
            }
            Err(refusal) if args.check => {
                let finding = unformatted::refused(&text, &refusal);
                let output = self.rendered(&name, &text, finding);
                return Ok(Done { outcome: Outcome::Refused, output });
            }
            Err(refusal) => return Err(refused(target, &text, &refusal)),
        };
        let outcome = if formatted.is_changed { Outcome::Changed } else { Outcome::Same };
        let output = match target {
            _ if args.diff => unified(&name, &text, &formatted.text),
            _ if args.check && formatted.is_changed => {
                self.rendered(&name, &text, unformatted::changed(&text, &formatted.text))
            }
            Target::Stdin if !args.check => formatted.text.into_owned(),
            Target::File(path) if !args.check && formatted.is_changed => {
                replace(path, &formatted.text).map_err(|error| target.problem(error))?;
                format!("{}: formatted\n", printable(&name)).into_bytes()
            }
            _ => Vec::new(),
        };
        Ok(Done { outcome, output })
    }

    fn options<'n>(&self, target: &Target, name: &'n str, text: &[u8]) -> FormatOptions<'n> {
        let mut options = FormatOptions::for_path(name);
        options.force_escn = self.args.force_escn;
        options.target = match (self.args.target, target) {
            (FormatTarget::Version(version), _) => Some(version),
            (FormatTarget::Auto, Target::File(path)) => {
                tscn::project_target(text, self.projects.version_of(path))
            }
            (FormatTarget::Auto, Target::Stdin) => None,
        };
        options
    }

    fn rendered(&self, name: &str, text: &[u8], finding: Diagnostic) -> Vec<u8> {
        let mut output = String::new();
        self.renderer.file(&mut output, &FileDiagnostics::new(name, text, &[finding]));
        output.into_bytes()
    }
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
            Outcome::Refused => self.failed += 1,
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
