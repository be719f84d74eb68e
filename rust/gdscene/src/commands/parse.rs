//! `gdscene parse`

use std::io::{self, Write};
use std::path::PathBuf;

use gdscene_render::JsonDocument;
use godot_tscn::{Document, LintOptions};

use crate::args::EXIT_STATUS;
use crate::commands::{Status, written};
use crate::files::read;
use crate::inputs::Input;
use crate::output::{to_json, to_json_pretty};

/// Print a file as data, for scripts.
///
/// The output is JSON: the sections with their fields and properties, each with its place. Values are strings, exactly
/// as in the file. Files with errors are read as completely as possible.
///
/// Example:
///   gdscene parse --json a.tscn | jq '.sections[] | select(.tag == "node")'
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment, after_help = EXIT_STATUS)]
pub(crate) struct ParseArgs {
    /// A file; `-` reads from standard input.
    #[arg(value_name = "PATH")]
    path: PathBuf,

    /// Print on one line, for programs; without it, the output is indented.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &ParseArgs) -> Status {
    let input = Input::named(&args.path);
    let text = match read(&input) {
        Ok(text) => text,
        Err(problem) => {
            problem.report();
            return Status::Failure;
        }
    };
    let document = godot_tscn::parse(&text);
    let name = input.name();
    let status = if has_errors(&document, &name) { Status::Findings } else { Status::Clean };
    let mut out = io::stdout().lock();
    let tree = JsonDocument::new(&document, &name);
    let json = if args.json { to_json(&tree) } else { to_json_pretty(&tree) };
    written(writeln!(out, "{json}"), status)
}

fn has_errors(document: &Document<'_>, name: &str) -> bool {
    let report = godot_tscn::lint_unsuppressed(document, &LintOptions::for_path(name), |_| true);
    report.count(godot_tscn::Severity::Error) > 0
}
