//! The common part of all refactorings, with `gdscene rename-property` as the example: plans, git,
//! undo.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Instant;

use crate::common::{caches, scratch};
use serde_json::Value;
use testkit::git::git;

/// It has been renamed by hand, so that the values in scenes are all that is left to change.
const SCRIPT: &str = "extends Node\n@export var max_health := 3\n";

/// A project with a script that scenes use.
fn project(name: &str, scenes: usize) -> PathBuf {
    let folder = scratch(name);
    fill(&folder, scenes);
    folder
}

fn fill(folder: &Path, scenes: usize) {
    fs::create_dir_all(folder.join("sub")).unwrap();
    fs::write(folder.join("project.godot"), "config_version=5\n").unwrap();
    fs::write(folder.join("enemy.gd"), SCRIPT).unwrap();
    for number in 0..scenes {
        let scene = format!(
            "[gd_scene format=3]\n\n[ext_resource type=\"Script\" path=\"res://enemy.gd\" id=\"1\"]\n\n\
             [node name=\"A\" type=\"Node\"]\nscript = ExtResource(\"1\")\nhealth = {number}\n"
        );
        fs::write(folder.join(format!("sub/{number}.tscn")), scene).unwrap();
    }
}

/// Runs the program in `folder`: the exit status, standard output and standard error.
fn run_in(folder: &Path, args: &[&str]) -> (i32, String, String) {
    let output = command(folder, args).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

fn command(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gdscene"));
    command.args(args).current_dir(folder).env("XDG_CACHE_HOME", caches());
    command
}

/// A project in a repository of its own, in which all is committed.
fn repository() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fill(folder.path(), 2);
    git(folder.path(), &["init", "-q", "-b", "main"]);
    git(folder.path(), &["add", "."]);
    git(folder.path(), &["commit", "-q", "-m", "first"]);
    folder
}

/// The files of a project, without hidden ones.
fn content(folder: &Path) -> BTreeMap<PathBuf, String> {
    let mut all = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let path = entry.path();
        match entry.file_name().to_str().unwrap().starts_with('.') {
            true => {}
            false if path.is_dir() => all.extend(content(&path)),
            false => _ = all.insert(path.clone(), fs::read_to_string(path).unwrap()),
        }
    }
    all
}

const RENAME: [&str; 4] = ["rename-property", "enemy.gd", "health", "max_health"];

#[test]
fn places_are_listed_and_changed() {
    let folder = project("refactor_places", 1);
    let before = content(&folder);
    let args = [&RENAME[..], &["--dry-run"]].concat();
    let (status, planned, _) = run_in(&folder, &args);
    assert_eq!((status, content(&folder)), (1, before.clone()));
    let (status, done, stderr) = run_in(&folder, &RENAME);
    assert_eq!((status, stderr.as_str()), (0, ""));
    assert_eq!(
        done,
        "migrate stored values from `health` to `max_health`, the new name in `res://enemy.gd`\n\
         sub/0.tscn:7:1: value of the variable\n\
         1 place in 1 file changed\n"
    );
    assert_eq!(planned.replace("would be ", ""), done);
    assert!(fs::read_to_string(folder.join("sub/0.tscn")).unwrap().ends_with("max_health = 0\n"));
}

#[test]
fn programs_are_told_of_all() {
    let folder = project("refactor_json", 1);
    let args =
        ["rename-property", "../enemy.gd", "health", "max_health", "--output", "json", "--dry-run"];
    let (_, planned, _) = run_in(&folder.join("sub"), &args);
    let planned: Value = serde_json::from_str(&planned).unwrap();
    assert_eq!(planned["project"], folder.to_str().unwrap());
    assert_eq!(planned["is_done"], false);
    let scene = fs::read_to_string(folder.join("sub/0.tscn")).unwrap();
    let edit = &planned["files"][0]["edits"][0];
    let offset = |key: &str| edit[key].as_u64().unwrap() as usize;
    assert_eq!(&scene[offset("start")..offset("end")], "health");
    assert_eq!(
        (edit["line"].as_u64(), edit["replacement"].as_str()),
        (Some(7), Some("max_health"))
    );
    assert_eq!(planned["places"].as_array().unwrap().len(), 1);
    assert_eq!(planned["places"][0]["path"], "res://sub/0.tscn");
    let (_, done, _) = run_in(&folder, &[&RENAME[..], &["--output", "json"]].concat());
    let done: Value = serde_json::from_str(&done).unwrap();
    assert_eq!((&done["is_done"], &done["files"]), (&Value::from(true), &planned["files"]));
}

#[test]
fn diffs_are_patches() {
    let folder = repository();
    let folder = folder.path();
    let before = content(folder);
    let (status, diff, stderr) = run_in(folder, &[&RENAME[..], &["--diff"]].concat());
    assert_eq!((status, content(folder)), (1, before.clone()));
    assert_eq!(stderr, "2 places in 2 files would be changed\n");
    fs::write(folder.join("patch"), diff).unwrap();
    git(folder, &["apply", "patch"]);
    fs::remove_file(folder.join("patch")).unwrap();
    let patched = content(folder);
    git(folder, &["checkout", "-q", "."]);
    run_in(folder, &RENAME);
    assert_eq!(content(folder), patched);
    let (_, diff, _) = run_in(folder, &["undo", "--diff"]);
    fs::write(folder.join("patch"), diff).unwrap();
    git(folder, &["apply", "patch"]);
    fs::remove_file(folder.join("patch")).unwrap();
    assert_eq!(content(folder), before);
}

#[test]
fn undo_and_redo() {
    let folder = project("refactor_undo", 2);
    let before = content(&folder);
    let (status, _, stderr) = run_in(&folder, &["undo"]);
    assert_eq!(status, 2);
    assert!(stderr.contains("nothing to undo"), "{stderr}");
    run_in(&folder, &RENAME);
    let after = content(&folder);
    let (status, planned, _) = run_in(&folder, &["undo", "--dry-run"]);
    assert_eq!((status, content(&folder)), (1, after.clone()));
    // From a folder below, and the file system's root.
    let (status, done, stderr) = run_in(&folder.join("sub"), &["undo"]);
    assert_eq!((status, stderr.as_str()), (0, ""));
    assert!(done.ends_with("2 files changed\n"), "{done}");
    assert!(planned.starts_with("undo: migrate stored values from `health` "), "{planned}");
    assert_eq!(content(&folder), before);
    assert_eq!(run_in(Path::new("/"), &["undo", folder.to_str().unwrap()]).0, 0);
    assert_eq!(content(&folder), after);
}

#[test]
fn undo_after_edits() {
    let folder = project("refactor_undo_edits", 2);
    run_in(&folder, &RENAME);
    let scene = folder.join("sub/1.tscn");
    let text = fs::read_to_string(&scene).unwrap();
    fs::write(&scene, format!("{text}\n[node name=\"B\" type=\"Node\" parent=\".\"]\n\n[node name=\"C\" type=\"Node\" parent=\".\"]\n")).unwrap();
    // The last line of the file had nothing behind it.
    let (status, _, stderr) = run_in(&folder, &["undo"]);
    assert_eq!((status, stderr.as_str()), (0, ""));
    let undone = fs::read_to_string(&scene).unwrap();
    assert!(undone.contains("\nhealth = 1\n\n[node name=\"B\""), "{undone}");
    run_in(&folder, &["undo"]);
    let edited = fs::read_to_string(&scene).unwrap().replace("max_health = 1", "max_health = 7");
    fs::write(&scene, edited).unwrap();
    let now = content(&folder);
    let (status, _, stderr) = run_in(&folder, &["undo"]);
    assert_eq!(status, 2);
    let reason = "res://sub/1.tscn: the lines that the refactoring changed have changed again; nothing was changed";
    assert!(stderr.contains(reason), "{stderr}");
    assert_eq!(content(&folder), now);
}

/// Changes that are refused in a repository, and changes that are not.
#[test]
fn uncommitted_changes() {
    let refused = |meddle: &dyn Fn(&Path), named: &str| {
        let folder = repository();
        let folder = folder.path();
        meddle(folder);
        let before = content(folder);
        let (status, _, stderr) = run_in(folder, &RENAME);
        let start = "gdscene: these files have uncommitted changes; commit them, or continue with --allow-dirty: ";
        assert_eq!((status, stderr), (2, format!("{start}{named}\n")));
        assert_eq!(content(folder), before);
        assert_eq!(run_in(folder, &[&RENAME[..], &["--dry-run"]].concat()).0, 1);
        assert_eq!(run_in(folder, &[&RENAME[..], &["--allow-dirty"]].concat()).0, 0);
        assert_ne!(content(folder), before);
    };
    refused(
        &|folder| fs::write(folder.join("project.godot"), "config_version=5\n\n").unwrap(),
        "project.godot (changed)",
    );
    refused(
        &|folder| {
            fs::write(folder.join("project.godot"), "config_version=5\n\n").unwrap();
            git(folder, &["add", "."]);
        },
        "project.godot (changed)",
    );
    refused(
        &|folder| {
            fs::copy(folder.join("sub/1.tscn"), folder.join("new.tscn")).unwrap();
        },
        "new.tscn (not in git)",
    );
    let taken = |meddle: &dyn Fn(&Path)| {
        let folder = repository();
        meddle(folder.path());
        let (status, out, stderr) = run_in(folder.path(), &RENAME);
        assert_eq!((status, stderr.as_str()), (0, ""), "{out}");
        assert!(out.ends_with("files changed\n"), "{out}");
        out
    };
    taken(&|_| {});
    taken(&|folder| fs::write(folder.join("new.tscn"), "[gd_scene format=3]\n").unwrap());
    taken(&|folder| fs::write(folder.join(".gitignore"), "new.tscn\n.gitignore\n").unwrap());
    taken(&|folder| _ = git(folder, &["checkout", "-q", "--detach"]));
    taken(&|folder| fs::remove_dir_all(folder.join(".git")).unwrap());
    // It cannot be known then.
    let out = taken(&|folder| {
        fs::remove_dir_all(folder.join(".git")).unwrap();
        fs::write(folder.join(".git"), "nonsense").unwrap();
    });
    assert!(
        out.contains("note: cannot determine whether all changes are committed to git: "),
        "{out}"
    );
}

#[test]
fn what_is_ignored_is_not_uncommitted() {
    let folder = repository();
    let folder = folder.path();
    fs::write(folder.join(".gitignore"), "generated/\n").unwrap();
    git(folder, &["add", "."]);
    git(folder, &["commit", "-q", "-m", "second"]);
    fs::create_dir(folder.join("generated")).unwrap();
    fs::copy(folder.join("sub/1.tscn"), folder.join("generated/1.tscn")).unwrap();
    let (_, out, stderr) = run_in(folder, &RENAME);
    assert!(out.contains("generated/1.tscn:7:1: ") && stderr.is_empty(), "{out}{stderr}");
    // The journal is ignored, too.
    assert_eq!(git(folder, &["status", "--porcelain"]), " M sub/0.tscn\n M sub/1.tscn\n");
}

/// The real program, killed at moments that nothing chooses.
#[test]
fn killed_while_it_writes() {
    const SCENES: usize = 200;
    /// At least this number of kills must come while files change, in at most `ROUNDS` rounds.
    const ENOUGH: usize = 10;
    const ROUNDS: u32 = 300;
    /// The moments to choose from.
    const MOMENTS: u32 = 12;
    let folder = project("refactor_killed", SCENES);
    let before = content(&folder);
    run_in(&folder, &RENAME);
    let after = content(&folder);
    run_in(&folder, &["undo"]);
    assert_eq!(content(&folder), before);
    let is_at_work = || folder.join(".godot/gdscene/pending").exists();
    // How long it writes.
    let mut child = command(&folder, &RENAME).stdout(Stdio::null()).spawn().unwrap();
    while !is_at_work() {}
    let started = Instant::now();
    child.wait().unwrap();
    let whole = started.elapsed();
    run_in(&folder, &["undo"]);
    let mut interrupted = 0;
    for round in 0..ROUNDS {
        if interrupted == ENOUGH {
            break;
        }
        let mut child = command(&folder, &RENAME).stdout(Stdio::null()).spawn().unwrap();
        while !is_at_work() && child.try_wait().unwrap().is_none() {}
        sleep(whole * (round % MOMENTS) / MOMENTS);
        let _ = child.kill();
        child.wait().unwrap();
        let now = content(&folder);
        let is_whole =
            |(path, text): (&PathBuf, &String)| *text == before[path] || *text == after[path];
        assert!(now.len() == before.len() && now.iter().all(is_whole), "round {round}");
        if round % 2 == 0 {
            // Whatever writes next finishes it.
            let (_, _, stderr) = run_in(&folder, &["format", "project.godot"]);
            if stderr.contains("an earlier run was interrupted (give what is stored") {
                interrupted += 1;
                assert_eq!(content(&folder), after, "round {round}");
            }
            let now = content(&folder);
            assert!(now == before || now == after, "round {round}");
            if now == after {
                assert_eq!(run_in(&folder, &["undo"]).0, 0);
            }
        } else if now != before || run_in(&folder, &["undo", "--dry-run"]).2.contains("interrupted")
        {
            let (status, _, stderr) = run_in(&folder, &["undo"]);
            assert_eq!(status, 0, "{stderr}");
            interrupted += usize::from(stderr.contains("what it had done has been taken back"));
        }
        assert_eq!(content(&folder), before, "round {round}");
    }
    assert!(interrupted > 0, "no run was killed while it changed files");
    let left = fs::read_dir(folder.join("sub")).unwrap().map(|entry| entry.unwrap().file_name());
    assert_eq!(left.filter(|name| name.to_string_lossy().starts_with('.')).count(), 0);
}

/// `gdscene fix` writes several files through the same journal.
#[test]
fn an_interrupted_run_is_told_of() {
    let folder = project("refactor_told", 1);
    run_in(&folder, &RENAME);
    let home = folder.join(".godot/gdscene");
    let after = content(&folder);
    // As if the run had been killed just before it said that it is done, and before the scene was written.
    fs::rename(home.join("last"), home.join("pending")).unwrap();
    let scene = folder.join("sub/0.tscn");
    fs::write(&scene, fs::read_to_string(&scene).unwrap().replace("max_health", "health")).unwrap();
    let half = content(&folder);
    let told = "an earlier run was interrupted (migrate stored values from `health` to `max_health`, the new name in `res://enemy.gd`)";
    for args in [&[&RENAME[..], &["--dry-run"]].concat()[..], &["undo", "--dry-run"]] {
        let (status, _, stderr) = run_in(&folder, args);
        assert!(status == 1 && stderr.contains(told), "{stderr}");
        assert_eq!(content(&folder), half);
    }
    let (status, _, stderr) = run_in(&folder, &["fix", "."]);
    assert_eq!(status, 0, "{stderr}");
    assert!(stderr.contains(&format!("{told}; gdscene has finished it now")), "{stderr}");
    assert_eq!(content(&folder), after);
    assert_eq!(run_in(&folder, &["undo"]).0, 0);
    // A file was changed in between.
    fs::rename(home.join("last"), home.join("pending")).unwrap();
    fs::write(&scene, "[gd_scene format=3]\n").unwrap();
    let now = content(&folder);
    for args in [&["fix", "."][..], &["format", "."], &["undo"], &RENAME] {
        let (status, _, stderr) = run_in(&folder, args);
        assert!(
            status == 2 && stderr.contains("files have changed since: res://sub/0.tscn: "),
            "{stderr}"
        );
        assert_eq!(content(&folder), now);
    }
    fs::remove_dir_all(home.join("pending")).unwrap();
    assert_eq!(run_in(&folder, &["format", "."]).0, 0);
}
