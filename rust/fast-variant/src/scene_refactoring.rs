//! `SceneRefactoring`: the changes of a refactoring in all files of the project, as GDScript sees
//! them.
//!
//! A thread works out plain data ([`Planned`]); signals are emitted by the main thread, once a frame.
#![allow(clippy::needless_pass_by_value, reason = "gdext hands arguments over by value")]

use std::collections::BTreeSet;
use std::sync::{Arc, OnceLock};

use godot::builtin::{Array, GString, PackedInt32Array, PackedStringArray, VarDictionary, vdict};
use godot::obj::{Base, Gd};
use godot::register::{GodotClass, godot_api};

use crate::by_name::is_main_thread;
use crate::frames;
use crate::scene_place::{PlannedPlace, ScenePlace};
use crate::threads::{self, Thread};

/// The changes that a method of [SceneRewriter], such as [method SceneRewriter.rename_property], would make in the files of the project. Nothing is written until you call [method apply], which changes all files or none.
///
/// The changes are computed in the background. [signal finished] is emitted when they are ready; methods that need them wait for them.
///
/// ```gdscript
/// var refactoring := SceneRewriter.rename_property("res://enemy.gd", "health", "max_health")
/// await refactoring.finished
/// for place in refactoring.places():
///     print(place.describe())
/// if not refactoring.apply():
///     print(refactoring.error())
/// ```
///
/// Only certain places change. Uncertain places, such as a name that is built at run time, are never guessed: [method doubts] lists them.
#[derive(GodotClass)]
#[class(no_init, base = RefCounted)]
pub(crate) struct SceneRefactoring {
    outcome: Arc<OnceLock<Outcome>>,
    thread: Option<Thread<()>>,
    choice: Choice,
    /// Why it could not be applied or undone last.
    refusal: String,
    notes: Vec<String>,
    is_applied: bool,
    is_cancelled: bool,
    has_told: bool,
    base: Base<godot::classes::RefCounted>,
}

/// What is planned, or why nothing is.
pub(crate) type Outcome = Result<Planned, String>;

/// What a refactoring would do, as plain data.
pub(crate) struct Planned {
    pub(crate) title: String,
    /// The files whose content changes, by the paths that they have before, and new ones.
    pub(crate) files: Vec<String>,
    /// The old and the new path of what moves.
    pub(crate) moves: Vec<(String, String)>,
    pub(crate) removals: Vec<String>,
    pub(crate) places: Vec<PlannedPlace>,
    pub(crate) doubts: Vec<PlannedPlace>,
    pub(crate) unused: Vec<FoundFile>,
    pub(crate) kept: Vec<FoundFile>,
    pub(crate) changes: Box<dyn Changes>,
}

/// A file that nothing uses, or that may be used.
pub(crate) struct FoundFile {
    pub(crate) path: String,
    pub(crate) kind: &'static str,
    /// How many bytes it has.
    pub(crate) size: u64,
    /// Why it is kept; empty for an unused file.
    pub(crate) reason: String,
}

/// The choice between places and doubts, by their numbers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Choice {
    /// Places that stay as they are.
    pub(crate) left_out: BTreeSet<usize>,
    /// Doubts that change.
    pub(crate) taken_in: BTreeSet<usize>,
}

/// What carries a plan out. Both return notes about it, or fail with the reason why nothing was changed.
pub(crate) trait Changes: Send + Sync {
    fn apply(&self, choice: &Choice) -> Result<Vec<String>, String>;

    /// Takes it back, when it was done with this choice.
    fn undo(&self, choice: &Choice) -> Result<Vec<String>, String>;
}

#[godot_api]
impl SceneRefactoring {
    /// Emitted once, when it is known what there is to change or why there is nothing, or when it was cancelled. If the refactoring was asked for by another thread than the main one, only [method poll] and [method wait] emit it.
    #[signal]
    pub(crate) fn finished();

    /// Whether it is known what there is to change, or why there is nothing.
    #[func]
    fn is_finished(&self) -> bool {
        self.thread.as_ref().is_none_or(Thread::is_finished)
    }

    /// Cancels the computation: there is no plan then, and [method error] contains this reason.
    #[func]
    fn cancel(&mut self) {
        if !self.is_finished() {
            self.is_cancelled = true;
            self.let_go();
        }
    }

    /// Waits until it is known what there is to change, and emits [signal finished].
    // A handler of the signal may give up the last reference, or call this object: nothing is borrowed while it is emitted.
    #[func(gd_self)]
    fn wait(mut this: Gd<Self>) {
        this.bind_mut().join();
        Self::poll(this);
    }

    /// Emits [signal finished] if it is pending. Only needed if no frames are processed; otherwise this happens once per frame.
    #[func(gd_self)]
    fn poll(mut this: Gd<Self>) {
        {
            let mut refactoring = this.bind_mut();
            if refactoring.has_told || !refactoring.is_finished() {
                return;
            }
            refactoring.has_told = true;
            refactoring.join();
        }
        if is_main_thread() {
            frames::disconnect(&this.clone().upcast());
        }
        this.signals().finished().emit();
    }

    /// Whether there is a plan, and the last call of [method apply] or [method undo] did what it is to do.
    #[func]
    fn is_ok(&mut self) -> bool {
        self.reason().is_empty()
    }

    /// Returns why there is no plan, or why [method apply] or [method undo] changed nothing when it was called last; an empty string if there is no such reason.
    #[func]
    fn error(&mut self) -> GString {
        GString::from(&self.reason())
    }

    /// Returns a description of the change, e.g. [code]rename the property `health` of `res://enemy.gd` to `max_health`[/code].
    #[func]
    fn title(&mut self) -> GString {
        self.planned().map_or_else(GString::new, |planned| GString::from(&planned.title))
    }

    /// Whether there are no changes.
    #[func]
    fn is_empty(&mut self) -> bool {
        self.planned().is_none_or(|planned| {
            planned.files.is_empty() && planned.moves.is_empty() && planned.removals.is_empty()
        })
    }

    /// Returns the paths of the files whose content changes, and of new ones, as they are before files move.
    #[func]
    fn files(&mut self) -> PackedStringArray {
        let taken_in = self.choice.taken_in.clone();
        let Some(planned) = self.planned() else { return PackedStringArray::new() };
        let mut files = planned.files.clone();
        let doubts = taken_in.iter().filter_map(|number| planned.doubts.get(*number));
        files.extend(doubts.map(|doubt| doubt.path.clone()));
        files.sort();
        files.dedup();
        strings(&files)
    }

    /// Returns the files and folders that move: the new path of each by its old one.
    #[func]
    fn moves(&mut self) -> VarDictionary {
        let mut moves = VarDictionary::new();
        for (from, to) in self.planned().into_iter().flat_map(|planned| &planned.moves) {
            moves.set(&GString::from(from), &GString::from(to));
        }
        moves
    }

    /// Returns the paths of the files that are removed.
    #[func]
    fn removals(&mut self) -> PackedStringArray {
        self.planned().map_or_else(PackedStringArray::new, |planned| strings(&planned.removals))
    }

    /// Returns the places that change, by file and line.
    #[func]
    fn places(&mut self) -> Array<Gd<ScenePlace>> {
        self.planned().map_or_else(Array::new, |planned| objects(&planned.places))
    }

    /// Returns the uncertain places that may need a change too: check them manually.
    #[func]
    fn doubts(&mut self) -> Array<Gd<ScenePlace>> {
        self.planned().map_or_else(Array::new, |planned| objects(&planned.doubts))
    }

    /// Returns the files that nothing uses, if that was asked for with [method SceneRewriter.find_unused]: for each its [code]path[/code], its [code]kind[/code], such as [code]image[/code], and its [code]size[/code] in bytes, with that of its [code].import[/code] and [code].uid[/code].
    #[func]
    fn unused(&mut self) -> Array<VarDictionary> {
        self.planned().map_or_else(Array::new, |planned| dictionaries(&planned.unused))
    }

    /// Returns the files that may be used, if unused ones were asked for with [method SceneRewriter.find_unused]: as [method unused], and for each the [code]reason[/code] why it is kept.
    #[func]
    fn kept(&mut self) -> Array<VarDictionary> {
        self.planned().map_or_else(Array::new, |planned| dictionaries(&planned.kept))
    }

    /// Excludes places from the changes, by their numbers in [method places], instead of the places that were excluded before. They keep the old name or path, which may mean nothing any more. Places that are not [member ScenePlace.is_optional] cannot be left out, and are ignored.
    #[func]
    fn leave_out(&mut self, numbers: PackedInt32Array) {
        if self.is_applied {
            return;
        }
        let places = self.planned().map_or(&[][..], |planned| planned.places.as_slice());
        self.choice.left_out = chosen(&numbers, places, |place| place.is_optional);
    }

    /// Includes doubts in the changes, by their numbers in [method doubts], instead of the doubts that were included before. Each changes as its [member ScenePlace.after] shows; doubts without it are ignored.
    #[func]
    fn take_in(&mut self, numbers: PackedInt32Array) {
        if self.is_applied {
            return;
        }
        let doubts = self.planned().map_or(&[][..], |planned| planned.doubts.as_slice());
        self.choice.taken_in = chosen(&numbers, doubts, |doubt| !doubt.after.is_empty());
    }

    /// Returns the changes as text: the title, and one line for each place and doubt.
    #[func]
    fn describe(&mut self) -> GString {
        let choice = self.choice.clone();
        match self.outcome() {
            Ok(planned) => GString::from(&described(planned, &choice)),
            Err(reason) => GString::from(&reason),
        }
    }

    /// Changes the files: all of them, or none if one cannot be changed or is not as it was when this was planned. Returns whether it was done; if not, [method error] says why. If the process is killed meanwhile, [method SceneRewriter.finish_interrupted], or the command [code]gdscene[/code], finishes what it has begun.
    ///
    /// The open files of the editor are not checked: a plugin must make sure that they have no unsaved changes, and reload them.
    #[func]
    fn apply(&mut self) -> bool {
        if self.is_applied {
            self.refusal = "it is already applied".to_owned();
            return false;
        }
        let choice = self.choice.clone();
        let done = self.outcome().and_then(|planned| planned.changes.apply(&choice));
        let is_done = self.note(done);
        self.is_applied |= is_done;
        is_done
    }

    /// Takes back what [method apply] did: all of it, or nothing. In files that were changed since, only what was changed by this refactoring becomes what it was; where that is not possible, nothing is taken back. Returns whether it was done; if not, [method error] says why. After that, [method apply] may be called again.
    #[func]
    fn undo(&mut self) -> bool {
        if !self.is_applied {
            self.refusal = "it is not applied".to_owned();
            return false;
        }
        let choice = self.choice.clone();
        let done = self.outcome().and_then(|planned| planned.changes.undo(&choice));
        let is_done = self.note(done);
        self.is_applied &= !is_done;
        is_done
    }

    /// Whether it was applied and not undone since.
    #[func]
    fn is_applied(&self) -> bool {
        self.is_applied
    }

    /// Returns notes on the last call of [method apply] or [method undo], e.g. that git's index could not follow a move.
    #[func]
    fn notes(&self) -> PackedStringArray {
        strings(&self.notes)
    }
}

impl SceneRefactoring {
    /// `work` is done by a thread.
    #[cfg(feature = "editor")]
    pub(crate) fn start(work: impl FnOnce() -> Outcome + Send + 'static) -> Gd<Self> {
        let outcome = Arc::new(OnceLock::new());
        let place = Arc::clone(&outcome);
        let thread = Thread::named("refactoring", move || {
            place.get_or_init(work);
        });
        Self::new(outcome, thread)
    }

    /// One that changes nothing, for this reason.
    pub(crate) fn refused(reason: &str) -> Gd<Self> {
        Self::new(Arc::new(OnceLock::from(Err(reason.to_owned()))), None)
    }

    fn new(outcome: Arc<OnceLock<Outcome>>, thread: Option<Thread<()>>) -> Gd<Self> {
        let this = Gd::from_init_fn(|base| Self {
            outcome,
            thread,
            choice: Choice::default(),
            refusal: String::new(),
            notes: Vec::new(),
            is_applied: false,
            is_cancelled: false,
            has_told: false,
            base,
        });
        if is_main_thread() {
            frames::connect(&this.clone().upcast());
        }
        this
    }

    /// What is planned. Waits for it.
    fn outcome(&mut self) -> Result<&Planned, String> {
        self.join();
        if self.is_cancelled {
            return Err("it was cancelled".to_owned());
        }
        match self.outcome.get() {
            Some(outcome) => outcome.as_ref().map_err(Clone::clone),
            // The panic has been reported where it happened, or there was no thread.
            None => Err("it could not be computed".to_owned()),
        }
    }

    fn planned(&mut self) -> Option<&Planned> {
        self.outcome().ok()
    }

    fn reason(&mut self) -> String {
        match self.outcome() {
            Ok(_) => self.refusal.clone(),
            Err(reason) => reason,
        }
    }

    /// Whether it was done.
    fn note(&mut self, done: Result<Vec<String>, String>) -> bool {
        let is_done = done.is_ok();
        match done {
            Ok(notes) => (self.notes, self.refusal) = (notes, String::new()),
            Err(reason) => (self.notes, self.refusal) = (Vec::new(), reason),
        }
        is_done
    }

    fn join(&mut self) {
        if let Some(thread) = self.thread.take() {
            // A panic has been reported where it happened.
            let _ = thread.join();
        }
    }

    /// Its result is no longer wanted.
    fn let_go(&mut self) {
        if let Some(thread) = self.thread.take() {
            threads::abandon(thread);
        }
    }
}

impl Drop for SceneRefactoring {
    fn drop(&mut self) {
        self.let_go();
    }
}

/// Those of the numbers whose place fits.
fn chosen(
    numbers: &PackedInt32Array,
    places: &[PlannedPlace],
    fits: impl Fn(&PlannedPlace) -> bool,
) -> BTreeSet<usize> {
    let given = numbers.as_slice().iter().filter_map(|number| usize::try_from(*number).ok());
    given.filter(|number| places.get(*number).is_some_and(&fits)).collect()
}

fn described(planned: &Planned, choice: &Choice) -> String {
    let place = |place: &PlannedPlace| match place.line {
        0 => format!("{}: {}", place.path, place.what),
        line => format!("{}:{line}:{}: {}", place.path, place.column, place.what),
    };
    let mut lines = vec![planned.title.clone()];
    let places = planned.places.iter().enumerate();
    let places = places.filter(|(number, _)| !choice.left_out.contains(number));
    lines.extend(places.map(|(_, found)| place(found)));
    lines.extend(planned.moves.iter().map(|(from, to)| format!("{from} moves to {to}")));
    lines.extend(planned.removals.iter().map(|path| format!("{path} is removed")));
    let doubts = planned.doubts.iter().enumerate();
    lines.extend(doubts.map(|(number, doubt)| {
        let prefix = if choice.taken_in.contains(&number) { "" } else { "doubt: " };
        format!("{prefix}{}", place(doubt))
    }));
    lines.join("\n")
}

fn strings(texts: &[String]) -> PackedStringArray {
    texts.iter().map(GString::from).collect()
}

fn objects(places: &[PlannedPlace]) -> Array<Gd<ScenePlace>> {
    places.iter().map(ScenePlace::new).collect()
}

fn dictionaries(files: &[FoundFile]) -> Array<VarDictionary> {
    let dictionary = |file: &FoundFile| {
        let size = i64::try_from(file.size).unwrap_or(i64::MAX);
        let mut found =
            vdict! { "path" => file.path.as_str(), "kind" => file.kind, "size" => size };
        if !file.reason.is_empty() {
            found.set("reason", file.reason.as_str());
        }
        found
    };
    files.iter().map(dictionary).collect()
}
