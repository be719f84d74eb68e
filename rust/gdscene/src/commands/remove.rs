//! `gdscene remove`

use std::path::Path;

use gdscene_refactor::Operation;

use crate::commands::Status;
use crate::commands::operate::{EXIT_STATUS, OperateArgs, Task, run as operate};
use crate::commands::refactor::{plain, res_path};

/// Remove a node with all below it, and its connections.
///
/// What refers to it is listed, and the node stays, unless --with-references says that those properties go back to their
/// defaults. Resources inside the file that nothing uses any more go.
///
/// Examples:
///   gdscene remove level.tscn Enemies/Slime
///   gdscene remove --with-references level.tscn Player
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment, after_help = EXIT_STATUS)]
pub(crate) struct RemoveArgs {
    /// The scene: a path, or `res://…`.
    file: String,

    /// The node: its path from the root.
    node: String,

    /// Take properties that name the node back to their defaults.
    #[arg(long)]
    with_references: bool,

    #[command(flatten)]
    operate: OperateArgs,
}

pub(crate) fn run(args: &RemoveArgs) -> Status {
    operate(&plain(Path::new(&args.file)), args.operate, |project| {
        let file = res_path(project, &args.file)?;
        Ok(Task::one(
            file,
            Operation::Remove {
                file: None,
                node: args.node.clone(),
                with_references: args.with_references,
            },
        ))
    })
}
