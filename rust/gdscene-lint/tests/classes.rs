//! Classes and scripts, through the rules that ask for them.

use std::fs;
use std::sync::Arc;

use gdscene_lint::{Config, Workspace};
use godot_project::{ClassDb, Project};

/// The codes and messages of the rules `codes` for a scene in a project of these files.
fn diagnostics_of(
    files: &[(&str, &str)],
    scene: &str,
    classes: Option<ClassDb>,
    codes: &[&str],
) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("project.godot"), "config_version=5\n").unwrap();
    for (name, text) in files {
        fs::write(folder.path().join(name), text).unwrap();
    }
    let mut project = Project::open(folder.path()).unwrap();
    project.set_classes(classes.map(Arc::new));
    let workspace = Workspace::of_project(project, Arc::<Config>::default());
    let found = workspace.diagnostics("res://main.tscn", scene.as_bytes());
    let found = found.into_iter().filter(|found| codes.contains(&found.code));
    found.map(|found| format!("{} {}", found.code, found.message)).collect()
}

#[test]
fn rules_of_versions_exist() {
    let all: Vec<&str> = gdscene_lint::all_rules().map(|rule| rule.code).collect();
    for code in godot_tscn::rules_of_versions() {
        assert!(all.contains(&code), "{code}");
    }
}

#[test]
fn a_running_editor_knows_classes_of_extensions() {
    let scene =
        "[gd_scene format=3]\n\n[node name=\"A\" type=\"Sprit2D\"]\nheight = 1.0\nwidth = 2\n";
    let codes = &["TREE013", "TREE015"];
    assert_eq!(
        diagnostics_of(&[], scene, None, codes),
        ["TREE013 `Sprit2D` is not a Godot class; did you mean `Sprite2D`?"]
    );
    let live = "=Object\nb80\n=Node\nb80\tObject\t+\n=Sprit2D\nb80\tNode\t+\np80\theight\tfloat\n";
    let live = ClassDb::from_text(live.to_owned());
    let expected = ["TREE015 `Sprit2D` has no property `width`"];
    assert_eq!(diagnostics_of(&[], scene, Some(live), codes), expected);
}

#[test]
fn a_running_editor_knows_that_there_are_no_other_classes() {
    let extension = ("a.gdextension", "");
    let of_class = |class: &str, classes| {
        let scene = format!("[gd_scene format=3]\n\n[node name=\"A\" type=\"{class}\"]\n");
        diagnostics_of(&[extension], &scene, classes, &["TREE013"])
    };
    let live = || Some(ClassDb::from_text("=Object\nb80\n=Node\nb80\tObject\t+\n".to_owned()));
    let none: &[&str] = &[];
    assert_eq!(of_class("SpineSprite", None), none);
    assert_eq!(of_class("SpineSprite", live()), ["TREE013 `SpineSprite` is not a Godot class"]);
    // A class of another version, and one that was renamed since Godot 3.
    assert_eq!(of_class("Node2D", live()), ["TREE013 `Node2D` is not a Godot class"]);
    assert_eq!(of_class("Node", live()), none);
}

/// A line that begins with `#` is reported as a comment that Godot does not know, and once.
#[test]
fn names_that_begin_with_a_hash() {
    let found = |line: &str| {
        let scene = format!("[gd_scene format=3]\n\n[node name=\"A\" type=\"Node2D\"]\n{line}\n");
        diagnostics_of(&[], &scene, None, &["SYN003", "TREE015"])
    };
    let comment = ["SYN003 `#` does not start a comment in this format; write `;`"];
    assert_eq!(found("# a = 1"), comment);
    assert_eq!(found("# \"position\" = Vector2(1, 2)"), comment);
    let unknown = ["TREE015 `Node2D` has no property `#a`"];
    assert_eq!(found("\"#a\" = 1"), unknown);
    assert_eq!(found("visible = false #a = 1"), unknown);
}

/// The findings in a scene with a `Node2D` as its root, with the script `name`, and a connection from the
/// signal `made`.
fn of_script(files: &[(&str, &str)], name: &str) -> Vec<String> {
    let scene = format!(
        "[gd_scene format=3]\n\n[ext_resource type=\"Script\" path=\"res://{name}\" id=\"1\"]\n\n\
         [node name=\"A\" type=\"Node2D\"]\nscript = ExtResource(\"1\")\nvalue = 1\n\n\
         [connection signal=\"made\" from=\".\" to=\".\" method=\"on_made\"]\n"
    );
    let codes = &["TREE015", "SIG002", "SIG003"];
    diagnostics_of(files, &scene, None, codes)
        .iter()
        .map(|found| found[..7].trim().to_owned())
        .collect()
}

#[test]
fn bases_of_scripts_are_followed() {
    const ALL: &str = "extends Node2D\n@export var value\nsignal made\nfunc on_made(): pass\n";
    let none: &[&str] = &[];
    let missing = ["TREE015", "SIG002", "SIG003"];
    assert_eq!(of_script(&[("a.gd", ALL)], "a.gd"), none);
    assert_eq!(of_script(&[("a.gd", "extends Node2D\n")], "a.gd"), missing);
    let named = ("b.gd", &*format!("class_name B\n{ALL}"));
    assert_eq!(of_script(&[("a.gd", "extends B\n"), named], "a.gd"), none);
    assert_eq!(of_script(&[("a.gd", "extends \"b.gd\"\n"), named], "a.gd"), none);
    let loaded = "const Base = preload(\"res://b.gd\")\nextends Base\n";
    assert_eq!(of_script(&[("a.gd", loaded), named], "a.gd"), none);
    let inner = (
        "b.gd",
        "class_name B\nclass Inner extends Node2D:\n\t@export var value\n\tsignal made\n\tfunc on_made(): pass\n",
    );
    assert_eq!(of_script(&[("a.gd", "extends B.Inner\n"), inner], "a.gd"), none);
    assert_eq!(of_script(&[("a.gd", "extends B\n"), inner], "a.gd"), missing);
}

#[test]
fn of_what_is_not_known_nothing_is_said() {
    let none: &[&str] = &[];
    let files = |text| [("a.gd", text)];
    assert_eq!(of_script(&files("extends Unknown\n"), "a.gd"), none);
    assert_eq!(of_script(&files("extends \"gone.gd\"\n"), "a.gd"), none);
    assert_eq!(of_script(&files("extends \"a.gd\"\n"), "a.gd"), none);
    assert_eq!(of_script(&files("extends Node2D\nvar = 1\n"), "a.gd"), none);
    assert_eq!(of_script(&[], "gone.gd"), none);
    let twice = [("a.gd", "extends B\n"), ("b.gd", "class_name B\n"), ("c.gd", "class_name B\n")];
    assert_eq!(of_script(&twice, "a.gd"), none);
    let circle = [("a.gd", "class_name A\nextends B\n"), ("b.gd", "class_name B\nextends A\n")];
    assert_eq!(of_script(&circle, "a.gd"), none);
    assert_eq!(of_script(&[("A.cs", "[Meta] public partial class A : Node2D { }")], "A.cs"), none);
    let missing = ["TREE015", "SIG002", "SIG003"];
    assert_eq!(of_script(&[("A.cs", "public partial class A : Node2D { }")], "A.cs"), missing);
}
