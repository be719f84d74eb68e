//! `gdscene check`

mod dependents;
mod summary;
mod verdict;
mod watch;

use std::convert::Infallible;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::{fs, mem};

use gdscene_lint::Config;
use godot_project::LeftOut;
use godot_tscn::{Diagnostic, Profile};

use self::dependents::dependents;
use self::summary::{CheckSummary, EngineSummary, FailOn, Tally, View};
use self::verdict::{EngineArgs, Verdicts, verdicts};
use crate::args::ColorChoice;
use crate::baseline::{Baseline, Counts};
use crate::batches::in_batches;
use crate::commands::{Status, written};
use crate::counted::Counted;
use crate::engine::Imported;
use crate::files::read;
use crate::git::{SinceError, changed_since};
use crate::inputs::{Found, Input, Problem, inputs_to_check, report_skipped};
use crate::linter::{Imports, Linter, Summary};
use crate::output::arranged::Order;
use crate::output::progress::Progress;
use crate::output::report::Report;
use crate::output::{FileDiagnostics, OutputFormat, Renderer};
use crate::rule_args::{RuleArgs, SeverityChoice};
use crate::terminal::{complain, printable};

/// Report errors and warnings in scenes and resources.
///
/// Examples:
///   gdscene check .               the project in this folder
///   gdscene check main.tscn       one file
///   git show :a.tscn | gdscene check -
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment, after_help = EXIT_STATUS)]
pub(crate) struct CheckArgs {
    /// Files and folders; `-` reads one file from standard input.
    ///
    /// In folders, this checks all .tscn, .tres and .escn files, the settings files of projects, and the paths in .gd
    /// files. It skips hidden folders, folders with a .gdignore file, and files that .gitignore excludes and git does
    /// not track. A file that you name is always checked, whatever its name is.
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,

    /// How to print the diagnostics.
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    output: OutputFormat,

    /// Write the diagnostics to this file; standard output gets only the counts.
    #[arg(long, value_name = "FILE")]
    output_file: Option<PathBuf>,

    /// Show diagnostics of this severity or higher, in all formats: error, warning or info.
    ///
    /// By default, this shows errors and warnings; with --select or --all-rules also infos. Hidden diagnostics are
    /// counted at the end, and affect the exit status only with --fail-on.
    #[arg(
        long,
        value_enum,
        value_name = "SEVERITY",
        conflicts_with = "all",
        hide_possible_values = true
    )]
    severity: Option<SeverityChoice>,

    /// Show everything: the same as --severity info --each.
    #[arg(long)]
    all: bool,

    /// The order of the formats full and concise; others print one file after another.
    #[arg(long, value_enum, default_value_t, value_name = "ORDER")]
    sort: Order,

    /// Show every diagnostic in the format full; by default, equal diagnostics are shown only once.
    #[arg(long)]
    each: bool,

    /// Show the number of diagnostics of each rule instead of the diagnostics. Formats: full, concise, json.
    #[arg(long)]
    statistics: bool,

    /// Exit with 1 if there are diagnostics of this severity or higher: error, warning, info or never.
    ///
    /// By default, errors and warnings fail; with --severity error, only errors.
    #[arg(long, value_enum, value_name = "SEVERITY", hide_possible_values = true)]
    fail_on: Option<FailOn>,

    /// Check only files that differ from this git revision, and those that git does not track.
    ///
    /// The revision can be HEAD, a branch, a tag or a commit. To check the changes of a branch, name the revision where
    /// it began: --since "$(git merge-base origin/main HEAD)".
    #[arg(long, value_name = "REV")]
    since: Option<String>,

    /// With --since, also check the files that depend on changed files, directly or through other files.
    ///
    /// A renamed node, a removed signal or a deleted file can break scenes that did not change.
    #[arg(long, requires = "since")]
    dependents: bool,

    /// Check again when a file changes: that file, and the files that depend on it. Ctrl+C stops it.
    #[arg(long, conflicts_with_all = ["since", "output_file"])]
    watch: bool,

    #[command(flatten)]
    engine: EngineArgs,

    #[command(flatten)]
    rules: RuleArgs,

    /// Do not report the diagnostics listed in this file. Create the file with --write-baseline.
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,

    /// Write a list of all diagnostics to this file for --baseline, and report nothing.
    #[arg(long, value_name = "FILE", conflicts_with = "baseline")]
    write_baseline: Option<PathBuf>,

    /// Whether to color the output: `auto` uses color on a terminal, unless NO_COLOR is set.
    #[arg(long, value_enum, default_value_t, value_name = "WHEN")]
    color: ColorChoice,
}

/// The files to check, and what to check them with.
struct Checker<'c> {
    inputs: &'c [Input],
    /// Files with findings of the engine only.
    others: &'c [Input],
    linter: &'c Linter,
    baseline: Option<Baseline>,
    view: View,
}

/// A file that was checked, with its diagnostics.
struct Checked {
    name: String,
    /// The folder of its project.
    project: Option<PathBuf>,
    text: Vec<u8>,
    /// The folder of others that it lies in.
    third_party: Option<String>,
    diagnostics: Vec<Diagnostic>,
}

/// What is kept of a file once its diagnostics are rendered.
struct Rendered {
    output: String,
    is_settings_file: bool,
    third_party: Option<String>,
    shown: Tally,
    hidden: Tally,
}

const EXIT_STATUS: &str = "Exit status:
  0  nothing found
  1  errors or warnings found; --fail-on changes this
  2  wrong usage, a file that cannot be read, or an engine that does not do its work";

impl CheckArgs {
    fn view(&self) -> View {
        let asked = self.severity.or(self.all.then_some(SeverityChoice::Info));
        View::new(self.rules.least_severity(asked), self.fail_on)
    }

    /// Nothing if the format cannot hold what is to be printed.
    fn renderer(&self, linter: &Linter) -> Option<Box<dyn Renderer>> {
        if self.statistics {
            return self.output.statistics();
        }
        let is_grouped = !self.each && !self.all;
        let configs: Vec<_> = linter.configs().collect();
        Some(self.output.arranged(self.color.is_on(), self.sort, is_grouped, &configs))
    }
}

pub(crate) fn run(args: &CheckArgs) -> Status {
    if args.watch {
        return watch::run(args);
    }
    let progress = Progress::start();
    let Found { mut inputs, mut problems, mut left_out } =
        inputs_to_check(&args.paths, args.rules.profile());
    let mut linter = match Linter::new(&inputs, &args.rules) {
        Ok(linter) => linter,
        Err(error) => {
            progress.above(|| complain(error));
            return Status::Failure;
        }
    };
    let engine = match args.engine.engine(&linter) {
        Ok(engine) => engine,
        Err(error) => {
            progress.above(|| complain(error));
            return Status::Failure;
        }
    };
    let (mut others, mut imports) = (Vec::new(), Imports::new());
    if let Some(engine) = &engine {
        imports = linter.import(engine);
        let was_due = |imported: &io::Result<Imported>| {
            imported.as_ref().is_ok_and(|imported| imported.was_due)
        };
        if imports.values().any(was_due) {
            // An import makes files and changes others.
            Found { inputs, problems, left_out } =
                inputs_to_check(&args.paths, args.rules.profile());
            linter = match Linter::new(&inputs, &args.rules) {
                Ok(linter) => linter,
                Err(error) => {
                    progress.above(|| complain(error));
                    return Status::Failure;
                }
            };
        }
        others = linter.others(&args.paths, &inputs);
    }
    if let Some(revision) = &args.since {
        for inputs in [&mut inputs, &mut others] {
            if let Err(error) = retain_changed(args, &linter, inputs, revision) {
                problems.push(error.into());
                inputs.clear();
            }
        }
    }
    progress.above(|| report_skipped(linter.skipped()));
    let verdicts = match &engine {
        Some(engine) => verdicts(engine, &mut linter, &inputs, others, imports, &progress),
        None => Verdicts::default(),
    };
    let status = run_on(args, &linter, &inputs, (problems, left_out, verdicts), progress);
    // The process ends: to free a large project bit by bit is not worth its time.
    mem::forget(linter);
    status
}

/// Keeps the inputs that have changed since the revision, and with `--dependents` those that depend on them. Keeps
/// standard input.
fn retain_changed(
    args: &CheckArgs,
    linter: &Linter,
    inputs: &mut Vec<Input>,
    revision: &str,
) -> Result<(), SinceError> {
    if args.rules.profile() == Profile::Untrusted {
        return Err(SinceError::Untrusted { path: args.paths[0].clone() });
    }
    let mut kept = changed_since(inputs, revision)?;
    if args.dependents {
        let dependents = dependents(linter, &kept);
        kept.extend(dependents);
    }
    inputs.retain(|input| match input {
        Input::File(path) => fs::canonicalize(path).is_ok_and(|path| kept.contains(&path)),
        Input::Stdin | Input::Stream(_) => true,
    });
    Ok(())
}

/// Checks the inputs, and reports the problems and what is left out with the diagnostics.
fn run_on(
    args: &CheckArgs,
    linter: &Linter,
    inputs: &[Input],
    (mut problems, left_out, verdicts): (Vec<Problem>, LeftOut, Verdicts),
    progress: Progress,
) -> Status {
    let baseline = match args.baseline.as_deref().map(Baseline::read).transpose() {
        Ok(baseline) => baseline.filter(|_| !lies_with_untrusted(args, linter)),
        Err(error) => {
            progress.above(|| complain(error));
            return Status::Failure;
        }
    };
    let Some(renderer) = args.renderer(linter) else {
        complain("--statistics supports only the formats full, concise and json");
        return Status::Failure;
    };
    let others = &verdicts.others;
    let checker = Checker { inputs, others, linter, baseline, view: args.view() };
    let gap_count = verdicts.gaps.len();
    problems.extend(verdicts.gaps);
    if let Some(path) = &args.write_baseline {
        return write_baseline(path, &checker, &progress, &problems);
    }
    let place = (progress, args.output_file.as_deref());
    let mut summary = CheckSummary::new(checker.view, left_out);
    if let Some((name, count)) = verdicts.line {
        summary.engine =
            Some(EngineSummary { name, count, gap_count, has_ended: verdicts.has_ended });
    }
    let result = check_all(&checker, place, problems, &*renderer, &mut summary);
    written(result, summary.status())
}

/// Whether the baseline lies in a folder of untrusted files, whose author may have written it.
fn lies_with_untrusted(args: &CheckArgs, linter: &Linter) -> bool {
    let Some(Ok(place)) = args.baseline.as_ref().map(fs::canonicalize) else { return false };
    let folders = linter.folders().chain(args.paths.iter().map(PathBuf::as_path));
    let mut folders = folders.filter_map(|folder| fs::canonicalize(folder).ok());
    let lies_there = args.rules.profile() == Profile::Untrusted
        && folders.any(|folder| place.starts_with(folder));
    if lies_there {
        let name = place.display();
        complain(format_args!(
            "{name}: this baseline is in a folder of untrusted files, so it is not used"
        ));
    }
    lies_there
}

fn check_all(
    checker: &Checker<'_>,
    (progress, output_file): (Progress, Option<&Path>),
    mut problems: Vec<Problem>,
    renderer: &dyn Renderer,
    summary: &mut CheckSummary,
) -> io::Result<()> {
    progress.above(|| problems.iter().for_each(Problem::report));
    let gap_count = summary.engine.as_ref().map_or(0, |engine| engine.gap_count);
    summary.unread = problems.len() - gap_count;
    let mut report = Report::start(renderer, output_file)?;
    let view = checker.view;
    let work = |number, input: &Input| {
        checker.check(input).map(|checked| checked.render(number, view, renderer))
    };
    in_batches(checker.inputs, &progress, work, |rendered| {
        match rendered {
            Ok(rendered) => {
                summary.add_file(rendered.is_settings_file);
                rendered.write(summary, &mut report)?;
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
    let more = checker.others().chain(checker.summaries());
    for (number, (_, checked)) in more.enumerate() {
        let rendered = checked.render(checker.inputs.len() + number, view, renderer);
        rendered.write(summary, &mut report)?;
    }
    report.end(summary, &problems)
}

/// Writes all diagnostics to a baseline.
fn write_baseline(
    path: &Path,
    checker: &Checker<'_>,
    progress: &Progress,
    problems: &[Problem],
) -> Status {
    progress.above(|| problems.iter().for_each(Problem::report));
    let mut baseline = match Baseline::empty(path) {
        Ok(baseline) => baseline,
        Err(error) => return written(Err(error), Status::Clean),
    };
    let mut status = if problems.is_empty() { Status::Clean } else { Status::Failure };
    let work = |_, input: &Input| -> Result<(Input, Counts), Problem> {
        let checked = checker.check(input)?;
        Ok((input.clone(), Baseline::counts(&checked.text, &checked.diagnostics)))
    };
    let Ok(()) = in_batches(checker.inputs, progress, work, |counted| {
        match counted {
            Ok((input, counts)) => baseline.add(&input, counts),
            Err(problem) => {
                problem.report();
                status = Status::Failure;
            }
        }
        Ok::<(), Infallible>(())
    });
    for (input, checked) in checker.others().chain(checker.summaries()) {
        baseline.add(&input, Baseline::counts(&checked.text, &checked.diagnostics));
    }
    let result = baseline.write(path).and_then(|count| {
        let findings = Counted(count as usize, "finding");
        let path = path.to_string_lossy();
        writeln!(io::stdout(), "{findings} written to {}", printable(&path))
    });
    written(result, status)
}

impl Checker<'_> {
    /// Reads and checks one file. Not inlined, as `scripts/test/performance/growth.sh` counts its instructions.
    #[inline(never)]
    fn check(&self, input: &Input) -> Result<Checked, Problem> {
        let name = input.name().into_owned();
        let text = read(input)?;
        let file = self.linter.input_file(input);
        let mut diagnostics = file.lint(&text);
        self.leave_out_known(input, &text, &file.config(), &mut diagnostics);
        let project = file.project_folder().map(Path::to_owned);
        let third_party = file.third_party_folder();
        Ok(Checked { name, project, text, third_party, diagnostics })
    }

    /// What the engine found in files that no rule of ours looks at.
    fn others(&self) -> impl Iterator<Item = (Input, Checked)> {
        self.others.iter().map(|input| {
            let file = self.linter.input_file(input);
            let text = file.shown_text();
            let mut diagnostics = file.verdict(&text);
            self.leave_out_known(input, &text, &file.config(), &mut diagnostics);
            let (name, project) = (input.name().into_owned(), file.project_folder());
            let (project, third_party) = (project.map(Path::to_owned), file.third_party_folder());
            (input.clone(), Checked { name, project, text, third_party, diagnostics })
        })
    }

    /// What sums up what is wrong in several inputs.
    fn summaries(&self) -> impl Iterator<Item = (Input, Checked)> {
        self.linter.summaries(self.inputs).into_iter().map(|summary| {
            let Summary { root, path, text, mut diagnostics, config } = summary;
            let input = Input::File(path);
            self.leave_out_known(&input, &text, &config, &mut diagnostics);
            let name = input.name().into_owned();
            let project = Some(root);
            (input, Checked { name, project, text, third_party: None, diagnostics })
        })
    }

    fn leave_out_known(
        &self,
        input: &Input,
        text: &[u8],
        config: &Config,
        diagnostics: &mut Vec<Diagnostic>,
    ) {
        if let Some(baseline) = &self.baseline
            && !diagnostics.is_empty()
        {
            baseline.remove_known(input, text, &config.options(), diagnostics);
        }
    }
}

impl Rendered {
    /// Writes it, and adds it up.
    fn write(self, summary: &mut CheckSummary, report: &mut Report<'_>) -> io::Result<()> {
        summary.add(self.third_party, &self.shown, &self.hidden);
        report.file(self.output.as_bytes())
    }
}

impl Checked {
    /// Renders the diagnostics of the file that are shown. Not inlined either.
    #[inline(never)]
    fn render(mut self, number: usize, view: View, renderer: &dyn Renderer) -> Rendered {
        let (mut shown, mut hidden) = (Tally::default(), Tally::default());
        self.diagnostics.retain(|found| {
            let is_shown = found.severity >= view.shown;
            if is_shown { &mut shown } else { &mut hidden }.add(found);
            is_shown
        });
        let mut output = String::new();
        let file = FileDiagnostics::new(&self.name, &self.text, &self.diagnostics);
        let file = file.with_number(number).in_project(self.project.as_deref());
        renderer.file(&mut output, &file);
        let is_settings_file = godot_tscn::is_config_path(&self.name);
        Rendered { output, is_settings_file, third_party: self.third_party, shown, hidden }
    }
}
