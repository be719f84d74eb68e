//! `gdscene diff`

pub(crate) mod driver;
mod ends;
mod files;
mod repository;

use std::borrow::Cow;
use std::ffi::OsString;
use std::io::{self, Write};

use clap::ValueEnum;

use crate::args::ColorChoice;
use crate::commands::{Status, written};
use crate::output::file_diff::FileDiff;
use crate::output::{diff_html, diff_json, diff_markdown, diff_text};
use crate::terminal::{complain, for_stdout};

use self::ends::Ends;

/// Show the differences between two scenes, resources or settings files, or between two revisions, by nodes and
/// properties.
///
/// Nodes, properties, resources, connections and settings are compared one by one, regardless of numbers and order.
/// Changes that only matter to the editor or the engine are left out and counted. A file that Godot cannot read is
/// compared line by line.
///
/// Without arguments, this compares the files in the work tree with the last commit; with one revision, with that
/// revision; with --staged, the staged files. `A..B` compares A with B, and `A...B` shows the changes of B since it
/// branched off from A. Paths can follow; put `--` between revisions and paths. Two files or two folders are compared
/// with each other.
///
/// Examples:
///   gdscene diff
///   gdscene diff main levels/
///   gdscene diff main...feature --output markdown
///   gdscene diff old.tscn new.tscn
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment, after_help = EXIT_STATUS)]
pub(crate) struct DiffArgs {
    /// Revisions and paths, or two files, or two folders.
    #[arg(value_name = "REVISION|PATH")]
    given: Vec<OsString>,

    /// Paths in the repository.
    #[arg(last = true, value_name = "PATH")]
    paths: Vec<OsString>,

    /// Compare the staged files instead of the work tree.
    #[arg(long, visible_alias = "cached")]
    staged: bool,

    /// The format of the output.
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    output: DiffFormat,

    /// Show long values, and the whole content of added and removed items.
    #[arg(long)]
    full: bool,

    /// Exit with 1 if something differs; noise does not count.
    #[arg(long)]
    exit_code: bool,

    /// For two files: their path in the project, whose extension determines the file type.
    #[arg(long, value_name = "PATH")]
    path: Option<String>,

    /// When to use color.
    #[arg(long, value_enum, default_value_t, value_name = "WHEN")]
    color: ColorChoice,

    /// As git calls the program of `diff.<driver>.command`.
    #[arg(long, hide = true)]
    driver: bool,
}

const EXIT_STATUS: &str = "Exit status:
  0  done
  1  differences found, with --exit-code
  2  wrong usage, or a file that cannot be read";

/// How differences are printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum DiffFormat {
    /// For people
    #[default]
    Text,
    /// For programs: one object
    Json,
    /// For a comment on a pull request: shortened to GitHub's limit
    Markdown,
    /// For a browser: one page with the trees of nodes
    Html,
}

pub(crate) fn run(args: &DiffArgs) -> Status {
    if args.driver {
        return driver::run(&args.paths, args.color);
    }
    let found = Ends::new(&args.given, &args.paths, args.staged)
        .and_then(|ends| ends.compare(args.path.as_deref()));
    let files = match found {
        Ok(files) => files,
        Err(reason) => {
            complain(reason);
            return Status::Failure;
        }
    };
    let differs = !files.iter().all(FileDiff::is_only_noise);
    let status = if args.exit_code && differs { Status::Findings } else { Status::Clean };
    let text = match args.output {
        DiffFormat::Text => diff_text::text(&files, args.full, args.color.is_on()),
        DiffFormat::Json => diff_json::json(&files),
        DiffFormat::Markdown => diff_markdown::markdown(&files),
        DiffFormat::Html => diff_html::html(&title(args), &files),
    };
    let text = match args.output {
        // Text from files is made printable there, and colours are intended.
        DiffFormat::Text => text.into_bytes(),
        DiffFormat::Json | DiffFormat::Markdown | DiffFormat::Html => for_stdout(text.into_bytes()),
    };
    written(io::stdout().lock().write_all(&text), status)
}

/// What was compared, as it was asked for.
fn title(args: &DiffArgs) -> String {
    let staged = args.staged.then_some("--staged");
    let separator = (!args.paths.is_empty()).then_some("--");
    let given = args.given.iter().map(|given| given.to_string_lossy());
    let paths = args.paths.iter().map(|path| path.to_string_lossy());
    let start = ["gdscene diff"].into_iter().chain(staged).map(Cow::Borrowed);
    let words = start.chain(given).chain(separator.map(Cow::Borrowed)).chain(paths);
    words.collect::<Vec<_>>().join(" ")
}
