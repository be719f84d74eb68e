//! `gdscene rename-signal`

use std::path::Path;

use gdscene_refactor::rename_signal;

use crate::commands::Status;
use crate::commands::refactor::{EXIT_STATUS, RefactorArgs, res_path, run as carry_out};

/// Rename a signal of a script, and update all connections and emissions.
///
/// This changes uses in scripts if the type of the object is certain, strings in calls such as `connect("old", …)`, and
/// connections in scenes. Uncertain places are listed.
///
/// Examples:
///   gdscene rename-signal enemy.gd hit was_hit
///   gdscene rename-signal --diff enemy.gd hit was_hit     show what would change
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment, after_help = EXIT_STATUS)]
pub(crate) struct RenameSignalArgs {
    /// The script that declares the signal: a path, or `res://…`.
    script: String,

    /// The name of the signal.
    old: String,

    /// The new name.
    new: String,

    #[command(flatten)]
    refactor: RefactorArgs,
}

pub(crate) fn run(args: &RenameSignalArgs) -> Status {
    carry_out(Path::new(&args.script), &args.refactor, |project| {
        rename_signal(project, &res_path(project, &args.script)?, &args.old, &args.new)
    })
}
