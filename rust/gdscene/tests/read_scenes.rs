//! `gdscene tree` and `gdscene get`.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::common::{gdscene_in, scratch};
use serde_json::Value;

const PROJECT: &str =
    "config_version=5\n\n[application]\n\nconfig/features=PackedStringArray(\"4.6\")\n";

fn project(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let folder = scratch(name);
    fs::write(folder.join("project.godot"), PROJECT).unwrap();
    for (name, text) in files {
        fs::write(folder.join(name), text).unwrap();
    }
    folder
}

/// The output of a command that succeeds.
#[track_caller]
fn printed(folder: &Path, args: &[&str]) -> String {
    let (status, stdout, stderr) = gdscene_in(folder, args, b"");
    assert_eq!((status, stderr.as_str()), (0, ""), "{args:?}");
    stdout
}

const HERO: &str = r#"[gd_scene format=3 uid="uid://cqq2j4h8p6vy1"]

[ext_resource type="Script" path="res://hero.gd" id="1"]

[sub_resource type="CircleShape2D" id="Circle"]
radius = 7.0

[node name="Hero" type="Area2D" groups=["heroes", "all"]]
script = ExtResource("1")
health = 3

[node name="Shape" type="CollisionShape2D" parent="."]
unique_name_in_owner = true
shape = SubResource("Circle")

[connection signal="body_entered" from="." to="." method="hit"]
"#;

const LEVEL: &str = r#"[gd_scene format=3]

[ext_resource type="PackedScene" path="res://hero.tscn" id="1"]
[ext_resource type="PackedScene" path="res://gone.tscn" id="2"]

[node name="Level" type="Node2D"]

[node name="Hero" parent="." instance=ExtResource("1")]
position = Vector2(1, 2)

[node name="Gone" parent="." instance=ExtResource("2")]

[node name="Hat" type="Node2D" parent="Hero"]

[editable path="Hero"]
"#;

const SCRIPT: &str = "extends Area2D\n\n@export var health := 100\n@export var mana: int = 5\n";

fn level(name: &str) -> PathBuf {
    project(name, &[("hero.tscn", HERO), ("hero.gd", SCRIPT), ("level.tscn", LEVEL)])
}

#[test]
fn a_tree() {
    let folder = level("read_tree");
    assert_eq!(
        printed(&folder, &["tree", "level.tscn"]),
        "res://level.tscn\n\
         Level (Node2D)\n\
         ├── Hero instance of res://hero.tscn, editable 1 property\n\
         │   └── Hat (Node2D)\n\
         └── Gone instance of res://gone.tscn  (missing)\n\n\
         ext_resources:\n  1: res://hero.tscn (PackedScene)\n  2: res://gone.tscn (PackedScene)  (missing)\n"
    );
    assert_eq!(
        printed(&folder, &["tree", "--resolve", "res://level.tscn"]),
        "res://level.tscn\n\
         Level (Node2D)\n\
         ├── Hero (Area2D) instance of res://hero.tscn, editable res://hero.gd [heroes, all] 3 properties\n\
         │   ├── %Shape (CollisionShape2D) 2 properties\n\
         │   └── Hat (Node2D)\n\
         └── Gone instance of res://gone.tscn  (missing)\n\n\
         connections:\n  Hero body_entered -> Hero hit()\n\n\
         ext_resources:\n  1: res://hero.tscn (PackedScene)\n  2: res://gone.tscn (PackedScene)  (missing)\n"
    );
}

#[test]
fn a_tree_for_programs() {
    let folder = level("read_json");
    let text = printed(&folder, &["tree", "--resolve", "--output", "json", "level.tscn"]);
    let tree: Value = serde_json::from_str(&text).unwrap();
    let nodes = tree["nodes"].as_array().unwrap();
    let paths: Vec<&str> = nodes.iter().map(|node| node["path"].as_str().unwrap()).collect();
    assert_eq!(paths, [".", "Hero", "Hero/Shape", "Hero/Hat", "Gone"]);
    let shape = &nodes[2];
    assert_eq!(shape["made_by"], "res://hero.tscn");
    assert_eq!(shape["unique_name"], true);
    assert_eq!(nodes[1]["properties"], serde_json::json!(["position", "script", "health"]));
    assert_eq!(tree["connections"][0]["from"], "Hero");
}

#[test]
fn values() {
    let folder = level("read_get");
    let get = |at: &str| printed(&folder, &["get", "level.tscn", at]);
    assert_eq!(get("Hero:position"), "Vector2(1, 2)\n");
    assert_eq!(get("Hero:health"), "3\n");
    assert_eq!(get("Hero:mana"), "5\n");
    assert_eq!(get("Hero:monitoring"), "true\n");
    assert_eq!(get("Hero/Shape:shape:radius"), "7.0\n");
    assert_eq!(
        get("Hero"),
        "Area2D res://hero.gd\n\
         position = Vector2(1, 2)\n\
         script = ExtResource(\"1\")  (from res://hero.tscn)\n\
         health = 3  (from res://hero.tscn)\n\
         mana = 5  (from res://hero.gd)\n"
    );
    assert!(
        printed(&folder, &["get", "--all", "level.tscn", "Hero"])
            .contains("\nmonitoring = true  (default)\n")
    );
    let text = printed(&folder, &["get", "--output", "json", "level.tscn", "Hero/Shape:shape"]);
    let value: Value = serde_json::from_str(&text).unwrap();
    let property = &value["properties"][0];
    assert_eq!((&property["from"], &property["resource"]), (&"scene".into(), &"::Circle".into()));
    assert_eq!(property["file"], "res://hero.tscn");
    // The printed value can be set.
    let shown = get("Hero:position");
    printed(&folder, &["set", "level.tscn", "Hero/Hat:position", shown.trim()]);
    assert_eq!(get("Hero/Hat:position"), shown);
}

#[test]
fn what_is_not_there() {
    let folder = level("read_none");
    let why = |args: &[&str]| {
        let (status, stdout, stderr) = gdscene_in(&folder, args, b"");
        assert_eq!((status, stdout.as_str()), (2, ""), "{args:?}");
        stderr
    };
    assert_eq!(
        why(&["get", "level.tscn", "Hro:position"]),
        "gdscene: `res://level.tscn`: the node `Hro` does not exist; did you mean `Hero`?\n"
    );
    assert_eq!(
        why(&["tree", "lost.tscn"]),
        "gdscene: `res://lost.tscn` is not a file of the project, or Godot's editor does not see it\n"
    );
    assert!(why(&["tree", "hero.gd"]).contains("not a text scene or resource"));
    assert!(why(&["tree", "."]).contains("is not a file"));
    assert!(why(&["tree", "/"]).contains("no `project.godot`"));
    let (status, stdout, _) =
        gdscene_in(&folder, &["get", "--output", "json", "level.tscn", "Hero:heath"], b"");
    let error: Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!((status, &error["error"]["kind"]), (2, &"not-found".into()));
    let (status, stdout, stderr) =
        gdscene_in(&folder, &["get", "level.tscn", "Hero:rotation_degrees"], b"");
    assert_eq!((status, stdout.as_str()), (1, ""));
    assert_eq!(
        stderr,
        "gdscene: `rotation_degrees` is not saved; Godot computes it from other properties\n"
    );
}

/// Control characters for a terminal are not printed unchanged, and broken texts are read up to
/// their end if possible.
#[test]
fn hostile_scenes() {
    let broken = "[gd_scene format=3]\n\n[node name=\"A\" type=\"Node\"]\nx = Vector2(\n\n[node name=\"B\x1b[2J\" type=\"Node\" parent=\".\"]\n";
    let circle = "[gd_scene format=3]\n\n[ext_resource type=\"PackedScene\" path=\"res://circle.tscn\" id=\"1\"]\n\n\
                  [node name=\"A\" type=\"Node\"]\n\n[node name=\"B\" parent=\".\" instance=ExtResource(\"1\")]\n";
    let folder = project(
        "read_hostile",
        &[("broken.tscn", broken), ("circle.tscn", circle), ("empty.tscn", "")],
    );
    fs::write(folder.join("bytes.tscn"), b"\xff\xfe\0\0[node name=\"\xff\"]").unwrap();
    for file in ["broken.tscn", "empty.tscn", "bytes.tscn"] {
        let tree = printed(&folder, &["tree", "--resolve", file]);
        assert!(tree.contains("notes:") && !tree.contains('\x1b'), "{file}: {tree}");
        let (status, _, stderr) = gdscene_in(&folder, &["get", file, ".:x"], b"");
        assert_eq!(status, 2, "{file}");
        assert!(stderr.starts_with(&format!("gdscene: `res://{file}`: ")), "{stderr}");
    }
    let tree = printed(&folder, &["tree", "--resolve", "circle.tscn"]);
    assert!(
        tree.contains(
            "└── B (Node) instance of res://circle.tscn  (`res://circle.tscn` contains itself)"
        ),
        "{tree}"
    );
}

#[test]
fn a_scene_of_50_000_nodes() {
    let mut big = "[gd_scene format=3]\n\n[ext_resource type=\"PackedScene\" path=\"res://hero.tscn\" id=\"1\"]\n\n[node name=\"Big\" type=\"Node2D\"]\n".to_owned();
    for index in 0..25_000 {
        let _ =
            write!(big, "\n[node name=\"N{index}\" parent=\".\" instance=ExtResource(\"1\")]\n");
    }
    let folder =
        project("read_big", &[("big.tscn", &big), ("hero.tscn", HERO), ("hero.gd", SCRIPT)]);
    let start = Instant::now();
    let tree = printed(&folder, &["tree", "--resolve", "big.tscn"]);
    let nodes = tree.lines().filter(|line| line.contains("── ")).count();
    assert_eq!(nodes, 50_000);
    // A second is usual in a program without optimizations.
    assert!(start.elapsed() < Duration::from_secs(30), "{:?}", start.elapsed());
}
