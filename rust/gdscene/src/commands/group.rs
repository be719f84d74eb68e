//! `gdscene group`

use std::path::Path;

use gdscene_refactor::Operation;

use crate::commands::Status;
use crate::commands::operate::{EXIT_STATUS, OperateArgs, Task, run as operate};
use crate::commands::refactor::{plain, res_path};

/// Add a node to groups, and take it out of others.
///
/// Examples:
///   gdscene group level.tscn Slime enemies
///   gdscene group level.tscn Slime --remove enemies
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment, after_help = EXIT_STATUS)]
pub(crate) struct GroupArgs {
    /// The scene: a path, or `res://…`.
    file: String,

    /// The node: its path from the root.
    node: String,

    /// Groups to be in.
    #[arg(value_name = "GROUP", required_unless_present = "remove")]
    add: Vec<String>,

    /// A group not to be in.
    #[arg(long, value_name = "GROUP")]
    remove: Vec<String>,

    #[command(flatten)]
    operate: OperateArgs,
}

pub(crate) fn run(args: &GroupArgs) -> Status {
    operate(&plain(Path::new(&args.file)), args.operate, |project| {
        let file = res_path(project, &args.file)?;
        Ok(Task::one(
            file,
            Operation::Group {
                file: None,
                node: args.node.clone(),
                add: args.add.clone(),
                remove: args.remove.clone(),
            },
        ))
    })
}
