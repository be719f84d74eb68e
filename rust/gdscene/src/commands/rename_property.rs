//! `gdscene rename-property`

use std::path::Path;

use gdscene_refactor::rename_property;

use crate::commands::Status;
use crate::commands::refactor::{EXIT_STATUS, RefactorArgs, res_path, run as carry_out};

/// Rename a variable of a script, with the values that scenes and resources hold of it.
///
/// The values keep: on nodes and resources with the script or one that extends it, in instanced and inherited scenes, in
/// animation tracks and node paths. Uses in scripts change where it is certain that they mean this variable, in C# if the
/// script itself is in C#; the others are listed. If the script has the new name already, only what others hold of it
/// changes.
///
/// Examples:
///   gdscene rename-property enemy.gd health max_health
///   gdscene rename-property --diff enemy.gd health max_health     show what would change
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment, after_help = EXIT_STATUS)]
pub(crate) struct RenamePropertyArgs {
    /// The script that declares the variable: a path, or `res://…`.
    script: String,

    /// Its name.
    old: String,

    /// Its new name.
    new: String,

    #[command(flatten)]
    refactor: RefactorArgs,
}

pub(crate) fn run(args: &RenamePropertyArgs) -> Status {
    carry_out(Path::new(&args.script), &args.refactor, |project| {
        rename_property(project, &res_path(project, &args.script)?, &args.old, &args.new)
    })
}
