//! The commands that change scenes by operations: each once, and their common part.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::{content, gdscene_in, scratch};
use serde_json::Value;

const PROJECT: &str = "config_version=5\n\n[application]\n\nconfig/name=\"A\"\nconfig/features=PackedStringArray(\"4.6\")\n";

const PLAYER_SCRIPT: &str = "extends CharacterBody2D\n\nsignal died\n\n@export var speed := 200.0\n\n\n\
                             func hit(_by: Node) -> void:\n\tpass\n";

const PLAYER: &str = r#"[gd_scene format=3 uid="uid://cqq2j4h8p6vy1"]

[ext_resource type="Script" path="res://player.gd" id="1_p"]

[sub_resource type="CircleShape2D" id="CircleShape2D_a"]
radius = 7.0

[node name="Player" type="CharacterBody2D" unique_id=11]
script = ExtResource("1_p")

[node name="Shape" type="CollisionShape2D" parent="." unique_id=12]
position = Vector2(0, 4)
shape = SubResource("CircleShape2D_a")
"#;

const LEVEL: &str = r#"[gd_scene format=3 uid="uid://b4gkfwf4i3ydl"]

[ext_resource type="PackedScene" uid="uid://cqq2j4h8p6vy1" path="res://player.tscn" id="1_s"]

[node name="Level" type="Node2D" unique_id=21]

[node name="Player" parent="." unique_id=22 instance=ExtResource("1_s")]

[node name="Trap" type="Area2D" parent="." unique_id=23 groups=["traps"]]

[node name="Shape" type="CollisionPolygon2D" parent="Trap" unique_id=24]
polygon = PackedVector2Array(0, 0, 8, 0, 8, 8)

[connection signal="body_entered" from="Trap" to="Player" method="hit"]
"#;

fn project(name: &str) -> PathBuf {
    let folder = scratch(name);
    fs::write(folder.join("project.godot"), PROJECT).unwrap();
    fs::write(folder.join("player.gd"), PLAYER_SCRIPT).unwrap();
    fs::write(folder.join("player.tscn"), PLAYER).unwrap();
    fs::create_dir(folder.join("levels")).unwrap();
    fs::write(folder.join("levels/level.tscn"), LEVEL).unwrap();
    folder
}

fn level(folder: &Path) -> String {
    fs::read_to_string(folder.join("levels/level.tscn")).unwrap()
}

/// The object that a command prints, which the schema of reports holds for.
#[track_caller]
fn json(stdout: &str) -> Value {
    let value: Value =
        serde_json::from_str(stdout).unwrap_or_else(|error| panic!("{error}\n{stdout}"));
    let schema = serde_json::from_str(include_str!("fixtures/schemas/edit-report.json")).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let errors: Vec<String> =
        validator.iter_errors(&value).map(|error| error.to_string()).collect();
    assert!(errors.is_empty(), "{}\n{stdout}", errors.join("\n"));
    value
}

/// Runs a command that changes the level, undoes it, and returns the changed level.
#[track_caller]
fn changed(folder: &Path, args: &[&str]) -> String {
    let before = content(folder);
    let (status, stdout, stderr) = gdscene_in(folder, args, b"");
    assert_eq!((status, stderr.as_str()), (0, ""), "{args:?}\n{stdout}");
    let after = level(folder);
    let (status, _, stderr) = gdscene_in(folder, &["undo"], b"");
    assert_eq!((status, stderr.as_str()), (0, ""));
    assert_eq!(content(folder), before, "{args:?} is not taken back");
    after
}

const FILE: &str = "levels/level.tscn";

/// The lines of `after` that `before` does not have.
fn new_lines(after: &str) -> Vec<&str> {
    after.lines().filter(|line| !LEVEL.lines().any(|old| old == *line)).collect()
}

#[test]
fn each_command_changes_what_it_says() {
    let folder = project("edit_each");
    let one = |args: &[&str]| {
        let after = changed(&folder, args);
        new_lines(&after).join("\n")
    };
    assert_eq!(one(&["set", FILE, "Trap:position", "Vector2(1, 2)"]), "position = Vector2(1, 2)");
    assert_eq!(one(&["set", FILE, "Trap:collision_mask", "5"]), "collision_mask = 5");
    assert_eq!(
        one(&["set", "--json", FILE, "Trap:position", "[1, 2]"]),
        "position = Vector2(1, 2)"
    );
    assert_eq!(one(&["set", FILE, "Trap:gravity", "-1.5"]), "gravity = -1.5");
    assert!(!changed(&folder, &["unset", FILE, "Trap/Shape:polygon"]).contains("polygon ="));
    let added = one(&[
        "add",
        FILE,
        "Trap",
        "Timer",
        "--before",
        "Player",
        "--set",
        "wait_time=2",
        "--group",
        "g",
        "--unique",
    ]);
    assert!(added.starts_with("[node name=\"Trap2\" type=\"Timer\" parent=\".\""), "{added}");
    assert!(
        added.contains("groups=[\"g\"]]\nunique_name_in_owner = true\nwait_time = 2.0"),
        "{added}"
    );
    let instance = one(&["instance", FILE, "Second", "player.tscn", "--script", "player.gd"]);
    assert!(instance.contains("[node name=\"Second\" parent=\".\""), "{instance}");
    fs::write(folder.join("shape.gd"), "extends Node2D\n\n@export var size := 1\n").unwrap();
    let attached = one(&["attach", FILE, "Trap/Shape", "shape.gd"]);
    assert!(
        attached.contains("path=\"res://shape.gd\"") && attached.contains("script = ExtResource("),
        "{attached}"
    );
}

#[test]
fn nodes_are_removed_and_wired() {
    let folder = project("edit_wired");
    let removed = changed(&folder, &["remove", FILE, "Trap"]);
    assert!(!removed.contains("Trap"), "{removed}");
    let connected =
        ["connect", FILE, "Player", "died", "Trap", "queue_free", "--flags", "6", "--unbinds", "0"];
    let connected = changed(&folder, &connected);
    let line =
        "[connection signal=\"died\" from=\"Player\" to=\"Trap\" method=\"queue_free\" flags=6]";
    assert!(connected.contains(line), "{connected}");
    let disconnected =
        changed(&folder, &["disconnect", FILE, "Trap", "body_entered", "Player", "hit"]);
    assert!(!disconnected.contains("[connection"));
    let grouped = changed(&folder, &["group", FILE, "Trap", "a", "b", "--remove", "traps"]);
    assert!(grouped.contains("groups=[\"a\", \"b\"]"), "{grouped}");
    let editable = changed(&folder, &["editable", FILE, "Player"]);
    assert!(editable.contains("[editable path=\"Player\"]"), "{editable}");
}

#[test]
fn resources_are_added_and_loaded() {
    let folder = project("edit_resources");
    let added = changed(
        &folder,
        &["add-resource", FILE, "Player:material", "CanvasItemMaterial", "--set", "blend_mode=1"],
    );
    assert!(
        added.contains("[sub_resource type=\"CanvasItemMaterial\"")
            && added.contains("blend_mode = 1"),
        "{added}"
    );
    fs::write(
        folder.join("m.tres"),
        "[gd_resource type=\"CanvasItemMaterial\" format=3 uid=\"uid://c4gkfwf4i3ydl\"]\n\n[resource]\n",
    )
    .unwrap();
    for args in [
        &["load-resource", FILE, "Player:material", "m.tres"][..],
        &["set", FILE, "Player:material", "--load", "m.tres"],
    ] {
        let loaded = changed(&folder, args);
        assert!(loaded.contains("uid=\"uid://c4gkfwf4i3ydl\" path=\"res://m.tres\""), "{loaded}");
    }
}

#[test]
fn files_are_made() {
    let folder = project("edit_new");
    let run = |args: &[&str]| {
        let (status, stdout, stderr) = gdscene_in(&folder, args, b"");
        assert_eq!((status, stderr.as_str()), (0, ""), "{args:?}\n{stdout}");
    };
    run(&["new", "scene", "coin.tscn", "Area2D", "--name", "Coin", "--set", "monitorable=false"]);
    let coin = fs::read_to_string(folder.join("coin.tscn")).unwrap();
    assert!(coin.starts_with("[gd_scene format=3 uid=\"uid://"), "{coin}");
    assert!(
        coin.contains("[node name=\"Coin\" type=\"Area2D\"")
            && coin.ends_with("monitorable = false\n"),
        "{coin}"
    );
    run(&["new", "scene", "res://levels/gold.tscn", "--inherits", "coin.tscn"]);
    let gold = fs::read_to_string(folder.join("levels/gold.tscn")).unwrap();
    assert!(gold.contains("instance=ExtResource("), "{gold}");
    run(&["new", "resource", "curve.tres", "Curve", "--set", "bake_resolution=50"]);
    let curve = fs::read_to_string(folder.join("curve.tres")).unwrap();
    assert!(
        curve.contains("[gd_resource type=\"Curve\"") && curve.ends_with("bake_resolution = 50\n"),
        "{curve}"
    );
    let (status, _, stderr) = gdscene_in(&folder, &["new", "resource", "curve.tres", "Curve"], b"");
    assert_eq!(status, 2, "{stderr}");
    let (status, stdout, _) = gdscene_in(&folder, &["check", "."], b"");
    assert_eq!(status, 0, "{stdout}");
}

#[test]
fn a_dry_run_writes_nothing_and_a_diff_applies() {
    let folder = project("edit_diff");
    let before = content(&folder);
    let args = ["add", FILE, "Light", "PointLight2D", "--index", "0"];
    let dry = [&args[..], &["--dry-run"]].concat();
    let (status, stdout, stderr) = gdscene_in(&folder, &dry, b"");
    assert_eq!((status, stderr.as_str()), (1, ""));
    assert_eq!(
        stdout,
        "levels/level.tscn: added `Light` (PointLight2D)\n1 file would be changed\n"
    );
    assert_eq!(content(&folder), before);
    let (status, diff, _) = gdscene_in(&folder, &[&args[..], &["--diff"]].concat(), b"");
    assert_eq!(status, 1);
    assert_eq!(content(&folder), before);
    let patch = folder.join("patch.diff");
    fs::write(&patch, diff).unwrap();
    let applied = Command::new("git")
        .args(["apply", "patch.diff"])
        .env("GIT_CEILING_DIRECTORIES", folder.parent().unwrap())
        .current_dir(&folder)
        .output()
        .unwrap();
    assert!(applied.status.success(), "{applied:?}");
    assert!(level(&folder).contains("[node name=\"Light\" type=\"PointLight2D\" parent=\".\""));
}

const BATCH: &str = r#"
{"op": "new", "file": "res://coin.tscn", "type": "Area2D", "name": "Coin"}
{"op": "add", "file": "res://coin.tscn", "node": "Shape", "type": "CollisionShape2D", "properties": {"shape": {"new": "CircleShape2D", "properties": {"radius": 6}}}}
{"op": "instance", "node": "Coin", "scene": "res://coin.tscn", "properties": {"position": [32, 0]}}
{"op": "connect", "from": "Coin", "signal": "body_entered", "to": "Player", "method": "hit"}
{"op": "set", "file": "res://player.tscn", "at": ".:speed", "value": 300}
"#;

#[test]
fn a_batch_changes_several_files() {
    let folder = project("edit_batch");
    let before = content(&folder);
    let args = ["edit", "--file", FILE, "--output", "json"];
    let (status, stdout, stderr) = gdscene_in(&folder, &args, BATCH.as_bytes());
    assert_eq!((status, stderr.as_str()), (0, ""), "{stdout}");
    let report = json(&stdout);
    let paths: Vec<&str> = report["files"]
        .as_array()
        .unwrap()
        .iter()
        .map(|file| file["path"].as_str().unwrap())
        .collect();
    assert_eq!(paths, ["res://coin.tscn", "res://levels/level.tscn", "res://player.tscn"]);
    let outcomes = report["outcomes"].as_array().unwrap();
    assert_eq!(outcomes.len(), 5);
    assert_eq!(
        (&outcomes[2]["node"], &outcomes[2]["file"]),
        (&"Coin".into(), &"res://levels/level.tscn".into())
    );
    assert_eq!(
        (report["is_done"].as_bool(), report["findings"].as_array().unwrap().len()),
        (Some(true), 0)
    );
    assert!(level(&folder).contains(
        "[connection signal=\"body_entered\" from=\"Coin\" to=\"Player\" method=\"hit\"]"
    ));
    let (status, ..) = gdscene_in(&folder, &["undo"], b"");
    assert_eq!((status, content(&folder)), (0, before.clone()));
    // As an array in a file, too.
    let lines: Vec<&str> = BATCH.trim().lines().collect();
    fs::write(folder.join("batch.json"), format!("[{}]", lines.join(","))).unwrap();
    let (status, ..) = gdscene_in(&folder, &["edit", "batch.json", "--file", FILE], b"");
    assert_eq!(status, 0);
    fs::remove_file(folder.join("batch.json")).unwrap();
    assert_ne!(content(&folder), before);
}

#[test]
fn a_batch_is_done_as_a_whole_or_not_at_all() {
    let folder = project("edit_none");
    let before = content(&folder);
    let batch = format!("{BATCH}{{\"op\": \"remove\", \"node\": \"Gone\"}}\n");
    let args = ["edit", "--file", FILE, "--output", "json"];
    let (status, stdout, stderr) = gdscene_in(&folder, &args, batch.as_bytes());
    assert_eq!((status, stderr.as_str()), (2, ""));
    let error = &json(&stdout)["error"];
    assert_eq!(error["operation"], 6);
    assert_eq!(
        (&error["kind"], &error["file"]),
        (&"not-found".into(), &"res://levels/level.tscn".into())
    );
    assert_eq!(error["reason"], "the node `Gone` does not exist");
    assert_eq!(content(&folder), before);
    let (status, stdout, stderr) = gdscene_in(&folder, &args[..3], batch.as_bytes());
    assert_eq!((status, stdout.as_str()), (2, ""));
    assert_eq!(
        stderr,
        "gdscene: operation 6: `res://levels/level.tscn`: the node `Gone` does not exist\n"
    );
    let (status, _, stderr) = gdscene_in(&folder, &["undo"], b"");
    assert_eq!(status, 2, "nothing was done: {stderr}");
}

#[test]
fn new_errors_are_refused() {
    let folder = project("edit_errors");
    let before = content(&folder);
    let args = ["connect", FILE, "Trap", "body_exited", "Player", "gone"];
    let (status, stdout, stderr) = gdscene_in(&folder, &args, b"");
    assert_eq!((status, stdout.as_str(), content(&folder)), (2, "", before.clone()));
    assert!(
        stderr.starts_with("levels/level.tscn:") && stderr.contains("error[SIG003 unknown-method]"),
        "{stderr}"
    );
    assert!(stderr.contains("--allow-errors"), "{stderr}");
    let (status, stdout, _) =
        gdscene_in(&folder, &[&args[..], &["--output", "json"]].concat(), b"");
    let report = json(&stdout);
    assert_eq!((status, &report["error"]["kind"]), (2, &"new-errors".into()));
    assert_eq!(report["findings"][0]["code"], "SIG003");
    assert_eq!(content(&folder), before);
    let (status, stdout, stderr) =
        gdscene_in(&folder, &[&args[..], &["--allow-errors"]].concat(), b"");
    assert_eq!((status, stderr.as_str()), (1, ""));
    assert!(
        stdout.contains("error[SIG003 unknown-method]") && stdout.ends_with("1 file changed\n"),
        "{stdout}"
    );
    assert!(level(&folder).contains("method=\"gone\""));
    // An earlier error does not prevent a change.
    let (status, stdout, stderr) = gdscene_in(&folder, &["set", FILE, "Trap:gravity", "1.0"], b"");
    assert_eq!((status, stderr.as_str()), (0, ""), "{stdout}");
}

/// The scene that instances the changed one is checked, too.
#[test]
fn errors_in_other_files_count() {
    let folder = project("edit_others");
    let before = content(&folder);
    let (status, stdout, _) =
        gdscene_in(&folder, &["detach", "player.tscn", ".", "--output", "json"], b"");
    let report = json(&stdout);
    assert_eq!((status, &report["error"]["kind"]), (2, &"new-errors".into()), "{stdout}");
    assert_eq!(report["findings"][0]["path"], "res://levels/level.tscn");
    assert_eq!(content(&folder), before);
}

#[test]
fn files_that_are_not_committed_are_changed_one_after_another() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    fs::write(folder.join("project.godot"), PROJECT).unwrap();
    let git = |args: &[&str]| Command::new("git").args(args).current_dir(folder).output().unwrap();
    assert!(git(&["init", "-q"]).status.success());
    for args in [
        &["new", "scene", "a.tscn", "Node2D"][..],
        &["add", "a.tscn", "B", "Node2D"],
        &["add", "a.tscn", "B/C", "Node2D"],
    ] {
        let (status, _, stderr) = gdscene_in(folder, args, b"");
        assert_eq!((status, stderr.as_str()), (0, ""), "{args:?}");
    }
    let (_, stdout, _) = gdscene_in(folder, &["tree", "a.tscn"], b"");
    assert_eq!(stdout, "res://a.tscn\nA (Node2D)\n└── B (Node2D)\n    └── C (Node2D)\n");
}

/// Standard output and standard error are closed: the status shows the result.
#[cfg(target_os = "linux")]
#[test]
fn what_cannot_be_printed_changes_no_status() {
    let run = |folder: &Path, args: &[&str], is_stdout: bool| {
        let full = || fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_gdscene"));
        command.args(args).current_dir(folder).env("XDG_CACHE_HOME", crate::common::caches());
        let command = if is_stdout { command.stdout(full()) } else { command.stderr(full()) };
        let output = command.output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    let folder = project("edit_full");
    let before = content(&folder);
    let add = ["add", "levels/level.tscn", "X", "Node"];
    for args in [&add[..2], &["set", "levels/level.tscn", "Gone:x", "1"]] {
        assert_eq!(run(&folder, args, false), (Some(2), String::new()), "{args:?}");
    }
    let dry = [&add[..], &["--diff"]].concat();
    assert_eq!(run(&folder, &dry, false), (Some(1), String::new()));
    let (status, told) = run(&folder, &dry, true);
    assert_eq!(status, Some(2));
    assert!(told.contains("cannot write"), "{told}");
    assert_eq!(content(&folder), before);

    let (status, told) = run(&folder, &add, true);
    assert_eq!(status, Some(0));
    assert!(
        told.starts_with("gdscene: 1 file changed, but the report cannot be written: "),
        "{told}"
    );
    assert_ne!(content(&folder), before);
    let (status, told) = run(&folder, &["undo"], true);
    assert_eq!(status, Some(0));
    assert!(told.contains("but the report cannot be written"), "{told}");
    assert_eq!(content(&folder), before);
}
