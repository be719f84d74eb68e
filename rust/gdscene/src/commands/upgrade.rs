//! `gdscene upgrade`

use std::path::{Path, PathBuf};

use gdscene_refactor::{RefactorError, upgrade};
use godot_tscn::GodotVersion;

use crate::commands::Status;
use crate::commands::refactor::{EXIT_STATUS, RefactorArgs, folder_of, plain, run as carry_out};

/// Do what opening and saving every file of a project does, without the engine.
///
/// After a change to a newer Godot, each save of a scene adds what that version writes. This adds it to all files at once,
/// so that it is one commit: uids of scenes, resources and of what they refer to; .uid files of scripts, shaders and
/// extensions (4.4); the `unique_id` of nodes (4.6); no `load_steps` (4.6); the layout, as `gdscene format` writes it. New
/// uids are those that Godot itself would give. Properties are not touched, nothing is imported again, and project.godot stays
/// as it is. Files of Godot 3, and files that Godot refuses, are listed.
///
/// Examples:
///   gdscene upgrade                        to the version in project.godot
///   gdscene upgrade --target 4.6 .         to this version
///   gdscene upgrade --dry-run levels       show what would change in one folder
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment, after_help = EXIT_STATUS)]
pub(crate) struct UpgradeArgs {
    /// Files and folders of one project; by default all of the project.
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,

    /// The version of Godot: 4.0 to 4.7. By default that of the features in project.godot.
    #[arg(long, value_name = "VERSION")]
    target: Option<GodotVersion>,

    #[command(flatten)]
    refactor: RefactorArgs,
}

pub(crate) fn run(args: &UpgradeArgs) -> Status {
    let place = args.paths.first().map_or_else(|| PathBuf::from("."), |path| plain(path));
    carry_out(&place, &args.refactor, |project| {
        let target = args.target.or(project.settings().version).ok_or_else(|| {
            let reason = "project.godot names no version of Godot that is known; add --target";
            RefactorError::Refused(reason.to_owned())
        })?;
        let start = |path: &PathBuf| folder_of(project, Path::new(path));
        let starts: Vec<String> = args.paths.iter().map(start).collect::<Result<_, _>>()?;
        upgrade(project, target, &starts)
    })
}
