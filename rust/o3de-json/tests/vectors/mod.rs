//! The vectors: JSON lines that restate the facts of O3DE's own unit tests.
#![allow(dead_code, unreachable_pub, reason = "each test uses a part")]

use std::env;
use std::fs;
use std::path::PathBuf;

use o3de_json::{Json, Outcome, Profile, Registry};

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

/// The folder of `O3DE_VECTORS`, else that of the shared material.
fn folder() -> Option<PathBuf> {
    match env::var_os("O3DE_VECTORS") {
        Some(folder) => Some(folder.into()),
        None => testkit::shared::require_shared("vectors/o3de"),
    }
}

fn read(file: &str) -> Option<String> {
    let path = folder()?.join(file);
    Some(fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display())))
}

/// The classes that the vectors refer to.
pub fn registry() -> Registry {
    let mut registry = Registry::default();
    let Some(text) = read("classes.json") else { return registry };
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

/// Runs `check` on every vector of `file` in each profile of its `mode`, and fails with a list of
/// what does not hold. An exception that holds is an error too.
pub fn run_all(
    file: &str,
    counts: Counts,
    exceptions: &[(&str, Profile, &str)],
    check: impl Fn(&Vector, Profile) -> Result<(), String>,
) {
    let Some(text) = read(file) else { return };
    let mut failures = Vec::new();
    let mut found = Counts::default();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let vector = Vector(Json::parse(line).expect("each line is JSON"));
        let mode = vector.get("mode").map(|mode| mode.as_str().expect("`mode` is text"));
        let profiles: &[Profile] = match mode {
            Some("doc") => &[Profile::Doc],
            Some("engine") => &[Profile::Engine],
            // The documents have no mode: there the page says nothing else than the engine does.
            Some("both") | None => &[Profile::Doc, Profile::Engine],
            Some(mode) => panic!("{}: no mode is called `{mode}`", vector.text("id")),
        };
        found.count(mode, vector.member("outcome") == &Json::Null);
        for &profile in profiles {
            let id = vector.text("id");
            let is_exception =
                exceptions.iter().any(|(known, of, _)| *known == id && *of == profile);
            match check(&vector, profile) {
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
    assert_eq!(found, counts, "{file} has other vectors: update the test");
    assert!(failures.is_empty(), "{} do not hold:\n{}", failures.len(), failures.join("\n"));
}

/// Whether an outcome is what a vector asserts: nothing, one, one of several, or at least one.
pub fn outcome_fits(expected: &Json, outcome: Outcome) -> bool {
    let Some(expected) = expected.as_str() else { return true };
    match expected.strip_prefix(">=") {
        Some(least) => outcome >= outcome_named(least),
        None => expected.split('|').any(|name| outcome == outcome_named(name)),
    }
}

pub fn outcome_named(name: &str) -> Outcome {
    Outcome::ALL
        .into_iter()
        .find(|outcome| format!("{outcome:?}") == name)
        .unwrap_or_else(|| panic!("no outcome is called {name}"))
}
