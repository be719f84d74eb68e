//! `gdscene attach`

use std::path::Path;

use gdscene_refactor::Operation;

use crate::commands::Status;
use crate::commands::operate::{EXIT_STATUS, OperateArgs, Task, run as operate};
use crate::commands::refactor::{plain, res_path};

/// Give a node a script.
///
/// The script has to extend the node's class or one that it inherits.
///
/// Examples:
///   gdscene attach level.tscn Player player.gd
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment, after_help = EXIT_STATUS)]
pub(crate) struct AttachArgs {
    /// The scene: a path, or `res://…`.
    file: String,

    /// The node: its path from the root.
    node: String,

    /// The script: a path, or `res://…`.
    script: String,

    #[command(flatten)]
    operate: OperateArgs,
}

pub(crate) fn run(args: &AttachArgs) -> Status {
    operate(&plain(Path::new(&args.file)), args.operate, |project| {
        let file = res_path(project, &args.file)?;
        let script = res_path(project, &args.script)?;
        Ok(Task::one(file, Operation::Attach { file: None, node: args.node.clone(), script }))
    })
}
