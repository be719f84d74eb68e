//! What can be said on the command line. The doc comments are the help texts.

use std::io::{IsTerminal, stdout};
use std::path::PathBuf;

use clap::{Parser, Subcommand, ValueEnum};
use tscn::{GodotVersion, UnknownVersion};

use crate::commands::o3de::O3deArgs;
use crate::commands::variant::VariantArgs;
use crate::output::OutputFormat;
use crate::rule_args::RuleArgs;

/// Checks, repairs and formats Godot's text scenes and resources (.tscn, .tres, .escn) without the engine.
///
/// It finds what makes Godot refuse a file, crash or lose data without a word, and says where and
/// why. And it writes files as Godot saves them.
#[derive(Debug, Parser)]
#[command(name = "gdscene", version, after_help = FIRST_STEPS)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Check(CheckArgs),
    Format(FormatArgs),
    Fix(FixArgs),
    Explain(ExplainArgs),
    Rules(RulesArgs),
    Variant(VariantArgs),
    O3de(O3deArgs),
    Parse(ParseArgs),
    Deps(DepsArgs),
    Stats(StatsArgs),
    Completions(CompletionsArgs),
    /// Print the manual pages.
    ///
    /// For example: gdscene man > /usr/local/share/man/man1/gdscene.1
    Man,
}

/// Report what is wrong in scenes and resources.
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
    /// In folders, all .tscn, .tres and .escn files are checked. Hidden folders, what .gitignore
    /// names, and folders with a .gdignore file in them are left out. A file that is named here
    /// is checked whatever it is called.
    #[arg(required = true, value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,

    /// How to print what is found.
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub(crate) output: OutputFormat,

    /// Write what is found to this file, as a whole; standard output gets the last line only.
    #[arg(long, value_name = "FILE")]
    pub(crate) output_file: Option<PathBuf>,

    /// Check only files that differ from this git revision, and those that git does not know yet.
    ///
    /// Any name of a revision will do: HEAD, a branch, a tag. What a branch changed is told by the revision at
    /// which it began: --since "$(git merge-base origin/main HEAD)".
    #[arg(long, value_name = "REV")]
    pub(crate) since: Option<String>,

    /// With --since, check those files too that depend on what has changed, directly or through others.
    ///
    /// A node that was renamed, a script that lost a signal or a file that is gone breaks scenes that did not change.
    #[arg(long, requires = "since")]
    pub(crate) dependents: bool,

    /// Check again whenever a file changes: that file, and those that depend on it. Ctrl+C ends it.
    #[arg(long, conflicts_with_all = ["since", "output_file"])]
    pub(crate) watch: bool,

    #[command(flatten)]
    pub(crate) rules: RuleArgs,

    /// Leave out the findings that this file lists, which --write-baseline wrote.
    #[arg(long, value_name = "FILE")]
    pub(crate) baseline: Option<PathBuf>,

    /// Report nothing; write a list of all findings to this file, for --baseline.
    #[arg(long, value_name = "FILE", conflicts_with = "baseline")]
    pub(crate) write_baseline: Option<PathBuf>,

    /// Whether to colour the output: `auto` does it on a terminal, unless NO_COLOR is set.
    #[arg(long, value_enum, default_value_t, value_name = "WHEN")]
    pub(crate) color: ColorChoice,
}

/// Write scenes and resources as Godot saves them.
///
/// White space, the order of fields, external resources and dictionary keys, the form of numbers,
/// escapes and quotes: all becomes what Godot would write. What Godot reads stays the same, and
/// comments, properties and ids stay where they are. Files that Godot saved stay as they are. Files
/// that Godot would refuse or misread are not touched but reported, and so are files of Godot 2.
///
/// Examples:
///   gdscene format .              the project in this folder
///   gdscene format --check .      in CI: list what is not formatted
///   gdscene format - < a.tscn     from standard input to standard output
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment, after_help = FORMAT_EXIT_STATUS)]
pub(crate) struct FormatArgs {
    /// Files and folders; `-` reads one file from standard input and writes it to standard output.
    ///
    /// In folders, the same files are formatted that `gdscene check` checks, but for .escn files.
    #[arg(required = true, value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,

    /// Write nothing; list the files that would change.
    #[arg(long, conflicts_with = "diff")]
    pub(crate) check: bool,

    /// Write nothing; print what would change as unified diffs.
    #[arg(long)]
    pub(crate) diff: bool,

    /// The version of Godot whose format to write: auto, 3.x, 3.1 to 3.6, 4.0 to 4.7.
    ///
    /// `auto` takes it from the features in the project.godot of each file's project, unless the
    /// file's header shows that another version saved it. A version that is named here is taken for all
    /// files. What is written is compared with files that Godot 3.6, 4.2, 4.5, 4.6 and 4.7 saved; the
    /// other versions follow from what is known to have changed.
    #[arg(long, default_value = "auto", value_name = "VERSION", value_parser = target)]
    pub(crate) target: FormatTarget,

    /// Format .escn files too, which exporters write and people do not edit.
    #[arg(long, visible_alias = "force")]
    pub(crate) force_escn: bool,

    /// How to print what --check finds.
    #[arg(
        long,
        value_enum,
        default_value_t = OutputFormat::Concise,
        requires = "check",
        value_name = "FORMAT"
    )]
    pub(crate) output: OutputFormat,

    /// Whether to colour the output of --check: `auto` does it on a terminal, unless NO_COLOR is set.
    #[arg(long, value_enum, default_value_t, value_name = "WHEN")]
    pub(crate) color: ColorChoice,
}

/// The value of `--target`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FormatTarget {
    /// What each file's project says.
    Auto,
    /// This version.
    Version(GodotVersion),
}

fn target(text: &str) -> Result<FormatTarget, UnknownVersion> {
    if text == "auto" { Ok(FormatTarget::Auto) } else { text.parse().map(FormatTarget::Version) }
}

/// Repair what `gdscene check` finds.
///
/// Only safe fixes are applied, after which Godot loads the same as before, unless it could not load
/// the file at all. Comments are kept.
///
/// Some fixes touch several files of a project: scripts and .uid files too, and files that are not named here. They are
/// written together or not at all, and not if one of the files has changed meanwhile.
///
/// Examples:
///   gdscene fix .                 the project in this folder
///   gdscene fix --diff .          show what would change
///   gdscene fix - < a.tscn        from standard input to standard output
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment, after_help = FIX_EXIT_STATUS)]
pub(crate) struct FixArgs {
    /// Files and folders; `-` reads one file from standard input and writes it to standard output.
    #[arg(required = true, value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,

    /// Apply fixes too that may change what Godot loads.
    #[arg(long = "unsafe")]
    pub(crate) with_unsafe: bool,

    /// Write nothing; print what would change as unified diffs.
    #[arg(long)]
    pub(crate) diff: bool,

    /// Write nothing; tell which files would change.
    #[arg(long, conflicts_with = "diff")]
    pub(crate) dry_run: bool,

    #[command(flatten)]
    pub(crate) rules: RuleArgs,

    /// Fix .escn files too, which exporters write and people do not edit.
    #[arg(long)]
    pub(crate) force_escn: bool,
}

/// Print a file as data, for scripts.
///
/// The sections with their fields and properties, each with its place, in JSON. Values are given as
/// they are written. Files with errors are read as far as they can be.
///
/// Example:
///   gdscene parse --json a.tscn | jq '.sections[] | select(.tag == "node")'
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment, after_help = EXIT_STATUS)]
pub(crate) struct ParseArgs {
    /// A file; `-` reads from standard input.
    #[arg(value_name = "PATH")]
    pub(crate) path: PathBuf,

    /// On one line, for programs; else it is laid out for people.
    #[arg(long)]
    pub(crate) json: bool,
}

/// Print a script that completes commands in a shell.
///
/// For example: gdscene completions bash > ~/.local/share/bash-completion/completions/gdscene
#[derive(Debug, clap::Args)]
pub(crate) struct CompletionsArgs {
    /// The shell.
    pub(crate) shell: clap_complete::Shell,
}

/// Tell what a rule reports, why, and what to do about it.
///
/// Without CODE, list all rules, as `gdscene rules` does.
#[derive(Debug, clap::Args)]
pub(crate) struct ExplainArgs {
    /// The code or name of a rule, such as REF007 or unused-ext-resource.
    #[arg(value_name = "CODE")]
    pub(crate) code: Option<String>,
}

/// List the rules.
///
/// Each with its code, its name, how bad a finding is, whether the rule is on by default, and whether
/// some of its findings come with a fix. `gdscene explain CODE` tells more about one.
#[derive(Debug, clap::Args)]
pub(crate) struct RulesArgs {
    /// As one list of objects, for programs.
    #[arg(long)]
    pub(crate) json: bool,

    /// Write the documentation of each rule into this folder: a Markdown file for each, and an index.
    #[arg(long, value_name = "DIR", conflicts_with = "json")]
    pub(crate) docs: Option<PathBuf>,
}

/// Tell what a file needs, or what needs it.
///
/// Needed are the external resources of scenes and resources, and the paths and uids that stand in them, in
/// scripts, shaders and project.godot. Files that are missing are marked. What code puts together when it
/// runs, and classes that are called by their names, cannot be told.
///
/// Examples:
///   gdscene deps main.tscn                        all that it needs, as a tree
///   gdscene deps --reverse player.gd              all that needs it
///   gdscene deps --graph dot . | dot -Tsvg        the whole project, drawn
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment, after_help = DEPS_EXIT_STATUS)]
pub(crate) struct DepsArgs {
    /// A file of a project, or a folder for the whole project.
    #[arg(value_name = "FILE")]
    pub(crate) path: PathBuf,

    /// Tell what refers to the file instead.
    #[arg(long)]
    pub(crate) reverse: bool,

    /// Print the graph in a format for programs.
    #[arg(long, value_enum, value_name = "FORMAT")]
    pub(crate) graph: Option<GraphFormat>,
}

/// The formats of `gdscene deps --graph`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum GraphFormat {
    /// Graphviz
    Dot,
    /// Lists of files and references
    Json,
    /// For Markdown
    Mermaid,
}

/// Count what a project is made of.
///
/// Files by kind, nodes, resources and connections in scenes, what `gdscene check` finds, and the largest scenes
/// and resources.
#[derive(Debug, clap::Args)]
pub(crate) struct StatsArgs {
    /// A folder of a project.
    #[arg(value_name = "PATH", default_value = ".")]
    pub(crate) path: PathBuf,

    /// As one object, for programs.
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
pub(crate) enum ColorChoice {
    #[default]
    Auto,
    Always,
    Never,
}

const FIRST_STEPS: &str = "First steps, in the folder of a project:
  gdscene check .            what is wrong, and where
  gdscene explain REF007     what a code in that list means
  gdscene fix --diff .       what could be repaired; without --diff it is
  gdscene format --check .   which files Godot would save otherwise

`gdscene help COMMAND` says more about one command, with examples.

Exit status: 0 nothing found, 1 errors or warnings found, 2 wrong usage or a file that cannot be read.";

const EXIT_STATUS: &str = "Exit status: 0 nothing found, 1 errors or warnings found, \
                           2 wrong usage or a file that cannot be read.";

const DEPS_EXIT_STATUS: &str =
    "Exit status: 0 all is there, 1 files are missing, 2 wrong usage or no project.";

const FIX_EXIT_STATUS: &str = "Exit status: 0 nothing is left to report, 1 errors or warnings are left, or fixes would be \
     applied (with --diff and --dry-run), 2 wrong usage, or a file that cannot be read or written.";

const FORMAT_EXIT_STATUS: &str = "Exit status: 0 all is formatted now, 1 files would change (with --check and --diff), 2 wrong \
     usage, or a file that cannot be read, formatted or written.";

impl ColorChoice {
    /// Whether standard output gets colours.
    pub(crate) fn is_on(self) -> bool {
        match self {
            Self::Always => true,
            Self::Never => false,
            Self::Auto => {
                let no_color = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
                stdout().is_terminal() && !no_color
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn definition_is_sound() {
        use clap::CommandFactory;
        super::Args::command().debug_assert();
    }
}
