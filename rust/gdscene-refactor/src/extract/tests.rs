use std::fs;

use godot_project::{Plan, Project};

use crate::tests::carried_out;
use crate::{RefactorError, extract, inline};

const SCENE: &str = "\
[gd_scene format=3 uid=\"uid://cqq2j4h8p6vy1\"]

[ext_resource type=\"Script\" uid=\"uid://bq8ubm3xk6c4u\" path=\"res://item.gd\" id=\"1_item\"]
[ext_resource type=\"Texture2D\" path=\"res://steel.png\" id=\"2_steel\"]

[sub_resource type=\"Gradient\" id=\"Gradient_a\"]
colors = PackedColorArray(1, 0, 0, 1)

[sub_resource type=\"GradientTexture1D\" id=\"GradientTexture1D_b\"]
gradient = SubResource(\"Gradient_a\")

[sub_resource type=\"Resource\" id=\"Resource_c\"]
script = ExtResource(\"1_item\")
icon = SubResource(\"GradientTexture1D_b\")
others = [ExtResource(\"2_steel\")]

[sub_resource type=\"GDScript\" id=\"GDScript_d\"]
script/source = \"extends Node

func _ready():
	print(\\\"hello\\\")
\"

[node name=\"A\" type=\"Node\"]
script = SubResource(\"GDScript_d\")
metadata/item = SubResource(\"Resource_c\")
metadata/both = [SubResource(\"Resource_c\"), ExtResource(\"2_steel\")]
";

/// A folder with a project of Godot 4.6, and this scene.
fn folder(scene: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let files = [
        (
            "project.godot",
            "config_version=5\n\n[application]\n\nconfig/name=\"Game\"\nconfig/features=PackedStringArray(\"4.6\")\n",
        ),
        ("item.gd", "class_name Item\nextends Resource\n"),
        ("item.gd.uid", "uid://bq8ubm3xk6c4u\n"),
        ("steel.png", ""),
        ("a.tscn", scene),
    ];
    files.iter().for_each(|(path, text)| fs::write(folder.path().join(path), text).unwrap());
    folder
}

fn plan(scene: &str, id: &str, new: &str) -> Result<Plan, RefactorError> {
    extract(&Project::open(folder(scene).path()).unwrap(), "res://a.tscn", id, new)
}

fn text_of(plan: &Plan, path: &str) -> String {
    let file = plan
        .files
        .iter()
        .find(|file| file.path == path)
        .unwrap_or_else(|| panic!("no {path}: {plan:#?}"));
    String::from_utf8(file.new_text()).unwrap()
}

#[test]
fn resource_with_its_parts() {
    let plan = plan(SCENE, "Resource_c", "res://item.tres").unwrap();
    let new = text_of(&plan, "res://item.tres");
    let uid = new.split('"').find(|text| text.starts_with("uid://")).unwrap();
    assert_eq!(
        new,
        format!(
            "[gd_resource type=\"Resource\" script_class=\"Item\" format=3 uid=\"{uid}\"]\n\n\
             [ext_resource type=\"Script\" uid=\"uid://bq8ubm3xk6c4u\" path=\"res://item.gd\" id=\"1_item\"]\n\
             [ext_resource type=\"Texture2D\" path=\"res://steel.png\" id=\"2_steel\"]\n\n\
             [sub_resource type=\"Gradient\" id=\"Gradient_a\"]\ncolors = PackedColorArray(1, 0, 0, 1)\n\n\
             [sub_resource type=\"GradientTexture1D\" id=\"GradientTexture1D_b\"]\ngradient = SubResource(\"Gradient_a\")\n\n\
             [resource]\nscript = ExtResource(\"1_item\")\nicon = SubResource(\"GradientTexture1D_b\")\nothers = [ExtResource(\"2_steel\")]\n"
        )
    );
    let scene = text_of(&plan, "res://a.tscn");
    let id =
        scene.split("item.tres\" id=\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
    assert!(id.starts_with("3_") && id.len() == 7, "{id}");
    let expected = SCENE.replace("[ext_resource type=\"Script\" uid=\"uid://bq8ubm3xk6c4u\" path=\"res://item.gd\" id=\"1_item\"]\n", "");
    let (start, end) = (
        expected.find("[sub_resource").unwrap(),
        expected.find("[sub_resource type=\"GDScript\"").unwrap(),
    );
    let expected = format!(
        "{}[ext_resource type=\"Resource\" uid=\"{uid}\" path=\"res://item.tres\" id=\"{id}\"]\n\n{}",
        expected[..start].trim_end_matches('\n').to_owned() + "\n",
        &expected[end..]
    );
    assert_eq!(
        scene,
        expected.replace("SubResource(\"Resource_c\")", &format!("ExtResource(\"{id}\")"))
    );
    assert!(plan.doubts.is_empty() && plan.removals.is_empty());
}

#[test]
fn script_becomes_a_file_of_code() {
    let plan = plan(SCENE, "GDScript_d", "res://sub/door.gd").unwrap();
    assert_eq!(
        text_of(&plan, "res://sub/door.gd"),
        "extends Node\n\nfunc _ready():\n\tprint(\"hello\")\n"
    );
    let uid = text_of(&plan, "res://sub/door.gd.uid");
    let scene = text_of(&plan, "res://a.tscn");
    let tag = format!(
        "[ext_resource type=\"Script\" uid=\"{}\" path=\"res://sub/door.gd\" id=\"3_",
        uid.trim_end()
    );
    assert!(scene.contains(&tag) && !scene.contains("GDScript"), "{scene}");
    assert!(plan.doubts.is_empty());
    let relative = SCENE.replace("extends Node\n\nfunc", "extends \\\"base.gd\\\"\n\nfunc");
    let plan = super::tests::plan(&relative, "GDScript_d", "res://sub/door.gd").unwrap();
    assert_eq!(plan.doubts[0].what, "its code names a file by a path relative to its own folder");
}

#[test]
fn refused() {
    let message = |id: &str, new: &str| plan(SCENE, id, new).unwrap_err().to_string();
    assert_eq!(
        message("Gradient_b", "res://b.tres"),
        "`res://a.tscn` has no sub_resource `Gradient_b`; did you mean `Gradient_a`?"
    );
    assert_eq!(
        message("Resource_c", "res://item.gd"),
        "`res://item.gd` is not a valid path of a new file: a Resource needs a file with the extension .tres"
    );
    assert_eq!(
        message("GDScript_d", "res://a.tres"),
        "`res://a.tres` is not a valid path of a new file: a GDScript needs a file with the extension .gd"
    );
    let taken = SCENE.replace("GDScript\"", "Shader\"").replace("script/source", "code");
    assert_eq!(
        plan(&taken, "GDScript_d", "res://../a.tres").unwrap_err().to_string(),
        "`res://../a.tres` is not a valid path of a new file: it is not a path inside the project"
    );
    for taken in ["res://item.gd", "res://Item.gd"] {
        let error = plan(SCENE, "GDScript_d", taken).unwrap_err();
        assert!(matches!(error, RefactorError::Clash { .. }), "{taken}: {error}");
    }
    for invalid in ["res://.godot/d.gd", "res://a:b.gd", "res://x/nul.gd"] {
        let error = plan(SCENE, "GDScript_d", invalid).unwrap_err();
        assert!(matches!(error, RefactorError::InvalidName { .. }), "{invalid}: {error}");
    }
    let shared = SCENE.replace(
        "metadata/item =",
        "metadata/gradient = SubResource(\"Gradient_a\")\nmetadata/item =",
    );
    assert_eq!(
        plan(&shared, "Resource_c", "res://item.tres").unwrap_err().to_string(),
        "`Gradient_a`, a part of `Resource_c`, is also used by the node `A`, which would then have a separate copy; \
         extract `Gradient_a` first"
    );
    let unused = SCENE.replace("script = SubResource(\"GDScript_d\")\n", "");
    assert_eq!(
        plan(&unused, "GDScript_d", "res://d.gd").unwrap_err().to_string(),
        "nothing uses `GDScript_d`"
    );
    let broken = SCENE.replace("[node name", "[node x = (");
    assert!(matches!(
        plan(&broken, "GDScript_d", "res://d.gd").unwrap_err(),
        RefactorError::Broken { .. }
    ));
}

/// `load_steps` and numbers as ids, as older versions write them.
#[test]
fn older_versions() {
    let godot_3 = "[gd_scene load_steps=3 format=2]\n\n[ext_resource path=\"res://steel.png\" type=\"Texture\" id=1]\n\n\
                   [sub_resource type=\"AtlasTexture\" id=1]\natlas = ExtResource( 1 )\n\n\
                   [node name=\"A\" type=\"Sprite\"]\ntexture = SubResource( 1 )\n";
    let plan = plan(godot_3, "1", "res://atlas.tres").unwrap();
    assert_eq!(
        text_of(&plan, "res://atlas.tres"),
        "[gd_resource type=\"AtlasTexture\" load_steps=2 format=2]\n\n[ext_resource path=\"res://steel.png\" type=\"Texture\" id=1]\n\n\
         [resource]\natlas = ExtResource( 1 )\n"
    );
    assert_eq!(
        text_of(&plan, "res://a.tscn"),
        "[gd_scene load_steps=2 format=2]\n\n[ext_resource path=\"res://atlas.tres\" type=\"AtlasTexture\" id=2]\n\n\
         [node name=\"A\" type=\"Sprite\"]\ntexture = ExtResource( 2 )\n"
    );
}

/// The result is the earlier scene, except for ids, and the places of resources and tags.
#[test]
fn there_and_back() {
    let folder = folder(SCENE);
    let project = Project::open(folder.path()).unwrap();
    let there = extract(&project, "res://a.tscn", "Resource_c", "res://item.tres").unwrap();
    carried_out(folder.path(), &there);
    let project = Project::open(folder.path()).unwrap();
    let scene = fs::read_to_string(folder.path().join("a.tscn")).unwrap();
    let id =
        scene.split("item.tres\" id=\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
    let back = inline(&project, "res://a.tscn", id, true).unwrap();
    assert_eq!(back.removals, ["res://item.tres"]);
    carried_out(folder.path(), &back);
    let after = fs::read_to_string(folder.path().join("a.tscn")).unwrap();
    let new_id = after
        .split("type=\"Resource\" id=\"")
        .nth(1)
        .and_then(|rest| rest.split('"').next())
        .unwrap();
    let parts = |text: &str| {
        let mut parts: Vec<String> = text
            .split("\n\n[")
            .flat_map(|part| part.split("\n["))
            .map(|part| part.trim().trim_start_matches('[').to_owned())
            .collect();
        parts.sort();
        parts
    };
    assert_eq!(parts(&after.replace(new_id, "Resource_c")), parts(SCENE));
    assert!(after.find("Gradient_a").unwrap() < after.find("GradientTexture1D_b\"]").unwrap());
}

/// A resource inside a scene may be named by other files.
#[test]
fn named_from_outside() {
    let folder = folder(SCENE);
    let other = "[gd_scene format=3]\n\n[ext_resource type=\"Resource\" path=\"res://a.tscn::Resource_c\" id=\"1\"]\n\n\
                 [node name=\"A\" type=\"Node\"]\nmetadata/a = ExtResource(\"1\")\n";
    fs::write(folder.path().join("other.tscn"), other).unwrap();
    let plan = extract(
        &Project::open(folder.path()).unwrap(),
        "res://a.tscn",
        "Resource_c",
        "res://item.tres",
    )
    .unwrap();
    let doubts: Vec<(&str, &str)> =
        plan.doubts.iter().map(|doubt| (doubt.path.as_str(), doubt.what.as_ref())).collect();
    assert_eq!(
        doubts,
        [(
            "res://other.tscn",
            "this file refers to `Resource_c` inside the scene, which no longer contains it"
        )]
    );
}

#[test]
fn line_ends_of_windows() {
    let windows = |text: &str| text.replace('\n', "\r\n");
    let scene = |scene: &str| {
        let plan = plan(scene, "Resource_c", "res://x.tres").unwrap();
        let created = text_of(&plan, "res://x.tres");
        assert!(!created.contains('\r'), "as Godot saves it: {created}");
        // It depends on the content.
        let uid = created.split("uid=\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
        text_of(&plan, "res://a.tscn").replace(uid, "uid://a")
    };
    assert_eq!(scene(&windows(SCENE)), windows(&scene(SCENE)));
}

#[test]
fn what_a_script_file_cannot_hold() {
    let named = SCENE.replace("script/source = ", "resource_name = \"Door\"\nscript/source = ");
    let plan = plan(&named, "GDScript_d", "res://door.gd").unwrap();
    let doubts: Vec<&str> = plan.doubts.iter().map(|doubt| &*doubt.what).collect();
    assert_eq!(doubts, ["the file of a GDScript cannot hold `resource_name`"]);
    assert_eq!(plan.doubts[0].span.of(named.as_bytes()), b"resource_name = \"Door\"");
}
