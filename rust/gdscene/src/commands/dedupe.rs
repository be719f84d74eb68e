//! `gdscene dedupe`

use std::path::Path;

use gdscene_refactor::dedupe;

use crate::commands::Status;
use crate::commands::refactor::{EXIT_STATUS, RefactorArgs, plain, res_path, run as carry_out};

/// Merge identical resources inside a file.
///
/// Two `sub_resource`s are identical if they have the same class and properties; two `ext_resource`s, if they lead to
/// the same file. Resources that are local to the scene stay, and resources with their own identity, such as a
/// ButtonGroup or a part of an AnimationTree. Identical resources that a script or an animation may change at run time
/// are only listed.
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
