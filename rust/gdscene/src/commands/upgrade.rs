//! `gdscene upgrade`

use std::path::{Path, PathBuf};

use gdscene_refactor::{RefactorError, upgrade};
use godot_tscn::GodotVersion;

use crate::commands::Status;
use crate::commands::refactor::{EXIT_STATUS, RefactorArgs, folder_of, plain, run as carry_out};

/// Prepare a project for a newer Godot version: list the changes that affect it, and save its files in the form of that
/// version.
///
/// The list contains each place in scenes, resources, settings and scripts that uses a member which newer versions
/// removed, renamed or changed, with advice and the pull request. New names are written. `--output markdown` makes a
/// checklist of the rest. Names in C# are compared without their types.
///
/// Files get all changes that a save with the newer Godot would make, so that they are one commit:
/// - uids of scenes, resources and the files that they refer to
/// - .uid files of scripts, shaders and extensions (4.4)
/// - the `unique_id` of nodes (4.6)
/// - no `load_steps` (4.6)
/// - the layout of `gdscene format`
///
/// New uids are equal to those that Godot itself would create. The command does not import files, and does not change
/// project.godot. It lists files of Godot 3, and files that Godot cannot load.
///
/// Examples:
///   gdscene upgrade                        to the version in project.godot
///   gdscene upgrade --target 4.8 --dry-run --output markdown > upgrade.md
///   gdscene upgrade --target 4.6 .         to this version
///   gdscene upgrade --dry-run levels       show what would change in one folder
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment, after_help = EXIT_STATUS)]
pub(crate) struct UpgradeArgs {
    /// Files and folders of one project. Default: the whole project.
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,

    /// The new Godot version: 4.0 to 4.8. Default: the version in the features of project.godot.
    #[arg(long, value_name = "VERSION")]
    target: Option<GodotVersion>,

    /// The current Godot version of the project. Default: the version in the features of project.godot.
    #[arg(long, value_name = "VERSION")]
    from: Option<GodotVersion>,

    #[command(flatten)]
    refactor: RefactorArgs,
}

pub(crate) fn run(args: &UpgradeArgs) -> Status {
    let place = args.paths.first().map_or_else(|| PathBuf::from("."), |path| plain(path));
    carry_out(&place, &args.refactor, |project| {
        let target = args.target.or(project.settings().version).ok_or_else(|| {
            let reason = "project.godot does not name a known Godot version; add --target";
            RefactorError::Refused(reason.to_owned())
        })?;
        let start = |path: &PathBuf| folder_of(project, Path::new(path));
        let starts: Vec<String> = args.paths.iter().map(start).collect::<Result<_, _>>()?;
        upgrade(project, args.from, target, &starts)
    })
}
