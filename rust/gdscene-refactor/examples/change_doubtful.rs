//! Changes the places of a project that a refactoring leaves as doubtful, as a user would.
//!
//! ```text
//! cargo run --release -p gdscene-refactor --example change_doubtful -- FOLDER CHANGE
//! ```
//! CHANGE is a file with the output of `refactor_candidates.rs` on a refactoring that is not yet carried out. The old name becomes
//! the new one in each doubtful place that has it. Ends with 1 if none has. `scripts/test/project/refactorings.sh` uses it to find
//! out whether differences in Godot come from these places alone.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::ExitCode;
use std::{env, fs};

use serde_json::Value;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [folder, file] = arguments.as_slice() else { panic!("wanted: FOLDER CHANGE") };
    let change: Value =
        serde_json::from_slice(&fs::read(file).expect("a file")).expect("a change as JSON");
    let Some((old, new)) = names(&change) else { return ExitCode::FAILURE };
    let mut changed = 0;
    for (path, spans) in places(&change) {
        let path = Path::new(folder).join(path.trim_start_matches("res://"));
        let mut text = fs::read(&path).expect("a file of the project");
        // The last one first, so that the others stay where they are.
        for (start, end) in spans.into_iter().rev() {
            let Ok(place) = str::from_utf8(&text[start..end]) else { continue };
            let Some(place) = renamed(place, &old, &new) else { continue };
            text.splice(start..end, place.into_bytes());
            changed += 1;
        }
        fs::write(&path, text).expect("a file that can be written");
    }
    if changed == 0 { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

/// The old name and the new one. A node that moves has the same name.
fn names(change: &Value) -> Option<(String, String)> {
    let (old, new) = (change["old"].as_str()?, change["new"].as_str()?);
    let last = |path: &str| path.rsplit('/').next().unwrap_or_default().to_owned();
    match change["kind"].as_str()? {
        "rename-node" => Some((last(old), last(new))),
        "move-node" => None,
        _ => Some((old.to_owned(), new.to_owned())),
    }
}

/// The doubtful places by file.
fn places(change: &Value) -> BTreeMap<&str, BTreeSet<(usize, usize)>> {
    let mut places: BTreeMap<&str, BTreeSet<(usize, usize)>> = BTreeMap::new();
    for doubt in change["doubts"].as_array().into_iter().flatten() {
        let end = |index: usize| usize::try_from(doubt["span"][index].as_u64()?).ok();
        if let (Some(path), Some(start), Some(end)) = (doubt["path"].as_str(), end(0), end(1)) {
            places.entry(path).or_default().insert((start, end));
        }
    }
    places
}

/// `place` with the new name for each whole occurrence of the old one, if there is one.
fn renamed(place: &str, old: &str, new: &str) -> Option<String> {
    let is_part = |char: char| char.is_alphanumeric() || char == '_';
    let mut renamed = String::new();
    let mut rest = 0;
    for (at, _) in place.match_indices(old) {
        let end = at + old.len();
        let is_whole =
            !place[..at].ends_with(is_part) && !place[end..].starts_with(is_part) && at >= rest;
        if is_whole {
            renamed.push_str(&place[rest..at]);
            renamed.push_str(new);
            rest = end;
        }
    }
    (rest > 0).then(|| renamed + &place[rest..])
}
