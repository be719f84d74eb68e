//! `gdscene rename-class`

use std::path::PathBuf;

use gdscene_refactor::rename_class;

use crate::commands::Status;
use crate::commands::refactor::{EXIT_STATUS, RefactorArgs, run as carry_out};

/// Rename a class that a script declares with `class_name`, and update scripts and resources.
///
/// This changes types, `extends`, `is`, `as` and expressions in scripts, `script_class` in resources, and the class
/// list of Godot 3 in `project.godot`. Names that may mean something else are listed. The file of a C# class is renamed
/// too, because Godot requires that both have the same name.
///
/// Examples:
///   gdscene rename-class Enemy Foe
///   gdscene rename-class --diff Enemy Foe     show what would change
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment, after_help = EXIT_STATUS)]
pub(crate) struct RenameClassArgs {
    /// The name of the class.
    old: String,

    /// The new name.
    new: String,

    /// A file or folder of the project.
    #[arg(long, default_value = ".", value_name = "PATH")]
    project: PathBuf,

    #[command(flatten)]
    refactor: RefactorArgs,
}

pub(crate) fn run(args: &RenameClassArgs) -> Status {
    carry_out(&args.project, &args.refactor, |project| rename_class(project, &args.old, &args.new))
}
