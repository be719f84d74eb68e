//! `gdscene unset`

use std::path::Path;

use gdscene_refactor::Operation;

use crate::commands::Status;
use crate::commands::operate::{EXIT_STATUS, OperateArgs, Task, run as operate};
use crate::commands::refactor::{plain, res_path};

/// Take a property back to its default.
///
/// In an instanced scene that is what the scene says, else the default of the script or class. Resources inside the file that
/// nothing uses any more go.
///
/// Examples:
///   gdscene unset level.tscn Player:position
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment, after_help = EXIT_STATUS)]
pub(crate) struct UnsetArgs {
    /// The scene or resource: a path, or `res://…`.
    file: String,

    /// The property: `NODE:PROPERTY`, `:PROPERTY` in a resource, or `::ID:PROPERTY` of a `sub_resource`.
    #[arg(value_name = "NODE:PROPERTY")]
    at: String,

    #[command(flatten)]
    operate: OperateArgs,
}

pub(crate) fn run(args: &UnsetArgs) -> Status {
    operate(&plain(Path::new(&args.file)), args.operate, |project| {
        let file = res_path(project, &args.file)?;
        Ok(Task::one(file, Operation::Unset { file: None, at: args.at.clone() }))
    })
}
