//! `gdscene unused` and `prune`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::{caches, scratch};
use insta::assert_snapshot;
use serde_json::Value;

const SCENE: &str = "[gd_scene format=3]\n\n[node name=\"A\" type=\"Node\"]\n";

/// A project with a scene that is used, one that is not, and one that may be.
fn project(name: &str) -> PathBuf {
    let folder = scratch(name);
    let files = [
        (
            "project.godot",
            "config_version=5\n\n[application]\n\nrun/main_scene=\"res://main.tscn\"\n",
        ),
        (
            "main.tscn",
            "[gd_scene format=3]\n\n[ext_resource type=\"Script\" path=\"res://main.gd\" id=\"1\"]\n\n[node name=\"A\" type=\"Node\"]\nscript = ExtResource(\"1\")\n",
        ),
        ("main.gd", "extends Node\nvar levels = \"res://levels/\"\n"),
        ("levels/1.tscn", SCENE),
        ("art/old.png", "1234567890"),
        ("art/old.png.import", "[remap]\n\nimporter=\"texture\"\n"),
        ("old.tscn", SCENE),
    ];
    for (path, text) in files {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

/// Runs the program in `folder`: the exit status, standard output and standard error.
fn run_in(folder: &Path, args: &[&str]) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_gdscene"));
    command.args(args).current_dir(folder).env("XDG_CACHE_HOME", caches());
    let output = command.output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

#[test]
fn lists() {
    let folder = project("cleanup-lists");
    let (status, text, _) = run_in(&folder, &["unused", "--kept"]);
    assert_eq!(status, 1);
    assert_snapshot!(text, @r#"
         49 B  scene     res://old.tscn
         38 B  image     res://art/old.png
         49 B  scene     res://levels/1.tscn: kept, its path may be built at run time: "res://levels/" in res://main.gd:2
    2 unused files, 87 B; 1 kept
    "#);
    let (_, text, _) = run_in(&folder, &["unused", "--kind", "image", "--sort", "path", "."]);
    assert_snapshot!(text, @r#"
         38 B  image     res://art/old.png
    1 unused file, 38 B
    "#);
    let (_, text, _) = run_in(&folder, &["unused", "art"]);
    assert!(text.contains("art/old.png") && !text.contains("old.tscn"), "{text}");
    let (status, json, _) = run_in(&folder, &["unused", "--kept", "--output", "json"]);
    assert_eq!(status, 1);
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["bytes"], 87);
    assert_eq!(json["unused"][1]["companions"][0], "res://art/old.png.import");
    assert!(json["kept"][0]["reason"].as_str().unwrap().ends_with("in res://main.gd:2"), "{json}");
}

#[test]
fn removes_only_what_it_is_told() {
    let folder = project("cleanup-removes");
    let is_there = |path: &str| folder.join(path).exists();
    let (status, _, note) = run_in(&folder, &["prune"]);
    let expected = "gdscene: nothing was removed: name the files, or add --yes\n";
    assert_eq!((status, note.as_str()), (1, expected));
    let (status, ..) = run_in(&folder, &["prune", "art"]);
    assert!(status == 1 && is_there("art/old.png"));
    let (status, ..) = run_in(&folder, &["prune", "--yes", "--dry-run"]);
    assert!(status == 1 && is_there("old.tscn"));
    let (status, _, error) = run_in(&folder, &["prune", "main.gd"]);
    assert!(status == 2 && error.contains("is not unused") && is_there("main.gd"), "{error}");

    assert_eq!(run_in(&folder, &["prune", "old.tscn", "levels/1.tscn"]).0, 0);
    assert!(!is_there("old.tscn") && !is_there("levels/1.tscn") && is_there("art/old.png"));
    assert_eq!(run_in(&folder, &["undo"]).0, 0);
    assert_eq!(fs::read_to_string(folder.join("old.tscn")).unwrap(), SCENE);

    assert_eq!(run_in(&folder, &["prune", "--yes"]).0, 0);
    assert!(!is_there("old.tscn") && !is_there("art/old.png") && !is_there("art/old.png.import"));
    assert!(is_there("levels/1.tscn"), "it may be used");
    assert_eq!(run_in(&folder, &["unused"]).0, 0);
    let (status, text, note) = run_in(&folder, &["prune"]);
    assert!(status == 0 && note.is_empty() && text.contains("nothing to change"), "{text}{note}");
}

/// Several folders, one in the other, are looked at once.
#[test]
fn resources_inside_folders() {
    let folder = project("cleanup-inside-folders");
    let scene =
        SCENE.replace("\n\n[node", "\n\n[sub_resource type=\"Gradient\" id=\"a\"]\n\n[node");
    fs::write(folder.join("levels/1.tscn"), &scene).unwrap();
    fs::write(folder.join("old.tscn"), &scene).unwrap();
    let args = ["prune", "--inside", "--yes", "levels", "levels/1.tscn", "art"];
    let (status, text, _) = run_in(&folder, &args);
    assert!(status == 0 && text.ends_with("1 place in 1 file changed\n"), "{text}");
    assert_eq!(fs::read_to_string(folder.join("levels/1.tscn")).unwrap(), SCENE);
    assert_eq!(fs::read_to_string(folder.join("old.tscn")).unwrap(), scene);
}

#[test]
fn resources_inside() {
    let folder = project("cleanup-inside");
    let scene =
        SCENE.replace("\n\n[node", "\n\n[sub_resource type=\"Gradient\" id=\"a\"]\n\n[node");
    fs::write(folder.join("main.tscn"), &scene).unwrap();
    let (status, text, _) = run_in(&folder, &["unused", "--inside", "."]);
    assert_eq!(status, 1);
    assert_snapshot!(text, @r#"
    remove unused resources inside files
    main.tscn:3:1: unused sub_resource
    1 place in 1 file would be changed
    "#);
    assert_eq!(fs::read_to_string(folder.join("main.tscn")).unwrap(), scene);
    assert_eq!(run_in(&folder, &["prune", "--inside", "--yes"]).0, 0);
    assert_eq!(fs::read_to_string(folder.join("main.tscn")).unwrap(), SCENE);
}

#[test]
fn resources_out_and_in() {
    let folder = project("cleanup-extract");
    let scene = "[gd_scene format=3]\n\n[sub_resource type=\"BoxMesh\" id=\"BoxMesh_a\"]\nsize = Vector3(2, 2, 2)\n\n\
                 [sub_resource type=\"BoxMesh\" id=\"BoxMesh_b\"]\nsize = Vector3(2, 2, 2)\n\n\
                 [node name=\"A\" type=\"Node\"]\nmetadata/a = [SubResource(\"BoxMesh_a\"), SubResource(\"BoxMesh_b\")]\n";
    fs::write(folder.join("main.tscn"), scene).unwrap();
    let read = |path: &str| fs::read_to_string(folder.join(path)).unwrap();
    let (status, text, error) = run_in(&folder, &["dedupe", "main.tscn"]);
    assert_eq!(status, 0, "{text}{error}");
    let one = scene
        .replace(
            "[sub_resource type=\"BoxMesh\" id=\"BoxMesh_b\"]\nsize = Vector3(2, 2, 2)\n\n",
            "",
        )
        .replace("BoxMesh_b", "BoxMesh_a");
    assert_eq!(read("main.tscn"), one);
    assert_eq!(run_in(&folder, &["extract", "main.tscn", "BoxMesh_a", "art/box.tres"]).0, 0);
    assert!(read("art/box.tres").ends_with("]\n\n[resource]\nsize = Vector3(2, 2, 2)\n"));
    assert_eq!(run_in(&folder, &["extract", "main.tscn", "BoxMesh_a", "art/box.tres"]).0, 2);
    let extracted = read("main.tscn");
    let id = extracted.split(" id=\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
    assert_eq!(run_in(&folder, &["inline", "--remove", "main.tscn", id]).0, 0);
    assert!(!folder.join("art/box.tres").exists());
    assert_eq!(run_in(&folder, &["undo"]).0, 0);
    assert_eq!(read("main.tscn"), extracted);
    assert!(folder.join("art/box.tres").exists());
}

#[test]
fn upgrades() {
    let folder = project("cleanup-upgrade");
    let (status, text, error) =
        run_in(&folder, &["upgrade", "--from", "4.6", "--target", "4.6", "--dry-run"]);
    assert_eq!(status, 1, "{error}");
    assert_snapshot!(text, @r#"
    save the project in the form of Godot 4.6
    levels/1.tscn:1:1: uid
    levels/1.tscn:3:1: unique_id
    main.gd.uid: new file
    main.tscn:1:1: uid
    main.tscn:3:1: uid
    main.tscn:5:1: unique_id
    old.tscn:1:1: uid
    old.tscn:3:1: unique_id
    4 files would be changed
    "#);
    let (status, text, _) = run_in(&folder, &["upgrade", "--target", "4.6"]);
    assert!(status == 1 && text.contains("does not name its Godot version"), "{text}");
    assert!(folder.join("main.gd.uid").exists());
    let again = ["upgrade", "--from", "4.6", "--target", "4.6", "--dry-run"];
    assert_eq!(run_in(&folder, &again).0, 0);
    let (status, _, error) = run_in(&folder, &["upgrade"]);
    assert_eq!(
        (status, error.as_str()),
        (2, "gdscene: project.godot does not name a known Godot version; add --target\n")
    );
}

/// The checklist of the changes in a newer version.
#[test]
fn upgrades_as_a_checklist() {
    let folder = project("cleanup-checklist");
    let settings =
        "config_version=5\n\n[application]\n\nconfig/features=PackedStringArray(\"4.6\")\n";
    std::fs::write(folder.join("project.godot"), settings).unwrap();
    let script = "extends RichTextLabel\n\nfunc _ready():\n\tprint(UPDATE_WIDTH_IN_PERCENT)\n\tdraw_line(Vector2(), Vector2(), Color())\n";
    std::fs::write(folder.join("changed.gd"), script).unwrap();
    let (status, text, error) =
        run_in(&folder, &["upgrade", "--target", "4.7", "--output", "markdown", "changed.gd"]);
    assert_eq!(status, 1, "{error}");
    assert_snapshot!(text);
    let changed = std::fs::read_to_string(folder.join("changed.gd")).unwrap();
    assert!(changed.contains("print(UPDATE_WIDTH_UNIT)"), "{changed}");
}
