//! `SceneGitJob`: git's data on merges, as GDScript sees it.
#![allow(clippy::needless_pass_by_value, reason = "gdext hands arguments over by value")]

use std::sync::{Arc, OnceLock};

use godot::builtin::{GString, VarDictionary};
use godot::obj::Gd;
use godot::register::{GodotClass, godot_api};

use crate::edition::{self, GitAnswer};
use crate::threads::{self, Thread};

/// A question to git, in the background, for the addon.
#[derive(GodotClass)]
#[class(no_init, internal, base = RefCounted)]
struct SceneGitJob {
    answer: Arc<OnceLock<Result<GitAnswer, String>>>,
    /// Returns nothing if no thread runs, or if it has been joined.
    thread: Option<Thread<()>>,
}

#[godot_api]
impl SceneGitJob {
    /// Begins to merge the file at [param path], which git could not merge, from the sides that git's index has. The result has:
    ///
    /// - [code]text[/code], a [PackedByteArray]: with the conflicts that [method SceneMerge.conflicts] finds.
    /// - [code]notes[/code], a [PackedStringArray]: more facts about the merge.
    #[func]
    fn merge(path: GString) -> Gd<SceneGitJob> {
        Self::begin(edition::merge_from_index(&path.to_string()))
    }

    /// Begins to ask how git merges in the project. The result is empty where there is no repository; else it has [code]is_set_up[/code], whether git merges by nodes, and [code]has_program[/code], whether [method set_up] can do that.
    #[func]
    fn setup() -> Gd<SceneGitJob> {
        Self::begin(edition::merge_setup())
    }

    /// Begins to let git merge by nodes in the project's repository. The result has [code]printed[/code].
    #[func]
    fn set_up() -> Gd<SceneGitJob> {
        Self::begin(edition::set_up_merging())
    }

    /// Whether there is an answer.
    #[func]
    fn is_finished(&self) -> bool {
        self.thread.as_ref().is_none_or(Thread::is_finished)
    }

    /// Returns why there is no result, or an empty string. Only when it is finished.
    #[func]
    fn error(&self) -> GString {
        match self.answer.get() {
            Some(Ok(_)) => GString::new(),
            Some(Err(reason)) => reason.as_str().into(),
            None => "the question to git ended too early".into(),
        }
    }

    /// Returns the result, only when it is finished.
    #[func]
    fn result(&self) -> VarDictionary {
        match self.answer.get() {
            Some(Ok(answer)) => edition::git_answer(answer),
            _ => VarDictionary::new(),
        }
    }
}

impl SceneGitJob {
    fn begin(work: impl FnOnce() -> Result<GitAnswer, String> + Send + 'static) -> Gd<Self> {
        let answer = Arc::new(OnceLock::new());
        let ours = Arc::clone(&answer);
        let thread = Thread::named("scene git job", move || drop(ours.set(work())));
        Gd::from_object(Self { answer, thread })
    }
}

impl Drop for SceneGitJob {
    /// The answer is no longer wanted; git may take its time.
    fn drop(&mut self) {
        if let Some(thread) = self.thread.take() {
            threads::abandon(thread);
        }
    }
}
