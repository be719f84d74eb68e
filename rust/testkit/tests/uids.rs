//! Godot finds scripts and the extension by the ids in the files `.uid` beside them. Without one, each project of a user gets its own.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The digits of Godot's ids (`core/io/resource_uid.cpp`, 4.6).
const DIGITS: &str = "abcdefghijklmnopqrstuvwxy012345678";

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The files of the addon that git tracks, from the repository on. The settings of the machine decide whether git trusts its folder.
fn tracked() -> Vec<String> {
    let output = Command::new("git")
        .args(["ls-files", "-z", "addons"])
        .current_dir(root())
        .output()
        .expect("git lists files");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let listed = String::from_utf8(output.stdout).expect("names are UTF-8");
    listed.split_terminator('\0').map(str::to_owned).collect()
}

#[test]
fn each_script_of_the_addon_has_an_id_of_its_own() {
    let files = tracked();
    let needs_id = |file: &&String| file.ends_with(".gd") || file.ends_with(".gdextension");
    let mut owners: BTreeMap<String, &str> = BTreeMap::new();
    let mut complaints = Vec::new();
    for file in files.iter().filter(needs_id) {
        let place = format!("{file}.uid");
        if !files.contains(&place) {
            complaints.push(format!("git does not track {place}; a running editor writes one"));
            continue;
        }
        let text = fs::read_to_string(root().join(&place)).expect("a tracked file");
        let id = text.strip_prefix("uid://").and_then(|rest| rest.strip_suffix('\n'));
        let is_valid = |id: &&str| !id.is_empty() && id.chars().all(|digit| DIGITS.contains(digit));
        match id.filter(is_valid) {
            None => complaints.push(format!("{place} is not as Godot writes it: {text:?}")),
            Some(id) => {
                if let Some(other) = owners.insert(id.to_owned(), file) {
                    complaints.push(format!("{file} has the id of {other}"));
                }
            }
        }
    }
    assert!(owners.len() > 50, "{} scripts were found", owners.len());
    for place in files.iter().filter(|file| file.ends_with(".uid")) {
        if !files.iter().any(|file| Some(file.as_str()) == place.strip_suffix(".uid")) {
            complaints.push(format!("{place} has no file beside it"));
        }
    }
    assert!(complaints.is_empty(), "{}", complaints.join("\n"));
}
