//! `gdscene editable`

use std::path::Path;

use gdscene_refactor::Operation;

use crate::commands::Status;
use crate::commands::operate::{EXIT_STATUS, OperateArgs, Task, run as operate};
use crate::commands::refactor::{plain, res_path};

/// Let the nodes of an instanced scene be changed in this scene.
///
/// As "Editable Children" in the editor. With --off, the nodes that were changed here are again as their scene has them.
///
/// Examples:
///   gdscene editable level.tscn House
///   gdscene editable --off level.tscn House
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment, after_help = EXIT_STATUS)]
pub(crate) struct EditableArgs {
    /// The scene: a path, or `res://…`.
    file: String,

    /// The node: its path from the root.
    node: String,

    /// Do not let them be changed any more.
    #[arg(long)]
    off: bool,

    #[command(flatten)]
    operate: OperateArgs,
}

pub(crate) fn run(args: &EditableArgs) -> Status {
    operate(&plain(Path::new(&args.file)), args.operate, |project| {
        let file = res_path(project, &args.file)?;
        Ok(Task::one(
            file,
            Operation::Editable { file: None, node: args.node.clone(), on: !args.off },
        ))
    })
}
