//! The vectors: JSON lines that restate the facts of O3DE's own unit tests.
//!
//! `O3DE_VECTORS` names a file of other vectors, or a folder of which every `*.jsonl` is read. How many there are is then
//! printed and not asserted. A `classes.json` beside them stands for that of the shared material.
#![allow(dead_code, unreachable_pub, reason = "each test uses a part")]

use std::env;
use std::fs;
use std::io::{self, Write};
use std::panic::{self, AssertUnwindSafe};
use std::path::{Path, PathBuf};

use o3de_json::{Json, Outcome, Profile, Registry, Task};

/// One line of a file.
pub struct Vector(Json);

impl Vector {
    pub fn get(&self, name: &str) -> Option<&Json> {
        self.0.member(name)
    }

    pub fn member(&self, name: &str) -> &Json {
        self.get(name).unwrap_or(&Json::Null)
    }

    pub fn text(&self, name: &str) -> &str {
        self.member(name).as_str().unwrap_or_default()
    }
}

/// The file or folder of `O3DE_VECTORS`, which has other vectors than those that the tests know.
fn others() -> Option<PathBuf> {
    env::var_os("O3DE_VECTORS").map(PathBuf::from)
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The text of the vectors: `file` of the shared material, or every file of `O3DE_VECTORS`.
fn vectors(file: &str) -> Option<String> {
    let Some(path) = others() else {
        return Some(read(&testkit::shared::require_shared("vectors/o3de")?.join(file)));
    };
    if path.is_file() {
        return Some(read(&path));
    }
    let entries = fs::read_dir(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let files = entries.map(|entry| entry.expect("the folder can be read").path());
    let mut files: Vec<_> =
        files.filter(|path| path.extension() == Some("jsonl".as_ref())).collect();
    files.sort();
    Some(files.iter().map(|path| read(path) + "\n").collect())
}

/// The text of the classes: those beside the vectors of `O3DE_VECTORS` if there are any, else those of the shared material.
fn classes() -> Option<String> {
    let beside = others().map(|path| path.with_file_name("classes.json")).filter(|p| p.is_file());
    let inside = others().map(|path| path.join("classes.json")).filter(|path| path.is_file());
    let shared = || testkit::shared::require_shared("vectors/o3de/classes.json");
    inside.or(beside).or_else(shared).map(|path| read(&path))
}

/// The classes that the vectors refer to.
pub fn registry() -> Registry {
    let mut registry = Registry::default();
    let Some(text) = classes() else { return registry };
    let classes = Json::parse(&text).expect("classes.json is JSON");
    for (name, class) in classes.as_object().expect("classes.json holds an object") {
        registry.register_json(name, class).expect("the class can be registered");
    }
    registry
}

/// How many vectors there are, so that none gets lost unseen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    pub doc: usize,
    pub engine: usize,
    pub both: usize,
    pub without_mode: usize,
    /// Those that assert no outcome, so that any fits.
    pub without_outcome: usize,
}

impl Counts {
    fn count(&mut self, mode: Option<&str>, is_without_outcome: bool) {
        *match mode {
            Some("doc") => &mut self.doc,
            Some("engine") => &mut self.engine,
            Some(_) => &mut self.both,
            None => &mut self.without_mode,
        } += 1;
        self.without_outcome += usize::from(is_without_outcome);
    }
}

/// Runs `check` on every vector that has the member `sort`, in each profile of its `mode`, and fails with a list of what does
/// not hold. An exception that holds is an error too.
///
/// They are those of `file`, as many as `counts` says. With `O3DE_VECTORS` they are others, and are counted and not known.
pub fn run_all(
    file: &str,
    sort: &str,
    counts: Counts,
    exceptions: &[(&str, Profile, &str)],
    check: impl Fn(&Vector, Profile) -> Result<(), String>,
) {
    let Some(text) = vectors(file) else { return };
    let mut failures = Vec::new();
    let mut found = Counts::default();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let vector = Vector(Json::parse(line).expect("each line is JSON"));
        if vector.get(sort).is_none() {
            continue;
        }
        let id = vector.text("id");
        let mode = vector.get("mode").and_then(Json::as_str);
        found.count(mode, vector.member("outcome") == &Json::Null);
        let profiles: &[Profile] = match mode {
            Some("doc") => &[Profile::Doc],
            Some("engine") => &[Profile::Engine],
            // The documents have no mode: there the page says nothing else than the engine does.
            Some("both") | None => &[Profile::Doc, Profile::Engine],
            Some(mode) => {
                failures.push(format!("{id}: no mode is called `{mode}`"));
                continue;
            }
        };
        for &profile in profiles {
            let is_exception =
                exceptions.iter().any(|(known, of, _)| *known == id && *of == profile);
            match checked(&check, &vector, profile) {
                Ok(()) if is_exception => {
                    failures.push(format!("{id} {profile:?}: holds after all"));
                }
                Err(message) if !is_exception => {
                    failures.push(format!("{id} {profile:?}: {message}"));
                }
                _ => {}
            }
        }
    }
    if others().is_none() {
        assert_eq!(found, counts, "{file} has other vectors: update the test");
    } else {
        let line = format!("\nvectors with `{sort}`: {found:?}, {} do not hold\n", failures.len());
        // Not by `eprintln`, of which the harness shows what failing tests print alone.
        io::stderr().write_all(line.as_bytes()).expect("the counts can be printed");
    }
    assert!(failures.is_empty(), "{} do not hold:\n{}", failures.len(), failures.join("\n"));
}

/// What `check` says; a panic does not hold, and does not keep the other vectors from being checked.
fn checked(
    check: &impl Fn(&Vector, Profile) -> Result<(), String>,
    vector: &Vector,
    profile: Profile,
) -> Result<(), String> {
    panic::catch_unwind(AssertUnwindSafe(|| check(vector, profile)))
        .unwrap_or_else(|_| Err("the check panics".to_owned()))
}

/// Whether an outcome is what a vector asserts: nothing, one, one of several, or at least one.
pub fn outcome_fits(expected: &Json, outcome: Outcome) -> bool {
    let Some(expected) = expected.as_str() else { return true };
    match expected.strip_prefix(">=") {
        Some(least) => outcome >= outcome_named(least),
        None => expected.split('|').any(|name| outcome == outcome_named(name)),
    }
}

pub fn task_named(name: &str) -> Task {
    Task::ALL
        .into_iter()
        .find(|task| format!("{task:?}") == name)
        .unwrap_or_else(|| panic!("no task is called {name}"))
}

pub fn outcome_named(name: &str) -> Outcome {
    Outcome::ALL
        .into_iter()
        .find(|outcome| format!("{outcome:?}") == name)
        .unwrap_or_else(|| panic!("no outcome is called {name}"))
}
