//! The classes that the running editor has, those of other extensions too, as the linter's rules ask for them.
//!
//! Only the main thread may ask the engine, and for all members that takes it a third of a second. So the members of
//! classes come from the table of the engine's version if that has them ([`ClassDbBuilder`]), which leaves a few
//! milliseconds. For an engine without a table, the classes are read in pieces, a frame each.

mod members;

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use godot::builtin::{GString, StringName, Variant};
use godot::classes::{ClassDb as EngineClasses, Engine};
use godot::obj::Singleton;
use godot_project::{ClassDb, ClassDbBuilder, LiveClass};
use godot_tscn::GodotVersion;

/// So long is the main thread kept at a time.
const BUDGET: Duration = Duration::from_millis(8);
/// If this variable is set, all members are asked of the engine, as of one that no table knows: for tests.
const WITHOUT_TABLE: &str = "FAST_VARIANT_READ_ALL_CLASSES";
/// A value of `ClassDB.APIType`.
const API_EDITOR: i64 = 1;
const API_EDITOR_EXTENSION: i64 = 3;

static STATE: Mutex<State> = Mutex::new(State { classes: None, stamp: 0, reading: None });

struct State {
    /// What was read last.
    classes: Option<Arc<ClassDb>>,
    /// The placeholder for the names in it.
    stamp: u64,
    reading: Option<Reading>,
}

/// What is read so far.
struct Reading {
    builder: ClassDbBuilder,
    /// The names that are left, in reverse.
    left: Vec<String>,
    stamp: u64,
}

/// The classes that were read last; nothing outside the editor.
pub(super) fn current() -> Option<Arc<ClassDb>> {
    lock().classes.clone()
}

/// Reads on, if the engine has other classes than the ones that were read. Returns whether all is read. For the main
/// thread.
pub(crate) fn read_on() -> bool {
    if !Engine::singleton().is_editor_hint() {
        return true;
    }
    let began = Instant::now();
    let mut state = lock();
    let names = class_names();
    let stamp = stamp_of(&names);
    if state.reading.as_ref().is_some_and(|reading| reading.stamp != stamp) {
        state.reading = None;
    }
    if state.reading.is_none() {
        if state.classes.is_some() && state.stamp == stamp {
            return true;
        }
        state.reading = Some(Reading::begin(names, stamp));
    }
    let Some(mut reading) = state.reading.take() else { return true };
    while let Some(name) = reading.left.pop() {
        read_class(&name, &mut reading.builder);
        if began.elapsed() > BUDGET {
            state.reading = Some(reading);
            return false;
        }
    }
    state.classes = Some(Arc::new(reading.builder.build()));
    state.stamp = reading.stamp;
    true
}

/// Lets all be read again: classes may have other members now. What was read serves until then.
pub(crate) fn forget() {
    let mut state = lock();
    state.stamp = 0;
    state.reading = None;
}

impl Reading {
    fn begin(mut names: Vec<String>, stamp: u64) -> Self {
        names.reverse();
        let builder = match std::env::var_os(WITHOUT_TABLE) {
            None => ClassDbBuilder::new(engine_version()),
            Some(_) => ClassDbBuilder::without_members(engine_version()),
        };
        Self { builder, left: names, stamp }
    }
}

fn read_class(name: &str, builder: &mut ClassDbBuilder) {
    let engine = EngineClasses::singleton();
    let class = StringName::from(name);
    let base = engine.get_parent_class(&class).to_string();
    let told = LiveClass {
        name,
        base: &base,
        is_instantiable: engine.can_instantiate(&class),
        is_editor_only: !builder.is_in_table(name) && is_of_editor(&class),
    };
    if builder.add_class(&told) {
        members::read(&class, builder);
    }
}

/// Older engines do not report it.
fn is_of_editor(class: &StringName) -> bool {
    let mut engine = EngineClasses::singleton();
    if !engine.has_method("class_get_api_type") {
        return false;
    }
    let api = engine.call("class_get_api_type", &[Variant::from(class.clone())]);
    matches!(api.try_to::<i64>(), Ok(API_EDITOR | API_EDITOR_EXTENSION))
}

fn class_names() -> Vec<String> {
    let mut names: Vec<_> = EngineClasses::singleton()
        .get_class_list()
        .as_slice()
        .iter()
        .map(GString::to_string)
        .collect();
    names.sort_unstable();
    names
}

/// Never that of [`forget`].
fn stamp_of(names: &[String]) -> u64 {
    let mut hasher = DefaultHasher::new();
    names.hash(&mut hasher);
    hasher.finish() | 1
}

fn engine_version() -> GodotVersion {
    let info = Engine::singleton().get_version_info();
    let number = |key: &str| info.get(key).and_then(|value| value.try_to::<u8>().ok());
    let minor = number("minor").unwrap_or(GodotVersion::NEWEST.minor);
    GodotVersion { major: number("major").unwrap_or(4), minor }
}

fn lock() -> MutexGuard<'static, State> {
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}
