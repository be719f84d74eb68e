//! `gdscene prune`

use std::path::{Path, PathBuf};

use gdscene_refactor::{PruneOptions, RefactorError, prune, prune_inside};
use godot_project::{FileKind, Plan, Project};

use crate::commands::Status;
use crate::commands::refactor::{EXIT_STATUS, RefactorArgs, plain, res_path, run as carry_out};
use crate::commands::unused::{folder_of, kinds};
use crate::output::terminal::complain;

/// Remove the files of a project that nothing uses.
///
/// These are the files that `gdscene unused` lists, with their .import and .uid files. Nothing is removed unless files are
/// named, or --yes is given. A file that may be used (`gdscene unused --kept`) is removed only if it is named itself; a
/// file that is used is never removed. `gdscene undo` brings all of them back.
///
/// Examples:
///   gdscene prune                          list what would be removed
///   gdscene prune --yes                    remove all that is unused
///   gdscene prune --yes art/old            remove what is unused in a folder
///   gdscene prune old_menu.tscn            remove this file
///   gdscene prune --inside --yes .         remove unused resources inside scenes and resources
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment, after_help = EXIT_STATUS)]
pub(crate) struct PruneArgs {
    /// Files, and folders in which unused files are removed: paths, or `res://…`. By default all of the project.
    #[arg(value_name = "PATH")]
    paths: Vec<String>,

    /// Remove files though they are not named one by one.
    #[arg(long)]
    yes: bool,

    /// Only files of this kind; several are separated by commas. Does not count for files that are named.
    #[arg(long, value_parser = kinds(), value_delimiter = ',', value_name = "KIND")]
    kind: Vec<FileKind>,

    /// Remove `sub_resource`s and `ext_resource`s inside files to which nothing there refers, instead of files.
    #[arg(long, conflicts_with = "kind")]
    inside: bool,

    #[command(flatten)]
    refactor: RefactorArgs,
}

pub(crate) fn run(args: &PruneArgs) -> Status {
    let place =
        args.paths.first().map_or_else(|| PathBuf::from("."), |path| plain(Path::new(path)));
    let are_files = !args.paths.is_empty() && args.paths.iter().all(|path| is_file(&place, path));
    let is_told = args.yes || are_files;
    let refactor = args.refactor.dry_unless(is_told);
    let mut is_empty = true;
    let status = carry_out(&place, &refactor, |project| {
        let plan = plan(project, args)?;
        is_empty = plan.is_empty();
        Ok(plan)
    });
    if !is_told && !is_empty && !args.refactor.plan.is_dry() {
        complain("nothing was removed: name the files, or add --yes");
    }
    status
}

fn plan(project: &Project, args: &PruneArgs) -> Result<Plan, RefactorError> {
    if args.inside {
        let start = |path: &String| folder_of(project, Path::new(path));
        let starts: Vec<String> = args.paths.iter().map(start).collect::<Result<_, _>>()?;
        return prune_inside(project, &starts);
    }
    let paths = args.paths.iter().map(|path| res_path(project, path));
    let paths: Vec<String> = paths.collect::<Result<_, _>>()?;
    prune(project, &PruneOptions { paths, kinds: args.kind.clone() })
}

fn is_file(place: &Path, path: &str) -> bool {
    match path.strip_prefix("res://") {
        Some(path) => {
            let root = godot_project::find_root(place);
            root.is_some_and(|root| root.join(path).is_file())
        }
        None => Path::new(path).is_file(),
    }
}

/// `gdscene unused --inside`: what would be removed inside the files at `path`.
pub(crate) fn list_inside(path: &Path, refactor: &RefactorArgs) -> Status {
    let place = plain(path);
    carry_out(&place, &refactor.dry_unless(false), |project| {
        prune_inside(project, &[folder_of(project, &place)?])
    })
}
