//! `gdscene load-resource`

use std::path::Path;

use gdscene_refactor::Operation;

use crate::commands::Status;
use crate::commands::operate::{EXIT_STATUS, OperateArgs, Task, run as operate};
use crate::commands::refactor::{plain, res_path};

/// Give a property the resource in another file.
///
/// The file becomes an `ext_resource` with its uid, or one that is there already is used.
///
/// Examples:
///   gdscene load-resource level.tscn Player/Sprite:texture player.png
///   gdscene load-resource level.tscn Player:stats res://stats.tres
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment, after_help = EXIT_STATUS)]
pub(crate) struct LoadResourceArgs {
    /// The scene or resource: a path, or `res://…`.
    file: String,

    /// The property: `NODE:PROPERTY`, `:PROPERTY` in a resource, or `::ID:PROPERTY` of a `sub_resource`.
    #[arg(value_name = "NODE:PROPERTY")]
    at: String,

    /// The other file: a path, or `res://…`.
    path: String,

    #[command(flatten)]
    operate: OperateArgs,
}

pub(crate) fn run(args: &LoadResourceArgs) -> Status {
    operate(&plain(Path::new(&args.file)), args.operate, |project| {
        let file = res_path(project, &args.file)?;
        let path = res_path(project, &args.path)?;
        Ok(Task::one(file, Operation::LoadResource { file: None, at: args.at.clone(), path }))
    })
}
