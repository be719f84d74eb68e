//! `SceneComparison`: the differences between a file and the last commit, as GDScript sees them.
#![allow(clippy::needless_pass_by_value, reason = "gdext hands arguments over by value")]

use std::sync::{Arc, OnceLock};

use godot::builtin::{GString, PackedByteArray, VarDictionary, vdict};
use godot::obj::Gd;
use godot::register::{GodotClass, godot_api};
use godot_tscn::diff::Diff;

use crate::edition;
use crate::threads::{self, Thread};

/// The comparison, or the reason why there is no result.
pub(crate) type Compared = Result<Comparison, String>;

/// Two texts, and what differs between them.
pub(crate) struct Comparison {
    pub(crate) diff: Diff,
    pub(crate) before: Vec<u8>,
    pub(crate) now: Vec<u8>,
}

/// A comparison with the last commit, in the background, for the addon.
#[derive(GodotClass)]
#[class(no_init, internal, base = RefCounted)]
pub(crate) struct SceneComparison {
    outcome: Arc<OnceLock<Compared>>,
    /// Nothing if there is no thread, or if it is joined.
    thread: Option<Thread<()>>,
}

#[godot_api]
impl SceneComparison {
    /// Begins to compare the file at [param path] with what the last commit has of it.
    #[func]
    fn with_last_commit(path: GString) -> Gd<SceneComparison> {
        let outcome = Arc::new(OnceLock::new());
        let ours = Arc::clone(&outcome);
        let work = edition::comparison(&path.to_string());
        let thread = Thread::named("scene comparison", move || drop(ours.set(work())));
        Gd::from_object(Self { outcome, thread })
    }

    /// Whether it is done.
    #[func]
    fn is_finished(&self) -> bool {
        self.thread.as_ref().is_none_or(Thread::is_finished)
    }

    /// Returns why the two cannot be compared, or an empty string. Only when it is done.
    #[func]
    fn error(&self) -> GString {
        match self.outcome.get() {
            Some(Ok(_)) => GString::new(),
            Some(Err(reason)) => reason.as_str().into(),
            None => "the comparison ended too early".into(),
        }
    }

    /// Returns what differs, only when it is done:
    ///
    /// - [code]changes[/code]: dictionaries with [code]kind[/code], [code]name[/code], [code]shown_name[/code] for people, [code]old_name[/code], [code]type_name[/code], [code]state[/code] ([code]added[/code], [code]removed[/code] or [code]changed[/code]), [code]line[/code] in the file, or 0, and [code]entries[/code]: [code]name[/code], [code]shown_name[/code], [code]old[/code], [code]new[/code] and [code]summary[/code], or null, and [code]parts[/code] with [code]name[/code], [code]shown_name[/code], [code]old[/code], [code]new[/code].
    /// - [code]tree[/code]: all nodes, with [code]name[/code], [code]depth[/code], [code]type_name[/code] and [code]change[/code], an index, or -1.
    /// - [code]noise[/code]: [code]what[/code] and [code]count[/code].
    /// - [code]left_out[/code]: how many changes were left out, because there are too many.
    #[func]
    fn result(&self) -> VarDictionary {
        match self.outcome.get() {
            Some(Ok(compared)) => edition::differences(&compared.diff),
            _ => VarDictionary::new(),
        }
    }

    /// Returns the text of the file that was compared. Only when it is done.
    #[func]
    fn now(&self) -> PackedByteArray {
        match self.outcome.get() {
            Some(Ok(compared)) => compared.now.as_slice().into(),
            _ => PackedByteArray::new(),
        }
    }

    /// Takes one change back, by its number in [method result], or one entry of it; all of it without [param entry]. Returns the whole new [code]text[/code], or why that cannot be done as [code]error[/code]. Nothing is written.
    #[func]
    fn take_back(&self, change: i64, #[opt(default = -1)] entry: i64) -> VarDictionary {
        let taken = match self.outcome.get() {
            Some(Ok(compared)) => edition::taken_back(compared, change, entry),
            _ => Err("there is nothing to take back".to_owned()),
        };
        match taken {
            Ok(text) => vdict! { "text" => &PackedByteArray::from(text), "error" => "" },
            Err(reason) => vdict! { "text" => &PackedByteArray::new(), "error" => reason },
        }
    }
}

impl Drop for SceneComparison {
    /// Its result is no longer wanted; git may take its time.
    fn drop(&mut self) {
        if let Some(thread) = self.thread.take() {
            threads::abandon(thread);
        }
    }
}
