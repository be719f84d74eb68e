//! The common part of all refactorings of a project: a plan is made, printed, and carried out as a whole or not at
//! all.

use std::fs;
use std::io::{self, Write};
use std::path::{Component, Path, PathBuf};

use gdscene_journal::{Changes, JournalError};
use gdscene_refactor::RefactorError;
use godot_project::{CachePlace, Plan, Project, ProjectError, resolve_path};
use thiserror::Error;

use crate::commands::{Status, written};
use crate::files::file_path;
use crate::files::{finish_interrupted, tell_of_interrupted};
use crate::git::{DirtyError, check_committed};
use crate::inputs::report_skipped;
use crate::output::plan::{PlanFormat, PlanReport};
use crate::terminal::{complain, tell};

/// How a refactoring is done. Flattened into the arguments of each.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct RefactorArgs {
    #[command(flatten)]
    pub(crate) plan: PlanArgs,

    /// Continue even if files have changes that are not committed to git.
    #[arg(long)]
    allow_dirty: bool,
}

/// Whether a plan is carried out, and how it is printed.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct PlanArgs {
    /// Write nothing; print what would change, and places that need a manual check.
    #[arg(long)]
    dry_run: bool,

    /// Write nothing; print the changes as unified diffs, which `git apply` takes in the project's folder.
    #[arg(long, conflicts_with_all = ["dry_run", "output"])]
    diff: bool,

    /// How to print what changes.
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    output: PlanFormat,
}

/// What is said below the help of each refactoring.
pub(crate) const EXIT_STATUS: &str = "All files change together or not at all. If the command is killed, the next gdscene command that writes in this
project finishes the change. `gdscene undo` undoes the last refactoring. In a git repository, files with uncommitted
changes are refused (see --allow-dirty), and moved files are renamed in the index, as with `git mv`.

Exit status:
  0  done
  1  places need a manual check, or files would change (with --dry-run and --diff)
  2  nothing changed, because of wrong usage or a refusal";

/// Why nothing was changed.
#[derive(Debug, Error)]
pub(crate) enum RunError {
    #[error(transparent)]
    Project(#[from] ProjectError),
    #[error(transparent)]
    Refused(#[from] RefactorError),
    #[error(transparent)]
    Dirty(#[from] DirtyError),
    #[error(transparent)]
    Journal(#[from] JournalError),
}

impl RefactorArgs {
    /// The same, but nothing is written unless `is_told`.
    pub(crate) fn dry_unless(&self, is_told: bool) -> Self {
        let mut args = self.clone();
        args.plan.dry_run |= !is_told && !args.plan.diff;
        args
    }

    /// That nothing is written, and how to print what would be.
    pub(crate) fn dry(output: PlanFormat) -> Self {
        let plan = PlanArgs { dry_run: true, diff: false, output };
        Self { plan, allow_dirty: false }
    }
}

impl PlanArgs {
    /// Whether nothing is written.
    pub(crate) fn is_dry(&self) -> bool {
        self.dry_run || self.diff
    }
}

/// Opens the project that `place` lies in, prints what `plan` makes of it, and does that unless told otherwise.
pub(crate) fn run(
    place: &Path,
    args: &RefactorArgs,
    plan: impl FnOnce(&Project) -> Result<Plan, RefactorError>,
) -> Status {
    let is_dry = args.plan.is_dry();
    let planned = open(place, is_dry).and_then(|project| {
        report_skipped(project.skipped());
        let plan = plan(&project)?;
        Ok((project.root().unwrap_or(place).to_owned(), plan))
    });
    let (root, plan) = match planned {
        Ok(planned) => planned,
        Err(error) => {
            complain(error);
            return Status::Failure;
        }
    };
    let mut report = PlanReport::of_plan(&root, &plan);
    if !is_dry && !plan.is_empty() {
        match carry_out(&root, &plan, args) {
            Ok(notes) => report.notes = notes,
            Err(error) => {
                complain(error);
                return Status::Failure;
            }
        }
        report.is_done = true;
    }
    let is_left = !plan.doubts.is_empty() || is_dry && !plan.is_empty();
    let status = if is_left { Status::Findings } else { Status::Clean };
    reported(print(&report, &args.plan), &report, status)
}

/// The status after a report is printed. That it cannot be printed does not take back what is done.
pub(crate) fn reported(printed: io::Result<()>, report: &PlanReport<'_>, status: Status) -> Status {
    match printed {
        Err(error) if report.is_done && error.kind() != io::ErrorKind::BrokenPipe => {
            complain(format_args!(
                "{}, but the report cannot be written: {error}",
                report.summary()
            ));
            status
        }
        printed => written(printed, status),
    }
}

/// Prints what is planned or done. Standard output may be a patch or an object, to which nothing is added.
pub(crate) fn print(report: &PlanReport<'_>, args: &PlanArgs) -> io::Result<()> {
    let out = match args.output {
        _ if args.diff => {
            tell(format_args!("{}{}\n", report.doubts(), report.summary()));
            report.diff()
        }
        PlanFormat::Json => report.json(),
        PlanFormat::Markdown => report.markdown(),
        PlanFormat::Text => report.text(),
    };
    io::stdout().lock().write_all(&out)
}

/// A path that the user typed, without what would stand in the paths of all files of the project.
pub(crate) fn plain(place: &Path) -> PathBuf {
    if place.to_string_lossy().starts_with("res://") {
        return PathBuf::from(".");
    }
    let leads_up = place.components().any(|part| part == Component::ParentDir);
    let real = || real(&std::path::absolute(place).ok()?);
    leads_up.then(real).flatten().unwrap_or_else(|| place.to_owned())
}

/// What the user typed, a path of the file system or `res://…`, as `res://…`. The file need not exist.
///
/// # Errors
/// When it lies outside of the project's folder.
pub(crate) fn res_path(project: &Project, given: &str) -> Result<String, RefactorError> {
    let outside = || RefactorError::Refused(format!("`{given}` is not in the project's folder"));
    if given.starts_with("res://") {
        return resolve_path("res://", given).ok_or_else(outside);
    }
    let root = project.root().ok_or_else(outside)?;
    // A linked folder is seen where the link is, so links are resolved only if the path says nothing otherwise.
    let absolute = std::path::absolute(given).map_err(|_| outside())?;
    let is_plain = !absolute.components().any(|part| part == Component::ParentDir);
    let inside = absolute.strip_prefix(root).ok().filter(|_| is_plain).map(Path::to_owned);
    let inside = inside.or_else(|| {
        let (real, root) = (real(&absolute)?, fs::canonicalize(root).ok()?);
        real.strip_prefix(root).ok().map(Path::to_owned)
    });
    let parts: Vec<_> = inside
        .as_ref()
        .ok_or_else(outside)?
        .components()
        .map(|part| part.as_os_str().to_string_lossy())
        .collect();
    Ok(format!("res://{}", parts.join("/")))
}

/// The start of the paths below a folder of the project: `res://art/`, `res://`.
pub(crate) fn folder_of(project: &Project, place: &Path) -> Result<String, RefactorError> {
    let path = res_path(project, &place.to_string_lossy())?;
    Ok(if project.file(&path).is_some() || path.ends_with('/') { path } else { format!("{path}/") })
}

/// A path without links and `..`, of which the end need not exist.
fn real(path: &Path) -> Option<PathBuf> {
    let mut missing = Vec::new();
    let mut there = path;
    loop {
        if let Ok(real) = fs::canonicalize(there) {
            return Some(missing.iter().rev().fold(real, |path, name| path.join(name)));
        }
        missing.push(there.file_name()?);
        there = there.parent()?;
    }
}

/// Opens the project, after what a killed run has begun is finished.
fn open(place: &Path, is_dry: bool) -> Result<Project, RunError> {
    let place = plain(place);
    if let Some(root) = godot_project::find_root(&place) {
        if is_dry {
            tell_of_interrupted(&root);
        } else {
            finish_interrupted(&root)?;
        }
    }
    Ok(Project::open_with_cache(place, &CachePlace::Usual)?)
}

/// Does what is planned; what is to be known of it.
fn carry_out(root: &Path, plan: &Plan, args: &RefactorArgs) -> Result<Vec<String>, RunError> {
    let mut notes = Vec::new();
    if !args.allow_dirty {
        let changed = plan.files.iter().map(|file| file.path.as_str());
        let moved = plan.moves.iter().map(|moved| moved.from.as_str());
        let removed = plan.removals.iter().map(String::as_str);
        let touched = changed.chain(moved).chain(removed).map(|path| file_path(root, path));
        notes.extend(check_committed(root, &touched.collect::<Vec<_>>())?);
    }
    notes.extend(gdscene_journal::carry_out(root, &Changes::from(plan))?.notes);
    Ok(notes)
}
