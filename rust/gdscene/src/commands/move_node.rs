//! `gdscene move-node`

use std::path::Path;

use gdscene_refactor::move_node;

use crate::commands::Status;
use crate::commands::refactor::{EXIT_STATUS, RefactorArgs, res_path, run as carry_out};

/// Give a node of a scene another parent, with all nodes below it and all paths that lead to them.
///
/// Paths change as by `gdscene rename-node`, those too that the nodes see which move. The node keeps its own transform, so
/// it is seen elsewhere if that of its new parent differs.
///
/// Examples:
///   gdscene move-node level.tscn Player/Sprite .          to the root
///   gdscene move-node level.tscn Hud/Score Hud --at 0     first among its siblings
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment, after_help = EXIT_STATUS)]
pub(crate) struct MoveNodeArgs {
    /// The scene whose text makes the node: a path, or `res://…`.
    scene: String,

    /// The path of the node from the scene's root: `Player/Sprite`.
    path: String,

    /// The path of its new parent, a node that the scene's text makes: `.` is the root.
    new_parent: String,

    /// Which child it becomes, counted from 0; the last one if this is not given.
    #[arg(long, value_name = "INDEX")]
    at: Option<usize>,

    #[command(flatten)]
    refactor: RefactorArgs,
}

pub(crate) fn run(args: &MoveNodeArgs) -> Status {
    carry_out(Path::new(&args.scene), &args.refactor, |project| {
        move_node(project, &res_path(project, &args.scene)?, &args.path, &args.new_parent, args.at)
    })
}
