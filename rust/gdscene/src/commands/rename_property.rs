//! `gdscene rename-property`

use std::path::Path;

use gdscene_refactor::rename_property;

use crate::commands::Status;
use crate::commands::refactor::{EXIT_STATUS, RefactorArgs, res_path, run as carry_out};

/// Rename a variable of a script, and keep its values in scenes and resources.
///
/// The values are kept on nodes and resources with the script or a script that extends it, in instanced and inherited
/// scenes, in animation tracks and in node paths. Uses in scripts change if they certainly mean this variable, in C# if
/// the script itself is in C#; other uses are listed. If the script already has the new name, only the stored values
/// and the uses in other files change.
///
/// Examples:
///   gdscene rename-property enemy.gd health max_health
///   gdscene rename-property --diff enemy.gd health max_health     show what would change
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment, after_help = EXIT_STATUS)]
pub(crate) struct RenamePropertyArgs {
    /// The script that declares the variable: a path, or `res://…`.
    script: String,

    /// The name of the variable.
    old: String,

    /// The new name.
    new: String,

    #[command(flatten)]
    refactor: RefactorArgs,
}

pub(crate) fn run(args: &RenamePropertyArgs) -> Status {
    carry_out(Path::new(&args.script), &args.refactor, |project| {
        rename_property(project, &res_path(project, &args.script)?, &args.old, &args.new)
    })
}
