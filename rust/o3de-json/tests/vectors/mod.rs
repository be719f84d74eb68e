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

/// Runs `check` on every vector of `file` in each profile of its `mode`, and fails with a list of
/// what does not hold. An exception that holds is an error too.
pub fn run_all(
    file: &str,
    count: usize,
    exceptions: &[(&str, Profile, &str)],
    check: impl Fn(&Vector, Profile) -> Result<(), String>,
) {
    let Some(text) = read(file) else { return };
    let mut failures = Vec::new();
    let mut seen = 0;
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let vector = Vector(Json::parse(line).expect("each line is JSON"));
        seen += 1;
        let profiles: &[Profile] = match vector.text("mode") {
            "doc" => &[Profile::Doc],
            "engine" => &[Profile::Engine],
            _ => &[Profile::Doc, Profile::Engine],
        };
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
    assert_eq!(seen, count, "{file} has another number of vectors: update the test");
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
