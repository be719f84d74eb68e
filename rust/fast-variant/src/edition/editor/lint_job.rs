//! The work of a `SceneLintJob`: many files on all cores. The threads work on plain data, and never call the engine.

use std::borrow::Cow;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use gdscene_lint::{Observer, Scope, Workspace};
use godot::builtin::GString;
use godot::classes::FileAccess;
use godot::obj::Gd;
use godot_project::read_file;
use godot_tscn::LocatedDiagnostic;
use rayon::prelude::*;

use crate::by_name::globalize_path;
use crate::engine;
use crate::scene_lint_job::{JobState, SceneLintJob};
use crate::scene_linter::read_bytes;
use crate::threads::Thread;

/// Which files to check.
pub(super) enum Files {
    Given(Vec<Source>),
    /// All of the project.
    OfProject,
}

/// A file to check.
pub(super) struct Source {
    /// As it was given.
    path: String,
    /// Where the system finds it.
    place: PathBuf,
    /// What is in it, where that is given, or only the engine could read it.
    text: Option<Result<Vec<u8>, String>>,
}

/// `find_workspace` runs in the background.
pub(super) fn start(
    find_workspace: impl FnOnce() -> Arc<Workspace> + Send + 'static,
    files: Files,
) -> Gd<SceneLintJob> {
    let work = move |state: Arc<JobState>| {
        // Before the pool: its threads must not wait for each other.
        let workspace = find_workspace();
        engine::in_pool(|| match files {
            Files::Given(sources) => check(&workspace, &sources, &state),
            Files::OfProject => workspace.check_all(Scope::All, &*state),
        });
    };
    SceneLintJob::start(|state| Thread::named("scene lint job", move || work(state)))
}

fn check(workspace: &Workspace, sources: &[Source], state: &JobState) {
    let paths: Vec<&str> = sources.iter().map(|source| source.path.as_str()).collect();
    state.begin(&paths);
    sources.par_iter().enumerate().for_each(|(index, source)| {
        if !state.is_cancelled() {
            let text = source.read();
            state.set(index, text.map(|text| workspace.check(&source.path, &text)));
        }
    });
}

impl Observer for JobState {
    fn begin(&self, paths: &[&str]) {
        self.begin(paths);
    }

    fn done(&self, index: usize, found: io::Result<Vec<LocatedDiagnostic>>) {
        self.set(index, found.map_err(|error| unreadable(&error)));
    }

    fn is_cancelled(&self) -> bool {
        self.is_cancelled()
    }
}

impl Source {
    /// For the main thread: only the engine can read files in a package, and only on the main thread.
    pub(super) fn find(path: &GString) -> Self {
        let place = globalize_path(&path.to_string());
        let is_packed = !Path::new(&place).exists() && FileAccess::file_exists(path);
        let text = is_packed.then(|| read_bytes(path).map(|text| text.to_vec()));
        Self { path: path.to_string(), place: place.into(), text }
    }

    /// A text that need not be saved.
    pub(super) fn with_text(path: &GString, text: Vec<u8>) -> Self {
        Self { path: path.to_string(), place: PathBuf::new(), text: Some(Ok(text)) }
    }

    fn read(&self) -> Result<Cow<'_, [u8]>, String> {
        match &self.text {
            Some(text) => text.as_deref().map(Cow::Borrowed).map_err(Clone::clone),
            None => read_file(&self.place).map(Cow::Owned).map_err(|error| unreadable(&error)),
        }
    }
}

fn unreadable(error: &io::Error) -> String {
    format!("cannot be read: {error}")
}
