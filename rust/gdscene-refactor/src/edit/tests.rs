mod animations;
mod inside;
mod messages;
mod paths;
mod settings;
mod shorthand;
mod tiles;
mod types;

use std::fs;

use gdscene_lint::{Workspace, WorkspaceOptions};
use godot_project::{CachePlace, Project};
use tempfile::TempDir;

use crate::{EditError, Edited, edit, operations};

/// A project with a scene, its dependencies, and a script.
struct Fixture {
    folder: TempDir,
}

const LEVEL: &str = r#"[gd_scene format=3 uid="uid://cqq2j4h8p6vy1"]

[ext_resource type="PackedScene" uid="uid://b4gkfwf4i3ydl" path="res://enemy.tscn" id="1_enemy"]

[sub_resource type="RectangleShape2D" id="RectangleShape2D_a"]
size = Vector2(10, 20)

[node name="Level" type="Node2D" unique_id=11]

[node name="Player" type="CharacterBody2D" parent="." unique_id=12 groups=["heroes"]]
position = Vector2(5, 5)

[node name="Shape" type="CollisionShape2D" parent="Player" unique_id=13]
shape = SubResource("RectangleShape2D_a")

[node name="Enemy" parent="." unique_id=14 instance=ExtResource("1_enemy")]

[node name="Button" type="Button" parent="." unique_id=15]

[connection signal="pressed" from="Button" to="." method="_on_pressed"]
"#;

const ENEMY: &str = r#"[gd_scene format=3 uid="uid://b4gkfwf4i3ydl"]

[node name="Enemy" type="Area2D" unique_id=21 groups=["enemies"]]
monitoring = false

[node name="Sprite" type="Sprite2D" parent="." unique_id=22]
position = Vector2(1, 1)
"#;

impl Fixture {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let fixture = Self { folder };
        let settings = "config_version=5\n\n[application]\n\nconfig/name=\"T\"\nconfig/features=PackedStringArray(\"4.6\")\n";
        fixture.write("project.godot", settings);
        fixture.write("level.tscn", LEVEL);
        fixture.write("enemy.tscn", ENEMY);
        fixture.write(
            "hero.gd",
            "class_name Hero\nextends CharacterBody2D\nsignal died\n@export var speed := 100.0\n\
             @export var target: Node2D\n@export var lives: int = 3\n@export var tags: Array[String] = []\nfunc _on_pressed(): pass\n",
        );
        fixture.write("hero.gd.uid", "uid://dqq2j4h8p6vy1\n");
        fixture
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.folder.path().join(name), text).unwrap();
    }

    fn edit(&self, lines: &str) -> Result<Edited, EditError> {
        let mut project = Project::open(self.folder.path()).unwrap();
        edit(&mut project, Some("res://level.tscn"), &operations(lines.as_bytes()).unwrap())
    }

    /// The text of a file after operations.
    #[track_caller]
    fn text(&self, lines: &str, path: &str) -> String {
        let edited = self.edit(lines).unwrap_or_else(|error| panic!("{error}"));
        let file = edited.plan.files.iter().find(|file| file.path == path);
        String::from_utf8(file.expect("it changes").new_text()).unwrap()
    }

    #[track_caller]
    fn refused(&self, lines: &str) -> String {
        self.edit(lines).expect_err("it is refused").to_string()
    }
}

/// The text without parts that depend on the paths of files, such as new ids.
fn anonymous(text: &str) -> String {
    let node = regex::Regex::new(r"unique_id=\d{4,}").unwrap();
    let resource = regex::Regex::new("_[a-y0-8]{5}\"").unwrap();
    let text = node.replace_all(text, "unique_id=9999");
    resource.replace_all(&text, "_abcde\"").into_owned()
}

/// Checks that operations replace `old` with `new` in the level, and nothing else changes.
#[track_caller]
fn check(lines: &str, changes: &[(&str, &str)]) {
    let mut expected = LEVEL.to_owned();
    for (old, new) in changes {
        assert_eq!(expected.matches(old).count(), 1, "{old}");
        expected = expected.replace(old, new);
    }
    let edited = Fixture::new().edit(lines).unwrap_or_else(|error| panic!("{error}"));
    let file = edited.plan.files.first();
    let text =
        file.map_or_else(|| LEVEL.to_owned(), |file| String::from_utf8(file.new_text()).unwrap());
    assert_eq!(anonymous(&text), anonymous(&expected), "\n{text}");
}

#[test]
fn properties_are_set_in_godots_order() {
    check(
        r#"{"op": "set", "at": "Player:rotation", "value": 1}
           {"op": "set", "at": "Player:velocity", "value": [1, 2.5]}
           {"op": "set", "at": "Player:position", "value": "Vector2( 7,8 )"}
           {"op": "set", "at": "Player:metadata/x", "value": {"a": [1]}}
           {"op": "set", "at": "Player/Shape:shape:size", "value": {"godot": "Vector2(1, 2)"}}"#,
        &[
            (
                "position = Vector2(5, 5)",
                "position = Vector2(7, 8)\nrotation = 1.0\nvelocity = Vector2(1, 2.5)\nmetadata/x = {\n\"a\": [1]\n}",
            ),
            ("size = Vector2(10, 20)", "size = Vector2(1, 2)"),
        ],
    );
}

#[test]
fn what_equals_the_default_is_left_out() {
    check(
        r#"{"op": "set", "at": "Player:position", "value": [0, 0]}"#,
        &[("position = Vector2(5, 5)\n", "")],
    );
    check(r#"{"op": "unset", "at": "Player:position"}"#, &[("position = Vector2(5, 5)\n", "")]);
}

#[test]
fn nodes_are_added_with_free_names() {
    check(
        r#"[{"op": "add", "node": "Player", "type": "Node2D", "after": "Player", "unique_name": true, "groups": ["b", "a"]},
            {"op": "add", "node": "Player/Camera", "type": "Camera2D", "index": 0, "properties": {"zoom": [2, 2]}}]"#,
        &[
            (
                "[node name=\"Shape\"",
                "[node name=\"Camera\" type=\"Camera2D\" parent=\"Player\" unique_id=9999]\nzoom = Vector2(2, 2)\n\n[node name=\"Shape\"",
            ),
            (
                "[node name=\"Enemy\"",
                "[node name=\"Player2\" type=\"Node2D\" parent=\".\" unique_id=9999 groups=[\"a\", \"b\"]]\nunique_name_in_owner = true\n\n[node name=\"Enemy\"",
            ),
        ],
    );
}

#[test]
fn what_cannot_be_done_is_refused() {
    let refused = |lines: &str, words: &str| {
        let reason = Fixture::new().refused(lines);
        assert!(reason.contains(words), "{reason}");
    };
    refused(r#"{"op": "set", "at": "Playr:position", "value": [0, 0]}"#, "did you mean `Player`?");
    refused(
        r#"{"op": "set", "at": "Player:positon", "value": [0, 0]}"#,
        "did you mean `position`?",
    );
    refused(
        r#"{"op": "set", "at": "Player:position", "value": "left"}"#,
        "is not a valid value of `position`",
    );
    refused(r#"{"op": "add", "node": "A/B", "type": "Node"}"#, "the node `A` does not exist");
    refused(r#"{"op": "add", "node": "A", "type": "CanvasItem"}"#, "is abstract");
    refused(r#"{"op": "add", "node": "A", "type": "Resource"}"#, "is not a Node");
    refused(r#"{"op": "instance", "node": "A", "scene": "res://level.tscn"}"#, "contain itself");
    refused(r#"{"op": "remove", "node": "."}"#, "the root cannot be removed");
    refused(r#"{"op": "set", "at": "Enemy/Sprite:rotation", "value": 1}"#, "editable");
}

#[test]
fn numbers_fit_into_64_bits() {
    let large = format!("{{\"godot\": \"{}\"}}", "9".repeat(400));
    for (at, value) in [
        ("Player:z_index", large.as_str()),
        ("Player:z_index", "9223372036854775808"),
        ("Player:z_index", r#"{"godot": "9223372036854775808"}"#),
        ("Player:z_index", r#"{"godot": "1e300"}"#),
        ("Player:z_index", r#"{"godot": "-9223372036854775809"}"#),
        ("Player:metadata/x", r#"{"godot": "[9223372036854775808]"}"#),
    ] {
        let line = format!(r#"{{"op": "set", "at": "{at}", "value": {value}}}"#);
        let reason = Fixture::new().refused(&line);
        assert!(reason.contains("` does not fit in 64 bits; write a smaller number"), "{reason}");
    }
    for (at, value) in [("Player:rotation", "1e400"), ("Player:position", "Vector2(-1e400, 1)")] {
        let line = format!(r#"{{"op": "set", "at": "{at}", "value": {{"godot": "{value}"}}}}"#);
        let reason = Fixture::new().refused(&line);
        assert!(reason.contains("is too large for a 64-bit float; write `inf`"), "{reason}");
    }
    check(
        r#"{"op": "set", "at": "Player:position", "value": {"godot": "Vector2(inf, 1e30)"}}
           {"op": "set", "at": "Player:metadata/x", "value": {"godot": "-9223372036854775808"}}"#,
        &[("Vector2(5, 5)", "Vector2(inf, 1e+30)\nmetadata/x = -9223372036854775808")],
    );
}

#[test]
fn scenes_in_a_circle() {
    let fixture = Fixture::new();
    let heir = |of: &str| {
        format!(
            "[gd_scene format=3]\n\n[ext_resource type=\"PackedScene\" path=\"res://{of}.tscn\" id=\"1\"]\n\n[node name=\"A\" instance=ExtResource(\"1\")]\n"
        )
    };
    fixture.write("c1.tscn", &heir("c2"));
    fixture.write("c2.tscn", &heir("c1"));
    fixture.write("heir.tscn", &heir("c1"));
    let root = "\n[node name=\"R\" type=\"Node\"]\n\n[node name=\"A\" parent=\".\" instance";
    fixture.write("own.tscn", &heir("own").replace("\n[node name=\"A\" instance", root));
    let refused = |lines: &str, words: &str| {
        let reason = fixture.refused(lines);
        assert!(reason.contains(words), "{reason}");
    };
    for (scene, words) in [
        ("c1", "`res://c1.tscn` contains itself"),
        ("own", "`res://own.tscn` contains itself"),
        ("heir", "`res://heir.tscn` contains `res://c1.tscn`, which contains itself"),
    ] {
        refused(&format!(r#"{{"op": "instance", "node": "X", "scene": "{scene}.tscn"}}"#), words);
        let new = format!(r#"{{"op": "new", "file": "n.tscn", "inherits": "res://{scene}.tscn"}}"#);
        refused(&new, words);
    }
    for scene in ["c1", "heir"] {
        let add =
            format!(r#"{{"op": "add", "file": "{scene}.tscn", "node": "X", "type": "Node"}}"#);
        refused(&add, "`res://c1.tscn` inherits itself in a cycle");
    }
    // The node that closes the circle can be removed.
    let remove = r#"{"op": "remove", "file": "own.tscn", "node": "A"}"#;
    assert!(!fixture.text(remove, "res://own.tscn").contains("ExtResource"));
}

#[test]
fn metadata_has_a_name_that_godot_takes() {
    for name in ["", "has space", "x=y", "x\\\"]y", "é", "1a", "a/b"] {
        let line = format!(r#"{{"op": "set", "at": "Player:metadata/{name}", "value": 1}}"#);
        let reason = Fixture::new().refused(&line);
        assert!(reason.contains("is not a valid metadata name"), "{reason}");
    }
    let fixture = Fixture::new();
    let text = LEVEL.replace("position = Vector2(5, 5)\n", "\"metadata/a b\" = 1\n");
    fixture.write("level.tscn", &text);
    let unset = r#"{"op": "unset", "at": "Player:metadata/a b"}"#;
    assert!(!fixture.text(unset, "res://level.tscn").contains("metadata"));
}

#[test]
fn a_value_loads_no_missing_file() {
    for value in [
        r#"{"godot": "Resource(\"res://enmy.tscn\")"}"#,
        r#"[1, {"godot": "[Resource(\"enmy.tscn\")]"}]"#,
        r#"{"godot": "{\"a\": Resource(\"\")}"}"#,
        r#"{"godot": "Resource(\"res://enmy.tscn\", \"uid://bbbbbbbbbbbbb\")"}"#,
    ] {
        let line = format!(r#"{{"op": "set", "at": "Player:metadata/x", "value": {value}}}"#);
        let reason = Fixture::new().refused(&line);
        assert!(reason.contains("` does not exist"), "{reason}");
        assert_eq!(reason.contains("did you mean"), value.contains("enmy"), "{reason}");
    }
    for text in [
        "res://enemy.tscn",
        "enemy.tscn",
        "user://a.tres",
        "res://gone\\\", \\\"uid://b4gkfwf4i3ydl",
    ] {
        let line = format!(
            r#"{{"op": "set", "at": "Player:metadata/x", "value": {{"godot": "Resource(\"{text}\")"}}}}"#
        );
        Fixture::new().edit(&line).unwrap_or_else(|error| panic!("{text}: {error}"));
    }
}

#[test]
fn what_the_rules_say_of_the_result() {
    let fixture = Fixture::new();
    fixture.write("inherited.tscn", "[gd_scene format=3]\n\n[ext_resource type=\"PackedScene\" path=\"res://level.tscn\" id=\"1\"]\n\n[node name=\"I\" instance=ExtResource(\"1\")]\n\n[node name=\"X\" type=\"Node\" parent=\"Button\" index=\"0\"]\n");
    let options = WorkspaceOptions { cache: CachePlace::None, ..WorkspaceOptions::default() };
    let mut workspace = Workspace::open(fixture.folder.path(), &options).unwrap();
    let mut new_errors = |line: &str| {
        let operations = operations(line.as_bytes()).unwrap();
        let project = workspace.project_mut().unwrap();
        let edited = edit(project, Some("res://level.tscn"), &operations).unwrap();
        let new_findings = workspace.new_findings(&edited.plan).unwrap();
        let codes =
            new_findings.errors().map(|(path, found)| (path.clone(), found.diagnostic.code));
        codes.collect::<Vec<_>>()
    };
    assert_eq!(new_errors(r#"{"op": "set", "at": "Player:position", "value": [7, 7]}"#), []);
    let gone = new_errors(r#"{"op": "remove", "node": "Button"}"#);
    assert!(gone.iter().any(|(path, _)| path == "res://inherited.tscn"), "{gone:?}");
    assert_eq!(new_errors(r#"{"op": "set", "at": "Player:position", "value": [7, 7]}"#), []);
}

#[test]
fn parts_of_a_transform_go_into_it() {
    check(
        r#"{"op": "add", "node": "Box", "type": "MeshInstance3D", "properties": {"position": [1, 2, 3], "rotation_degrees": [0, 90, 0], "scale": [2, 2, 2]}}"#,
        &[(
            "\n[connection",
            "\n[node name=\"Box\" type=\"MeshInstance3D\" parent=\".\" unique_id=9999]\n\
             transform = Transform3D(-8.742278e-08, 0, 2, 0, 2, 0, -2, 0, -8.742278e-08, 1, 2, 3)\n\n[connection",
        )],
    );
}

#[test]
fn controls_get_the_layout_of_their_parent() {
    check(
        r#"{"op": "add", "node": "UI", "type": "Control", "properties": {"anchors_preset": 15}}
           {"op": "add", "node": "UI/Box", "type": "VBoxContainer", "properties": {"position": [10, 20], "size": [30, 40]}}
           {"op": "add", "node": "UI/Box/Label", "type": "Label", "properties": {"text": "hi"}}"#,
        &[(
            "\n[connection",
            "\n[node name=\"UI\" type=\"Control\" parent=\".\" unique_id=9999]\n\
             layout_mode = 3\nanchors_preset = 15\nanchor_right = 1.0\nanchor_bottom = 1.0\ngrow_horizontal = 2\ngrow_vertical = 2\n\n\
             [node name=\"Box\" type=\"VBoxContainer\" parent=\"UI\" unique_id=9999]\n\
             layout_mode = 0\noffset_left = 10.0\noffset_top = 20.0\noffset_right = 40.0\noffset_bottom = 60.0\n\n\
             [node name=\"Label\" type=\"Label\" parent=\"UI/Box\" unique_id=9999]\nlayout_mode = 2\ntext = \"hi\"\n\n[connection",
        )],
    );
    let refused = Fixture::new().refused(
        r#"{"op": "add", "node": "Box", "type": "VBoxContainer"}
           {"op": "add", "node": "Box/Label", "type": "Label", "properties": {"position": [1, 2]}}"#,
    );
    assert!(refused.contains("is a Container"), "{refused}");
}

#[test]
fn resources_come_and_go_with_their_uses() {
    check(
        r#"{"op": "add-resource", "at": "Player/Shape:shape", "type": "CircleShape2D", "properties": {"radius": 4}}"#,
        &[
            (
                "[sub_resource type=\"RectangleShape2D\" id=\"RectangleShape2D_a\"]\nsize = Vector2(10, 20)\n",
                "[sub_resource type=\"CircleShape2D\" id=\"CircleShape2D_f7ymy\"]\nradius = 4.0\n",
            ),
            ("SubResource(\"RectangleShape2D_a\")", "SubResource(\"CircleShape2D_f7ymy\")"),
        ],
    );
    check(
        r#"{"op": "remove", "node": "Enemy"}"#,
        &[
            (
                "[ext_resource type=\"PackedScene\" uid=\"uid://b4gkfwf4i3ydl\" path=\"res://enemy.tscn\" id=\"1_enemy\"]\n\n",
                "",
            ),
            (
                "[node name=\"Enemy\" parent=\".\" unique_id=14 instance=ExtResource(\"1_enemy\")]\n\n",
                "",
            ),
        ],
    );
    // One that two use stays.
    check(
        r#"{"op": "add", "node": "Shape", "type": "CollisionShape2D", "properties": {"shape": {"godot": "SubResource(\"RectangleShape2D_a\")"}}}
           {"op": "remove", "node": "Player"}
           {"op": "disconnect", "signal": "pressed", "from": "Button", "to": ".", "method": "_on_pressed"}"#,
        &[
            (
                "[node name=\"Player\" type=\"CharacterBody2D\" parent=\".\" unique_id=12 groups=[\"heroes\"]]\nposition = Vector2(5, 5)\n\n",
                "",
            ),
            (
                "[node name=\"Shape\" type=\"CollisionShape2D\" parent=\"Player\" unique_id=13]\nshape = SubResource(\"RectangleShape2D_a\")\n\n",
                "",
            ),
            (
                "[connection signal=\"pressed\" from=\"Button\" to=\".\" method=\"_on_pressed\"]\n",
                "[node name=\"Shape\" type=\"CollisionShape2D\" parent=\".\" unique_id=9999]\nshape = SubResource(\"RectangleShape2D_a\")\n",
            ),
        ],
    );
}

#[test]
fn scripts_and_connections() {
    check(
        r#"{"op": "attach", "node": "Player", "script": "hero.gd"}
           {"op": "set", "at": "Player:speed", "value": 7}
           {"op": "set", "at": "Player:target", "value": "../Enemy"}
           {"op": "set", "at": "Player:lives", "value": 3}
           {"op": "connect", "signal": "died", "from": "Player", "to": "Player", "method": "_on_pressed", "binds": [1, "a"], "flags": 4}"#,
        &[
            (
                "[ext_resource",
                "[ext_resource type=\"Script\" uid=\"uid://dqq2j4h8p6vy1\" path=\"res://hero.gd\" id=\"1_abcde\"]\n[ext_resource",
            ),
            (
                "unique_id=12 groups=[\"heroes\"]]\nposition = Vector2(5, 5)\n",
                "unique_id=12 node_paths=PackedStringArray(\"target\") groups=[\"heroes\"]]\nposition = Vector2(5, 5)\nscript = ExtResource(\"1_abcde\")\nspeed = 7.0\ntarget = NodePath(\"../Enemy\")\n",
            ),
            (
                "[connection",
                "[connection signal=\"died\" from=\"Player\" to=\"Player\" method=\"_on_pressed\" flags=6 binds= [1, \"a\"]]\n[connection",
            ),
        ],
    );
    check(
        r#"{"op": "attach", "node": "Player", "script": "hero.gd"}
           {"op": "set", "at": "Player:speed", "value": 7}
           {"op": "detach", "node": "Player"}"#,
        &[],
    );
}

#[test]
fn refactorings_among_other_operations() {
    let fixture = Fixture::new();
    fixture.write("level.gd", "extends Node2D\n@onready var player = $Player/Shape\n");
    let edited = fixture
        .edit(
            r#"{"op": "add", "node": "Player/Shape2", "type": "CollisionShape2D"}
               {"op": "attach", "node": ".", "script": "level.gd"}
               {"op": "add-resource", "at": "Player/Shape2:shape", "type": "CircleShape2D"}
               {"op": "set", "at": "Button:material", "value": {"new": "CanvasItemMaterial"}}
               {"op": "rename", "node": "Player", "name": "Hero"}
               {"op": "move", "node": "Hero/Shape2", "parent": "."}
               {"op": "set", "at": "Hero:rotation", "value": 1}"#,
        )
        .unwrap();
    let text = |path: &str| {
        let file = edited.plan.files.iter().find(|file| file.path == path).unwrap();
        String::from_utf8(file.new_text()).unwrap()
    };
    assert_eq!(text("res://level.gd"), "extends Node2D\n@onready var player = $Hero/Shape\n");
    let level = text("res://level.tscn");
    for line in [
        "[node name=\"Hero\" type=\"CharacterBody2D\" parent=\".\" unique_id=12 groups=[\"heroes\"]]\nposition = Vector2(5, 5)\nrotation = 1.0\n",
        "[node name=\"Shape2\" type=\"CollisionShape2D\" parent=\".\" unique_id=",
    ] {
        assert!(level.contains(line), "{level}");
    }
    assert_eq!(edited.outcomes[5].node.as_deref(), Some("Shape2"));
    assert!(edited.outcomes.iter().all(|outcome| !outcome.what.contains('\u{1}')));
    let id = edited.outcomes[2].id.as_ref().unwrap();
    assert!(level.contains(&format!("SubResource(\"{id}\")")), "{id} {level}");
    assert!(fixture.refused(r#"{"op": "rename", "node": ".", "name": "a/b"}"#).contains("a/b"));
}

#[test]
fn values_get_the_type_of_their_property() {
    let set = |at: &str, value: &str| {
        let line = format!(
            r#"{{"op": "attach", "node": "Player", "script": "hero.gd"}}
            {{"op": "set", "at": "{at}", "value": {value}}}"#
        );
        Fixture::new().edit(&line).map(|edited| edited.outcomes[1].what.clone())
    };
    for (at, value, text) in [
        ("Player:speed", "3", "3.0"),
        ("Player:lives", "4.0", "4"),
        ("Player:tags", r#"["a"]"#, r#"Array[String](["a"])"#),
        ("Player:position", r#"{"godot": "Vector2i(1, 2)"}"#, "Vector2(1, 2)"),
        ("Player:modulate", "\"#ff0000\"", "Color(1, 0, 0, 1)"),
        ("Player:modulate", "[1, 0.5, 0]", "Color(1, 0.5, 0, 1)"),
        ("Player:name_of_nothing", "1", ""),
        ("Player:speed", r#""fast""#, ""),
        ("Player:lives", "4.5", ""),
        ("Player:tags", "[1]", ""),
        ("Player:tags", r#"{"godot": "Array[int]([1])"}"#, ""),
        ("Player:tags", r#"{"godot": "Array[String]([\"a\"])"}"#, r#"Array[String](["a"])"#),
        ("Player:position", r#"{"godot": "Array[int]([1])"}"#, ""),
        ("Player:position", "[1, 2, 3]", ""),
        ("Player:position", r#"{"godot": "Vector2(1, 2"}"#, ""),
        ("Player:global_position", "[1, 2]", ""),
        ("Player:motion_mode", r#"{"new": "Curve"}"#, ""),
        ("Player:motion_mode", r#"{"load": "res://enemy.tscn"}"#, ""),
        ("Player:material", r#"{"new": "Curve"}"#, ""),
        (
            "Player/Shape:shape",
            r#"{"godot": "SubResource(\"RectangleShape2D_a\")"}"#,
            r#"SubResource("RectangleShape2D_a")"#,
        ),
    ] {
        match set(at, value) {
            Ok(what) => assert_eq!(what, format!("set `{at}` to {text}")),
            Err(error) => assert!(text.is_empty(), "{at} {value}: {error}"),
        }
    }
}

#[test]
fn a_resource_file_gets_its_first_resource_inside() {
    let fixture = Fixture::new();
    let text = "[gd_resource type=\"AnimationLibrary\" format=3]\n\n\
                [ext_resource type=\"Script\" path=\"res://hero.gd\" id=\"1\"]\n\n[resource]\nmetadata/a = ExtResource(\"1\")\n";
    fixture.write("a.tres", text);
    let line = r#"{"op": "set", "file": "res://a.tres", "at": ":metadata/b", "value": {"new": "Gradient"}}"#;
    let new = anonymous(&fixture.text(line, "res://a.tres"));
    let wanted = text.replace(
        "[resource]",
        "[sub_resource type=\"Gradient\" id=\"Gradient_abcde\"]\n\n[resource]",
    ) + "metadata/b = SubResource(\"Gradient_abcde\")\n";
    assert_eq!(new, wanted, "\n{new}");

    let text = "[gd_resource type=\"AnimationLibrary\" format=3]\n\n\
                [ext_resource type=\"Script\" path=\"res://hero.gd\" id=\"1\"]\n\
                [ext_resource type=\"PackedScene\" path=\"res://enemy.tscn\" id=\"2\"]\n\n\
                [resource]\nmetadata/a = ExtResource(\"1\")\nmetadata/b = ExtResource(\"2\")\n";
    fixture.write("a.tres", text);
    let new = anonymous(&fixture.text(line, "res://a.tres"));
    let wanted = text
        .replace("[ext_resource type=\"PackedScene\" path=\"res://enemy.tscn\" id=\"2\"]\n", "")
        .replace(
            "[resource]",
            "[sub_resource type=\"Gradient\" id=\"Gradient_abcde\"]\n\n[resource]",
        )
        .replace("ExtResource(\"2\")", "SubResource(\"Gradient_abcde\")");
    assert_eq!(new, wanted, "\n{new}");
}

#[test]
fn resources_are_counted_for_versions_that_read_the_count() {
    let fixture = Fixture::new();
    fixture.write(
        "project.godot",
        "config_version=5\n\n[application]\n\nconfig/features=PackedStringArray(\"4.4\")\n",
    );
    let text = "[gd_scene format=3]\n\n[node name=\"A\" type=\"CollisionShape2D\"]\n";
    fixture.write("old.tscn", text);
    let lines = r#"{"op": "add-resource", "file": "res://old.tscn", "at": ".:shape", "type": "CircleShape2D"}"#;
    let new = fixture.text(lines, "res://old.tscn");
    assert!(new.starts_with("[gd_scene load_steps=2 format=3]\n"), "{new}");
    fixture.write("old.tscn", &new);
    let lines = r#"{"op": "unset", "file": "res://old.tscn", "at": ".:shape"}"#;
    assert_eq!(fixture.text(lines, "res://old.tscn"), text);
}

#[test]
fn an_inherited_control_says_what_differs() {
    let fixture = Fixture::new();
    let base = "[gd_scene format=3 uid=\"uid://b4gkfwf4i3yda\"]\n\n[ext_resource type=\"PackedScene\" path=\"res://enemy.tscn\" id=\"1\"]\n\n\
                [node name=\"Menu\" type=\"Control\" unique_id=5]\nlayout_mode = 3\nanchors_preset = 15\nanchor_right = 1.0\n\
                anchor_bottom = 1.0\ngrow_horizontal = 2\ngrow_vertical = 2\n\n\
                [node name=\"E\" parent=\".\" unique_id=6 instance=ExtResource(\"1\")]\n\n[editable path=\"E\"]\n";
    fixture.write("menu.tscn", base);
    let new = r#"{"op": "new", "file": "res://heir.tscn", "inherits": "res://menu.tscn"}"#;
    let text = anonymous(&fixture.text(new, "res://heir.tscn"));
    assert!(text.ends_with("\n\n[node name=\"Heir\" unique_id=5 instance=ExtResource(\"1_abcde\")]\n\n[editable path=\"E\"]\n"), "{text}");
}
