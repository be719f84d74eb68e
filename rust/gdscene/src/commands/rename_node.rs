//! `gdscene rename-node`

use std::path::Path;

use gdscene_refactor::rename_node;

use crate::commands::Status;
use crate::commands::refactor::{EXIT_STATUS, RefactorArgs, res_path, run as carry_out};

/// Rename a node of a scene, and update all paths to it and through it.
///
/// In the scene and in scenes that instance or inherit it, this changes parents, connections, editable instances, paths
/// in properties and resources, and animation tracks. In scripts, it changes `$A/B`, `%Name` and `get_node("A/B")` if
/// the path leads to the same node for every node with the script. Places that may need a change, but are uncertain,
/// are listed.
///
/// Examples:
///   gdscene rename-node level.tscn Player/Sprite Body
///   gdscene rename-node --diff level.tscn Player Hero     show what would change
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment, after_help = EXIT_STATUS)]
pub(crate) struct RenameNodeArgs {
    /// The scene that contains the node: a path, or `res://…`.
    scene: String,

    /// The path of the node from the scene's root: `Player/Sprite`; `.` is the root.
    path: String,

    /// The new name.
    new: String,

    #[command(flatten)]
    refactor: RefactorArgs,
}

pub(crate) fn run(args: &RenameNodeArgs) -> Status {
    carry_out(Path::new(&args.scene), &args.refactor, |project| {
        rename_node(project, &res_path(project, &args.scene)?, &args.path, &args.new)
    })
}
