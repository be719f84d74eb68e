//! The texts that operations change, one after another.

use std::collections::BTreeMap;
use std::mem;
use std::sync::Arc;

use crate::edit::error::{EditError, EditErrorKind};
use crate::edit::operation::Operation;
use crate::edit::scene::SceneEdit;
use crate::edit::{Edited, Outcome};
use crate::project::Project;
use crate::refactor::changed_lines;
use crate::refactor::draft::FileDraft;
use crate::refactor::resources::text_file;
use crate::refactor::{Plan, RefactorError};
use crate::res_path::resolve_path;
use crate::settings::lossy;

/// The texts that operations change.
pub(super) struct Session<'p> {
    project: &'p mut Project,
    /// By path.
    scenes: BTreeMap<String, SceneEdit>,
    /// The file that the last operation changed, which the project does not know as it is now.
    current: Option<String>,
    /// What was set for files before.
    overlays: Vec<(String, Option<Vec<u8>>)>,
}

impl<'p> Session<'p> {
    /// Does all operations, and lets the project be as it was.
    pub(super) fn run(
        project: &'p mut Project,
        file: Option<&str>,
        operations: &[Operation],
    ) -> Result<Edited, EditError> {
        let mut session =
            Self { project, scenes: BTreeMap::new(), current: None, overlays: Vec::new() };
        let edited = session.all(file, operations);
        let overlays = mem::take(&mut session.overlays);
        let before = overlays.iter().map(|(path, text)| (path.as_str(), text.as_deref()));
        let restored = session.project.set_overlays(before);
        let edited = edited?;
        restored.map_err(|error| EditError {
            operation: None,
            file: None,
            kind: EditErrorKind::Refused(format!("cannot list the project's files: {error}"))
                .into(),
        })?;
        Ok(edited)
    }

    fn all(&mut self, file: Option<&str>, operations: &[Operation]) -> Result<Edited, EditError> {
        let mut outcomes = Vec::with_capacity(operations.len());
        for (index, operation) in operations.iter().enumerate() {
            let mut path = None;
            let outcome = self.one(operation.file().or(file), operation, &mut path);
            outcomes.push(outcome.map_err(|kind| EditError {
                operation: (operations.len() > 1).then_some(index),
                file: path,
                kind: Box::new(kind),
            })?);
        }
        let mut drafts = Vec::new();
        let mut created = Vec::new();
        for (path, scene) in &mut self.scenes {
            let error = |kind| EditError {
                operation: None,
                file: Some(path.clone()),
                kind: Box::new(kind),
            };
            let ids = scene.finish(self.project).map_err(error)?;
            for outcome in outcomes.iter_mut().filter(|outcome| outcome.file == *path) {
                let id = outcome.id.as_ref().and_then(|id| ids.get(id));
                if let Some(id) = id {
                    outcome.id = Some(id.clone());
                }
            }
            let text = scene.document.to_bytes();
            let Some(original) = scene.original() else {
                created.push(tscn::FileEdits::create(path.clone(), lossy(&text)));
                continue;
            };
            let mut draft = FileDraft::of_text(path.clone(), Arc::clone(original));
            let what = |_: &[u8], _: &str| "edited".into();
            changed_lines::add(&mut draft, &text, &what).map_err(|source| error(source.into()))?;
            drafts.push(draft);
        }
        let mut plan = Plan::of_drafts(title(&outcomes), drafts);
        plan.files.extend(created);
        plan.put_in_order();
        Ok(Edited { plan, outcomes })
    }

    fn one(
        &mut self,
        file: Option<&str>,
        operation: &Operation,
        found: &mut Option<String>,
    ) -> Result<Outcome, EditErrorKind> {
        let file = file.ok_or(EditErrorKind::NoFile)?;
        let path = resolve_path("res://", file).unwrap_or_else(|| file.to_owned());
        *found = Some(path.clone());
        self.turn_to(&path)?;
        if let Operation::New { class, inherits, name, properties, .. } = operation {
            let (class, inherits) = (class.as_deref(), inherits.as_deref());
            return self.create(&path, class, inherits, name.as_deref(), properties);
        }
        self.open(&path)?;
        let project = &*self.project;
        let scene = self.scenes.get_mut(&path).expect("it was opened");
        let outcome = apply(project, scene, operation)?;
        Ok(Outcome { file: path, ..outcome })
    }

    /// Lets the project know what the last file is now, if the next operation is about another.
    fn turn_to(&mut self, path: &str) -> Result<(), EditErrorKind> {
        let Some(current) = self.current.take_if(|current| current != path) else {
            self.current = Some(path.to_owned());
            return Ok(());
        };
        let text = self.scenes.get(&current).map(|scene| scene.document.to_bytes());
        if let Some(text) = text {
            if !self.overlays.iter().any(|(path, _)| *path == current) {
                let before = self.project.overlay(&current).map(<[u8]>::to_vec);
                self.overlays.push((current.clone(), before));
            }
            let set = self.project.set_overlay(&current, Some(&text));
            set.map_err(|error| {
                EditErrorKind::Refused(format!("cannot list the project's files: {error}"))
            })?;
        }
        self.current = Some(path.to_owned());
        Ok(())
    }

    fn open(&mut self, path: &str) -> Result<(), EditErrorKind> {
        if self.scenes.contains_key(path) {
            return Ok(());
        }
        let file = text_file(self.project, path, "a text scene or resource (.tscn, .tres)")?;
        let unreadable = |source| RefactorError::Unreadable { path: path.to_owned(), source };
        let text: Arc<[u8]> = self.project.read(file).map_err(unreadable)?.as_ref().into();
        let scene = SceneEdit::new(path, Arc::clone(&text), Some(text))?;
        self.scenes.insert(path.to_owned(), scene);
        Ok(())
    }

    pub(super) fn project(&self) -> &Project {
        self.project
    }

    /// Adds a file that is not there yet.
    pub(super) fn add_file(&mut self, path: &str, scene: SceneEdit) {
        self.scenes.insert(path.to_owned(), scene);
    }

    /// Whether operations have made or opened this file.
    pub(super) fn scene_mut(&mut self, path: &str) -> Option<(&Project, &mut SceneEdit)> {
        Some((&*self.project, self.scenes.get_mut(path)?))
    }
}

fn apply(
    project: &Project,
    scene: &mut SceneEdit,
    operation: &Operation,
) -> Result<Outcome, EditErrorKind> {
    match operation {
        Operation::Set { at, value, .. } => scene.set(project, at, value),
        Operation::Unset { at, .. } => scene.unset(project, at),
        Operation::Add { node, class, with, .. } => scene.add_node(project, node, class, with),
        Operation::Instance { node, scene: inner, with, .. } => {
            scene.add_instance(project, node, inner, with)
        }
        Operation::Remove { node, with_references, .. } => {
            scene.remove_node(project, node, *with_references)
        }
        Operation::Attach { node, script, .. } => scene.attach(project, node, script),
        Operation::Detach { node, .. } => scene.detach(project, node),
        Operation::Group { node, add, remove, .. } => scene.group(project, node, add, remove),
        Operation::Connect { connection, flags, binds, unbinds, .. } => {
            scene.connect(project, connection, *flags, binds, *unbinds)
        }
        Operation::Disconnect { connection, .. } => scene.disconnect(connection),
        Operation::AddResource { at, class, properties, .. } => {
            scene.add_resource(project, at, class, properties)
        }
        Operation::LoadResource { at, path, .. } => scene.load_resource(project, at, path),
        Operation::Editable { node, on, .. } => scene.set_editable(project, node, *on),
        Operation::New { .. } => unreachable!("a new file is made by the session"),
    }
}

fn title(outcomes: &[Outcome]) -> String {
    match outcomes {
        [only] => only.what.clone(),
        all => format!("{} edits", all.len()),
    }
}
