//! `gdscene rename-method`

use std::path::Path;

use gdscene_refactor::rename_method;

use crate::commands::Status;
use crate::commands::refactor::{EXIT_STATUS, RefactorArgs, res_path, run as carry_out};

/// Rename a method of a script, wherever it is called.
///
/// Calls change where the type of the object is certain, those of scripts that extend it too, texts in calls like
/// `call("old")`, connections in scenes, and tracks of animations. What cannot be told is listed.
///
/// Examples:
///   gdscene rename-method enemy.gd jump leap
///   gdscene rename-method --diff enemy.gd jump leap     show what would change
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment, after_help = EXIT_STATUS)]
pub(crate) struct RenameMethodArgs {
    /// The script that declares the method: a path, or `res://…`.
    script: String,

    /// Its name.
    old: String,

    /// Its new name.
    new: String,

    #[command(flatten)]
    refactor: RefactorArgs,
}

pub(crate) fn run(args: &RenameMethodArgs) -> Status {
    carry_out(Path::new(&args.script), &args.refactor, |project| {
        rename_method(project, &res_path(project, &args.script)?, &args.old, &args.new)
    })
}
