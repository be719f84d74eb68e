//! `gdscene rename-method`

use std::path::Path;

use gdscene_refactor::rename_method;

use crate::commands::Status;
use crate::commands::refactor::{EXIT_STATUS, RefactorArgs, res_path, run as carry_out};

/// Rename a method of a script, and update all calls.
///
/// This changes calls if the type of the object is certain, calls and overrides in scripts that extend the script,
/// strings in calls such as `call("old")`, connections in scenes, and animation tracks. Uncertain places are listed.
///
/// Examples:
///   gdscene rename-method enemy.gd jump leap
///   gdscene rename-method --diff enemy.gd jump leap     show what would change
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment, after_help = EXIT_STATUS)]
pub(crate) struct RenameMethodArgs {
    /// The script that declares the method: a path, or `res://…`.
    script: String,

    /// The name of the method.
    old: String,

    /// The new name.
    new: String,

    #[command(flatten)]
    refactor: RefactorArgs,
}

pub(crate) fn run(args: &RenameMethodArgs) -> Status {
    carry_out(Path::new(&args.script), &args.refactor, |project| {
        rename_method(project, &res_path(project, &args.script)?, &args.old, &args.new)
    })
}
