//! `SceneLintJob`: many files in the background.
//!
//! The threads work on plain data; the engine is told on its main thread only, once a frame.

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use godot::builtin::{Array, Callable, Variant};
use godot::classes::{Engine, SceneTree};
use godot::obj::{Base, Gd, Singleton, WithBaseField, WithUserSignals};
use godot::register::{GodotClass, godot_api};
use rayon::prelude::*;
use tscn::{Diagnostic, LineIndex, LintOptions};

use crate::engine;
use crate::scene_diagnostic::SceneDiagnostic;

/// A file to check.
pub(crate) struct Source {
    /// As it was given.
    pub(crate) path: String,
    /// Where the system finds it.
    pub(crate) place: PathBuf,
    /// What is in it, where only the engine could read it.
    pub(crate) text: Option<Result<Vec<u8>, String>>,
}

/// What was found in a file, or why it could not be read.
type Found = Result<(Vec<u8>, Vec<Diagnostic>), String>;

/// What the threads and the job share.
struct Shared {
    sources: Vec<Source>,
    found: Vec<Mutex<Option<Found>>>,
    done: AtomicUsize,
    is_cancelled: AtomicBool,
}

/// Files that [method SceneLinter.lint_paths] checks in the background. A job that nobody holds any more is cancelled.
#[derive(GodotClass)]
#[class(no_init, base = RefCounted)]
pub(crate) struct SceneLintJob {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
    reported: usize,
    is_finished: bool,
    /// Called once a frame.
    on_frame: Option<Callable>,
    base: Base<godot::classes::RefCounted>,
}

#[godot_api]
impl SceneLintJob {
    /// Emitted at most once a frame: how many files are done, and how many there are.
    #[signal]
    pub(crate) fn progress(done: i64, total: i64);

    /// Emitted once, when all files are done or the job was cancelled.
    #[signal]
    pub(crate) fn finished();

    /// Returns how many files are done.
    #[func]
    fn done_count(&self) -> i64 {
        self.shared.done.load(Ordering::Acquire) as i64
    }

    /// Returns how many files there are.
    #[func]
    fn total_count(&self) -> i64 {
        self.shared.sources.len() as i64
    }

    /// Whether all files are done, or the job was cancelled.
    #[func]
    fn is_finished(&self) -> bool {
        self.thread.as_ref().is_none_or(JoinHandle::is_finished)
    }

    /// Leaves out the files that are not begun.
    #[func]
    fn cancel(&self) {
        self.shared.is_cancelled.store(true, Ordering::Release);
    }

    /// Waits until all files are done, and emits the signals.
    #[func]
    fn wait(&mut self) {
        self.join();
        self.poll();
    }

    /// Emits the signals that are due. Needed only where no frames pass: otherwise it happens once a frame.
    #[func]
    fn poll(&mut self) {
        // Before the count: the thread may end in between.
        let is_finished = self.is_finished();
        let done = self.done_count();
        if done as usize != self.reported {
            self.reported = done as usize;
            let total = self.total_count();
            self.signals().progress().emit(done, total);
        }
        if is_finished && !self.is_finished {
            self.is_finished = true;
            self.join();
            self.disconnect_frames();
            self.signals().finished().emit();
        }
    }

    /// Returns what was found so far, in the order of the paths. A file that could not be read gives one diagnostic with the code [code]FILE[/code].
    #[func]
    fn diagnostics(&self) -> Array<Gd<SceneDiagnostic>> {
        let mut diagnostics = Array::new();
        for (source, found) in self.shared.sources.iter().zip(&self.shared.found) {
            match &*found.lock().unwrap_or_else(PoisonError::into_inner) {
                None => {}
                Some(Err(reason)) => {
                    diagnostics.push(&SceneDiagnostic::unreadable(&source.path, reason));
                }
                Some(Ok((text, found))) => {
                    let lines = LineIndex::new(text);
                    for found in found {
                        diagnostics.push(&SceneDiagnostic::new(found, &source.path, &lines));
                    }
                }
            }
        }
        diagnostics
    }
}

impl SceneLintJob {
    pub(crate) fn start(sources: Vec<Source>) -> Gd<Self> {
        let found = sources.iter().map(|_| Mutex::new(None)).collect();
        let shared = Arc::new(Shared {
            sources,
            found,
            done: AtomicUsize::new(0),
            is_cancelled: AtomicBool::new(false),
        });
        let worker = Arc::clone(&shared);
        let thread = std::thread::Builder::new()
            .name("scene lint job".to_owned())
            .spawn(move || engine::in_pool(|| lint_all(&worker)));
        // Without a thread, right here.
        let thread = match thread {
            Ok(thread) => Some(thread),
            Err(_) => {
                lint_all(&shared);
                None
            }
        };
        let mut job = Gd::from_init_fn(|base| Self {
            shared,
            thread,
            reported: 0,
            is_finished: false,
            on_frame: None,
            base,
        });
        job.bind_mut().connect_frames();
        job
    }

    /// The tree does not keep the job alive: what nobody holds is cancelled.
    fn connect_frames(&mut self) {
        let Some(mut tree) = scene_tree() else {
            return;
        };
        let id = self.to_gd().instance_id();
        let on_frame = Callable::from_fn("SceneLintJob", move |_| {
            if let Ok(mut job) = Gd::<Self>::try_from_instance_id(id) {
                job.bind_mut().poll();
            }
            Variant::nil()
        });
        tree.connect("process_frame", &on_frame);
        self.on_frame = Some(on_frame);
    }

    fn disconnect_frames(&mut self) {
        if let (Some(on_frame), Some(mut tree)) = (self.on_frame.take(), scene_tree()) {
            tree.disconnect("process_frame", &on_frame);
        }
    }

    fn join(&mut self) {
        if let Some(thread) = self.thread.take() {
            // A panic in a rule has been reported where it happened.
            let _ = thread.join();
        }
    }
}

impl Drop for SceneLintJob {
    /// No thread may outlive the library.
    fn drop(&mut self) {
        self.cancel();
        self.join();
        self.disconnect_frames();
    }
}

fn scene_tree() -> Option<Gd<SceneTree>> {
    Engine::singleton().get_main_loop()?.try_cast().ok()
}

fn lint_all(shared: &Shared) {
    shared.sources.par_iter().zip(&shared.found).for_each(|(source, found)| {
        if shared.is_cancelled.load(Ordering::Acquire) {
            return;
        }
        let result = lint_one(source);
        *found.lock().unwrap_or_else(PoisonError::into_inner) = Some(result);
        shared.done.fetch_add(1, Ordering::AcqRel);
    });
}

fn lint_one(source: &Source) -> Found {
    let text = match &source.text {
        Some(text) => text.clone()?,
        None => fs::read(&source.place).map_err(|error| format!("cannot be read: {error}"))?,
    };
    let report = tscn::lint(&text, &LintOptions::for_path(&source.path));
    Ok((text, report.diagnostics))
}
