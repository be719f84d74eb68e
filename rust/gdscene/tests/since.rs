//! `gdscene check --since`, on real repositories.

use std::fs;
use std::path::Path;

use crate::common::gdscene;
use testkit::git::git;

const CLEAN: &str = "[gd_scene format=3]\n\n[node name=\"A\" type=\"Node\"]\n";
const BROKEN: &str = "[gd_scene format=3]\n\n[node name=\"A\" type=\"Node\"]\nx = True\n";

/// The checked files, by their diagnostics, and the exit code.
fn since(folder: &Path, revision: &str) -> (Vec<String>, String, Option<i32>) {
    let args = ["check", "--output", "concise", "--since", revision, folder.to_str().unwrap()];
    let output = gdscene(&args, b"");
    let text = String::from_utf8(output.stdout).unwrap();
    let name = |line: &str| {
        let (path, _) = line.split_once(".tscn:")?;
        Some(path.rsplit(['/', '\\']).next()?.to_owned())
    };
    let mut names: Vec<String> = text.lines().filter_map(name).collect();
    names.dedup();
    (names, text + &String::from_utf8(output.stderr).unwrap(), output.status.code())
}

#[test]
fn changed_and_unknown_files() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    git(folder, &["init", "-q", "-b", "main"]);
    fs::create_dir(folder.join("sub")).unwrap();
    for name in ["old", "changed", "gone", "sub/größer 1"] {
        fs::write(folder.join(format!("{name}.tscn")), BROKEN).unwrap();
    }
    fs::write(folder.join(".gitignore"), "ignored.tscn\n").unwrap();
    git(folder, &["add", "."]);
    git(folder, &["commit", "-q", "-m", "first"]);
    git(folder, &["tag", "first"]);
    let (names, text, code) = since(folder, "first");
    assert_eq!((names.len(), code), (0, Some(0)), "{text}");
    assert!(text.starts_with("0 files checked: nothing found"), "{text}");

    fs::write(folder.join("changed.tscn"), format!("{BROKEN}y = 1\n")).unwrap();
    fs::write(folder.join("sub/größer 1.tscn"), format!("{BROKEN}y = 1\n")).unwrap();
    fs::write(folder.join("new.tscn"), BROKEN).unwrap();
    fs::write(folder.join("ignored.tscn"), BROKEN).unwrap();
    fs::remove_file(folder.join("gone.tscn")).unwrap();
    assert_eq!(since(folder, "HEAD").0, ["changed", "new", "größer 1"]);
    // Later commits count too.
    git(folder, &["add", "."]);
    git(folder, &["commit", "-q", "-m", "second"]);
    assert_eq!(since(folder, "first").0, ["changed", "new", "größer 1"]);
    assert_eq!(since(folder, "HEAD").0, [""; 0]);
    // Paths below the repository's top folder.
    assert_eq!(since(&folder.join("sub"), "first").0, ["größer 1"]);
    fs::write(folder.join("new.tscn"), CLEAN).unwrap();
    assert_eq!(since(folder, "HEAD").2, Some(0));
}

/// Unchanged files that depend on changed ones: on a scene, through another one, and on a deleted file.
#[test]
fn dependents() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let uses = |path: &str| {
        format!(
            "[gd_scene format=3]\n\n[ext_resource type=\"PackedScene\" path=\"res://{path}\" id=\"1\"]\n\n\
             [node name=\"A\" type=\"Node\"]\n\n[node name=\"B\" parent=\".\" instance=ExtResource(\"1\")]\nx = True\n"
        )
    };
    git(folder, &["init", "-q", "-b", "main"]);
    fs::write(folder.join("project.godot"), "config_version=5\n").unwrap();
    fs::write(folder.join("inner.tscn"), BROKEN).unwrap();
    fs::write(folder.join("gone.tscn"), CLEAN).unwrap();
    fs::write(folder.join("apart.tscn"), BROKEN).unwrap();
    fs::write(folder.join("middle.tscn"), uses("inner.tscn")).unwrap();
    fs::write(folder.join("outer.tscn"), uses("middle.tscn")).unwrap();
    fs::write(folder.join("of_gone.tscn"), uses("gone.tscn")).unwrap();
    git(folder, &["add", "."]);
    git(folder, &["commit", "-q", "-m", "first"]);
    fs::write(folder.join("inner.tscn"), format!("{BROKEN}y = 1\n")).unwrap();
    fs::remove_file(folder.join("gone.tscn")).unwrap();
    let names = |more: &[&str]| {
        let path = folder.to_str().unwrap();
        let mut args = vec!["check", "--output", "concise", "--since", "HEAD", path];
        args.extend(more);
        let text = String::from_utf8(gdscene(&args, b"").stdout).unwrap();
        let names = ["apart", "inner", "middle", "of_gone", "outer"];
        let is_there = |name: &&&str| text.contains(&format!("{name}.tscn:"));
        names.iter().filter(is_there).map(|name| (*name).to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(names(&[]), ["inner"]);
    assert_eq!(names(&["--dependents"]), ["inner", "middle", "of_gone", "outer"]);
    let output = gdscene(&["check", "--dependents", folder.to_str().unwrap()], b"");
    assert_eq!(output.status.code(), Some(2), "alone it means nothing");
}

#[test]
fn what_git_refuses() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("a.tscn"), BROKEN).unwrap();
    let (_, text, code) = since(folder, "HEAD");
    assert_eq!(code, Some(2));
    assert!(text.contains("not a git repository"), "{text}");
    git(folder, &["init", "-q"]);
    for revision in ["no-such", "--output=x", "", "HEAD"] {
        let args = format!("--since={revision}");
        let output = gdscene(&["check", &args, folder.to_str().unwrap()], b"");
        assert_eq!(output.status.code(), Some(2), "{revision}");
        let text = String::from_utf8(output.stderr).unwrap();
        assert!(text.contains(&format!("git cannot find the revision `{revision}`")), "{text}");
    }
    assert!(!folder.join("x").exists());
}
