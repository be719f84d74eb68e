//! `gdscene new`

use std::path::Path;

use clap::Subcommand;
use gdscene_refactor::Operation;

use crate::commands::Status;
use crate::commands::new_node::PropertiesArgs;
use crate::commands::operate::{EXIT_STATUS, OperateArgs, Task, run as operate};
use crate::commands::refactor::{plain, res_path};

/// Make a scene or resource.
///
/// The file is written as Godot would save it for the version of the project, with an uid of its own.
///
/// Examples:
///   gdscene new scene player.tscn CharacterBody2D
///   gdscene new scene boss.tscn --inherits enemy.tscn
///   gdscene new resource sword.tres Weapon --set damage=12
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment, after_help = EXIT_STATUS)]
pub(crate) struct NewArgs {
    #[command(subcommand)]
    kind: NewKind,
}

#[derive(Debug, Subcommand)]
enum NewKind {
    Scene(NewSceneArgs),
    Resource(NewResourceArgs),
}

/// Make a scene with a root.
///
/// Examples:
///   gdscene new scene player.tscn CharacterBody2D
///   gdscene new scene boss.tscn --inherits enemy.tscn --name Boss
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment, after_help = EXIT_STATUS)]
struct NewSceneArgs {
    /// The new file: a path, or `res://…`, with the extension .tscn.
    file: String,

    /// The class of the root, or the `class_name` of a script.
    #[arg(value_name = "TYPE", required_unless_present = "inherits", conflicts_with = "inherits")]
    class: Option<String>,

    /// The scene that it inherits: a path, or `res://…`.
    #[arg(long, value_name = "SCENE")]
    inherits: Option<String>,

    /// The name of the root; without it, what the file is called.
    #[arg(long)]
    name: Option<String>,

    #[command(flatten)]
    properties: PropertiesArgs,

    #[command(flatten)]
    operate: OperateArgs,
}

/// Make a resource.
///
/// Example:
///   gdscene new resource sword.tres Weapon --set damage=12
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment, after_help = EXIT_STATUS)]
struct NewResourceArgs {
    /// The new file: a path, or `res://…`, with the extension .tres.
    file: String,

    /// The class, or the `class_name` of a script.
    #[arg(value_name = "TYPE")]
    class: String,

    #[command(flatten)]
    properties: PropertiesArgs,

    #[command(flatten)]
    operate: OperateArgs,
}

pub(crate) fn run(args: &NewArgs) -> Status {
    match &args.kind {
        NewKind::Scene(args) => make(
            &args.file,
            args.class.as_deref(),
            args.inherits.as_deref(),
            args.name.as_deref(),
            &args.properties,
            args.operate,
        ),
        NewKind::Resource(args) => {
            make(&args.file, Some(&args.class), None, None, &args.properties, args.operate)
        }
    }
}

fn make(
    file: &str,
    class: Option<&str>,
    inherits: Option<&str>,
    name: Option<&str>,
    properties: &PropertiesArgs,
    args: OperateArgs,
) -> Status {
    operate(&plain(Path::new(file)), args, |project| {
        let file = res_path(project, file)?;
        let operation = Operation::New {
            file: file.clone(),
            class: class.map(str::to_owned),
            inherits: inherits.map(|scene| res_path(project, scene)).transpose()?,
            name: name.map(str::to_owned),
            properties: properties.values(),
        };
        Ok(Task::one(file, operation))
    })
}
