//! The texts that operations change, one after another.

use std::collections::BTreeMap;
use std::mem;
use std::sync::Arc;

use godot_project::res_path::extension_of;
use godot_project::settings::lossy;
use godot_project::{Project, resolve_path};

use crate::draft::{FileDraft, plan_of_drafts};
use crate::edit::error::{EditError, EditErrorKind};
use crate::edit::operation::Operation;
use crate::edit::resources::PLACEHOLDER;
use crate::edit::scene::{SceneEdit, scene_file};
use crate::edit::settings::SETTINGS;
use crate::edit::{Edited, Outcome};
use crate::{RefactorError, changed_lines};

/// The texts that operations change.
pub(super) struct Session<'p> {
    project: &'p mut Project,
    /// By path.
    scenes: BTreeMap<String, SceneEdit>,
    /// The file that the last operation changed, which the project does not know as it is now.
    current: Option<String>,
    /// Other files that change, such as scripts: their old and new contents.
    texts: BTreeMap<String, (Arc<[u8]>, Vec<u8>)>,
    outcomes: Vec<Outcome>,
    /// The earlier overlays of files.
    overlays: Vec<(String, Option<Vec<u8>>)>,
}

impl<'p> Session<'p> {
    /// Does all operations, and lets the project be as it was.
    pub(super) fn run(
        project: &'p mut Project,
        file: Option<&str>,
        operations: &[Operation],
    ) -> Result<Edited, EditError> {
        let mut session = Self {
            project,
            scenes: BTreeMap::new(),
            current: None,
            texts: BTreeMap::new(),
            outcomes: Vec::new(),
            overlays: Vec::new(),
        };
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
        for (index, operation) in operations.iter().enumerate() {
            let mut path = None;
            let outcome = self.one(operation.file().or(file), operation, &mut path);
            let outcome = outcome.map_err(|kind| EditError {
                operation: (operations.len() > 1).then_some(index),
                file: path,
                kind: Box::new(kind),
            })?;
            self.outcomes.push(outcome);
        }
        self.plan()
    }

    /// The changes.
    fn plan(&mut self) -> Result<Edited, EditError> {
        let mut drafts = Vec::new();
        let mut created = Vec::new();
        let error = |path: &str, kind| EditError {
            operation: None,
            file: Some(path.to_owned()),
            kind: Box::new(kind),
        };
        let paths: Vec<String> = self.scenes.keys().cloned().collect();
        let mut texts = mem::take(&mut self.texts);
        for path in paths {
            let new = self.finished(&path).map_err(|kind| error(&path, kind))?;
            match self.scenes[&path].original() {
                Some(original) => _ = texts.insert(path, (Arc::clone(original), new)),
                None => created.push(godot_tscn::FileEdits::create(path.clone(), lossy(&new))),
            }
        }
        for (path, (original, new)) in texts {
            let mut draft = FileDraft::of_text(path.clone(), original);
            let what = |_: &[u8], _: &str| "edited".into();
            let added = changed_lines::add(&mut draft, &new, &what);
            added.map_err(|source| error(&path, source.into()))?;
            drafts.push(draft);
        }
        let mut plan = plan_of_drafts(title(&self.outcomes), drafts);
        plan.files.extend(created);
        plan.put_in_order();
        Ok(Edited { plan, outcomes: mem::take(&mut self.outcomes) })
    }

    /// The text of a scene as Godot would have saved it.
    fn finished(&mut self, path: &str) -> Result<Vec<u8>, EditErrorKind> {
        let Some(scene) = self.scenes.get_mut(path) else { return Ok(Vec::new()) };
        let ids = scene.finish(self.project)?;
        for outcome in self.outcomes.iter_mut().filter(|outcome| outcome.file == *path) {
            if let Some(id) = outcome.id.as_ref().and_then(|id| ids.get(id)) {
                outcome.id = Some(id.clone());
            }
            if outcome.what.contains(PLACEHOLDER) {
                // Later ones first: one may begin as another does.
                for (old, new) in ids.iter().rev() {
                    outcome.what = outcome.what.replace(old, new);
                }
            }
        }
        Ok(scene.document.to_bytes())
    }

    fn one(
        &mut self,
        file: Option<&str>,
        operation: &Operation,
        found: &mut Option<String>,
    ) -> Result<Outcome, EditErrorKind> {
        let file = match operation {
            Operation::Configure { file, .. } => file.as_deref().or(Some(SETTINGS)),
            _ => file,
        };
        let file = file.ok_or(EditErrorKind::NoFile)?;
        let path = resolve_path("res://", file).unwrap_or_else(|| file.to_owned());
        *found = Some(path.clone());
        if let Operation::Rename { .. } | Operation::Move { .. } = operation {
            return self.refactor(&path, operation);
        }
        self.turn_to(&path)?;
        if let Operation::Configure { settings, autoloads, actions, .. } = operation {
            return self.configure(&path, settings, autoloads, actions);
        }
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

    /// Updates the project with the last file, if the next operation is about another.
    fn turn_to(&mut self, path: &str) -> Result<(), EditErrorKind> {
        let Some(current) = self.current.take_if(|current| current != path) else {
            self.current = Some(path.to_owned());
            return Ok(());
        };
        let text = self.scenes.get(&current).map(|scene| scene.document.to_bytes());
        if let Some(text) = text {
            self.show(&current, &text)?;
        }
        self.current = Some(path.to_owned());
        Ok(())
    }

    /// Lets the project see a text in the place of a file's.
    fn show(&mut self, path: &str, text: &[u8]) -> Result<(), EditErrorKind> {
        if !self.overlays.iter().any(|(known, _)| known == path) {
            let before = self.project.overlay(path).map(<[u8]>::to_vec);
            self.overlays.push((path.to_owned(), before));
        }
        let set = self.project.set_overlay(path, Some(text));
        set.map_err(|error| {
            EditErrorKind::Refused(format!("cannot list the project's files: {error}"))
        })
    }

    /// Lets the project see all that has changed.
    pub(super) fn show_all(&mut self) -> Result<(), EditErrorKind> {
        self.current = None;
        let paths: Vec<String> = self.scenes.keys().cloned().collect();
        for path in paths {
            let text = self.finished(&path)?;
            self.show(&path, &text)?;
        }
        Ok(())
    }

    /// Takes a refactoring's result for a file.
    pub(super) fn take(&mut self, file: &godot_tscn::FileEdits) -> Result<(), EditErrorKind> {
        let (path, new) = (file.path.as_str(), file.new_text());
        self.show(path, &new)?;
        let text = file.text().cloned().unwrap_or_default();
        let original = match (self.scenes.remove(path), self.texts.remove(path)) {
            (Some(scene), _) => scene.original().cloned(),
            (None, Some((original, _))) => Some(original),
            (None, None) => Some(text),
        };
        let is_scene = matches!(&*extension_of(path), "tscn" | "tres");
        let scene = is_scene.then(|| SceneEdit::new(path, new.clone().into(), original.clone()));
        match (scene, original) {
            (Some(Ok(scene)), _) => _ = self.scenes.insert(path.to_owned(), scene),
            (_, original) => {
                self.texts.insert(path.to_owned(), (original.unwrap_or_default(), new));
            }
        }
        Ok(())
    }

    fn open(&mut self, path: &str) -> Result<(), EditErrorKind> {
        if self.scenes.contains_key(path) {
            return Ok(());
        }
        let file = scene_file(self.project, path)?;
        if let Some(circle) = godot_project::instances::circle_above(self.project, file) {
            let circle = self.project.path(circle);
            let reason = format!(
                "`{circle}` inherits itself in a cycle, so Godot cannot load it; change or remove the scene that its root is an instance of"
            );
            return Err(EditErrorKind::Refused(reason));
        }
        let unreadable = |source| RefactorError::Unreadable { path: path.to_owned(), source };
        let text: Arc<[u8]> = self.project.read(file).map_err(unreadable)?.as_ref().into();
        let original = self.texts.remove(path).map_or_else(|| Arc::clone(&text), |(text, _)| text);
        let scene = SceneEdit::new(path, text, Some(original))?;
        self.scenes.insert(path.to_owned(), scene);
        Ok(())
    }

    /// Lets a file that is neither a scene nor a resource have another text.
    pub(super) fn change_text(
        &mut self,
        path: &str,
        change: impl FnOnce(&Project, &[u8]) -> Result<Vec<u8>, EditErrorKind>,
    ) -> Result<(), EditErrorKind> {
        let file = self.project.file(path);
        let file = file.ok_or_else(|| RefactorError::NoSuchFile { path: path.to_owned() })?;
        let unreadable = |source| RefactorError::Unreadable { path: path.to_owned(), source };
        let text: Arc<[u8]> = self.project.read(file).map_err(unreadable)?.as_ref().into();
        let new = change(self.project, &text)?;
        self.show(path, &new)?;
        self.texts.entry(path.to_owned()).or_insert((text, Vec::new())).1 = new;
        Ok(())
    }

    pub(super) fn project(&self) -> &Project {
        self.project
    }

    /// Adds a file that does not exist yet.
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
        Operation::SetCells { node, set, erase, .. } => scene.set_cells(project, node, set, erase),
        Operation::AddAnimation { node, name, library, animation, .. } => {
            scene.add_animation(project, node, name, library, animation)
        }
        Operation::New { .. }
        | Operation::Rename { .. }
        | Operation::Move { .. }
        | Operation::Configure { .. } => {
            unreachable!("the session does what several files change by")
        }
    }
}

fn title(outcomes: &[Outcome]) -> String {
    match outcomes {
        [only] => only.what.clone(),
        all => format!("{} edits", all.len()),
    }
}
