use godot_project::Plan;

use crate::node_change::test_files::{Files, doubts};
use crate::{RefactorError, move_node};

const MAIN: &str = r#"[gd_scene format=3]

[sub_resource type="Animation" id="1"]
tracks/0/type = "value"
tracks/0/path = NodePath("A/B/C:position")
tracks/1/type = "value"
tracks/1/path = NodePath("D:position")

[sub_resource type="AnimationLibrary" id="2"]
_data = {
&"a": SubResource("1")
}

[node name="Main" type="Node2D"]

[node name="A" type="Node2D" parent="."]

[node name="B" type="RemoteTransform2D" parent="A"]
remote_path = NodePath("../../D")

[node name="C" type="RemoteTransform2D" parent="A/B"]
remote_path = NodePath("..")

[node name="Far" type="RemoteTransform2D" parent="A/B"]
remote_path = NodePath("../../E")

[node name="E" type="RemoteTransform2D" parent="A"]
remote_path = NodePath("../B/C")

[node name="D" type="RemoteTransform2D" parent="."]
remote_path = NodePath("../A/B")

[node name="Player" type="AnimationPlayer" parent="."]
libraries = {
&"": SubResource("2")
}

[connection signal="draw" from="A/B/C" to="." method="_a"]
[connection signal="draw" from="D" to="A/B" method="_a"]
"#;

fn moved(
    files: &Files,
    scene: &str,
    path: &str,
    parent: &str,
    at: Option<usize>,
) -> Result<Plan, RefactorError> {
    files.with(|project| move_node(project, &format!("res://{scene}"), path, parent, at))
}

/// The scene afterwards; and back again nothing has changed.
fn there_and_back(
    files: &Files,
    path: &str,
    parent: &str,
    at: Option<usize>,
    back: (&str, usize),
) -> Files {
    let after = files.after(&moved(files, "main.tscn", path, parent, at).unwrap());
    let name = path.rsplit('/').next().unwrap();
    let there = if parent == "." { name.to_owned() } else { format!("{parent}/{name}") };
    let again = after.after(&moved(&after, "main.tscn", &there, back.0, Some(back.1)).unwrap());
    assert_eq!(
        again.0["main.tscn"], files.0["main.tscn"],
        "there and back:\n{}",
        after.0["main.tscn"]
    );
    assert_eq!(again, *files);
    after
}

#[test]
fn with_all_below_it() {
    let files = Files::new(&[("main.tscn", MAIN)]);
    let after = there_and_back(&files, "A/B", "D", None, ("A", 0));
    insta::assert_snapshot!(after.0["main.tscn"], @r##"
[gd_scene format=3]

[sub_resource type="Animation" id="1"]
tracks/0/type = "value"
tracks/0/path = NodePath("D/B/C:position")
tracks/1/type = "value"
tracks/1/path = NodePath("D:position")

[sub_resource type="AnimationLibrary" id="2"]
_data = {
&"a": SubResource("1")
}

[node name="Main" type="Node2D"]

[node name="A" type="Node2D" parent="."]

[node name="E" type="RemoteTransform2D" parent="A"]
remote_path = NodePath("../../D/B/C")

[node name="D" type="RemoteTransform2D" parent="."]
remote_path = NodePath("B")

[node name="B" type="RemoteTransform2D" parent="D"]
remote_path = NodePath("..")

[node name="C" type="RemoteTransform2D" parent="D/B"]
remote_path = NodePath("..")

[node name="Far" type="RemoteTransform2D" parent="D/B"]
remote_path = NodePath("../../../A/E")

[node name="Player" type="AnimationPlayer" parent="."]
libraries = {
&"": SubResource("2")
}

[connection signal="draw" from="D/B/C" to="." method="_a"]
[connection signal="draw" from="D" to="D/B" method="_a"]
"##);
    let after = there_and_back(&files, "A/B", ".", Some(0), ("A", 0));
    insta::assert_snapshot!(after.0["main.tscn"], @r##"
[gd_scene format=3]

[sub_resource type="Animation" id="1"]
tracks/0/type = "value"
tracks/0/path = NodePath("B/C:position")
tracks/1/type = "value"
tracks/1/path = NodePath("D:position")

[sub_resource type="AnimationLibrary" id="2"]
_data = {
&"a": SubResource("1")
}

[node name="Main" type="Node2D"]

[node name="B" type="RemoteTransform2D" parent="."]
remote_path = NodePath("../D")

[node name="C" type="RemoteTransform2D" parent="B"]
remote_path = NodePath("..")

[node name="Far" type="RemoteTransform2D" parent="B"]
remote_path = NodePath("../../A/E")

[node name="A" type="Node2D" parent="."]

[node name="E" type="RemoteTransform2D" parent="A"]
remote_path = NodePath("../../B/C")

[node name="D" type="RemoteTransform2D" parent="."]
remote_path = NodePath("../B")

[node name="Player" type="AnimationPlayer" parent="."]
libraries = {
&"": SubResource("2")
}

[connection signal="draw" from="B/C" to="." method="_a"]
[connection signal="draw" from="D" to="B" method="_a"]
"##);
    let plan = moved(&files, "main.tscn", "A/B", "D", None).unwrap();
    assert_eq!(
        doubts(&plan),
        [
            "main.tscn:18: the node keeps its own transform, so it appears elsewhere if the transform of its new parent differs"
        ]
    );
}

#[test]
fn among_its_siblings() {
    let files = Files::new(&[("main.tscn", MAIN)]);
    let after = there_and_back(&files, "D", ".", Some(0), (".", 1));
    let text = &after.0["main.tscn"];
    assert!(text.find("name=\"D\"") < text.find("name=\"A\""), "{text}");
    let after = there_and_back(&files, "A", ".", Some(2), (".", 0));
    assert!(
        after.0["main.tscn"].contains("}\n\n[node name=\"A\" type"),
        "{}",
        after.0["main.tscn"]
    );
    let after = there_and_back(&files, "Player", ".", Some(0), (".", 2));
    assert!(
        after.0["main.tscn"].contains("NodePath(\"../A/B\")\n\n[connection"),
        "{}",
        after.0["main.tscn"]
    );
    // Where nothing follows the nodes.
    let end = MAIN.split("[connection").next().unwrap().trim_end().to_owned() + "\n";
    let files = Files::new(&[("main.tscn", &end)]);
    there_and_back(&files, "A/B", ".", None, ("A", 0));
    let after = there_and_back(&files, "Player", "A/B", Some(1), (".", 2));
    assert!(after.0["main.tscn"].ends_with("NodePath(\"../A/B\")\n"), "{}", after.0["main.tscn"]);
}

#[test]
fn scripts_and_other_scenes() {
    let script = "extends Node2D\n@onready var a = $\"../E\"\n@onready var b = $C\n@onready var c = get_parent()\n";
    let root = "extends Node2D\n@onready var a = $A/B/C\n@onready var b = $A/E\n";
    let main = MAIN
        .replace("[gd_scene format=3]\n", "[gd_scene format=3]\n\n[ext_resource type=\"Script\" path=\"res://b.gd\" id=\"b\"]\n[ext_resource type=\"Script\" path=\"res://root.gd\" id=\"r\"]\n")
        .replace("[node name=\"Main\" type=\"Node2D\"]\n", "[node name=\"Main\" type=\"Node2D\"]\nscript = ExtResource(\"r\")\n")
        .replace("NodePath(\"../../D\")\n", "NodePath(\"../../D\")\nscript = ExtResource(\"b\")\n");
    let heir = "[gd_scene format=3]\n\n[ext_resource type=\"PackedScene\" path=\"res://main.tscn\" id=\"1\"]\n\n[node name=\"Heir\" instance=ExtResource(\"1\")]\n\n[node name=\"B\" parent=\"A\" index=\"0\"]\nrotation = 1.0\n\n[node name=\"New\" type=\"Node2D\" parent=\"A/B/C\" index=\"0\"]\n";
    let files = Files::new(&[
        ("main.tscn", &main),
        ("heir.tscn", heir),
        ("b.gd", script),
        ("root.gd", root),
    ]);
    let after = there_and_back(&files, "A/B", ".", Some(1), ("A", 0));
    assert_eq!(after.0["b.gd"], script.replace("../E", "../A/E"));
    assert_eq!(after.0["root.gd"], root.replace("$A/B/C", "$B/C"));
    assert_eq!(
        after.0["heir.tscn"],
        heir.replace("parent=\"A\"", "parent=\".\"").replace("A/B/C", "B/C")
    );
    let plan = moved(&files, "main.tscn", "A/B", ".", None).unwrap();
    assert!(doubts(&plan).contains(&"b.gd:4: the node gets a different parent".to_owned()));
}

#[test]
fn indices_in_heirs() {
    let base = "[gd_scene format=3]\n\n[node name=\"Base\" type=\"Node\"]\n\n[node name=\"One\" type=\"Node\" parent=\".\"]\n\n[node name=\"Two\" type=\"Node\" parent=\".\"]\n";
    let heir = "[gd_scene format=3]\n\n[ext_resource type=\"PackedScene\" path=\"res://base.tscn\" id=\"1\"]\n\n[node name=\"Heir\" instance=ExtResource(\"1\")]\n\n[node name=\"A\" type=\"Node\" parent=\".\" index=\"1\"]\n\n[node name=\"B\" type=\"Node\" parent=\".\" index=\"3\"]\n\n[node name=\"C\" type=\"Node\" parent=\"B\" index=\"0\"]\n";
    let files = Files::new(&[("base.tscn", base), ("main.tscn", heir)]);
    let after = there_and_back(&files, "A", "B", Some(0), (".", 1));
    let lines = after.changed_lines(&files);
    assert!(
        lines.contains(
            &"main.tscn: [node name=\"B\" type=\"Node\" parent=\".\" index=\"2\"]".to_owned()
        ),
        "{lines:?}"
    );
    assert!(
        lines.contains(
            &"main.tscn: [node name=\"C\" type=\"Node\" parent=\"B\" index=\"1\"]".to_owned()
        ),
        "{lines:?}"
    );
}

#[test]
fn what_is_refused() {
    let user = "[gd_scene format=3]\n\n[ext_resource type=\"PackedScene\" path=\"res://main.tscn\" id=\"1\"]\n\n[node name=\"User\" type=\"Node\"]\n\n[node name=\"Own\" type=\"Node\" parent=\".\"]\n\n[node name=\"Main\" parent=\".\" instance=ExtResource(\"1\")]\n\n[node name=\"B\" type=\"Node\" parent=\"Main/D\"]\n";
    let files = Files::new(&[("main.tscn", MAIN), ("user.tscn", user)]);
    let refused = |scene: &str, path: &str, parent: &str, at| {
        moved(&files, scene, path, parent, at).unwrap_err().to_string()
    };
    insta::assert_debug_snapshot!([
        refused("main.tscn", ".", "A", None),
        refused("main.tscn", "A", "A", None),
        refused("main.tscn", "A", "A/B", None),
        refused("main.tscn", "A", ".", None),
        refused("main.tscn", "A", "D", Some(1)),
        refused("main.tscn", "A/B", "D", None),
        refused("main.tscn", "A", "Gone", None),
        refused("user.tscn", "Main/A", ".", None),
        refused("user.tscn", "Own", "Main/A", None),
    ], @r##"
[
    "the root of a scene cannot get a parent",
    "`A` cannot move into itself or a node below it",
    "`A` cannot move into itself or a node below it",
    "`A` already has this parent; give an index to change its position among its siblings",
    "`D` has only 0 other children",
    "`res://user.tscn` already has a node `Main/D/B`: two nodes of one parent cannot both be called `B`",
    "`res://main.tscn` has no node `Gone`",
    "`Main/A` comes from `res://main.tscn`; change it there",
    "`Main/A` comes from `res://main.tscn`; change it there",
]
"##);
}
