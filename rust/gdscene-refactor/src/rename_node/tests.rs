use godot_project::Plan;

use crate::node_change::test_files::{Files, doubts};
use crate::{RefactorError, rename_node};

const PART: &str = r#"[gd_scene format=3]

[node name="Part" type="Node2D"]

[node name="Arm" type="Node2D" parent="."]
unique_name_in_owner = true

[node name="Hand" type="Sprite2D" parent="Arm"]

[node name="Tail" type="Node2D" parent="."]
"#;

fn rename(files: &Files, scene: &str, path: &str, new: &str) -> Result<Plan, RefactorError> {
    files.with(|project| rename_node(project, &format!("res://{scene}"), path, new))
}

/// The lines that change when `path` in `scene` is called `new`; and back again nothing has changed.
fn changed(files: &Files, scene: &str, path: &str, new: &str) -> Vec<String> {
    let plan = rename(files, scene, path, new).unwrap();
    let after = files.after(&plan);
    let (parent, name) = path.rsplit_once('/').map_or(("", path), |(parent, name)| (parent, name));
    let back = if parent.is_empty() { new.to_owned() } else { format!("{parent}/{new}") };
    let plan = rename(&after, scene, &back, name).unwrap();
    assert_eq!(after.after(&plan), *files, "there and back");
    after.changed_lines(files)
}

fn refusal(files: &Files, scene: &str, path: &str, new: &str) -> String {
    rename(files, scene, path, new).unwrap_err().to_string()
}

#[test]
fn in_its_own_scene() {
    let main = r#"[gd_scene format=3]

[ext_resource type="PackedScene" path="res://part.tscn" id="1"]

[sub_resource type="Animation" id="2"]
tracks/0/type = "value"
tracks/0/path = NodePath("Body/Hand:position:x")
tracks/1/type = "value"
tracks/1/path = "Body:visible"

[sub_resource type="AnimationLibrary" id="3"]
_data = {
&"a": SubResource("2")
}

[sub_resource type="ViewportTexture" id="4"]
viewport_path = NodePath("Body/View")

[node name="Main" type="Node2D" node_paths=PackedStringArray("aims")]
aims = [NodePath("Body"), NodePath("Body/Hand"), NodePath("BodyGuard")]
metadata/a = NodePath("Body")

[node name="Body" type="Node2D" parent="."]

[node name="Hand" type="Sprite2D" parent="Body"]

[node name="Deep" type="RemoteTransform2D" parent="Body/Hand"]
remote_path = NodePath("../../../Body")

[node name="Text" type="RemoteTransform2D" parent="Body/Hand"]
remote_path = "../../../Body"
editor_description = "Body"

[node name="View" type="SubViewport" parent="Body"]

[node name="BodyGuard" type="Node" parent="."]

[node name="Part" parent="Body" instance=ExtResource("1")]

[node name="Body" type="Node" parent="BodyGuard"]

[node name="Player" type="AnimationPlayer" parent="."]
libraries = {
&"": SubResource("3")
}
root_motion_track = NodePath("Body/Hand")

[connection signal="ready" from="Body/Part/Arm" to="." method="_a"]
[connection signal="ready" from="BodyGuard/Body" to="Body" method="_a"]

[editable path="Body/Part"]
"#;
    let files = Files::new(&[("main.tscn", main), ("part.tscn", PART)]);
    let plan = rename(&files, "main.tscn", "Body", "Torso \"").unwrap_err();
    assert!(matches!(plan, RefactorError::InvalidName { .. }));
    insta::assert_debug_snapshot!(changed(&files, "main.tscn", "Body", "Torso"), @r##"
[
    "main.tscn: tracks/0/path = NodePath(\"Torso/Hand:position:x\")",
    "main.tscn: tracks/1/path = \"Torso:visible\"",
    "main.tscn: viewport_path = NodePath(\"Torso/View\")",
    "main.tscn: aims = [NodePath(\"Torso\"), NodePath(\"Torso/Hand\"), NodePath(\"BodyGuard\")]",
    "main.tscn: [node name=\"Torso\" type=\"Node2D\" parent=\".\"]",
    "main.tscn: [node name=\"Hand\" type=\"Sprite2D\" parent=\"Torso\"]",
    "main.tscn: [node name=\"Deep\" type=\"RemoteTransform2D\" parent=\"Torso/Hand\"]",
    "main.tscn: remote_path = NodePath(\"../../../Torso\")",
    "main.tscn: [node name=\"Text\" type=\"RemoteTransform2D\" parent=\"Torso/Hand\"]",
    "main.tscn: remote_path = \"../../../Torso\"",
    "main.tscn: [node name=\"View\" type=\"SubViewport\" parent=\"Torso\"]",
    "main.tscn: [node name=\"Part\" parent=\"Torso\" instance=ExtResource(\"1\")]",
    "main.tscn: root_motion_track = NodePath(\"Torso/Hand\")",
    "main.tscn: [connection signal=\"ready\" from=\"Torso/Part/Arm\" to=\".\" method=\"_a\"]",
    "main.tscn: [connection signal=\"ready\" from=\"BodyGuard/Body\" to=\"Torso\" method=\"_a\"]",
    "main.tscn: [editable path=\"Torso/Part\"]",
]
"##);
    let plan = rename(&files, "main.tscn", "Body", "Torso").unwrap();
    insta::assert_debug_snapshot!(doubts(&plan), @r##"
[
    "main.tscn:21: cannot determine what the path in the metadata is for",
]
"##);
}

#[test]
fn in_scenes_that_have_it_inside() {
    let main = r#"[gd_scene format=3]

[ext_resource type="PackedScene" path="res://part.tscn" id="1"]

[node name="Main" type="Node2D" node_paths=PackedStringArray("arm")]
arm = NodePath("Part/Arm/Hand")

[node name="Part" parent="." instance=ExtResource("1")]

[node name="Arm" parent="Part" index="0" unique_id=7]
rotation = 1.0

[node name="Ring" type="Node2D" parent="Part/Arm/Hand" index="0" parent_id_path=PackedInt32Array(1, 2)]

[node name="Arm" type="Node2D" parent="."]

[node name="Remote" type="RemoteTransform2D" parent="."]
remote_path = NodePath("../Part/%Arm/Hand")

[connection signal="draw" from="Part/Arm" to="Arm" method="_a"]

[editable path="Part"]
"#;
    let heir = r#"[gd_scene format=3]

[ext_resource type="PackedScene" path="res://part.tscn" id="1"]

[node name="Heir" instance=ExtResource("1")]

[node name="Arm" parent="." index="0"]
rotation = 1.0

[node name="More" type="Node2D" parent="Arm" index="1"]
"#;
    let level = r#"[gd_scene format=3]

[ext_resource type="PackedScene" path="res://main.tscn" id="1"]

[node name="Level" type="Node2D"]

[node name="One" parent="." instance=ExtResource("1")]

[node name="Arm" parent="One/Part" index="0"]
rotation = 2.0

[connection signal="draw" from="One/Part/Arm" to="One/Arm" method="_a"]

[editable path="One"]
[editable path="One/Part"]
"#;
    let files = Files::new(&[
        ("part.tscn", PART),
        ("main.tscn", main),
        ("heir.tscn", heir),
        ("level.tscn", level),
    ]);
    insta::assert_debug_snapshot!(changed(&files, "part.tscn", "Arm", "Limb"), @r##"
[
    "heir.tscn: [node name=\"Limb\" parent=\".\" index=\"0\"]",
    "heir.tscn: [node name=\"More\" type=\"Node2D\" parent=\"Limb\" index=\"1\"]",
    "level.tscn: [node name=\"Limb\" parent=\"One/Part\" index=\"0\"]",
    "level.tscn: [connection signal=\"draw\" from=\"One/Part/Limb\" to=\"One/Arm\" method=\"_a\"]",
    "main.tscn: arm = NodePath(\"Part/Limb/Hand\")",
    "main.tscn: [node name=\"Limb\" parent=\"Part\" index=\"0\" unique_id=7]",
    "main.tscn: [node name=\"Ring\" type=\"Node2D\" parent=\"Part/Limb/Hand\" index=\"0\" parent_id_path=PackedInt32Array(1, 2)]",
    "main.tscn: remote_path = NodePath(\"../Part/%Limb/Hand\")",
    "main.tscn: [connection signal=\"draw\" from=\"Part/Limb\" to=\"Arm\" method=\"_a\"]",
    "part.tscn: [node name=\"Limb\" type=\"Node2D\" parent=\".\"]",
    "part.tscn: [node name=\"Hand\" type=\"Sprite2D\" parent=\"Limb\"]",
]
"##);
    assert!(refusal(&files, "heir.tscn", "Arm", "Limb").contains("comes from `res://part.tscn`"));
    assert!(
        refusal(&files, "main.tscn", "Part/Arm", "Limb").contains("comes from `res://part.tscn`")
    );
}

#[test]
fn in_scripts() {
    let script = r#"extends Node2D
@onready var a := $Arm/Hand
@onready var b = %Arm
@onready var c = get_node("Arm/Hand:position") # Arm
@onready var d = $"Arm".get_node("Hand")
@onready var e = self.get_node_or_null(^"Arm")
const PATH = ^"Arm/Hand"

func _ready():
	var name = "Ar" + "m"
	get_node("Arm/" + name)
	find_child("Arm")
	if a.name == "Arm":
		pass
	other.get_node("Arm")
	get_node("/root/Part/Arm")
	$Armchair.show()
"#;
    let sharp = r#"public partial class Sharp : Node2D {
    // GetNode("Arm")
    Node a = GetNode<Node2D>("Arm/Hand");
    Node b = this.GetNode("%Arm");
    Node c = other.GetNode("Arm");
    string d = $"Arm/Hand";
    string e = "Arm/Hand";
    Node f = GetNode("Arm").GetNodeOrNull<Node2D>(@"Hand");
    NodePath g = new("Arm"), h = new NodePath("Arm");
    bool i = HasNode(@"Arm") && GetParent().HasNode("Arm") && Name == "Arm" && Other("Arm");
    Node j = GetNode("Arm/" + Name) ?? FindChild("Arm");
    class Inner { Node k = GetNode("Arm"); }
}
"#;
    let part = PART
        .replace("[gd_scene format=3]\n", "[gd_scene format=3]\n\n[ext_resource type=\"Script\" path=\"res://part.gd\" id=\"1\"]\n[ext_resource type=\"Script\" path=\"res://Sharp.cs\" id=\"2\"]\n")
        .replace("[node name=\"Part\" type=\"Node2D\"]\n", "[node name=\"Part\" type=\"Node2D\"]\nscript = ExtResource(\"1\")\n");
    let heir = "[gd_scene format=3]\n\n[ext_resource type=\"PackedScene\" path=\"res://part.tscn\" id=\"1\"]\n[ext_resource type=\"Script\" path=\"res://Sharp.cs\" id=\"2\"]\n\n[node name=\"Heir\" instance=ExtResource(\"1\")]\nscript = ExtResource(\"2\")\n";
    let files = Files::new(&[
        ("part.tscn", &part),
        ("heir.tscn", heir),
        ("part.gd", script),
        ("Sharp.cs", sharp),
    ]);
    insta::assert_debug_snapshot!(changed(&files, "part.tscn", "Arm", "Limb"), @r##"
[
    "Sharp.cs:     Node a = GetNode<Node2D>(\"Limb/Hand\");",
    "Sharp.cs:     Node b = this.GetNode(\"%Limb\");",
    "Sharp.cs:     Node f = GetNode(\"Limb\").GetNodeOrNull<Node2D>(@\"Hand\");",
    "Sharp.cs:     bool i = HasNode(@\"Limb\") && GetParent().HasNode(\"Arm\") && Name == \"Arm\" && Other(\"Arm\");",
    "part.gd: @onready var a := $Limb/Hand",
    "part.gd: @onready var b = %Limb",
    "part.gd: @onready var c = get_node(\"Limb/Hand:position\") # Arm",
    "part.gd: @onready var d = $\"Limb\".get_node(\"Hand\")",
    "part.gd: @onready var e = self.get_node_or_null(^\"Limb\")",
    "part.tscn: [node name=\"Limb\" type=\"Node2D\" parent=\".\"]",
    "part.tscn: [node name=\"Hand\" type=\"Sprite2D\" parent=\"Limb\"]",
]
"##);
    let plan = rename(&files, "part.tscn", "Arm", "Limb").unwrap();
    insta::assert_debug_snapshot!(doubts(&plan), @r##"
[
    "Sharp.cs:5: cannot determine which node the path starts at",
    "Sharp.cs:6: the path is built at run time",
    "Sharp.cs:7: cannot determine which node the path starts at",
    "Sharp.cs:9: cannot determine which node the path starts at",
    "Sharp.cs:10: cannot determine which node the path starts at",
    "Sharp.cs:10: a compared string is the name of the node",
    "Sharp.cs:11: the path is built at run time",
    "Sharp.cs:11: the code searches for a node by its name",
    "Sharp.cs:12: cannot determine which node has the inner class",
    "part.gd:7: cannot determine which node the path starts at",
    "part.gd:11: the path is built at run time",
    "part.gd:12: the code searches for a node by its name",
    "part.gd:13: a compared string is the name of the node",
    "part.gd:15: cannot determine which node the path starts at",
    "part.gd:16: the path starts at the root of the running game",
]
"##);
}

#[test]
fn a_script_of_several_nodes_changes_if_all_see_the_node() {
    let script = "extends Node\n@onready var a = $\"../Arm\"\n";
    let scene = |path: &str, other: &str| {
        format!(
            "[gd_scene format=3]\n\n[ext_resource type=\"Script\" path=\"res://a.gd\" id=\"1\"]\n\n[node name=\"Root\" type=\"Node2D\"]\n\n[node name=\"Arm\" type=\"Node2D\" parent=\".\"]\n\n[node name=\"A\" type=\"Node2D\" parent=\".\"]\nscript = ExtResource(\"1\")\n\n[node name=\"{other}\" type=\"Node2D\" parent=\"{path}\"]\nscript = ExtResource(\"1\")\n"
        )
    };
    let all = Files::new(&[("a.gd", script), ("main.tscn", &scene(".", "B"))]);
    let plan = rename(&all, "main.tscn", "Arm", "Limb").unwrap();
    assert!(all.after(&plan).0["a.gd"].contains("$\"../Limb\""), "{plan:#?}");
    let some = Files::new(&[("a.gd", script), ("main.tscn", &scene("A", "B"))]);
    let plan = rename(&some, "main.tscn", "Arm", "Limb").unwrap();
    assert_eq!(
        doubts(&plan),
        ["a.gd:2: the path leads to different nodes for the nodes with the script"]
    );
    assert_eq!(some.after(&plan).0["a.gd"], script);
    // In another scene, the path leads to another node.
    let two = Files::new(&[
        ("a.gd", script),
        ("main.tscn", &scene(".", "B")),
        ("other.tscn", &scene(".", "B")),
    ]);
    let plan = rename(&two, "main.tscn", "Arm", "Limb").unwrap();
    assert_eq!(
        doubts(&plan),
        ["a.gd:2: the path leads to different nodes for the nodes with the script"]
    );
}

#[test]
fn paths_out_of_a_scene() {
    let inner = "[gd_scene format=3]\n\n[ext_resource type=\"Script\" path=\"res://a.gd\" id=\"1\"]\n\n[node name=\"Inner\" type=\"RemoteTransform2D\"]\nremote_path = NodePath(\"../Arm\")\nscript = ExtResource(\"1\")\n";
    let user = "[gd_scene format=3]\n\n[ext_resource type=\"PackedScene\" path=\"res://inner.tscn\" id=\"1\"]\n\n[node name=\"Main\" type=\"Node2D\"]\n\n[node name=\"Arm\" type=\"Node2D\" parent=\".\"]\n\n[node name=\"Inner\" parent=\".\" instance=ExtResource(\"1\")]\n";
    let script = "extends Node\nfunc a():\n\tget_parent().get_node(\"Arm\").show()\n";
    let one = Files::new(&[("inner.tscn", inner), ("main.tscn", user), ("a.gd", script)]);
    assert_eq!(
        changed(&one, "main.tscn", "Arm", "Limb"),
        [
            "inner.tscn: remote_path = NodePath(\"../Limb\")",
            "main.tscn: [node name=\"Limb\" type=\"Node2D\" parent=\".\"]",
        ]
    );
    let two = Files::new(&[
        ("inner.tscn", inner),
        ("main.tscn", user),
        ("other.tscn", user),
        ("a.gd", script),
    ]);
    let plan = rename(&two, "main.tscn", "Arm", "Limb").unwrap();
    assert_eq!(
        doubts(&plan),
        [
            "a.gd:3: cannot determine which node the path starts at",
            "inner.tscn:6: the path leads out of the scene, and to different nodes in different places",
        ]
    );
}

#[test]
fn animations_in_files() {
    let library = "[gd_resource type=\"AnimationLibrary\" format=3]\n\n[sub_resource type=\"Animation\" id=\"1\"]\ntracks/0/type = \"value\"\ntracks/0/path = NodePath(\"Arm:visible\")\n\n[resource]\n_data = {\n&\"a\": SubResource(\"1\")\n}\n";
    let scene = "[gd_scene format=3]\n\n[ext_resource type=\"AnimationLibrary\" path=\"res://a.tres\" id=\"1\"]\n\n[node name=\"Main\" type=\"Node2D\"]\n\n[node name=\"Arm\" type=\"Node2D\" parent=\".\"]\n\n[node name=\"Player\" type=\"AnimationPlayer\" parent=\".\"]\nlibraries = {\n&\"\": ExtResource(\"1\")\n}\n";
    let one = Files::new(&[("a.tres", library), ("main.tscn", scene)]);
    assert_eq!(
        changed(&one, "main.tscn", "Arm", "Limb"),
        [
            "a.tres: tracks/0/path = NodePath(\"Limb:visible\")",
            "main.tscn: [node name=\"Limb\" type=\"Node2D\" parent=\".\"]"
        ]
    );
    let two = Files::new(&[("a.tres", library), ("main.tscn", scene), ("other.tscn", scene)]);
    let plan = rename(&two, "main.tscn", "Arm", "Limb").unwrap();
    assert_eq!(
        doubts(&plan),
        ["a.tres:5: the path leads to different nodes for the nodes that play the animation"]
    );
}

#[test]
fn autoloads() {
    let settings = "config_version=5\n\n[autoload]\n\nHud=\"*res://part.tscn\"\n";
    let script = "extends Node\nfunc a():\n\tget_node(\"/root/Hud/Arm/Hand\").show()\n\tHud.get_node(\"Arm\").hide()\n";
    let files = Files::new(&[("project.godot", settings), ("part.tscn", PART), ("a.gd", script)]);
    assert_eq!(
        changed(&files, "part.tscn", "Arm", "Limb"),
        [
            "a.gd: \tget_node(\"/root/Hud/Limb/Hand\").show()",
            "a.gd: \tHud.get_node(\"Limb\").hide()",
            "part.tscn: [node name=\"Limb\" type=\"Node2D\" parent=\".\"]",
            "part.tscn: [node name=\"Hand\" type=\"Sprite2D\" parent=\"Limb\"]"
        ]
    );
}

#[test]
fn what_stands_in_resources() {
    let scene = r#"[gd_scene format=3]

[sub_resource type="SceneReplicationConfig" id="1"]
properties/0/path = NodePath("Arm:position")

[sub_resource type="AnimationNodeAdd2" id="2"]
filter_enabled = true
filters = ["Arm/Hand", "Armory"]

[sub_resource type="AnimationNodeBlendTree" id="3"]
nodes/Add/node = SubResource("2")

[sub_resource type="Other" id="4"]
path = NodePath("Arm")

[node name="Main" type="Node2D"]

[node name="Arm" type="Node2D" parent="."]

[node name="Sync" type="MultiplayerSynchronizer" parent="."]
replication_config = SubResource("1")

[node name="Tree" type="AnimationTree" parent="."]
tree_root = SubResource("3")
"#;
    let files = Files::new(&[("main.tscn", scene)]);
    assert_eq!(
        changed(&files, "main.tscn", "Arm", "Limb"),
        [
            "main.tscn: properties/0/path = NodePath(\"Limb:position\")",
            "main.tscn: filters = [\"Limb/Hand\", \"Armory\"]",
            "main.tscn: [node name=\"Limb\" type=\"Node2D\" parent=\".\"]"
        ]
    );
    let plan = rename(&files, "main.tscn", "Arm", "Limb").unwrap();
    assert_eq!(
        doubts(&plan),
        ["main.tscn:14: cannot determine which node the path in the resource starts at"]
    );
}

#[test]
fn the_root_changes_nothing_else() {
    let heir = "[gd_scene format=3]\n\n[ext_resource type=\"PackedScene\" path=\"res://part.tscn\" id=\"1\"]\n\n[node name=\"Part\" instance=ExtResource(\"1\")]\n";
    let script = "extends Node\nvar a = \"/root/Part/Arm\"\nvar b = \"/root/Parts\"\n";
    let files = Files::new(&[("part.tscn", PART), ("heir.tscn", heir), ("a.gd", script)]);
    let plan = rename(&files, "part.tscn", ".", "Piece").unwrap();
    assert_eq!(doubts(&plan), ["a.gd:2: the path starts at the root of the running game"]);
    let after = files.after(&plan);
    assert_eq!(after.changed_lines(&files), ["part.tscn: [node name=\"Piece\" type=\"Node2D\"]"]);
    assert_eq!(after.after(&rename(&after, "part.tscn", ".", "Part").unwrap()), files);
}

#[test]
fn what_is_refused() {
    let user = "[gd_scene format=3]\n\n[ext_resource type=\"PackedScene\" path=\"res://part.tscn\" id=\"1\"]\n\n[node name=\"Main\" type=\"Node\"]\n\n[node name=\"Part\" parent=\".\" instance=ExtResource(\"1\")]\n\n[node name=\"Leg\" type=\"Node\" parent=\"Part\"]\n";
    let files = Files::new(&[
        ("part.tscn", PART),
        ("main.tscn", user),
        ("a.gd", "extends Node\n"),
        ("broken.tscn", "[gd_scene format=3]\n\n[node name="),
    ]);
    let refused = |scene: &str, path: &str, new: &str| refusal(&files, scene, path, new);
    insta::assert_debug_snapshot!([
        refused("part.tscn", "Arm", "Tail"),
        refused("part.tscn", "Arm", "Arm"),
        refused("part.tscn", "Arm", "Leg"),
        refused("part.tscn", "Arm", "A/B"),
        refused("part.tscn", "Arms", "B"),
        refused("part.tscn", "Hand", "B"),
        refused("gone.tscn", "Arm", "B"),
        refused("a.gd", "Arm", "B"),
        refused("broken.tscn", "Arm", "B"),
        refused("main.tscn", "Part/Tail", "B"),
    ], @r##"
[
    "`res://part.tscn` already has a node `Tail`: two nodes of one parent cannot both be called `Tail`",
    "the node already has the name `Arm`",
    "`res://main.tscn` already has a node `Part/Leg`: two nodes of one parent cannot both be called `Leg`",
    "`A/B` is not a valid node name: `/` is not allowed in it",
    "`res://part.tscn` has no node `Arms`; did you mean `Arm`?",
    "`res://part.tscn` has no node `Hand`; did you mean `Arm/Hand`?",
    "`res://gone.tscn` is not a file of the project, or Godot's editor does not see it",
    "`res://a.gd` is not a scene with nodes",
    "`res://broken.tscn` cannot be read completely (SYN007 in line 3); repair it first",
    "`Part/Tail` comes from `res://part.tscn`; change it there",
]
"##);
    let unique = PART.replace(
        "[node name=\"Tail\" type=\"Node2D\" parent=\".\"]\n",
        "[node name=\"Tail\" type=\"Node2D\" parent=\"Arm\"]\nunique_name_in_owner = true\n",
    );
    let files = Files::new(&[("part.tscn", &unique)]);
    assert!(
        refusal(&files, "part.tscn", "Arm", "Tail")
            .contains("already has a node with the unique name `%Tail`: `Arm/Tail`")
    );
}

#[test]
fn a_script_inside_the_scene() {
    let scene = "[gd_scene format=3]\n\n[sub_resource type=\"GDScript\" id=\"1\"]\nscript/source = \"extends Node\nvar a = $Arm\n\"\n\n[node name=\"Main\" type=\"Node\"]\nscript = SubResource(\"1\")\n\n[node name=\"Arm\" type=\"Node\" parent=\".\"]\n\n[node name=\"Ar\" type=\"Node\" parent=\".\"]\n";
    let files = Files::new(&[("main.tscn", scene)]);
    let plan = rename(&files, "main.tscn", "Arm", "Limb").unwrap();
    assert_eq!(
        doubts(&plan),
        ["main.tscn:4: a script inside the file contains the name of the node"]
    );
    assert_eq!(doubts(&rename(&files, "main.tscn", "Ar", "Limb").unwrap()), [""; 0]);
}
