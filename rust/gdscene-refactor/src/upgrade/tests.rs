use std::fs;

use godot_project::{Plan, Project};
use godot_tscn::GodotVersion;

use crate::tests::carried_out;
use crate::{RefactorError, upgrade};

const FILES: [(&str, &str); 8] = [
    (
        "project.godot",
        "config_version=5\n\n[application]\n\nconfig/name=\"Game\"\nconfig/features=PackedStringArray(\"4.2\")\n",
    ),
    ("a.gd", "extends Node\n"),
    ("b.gd", "extends Node\n"),
    ("b.gd.uid", "uid://bq8ubm3xk6c4u\n"),
    ("part.tscn", "[gd_scene format=3]\n\n[node name=\"Part\" type=\"Node2D\"]\n"),
    ("a.png", ""),
    (
        "a.png.import",
        "[remap]\n\nimporter=\"texture\"\ntype=\"CompressedTexture2D\"\nuid=\"uid://b4gkfwf4i3ydl\"\n",
    ),
    (
        "main.tscn",
        "\
[gd_scene load_steps=5 format=3 uid=\"uid://cqq2j4h8p6vy1\"]

[ext_resource type=\"Script\" path=\"res://a.gd\" id=\"1\"]
[ext_resource type=\"Script\" path=\"res://b.gd\" id=\"2\"]
[ext_resource type=\"PackedScene\" path=\"res://part.tscn\" id=\"3\"]
[ext_resource type=\"Texture2D\" uid=\"uid://cold\" path=\"res://a.png\" id=\"4\"]

[node name=\"Main\" type=\"Node2D\"]
position = Vector2( 1.50, 2 )
script = ExtResource(\"1\")

[node name=\"Part\" parent=\".\" instance=ExtResource(\"3\")]
script = ExtResource(\"2\")
texture = ExtResource(\"4\")

[node name=\"Inner\" parent=\"Part\" index=\"0\"]
visible = false
",
    ),
];

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    FILES.iter().for_each(|(path, text)| fs::write(folder.path().join(path), text).unwrap());
    folder
}

fn plan(folder: &tempfile::TempDir, minor: u8) -> Plan {
    upgrade(&Project::open(folder.path()).unwrap(), GodotVersion::godot4(minor), &[]).unwrap()
}

fn read(folder: &tempfile::TempDir, path: &str) -> String {
    fs::read_to_string(folder.path().join(path)).unwrap()
}

/// The text with what is different in each project.
fn masked(text: &str) -> String {
    let mut masked = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("unique_id=") {
        let (before, after) = rest.split_at(at + "unique_id=".len());
        masked.push_str(before);
        masked.push('N');
        rest = after.trim_start_matches(|letter: char| letter.is_ascii_digit());
    }
    masked + rest
}

#[test]
fn all_that_a_save_adds() {
    let folder = folder();
    carried_out(folder.path(), &plan(&folder, 6));
    let (script, part) = (read(&folder, "a.gd.uid"), read(&folder, "part.tscn"));
    let script = script.trim_end();
    let part_uid = part.split('"').nth(1).unwrap();
    assert_eq!(
        masked(&part),
        format!(
            "[gd_scene format=3 uid=\"{part_uid}\"]\n\n[node name=\"Part\" type=\"Node2D\" unique_id=N]\n"
        )
    );
    assert_eq!(
        masked(&read(&folder, "main.tscn")),
        format!(
            "[gd_scene format=3 uid=\"uid://cqq2j4h8p6vy1\"]\n\n\
             [ext_resource type=\"Script\" uid=\"{script}\" path=\"res://a.gd\" id=\"1\"]\n\
             [ext_resource type=\"Script\" uid=\"uid://bq8ubm3xk6c4u\" path=\"res://b.gd\" id=\"2\"]\n\
             [ext_resource type=\"PackedScene\" uid=\"{part_uid}\" path=\"res://part.tscn\" id=\"3\"]\n\
             [ext_resource type=\"Texture2D\" uid=\"uid://b4gkfwf4i3ydl\" path=\"res://a.png\" id=\"4\"]\n\n\
             [node name=\"Main\" type=\"Node2D\" unique_id=N]\nposition = Vector2(1.5, 2)\nscript = ExtResource(\"1\")\n\n\
             [node name=\"Part\" parent=\".\" unique_id=N instance=ExtResource(\"3\")]\nscript = ExtResource(\"2\")\ntexture = ExtResource(\"4\")\n\n\
             [node name=\"Inner\" parent=\"Part\" index=\"0\"]\nvisible = false\n"
        )
    );
    let again = plan(&folder, 6);
    assert!(again.is_empty() && again.doubts.is_empty(), "{again:#?}");
}

/// Older versions have no `unique_id`, those before 4.4 no uids of scripts.
#[test]
fn older_targets() {
    for minor in [2, 5] {
        let folder = folder();
        carried_out(folder.path(), &plan(&folder, minor));
        let main = read(&folder, "main.tscn");
        assert!(
            main.starts_with("[gd_scene load_steps=5 format=3") && !main.contains("unique_id"),
            "{main}"
        );
        assert_eq!(folder.path().join("a.gd.uid").exists(), minor == 5);
        assert_eq!(main.contains("type=\"Script\" uid="), minor == 5, "{main}");
        assert!(main.contains("type=\"PackedScene\" uid="));
        assert!(plan(&folder, minor).is_empty());
    }
}

#[test]
fn only_some_files() {
    let folder = folder();
    let project = Project::open(folder.path()).unwrap();
    let plan = upgrade(&project, GodotVersion::godot4(6), &["res://part.tscn".to_owned()]).unwrap();
    let paths: Vec<&str> = plan.files.iter().map(|file| file.path.as_str()).collect();
    assert_eq!(paths, ["res://part.tscn"]);
    let error = upgrade(&project, GodotVersion::LAST_3, &[]).unwrap_err();
    assert!(matches!(error, RefactorError::Refused(_)), "{error}");
}

/// The uid that others call a scene by is its own, and what cannot be written is said.
#[test]
fn wanted_uids_and_doubts() {
    let folder = folder();
    let main = read(&folder, "main.tscn").replace(
        "type=\"PackedScene\" path",
        "type=\"PackedScene\" uid=\"uid://bxb6284skesxb\" path",
    );
    fs::write(folder.path().join("main.tscn"), main).unwrap();
    fs::write(
        folder.path().join("old.tscn"),
        "[gd_scene format=2]\n\n[node name=\"A\" type=\"Node\"]\n",
    )
    .unwrap();
    fs::write(
        folder.path().join("broken.tscn"),
        "[gd_scene format=3]\n\n[node name=\"A\" type=\"Node\"]\na = (\n",
    )
    .unwrap();
    let plan = plan(&folder, 6);
    let part = plan.files.iter().find(|file| file.path == "res://part.tscn").unwrap();
    assert!(String::from_utf8(part.new_text()).unwrap().contains("uid=\"uid://bxb6284skesxb\""));
    let doubts: Vec<&str> = plan.doubts.iter().map(|doubt| doubt.path.as_str()).collect();
    assert_eq!(doubts, ["res://broken.tscn", "res://old.tscn"]);
    assert!(
        plan.files
            .iter()
            .all(|file| !file.path.ends_with("old.tscn") && !file.path.ends_with("broken.tscn"))
    );
}

/// A node of another scene that a scene changes has one id in both.
#[test]
fn nodes_of_other_scenes() {
    let folder = tempfile::tempdir().unwrap();
    let files = [
        ("project.godot", "config_version=5\n"),
        (
            "part.tscn",
            "[gd_scene format=3 uid=\"uid://cqq2j4h8p6vy1\"]\n\n[node name=\"Part\" type=\"Node\"]\n\n[node name=\"A\" type=\"Node2D\" parent=\".\"]\n",
        ),
        (
            "main.tscn",
            "[gd_scene format=3 uid=\"uid://bxb6284skesxb\"]\n\n[ext_resource type=\"PackedScene\" uid=\"uid://cqq2j4h8p6vy1\" path=\"res://part.tscn\" id=\"1\"]\n\n\
             [node name=\"Main\" instance=ExtResource(\"1\")]\n\n[node name=\"A\" parent=\".\" index=\"0\"]\nvisible = false\n\n\
             [node name=\"Gone\" parent=\".\" index=\"1\"]\nvisible = false\n",
        ),
    ];
    files.iter().for_each(|(path, text)| fs::write(folder.path().join(path), text).unwrap());
    carried_out(folder.path(), &plan(&folder, 6));
    let id = |path: &str, name: &str| -> Option<i32> {
        let text = read(&folder, path);
        let line =
            text.lines().find(|line| line.starts_with(&format!("[node name=\"{name}\""))).unwrap();
        let id = line.split("unique_id=").nth(1)?;
        id.split([' ', ']']).next().unwrap().parse().ok()
    };
    assert_eq!(id("main.tscn", "A"), id("part.tscn", "A"));
    assert!(id("main.tscn", "A").is_some());
    assert_ne!(id("main.tscn", "Main"), id("part.tscn", "Part"));
    assert_eq!(id("main.tscn", "Gone"), None);
    assert!(plan(&folder, 6).is_empty());
}
