//! `gdscene fix`

mod across;

use std::collections::{BTreeSet, HashSet};
use std::io::{self, Write};
use std::path::PathBuf;

use gdscene_lint::FixChoice;
use godot_project::replace_file;
use godot_tscn::{Applicability, Diagnostic, Profile, Severity};

use self::across::AcrossError;
use crate::batches::in_batches_fallible;
use crate::commands::{Status, ThirdParty, written};
use crate::counted::Counted;
use crate::files::{clean_up, finish_all_interrupted, read};
use crate::inputs::{Input, Problem, inputs, report_skipped};
use crate::linter::Linter;
use crate::output::diff;
use crate::output::progress::Progress;
use crate::rule_args::{RuleArgs, SeverityChoice};
use crate::terminal::{complain, printable, tell};

/// Repair diagnostics of `gdscene check`.
///
/// By default, this applies only safe fixes: Godot loads the same data afterwards, or could not load the file before.
/// Comments are kept. Like `gdscene check`, it ignores infos unless you ask for them.
///
/// Some fixes change several files of a project, including scripts, .uid files, and files that you did not name. These
/// files are written together or not at all, and not if one of them has changed in the meantime. If the command is
/// killed while it writes them, the next gdscene command that writes in this project finishes the change.
///
/// Examples:
///   gdscene fix .                 the project in this folder
///   gdscene fix --diff .          show what would change
///   gdscene fix --all .           repair infos too
///   gdscene fix - < a.tscn        from standard input to standard output
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment, after_help = EXIT_STATUS)]
pub(crate) struct FixArgs {
    /// Files and folders; `-` reads one file from standard input and writes it to standard output.
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,

    /// Also apply fixes that may change what Godot loads.
    #[arg(long = "unsafe")]
    with_unsafe: bool,

    /// Repair diagnostics of this severity or higher: error, warning or info.
    ///
    /// By default, this repairs errors and warnings; with --select or --all-rules also infos.
    #[arg(
        long,
        value_enum,
        value_name = "SEVERITY",
        conflicts_with = "all",
        hide_possible_values = true
    )]
    severity: Option<SeverityChoice>,

    /// Repair everything: the same as --severity info.
    #[arg(long)]
    all: bool,

    /// Write nothing; print the changes as unified diffs.
    #[arg(long)]
    diff: bool,

    /// Write nothing; list the files that would change.
    #[arg(long, conflicts_with = "diff")]
    dry_run: bool,

    #[command(flatten)]
    rules: RuleArgs,

    /// Also fix .escn files, which exporters write and people do not edit.
    #[arg(long)]
    force_escn: bool,
}

const EXIT_STATUS: &str = "Exit status:
  0  nothing left to report
  1  errors or warnings left, or fixes would be applied (with --diff and --dry-run)
  2  wrong usage, or a file that cannot be read or written";

/// What became of one file.
struct FixedFile {
    path: PathBuf,
    /// How many fixes were applied.
    fixes: usize,
    /// How many errors and warnings are left.
    left: usize,
    /// How many safe fixes of less severe diagnostics were left out.
    hidden: usize,
    /// How many more errors there are than before.
    uncovered: usize,
    /// The folder of others that the file lies in.
    third_party: Option<String>,
    output: Vec<u8>,
}

/// The counts in the last line.
#[derive(Debug, Default)]
struct FixSummary {
    files: usize,
    /// The files that changed, or would change.
    changed: HashSet<PathBuf>,
    fixes: usize,
    left: usize,
    hidden: usize,
    uncovered: usize,
    left_alone: usize,
    /// The folders of others, in which only errors were fixed.
    third_party: BTreeSet<String>,
    failed: usize,
    /// Whether nothing is written.
    is_dry: bool,
}

impl FixArgs {
    fn choice(&self) -> FixChoice {
        let asked = self.severity.or(self.all.then_some(SeverityChoice::Info));
        FixChoice {
            limit: if self.with_unsafe { Applicability::Unsafe } else { Applicability::Safe },
            least: self.rules.least_severity(asked),
        }
    }
}

pub(crate) fn run(args: &FixArgs) -> Status {
    let progress = Progress::start();
    let (inputs, problems) = inputs(&args.paths, args.rules.profile());
    progress.above(|| problems.iter().for_each(Problem::report));
    let choice = args.choice();
    let is_escn = |input: &Input| input.name().to_ascii_lowercase().ends_with(".escn");
    let (left_alone, inputs): (Vec<Input>, Vec<Input>) =
        inputs.into_iter().partition(|input| !args.force_escn && is_escn(input));
    let is_dry = args.diff || args.dry_run;
    // A journal among untrusted files is theirs.
    if !is_dry
        && args.rules.profile() == Profile::Trusted
        && let Err(problem) = finish_all_interrupted(&inputs)
    {
        progress.above(|| problem.report());
        return Status::Failure;
    }
    let opened = Linter::new(&inputs, &args.rules).map_err(AcrossError::from);
    if !is_dry {
        clean_up(&inputs);
    }
    let opened = opened.and_then(|mut linter| {
        progress.above(|| report_skipped(linter.skipped()));
        let across = across::fix(args, &inputs, choice, &mut linter)?;
        Ok((linter, across))
    });
    let (linter, across) = match opened {
        Ok(opened) => opened,
        Err(error) => {
            progress.above(|| complain(error));
            return Status::Failure;
        }
    };
    progress.above(|| across.problems.iter().for_each(Problem::report));
    let mut summary = FixSummary {
        failed: problems.len() + across.problems.len(),
        is_dry,
        fixes: across.fix_count,
        changed: across.changed,
        left_alone: left_alone.len(),
        ..FixSummary::default()
    };
    let mut out = io::stdout().lock();
    // A closed pipe does not leave the files as they were.
    let mut result = out.write_all(&across.output);
    let work = |input: &Input| fix(input, args, choice, &linter);
    let failed = in_batches_fallible(&inputs, &progress, work, |done| {
        summary.add(&done);
        if result.is_ok() {
            result = out.write_all(&done.output);
        }
    });
    summary.failed += failed;
    drop(progress);
    // Standard output may be a text or a patch, to which nothing is added.
    if args.diff || inputs.contains(&Input::Stdin) {
        tell(format_args!("{summary}\n"));
    } else {
        result = result.and_then(|()| writeln!(out, "{summary}"));
    }
    written(result, summary.status())
}

/// Reads and fixes one file, and writes it unless asked not to.
fn fix(
    input: &Input,
    args: &FixArgs,
    choice: FixChoice,
    linter: &Linter,
) -> Result<FixedFile, Problem> {
    let name = input.name();
    let text = read(input)?;
    let file = linter.input_file(input);
    let start = file.made_text().unwrap_or(&text);
    let fixed = file.fix(start, choice);
    let diagnostics = file.lint(&fixed.text);
    let least = choice.least.max(Severity::Warning);
    let left = diagnostics.iter().filter(|found| found.severity >= least).count();
    let is_hidden = |found: &&Diagnostic| {
        let is_fixable =
            found.fix.as_ref().is_some_and(|fix| fix.applicability == Applicability::Safe);
        is_fixable && found.severity < choice.least
    };
    let hidden = diagnostics.iter().filter(is_hidden).count();
    let output = match input {
        _ if args.diff => diff::unified(&name, &text, &fixed.text),
        _ if args.dry_run && fixed.applied_count == 0 => Vec::new(),
        _ if args.dry_run => format!(
            "{}: {} would be applied\n",
            printable(&name),
            Counted(fixed.applied_count, "fix")
        )
        .into_bytes(),
        Input::Stdin | Input::Stream(_) => fixed.text,
        Input::File(path) if fixed.text != text => {
            replace_file(path, &text, &fixed.text).map_err(|error| input.problem(error))?;
            format!("{}: {}\n", printable(&name), Counted(fixed.applied_count, "fix")).into_bytes()
        }
        Input::File(_) => Vec::new(),
    };
    let path = match input {
        Input::File(path) => std::path::absolute(path).unwrap_or_else(|_| path.clone()),
        Input::Stdin | Input::Stream(_) => PathBuf::new(),
    };
    let uncovered = fixed.uncovered_count;
    let third_party = file.third_party_folder();
    Ok(FixedFile { path, fixes: fixed.applied_count, left, hidden, uncovered, third_party, output })
}

impl FixSummary {
    fn add(&mut self, done: &FixedFile) {
        self.files += 1;
        if done.fixes > 0 {
            self.changed.insert(done.path.clone());
        }
        self.fixes += done.fixes;
        self.left += done.left;
        self.hidden += done.hidden;
        self.uncovered += done.uncovered;
        self.third_party.extend(done.third_party.clone());
    }

    fn status(&self) -> Status {
        if self.failed > 0 {
            Status::Failure
        } else if self.left > 0 || self.is_dry && self.fixes > 0 {
            Status::Findings
        } else {
            Status::Clean
        }
    }
}

impl std::fmt::Display for FixSummary {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if !self.third_party.is_empty() {
            writeln!(f, "{}", ThirdParty(&self.third_party))?;
        }
        let would = if self.is_dry { "would be " } else { "" };
        let (fixes, changed) = (Counted(self.fixes, "fix"), Counted(self.changed.len(), "file"));
        write!(f, "{fixes} {would}applied in {changed}; ")?;
        match self.left {
            // The files that failed may have diagnostics.
            0 if self.failed == 0 => write!(f, "nothing left")?,
            0 => write!(f, "nothing left in {} that could be fixed", Counted(self.files, "file"))?,
            left => write!(f, "{} left, see `gdscene check`", Counted(left, "finding"))?,
        }
        if self.uncovered > 0 {
            let errors = Counted(self.uncovered, "error");
            write!(f, "; {errors} more than before")?;
        }
        if self.hidden > 0 {
            write!(f, "; --all applies {}", Counted(self.hidden, "more fix"))?;
        }
        if self.left_alone > 0 {
            let files = Counted(self.left_alone, ".escn file");
            write!(f, "; {files} left alone, see --force-escn")?;
        }
        if self.failed > 0 {
            write!(f, "; {} not fixed", Counted(self.failed, "path"))?;
        }
        Ok(())
    }
}
