//! `gdscene undo`

use std::path::{Path, PathBuf};

use gdscene_journal::{Done, JournalError};
use godot_project::ProjectError;
use thiserror::Error;

use crate::commands::Status;
use crate::commands::refactor::{PlanArgs, plain, print, reported};
use crate::files::tell_of_interrupted;
use crate::output::plan::PlanReport;
use crate::terminal::complain;

/// Undo the last refactoring or edit of a project.
///
/// This covers the commands that rename, move and clean up, and the commands that edit scenes (`gdscene set`, `add`,
/// `edit`). Files that have not changed since get exactly their old content. In files that have changed since, only the
/// lines that the refactoring changed get their old content. If these lines themselves have changed, nothing is undone,
/// and the reason is printed. Moved files move back, and removed files come back. A second `gdscene undo` repeats the
/// refactoring.
///
/// `gdscene undo` also undoes a refactoring that was killed halfway. Any other command that writes in the project would
/// finish it.
///
/// The data for this is in `.godot/gdscene` until the next refactoring. Commands such as `gdscene fix` do not change
/// it.
///
/// Examples:
///   gdscene undo               in the project in this folder
///   gdscene undo --diff        show what would change
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment, after_help = EXIT_STATUS)]
pub(crate) struct UndoArgs {
    /// A file or folder of the project.
    #[arg(default_value = ".", value_name = "PATH")]
    path: PathBuf,

    #[command(flatten)]
    plan: PlanArgs,
}

const EXIT_STATUS: &str = "Exit status:
  0  undone
  1  files would change (with --dry-run and --diff)
  2  nothing changed, because there is nothing to undo, or undoing is not possible";

/// Why nothing was taken back.
#[derive(Debug, Error)]
enum UndoError {
    #[error(transparent)]
    Project(#[from] ProjectError),
    #[error(transparent)]
    Journal(#[from] JournalError),
}

pub(crate) fn run(args: &UndoArgs) -> Status {
    undo(args).unwrap_or_else(|error| {
        complain(error);
        Status::Failure
    })
}

fn undo(args: &UndoArgs) -> Result<Status, UndoError> {
    let place = plain(&args.path);
    let root = godot_project::find_root(&place).ok_or(ProjectError::NotFound(place))?;
    if let Some(status) = take_back_interrupted(&root, args.plan.is_dry())? {
        return Ok(status);
    }
    let undo = gdscene_journal::plan_undo(&root)?;
    let mut report = PlanReport::of_undo(&root, &undo);
    let mut status = Status::Findings;
    if !args.plan.is_dry() {
        report.notes.extend(gdscene_journal::undo(&root, &undo)?.notes);
        report.is_done = true;
        status = Status::Clean;
    }
    Ok(reported(print(&report, &args.plan), &report, status))
}

/// What a killed run has begun is the last refactoring.
fn take_back_interrupted(root: &Path, is_dry: bool) -> Result<Option<Status>, JournalError> {
    if is_dry {
        let is_there = gdscene_journal::unfinished(root)?.is_some();
        tell_of_interrupted(root);
        return Ok(is_there.then_some(Status::Findings));
    }
    let Some(Done { title, notes }) = gdscene_journal::take_back(root)? else { return Ok(None) };
    complain(format_args!(
        "an earlier run was interrupted ({title}); what it had done has been taken back"
    ));
    notes.iter().for_each(complain);
    Ok(Some(Status::Clean))
}
