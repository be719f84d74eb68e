//! `gdscene get`

use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::Path;

use gdscene_refactor::{EditError, EditErrorKind, ObjectValues, PropertyValue, ValueSource, get};
use godot_project::PropertyPath;

use crate::commands::operate::{OperateError, fail, open, project_of};
use crate::commands::refactor::res_path;
use crate::commands::{Status, written};
use crate::output::edited::EditFormat;
use crate::output::to_json_pretty;
use crate::terminal::{complain, for_stdout};

/// Print the value of a property, or the properties of a node or resource.
///
/// The value is printed in the form of Godot's scenes, which `gdscene set` accepts. It comes from the file, from a
/// scene that the node is an instance of, from the script, or from the default of the class. A list of values, and the
/// JSON output, also show this source.
///
/// A path is `NODE:PROPERTY`, `:PROPERTY` in a resource, or `::ID:PROPERTY` of a `sub_resource`. It may lead through
/// resources and into other files: `Player:stats:health`.
///
/// Examples:
///   gdscene get level.tscn Player:position
///   gdscene get level.tscn Player/Shape:shape:size
///   gdscene get level.tscn Player
///   gdscene get sword.tres :damage
///   gdscene get --all --output json level.tscn Player
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment, after_help = EXIT_STATUS)]
pub(crate) struct GetArgs {
    /// The scene or resource: a path, or `res://…`.
    file: String,

    /// The property: `NODE:PROPERTY`. With only a node, all set or exported properties.
    #[arg(value_name = "NODE[:PROPERTY]")]
    at: String,

    /// Also list properties that have the class's default.
    #[arg(long)]
    all: bool,

    /// How to print it.
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    output: EditFormat,
}

const EXIT_STATUS: &str = "Exit status:
  0  value printed
  1  value unknown: it is not set, and the default of the class or script is unknown
  2  wrong usage, no project, a file that cannot be read, or a missing node or property";

pub(crate) fn run(args: &GetArgs) -> Status {
    match read(args) {
        Ok((at, values)) if at.keys.is_empty() => print(args.output, &values, list),
        Ok((_, values)) => print_one(args.output, &values),
        Err(error) => fail(&error, args.output),
    }
}

fn read(args: &GetArgs) -> Result<(PropertyPath, ObjectValues), OperateError> {
    let workspace = open(Path::new(&args.file), true)?;
    let project = project_of(&workspace)?;
    let file = res_path(project, &args.file)?;
    let refused = |kind: EditErrorKind| EditError {
        operation: None,
        file: Some(file.clone()),
        kind: Box::new(kind),
    };
    let at: PropertyPath = args.at.parse().map_err(|error| refused(EditErrorKind::Path(error)))?;
    let mut values = get(project, &file, &at).map_err(refused)?;
    if at.keys.is_empty() && !args.all {
        let is_told = |found: &PropertyValue| {
            !matches!(found.from, ValueSource::Class | ValueSource::Computed)
        };
        values.properties.retain(is_told);
    }
    Ok((at, values))
}

/// Prints the value of the property that was asked for, and nothing else.
fn print_one(output: EditFormat, values: &ObjectValues) -> Status {
    let value = |values: &ObjectValues| {
        let values = values.properties.iter().filter_map(|found| found.value.as_ref());
        values.map(|value| format!("{value}\n")).collect()
    };
    let status = print(output, values, value);
    let unknown = values.properties.iter().find(|found| found.value.is_none());
    let Some(unknown) = unknown.filter(|_| status == Status::Clean) else { return status };
    if output == EditFormat::Text {
        let why = match unknown.from {
            ValueSource::Computed => "is not saved; Godot computes it from other properties",
            _ => "is not set, and its default is unknown",
        };
        complain(format_args!("`{}` {why}", unknown.name));
    }
    Status::Findings
}

fn print(
    output: EditFormat,
    values: &ObjectValues,
    text: impl FnOnce(&ObjectValues) -> String,
) -> Status {
    let out = match output {
        EditFormat::Json => (to_json_pretty(values) + "\n").into_bytes(),
        EditFormat::Text => for_stdout(text(values).into_bytes()),
    };
    written(io::stdout().lock().write_all(&out), Status::Clean)
}

/// A line for each property: `position = Vector2(1, 2)  (file)`.
fn list(values: &ObjectValues) -> String {
    let class = values.class.as_deref().unwrap_or("unknown class");
    let script = values.script.iter().map(|script| format!(" {script}"));
    let mut out = format!("{class}{}\n", script.collect::<String>());
    for PropertyValue { from, file, name, value, .. } in &values.properties {
        let value = value.as_deref().unwrap_or("?");
        let from = match (from, file) {
            (ValueSource::File, _) => String::new(),
            (ValueSource::Scene | ValueSource::Script, Some(file)) => format!("  (from {file})"),
            (ValueSource::Computed, _) => "  (not saved)".to_owned(),
            _ => "  (default)".to_owned(),
        };
        let _ = writeln!(out, "{name} = {value}{from}");
    }
    out
}
