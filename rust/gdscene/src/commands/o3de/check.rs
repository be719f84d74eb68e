//! `gdscene o3de check`

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use o3de_json::{Issue, Json, JsonError, Outcome, load, wrapped_class};

use super::{FileError, Loader, Types, failed, line_of, read_json};
use crate::commands::{Status, written};
use crate::inputs::Input;

/// Report the places where files do not match their schema.
///
/// This reports invalid JSON, values of wrong types, unknown members and unknown classes, each with its place.
///
/// Examples:
///   gdscene o3de check --schema save.schema.json saves/*.json
///   gdscene o3de check --classes classes.json hero.json     the file names its class
///   gdscene o3de check settings.json                        checks only that it is JSON
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment, after_help = EXIT_STATUS)]
pub(super) struct CheckArgs {
    /// Files; `-` reads standard input.
    #[arg(required = true, value_name = "FILE")]
    paths: Vec<PathBuf>,

    #[command(flatten)]
    types: Types,

    /// Print a JSON object for each diagnostic.
    #[arg(long)]
    json: bool,
}

const EXIT_STATUS: &str = "Exit status:
  0  all files match
  1  a file does not match
  2  wrong usage, or a file that cannot be read";

pub(super) fn run(args: &CheckArgs) -> Status {
    let loader = match Loader::new(&args.types) {
        Ok(loader) => loader,
        Err(error) => return failed(error),
    };
    let mut out = io::stdout().lock();
    let mut status = Status::Clean;
    for path in &args.paths {
        let (lines, found) = check(path, &loader, args.json);
        status = status.max(found);
        let result = lines.iter().try_for_each(|line| writeln!(out, "{line}"));
        status = status.max(written(result, status));
    }
    status
}

/// The lines to print about a file.
fn check(path: &Path, loader: &Loader, as_json: bool) -> (Vec<String>, Status) {
    let name = Input::named(path).name().into_owned();
    let json = match read_json(path) {
        Ok(json) => json,
        // Text that is not JSON is a diagnostic; a file that cannot be read is a failure.
        Err(FileError::NotJson { source: JsonError { line, column, message, .. }, .. }) => {
            let place = format!("{line}:{column}");
            let line = match as_json {
                true => object(&name, &place, &message, Outcome::Invalid),
                false => format!("{name}:{place}: {message}"),
            };
            return (vec![line], Status::Findings);
        }
        Err(error) => return (Vec::new(), failed(error)),
    };
    let issues = issues(&json, loader);
    let lines = issues.iter().map(|issue| match as_json {
        true => object(&name, &issue.path, &issue.message, issue.code.outcome()),
        false => line_of(&name, issue),
    });
    (lines.collect(), if issues.is_empty() { Status::Clean } else { Status::Findings })
}

/// Where a document does not match its schema.
pub(super) fn issues(json: &Json, loader: &Loader) -> Vec<Issue> {
    let is_harmless = |issue: &Issue| {
        matches!(
            issue.code.outcome(),
            Outcome::Success | Outcome::DefaultsUsed | Outcome::PartialDefaults
        )
    };
    let mut issues = match (wrapped_class(json), loader.schema_of(json)) {
        (Some(class), _) => {
            match o3de_json::load_wrapped(json, class, &loader.registry, loader.settings) {
                Ok(loaded) => loaded.issues,
                Err(issues) => issues,
            }
        }
        (None, Some(schema)) => {
            load(json, &schema, None, &loader.registry, loader.settings, None).issues
        }
        (None, None) => Vec::new(),
    };
    issues.retain(|issue| !is_harmless(issue));
    issues
}

fn object(name: &str, place: &str, message: &str, outcome: Outcome) -> String {
    let text = |text: &str| Json::from(text);
    Json::Object(vec![
        ("file".into(), text(name)),
        ("place".into(), text(place)),
        ("outcome".into(), text(&format!("{outcome:?}"))),
        ("message".into(), text(message)),
    ])
    .to_text()
}
