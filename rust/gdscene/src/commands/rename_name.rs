//! `gdscene rename-name`

use std::path::PathBuf;

use clap::ValueEnum;
use gdscene_refactor::rename_name;
use godot_project::names::KindOfName;

use crate::commands::Status;
use crate::commands::refactor::{EXIT_STATUS, RefactorArgs, run as carry_out};

/// Rename an input action, a group or an audio bus, in settings, scenes and scripts.
///
/// This changes the definition in `project.godot`, in scenes or in the bus layout, properties that hold the name, and strings in
/// calls such as `Input.is_action_pressed("old")`. Other strings with the name are listed.
///
/// Examples:
///   gdscene rename-name action jump leap
///   gdscene rename-name --diff group enemies foes     show what would change
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment, after_help = EXIT_STATUS)]
pub(crate) struct RenameNameArgs {
    /// The kind of the name.
    #[arg(value_enum)]
    kind: Kind,

    /// The name.
    old: String,

    /// The new name.
    new: String,

    /// A file or folder of the project.
    #[arg(long, default_value = ".", value_name = "PATH")]
    project: PathBuf,

    #[command(flatten)]
    refactor: RefactorArgs,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Kind {
    /// An input action.
    Action,
    /// A group of nodes.
    Group,
    /// An audio bus.
    Bus,
}

pub(crate) fn run(args: &RenameNameArgs) -> Status {
    let kind = match args.kind {
        Kind::Action => KindOfName::Action,
        Kind::Group => KindOfName::Group,
        Kind::Bus => KindOfName::Bus,
    };
    carry_out(&args.project, &args.refactor, |project| {
        rename_name(project, kind, &args.old, &args.new)
    })
}
