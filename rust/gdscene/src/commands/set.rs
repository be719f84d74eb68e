//! `gdscene set`

use std::path::Path;

use gdscene_refactor::{Operation, ValueSpec};
use godot_project::Project;

use crate::commands::Status;
use crate::commands::operate::{EXIT_STATUS, OperateArgs, OperateError, Task, run as operate};
use crate::commands::refactor::{plain, res_path};
use crate::inputs::Problem;

/// Give a property a value.
///
/// The value is Godot's text, as it stands in scenes: `Vector2(1, 2)`, `"text"`, `true`. It has to fit the property's type. One that
/// equals the default is left out of the file, as Godot does. What Godot saves for the property is changed: `transform` for
/// `rotation` of a Node3D, say.
///
/// Examples:
///   gdscene set level.tscn Player:position 'Vector2(16, 32)'
///   gdscene set level.tscn Player:speed 300
///   gdscene set --json level.tscn Title:text '"Start"'
///   gdscene set level.tscn Player/Sprite:texture --load player.png
///   gdscene set sword.tres :damage 12
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment, after_help = EXIT_STATUS)]
pub(crate) struct SetArgs {
    /// The scene or resource: a path, or `res://…`.
    file: String,

    /// The property: `NODE:PROPERTY`, `:PROPERTY` in a resource, or `::ID:PROPERTY` of a `sub_resource`.
    #[arg(value_name = "NODE:PROPERTY")]
    at: String,

    /// The value.
    #[arg(required_unless_present = "load", allow_negative_numbers = true)]
    value: Option<String>,

    /// The value is JSON: a number, a text in quotes, a list for a vector.
    #[arg(long, conflicts_with = "load")]
    json: bool,

    /// The value is the resource in this file: a path, or `res://…`.
    #[arg(long, value_name = "FILE", conflicts_with = "value")]
    load: Option<String>,

    #[command(flatten)]
    operate: OperateArgs,
}

pub(crate) fn run(args: &SetArgs) -> Status {
    operate(&plain(Path::new(&args.file)), args.operate, |project| {
        let file = res_path(project, &args.file)?;
        let value = value(project, args)?;
        Ok(Task::one(file, Operation::Set { file: None, at: args.at.clone(), value }))
    })
}

fn value(project: &Project, args: &SetArgs) -> Result<ValueSpec, OperateError> {
    if let Some(path) = &args.load {
        return Ok(ValueSpec::Load(res_path(project, path)?));
    }
    let text = args.value.clone().unwrap_or_default();
    if !args.json {
        return Ok(ValueSpec::Godot(text));
    }
    serde_json::from_str(&text).map_err(|error| {
        let reason = format!("not valid JSON: {error}");
        OperateError::Input(Problem { path: "VALUE".into(), reason })
    })
}
