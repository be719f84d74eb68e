use std::fs;

use godot_project::{Plan, Project};

use crate::{RefactorError, inline};

const SETTINGS: &str =
    "config_version=5\n\n[application]\n\nconfig/features=PackedStringArray(\"4.6\")\n";

const SCENE: &str = "\
[gd_scene format=3]

[ext_resource type=\"Material\" path=\"res://steel.tres\" id=\"1_m\"]
[ext_resource type=\"Texture2D\" path=\"res://a.png\" id=\"2_a\"]

[sub_resource type=\"BoxMesh\" id=\"BoxMesh_x\"]
material = ExtResource(\"1_m\")

[sub_resource type=\"Gradient\" id=\"Gradient_g\"]

[node name=\"A\" type=\"MeshInstance3D\"]
mesh = SubResource(\"BoxMesh_x\")
material_override = ExtResource(\"1_m\")
metadata/a = [ExtResource(\"2_a\"), SubResource(\"Gradient_g\")]
";

/// It uses a texture that the scene has, one that it does not have, by an id that is taken, and a part with an id
/// that is taken.
const MATERIAL: &str = "\
[gd_resource type=\"StandardMaterial3D\" format=3 uid=\"uid://cqq2j4h8p6vy1\"]

[ext_resource type=\"Texture2D\" path=\"res://a.png\" id=\"1_z\"]
[ext_resource type=\"Texture2D\" path=\"res://b.png\" id=\"2_a\"]

[sub_resource type=\"Gradient\" id=\"Gradient_g\"]
colors = PackedColorArray(1, 0, 0, 1)

[sub_resource type=\"GradientTexture1D\" id=\"GradientTexture1D_t\"]
gradient = SubResource(\"Gradient_g\")

[resource]
albedo_texture = ExtResource(\"1_z\")
normal_texture = ExtResource(\"2_a\")
rim_texture = SubResource(\"GradientTexture1D_t\")
";

fn plan(scene: &str, material: &str, id: &str, removes_file: bool) -> Result<Plan, RefactorError> {
    let folder = tempfile::tempdir().unwrap();
    let files = [
        ("project.godot", SETTINGS),
        ("a.tscn", scene),
        ("steel.tres", material),
        ("a.png", ""),
        ("b.png", ""),
        ("other.gd", "const STEEL = preload(\"steel.tres\")\n"),
    ];
    files.iter().for_each(|(path, text)| fs::write(folder.path().join(path), text).unwrap());
    inline(&Project::open(folder.path()).unwrap(), "res://a.tscn", id, removes_file)
}

fn text(plan: &Plan) -> String {
    String::from_utf8(plan.files[0].new_text()).unwrap()
}

#[test]
fn ids_are_those_of_the_scene() {
    let plan = plan(SCENE, MATERIAL, "1_m", false).unwrap();
    let after = text(&plan);
    let id = |start: &str| {
        let rest = after.split(start).nth(1).unwrap_or_else(|| panic!("no {start} in {after}"));
        rest.split('"').next().unwrap().to_owned()
    };
    let (texture, gradient) = (id("path=\"res://b.png\" id=\""), id("type=\"Gradient\" id=\""));
    let main = id("[sub_resource type=\"StandardMaterial3D\" id=\"");
    assert!(
        texture.starts_with("3_") && gradient.starts_with("Gradient_") && gradient != "Gradient_g",
        "{after}"
    );
    assert_eq!(
        after,
        format!(
            "[gd_scene format=3]\n\n\
             [ext_resource type=\"Texture2D\" path=\"res://b.png\" id=\"{texture}\"]\n\
             [ext_resource type=\"Texture2D\" path=\"res://a.png\" id=\"2_a\"]\n\n\
             [sub_resource type=\"Gradient\" id=\"{gradient}\"]\ncolors = PackedColorArray(1, 0, 0, 1)\n\n\
             [sub_resource type=\"GradientTexture1D\" id=\"GradientTexture1D_t\"]\ngradient = SubResource(\"{gradient}\")\n\n\
             [sub_resource type=\"StandardMaterial3D\" id=\"{main}\"]\nalbedo_texture = ExtResource(\"2_a\")\n\
             normal_texture = ExtResource(\"{texture}\")\nrim_texture = SubResource(\"GradientTexture1D_t\")\n\n\
             [sub_resource type=\"BoxMesh\" id=\"BoxMesh_x\"]\nmaterial = SubResource(\"{main}\")\n\n\
             [sub_resource type=\"Gradient\" id=\"Gradient_g\"]\n\n\
             [node name=\"A\" type=\"MeshInstance3D\"]\nmesh = SubResource(\"BoxMesh_x\")\n\
             material_override = SubResource(\"{main}\")\nmetadata/a = [ExtResource(\"2_a\"), SubResource(\"Gradient_g\")]\n"
        )
    );
    assert_eq!(plan.doubts.len(), 1);
    assert_eq!(plan.doubts[0].path, "res://other.gd");
}

#[test]
fn the_last_tag() {
    let scene = "[gd_scene load_steps=2 format=3]\n\n[ext_resource type=\"Resource\" path=\"res://steel.tres\" id=\"1\"]\n\n\
                 [node name=\"A\" type=\"Node\"]\nmetadata/a = ExtResource(\"1\")\n";
    let bytes = "[gd_resource type=\"Resource\" format=4]\n\n[resource]\nmetadata/a = PackedByteArray(\"AAAA\")\n";
    let after = text(&plan(scene, bytes, "1", false).unwrap());
    let id = after.split("id=\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
    assert_eq!(
        after,
        format!(
            "[gd_scene load_steps=2 format=4]\n\n[sub_resource type=\"Resource\" id=\"{id}\"]\nmetadata/a = PackedByteArray(\"AAAA\")\n\n\
             [node name=\"A\" type=\"Node\"]\nmetadata/a = SubResource(\"{id}\")\n"
        )
    );
}

#[test]
fn by_its_path() {
    let by_id = plan(SCENE, MATERIAL, "1_m", false).unwrap();
    assert_eq!(plan(SCENE, MATERIAL, "res://steel.tres", false).unwrap(), by_id);
}

#[test]
fn refused() {
    let message =
        |id: &str, removes: bool| plan(SCENE, MATERIAL, id, removes).unwrap_err().to_string();
    assert_eq!(
        message("3_m", false),
        "`res://a.tscn` has no ext_resource `3_m`; did you mean `1_m`?"
    );
    assert_eq!(message("2_a", false), "`res://a.png` is not a text resource (`.tres`)");
    assert_eq!(
        message("1_m", true),
        "`res://steel.tres` cannot be removed: `res://other.gd` also uses it"
    );
    let gone = SCENE.replace("steel.tres", "gone.tres");
    assert!(matches!(
        plan(&gone, MATERIAL, "1_m", false).unwrap_err(),
        RefactorError::NoSuchFile { .. }
    ));
    let circle =
        MATERIAL.replace("Texture2D\" path=\"res://a.png", "PackedScene\" path=\"res://a.tscn");
    assert_eq!(
        plan(SCENE, &circle, "1_m", false).unwrap_err().to_string(),
        "`res://steel.tres` uses the scene itself"
    );
    let old = MATERIAL.replace("format=3", "format=2");
    assert!(
        plan(SCENE, &old, "1_m", false)
            .unwrap_err()
            .to_string()
            .contains("different Godot versions")
    );
}

/// Tags and blank lines end as those of the scene.
#[test]
fn line_ends_of_windows() {
    let windows = |text: &str| text.replace('\n', "\r\n");
    let scene = "[gd_scene load_steps=2 format=3]\n\n[ext_resource type=\"Resource\" path=\"res://steel.tres\" id=\"1\"]\n\n\
                 [node name=\"A\" type=\"Node\"]\nmetadata/a = ExtResource(\"1\")\n";
    let material = "[gd_resource type=\"Resource\" format=3]\n\n[ext_resource type=\"Texture2D\" path=\"res://a.png\" id=\"2\"]\n\n\
                    [resource]\nmetadata/a = ExtResource(\"2\")\n";
    let unix = text(&plan(scene, material, "1", false).unwrap());
    let after = text(&plan(&windows(scene), &windows(material), "1", false).unwrap());
    assert_eq!(after, windows(&unix));
}

/// A script may load a removed file by a path that it builds.
#[test]
fn others_that_may_use_it() {
    let folder = tempfile::tempdir().unwrap();
    let files = [
        ("project.godot", SETTINGS),
        ("a.tscn", SCENE),
        ("steel.tres", "[gd_resource type=\"StandardMaterial3D\" format=3]\n\n[resource]\n"),
        ("a.png", ""),
        ("other.gd", "func a(name):\n\treturn load(\"res://st%s.tres\" % name)\n"),
        ("third.gd", "func a(name):\n\treturn load(\"res://iron%s.tres\" % name)\n"),
    ];
    files.iter().for_each(|(path, text)| fs::write(folder.path().join(path), text).unwrap());
    let project = Project::open(folder.path()).unwrap();
    let doubts = |removes: bool| {
        let plan = inline(&project, "res://a.tscn", "1_m", removes).unwrap();
        plan.doubts
            .into_iter()
            .map(|place| format!("{}: {}", place.path, place.what))
            .collect::<Vec<_>>()
    };
    assert_eq!(doubts(false), [""; 0]);
    assert_eq!(
        doubts(true),
        [
            "res://other.gd: may use `res://steel.tres`, which will be removed: its path may be built at run time: \"res://st….tres\" in res://other.gd:2"
        ]
    );
}
