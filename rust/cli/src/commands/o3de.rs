//! `gdscene o3de`: files in O3DE's JSON.

mod check;
mod convert;
mod patch;
mod schema;

use std::path::{Path, PathBuf};

use clap::{Subcommand, ValueEnum};
use o3de_json::{
    Issue, Json, JsonError, Kind, Profile, ReadLimits, Registry, Schema, SchemaError, Settings,
};
use thiserror::Error;
use variant::VariantType;

use crate::commands::{Status, written};
use crate::files;
use crate::walk::{Problem, Target};

/// Check, convert and patch files in O3DE's JSON: what `O3deJson` stores.
#[derive(Debug, clap::Args)]
pub(crate) struct O3deArgs {
    #[command(subcommand)]
    command: O3deCommand,
}

#[derive(Debug, Subcommand)]
enum O3deCommand {
    Check(CheckArgs),
    Convert(ConvertArgs),
    Patch(PatchArgs),
    Schema(SchemaArgs),
}

/// What values are to be.
#[derive(Debug, clap::Args)]
struct Types {
    /// A file with the schema of the value, in its long or short form, such as {"hp": "u8"}. Without
    /// it the file has to name its class, in `ClassName` or `$type`.
    #[arg(long, value_name = "FILE")]
    schema: Option<PathBuf>,

    /// A file with the classes that may be named: an object of a name for each, with `fields`, `bases`
    /// and `uuid`, the bases before what derives from them.
    #[arg(long, value_name = "FILE")]
    classes: Option<PathBuf>,

    /// Where O3DE's documentation and its code differ, whom to follow.
    #[arg(long, value_enum, default_value = "doc")]
    profile: ProfileName,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum ProfileName {
    /// The documentation
    Doc,
    /// The code
    Engine,
}

/// Report what in files does not fit their schema.
///
/// Text that is no JSON, values that their types do not take, members that are not known, and names of
/// classes that are not there: each with its place.
///
/// Examples:
///   gdscene o3de check --schema save.schema.json saves/*.json
///   gdscene o3de check --classes classes.json hero.json     it names its class itself
///   gdscene o3de check settings.json                        is it JSON at all?
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment, after_help = CHECK_EXIT_STATUS)]
struct CheckArgs {
    /// Files; `-` reads standard input.
    #[arg(required = true, value_name = "FILE")]
    paths: Vec<PathBuf>,

    #[command(flatten)]
    types: Types,

    /// Print a JSON object for each finding.
    #[arg(long)]
    json: bool,
}

/// Write a file anew, as O3DE writes it.
///
/// The value is loaded and stored by its schema: numbers in strings become numbers, short forms long
/// ones, names get their spelling. Nothing is written if a part of the file cannot be read.
///
/// Examples:
///   gdscene o3de convert --schema save.schema.json old.json -o new.json
///   gdscene o3de convert --schema save.schema.json --strip - < old.json
///   gdscene o3de convert --imports level.json      with what it imports, and without a schema
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment, after_help = CONVERT_EXIT_STATUS)]
struct ConvertArgs {
    /// The file; `-` reads standard input.
    #[arg(value_name = "FILE")]
    path: PathBuf,

    #[command(flatten)]
    types: Types,

    /// Leave out what equals its default.
    #[arg(long)]
    strip: bool,

    /// On one line.
    #[arg(long)]
    compact: bool,

    /// First put the files that `$import` names in its place; they are looked for beside the file, and
    /// not outside of its folder.
    #[arg(long)]
    imports: bool,

    /// Where to write; standard output without it.
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Apply a patch to a file, or make one of two files.
///
/// Examples:
///   gdscene o3de patch save.json changes.json -o save.json
///   gdscene o3de patch --create old.json new.json > changes.json
///   gdscene o3de patch --merge settings.json override.json
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment, after_help = PATCH_EXIT_STATUS)]
struct PatchArgs {
    /// The file to patch; with --create the old one. `-` reads standard input.
    #[arg(value_name = "FILE")]
    document: PathBuf,

    /// The patch; with --create the new file.
    #[arg(value_name = "PATCH")]
    patch: PathBuf,

    /// The patch is a JSON Merge Patch (RFC 7386), and no JSON Patch (RFC 6902).
    #[arg(long)]
    merge: bool,

    /// Write the patch that makes the second file of the first.
    #[arg(long)]
    create: bool,

    /// On one line.
    #[arg(long)]
    compact: bool,

    /// Where to write; standard output without it.
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// Print a schema in its long form.
///
/// Examples:
///   gdscene o3de schema save.schema.json
///   gdscene o3de schema --classes classes.json hero.schema.json
///   echo '["u8", "Color"]' | gdscene o3de schema -
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment, after_help = SCHEMA_EXIT_STATUS)]
struct SchemaArgs {
    /// A file with a schema; `-` reads standard input.
    #[arg(value_name = "FILE")]
    path: PathBuf,

    /// A file with the classes that may be named.
    #[arg(long, value_name = "FILE")]
    classes: Option<PathBuf>,

    /// On one line.
    #[arg(long)]
    compact: bool,
}

const CHECK_EXIT_STATUS: &str =
    "Exit status: 0 all fits, 1 something does not, 2 wrong usage or a file that cannot be read.";

const CONVERT_EXIT_STATUS: &str = "Exit status: 0 converted, 1 something in the file does not fit, 2 wrong usage or a file that cannot be read or written.";

const PATCH_EXIT_STATUS: &str = "Exit status: 0 done, 1 the patch cannot be applied or made, 2 wrong usage or a file that cannot be read or written.";

const SCHEMA_EXIT_STATUS: &str =
    "Exit status: 0 printed, 1 it is no schema, 2 wrong usage or a file that cannot be read.";

pub(crate) fn run(args: &O3deArgs) -> Status {
    match &args.command {
        O3deCommand::Check(args) => check::run(args),
        O3deCommand::Convert(args) => convert::run(args),
        O3deCommand::Patch(args) => patch::run(args),
        O3deCommand::Schema(args) => schema::run(args),
    }
}

/// Schema and classes of a call, read.
struct Loader {
    registry: Registry,
    schema: Option<Schema>,
    settings: Settings,
}

/// Why a file of a call cannot be used.
#[derive(Debug, Error)]
enum FileError {
    #[error("{}", .0.reason)]
    Unreadable(Problem),
    #[error("{}", source.message)]
    NotJson { target: Target, source: JsonError },
    #[error("{source}")]
    NotASchema { target: Target, source: SchemaError },
    #[error("not an object with a class for each name")]
    NotClasses { target: Target },
    #[error("{name}: {source}")]
    NotAClass { target: Target, name: String, source: SchemaError },
}

impl From<FileError> for Problem {
    fn from(error: FileError) -> Self {
        match error {
            FileError::Unreadable(problem) => problem,
            FileError::NotJson { target, source } => {
                let JsonError { line, column, message, .. } = source;
                let path = format!("{}:{line}:{column}", target.name()).into();
                Self { path, reason: message }
            }
            FileError::NotASchema { ref target, .. }
            | FileError::NotClasses { ref target }
            | FileError::NotAClass { ref target, .. } => target.problem(&error),
        }
    }
}

impl Loader {
    fn new(types: &Types) -> Result<Loader, FileError> {
        let registry = registry(types.classes.as_deref())?;
        let schema = match &types.schema {
            Some(path) => {
                let json = read_json(path)?;
                let target = target(path);
                let schema = Schema::from_json(&json, &registry);
                Some(schema.map_err(|source| FileError::NotASchema { target, source })?)
            }
            None => None,
        };
        let profile = match types.profile {
            ProfileName::Doc => Profile::Doc,
            ProfileName::Engine => Profile::Engine,
        };
        let settings = Settings { profile, keep_defaults: true, clear_containers: true };
        Ok(Loader { registry, schema, settings })
    }

    /// What a wrapped document, or one with a `$type`, says that it is.
    fn schema_of_class(&self, class: &str) -> Option<Schema> {
        self.registry
            .schema_of(class)
            .or_else(|| VariantType::from_name(class).map(Schema::of_type))
    }

    /// The schema of a document: the one given, else what `$type` names.
    fn schema_of(&self, document: &Json) -> Option<Schema> {
        match &self.schema {
            Some(schema) => Some(schema.clone()),
            None => document.member("$type").map(|_| Kind::Any.into()),
        }
    }
}

fn registry(path: Option<&Path>) -> Result<Registry, FileError> {
    let mut registry = Registry::default();
    let Some(path) = path else { return Ok(registry) };
    let json = read_json(path)?;
    let Some(classes) = json.as_object() else {
        return Err(FileError::NotClasses { target: target(path) });
    };
    for (name, class) in classes {
        registry.register_json(name, class).map_err(|source| {
            let (target, name) = (target(path), name.clone());
            FileError::NotAClass { target, name, source }
        })?;
    }
    Ok(registry)
}

fn target(path: &Path) -> Target {
    match path.as_os_str() == "-" {
        true => Target::Stdin,
        false => Target::File(path.to_owned()),
    }
}

fn read_json(path: &Path) -> Result<Json, FileError> {
    let target = target(path);
    let bytes = files::read(&target).map_err(FileError::Unreadable)?;
    Json::parse_bytes(&bytes, ReadLimits::default())
        .map_err(|source| FileError::NotJson { target, source })
}

/// A finding as a line.
fn line_of(name: &str, issue: &Issue) -> String {
    let place = if issue.path.is_empty() { "the whole value" } else { &issue.path };
    format!("{name}: {place}: {} [{:?}]", issue.message, issue.code.outcome())
}

fn text_of(json: &Json, compact: bool) -> String {
    let text = if compact { json.to_text() } else { json.to_text_pretty() };
    text + "\n"
}

/// Writes to a file, or to standard output.
fn write(output: Option<&Path>, text: &str) -> Status {
    use std::io::Write;
    let Some(path) = output else {
        let mut out = std::io::stdout().lock();
        return written(out.write_all(text.as_bytes()).and_then(|()| out.flush()), Status::Clean);
    };
    match files::create_or_replace(path, text.as_bytes()) {
        Ok(()) => Status::Clean,
        Err(error) => {
            target(path).problem(error).report();
            Status::Failure
        }
    }
}

fn failed(error: impl Into<Problem>) -> Status {
    error.into().report();
    Status::Failure
}
