//! Impossible changes are refused with the reason, and nothing is written.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::common::{content, gdscene_in, scratch};

const PROJECT: &str =
    "config_version=5\n\n[application]\n\nconfig/features=PackedStringArray(\"4.6\")\n";

const SCENE: &str = "[gd_scene format=3]\n\n[node name=\"A\" type=\"Node2D\"]\n";

fn project(name: &str) -> PathBuf {
    let folder = scratch(name);
    fs::write(folder.join("project.godot"), PROJECT).unwrap();
    fs::write(folder.join("a.tscn"), SCENE).unwrap();
    folder
}

/// Runs a command that is refused; why.
#[track_caller]
fn refused(folder: &Path, args: &[&str], stdin: &[u8]) -> String {
    let before = content(folder);
    let (status, stdout, stderr) = gdscene_in(folder, args, stdin);
    assert_eq!((status, stdout.as_str()), (2, ""), "{args:?}: {stderr}");
    assert_eq!(content(folder), before, "{args:?}");
    stderr
}

#[test]
fn broken_files() {
    let folder = project("hostile_broken");
    let texts: BTreeMap<&str, &[u8]> = BTreeMap::from([
        ("tag.tscn", &b"[gd_scene format=3]\n\n[node name=\"A\" type=\"Node\"\nx = 1\n"[..]),
        ("value.tscn", b"[gd_scene format=3]\n\n[node name=\"A\" type=\"Node\"]\nx = Vector2(\n"),
        ("binary.tscn", b"RSRC\0\0\x01\x02\xff\xff"),
        ("latin1.tscn", b"[gd_scene format=3]\n\n[node name=\"\xe9\" type=\"Node\"]\n"),
        ("empty.tscn", b""),
        ("conflict.tscn", b"[gd_scene format=3]\n\n<<<<<<< a\n[node name=\"A\" type=\"Node\"]\n=======\n>>>>>>> b\n"),
    ]);
    for (name, text) in texts {
        fs::write(folder.join(name), text).unwrap();
        let why = refused(&folder, &["set", name, ".:process_mode", "1"], b"");
        assert!(why.starts_with(&format!("gdscene: `res://{name}`: ")), "{why}");
        assert!(why.lines().count() == 1 && why.len() > 40, "{why}");
    }
}

#[test]
fn what_is_no_scene() {
    let folder = project("hostile_kinds");
    fs::create_dir(folder.join("levels.tscn")).unwrap();
    fs::write(folder.join("b.scn"), b"RSRC").unwrap();
    fs::write(folder.join("c.gd"), b"extends Node\n").unwrap();
    for file in
        ["levels.tscn", "b.scn", "c.gd", "gone.tscn", "res://gone.tscn", ".", "project.godot"]
    {
        refused(&folder, &["set", file, ".:x", "1"], b"");
    }
    for file in ["levels.tscn", "a.tscn", "b.scn", "c.gd", ".", "project.godot", "b.tres"] {
        refused(&folder, &["new", "scene", file, "Node"], b"");
    }
    refused(&folder, &["new", "scene", "b.tscn", "Gone"], b"");
    refused(&folder, &["new", "scene", "b.tscn", "CharacterBdy2D"], b"");
    refused(&folder, &["new", "resource", "b.tres", "Node2D"], b"");
}

#[test]
fn paths_out_of_the_project() {
    let folder = project("hostile_outside");
    let outside = scratch("hostile_elsewhere");
    fs::write(outside.join("b.tscn"), SCENE).unwrap();
    let there = outside.join("b.tscn");
    let elsewhere = content(&outside);
    for file in [
        "res://../hostile_elsewhere/b.tscn",
        "../hostile_elsewhere/b.tscn",
        there.to_str().unwrap(),
    ] {
        refused(&folder, &["set", file, ".:position", "Vector2(1, 1)"], b"");
        refused(&folder, &["new", "scene", &file.replace('b', "c"), "Node"], b"");
        let batch =
            serde_json::json!({"op": "set", "file": file, "at": ".:position", "value": [1, 1]});
        refused(&folder, &["edit"], batch.to_string().as_bytes());
        refused(&folder, &["instance", "a.tscn", "B", file], b"");
    }
    for node in ["..", "../B", "/root/A", "A/../../B"] {
        refused(&folder, &["add", "a.tscn", node, "Node"], b"");
        refused(&folder, &["remove", "a.tscn", node], b"");
    }
    assert_eq!(content(&outside), elsewhere);
}

#[cfg(unix)]
#[test]
fn links_out_of_the_project() {
    use std::os::unix::fs::symlink;
    let folder = project("hostile_links_of_edits");
    let outside = scratch("hostile_linked");
    fs::write(outside.join("b.tscn"), SCENE).unwrap();
    symlink(outside.join("b.tscn"), folder.join("b.tscn")).unwrap();
    symlink(&outside, folder.join("folder")).unwrap();
    let elsewhere = content(&outside);
    for file in ["b.tscn", "folder/b.tscn", "res://folder/b.tscn"] {
        let (status, stdout, stderr) =
            gdscene_in(&folder, &["set", file, ".:position", "Vector2(1, 1)"], b"");
        assert_eq!((status, content(&outside)), (2, elsewhere.clone()), "{file}: {stdout}{stderr}");
    }
    refused(&folder, &["new", "scene", "folder/c.tscn", "Node"], b"");
}

#[test]
fn what_is_no_list_of_operations() {
    let folder = project("hostile_operations");
    let edit = |text: &[u8]| refused(&folder, &["edit", "--file", "a.tscn"], text);
    assert_eq!(edit(b""), "gdscene: <stdin>: no operations: the input is empty\n");
    assert_eq!(edit(b" \n\n"), "gdscene: <stdin>: no operations: the input is empty\n");
    assert!(edit(b"{\"op\": \"sett\", \"at\": \".:x\"}").contains("did you mean `set`?"));
    assert!(
        edit(b"{\"op\": \"set\", \"att\": \".:x\", \"value\": 1}").contains("did you mean `at`?")
    );
    assert!(edit(b"{\"op\": \"set\", \"at\": \".:x\"}").contains("`value` of `set` is missing"));
    assert!(edit(b"[1]").contains("operation 1: "));
    assert!(
        edit(b"{\"op\": \"unset\", \"at\": \".:x\"}\n{oops}\n")
            .contains("line 2, column 2: not valid JSON")
    );
    assert!(edit(b"\xff\xfe").contains("not valid JSON"));
    let deep = ["[".repeat(100_000), "]".repeat(100_000)].concat();
    let deep = format!("{{\"op\": \"set\", \"at\": \".:metadata/x\", \"value\": {deep}}}");
    edit(deep.as_bytes());
    refused(&folder, &["edit", "gone.json"], b"");
    refused(&folder, &["edit", "."], b"");
    refused(&folder, &["edit"], b"{\"op\": \"unset\", \"at\": \".:position\"}");
}

#[cfg(unix)]
#[test]
fn arguments_that_are_not_text() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let folder = project("hostile_arguments");
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_gdscene"))
        .args([
            OsStr::new("set"),
            OsStr::from_bytes(b"\xff.tscn"),
            OsStr::new(".:x"),
            OsStr::new("1"),
        ])
        .current_dir(&folder)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("UTF-8"), "{output:?}");
}

#[test]
fn values_and_classes_that_do_not_fit() {
    let folder = project("hostile_values");
    let set = |at: &str, value: &str| refused(&folder, &["set", "a.tscn", at, value], b"");
    assert!(set(".:position", "3").contains("is not a valid value of `position` (Vector2)"));
    set(".:position", "Vector2(1, 2");
    set(".:position", "Vector2(1, 2)\n[node name=\"B\" type=\"Node\" parent=\".\"]");
    set(".:material", "SubResource(\"Gone\")");
    set(".:material", "ExtResource(\"Gone\")");
    set(".:positoin", "Vector2(1, 2)");
    refused(&folder, &["add", "a.tscn", "B\"C", "Node"], b"");
    refused(&folder, &["add", "a.tscn", "Gone/B", "Node"], b"");
    refused(&folder, &["add", "a.tscn", "B", "Curve"], b"");
    refused(&folder, &["add", "a.tscn", "B", "Node", "--before", "Gone"], b"");
    refused(&folder, &["add", "a.tscn", "B", "Node", "--index", "7"], b"");
    refused(&folder, &["instance", "a.tscn", "B", "a.tscn"], b"");
    refused(&folder, &["remove", "a.tscn", "."], b"");
    refused(&folder, &["group", "a.tscn", "."], b"");
}

/// One of two files must not be written, and so neither is.
#[cfg(unix)]
#[test]
fn a_file_that_must_not_be_written() {
    use std::io::Write;
    use std::os::unix::fs::{MetadataExt, PermissionsExt};
    use std::os::unix::process::CommandExt;
    use std::process::{Command, Stdio};
    const NOBODY: u32 = 65534;
    let folder = tempfile::tempdir().unwrap();
    let set_mode = |path: &Path, mode: u32| {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    };
    set_mode(folder.path(), 0o777);
    for (name, text) in [("project.godot", PROJECT), ("a.tscn", SCENE), ("b.tscn", SCENE)] {
        fs::write(folder.path().join(name), text).unwrap();
        set_mode(&folder.path().join(name), 0o666);
    }
    set_mode(&folder.path().join("b.tscn"), 0o444);
    // By another process, because a process that another test starts just now would also have this one's open
    // files.
    let program = folder.path().join("gdscene");
    let copied = Command::new("cp").arg(env!("CARGO_BIN_EXE_gdscene")).arg(&program).status();
    assert!(copied.unwrap().success());
    set_mode(&program, 0o755);
    let mut command = Command::new(program);
    command.args(["edit", "--output", "json"]).current_dir(folder.path());
    command.env("XDG_CACHE_HOME", folder.path().join("no_cache"));
    // Root may write everything, so another user runs the command.
    if fs::metadata("/proc/self").is_ok_and(|own| own.uid() == 0) {
        command.uid(NOBODY).gid(NOBODY);
    }
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let set = |file: &str| {
        format!(
            "{{\"op\": \"set\", \"file\": \"{file}\", \"at\": \".:position\", \"value\": [1, 1]}}\n"
        )
    };
    let operations = set("a.tscn") + &set("b.tscn");
    child.stdin.take().unwrap().write_all(operations.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((output.status.code(), &report["error"]["kind"]), (Some(2), &"not-written".into()));
    assert!(report["error"]["reason"].as_str().unwrap().contains("b.tscn"), "{report}");
    for file in ["a.tscn", "b.tscn"] {
        assert_eq!(fs::read_to_string(folder.path().join(file)).unwrap(), SCENE);
    }
}

/// Scenes that contain each other stay apart, also over several files.
#[test]
fn circles_are_not_made() {
    let folder = project("hostile_circles");
    let (status, ..) = gdscene_in(&folder, &["new", "scene", "b.tscn", "Node2D"], b"");
    assert_eq!(status, 0);
    let (status, ..) = gdscene_in(&folder, &["instance", "a.tscn", "B", "b.tscn"], b"");
    assert_eq!(status, 0);
    refused(&folder, &["instance", "b.tscn", "A", "a.tscn"], b"");
    let batch = b"{\"op\": \"new\", \"file\": \"c.tscn\", \"type\": \"Node\"}\n{\"op\": \"instance\", \"file\": \"c.tscn\", \"node\": \"A\", \"scene\": \"a.tscn\"}\n{\"op\": \"instance\", \"file\": \"b.tscn\", \"node\": \"C\", \"scene\": \"c.tscn\"}\n";
    refused(&folder, &["edit"], batch);
}
