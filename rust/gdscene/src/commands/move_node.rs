//! `gdscene move-node`

use std::path::Path;

use gdscene_refactor::move_node;

use crate::commands::Status;
use crate::commands::refactor::{EXIT_STATUS, RefactorArgs, res_path, run as carry_out};

/// Move a node of a scene to another parent, with its child nodes, and update all paths to them.
///
/// Paths change as in `gdscene rename-node`, including the paths that start at the moved nodes. The node keeps its own
/// transform, so it appears elsewhere if the transform of its new parent differs.
///
/// Examples:
///   gdscene move-node level.tscn Player/Sprite .          to the root
///   gdscene move-node level.tscn Hud/Score Hud --at 0     first among its siblings
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment, after_help = EXIT_STATUS)]
pub(crate) struct MoveNodeArgs {
    /// The scene that contains the node: a path, or `res://…`.
    scene: String,

    /// The path of the node from the scene's root: `Player/Sprite`.
    path: String,

    /// The path of its new parent, a node of the scene itself: `.` is the root.
    new_parent: String,

    /// The index among the children of the new parent, counted from 0. Default: last.
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
