//! `gdscene check` on scripts: their paths are checked, and nothing changes them.

use std::fs;
use std::path::Path;

use crate::common::gdscene;

const SCRIPT: &str = "extends Node\n\nconst GONE := preload(\"gone.png\")\n";

fn run(folder: &Path, args: &[&str]) -> (String, Option<i32>) {
    let path = folder.to_str().unwrap();
    let output = gdscene(&[args, &[path]].concat(), b"");
    let text = String::from_utf8(output.stdout).unwrap().replace(path, "F");
    (text + &String::from_utf8(output.stderr).unwrap().replace(path, "F"), output.status.code())
}

fn project() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("project.godot"), "config_version=5\n").unwrap();
    fs::create_dir(folder.path().join("parts")).unwrap();
    fs::write(folder.path().join("parts/a.gd"), SCRIPT).unwrap();
    folder
}

#[test]
fn a_missing_preload_is_found_in_a_folder_and_in_the_file() {
    let folder = project();
    for path in [folder.path().to_owned(), folder.path().join("parts/a.gd")] {
        let (text, code) = run(&path, &["check", "--output", "concise"]);
        let is_there = |part: &str| assert!(text.contains(part), "{part}: {text}");
        is_there(":3:23: error[SCR001 missing-preload]: file ");
        is_there("res://parts/gone.png");
        assert_eq!(code, Some(1), "{text}");
    }
    fs::write(folder.path().join("parts/gone.png"), "").unwrap();
    let (text, code) = run(folder.path(), &["check"]);
    assert_eq!(
        (text.as_str(), code),
        ("2 files checked, 1 settings file among them: nothing found\n", Some(0))
    );
}

#[test]
fn what_is_ignored_known_untrusted_or_switched_off_is_not_reported() {
    let folder = project();
    let known = folder.path().join("known.json");
    let known = known.to_str().unwrap();
    assert_eq!(run(folder.path(), &["check", "--write-baseline", known]).1, Some(0));
    assert_eq!(run(folder.path(), &["check", "--baseline", known]).1, Some(0));
    assert_eq!(run(folder.path(), &["check", "--profile", "untrusted"]).1, Some(0));
    assert_eq!(run(folder.path(), &["check", "--ignore", "SCR001"]).1, Some(0));
    let ignored = SCRIPT.replace(")\n", ") # gdscene: ignore[SCR001] comes later\n");
    fs::write(folder.path().join("parts/a.gd"), ignored).unwrap();
    let (text, code) = run(folder.path(), &["check"]);
    assert_eq!(code, Some(0), "{text}");
}

#[test]
fn nothing_changes_a_script() {
    let folder = project();
    for command in ["fix", "format"] {
        let (text, _) = run(folder.path(), &[command]);
        assert!(!text.contains("a.gd"), "{text}");
    }
    assert_eq!(fs::read_to_string(folder.path().join("parts/a.gd")).unwrap(), SCRIPT);
}
