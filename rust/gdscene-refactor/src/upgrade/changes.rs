//! The changes of the new version: new names as edits, the rest as places to look at.

use godot_project::res_path::{extension_of, is_gdscript};
use godot_project::{ChangedUse, FileId, Place, Plan, Project, SceneContext, VersionChanges};
use godot_tscn::{Edit, GodotVersion, LineIndex};
use rayon::prelude::*;

use super::is_text;
use crate::RefactorError;
use crate::draft::{FileDraft, plan_of_drafts, read};

/// The changes of the versions after that of a project, up to another one.
pub(super) struct Changes<'p> {
    project: &'p Project,
    changes: VersionChanges<'p>,
}

/// The new names in a script, and the places to look at.
#[derive(Default)]
struct InFile {
    draft: Option<FileDraft>,
    places: Vec<Place>,
}

impl<'p> Changes<'p> {
    pub(super) fn new(project: &'p Project, from: GodotVersion, target: GodotVersion) -> Self {
        Self { project, changes: VersionChanges::between(project, from, target) }
    }

    /// The new names in a scene or resource.
    pub(super) fn edits(&self, file: FileId, document: &godot_tscn::Document<'_>) -> Vec<Edit> {
        let context = SceneContext::new(self.project, self.project.path(file), document);
        self.changes.in_scene(&context).into_iter().flat_map(|found| found.edits).collect()
    }

    /// Adds the new names in scripts to a plan, and all places to look at, in `files`.
    pub(super) fn add_to(&self, plan: &mut Plan, files: &[FileId]) {
        if self.changes.is_empty() {
            return;
        }
        let work = |file: &FileId| {
            self.in_file(*file).unwrap_or_else(|error| {
                let place = Place::of_file(self.project.path(*file), error.to_string());
                InFile { places: vec![place], ..InFile::default() }
            })
        };
        let found: Vec<InFile> = files.par_iter().map(work).collect();
        let mut drafts = Vec::new();
        for InFile { draft, places } in found {
            plan.doubts.extend(places);
            drafts.extend(draft);
        }
        let scripts = plan_of_drafts(String::new(), drafts);
        plan.files.extend(scripts.files);
        plan.places.extend(scripts.places);
        plan.put_in_order();
    }

    fn in_file(&self, file: FileId) -> Result<InFile, RefactorError> {
        let path = self.project.path(file);
        let is_csharp = extension_of(path) == "cs";
        let is_settings = path == "res://project.godot";
        if !(is_text(path) || is_gdscript(path) || is_csharp || is_settings) {
            return Ok(InFile::default());
        }
        let text = read(self.project, file)?;
        let uses = if is_settings {
            Some(self.changes.in_settings(&godot_tscn::parse_config(&text)))
        } else if is_csharp {
            self.changes.in_csharp(&text)
        } else if is_gdscript(path) {
            self.changes.in_script(file)
        } else {
            let document = godot_tscn::parse(&text);
            Some(self.changes.in_scene(&SceneContext::new(self.project, path, &document)))
        };
        let Some(uses) = uses else {
            let place =
                Place::of_file(path, "the script cannot be read, so its uses are not listed");
            return Ok(InFile { draft: None, places: vec![place] });
        };
        if uses.is_empty() {
            return Ok(InFile::default());
        }
        let lines = LineIndex::new(&text);
        let (done, left): (Vec<&ChangedUse>, Vec<&ChangedUse>) =
            uses.iter().partition(|found| !found.edits.is_empty());
        let places = left.into_iter().map(|found| place(path, &lines, found)).collect();
        if !is_gdscript(path) {
            return Ok(InFile { draft: None, places });
        }
        let mut draft = FileDraft::of_text(path.to_owned(), text.as_ref());
        for found in done {
            for edit in &found.edits {
                draft.edit(edit.span, edit.replacement.clone(), found.message());
            }
        }
        Ok(InFile { draft: Some(draft), places })
    }
}

fn place(path: &str, lines: &LineIndex<'_>, found: &ChangedUse) -> Place {
    let position = lines.position(found.span.start);
    let what = format!("{}. {}", found.message(), found.advice());
    Place {
        path: path.to_owned(),
        span: found.span,
        line: position.line,
        column: position.column,
        what: what.into(),
    }
}
