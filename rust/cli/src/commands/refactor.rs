//! What all refactorings of a project share: a plan is worked out, printed, and carried out as a whole or not at all.

use std::fs;
use std::io::{self, Write};
use std::path::{Component, Path, PathBuf};

use project::{CachePlace, Plan, Project, ProjectError, RefactorError, resolve_path};
use thiserror::Error;

use crate::commands::{Status, written};
use crate::files::{Change, WriteError, write_together};
use crate::inputs::{Problem, report_skipped};
use crate::output::plan::{PlanFormat, PlanReport, file_path};
use crate::output::terminal::complain;

/// How a refactoring is done. Flattened into the arguments of each.
#[derive(Debug, clap::Args)]
pub(crate) struct RefactorArgs {
    /// Write nothing; print what would change, and what somebody has to look at.
    #[arg(long)]
    dry_run: bool,

    /// Write nothing; print the changes as unified diffs, which `git apply` takes.
    #[arg(long, conflicts_with_all = ["dry_run", "output"])]
    diff: bool,

    /// How to print what changes.
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    output: PlanFormat,

    /// Go on if files have changes that are not committed to git.
    #[arg(long)]
    allow_dirty: bool,
}

/// The exit status of refactorings.
pub(crate) const EXIT_STATUS: &str = "Exit status: 0 all is done, 1 places are left that somebody has to look at, or files would change (with \
     --dry-run and --diff), 2 nothing was changed: wrong usage, or it is refused.";

/// Why nothing was changed.
#[derive(Debug, Error)]
enum RunError {
    #[error(transparent)]
    Project(#[from] ProjectError),
    #[error(transparent)]
    Refused(#[from] RefactorError),
    #[error("{}: {source}", path.display())]
    Moved { path: PathBuf, source: io::Error },
    #[error("{}: {}", .0.path.display(), .0.reason)]
    Unwritten(Problem),
}

impl From<WriteError> for RunError {
    fn from(error: WriteError) -> Self {
        Self::Unwritten(error.into())
    }
}

/// Opens the project that `place` lies in, prints what `plan` makes of it, and does that unless told otherwise.
pub(crate) fn run(
    place: &Path,
    args: &RefactorArgs,
    plan: impl FnOnce(&Project) -> Result<Plan, RefactorError>,
) -> Status {
    let planned = open(place).and_then(|project| {
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
    let is_dry = args.dry_run || args.diff;
    let mut report = PlanReport::of_plan(&root, &plan);
    if !is_dry && !plan.is_empty() {
        if let Err(error) = carry_out(&root, &plan) {
            complain(error);
            return Status::Failure;
        }
        report.is_done = true;
    }
    let is_left = !plan.doubts.is_empty() || is_dry && !plan.is_empty();
    written(print(&report, args), if is_left { Status::Findings } else { Status::Clean })
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

fn open(place: &Path) -> Result<Project, RunError> {
    let place = if place.to_string_lossy().starts_with("res://") { Path::new(".") } else { place };
    Ok(Project::open_with_cache(place, &CachePlace::Usual)?)
}

fn carry_out(root: &Path, plan: &Plan) -> Result<(), RunError> {
    let texts: Vec<(PathBuf, Vec<u8>)> =
        plan.files.iter().map(|file| (file_path(root, &file.path), file.new_text())).collect();
    let changes = texts.iter().zip(&plan.files).map(|((path, after), file)| Change {
        path,
        before: file.text().map(|text| &**text),
        after,
    });
    write_together(&changes.collect::<Vec<_>>())?;
    let failed = |path: &Path| {
        let path = path.to_owned();
        |source| RunError::Moved { path, source }
    };
    for moved in &plan.moves {
        let (from, to) = (file_path(root, &moved.from), file_path(root, &moved.to));
        fs::create_dir_all(to.parent().unwrap_or(root)).map_err(failed(&to))?;
        fs::rename(&from, &to).map_err(failed(&from))?;
    }
    for removed in &plan.removals {
        let path = file_path(root, removed);
        fs::remove_file(&path).map_err(failed(&path))?;
    }
    Ok(())
}

/// Standard output may be a patch or an object, to which nothing is added.
fn print(report: &PlanReport<'_>, args: &RefactorArgs) -> io::Result<()> {
    let out = match args.output {
        _ if args.diff => {
            eprintln!("{}{}", report.doubts(), report.summary());
            report.diff()
        }
        PlanFormat::Json => report.json(),
        PlanFormat::Text => report.text(),
    };
    io::stdout().lock().write_all(&out)
}
