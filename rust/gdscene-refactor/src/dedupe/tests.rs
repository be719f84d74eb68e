use std::fs;

use godot_project::{Plan, Project};

use crate::dedupe;

fn plan(scene: &str, files: &[(&str, &str)]) -> Plan {
    let folder = tempfile::tempdir().unwrap();
    let all = [("project.godot", "config_version=5\n"), ("a.tscn", scene), ("a.png", "")];
    all.iter()
        .chain(files)
        .for_each(|(path, text)| fs::write(folder.path().join(path), text).unwrap());
    dedupe(&Project::open(folder.path()).unwrap(), "res://a.tscn").unwrap()
}

fn after(plan: &Plan) -> String {
    String::from_utf8(plan.files[0].new_text()).unwrap()
}

/// Two resources of a class, each with these properties, and a node that uses both.
fn two(class: &str, properties: &str, rest: &str) -> String {
    format!(
        "[gd_scene format=3]\n\n[sub_resource type=\"{class}\" id=\"a\"]\n{properties}\n\n\
         [sub_resource type=\"{class}\" id=\"b\"]\n{properties}\n\n\
         [node name=\"A\" type=\"Node\"]\nshape = SubResource(\"a\")\nother = [SubResource(\"b\")]\n{rest}"
    )
}

#[test]
fn equal_ones_with_equal_parts() {
    let scene = "\
[gd_scene load_steps=9 format=3]

[ext_resource type=\"Texture2D\" path=\"res://a.png\" id=\"1\"]
[ext_resource type=\"Texture2D\" path=\"res://a.png\" id=\"2\"]
[ext_resource type=\"Image\" path=\"res://a.png\" id=\"3\"]

[sub_resource type=\"AtlasTexture\" id=\"a\"]
atlas = ExtResource(\"1\")

[sub_resource type=\"AtlasTexture\" id=\"b\"]
atlas = ExtResource(\"2\")

[sub_resource type=\"StyleBoxTexture\" id=\"c\"]
texture = SubResource(\"a\")

[sub_resource type=\"StyleBoxTexture\" id=\"d\"]
texture = SubResource(\"b\")

[sub_resource type=\"StyleBoxTexture\" id=\"e\"]
texture = SubResource(\"b\")
draw_center = false

[node name=\"A\" type=\"Node\"]
metadata/a = [SubResource(\"c\"), SubResource(\"d\"), SubResource(\"e\"), ExtResource(\"2\"), ExtResource(\"3\")]
";
    let plan = plan(scene, &[]);
    let expected = "\
[gd_scene load_steps=6 format=3]

[ext_resource type=\"Texture2D\" path=\"res://a.png\" id=\"1\"]
[ext_resource type=\"Image\" path=\"res://a.png\" id=\"3\"]

[sub_resource type=\"AtlasTexture\" id=\"a\"]
atlas = ExtResource(\"1\")

[sub_resource type=\"StyleBoxTexture\" id=\"c\"]
texture = SubResource(\"a\")

[sub_resource type=\"StyleBoxTexture\" id=\"e\"]
texture = SubResource(\"a\")
draw_center = false

[node name=\"A\" type=\"Node\"]
metadata/a = [SubResource(\"c\"), SubResource(\"c\"), SubResource(\"e\"), ExtResource(\"1\"), ExtResource(\"3\")]
";
    assert_eq!(after(&plan), expected);
    assert!(plan.doubts.is_empty(), "{:?}", plan.doubts);
    let again = super::tests::plan(expected, &[]);
    assert!(again.is_empty(), "{again:?}");
}

#[test]
fn each_is_its_own() {
    for (class, properties) in [
        ("ButtonGroup", ""),
        ("AnimationNodeAnimation", "animation = &\"run\""),
        ("GDScript", "script/source = \"extends Node\""),
        ("NavigationPolygon", ""),
        ("BoxShape3D", "resource_local_to_scene = true"),
    ] {
        let plan = plan(&two(class, properties, ""), &[]);
        assert!(plan.is_empty() && plan.doubts.is_empty(), "{class}: {plan:?}");
    }
    assert!(!plan(&two("BoxShape3D", "", ""), &[]).is_empty());
}

/// Changes while the game runs are left to the user.
#[test]
fn doubts() {
    let doubts = |scene: &str, files: &[(&str, &str)]| -> Vec<String> {
        let plan = plan(scene, files);
        assert!(plan.is_empty(), "{plan:?}");
        plan.doubts.iter().map(|doubt| format!("{}: {}", doubt.line, doubt.what)).collect()
    };
    let track = "\n[sub_resource type=\"Animation\" id=\"c\"]\ntracks/0/type = \"value\"\ntracks/0/path = NodePath(\"A:shape:size\")\n";
    let animated = two("BoxShape3D", "", "").replace("\n[node", &format!("{track}\n[node"));
    assert_eq!(
        doubts(&animated, &[]),
        ["6: identical to `a`, but an animation changes the resource in the property `shape`"]
    );
    let scripted = two("BoxShape3D", "", "script = ExtResource(\"1\")\n").replace(
        "format=3]\n",
        "format=3]\n\n[ext_resource type=\"Script\" path=\"res://a.gd\" id=\"1\"]\n",
    );
    assert_eq!(
        doubts(&scripted, &[("a.gd", "extends Node\nfunc a():\n\t$B.shape.size = 3\n")]),
        [
            "8: identical to `a`, but res://a.gd may change the resource in the property `shape` of only one copy"
        ]
    );
    assert!(!plan(&scripted, &[("a.gd", "extends Node\nvar reshape = 1.0\n")]).is_empty());
    let resource = two("Resource", "script = ExtResource(\"1\")", "").replace(
        "format=3]\n",
        "format=3]\n\n[ext_resource type=\"Script\" path=\"res://a.gd\" id=\"1\"]\n",
    );
    assert_eq!(
        doubts(&resource, &[("a.gd", "extends Resource\n")]),
        ["8: identical to `a`, but its script may store a separate state in each copy"]
    );
}

/// Any script may hold a node of the scene, and change the values that it reads.
#[test]
fn scripts_of_the_project() {
    let scene = two("BoxShape3D", "", "");
    let is_doubtful = |path: &str, code: &str| {
        let folder = std::path::Path::new(path).parent().unwrap().to_owned();
        let place = tempfile::tempdir().unwrap();
        fs::create_dir_all(place.path().join(folder)).unwrap();
        fs::write(place.path().join("project.godot"), "config_version=5\n").unwrap();
        fs::write(place.path().join("a.tscn"), &scene).unwrap();
        fs::write(place.path().join(path), code).unwrap();
        let plan = dedupe(&Project::open(place.path()).unwrap(), "res://a.tscn").unwrap();
        assert_ne!(plan.is_empty(), plan.doubts.is_empty(), "{plan:?}");
        plan.is_empty()
    };
    for code in ["var a = b.shape\n", "a.get_shape().size = 2\n", "if shape == null:\n"] {
        assert!(is_doubtful("b.gd", code), "{code}");
    }
    for code in ["b.shape = c\n", "var reshape = 1\n", "var shapes = []\n"] {
        assert!(!is_doubtful("b.gd", code), "{code}");
    }
    assert!(is_doubtful("B.cs", "var a = node.GetShape();\n"));
    assert!(!is_doubtful("B.cs", "node.Shape = a;\n"));
    assert!(!is_doubtful("addons/x/b.gd", "var a = b.shape\n"), "it does not know the scene");
}

#[test]
fn line_ends_of_windows() {
    let scene = "[gd_scene format=3]\n\n[ext_resource type=\"Texture2D\" path=\"res://a.png\" id=\"1\"]\n\
                 [ext_resource type=\"Texture2D\" path=\"res://a.png\" id=\"2\"]\n\n\
                 [node name=\"A\" type=\"Node\"]\nmetadata/a = [ExtResource(\"1\"), ExtResource(\"2\")]\n";
    let expected = "[gd_scene format=3]\n\n[ext_resource type=\"Texture2D\" path=\"res://a.png\" id=\"1\"]\n\n\
                    [node name=\"A\" type=\"Node\"]\nmetadata/a = [ExtResource(\"1\"), ExtResource(\"1\")]\n";
    let windows = |text: &str| text.replace('\n', "\r\n");
    assert_eq!(after(&plan(&windows(scene), &[])), windows(expected));
}
