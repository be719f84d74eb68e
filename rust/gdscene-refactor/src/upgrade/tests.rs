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
    // Without the changes of the version.
    let target = GodotVersion::godot4(minor);
    upgrade(&Project::open(folder.path()).unwrap(), Some(target), target, &[]).unwrap()
}

fn read(folder: &tempfile::TempDir, path: &str) -> String {
    fs::read_to_string(folder.path().join(path)).unwrap()
}

/// The text without the parts that differ in each project.
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
    let plan =
        upgrade(&project, None, GodotVersion::godot4(6), &["res://part.tscn".to_owned()]).unwrap();
    let paths: Vec<&str> = plan.files.iter().map(|file| file.path.as_str()).collect();
    assert_eq!(paths, ["res://part.tscn"]);
    let error = upgrade(&project, None, GodotVersion::LAST_3, &[]).unwrap_err();
    assert!(matches!(error, RefactorError::Refused(_)), "{error}");
}

/// The uid that other files use for a scene is its own, and failures are reported.
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

/// A project that uses things that 4.5 to 4.8 change.
const CHANGED: [(&str, &str); 6] = [
    (
        "project.godot",
        "config_version=5\n\n[application]\n\nconfig/features=PackedStringArray(\"4.4\")\n\n[debug]\n\n\
         gdscript/warnings/exclude_addons=false\n",
    ),
    (
        "level.tscn",
        "[gd_scene format=3]\n\n[sub_resource type=\"AudioEffectSpectrumAnalyzer\" id=\"1\"]\ntap_back_pos = 0.05\n\n\
         [node name=\"Level\" type=\"Node3D\"]\n\n[node name=\"A\" type=\"LookAtModifier3D\" parent=\".\"]\n\n\
         [node name=\"B\" type=\"LookAtModifier3D\" parent=\".\"]\nrelative = true\n",
    ),
    (
        "level.gd",
        "extends Node3D\n\n@onready var label: RichTextLabel = $Label\nvar image := Image.new()\nvar other\n\n\
         func _enter_world():\n\tlabel.update_image(1, RichTextLabel.UPDATE_WIDTH_IN_PERCENT, null)\n\
         \timage.compress(Image.COMPRESS_ASTC, Image.COMPRESS_SOURCE_GENERIC, 0)\n\
         \tother.get_rpc_config()\n\tprint(get_rpc_config())\n\tother.is_class(\"A\")\n",
    ),
    (
        "own.gd",
        "extends Node\n\nclass Inner:\n\tfunc compress(a):\n\t\treturn a\n\nfunc f(x: Inner):\n\tx.compress(1)\n",
    ),
    ("file.gd", "func f(file: FileAccess):\n\tfile.get_as_text()\n\tfile.get_as_text(true)\n"),
    (
        "Tool.cs",
        "public partial class Tool : Node { void F(AudioEffectSpectrumAnalyzer e) { e.TapBackPos = 1; Compress(); } }\n",
    ),
];

fn changed() -> (tempfile::TempDir, Project) {
    let folder = tempfile::tempdir().unwrap();
    CHANGED.iter().for_each(|(path, text)| fs::write(folder.path().join(path), text).unwrap());
    let project = Project::open(folder.path()).unwrap();
    (folder, project)
}

fn doubts(plan: &Plan) -> Vec<String> {
    let shown = |place: &godot_project::Place| {
        let what = place.what.split(". ").next().unwrap();
        format!("{}:{}: {what}", place.path.trim_start_matches("res://"), place.line)
    };
    plan.doubts.iter().map(shown).collect()
}

#[test]
fn what_newer_versions_change() {
    let (folder, project) = changed();
    let plan = upgrade(&project, None, GodotVersion::NEWEST, &[]).unwrap();
    insta::assert_snapshot!(doubts(&plan).join("\n"));
    carried_out(folder.path(), &plan);
    let script = read(&folder, "level.gd");
    assert!(script.contains("RichTextLabel.UPDATE_WIDTH_UNIT"), "{script}");
    assert!(script.contains("print(get_node_rpc_config())"), "{script}");
    assert!(script.contains("other.get_rpc_config()"), "{script}");
}

#[test]
fn only_versions_between_count() {
    let (_folder, project) = changed();
    let between = |from: u8, target: u8| {
        let (from, target) = (GodotVersion::godot4(from), GodotVersion::godot4(target));
        doubts(&upgrade(&project, Some(from), target, &[]).unwrap())
    };
    assert!(between(7, 7).is_empty());
    assert!(between(8, 6).is_empty());
    let all = between(7, 8);
    assert!(!all.is_empty() && all.iter().all(|doubt| doubt.contains("Godot 4.8")), "{all:#?}");
    // 4.6 changed this default, and 4.7 changed it back.
    assert!(between(5, 6).iter().any(|doubt| doubt.contains("roughness_layers")));
    assert!(!between(5, 7).iter().any(|doubt| doubt.contains("roughness_layers")));
}

#[test]
fn a_project_without_a_version_says_so() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("project.godot"), "config_version=5\n").unwrap();
    let project = Project::open(folder.path()).unwrap();
    let plan = upgrade(&project, None, GodotVersion::godot4(7), &[]).unwrap();
    assert!(plan.doubts[0].what.contains("add --from"), "{plan:#?}");
    let error = upgrade(&project, None, GodotVersion::godot4(9), &[]).unwrap_err();
    assert!(error.to_string().contains("does not know the changes of Godot 4.9"), "{error}");
}

/// Declarations by whether Godot 4.6.3 refuses them, which its `--check-only` said. `Logger` is a class since 4.5, and
/// `pivot_offset_ratio` a property of `Control` since 4.6.
#[test]
fn names_that_a_newer_version_takes() {
    let refused = [
        "var Logger = 1",
        "static var Logger = 1",
        "const Logger = 1",
        "signal Logger",
        "class Logger:\n\tpass",
        "enum Logger { A }",
        "var pivot_offset_ratio = 1",
        "signal pivot_offset_ratio",
        "func get_pivot_offset_ratio():\n\tpass",
    ];
    let accepted = [
        "func Logger():\n\tpass",
        "func pivot_offset_ratio():\n\tpass",
        "func f():\n\tvar Logger = 1\n\tprint(Logger)",
        "var get_pivot_offset_ratio = 1",
        "func _get_accessibility_container_name(_a):\n\treturn \"\"",
        "class pivot_offset_ratio:\n\tpass",
    ];
    for (declaration, is_refused) in
        refused.map(|text| (text, true)).into_iter().chain(accepted.map(|text| (text, false)))
    {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("project.godot"), "config_version=5\n").unwrap();
        fs::write(folder.path().join("a.gd"), format!("extends Control\n\n{declaration}\n"))
            .unwrap();
        let project = Project::open(folder.path()).unwrap();
        let (from, target) = (GodotVersion::godot4(4), GodotVersion::godot4(6));
        let plan = upgrade(&project, Some(from), target, &[]).unwrap();
        let is_found = plan.doubts.iter().any(|doubt| doubt.path == "res://a.gd");
        assert_eq!(is_found, is_refused, "{declaration}: {:#?}", plan.doubts);
    }
}

/// Unreadable files are listed instead of being left out.
#[test]
fn unread_scripts_and_paths_are_listed() {
    let folder = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &[u8]| fs::write(folder.path().join(path), text).unwrap();
    write("project.godot", b"config_version=5\n");
    write("latin.gd", b"extends Node # \xe4\n");
    write("latin.cs", b"public class Latin {} // \xe4\n");
    write("odd.gd", b"extends Node\n\nfunc f():\n\tvar e = ) e.tap_back_pos (\n");
    write(
        "fade.tres",
        b"[gd_resource type=\"Animation\" format=3]\n\n[resource]\ntracks/0/type = \"value\"\n\
          tracks/0/path = NodePath(\"A:tap_back_pos\")\n",
    );
    let project = Project::open(folder.path()).unwrap();
    let (from, target) = (GodotVersion::godot4(6), GodotVersion::godot4(7));
    let found = doubts(&upgrade(&project, Some(from), target, &[]).unwrap());
    for (path, what) in [
        ("latin.gd:1", "the script cannot be read"),
        ("latin.cs:1", "the script cannot be read"),
        ("odd.gd:4", "the syntax around it cannot be parsed"),
        ("fade.tres:5", "the node of the path is not checked"),
    ] {
        let is_listed = |doubt: &String| doubt.starts_with(path) && doubt.contains(what);
        assert!(found.iter().any(is_listed), "{path}: {found:#?}");
    }
}

/// Many uses of one change take time in proportion.
#[test]
fn many_uses_are_found_at_once() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("project.godot"), "config_version=5\n").unwrap();
    let many = "\te.tap_back_pos\n".repeat(20_000);
    let script = format!("extends Node\n\nfunc f(e: AudioEffectSpectrumAnalyzer):\n{many}");
    fs::write(folder.path().join("many.gd"), script).unwrap();
    let words = "e.TapBackPos = AudioEffectSpectrumAnalyzer; ".repeat(5_000);
    let script = format!("public class Many {{ void F() {{ {words} }} }}\n");
    fs::write(folder.path().join("Many.cs"), script).unwrap();
    let project = Project::open(folder.path()).unwrap();
    let (from, target) = (GodotVersion::godot4(6), GodotVersion::godot4(7));
    let plan = upgrade(&project, Some(from), target, &[]).unwrap();
    let count = |path: &str| plan.doubts.iter().filter(|doubt| doubt.path == path).count();
    assert_eq!((count("res://many.gd"), count("res://Many.cs")), (20_000, 5_000));
}
