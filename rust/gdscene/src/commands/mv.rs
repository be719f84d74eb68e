//! `gdscene mv`

use std::path::{MAIN_SEPARATOR, PathBuf};

use gdscene_refactor::move_files;

use crate::commands::Status;
use crate::commands::refactor::{EXIT_STATUS, RefactorArgs, res_path, run as carry_out};

/// Move or rename a file or folder of a project, and update all paths to it.
///
/// The .uid and .import files of a file move with it. Paths change in scenes and resources, in GDScript and C# strings
/// that are exactly the path, in shaders, in project.godot, export_presets.cfg, plugin.cfg, .gdextension and
/// gdscene.toml, and in JSON and CSV. Relative paths still lead to the same files. Paths that scripts build at run time
/// are listed.
///
/// The command never overwrites files: the new path must be free. If it is a folder, or ends with a slash, the file or
/// folder moves into it. Godot imports the moved files when its editor scans the project next, or with `godot
/// --headless --import`.
///
/// Examples:
///   gdscene mv player.gd actors/player.gd
///   gdscene mv levels scenes/            a folder into another
///   gdscene mv --diff icon.svg art/      show what would change
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment, after_help = EXIT_STATUS)]
pub(crate) struct MvArgs {
    /// The file or folder.
    #[arg(value_name = "OLD")]
    old: String,

    /// The new path, or the folder to move it into.
    #[arg(value_name = "NEW")]
    new: String,

    /// A file or folder of the project, if OLD begins with res://
    #[arg(long, value_name = "PATH")]
    project: Option<PathBuf>,

    #[command(flatten)]
    refactor: RefactorArgs,
}

pub(crate) fn run(args: &MvArgs) -> Status {
    let place = match &args.project {
        Some(place) => place.clone(),
        None if args.old.starts_with("res://") => PathBuf::from("."),
        // The folder around it is there even if the file is not, and a folder that moves may be a project of its own.
        None => parent_of(&args.old),
    };
    carry_out(&place, &args.refactor, |project| {
        let old = res_path(project, &args.old)?;
        let mut new = res_path(project, &args.new)?;
        if args.new.ends_with(['/', MAIN_SEPARATOR]) && !new.ends_with('/') {
            new.push('/');
        }
        move_files(project, &old, &new)
    })
}

fn parent_of(path: &str) -> PathBuf {
    let parent = PathBuf::from(path);
    match parent.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent.to_owned(),
        _ => PathBuf::from("."),
    }
}
