//! `gdscene unused` and `gdscene prune`, which removes the files that `unused` lists.

mod listed;

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use gdscene_refactor::{PruneOptions, RefactorError, prune as prune_files, prune_inside};
use godot_project::{CachePlace, FileKind, Plan, Project, unused_files};

use self::listed::Listed;
use crate::commands::refactor::{
    EXIT_STATUS as PRUNE_EXIT_STATUS, RefactorArgs, RunError, folder_of, plain, res_path,
    run as carry_out,
};
use crate::commands::{Status, written};
use crate::inputs::report_skipped;
use crate::output::plan::PlanFormat;
use crate::output::to_json_pretty;
use crate::terminal::{complain, for_stdout};

/// List the files of a project that nothing uses.
///
/// A file is used if the project settings, the export presets, or another used file refers to it: by path or uid, by
/// the name of a class, as a texture of a model, in a data file, in the `#include` of a shader, and so on. A file that
/// may be used is kept; --kept lists these files with the reason. The command judges scenes, resources, scripts,
/// shaders, images, sounds, models, fonts and all other files that Godot imports. It does not remove files: see
/// `gdscene prune`.
///
/// Examples:
///   gdscene unused                     the project in this folder, the largest files first
///   gdscene unused --kept .            also what is kept, and why
///   gdscene unused --kind image art    images in one folder
///   gdscene unused --inside .          resources inside scenes and resources
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment, after_help = UNUSED_EXIT_STATUS)]
pub(crate) struct UnusedArgs {
    /// A project, or a folder in it. The command reads the whole project, but lists only files in that folder.
    #[arg(value_name = "PATH", default_value = ".")]
    path: PathBuf,

    /// Only files of this kind; several are separated by commas.
    #[arg(long, value_parser = kinds(), value_delimiter = ',', value_name = "KIND")]
    kind: Vec<FileKind>,

    /// The order of the files.
    #[arg(long, value_enum, default_value_t, value_name = "ORDER")]
    sort: Order,

    /// Also list files that may be used, each with the reason why it is kept.
    #[arg(long)]
    kept: bool,

    /// List unused `sub_resource`s and `ext_resource`s inside the files instead.
    #[arg(long, conflicts_with_all = ["kind", "kept", "sort"])]
    inside: bool,

    /// How to print the list.
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    output: PlanFormat,
}

/// Remove the files of a project that nothing uses.
///
/// These are the files that `gdscene unused` lists, with their .import and .uid files. Name files, or give --yes to
/// remove all of them. A file that may be used (`gdscene unused --kept`) is removed only if you name it; a used file is
/// never removed. `gdscene undo` restores all removed files.
///
/// Examples:
///   gdscene prune                          list what would be removed
///   gdscene prune --yes                    remove all that is unused
///   gdscene prune --yes art/old            remove what is unused in a folder
///   gdscene prune old_menu.tscn            remove this file
///   gdscene prune --inside --yes .         remove unused resources inside scenes and resources
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment, after_help = PRUNE_EXIT_STATUS)]
pub(crate) struct PruneArgs {
    /// Files, and folders whose unused files to remove: paths, or `res://…`. Default: the whole project.
    #[arg(value_name = "PATH")]
    paths: Vec<String>,

    /// Remove files that you did not name.
    #[arg(long)]
    yes: bool,

    /// Only files of this kind; several are separated by commas. Files that you name are always included.
    #[arg(long, value_parser = kinds(), value_delimiter = ',', value_name = "KIND")]
    kind: Vec<FileKind>,

    /// Remove unused `sub_resource`s and `ext_resource`s inside files, instead of files.
    #[arg(long, conflicts_with = "kind")]
    inside: bool,

    #[command(flatten)]
    refactor: RefactorArgs,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Order {
    /// The largest first.
    #[default]
    Size,
    Path,
}

const UNUSED_EXIT_STATUS: &str = "Exit status:
  0  no unused files
  1  unused files listed
  2  wrong usage, or no project";

pub(crate) fn list(args: &UnusedArgs) -> Status {
    let place = plain(&args.path);
    if args.inside {
        let refactor = RefactorArgs::dry(args.output);
        return carry_out(&place, &refactor, |project| inside(project, [place.as_path()]));
    }
    let opened = Project::open_with_cache(&place, &CachePlace::Usual);
    let found = opened.map_err(RunError::from).and_then(|project| {
        report_skipped(project.skipped());
        let folder = folder_of(&project, &place)?;
        Ok((project, folder))
    });
    let (project, folder) = match found {
        Ok(found) => found,
        Err(error) => {
            complain(error);
            return Status::Failure;
        }
    };
    let listed = Listed::new(&project, &unused_files(&project), args, &folder);
    let text = match args.output {
        PlanFormat::Markdown => listed.markdown(),
        PlanFormat::Text => listed.text(),
        PlanFormat::Json => to_json_pretty(&listed),
    };
    let status = if listed.unused.is_empty() { Status::Clean } else { Status::Findings };
    written(io::stdout().lock().write_all(&for_stdout(text.into_bytes())), status)
}

pub(crate) fn prune(args: &PruneArgs) -> Status {
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
        return inside(project, args.paths.iter().map(Path::new));
    }
    let paths = args.paths.iter().map(|path| res_path(project, path));
    let paths: Vec<String> = paths.collect::<Result<_, _>>()?;
    prune_files(project, &PruneOptions { paths, kinds: args.kind.clone() })
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

/// What is unused inside the files at these paths.
fn inside<'p>(
    project: &Project,
    paths: impl IntoIterator<Item = &'p Path>,
) -> Result<Plan, RefactorError> {
    let starts = paths.into_iter().map(|path| folder_of(project, path));
    prune_inside(project, &starts.collect::<Result<Vec<_>, _>>()?)
}

/// Reads the name of a [`FileKind`].
fn kinds() -> impl TypedValueParser<Value = FileKind> {
    let value = |kind: FileKind| {
        let value = PossibleValue::new(kind.name());
        match kind {
            FileKind::Imported => value.help("Anything else that Godot imports"),
            FileKind::LeftOver => value.help("A .import or .uid file whose own file is gone"),
            _ => value,
        }
    };
    let named = |name: String| FileKind::ALL.into_iter().find(|kind| kind.name() == name);
    PossibleValuesParser::new(FileKind::ALL.map(value))
        .try_map(move |name| named(name).ok_or("unknown kind of file"))
}
