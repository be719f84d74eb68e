//! `gdscene format`

use std::fmt::Write;
use std::path::PathBuf;

use godot_project::replace_file;
use godot_tscn::{
    Diagnostic, FormatOptions, FormatRefusal, GodotVersion, LineIndex, Profile, UnknownVersion,
};

use crate::args::ColorChoice;
use crate::batches::in_batches_fallible;
use crate::commands::{Status, written};
use crate::counted::Counted;
use crate::files::{clean_up, finish_all_interrupted, read};
use crate::godot_versions::GodotVersions;
use crate::inputs::{Input, Problem, inputs};
use crate::output::diff::unified;
use crate::output::progress::Progress;
use crate::output::report::Report;
use crate::output::{FileDiagnostics, OutputFormat, Renderer};
use crate::terminal::{printable, tell};

/// Write scenes and resources as Godot saves them.
///
/// This changes white space, the order of fields, external resources and dictionary keys, and the form of numbers,
/// escapes and quotes to Godot's own form. Godot reads the same data as before. Comments, properties and ids keep their
/// places. Files that Godot saved do not change. Files that Godot cannot load or misreads, and files of Godot 2, are
/// reported and not written.
///
/// Examples:
///   gdscene format .              the project in this folder
///   gdscene format --check .      in CI: list the files that are not formatted
///   gdscene format - < a.tscn     from standard input to standard output
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment, after_help = EXIT_STATUS)]
pub(crate) struct FormatArgs {
    /// Files and folders; `-` reads one file from standard input and writes it to standard output.
    ///
    /// In folders, this formats the files that `gdscene check` checks, except .escn files.
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,

    /// Write nothing; list the files that would change.
    #[arg(long, conflicts_with = "diff")]
    check: bool,

    /// Write nothing; print the changes as unified diffs.
    #[arg(long)]
    diff: bool,

    /// The Godot version whose format to write: auto, 3.x, 3.1 to 3.6, 4.0 to 4.7.
    ///
    /// `auto` reads the version from the features in the project.godot of each file's project, unless the file's header
    /// shows that another version saved it. A version that you name applies to all files. The tests compare the output
    /// with files that Godot 3.6, 4.2, 4.5, 4.6 and 4.7 saved; the other versions follow from the known changes between
    /// them.
    #[arg(long, default_value = "auto", value_name = "VERSION", value_parser = target)]
    target: FormatTarget,

    /// Also format .escn files, which exporters write and people do not edit.
    #[arg(long, visible_alias = "force")]
    force_escn: bool,

    /// How to print the diagnostics of --check.
    #[arg(
        long,
        value_enum,
        default_value_t = OutputFormat::Concise,
        requires = "check",
        value_name = "FORMAT"
    )]
    output: OutputFormat,

    /// Whether to color the output of --check: `auto` uses color on a terminal, unless NO_COLOR is set.
    #[arg(long, value_enum, default_value_t, value_name = "WHEN")]
    color: ColorChoice,
}

const EXIT_STATUS: &str = "Exit status:
  0  all files are formatted now
  1  files would change (with --check and --diff)
  2  wrong usage, or a file that cannot be read, formatted or written";

/// The value of `--target`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FormatTarget {
    /// The version of each file's project.
    Auto,
    /// This version.
    Version(GodotVersion),
}

fn target(text: &str) -> Result<FormatTarget, String> {
    if text == "auto" {
        return Ok(FormatTarget::Auto);
    }
    let version: GodotVersion = text.parse().map_err(|error: UnknownVersion| error.to_string())?;
    if version > GodotVersion::NEWEST {
        let newest = GodotVersion::NEWEST;
        return Err(format!(
            "Godot {version} is newer than this version of gdscene, which knows Godot up to {newest}"
        ));
    }
    Ok(FormatTarget::Version(version))
}

/// How formatting a file ended.
enum Outcome {
    /// It was formatted already.
    Same,
    /// It was not formatted.
    Changed,
    /// It is an `.escn` file, which is only formatted with `--force-escn`.
    LeftAlone,
    /// It cannot be formatted, which `--check` reports as a diagnostic.
    Refused,
}

/// What became of one file, and what to print about it.
struct FormattedFile {
    outcome: Outcome,
    output: Vec<u8>,
}

/// The counts in the last line.
#[derive(Debug, Default)]
struct FormatSummary {
    same: usize,
    changed: usize,
    left_alone: usize,
    failed: usize,
    /// Whether nothing is written.
    is_dry: bool,
}

pub(crate) fn run(args: &FormatArgs) -> Status {
    let progress = Progress::start();
    let (inputs, problems) = inputs(&args.paths, Profile::Trusted);
    progress.above(|| problems.iter().for_each(Problem::report));
    let is_dry = args.check || args.diff;
    if !is_dry {
        if let Err(problem) = finish_all_interrupted(&inputs) {
            progress.above(|| problem.report());
            return Status::Failure;
        }
        clean_up(&inputs);
    }
    let mut summary = FormatSummary { failed: problems.len(), is_dry, ..FormatSummary::default() };
    let renderer = args.output.renderer(args.color.is_on(), &[]);
    let formatting = Formatting { args, projects: GodotVersions::default(), renderer: &*renderer };
    let mut report = None;
    let mut result = Report::start(formatting.renderer, None).map(|started| report = Some(started));
    let work = |input: &Input| formatting.format(input);
    let failed = in_batches_fallible(&inputs, &progress, work, |done| {
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
        tell(format_args!("{summary}\n"));
    } else if let (Ok(()), Some(report)) = (&result, report)
        && (is_dry || !inputs.contains(&Input::Stdin))
    {
        result = report.end(&summary, &problems);
    }
    written(result, summary.status())
}

/// How files are formatted.
struct Formatting<'r> {
    args: &'r FormatArgs,
    projects: GodotVersions,
    renderer: &'r dyn Renderer,
}

impl Formatting<'_> {
    /// Reads and formats one file, and writes it unless asked not to.
    fn format(&self, input: &Input) -> Result<FormattedFile, Problem> {
        let (name, args) = (input.name(), self.args);
        let text = read(input)?;
        let formatted = match godot_tscn::format(&text, &self.options(input, &name, &text)) {
            Ok(formatted) => formatted,
            Err(FormatRefusal::Escn) => {
                return Ok(FormattedFile { outcome: Outcome::LeftAlone, output: Vec::new() });
            }
            Err(refusal) if args.check => {
                let finding = gdscene_render::format_refused(&text, &refusal);
                let output = self.rendered(&name, &text, finding);
                return Ok(FormattedFile { outcome: Outcome::Refused, output });
            }
            Err(refusal) => return Err(refused(input, &text, &refusal)),
        };
        let outcome = if formatted.is_changed { Outcome::Changed } else { Outcome::Same };
        let output = match input {
            _ if args.diff => unified(&name, &text, &formatted.text),
            _ if args.check && formatted.is_changed => {
                self.rendered(&name, &text, gdscene_render::format_changes(&text, &formatted.text))
            }
            Input::Stdin | Input::Stream(_) if !args.check => formatted.text.into_owned(),
            Input::File(path) if !args.check && formatted.is_changed => {
                replace_file(path, &text, &formatted.text).map_err(|error| input.problem(error))?;
                format!("{}: formatted\n", printable(&name)).into_bytes()
            }
            _ => Vec::new(),
        };
        Ok(FormattedFile { outcome, output })
    }

    fn options<'n>(&self, input: &Input, name: &'n str, text: &[u8]) -> FormatOptions<'n> {
        let mut options = FormatOptions::for_path(name);
        options.force_escn = self.args.force_escn;
        options.target = match (self.args.target, input) {
            (FormatTarget::Version(version), _) => Some(version),
            (FormatTarget::Auto, Input::File(path)) => {
                godot_tscn::project_target(text, self.projects.version_of(path))
            }
            (FormatTarget::Auto, Input::Stdin | Input::Stream(_)) => None,
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
fn refused(input: &Input, text: &[u8], refusal: &FormatRefusal) -> Problem {
    let mut reason = String::new();
    if let Some(span) = refusal.span() {
        let position = LineIndex::new(text).position(span.start);
        let _ = write!(reason, "{}:{}: ", position.line, position.column);
    }
    input.problem(format_args!("{reason}not formatted: {refusal}"))
}

impl FormatSummary {
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

impl std::fmt::Display for FormatSummary {
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
