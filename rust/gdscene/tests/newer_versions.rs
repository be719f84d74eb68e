//! Projects for a version of Godot that is newer than this program, with unknown contents, and the scenes inside resources
//! that came with 4.8.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::{gdscene_in, scratch};

const SETTINGS: &str = "config_version=5\n\n[application]\n\nconfig/name=\"a\"\nconfig/features=PackedStringArray(\"4.42\")\n\
                        run/main_scene=\"res://main.tscn\"\n\n[future]\n\ndrive=Warp(9, {\"a\": 1})\n";
const SCRIPT: &str = "class_name Hero extends Hovercraft4D\n@export var speed := 1.0\n";
/// Each line has a tag, a field, a class, a property, a value or a constructor that was made up.
const SCENE: &str = "[gd_scene format=3 uid=\"uid://b2qvlxh7h4e0a\" flavour=\"sour\"]\n\n\
    [ext_resource type=\"Script\" path=\"res://hero.gd\" id=\"1_a\"]\n\n\
    [sub_resource type=\"Tesseract\" id=\"Tesseract_1\"]\nsize = Vector9(1, 2,  3)\n\n\
    [sub_resource type=\"Animation\" id=\"Animation_1\"]\ntracks/0/type = \"smell\"\ntracks/0/path = NodePath(\".:speed\")\n\
    tracks/0/interp = 9\ntracks/0/loop_wrap = true\ntracks/0/imported = false\ntracks/0/enabled = true\ntracks/0/keys = {}\n\n\
    [node name=\"Main\" type=\"Hovercraft4D\" colour=1]\nscript = ExtResource(\"1_a\")\nspeed = 2.0\nwarp = 5\n\
    shape = SubResource(\"Tesseract_1\")\nmetadata/anim = SubResource(\"Animation_1\")\n\n\
    [node name=\"Child\" type=\"Node3D\" parent=\".\"]\nteleport = Vector3(1, 2, 3)\n\n\
    [widget name=\"A\" at=1]\nwhat = 1\n\n\
    [connection signal=\"teleported\" from=\"Child\" to=\".\" method=\"queue_free\"]\n";

fn project(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let folder = scratch(name);
    for (path, text) in files {
        fs::write(folder.join(path), text).unwrap();
    }
    folder
}

fn future(name: &str) -> PathBuf {
    project(name, &[("project.godot", SETTINGS), ("main.tscn", SCENE), ("hero.gd", SCRIPT)])
}

fn read(folder: &Path, name: &str) -> String {
    fs::read_to_string(folder.join(name)).unwrap()
}

#[test]
fn what_is_unknown_is_an_info() {
    let folder = future("newer-check");
    let (status, shown, _) = gdscene_in(&folder, &["check", "."], b"");
    assert_eq!(status, 0, "{shown}");
    let (status, all, _) =
        gdscene_in(&folder, &["check", "--all", "--output", "concise", "."], b"");
    assert_eq!(status, 0, "infos fail nothing: {all}");
    let expected = "is unknown to this version of gdscene, which knows Godot up to 4.";
    for name in ["`widget`", "`colour`", "`Vector9", "`Hovercraft4D`", "`teleport`", "`Tesseract`"]
    {
        assert!(
            all.lines().any(|line| line.contains(name) && line.contains(expected)),
            "{name}: {all}"
        );
    }
    assert!(!all.contains("error[") && !all.contains("warning["), "{all}");
    // A file that is missing is missing in any version.
    fs::remove_file(folder.join("hero.gd")).unwrap();
    let (status, shown, _) = gdscene_in(&folder, &["check", "--output", "concise", "."], b"");
    assert!(status == 1 && shown.contains("RES001"), "{shown}");
}

#[test]
fn untrusted_files_stay_refused() {
    let folder = future("newer-untrusted");
    let (status, shown, _) =
        gdscene_in(&folder, &["check", "--profile", "untrusted", "--output", "concise", "."], b"");
    assert!(status == 1 && shown.contains("SEC012"), "{shown}");
}

#[test]
fn fixes_and_refactorings_keep_what_is_unknown() {
    let folder = future("newer-changes");
    gdscene_in(&folder, &["fix", "--unsafe", "."], b"");
    assert_eq!(read(&folder, "main.tscn"), SCENE);
    let (status, _, error) =
        gdscene_in(&folder, &["rename-node", "main.tscn", "Child", "Kid"], b"");
    let reason = "line 6 is unknown to this version of gdscene, which knows Godot up to 4.8";
    assert!(status == 2 && error.contains(reason), "{error}");
    gdscene_in(&folder, &["format", "."], b"");
    assert!(read(&folder, "project.godot").contains("drive=Warp(9, {\"a\": 1})"));
    assert_eq!(read(&folder, "main.tscn"), SCENE);

    // The readable part is changed; lines about something else stay.
    let readable = SCENE.replace("Vector9(1, 2,  3)", "Vector3(1, 2, 3)");
    fs::write(folder.join("main.tscn"), &readable).unwrap();
    let (status, _, error) =
        gdscene_in(&folder, &["rename-node", "main.tscn", "Child", "Kid"], b"");
    let reason = "a part of it is unknown to this version of gdscene";
    assert!(status == 2 && error.contains(reason), "{error}");
    let readable = readable.replace("[widget name=\"A\" at=1]\nwhat = 1\n\n", "");
    fs::write(folder.join("main.tscn"), &readable).unwrap();
    let (status, _, error) =
        gdscene_in(&folder, &["rename-node", "main.tscn", "Child", "Kid"], b"");
    assert_eq!(status, 0, "{error}");
    let renamed = readable.replace("\"Child\"", "\"Kid\"");
    assert_eq!(read(&folder, "main.tscn"), renamed);
    let (status, _, error) = gdscene_in(&folder, &["mv", "hero.gd", "warrior.gd"], b"");
    assert_eq!(status, 0, "{error}");
    let moved = renamed.replace("hero.gd", "warrior.gd");
    assert_eq!(read(&folder, "main.tscn"), moved);
    gdscene_in(&folder, &["format", "."], b"");
    let text = read(&folder, "main.tscn");
    for line in moved.lines() {
        assert!(text.lines().any(|found| found == line), "{line}\n{text}");
    }
}

/// The format of Godot 4.42 is unknown, so no command claims to write it.
#[test]
fn what_cannot_be_known_is_refused() {
    let folder = future("newer-refused");
    let scene = "[gd_scene format=3]\n\n[node name=\"A\" type=\"Node2D\"]\n";
    fs::write(folder.join("a.tscn"), scene).unwrap();
    for (args, reason) in [
        (&["upgrade", "a.tscn"][..], "does not know the changes of Godot 4.42"),
        (
            &["format", "--target", "4.42", "a.tscn"],
            "Godot 4.42 is newer than this version of gdscene",
        ),
        (&["set", "a.tscn", ".:warp", "1"], "is unknown to this version of gdscene"),
        (&["add", "a.tscn", "B", "Hovercraft4D"], "is unknown to this version of gdscene"),
    ] {
        let (status, _, error) = gdscene_in(&folder, args, b"");
        assert!(status == 2 && error.contains(reason), "{args:?}: {error}");
        assert_eq!(read(&folder, "a.tscn"), scene, "{args:?}");
    }
}

#[test]
fn files_with_unknown_tags_are_merged_and_compared_by_lines() {
    let base = SCENE.replace("Vector9(1, 2,  3)", "Vector3(1, 2, 3)");
    let [ours, theirs] =
        ["3.0", "4.0"].map(|speed| base.replace("speed = 2.0", &format!("speed = {speed}")));
    let files = [("base.tscn", &*base), ("ours.tscn", &*ours), ("theirs.tscn", &*theirs)];
    let folder = project("newer-merge", &files);
    let reason = "the tag `widget` is unknown to this version of gdscene";
    let (status, _, error) =
        gdscene_in(&folder, &["merge", "base.tscn", "ours.tscn", "theirs.tscn"], b"");
    assert!(status != 0 && error.contains(reason), "{error}");
    let (_, shown, _) = gdscene_in(&folder, &["diff", "base.tscn", "ours.tscn"], b"");
    assert!(shown.contains(reason) && shown.contains("+speed = 3.0"), "{shown}");
}

/// As Godot 4.8 saves it.
const WITH_NESTED: &str = "[gd_scene format=3 uid=\"uid://d324fweboaq7f\"]\n\n\
    [sub_resource type=\"PackedScene\" id=\"PackedScene_in01\"]\nresource_name = \"inner\"\nmetadata/size = Vector2i(40, 80)\n\
    [node name=\"Inner\" type=\"Node3D\" unique_id=1340554638]\n\n\
    [node name=\"Child\" type=\"Node3D\" parent=\".\" unique_id=1340554639]\n\n\
    [node name=\"Root\" type=\"Node\" unique_id=902498397]\n\n\
    [node name=\"Child\" type=\"Node\" parent=\".\" unique_id=495676997]\n\n\
    [resource]\nresource_name = \"whole scene\"\nmetadata/inner = SubResource(\"PackedScene_in01\")\n";

fn with_nested(name: &str, version: &str) -> PathBuf {
    let settings =
        SETTINGS.replace("4.42", version).replace("\n[future]\n\ndrive=Warp(9, {\"a\": 1})\n", "");
    project(name, &[("project.godot", &settings), ("main.tscn", WITH_NESTED)])
}

#[test]
fn scenes_inside_of_resources() {
    let folder = with_nested("nested-4.8", "4.8");
    let (status, all, _) =
        gdscene_in(&folder, &["check", "--all", "--output", "concise", "."], b"");
    assert_eq!((status, all.contains("main.tscn")), (0, false), "{all}");
    let (_, tree, _) = gdscene_in(&folder, &["tree", "main.tscn"], b"");
    assert!(tree.contains("Root") && !tree.contains("Inner"), "{tree}");
    let (status, _, error) = gdscene_in(&folder, &["format", "--check", "."], b"");
    assert_eq!(status, 0, "{error}");
    let (status, _, error) =
        gdscene_in(&folder, &["rename-node", "main.tscn", "Child", "Kid"], b"");
    assert_eq!(status, 0, "{error}");
    let expected = WITH_NESTED.replace("\"Child\" type=\"Node\" ", "\"Kid\" type=\"Node\" ");
    assert_eq!(read(&folder, "main.tscn"), expected);
    let older = with_nested("nested-4.7", "4.7");
    let (status, all, _) = gdscene_in(&older, &["check", "--output", "concise", "."], b"");
    assert_eq!((status, all.matches("MIG009").count()), (1, 2), "{all}");
}

/// A change that would put a section between a resource and its nodes, or remove the resource, is
/// refused.
#[test]
fn scenes_inside_of_resources_stay_whole() {
    let folder = with_nested("nested-edits", "4.8");
    let scene = WITH_NESTED.split("[resource]").next().unwrap();
    fs::write(folder.join("main.tscn"), scene).unwrap();
    gdscene_in(&folder, &["fix", "--unsafe", "."], b"");
    assert_eq!(
        read(&folder, "main.tscn"),
        scene,
        "an unused resource goes with its nodes or not at all"
    );
    let edit = r#"[{"do": "set", "file": "main.tscn", "node": ".", "property": "metadata/x", "value": {"new": "Gradient"}}]"#;
    let (status, _, error) = gdscene_in(&folder, &["edit", "-"], edit.as_bytes());
    let text = read(&folder, "main.tscn");
    assert!(status == 0 || !error.is_empty());
    assert!(text.contains("metadata/size = Vector2i(40, 80)\n[node name=\"Inner\""), "{text}");
}
