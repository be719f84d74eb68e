//! Edits by operations, of files of the running project or of texts.

use ::project::{CheckedEdit, EditError, Operation, Place, Workspace};
use godot::builtin::Variant;
use godot::obj::Gd;

use super::operations::operations_of;
use super::{Found, Optional, given, planned, start_by};
use crate::edition::editor::{project_folder, running_project};
use crate::engine;
use crate::scene_refactoring::{Outcome, SceneRefactoring};
use crate::scene_rewriter::Rewritten;

/// What operations make of files. `path` is that of the operations that name none, or empty.
pub(crate) fn edit(path: &str, operations: &Variant, allows_errors: bool) -> Gd<SceneRefactoring> {
    let path = (!path.is_empty()).then(|| given(path)).transpose();
    let operations = operations_of(operations);
    start_by(move |root| {
        let path = path.map_err(|error| error.to_string())?;
        let operations = operations?;
        let mut workspace =
            running_project::opened(&root).ok_or("there is no project that can be read")?;
        let checked = engine::in_pool(|| {
            edited(&mut workspace, path.as_deref(), &operations, allows_errors)
        })?;
        let project = workspace.project().ok_or("there is no project that can be read")?;
        Outcome::Ok(planned(project, root, found(checked)))
    })
}

/// What operations make of the text of the file at `path`, which need not be there.
pub(crate) fn edit_text(text: &str, path: &str, operations: &Variant) -> Result<Rewritten, String> {
    let path = given(path).map_err(|error| error.to_string())?;
    let operations = operations_of(operations)?;
    let others = operations.iter().filter_map(Operation::file);
    if let Some(other) = others.into_iter().find(|file| *file != path) {
        return Err(format!(
            "only `{path}` is edited here, not `{other}`; use `SceneRewriter.edit()`"
        ));
    }
    let count = operations.len();
    let root = project_folder();
    let new = engine::in_pool(|| -> Result<Option<Vec<u8>>, String> {
        let mut workspace =
            running_project::opened(&root).ok_or("there is no project that can be read")?;
        let project = workspace.project_mut().ok_or("there is no project that can be read")?;
        let set = project.set_overlay(&path, Some(text.as_bytes()));
        set.map_err(|error| format!("cannot list the project's files: {error}"))?;
        project.prepare();
        let checked = edited(&mut workspace, Some(&path), &operations, false)?;
        let file = checked.edited.plan.files.iter().find(|file| file.path == path);
        Ok(file.map(tscn::FileEdits::new_text))
    })?;
    let text = new.unwrap_or_else(|| text.as_bytes().to_vec());
    Ok(Rewritten { text, fix_count: count })
}

fn edited(
    workspace: &mut Workspace,
    path: Option<&str>,
    operations: &[Operation],
    allows_errors: bool,
) -> Result<CheckedEdit, String> {
    let checked = workspace.edit(path, operations).map_err(|error: EditError| error.to_string())?;
    let error = checked.new_errors().next().filter(|_| !allows_errors);
    if let Some((path, found)) = error {
        let (code, message) = (found.diagnostic.code, &found.diagnostic.message);
        return Err(format!("{path} would have an error that it has not now ({code}): {message}"));
    }
    Ok(checked)
}

/// What the rules newly report is a doubt.
fn found(checked: CheckedEdit) -> Found {
    let mut plan = checked.edited.plan;
    let doubt = |(path, found): (String, tscn::LocatedDiagnostic)| Place {
        path,
        span: found.diagnostic.span,
        line: found.position.line,
        column: found.position.column,
        what: format!("{}: {}", found.diagnostic.code, found.diagnostic.message).into(),
    };
    plan.doubts.extend(checked.new_findings.into_iter().map(doubt));
    Found::of(plan, Optional::None)
}
