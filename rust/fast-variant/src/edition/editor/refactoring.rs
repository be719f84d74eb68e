//! The refactorings of the running project, for `SceneRewriter`: a thread plans them, and another part carries
//! them out.

mod doubts;
mod edits;
mod interrupted;
mod operations;
mod places;

use std::path::{Path, PathBuf};

use gdscene_journal::{Done, JournalError};
use gdscene_refactor::{PruneOptions, RefactorError};
use godot::obj::Gd;
use godot_project::{FileMove, Place, Plan, Project, Unused, resolve_path, unused_files};
use godot_tscn::{Applicability, FileEdits, Fix, GodotVersion, LineIndex, Span};

use super::rewrite::is_at;
use super::{classes, project_folder, running_project};
use crate::by_name::{is_main_thread, path_of_uid};
use crate::engine;
use crate::scene_refactoring::{Changes, Choice, FoundFile, Outcome, Planned, SceneRefactoring};

use doubts::{PossibleEdit, planned_doubts, with_doubts};
use interrupted::unfinished;
use places::{Optional, planned_places};

pub(crate) use edits::{edit, edit_text};
pub(crate) use interrupted::finish_interrupted;

const ROOT: &str = "res://";

/// A plan, and what else is known of it.
struct Found {
    plan: Plan,
    optional: Optional,
    unused: Unused,
    /// The old and the new name, for a rename.
    renamed: Option<(String, String)>,
}

type Refactored = Result<Found, RefactorError>;

pub(crate) fn rename_property(script: &str, old: &str, new: &str) -> Gd<SceneRefactoring> {
    let (script, old, new) = (given(script), old.to_owned(), new.to_owned());
    start(move |project| {
        let plan = gdscene_refactor::rename_property(project, &script?, &old, &new)?;
        Ok(Found::of(plan, Optional::All).renamed(old, new))
    })
}

pub(crate) fn rename_method(script: &str, old: &str, new: &str) -> Gd<SceneRefactoring> {
    let (script, old, new) = (given(script), old.to_owned(), new.to_owned());
    start(move |project| {
        let plan = gdscene_refactor::rename_method(project, &script?, &old, &new)?;
        Ok(Found::of(plan, Optional::All).renamed(old, new))
    })
}

pub(crate) fn rename_signal(script: &str, old: &str, new: &str) -> Gd<SceneRefactoring> {
    let (script, old, new) = (given(script), old.to_owned(), new.to_owned());
    start(move |project| {
        let plan = gdscene_refactor::rename_signal(project, &script?, &old, &new)?;
        Ok(Found::of(plan, Optional::All).renamed(old, new))
    })
}

pub(crate) fn rename_class(old: &str, new: &str) -> Gd<SceneRefactoring> {
    let (old, new) = (old.to_owned(), new.to_owned());
    start(move |project| {
        let plan = gdscene_refactor::rename_class(project, &old, &new)?;
        Ok(Found::of(plan, Optional::All).renamed(old, new))
    })
}

pub(crate) fn rename_node(scene: &str, path: &str, new: &str) -> Gd<SceneRefactoring> {
    let (scene, path, new) = (given(scene), path.to_owned(), new.to_owned());
    start(move |project| {
        let plan = gdscene_refactor::rename_node(project, &scene?, &path, &new)?;
        let found = Found::of(plan, Optional::Scripts);
        let old = path.rsplit('/').next().unwrap_or_default().to_owned();
        // The path of the root is not its name.
        Ok(if old == "." { found } else { found.renamed(old, new) })
    })
}

/// `at` is the place among the children of the new parent, less than 0 for the last one.
pub(crate) fn move_node(
    scene: &str,
    path: &str,
    new_parent: &str,
    at: i64,
) -> Gd<SceneRefactoring> {
    let (scene, path, new_parent) = (given(scene), path.to_owned(), new_parent.to_owned());
    start(move |project| {
        let at = usize::try_from(at).ok();
        let plan = gdscene_refactor::move_node(project, &scene?, &path, &new_parent, at)?;
        Ok(Found::of(plan, Optional::Scripts))
    })
}

pub(crate) fn move_files(old: &str, new: &str) -> Gd<SceneRefactoring> {
    let (old, into_folder) = (given(old), new.ends_with('/'));
    let new = given(new).map(|path| {
        let slash = if into_folder && !path.ends_with('/') { "/" } else { "" };
        path + slash
    });
    start(move |project| all_optional(gdscene_refactor::move_files(project, &old?, &new?)?))
}

/// `moves` are the old and the new paths of what has moved already.
pub(crate) fn repair_moved(moves: &[(String, String)]) -> Gd<SceneRefactoring> {
    let moves: Result<Vec<FileMove>, RefactorError> = moves
        .iter()
        .map(|(old, new)| {
            let path = |path: &str| Ok(given(path)?.trim_end_matches('/').to_owned());
            Ok(FileMove { from: path(old)?, to: path(new)? })
        })
        .collect();
    start(move |project| all_optional(gdscene_refactor::repair_moved(project, &moves?)?))
}

pub(crate) fn find_unused(folder: &str) -> Gd<SceneRefactoring> {
    let folder = given(folder).map(|path| path.trim_end_matches('/').to_owned() + "/");
    start(move |project| {
        let folder = match folder?.as_str() {
            "res:/" => ROOT.to_owned(),
            folder => folder.to_owned(),
        };
        let mut unused = unused_files(project);
        unused.unused.retain(|row| project.path(row.file).starts_with(&folder));
        unused.kept.retain(|row| project.path(row.file).starts_with(&folder));
        let paths: Vec<String> =
            unused.unused.iter().map(|row| project.path(row.file).to_owned()).collect();
        // Without paths it would be all of the project.
        let mut plan = if paths.is_empty() {
            Plan { title: "remove files that nothing uses".to_owned(), ..Plan::default() }
        } else {
            gdscene_refactor::prune(project, &PruneOptions { paths, kinds: Vec::new() })?
        };
        plan.doubts.extend(unused.notes.iter().map(limit));
        Ok(Found { unused, ..Found::of(plan, Optional::None) })
    })
}

pub(crate) fn prune(paths: &[String]) -> Gd<SceneRefactoring> {
    let paths: Result<Vec<String>, RefactorError> = paths.iter().map(|path| given(path)).collect();
    start(move |project| {
        let options = PruneOptions { paths: paths?, kinds: Vec::new() };
        Ok(Found::of(gdscene_refactor::prune(project, &options)?, Optional::None))
    })
}

pub(crate) fn extract(scene: &str, id: &str, file: &str) -> Gd<SceneRefactoring> {
    let (scene, id, file) = (given(scene), id.to_owned(), given(file));
    start(move |project| {
        Ok(Found::of(gdscene_refactor::extract(project, &scene?, &id, &file?)?, Optional::None))
    })
}

pub(crate) fn inline(scene: &str, id: &str, removes_file: bool) -> Gd<SceneRefactoring> {
    let (scene, id) = (given(scene), id.to_owned());
    start(move |project| {
        Ok(Found::of(
            gdscene_refactor::inline(project, &scene?, &id, removes_file)?,
            Optional::None,
        ))
    })
}

pub(crate) fn dedupe(path: &str) -> Gd<SceneRefactoring> {
    let path = given(path);
    start(move |project| Ok(Found::of(gdscene_refactor::dedupe(project, &path?)?, Optional::None)))
}

/// `version` is empty for that of the project.
pub(crate) fn upgrade(paths: &[String], version: &str) -> Gd<SceneRefactoring> {
    let starts: Result<Vec<String>, RefactorError> = paths.iter().map(|path| given(path)).collect();
    let version = version.to_owned();
    start(move |project| {
        let target = match version.as_str() {
            "" => project.settings().version,
            version => version.parse::<GodotVersion>().ok(),
        };
        let target = target.ok_or_else(|| {
            RefactorError::Refused(format!("`{version}` is not a known Godot version"))
        })?;
        Ok(Found::of(gdscene_refactor::upgrade(project, None, target, &starts?)?, Optional::None))
    })
}

/// The fix of the finding with this code at this line and column, in all files that it changes.
pub(crate) fn fix_in_project(path: &str, code: &str, place: (i64, i64)) -> Gd<SceneRefactoring> {
    let (path, code) = (given(path), code.to_owned());
    start_by(move |root| {
        let path = path.map_err(|error| error.to_string())?;
        let workspace = running_project::reload_blocking(&root);
        let project = workspace.project().ok_or("no project can be read")?;
        let file = project.file(&path).ok_or_else(|| format!("`{path}` does not exist"))?;
        let text = project.read(file).map_err(|error| format!("`{path}`: {error}"))?;
        let found = workspace.check(&path, &text);
        let finding = found.iter().find(|found| is_at(found, &code, place));
        let fix = finding.and_then(|finding| finding.diagnostic.fix.as_ref());
        let fix = fix.filter(|fix| fix.applicability < Applicability::DisplayOnly);
        let fix = fix.ok_or_else(|| {
            format!("{code} at {path}:{}:{} has no fix; check the file again", place.0, place.1)
        })?;
        let plan = plan_of_fix(fix, FileEdits::new(path, text.as_ref(), fix.edits().to_vec()));
        Ok(planned(project, root, Found::of(plan, Optional::None)))
    })
}

fn plan_of_fix(fix: &Fix, own: FileEdits) -> Plan {
    let own = (!own.edits().is_empty()).then_some(own);
    let mut plan = Plan { title: fix.title.to_string(), ..Plan::default() };
    plan.files = own.into_iter().chain(fix.other_files().iter().cloned()).collect();
    for file in &plan.files {
        let Some(text) = file.text() else {
            plan.places.push(Place::of_file(&file.path, "new file"));
            continue;
        };
        let lines = LineIndex::new(text);
        plan.places.extend(file.edits().iter().map(|edit| {
            let position = lines.position(edit.span.start);
            Place {
                path: file.path.clone(),
                span: edit.span,
                line: position.line,
                column: position.column,
                what: fix.title.clone(),
            }
        }));
    }
    plan.put_in_order();
    plan
}

fn all_optional(plan: Plan) -> Refactored {
    Ok(Found::of(plan, Optional::All))
}

impl Found {
    fn of(plan: Plan, optional: Optional) -> Self {
        Self { plan, optional, unused: Unused::default(), renamed: None }
    }

    fn renamed(self, old: String, new: String) -> Self {
        Self { renamed: Some((old, new)), ..self }
    }
}

/// A path as the project's files have it.
fn given(path: &str) -> Result<String, RefactorError> {
    let path = match path.strip_prefix("uid://") {
        Some(_) => path_of_uid(path).unwrap_or_else(|| path.to_owned()),
        None => path.to_owned(),
    };
    let is_folder = path.len() > ROOT.len() && path.ends_with('/');
    let resolved = path.starts_with(ROOT).then(|| resolve_path(ROOT, &path)).flatten();
    let resolved = resolved.ok_or_else(|| {
        RefactorError::Refused(format!("`{path}` is not a path in the project (`res://…`)"))
    })?;
    Ok(if is_folder && !resolved.ends_with('/') { resolved + "/" } else { resolved })
}

/// Works out a plan in the background, for the files as they are now.
fn start(work: impl FnOnce(&Project) -> Refactored + Send + 'static) -> Gd<SceneRefactoring> {
    start_by(move |root| {
        let workspace = running_project::reload_blocking(&root);
        let project = workspace.project().ok_or("no project can be read")?;
        let found = engine::in_pool(|| work(project)).map_err(|error| error.to_string())?;
        Ok(planned(project, root, found))
    })
}

/// The same for what reads the project itself.
fn start_by(work: impl FnOnce(PathBuf) -> Outcome + Send + 'static) -> Gd<SceneRefactoring> {
    let root = project_folder();
    if is_main_thread() {
        classes::read_on();
    }
    SceneRefactoring::start(move || {
        refuse_unfinished(&root)?;
        work(root)
    })
}

fn refuse_unfinished(root: &Path) -> Result<(), String> {
    if let Some(unfinished) = unfinished(root)? {
        // Its files would be taken as they are, some old and some new.
        let title = unfinished.changes.title;
        return Err(format!(
            "an earlier refactoring was interrupted ({title}), so some files are old and some new; \
             `SceneRewriter.finish_interrupted()` finishes it"
        ));
    }
    Ok(())
}

fn planned(project: &Project, root: PathBuf, found: Found) -> Planned {
    let Found { plan, optional, unused, renamed } = found;
    let places = planned_places(&plan, optional);
    let (doubts, possible) = planned_doubts(project, &plan, renamed.as_ref());
    let path = |file| project.path(file).to_owned();
    let unused_files = unused.unused.iter().map(|row| FoundFile {
        path: path(row.file),
        kind: row.kind.name(),
        size: row.size,
        reason: String::new(),
    });
    let kept = unused.kept.iter().map(|row| FoundFile {
        path: path(row.file),
        kind: row.kind.name(),
        size: row.size,
        reason: row.reason.to_string(),
    });
    Planned {
        title: plan.title.clone(),
        files: plan.files.iter().map(|file| file.path.clone()).collect(),
        moves: plan.moves.iter().map(|moved| (moved.from.clone(), moved.to.clone())).collect(),
        removals: plan.removals.clone(),
        places,
        doubts,
        unused: unused_files.collect(),
        kept: kept.collect(),
        changes: Box::new(PlannedChanges { root, plan, possible }),
    }
}

struct PlannedChanges {
    root: PathBuf,
    plan: Plan,
    /// By the number of the doubt.
    possible: Vec<Option<PossibleEdit>>,
}

impl Changes for PlannedChanges {
    fn apply(&self, choice: &Choice) -> Result<Vec<String>, String> {
        told(&self.root, gdscene_journal::carry_out(&self.root, &self.chosen(choice)))
    }

    fn undo(&self, choice: &Choice) -> Result<Vec<String>, String> {
        told(&self.root, gdscene_journal::undo_changes(&self.root, &self.chosen(choice)))
    }
}

impl PlannedChanges {
    fn chosen(&self, choice: &Choice) -> gdscene_journal::Changes {
        let plan = self.plan.without(&choice.left_out);
        gdscene_journal::Changes::from(&with_doubts(plan, &self.possible, &choice.taken_in))
    }
}

/// Notes about changes of the project in the folder `root`, or the reason why it was not changed.
fn told(root: &Path, done: Result<Done, JournalError>) -> Result<Vec<String>, String> {
    let done = done.map_err(|error| error.to_string())?;
    running_project::reload_in_background(root.to_owned());
    Ok(done.notes)
}

/// A place that makes it uncertain which files are used: its file, line and reason.
fn limit((path, line, reason): &(String, u32, String)) -> Place {
    let (path, what) = (path.clone(), reason.clone().into());
    Place { path, span: Span::default(), line: *line, column: 1, what }
}
