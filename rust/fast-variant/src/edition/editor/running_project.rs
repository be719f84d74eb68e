//! The project that runs, as the linter's rules for whole projects need it.
//!
//! Only threads read it, again whenever files have changed, and the last one serves until then. The facts of the files
//! are kept on disk, so that only changed files are read.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};
use std::time::Instant;

use gdscene_lint::{ConfigError, Workspace, WorkspaceOptions};
use godot_project::{CachePlace, Project, Skipped};
use godot_variant::printable;

use super::classes;
use crate::engine;
use crate::threads::Thread;

/// The last one that was read.
static WORKSPACE: RwLock<Option<Arc<Workspace>>> = RwLock::new(None);
/// Held while one is read. Never taken in the pool, whose threads take up other work while they wait.
static READING: Mutex<()> = Mutex::new(());
/// Reads in the background.
static READER: Mutex<Option<Thread<()>>> = Mutex::new(None);
/// Whether the reader has to read, or to read once more.
static IS_DUE: AtomicBool = AtomicBool::new(false);

/// Whether there is a project in this folder: not in an exported game.
pub(super) fn is_project(root: &Path) -> bool {
    root.is_absolute() && root.join("project.godot").is_file()
}

/// The project, if it has been read.
pub(super) fn loaded() -> Option<Arc<Workspace>> {
    WORKSPACE.read().unwrap_or_else(PoisonError::into_inner).clone()
}

/// The known part of the project, with its present configuration: before it has been read, the rules for single files.
pub(super) fn current(root: &Path) -> Arc<Workspace> {
    let workspace = loaded().unwrap_or_else(|| Arc::new(without_project(root)));
    workspace.refresh_config();
    tell_of_config(&workspace);
    workspace
}

/// The project, which is read if it has not been. Not for the main thread, nor for the pool.
pub(super) fn open_blocking(root: &Path) -> Arc<Workspace> {
    let reading = lock(&READING);
    if loaded().is_none() {
        read(root, &reading);
    }
    current(root)
}

/// The project as its files are now. Not for the main thread, nor for the pool.
pub(super) fn reload_blocking(root: &Path) -> Arc<Workspace> {
    read(root, &lock(&READING));
    current(root)
}

/// Begins to read the project, unless that is going on.
pub(super) fn open_in_background(root: PathBuf) {
    let is_running = lock(&READER).as_ref().is_some_and(|reader| !reader.is_finished());
    if !is_running && loaded().is_none() {
        reload_in_background(root);
    }
}

/// Reads the project again in the background. What changes while it is read is seen, too, if this is called again.
pub(super) fn reload_in_background(root: PathBuf) {
    if !is_project(&root) {
        return;
    }
    let mut reader = lock(&READER);
    IS_DUE.store(true, Ordering::SeqCst);
    let before = reader.take();
    let work = move || {
        // Waits for the one before, which may have taken over the work.
        if let Some(before) = before {
            let _ = before.join();
        }
        while IS_DUE.swap(false, Ordering::SeqCst) {
            reload_blocking(&root);
        }
    };
    // Without a thread, the rules for single files go on.
    *reader = Thread::named("project reader", work);
}

/// Lets go of the project, and waits until none is read, or the time is over. Called once, before the library is unloaded.
pub(crate) fn shut_down(deadline: Instant) {
    IS_DUE.store(false, Ordering::SeqCst);
    let reader = lock(&READER).take();
    if let Some(reader) = reader {
        reader.join_until(deadline);
    }
    *WORKSPACE.write().unwrap_or_else(PoisonError::into_inner) = None;
}

/// Without a project, or one that cannot be read, the one before stays.
fn read(root: &Path, _reading: &MutexGuard<'_, ()>) {
    if !is_project(root) {
        return;
    }
    let read = engine::in_pool(|| {
        let workspace = opened(root)?;
        workspace.project().into_iter().for_each(tell_of_skipped);
        Some(Arc::new(workspace))
    });
    if let Some(workspace) = read {
        // The one before is freed here and not where others wait.
        let before = WORKSPACE.write().unwrap_or_else(PoisonError::into_inner).replace(workspace);
        drop(before);
    }
}

/// The project as its files are now, for code that changes it. Nothing if no project can be read.
pub(super) fn opened(root: &Path) -> Option<Workspace> {
    let options = WorkspaceOptions {
        cache: CachePlace::Usual,
        classes: classes::current(),
        ..WorkspaceOptions::default()
    };
    is_project(root).then(|| Workspace::open(root, &options).ok()).flatten()
}

fn without_project(root: &Path) -> Workspace {
    let options = WorkspaceOptions { without_project: true, ..WorkspaceOptions::default() };
    let opened = is_project(root).then(|| Workspace::open(root, &options).ok()).flatten();
    opened.unwrap_or_else(|| Workspace::outside(&options))
}

/// Logs once what is wrong with the configuration.
fn tell_of_config(workspace: &Workspace) {
    static TOLD: Mutex<Option<ConfigError>> = Mutex::new(None);
    let error = workspace.config_error();
    let mut told = lock(&TOLD);
    if let Some(error) = &error
        && told.as_ref() != Some(error)
    {
        godot::global::godot_warn!("{}", printable(&error.to_string()));
    }
    *told = error;
}

/// Logs once what is not looked at.
fn tell_of_skipped(project: &Project) {
    const MAX_TOLD: usize = 10;
    static TOLD: Mutex<Vec<Skipped>> = Mutex::new(Vec::new());
    let mut told = lock(&TOLD);
    if *told == project.skipped() {
        return;
    }
    for Skipped { path, reason } in project.skipped().iter().take(MAX_TOLD) {
        godot::global::godot_warn!("{}: {reason}; skipped", printable(path));
    }
    if let Some(more @ 1..) = project.skipped().len().checked_sub(MAX_TOLD) {
        godot::global::godot_warn!("{more} more are skipped");
    }
    project.skipped().clone_into(&mut told);
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
