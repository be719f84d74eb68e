//! Edits by operations, of files of the running project or of texts.

use std::io;

use gdscene_lint::{NewFindings, Workspace};
use gdscene_refactor::Operation;
use godot::builtin::Variant;
use godot::obj::Gd;
use godot_project::{Place, Plan};

use super::operations::operations_of;
use super::{Found, Optional, given, planned, start_by};
use crate::edition::editor::{project_folder, running_project};
use crate::engine;
use crate::scene_refactoring::{Outcome, SceneRefactoring};
use crate::scene_rewriter::Rewritten;

const NO_PROJECT: &str = "no project can be read";

/// What operations make of files. `path` is that of the operations that name none, or empty.
pub(crate) fn edit(path: &str, operations: &Variant, allows_errors: bool) -> Gd<SceneRefactoring> {
    let path = (!path.is_empty()).then(|| given(path)).transpose();
    let operations = operations_of(operations);
    start_by(move |root| {
        let path = path.map_err(|error| error.to_string())?;
        let operations = operations?;
        let mut workspace = running_project::opened(&root).ok_or(NO_PROJECT)?;
        let (plan, new_findings) = engine::in_pool(|| {
            edited(&mut workspace, path.as_deref(), &operations, allows_errors)
        })?;
        let project = workspace.project().ok_or(NO_PROJECT)?;
        Outcome::Ok(planned(project, root, found(plan, new_findings)))
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
        let mut workspace = running_project::opened(&root).ok_or(NO_PROJECT)?;
        let project = workspace.project_mut().ok_or(NO_PROJECT)?;
        let set = project.set_overlay(&path, Some(text.as_bytes()));
        set.map_err(|error| unlisted(&error))?;
        project.prepare();
        let (plan, _) = edited(&mut workspace, Some(&path), &operations, false)?;
        let file = plan.files.iter().find(|file| file.path == path);
        Ok(file.map(godot_tscn::FileEdits::new_text))
    })?;
    let text = new.unwrap_or_else(|| text.as_bytes().to_vec());
    Ok(Rewritten { text, fix_count: count })
}

fn edited(
    workspace: &mut Workspace,
    path: Option<&str>,
    operations: &[Operation],
    allows_errors: bool,
) -> Result<(Plan, NewFindings), String> {
    let project = workspace.project_mut().ok_or(NO_PROJECT)?;
    let edited = gdscene_refactor::edit(project, path, operations);
    let plan = edited.map_err(|error| error.to_string())?.plan;
    let new_findings = workspace.new_findings(&plan).map_err(|error| unlisted(&error))?;
    let error = new_findings.errors().next().filter(|_| !allows_errors);
    if let Some((path, found)) = error {
        let (code, message) = (found.diagnostic.code, &found.diagnostic.message);
        return Err(format!("{path} would have a new error ({code}): {message}"));
    }
    Ok((plan, new_findings))
}

fn unlisted(error: &io::Error) -> String {
    format!("cannot list the project's files: {error}")
}

/// What the rules newly report is a doubt.
fn found(mut plan: Plan, new_findings: NewFindings) -> Found {
    let doubt = |(path, found): (String, godot_tscn::LocatedDiagnostic)| Place {
        path,
        span: found.diagnostic.span,
        line: found.position.line,
        column: found.position.column,
        what: format!("{}: {}", found.diagnostic.code, found.diagnostic.message).into(),
    };
    plan.doubts.extend(new_findings.findings.into_iter().map(doubt));
    Found::of(plan, Optional::None)
}
