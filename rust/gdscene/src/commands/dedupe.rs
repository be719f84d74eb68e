//! `gdscene dedupe`

use std::path::Path;

use gdscene_refactor::dedupe;

use crate::commands::Status;
use crate::commands::refactor::{EXIT_STATUS, RefactorArgs, plain, res_path, run as carry_out};

/// Let equal resources inside a file become one.
///
/// Two `sub_resource`s are equal if they have the same class and properties; two `ext_resource`s, if they lead to one file.
/// Resources that are local to the scene stay, and those of which each is something of its own, such as a ButtonGroup or a
/// part of an AnimationTree. Equal ones that a script or an animation may change while the game runs are only listed.
///
/// Examples:
///   gdscene dedupe level.tscn
///   gdscene dedupe --diff level.tscn     show what would change
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment, after_help = EXIT_STATUS)]
pub(crate) struct DedupeArgs {
    /// The scene or resource: a path, or `res://…`.
    file: String,

    #[command(flatten)]
    refactor: RefactorArgs,
}

pub(crate) fn run(args: &DedupeArgs) -> Status {
    carry_out(&plain(Path::new(&args.file)), &args.refactor, |project| {
        dedupe(project, &res_path(project, &args.file)?)
    })
}
