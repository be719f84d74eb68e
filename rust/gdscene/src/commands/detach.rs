//! `gdscene detach`

use std::path::Path;

use gdscene_refactor::Operation;

use crate::commands::Status;
use crate::commands::operate::{EXIT_STATUS, OperateArgs, Task, run as operate};
use crate::commands::refactor::{plain, res_path};

/// Take a node's script away, with the values of what it exports.
///
/// Examples:
///   gdscene detach level.tscn Player
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment, after_help = EXIT_STATUS)]
pub(crate) struct DetachArgs {
    /// The scene: a path, or `res://…`.
    file: String,

    /// The node: its path from the root.
    node: String,

    #[command(flatten)]
    operate: OperateArgs,
}

pub(crate) fn run(args: &DetachArgs) -> Status {
    operate(&plain(Path::new(&args.file)), args.operate, |project| {
        let file = res_path(project, &args.file)?;
        Ok(Task::one(file, Operation::Detach { file: None, node: args.node.clone() }))
    })
}
