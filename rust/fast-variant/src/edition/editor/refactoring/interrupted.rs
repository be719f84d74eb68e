//! A refactoring that was begun by a process that did not live to its end.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use gdscene_journal::Unfinished;
use godot::obj::Gd;

use super::{project_folder, told};
use crate::scene_refactoring::{Changes, Choice, Outcome, Planned, SceneRefactoring};

/// What a killed run has left to do; nothing to change if none has.
pub(crate) fn finish_interrupted() -> Gd<SceneRefactoring> {
    let root = project_folder();
    SceneRefactoring::start(move || planned(root))
}

/// What was interrupted in the project in the folder `root`.
pub(super) fn unfinished(root: &Path) -> Result<Option<Unfinished>, String> {
    gdscene_journal::unfinished(root).map_err(|error| error.to_string())
}

fn planned(root: PathBuf) -> Outcome {
    let Unfinished { changes, restored } = unfinished(&root)?.unwrap_or_default();
    let written = changes.writes.into_iter().map(|write| write.path);
    Ok(Planned {
        title: changes.title,
        files: written.chain(restored).collect(),
        moves: changes.moves.into_iter().map(|moved| (moved.from, moved.to)).collect(),
        removals: changes.removals,
        places: Vec::new(),
        doubts: Vec::new(),
        unused: Vec::new(),
        kept: Vec::new(),
        changes: Box::new(Interrupted { root, undo: Mutex::default() }),
    })
}

struct Interrupted {
    root: PathBuf,
    /// The heading of what takes it back, once it is finished.
    undo: Mutex<Option<String>>,
}

impl Changes for Interrupted {
    fn apply(&self, _: &Choice) -> Result<Vec<String>, String> {
        let finished = gdscene_journal::finish(&self.root).transpose();
        let finished = finished.ok_or("nothing left to finish: another process has finished it")?;
        let notes = told(&self.root, finished)?;
        *self.title() = undo_title(&self.root);
        Ok(notes)
    }

    fn undo(&self, _: &Choice) -> Result<Vec<String>, String> {
        let undo = gdscene_journal::plan_undo(&self.root).map_err(|error| error.to_string())?;
        if self.title().as_ref() != Some(&undo.changes.title) {
            return Err("another refactoring was made since".to_owned());
        }
        told(&self.root, gdscene_journal::undo(&self.root, &undo))
    }
}

impl Interrupted {
    fn title(&self) -> std::sync::MutexGuard<'_, Option<String>> {
        self.undo.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn undo_title(root: &Path) -> Option<String> {
    gdscene_journal::plan_undo(root).ok().map(|undo| undo.changes.title)
}
