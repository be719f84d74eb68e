//! The common part of all commands that change scenes by operations: the operations run as a whole or not at all, are
//! checked, and are reported.

use std::io::{self, Write};
use std::path::Path;

use gdscene_journal::{Changes, JournalError};
use gdscene_lint::{Workspace, WorkspaceOptions};
use gdscene_refactor::{EditError, EditErrorKind, Operation, OperationsError, RefactorError, edit};
use godot_project::{CachePlace, Project, ProjectError};
use thiserror::Error;

use crate::commands::refactor::{plain, reported};
use crate::commands::{Status, written};
use crate::counted::Counted;
use crate::files::{finish_interrupted, tell_of_interrupted};
use crate::inputs::{Problem, report_skipped};
use crate::linter::{self, LinterError};
use crate::output::edited::{EditFormat, EditReport, Findings, JsonError, json_failure};
use crate::output::plan::PlanReport;
use crate::terminal::{complain, for_stdout, tell};

/// How operations are done. Flattened into the arguments of each command.
#[derive(Clone, Copy, Debug, Default, clap::Args)]
pub(crate) struct OperateArgs {
    /// Write nothing; print what would change.
    #[arg(long)]
    dry_run: bool,

    /// Write nothing; print the changes as unified diffs, which `git apply` takes in the project's folder.
    #[arg(long, conflicts_with_all = ["dry_run", "output"])]
    diff: bool,

    /// Write the files even if `gdscene check` would report new errors.
    #[arg(long)]
    allow_errors: bool,

    /// How to print the changes, or the reason why nothing changes.
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub(crate) output: EditFormat,
}

/// What is said below the help of each command.
pub(crate) const EXIT_STATUS: &str = "NODE is a path from the root of the scene, which is `.`; `%Name` is a unique name. The rest of the file stays
unchanged, byte for byte. The command also changes files that are not committed to git: `gdscene undo` undoes the
last command.

Exit status:
  0  done
  1  files would change (with --dry-run and --diff), a place needs a manual check, or new errors were allowed
  2  nothing changed, because of wrong usage, a refusal, or new errors of `gdscene check`";

/// Why nothing was done.
#[derive(Debug, Error)]
pub(crate) enum OperateError {
    #[error(transparent)]
    Linter(#[from] LinterError),
    #[error(transparent)]
    Journal(#[from] JournalError),
    #[error(transparent)]
    Path(#[from] RefactorError),
    #[error(transparent)]
    Operations(#[from] OperationsError),
    #[error(transparent)]
    Edit(#[from] EditError),
    #[error("cannot list the project's files: {0}")]
    Unlisted(io::Error),
    /// Where the operations stand cannot be read.
    #[error("{}: {}", .0.path.display(), .0.reason)]
    Input(Problem),
    #[error(
        "nothing was changed, because the change would cause {}; to write the files anyway, use --allow-errors",
        Counted(*count, "new error")
    )]
    NewErrors { count: usize, findings: Vec<Findings> },
}

/// The operations of a command, and the file of those that name none.
pub(crate) struct Task {
    pub(crate) file: Option<String>,
    pub(crate) operations: Vec<Operation>,
}

/// Opens the project that `place` lies in, does what `task` makes of it unless told otherwise, and prints that.
pub(crate) fn run(
    place: &Path,
    args: OperateArgs,
    task: impl FnOnce(&Project) -> Result<Task, OperateError>,
) -> Status {
    let is_dry = args.dry_run || args.diff;
    match operate(place, args, is_dry, task) {
        Ok(status) => status,
        Err(error) => fail(&error, args.output),
    }
}

/// Says why nothing was done.
pub(crate) fn fail(error: &OperateError, output: EditFormat) -> Status {
    if output == EditFormat::Text {
        complain(error);
        return Status::Failure;
    }
    let findings = match error {
        OperateError::NewErrors { findings, .. } => findings.as_slice(),
        _ => &[],
    };
    let text = json_failure(error.json(), findings);
    written(io::stdout().lock().write_all(text.as_bytes()), Status::Failure)
}

fn operate(
    place: &Path,
    args: OperateArgs,
    is_dry: bool,
    task: impl FnOnce(&Project) -> Result<Task, OperateError>,
) -> Result<Status, OperateError> {
    let mut workspace = open(place, is_dry)?;
    let task = task(project_of(&workspace)?)?;
    let project = workspace.project_mut().ok_or_else(missing_project)?;
    let edited = edit(project, task.file.as_deref(), &task.operations)?;
    let new_findings = workspace.new_findings(&edited.plan).map_err(OperateError::Unlisted)?;
    let project = project_of(&workspace)?;
    let root = project.root().unwrap_or(place).to_owned();
    let findings = Findings::of(project, &edited.plan, &new_findings);
    let errors = new_findings.errors().count();
    if errors > 0 && !args.allow_errors {
        if args.output == EditFormat::Text {
            tell(Findings::text(&findings, &root));
        }
        return Err(OperateError::NewErrors { count: errors, findings });
    }
    // The outcome of each operation says more than its places.
    let mut plan = PlanReport { places: &[], ..PlanReport::of_plan(&root, &edited.plan) };
    if !is_dry {
        if !edited.plan.is_empty() {
            plan.notes = gdscene_journal::carry_out(&root, &Changes::from(&edited.plan))?.notes;
        }
        plan.is_done = true;
    }
    let is_left = !edited.plan.doubts.is_empty() || errors > 0 || is_dry && !edited.plan.is_empty();
    let report = EditReport { plan, outcomes: &edited.outcomes, findings };
    let status = if is_left { Status::Findings } else { Status::Clean };
    Ok(reported(print(&report, args), &report.plan, status))
}

/// Standard output may be a patch or an object, to which nothing is added.
fn print(report: &EditReport<'_>, args: OperateArgs) -> io::Result<()> {
    let out = match args.output {
        _ if args.diff => {
            tell(report.text());
            report.plan.diff()
        }
        EditFormat::Json => report.json().into_bytes(),
        EditFormat::Text => for_stdout(report.text().into_bytes()),
    };
    io::stdout().lock().write_all(&out)
}

/// Opens the project, after what a killed run has begun is finished.
pub(crate) fn open(place: &Path, is_dry: bool) -> Result<Workspace, OperateError> {
    let place = plain(place);
    let missing = || LinterError::from(ProjectError::NotFound(place.clone()));
    let root = godot_project::find_root(&place).ok_or_else(missing)?;
    if is_dry {
        tell_of_interrupted(&root);
    } else {
        finish_interrupted(&root)?;
    }
    let options = WorkspaceOptions { cache: CachePlace::Usual, ..WorkspaceOptions::default() };
    let workspace = linter::open(&root, &options)?;
    report_skipped(project_of(&workspace)?.skipped());
    Ok(workspace)
}

/// The project of a workspace.
pub(crate) fn project_of(workspace: &Workspace) -> Result<&Project, OperateError> {
    workspace.project().ok_or_else(missing_project)
}

fn missing_project() -> OperateError {
    LinterError::from(ProjectError::NotFound(".".into())).into()
}

impl OperateError {
    fn json(&self) -> JsonError {
        let (file, operation) = match self {
            Self::Edit(error) => (error.file.clone(), error.operation.map(|index| index + 1)),
            _ => (None, None),
        };
        let reason = match self {
            // The number and the file are next to it.
            Self::Edit(error) => error.kind.to_string(),
            error => error.to_string(),
        };
        JsonError { file, kind: self.kind(), operation, reason }
    }

    fn kind(&self) -> &'static str {
        match self {
            Self::Linter(_) => "project",
            Self::Journal(_) => "not-written",
            Self::Path(_) => "file",
            Self::Operations(_) => "operations",
            Self::Input(_) => "input",
            Self::NewErrors { .. } => "new-errors",
            Self::Unlisted(_) => "refused",
            Self::Edit(error) => match *error.kind {
                EditErrorKind::NoFile => "no-file",
                EditErrorKind::File(_) => "file",
                EditErrorKind::NotEditable(_) | EditErrorKind::Empty => "broken-file",
                EditErrorKind::Path(_) => "path",
                EditErrorKind::NotFound { .. } => "not-found",
                EditErrorKind::WrongValue { .. } => "wrong-value",
                _ => "refused",
            },
        }
    }
}
