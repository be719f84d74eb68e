//! `gdscene o3de`: files in O3DE's JSON.

mod check;
mod convert;
mod patch;
mod schema;

use std::path::{Path, PathBuf};

use clap::{Subcommand, ValueEnum};
use godot_variant::VariantType;
use o3de_json::{
    Issue, Json, JsonError, Kind, Profile, ReadLimits, Registry, Schema, SchemaError, Settings,
};
use thiserror::Error;

use crate::commands::{Status, written};
use crate::files;
use crate::inputs::{Input, Problem};

/// Check, convert and patch files in O3DE's JSON, which `O3deJson` stores.
#[derive(Debug, clap::Args)]
pub(crate) struct O3deArgs {
    #[command(subcommand)]
    command: O3deCommand,
}

#[derive(Debug, Subcommand)]
enum O3deCommand {
    Check(check::CheckArgs),
    Convert(convert::ConvertArgs),
    Patch(patch::PatchArgs),
    Schema(schema::SchemaArgs),
}

/// The types of the values.
#[derive(Debug, clap::Args)]
struct Types {
    /// A file with the schema of the value, in its long or short form, such as {"hp": "u8"}. Without it, the checked
    /// file must name its class in `ClassName` or `$type`.
    #[arg(long, value_name = "FILE")]
    schema: Option<PathBuf>,

    /// A file with the known classes: an object with a member for each class, which has `fields`, `bases` and `uuid`.
    /// Bases must come before the classes that derive from them.
    #[arg(long, value_name = "FILE")]
    classes: Option<PathBuf>,

    /// Which one to follow if O3DE's documentation and its code differ.
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

pub(crate) fn run(args: &O3deArgs) -> Status {
    match &args.command {
        O3deCommand::Check(args) => check::run(args),
        O3deCommand::Convert(args) => convert::run(args),
        O3deCommand::Patch(args) => patch::run(args),
        O3deCommand::Schema(args) => schema::run(args),
    }
}

/// The schema and the classes of a call.
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
    NotJson { input: Input, source: JsonError },
    #[error("{source}")]
    NotASchema { input: Input, source: SchemaError },
    #[error("expected an object with a class for each name")]
    NotClasses { input: Input },
    #[error("{name}: {source}")]
    NotAClass { input: Input, name: String, source: SchemaError },
}

impl From<FileError> for Problem {
    fn from(error: FileError) -> Self {
        match error {
            FileError::Unreadable(problem) => problem,
            FileError::NotJson { input, source } => {
                let JsonError { line, column, message, .. } = source;
                let path = format!("{}:{line}:{column}", input.name()).into();
                Self { path, reason: message }
            }
            FileError::NotASchema { ref input, .. }
            | FileError::NotClasses { ref input }
            | FileError::NotAClass { ref input, .. } => input.problem(&error),
        }
    }
}

impl Loader {
    fn new(types: &Types) -> Result<Loader, FileError> {
        let registry = registry(types.classes.as_deref())?;
        let schema = match &types.schema {
            Some(path) => {
                let json = read_json(path)?;
                let input = Input::named(path);
                let schema = Schema::from_json(&json, &registry);
                Some(schema.map_err(|source| FileError::NotASchema { input, source })?)
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

    /// The schema of the class that a wrapped document names.
    fn schema_of_class(&self, class: &str) -> Option<Schema> {
        self.registry
            .schema_of(class)
            .or_else(|| VariantType::from_name(class).map(Schema::of_type))
    }

    /// The schema of a document: the given one, or any type if the document has a `$type`.
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
        return Err(FileError::NotClasses { input: Input::named(path) });
    };
    for (name, class) in classes {
        registry.register_json(name, class).map_err(|source| {
            let (input, name) = (Input::named(path), name.clone());
            FileError::NotAClass { input, name, source }
        })?;
    }
    Ok(registry)
}

fn read_json(path: &Path) -> Result<Json, FileError> {
    let input = Input::named(path);
    let bytes = files::read(&input).map_err(FileError::Unreadable)?;
    Json::parse_bytes(&bytes, ReadLimits::default())
        .map_err(|source| FileError::NotJson { input, source })
}

/// A diagnostic as a line.
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
            Input::named(path).problem(error).report();
            Status::Failure
        }
    }
}

fn failed(error: impl Into<Problem>) -> Status {
    error.into().report();
    Status::Failure
}
