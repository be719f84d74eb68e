//! Resources that get a file of their own, or come back from it.

use gdscene_refactor::RefactorError;
use godot_project::{Plan, Project};
use godot_tscn::TagKind;
use ls_types::{CodeAction, CodeActionKind};

use crate::snapshot::{File, Snapshot};
use crate::{at, edits};

/// The actions for the resource with its tag at a place. Refused actions are not offered.
pub(super) fn at_place(
    snapshot: &Snapshot,
    file: &File,
    project: &Project,
    offset: u32,
) -> Option<CodeAction> {
    let document = godot_tscn::parse(file.text.bytes());
    let section = document.section_at(offset)?;
    let tag = section.tag_span();
    if offset < tag.start || tag.end < offset {
        return None;
    }
    let id = at::text(section, "id")?;
    let (title, kind, plan) = match section.kind() {
        TagKind::SubResource => {
            let new = free_path(project, &file.path, &id);
            let plan = gdscene_refactor::extract(project, &file.path, &id, &new);
            (format!("Extract into {new}"), CodeActionKind::REFACTOR_EXTRACT, plan)
        }
        TagKind::ExtResource if at::text(section, "path")?.ends_with(".tres") => {
            let plan = gdscene_refactor::inline(project, &file.path, &id, false);
            ("Inline into this file".to_owned(), CodeActionKind::REFACTOR_INLINE, plan)
        }
        _ => return None,
    };
    action(snapshot, file, title, kind, plan)
}

fn action(
    snapshot: &Snapshot,
    file: &File,
    title: String,
    kind: CodeActionKind,
    plan: Result<Plan, RefactorError>,
) -> Option<CodeAction> {
    let edit = edits::of_plan(snapshot, &file.project, &plan.ok()?).ok()?;
    Some(CodeAction { title, kind: Some(kind), edit: Some(edit), ..CodeAction::default() })
}

/// A free path next to the scene, named after the resource's id.
fn free_path(project: &Project, scene: &str, id: &str) -> String {
    let folder = scene.rsplit_once('/').map_or("res:/", |(folder, _)| folder);
    let is_part = |character: char| character.is_alphanumeric() || character == '_';
    let name: String = id.chars().filter(|character| is_part(*character)).collect();
    let name = if name.is_empty() { "resource".to_owned() } else { name.to_lowercase() };
    let numbered = (2..).map(|number| format!("{folder}/{name}_{number}.tres"));
    let mut paths = std::iter::once(format!("{folder}/{name}.tres")).chain(numbered);
    paths.find(|path| project.file(path).is_none()).unwrap_or_default()
}
