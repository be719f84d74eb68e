//! `gdscene instance`

use std::path::Path;

use gdscene_refactor::Operation;

use crate::commands::Status;
use crate::commands::new_node::NewNodeArgs;
use crate::commands::operate::{EXIT_STATUS, OperateArgs, Task, run as operate};
use crate::commands::refactor::{plain, res_path};

/// Add a scene as a node.
///
/// NODE is the path that it gets, as for `gdscene add`.
///
/// Examples:
///   gdscene instance level.tscn Enemies/Slime slime.tscn --set 'position=Vector2(64, 0)'
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment, after_help = EXIT_STATUS)]
pub(crate) struct InstanceArgs {
    /// The scene: a path, or `res://…`.
    file: String,

    /// The path that it gets.
    node: String,

    /// The scene: a path, or `res://…`.
    scene: String,

    #[command(flatten)]
    with: NewNodeArgs,

    #[command(flatten)]
    operate: OperateArgs,
}

pub(crate) fn run(args: &InstanceArgs) -> Status {
    operate(&plain(Path::new(&args.file)), args.operate, |project| {
        let file = res_path(project, &args.file)?;
        let scene = res_path(project, &args.scene)?;
        let with = args.with.new_node(project)?;
        Ok(Task::one(
            file,
            Operation::Instance { file: None, node: args.node.clone(), scene, with },
        ))
    })
}
