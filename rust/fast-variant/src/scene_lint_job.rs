//! `SceneLintJob`: many files in the background.
//!
//! The threads work on plain data ([`JobState`]); signals are emitted by the main thread, once a frame.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use godot::builtin::{Array, GString, PackedInt64Array, PackedStringArray};
use godot::obj::{Base, Gd};
use godot::register::{GodotClass, godot_api};
use godot_tscn::LocatedDiagnostic;

use crate::frames;
use crate::scene_diagnostic::{SceneDiagnostic, fingerprint};
use crate::threads::Thread;

/// Files that [method SceneLinter.lint_paths] or [method SceneLinter.lint_project] checks in the background. A job that is no longer referenced is cancelled.
#[derive(GodotClass)]
#[class(no_init, base = RefCounted)]
pub(crate) struct SceneLintJob {
    state: Arc<JobState>,
    thread: Option<Thread<()>>,
    reported: usize,
    is_finished: bool,
    base: Base<godot::classes::RefCounted>,
}

#[godot_api]
impl SceneLintJob {
    /// Emitted at most once per frame, with the number of finished files and the number of all files.
    #[signal]
    pub(crate) fn progress(done: i64, total: i64);

    /// Emitted once, when all files are finished or the job was cancelled.
    #[signal]
    pub(crate) fn finished();

    /// Returns the number of finished files.
    #[func]
    fn done_count(&self) -> i64 {
        self.state.done.load(Ordering::Acquire) as i64
    }

    /// Returns the number of files; 0 while the job is still searching for them.
    #[func]
    fn total_count(&self) -> i64 {
        self.files().len() as i64
    }

    /// Whether all files are finished, or the job was cancelled.
    #[func]
    fn is_finished(&self) -> bool {
        self.thread.as_ref().is_none_or(Thread::is_finished)
    }

    /// Skips the files that have not been started.
    #[func]
    fn cancel(&self) {
        self.state.is_cancelled.store(true, Ordering::Release);
    }

    /// Waits until all files are finished, and emits the signals.
    // A handler of a signal may give up the last reference, or call this job: nothing is borrowed while signals are emitted.
    #[func(gd_self)]
    fn wait(mut this: Gd<Self>) {
        this.bind_mut().join();
        Self::poll(this);
    }

    /// Emits the pending signals. Only needed if no frames are processed; otherwise this happens once per frame.
    #[func(gd_self)]
    fn poll(mut this: Gd<Self>) {
        // Before the count: the thread may end in between.
        let is_finished = this.bind().is_finished();
        let progress = this.bind_mut().new_progress();
        if let Some((done, total)) = progress {
            this.signals().progress().emit(done, total);
        }
        if is_finished && this.bind_mut().end() {
            frames::disconnect(&this.clone().upcast());
            this.signals().finished().emit();
        }
    }

    /// Returns the paths of the files, in the order in which [method diagnostics_of] counts them.
    #[func]
    fn paths(&self) -> PackedStringArray {
        self.files().iter().map(|file| GString::from(&file.path)).collect()
    }

    // For the addon: a number for the findings in each file, which changes with them; 0 for none, -1 for an unfinished file.
    #[func(rename = _fingerprints)]
    fn fingerprints(&self) -> PackedInt64Array {
        let fingerprint = |file: &File| match &*file.lock() {
            None => -1,
            Some(Ok(found)) if found.is_empty() => 0,
            Some(Ok(found)) => fingerprint(found),
            Some(Err(_)) => 1,
        };
        self.files().iter().map(fingerprint).collect()
    }

    /// Returns the diagnostics of the file with this index in [method paths].
    #[func]
    fn diagnostics_of(&self, index: i64) -> Array<Gd<SceneDiagnostic>> {
        let mut diagnostics = Array::new();
        if let Some(file) = usize::try_from(index).ok().and_then(|index| self.files().get(index)) {
            file.add_to(&mut diagnostics);
        }
        diagnostics
    }

    /// Returns the diagnostics so far, in the order of the paths. A file that could not be read causes one diagnostic with the code [code]FILE[/code].
    #[func]
    fn diagnostics(&self) -> Array<Gd<SceneDiagnostic>> {
        let mut diagnostics = Array::new();
        for file in self.files() {
            file.add_to(&mut diagnostics);
        }
        diagnostics
    }
}

impl SceneLintJob {
    /// `start_thread` starts the thread that works, unless there is nothing to do: without one, the job is finished.
    pub(crate) fn start(
        start_thread: impl FnOnce(Arc<JobState>) -> Option<Thread<()>>,
    ) -> Gd<Self> {
        let state = Arc::new(JobState::default());
        let thread = start_thread(Arc::clone(&state));
        let job =
            Gd::from_init_fn(|base| Self { state, thread, reported: 0, is_finished: false, base });
        frames::connect(&job.clone().upcast());
        job
    }

    fn files(&self) -> &[File] {
        self.state.files.get().map_or(&[], Vec::as_slice)
    }

    /// How many files are done of how many, unless that was reported before.
    fn new_progress(&mut self) -> Option<(i64, i64)> {
        let done = self.done_count();
        let is_new = done as usize != std::mem::replace(&mut self.reported, done as usize);
        is_new.then(|| (done, self.total_count()))
    }

    /// Ends the job, unless it has ended before.
    fn end(&mut self) -> bool {
        self.join();
        !std::mem::replace(&mut self.is_finished, true)
    }

    fn join(&mut self) {
        if let Some(thread) = self.thread.take() {
            // A panic in a rule has been reported where it happened.
            let _ = thread.join();
        }
    }
}

impl Drop for SceneLintJob {
    /// Its result is no longer wanted.
    fn drop(&mut self) {
        self.cancel();
        self.join();
    }
}

/// What the threads and the job share.
#[derive(Default)]
pub(crate) struct JobState {
    /// Set once it is known which files there are.
    files: OnceLock<Vec<File>>,
    done: AtomicUsize,
    is_cancelled: AtomicBool,
}

/// What was found in a file, or why it could not be read.
type Found = Result<Vec<LocatedDiagnostic>, String>;

/// A file and what was found in it so far.
struct File {
    path: String,
    found: Mutex<Option<Found>>,
}

#[cfg(feature = "editor")]
impl JobState {
    /// Says which files there are, once.
    pub(crate) fn begin(&self, paths: &[&str]) {
        let file = |path: &&str| File { path: (*path).to_owned(), found: Mutex::new(None) };
        self.files.get_or_init(|| paths.iter().map(file).collect());
    }

    /// Says what was found in the file with this index.
    pub(crate) fn set(&self, index: usize, found: Found) {
        if let Some(file) = self.files.get().and_then(|files| files.get(index)) {
            *file.lock() = Some(found);
            self.done.fetch_add(1, Ordering::AcqRel);
        }
    }

    /// Whether the job must not begin another file.
    pub(crate) fn is_cancelled(&self) -> bool {
        self.is_cancelled.load(Ordering::Acquire)
    }
}

impl File {
    fn lock(&self) -> MutexGuard<'_, Option<Found>> {
        self.found.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn add_to(&self, diagnostics: &mut Array<Gd<SceneDiagnostic>>) {
        let path = &self.path;
        match &*self.lock() {
            None => {}
            Some(Err(reason)) => diagnostics.push(&SceneDiagnostic::unreadable(path, reason)),
            Some(Ok(found)) => {
                for located in found {
                    diagnostics.push(&SceneDiagnostic::new(located, path));
                }
            }
        }
    }
}
