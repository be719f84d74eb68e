//! RES011 in a repository of its own.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use gdscene_lint::{Config, Scope, Workspace};
use godot_project::Project;
use testkit::git::git;

fn diagnostics_of(folder: &Path) -> Vec<String> {
    let workspace = Workspace::of_project(Project::open(folder).unwrap(), Arc::<Config>::default());
    let report = workspace.report(Scope::All);
    let all = report.files.iter().flat_map(|(_, located)| located).map(|found| &found.diagnostic);
    all.filter(|found| found.code == "RES011")
        .map(|found| format!("{}: {}", found.severity.as_str(), found.message))
        .collect()
}

#[test]
fn what_git_does_not_have() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("project.godot", "config_version=5\n");
    write(".gitignore", "secret.gd\n*.uid\n");
    for name in ["known", "secret", "fresh"] {
        write(&format!("{name}.gd"), "extends Node\n");
    }
    write("known.gd.uid", "uid://bq8ubm3xk6c4u\n");
    let scene = "[gd_scene format=3]\n\n\
        [ext_resource type=\"Script\" uid=\"uid://bq8ubm3xk6c4u\" path=\"res://known.gd\" id=\"1\"]\n\
        [ext_resource type=\"Script\" path=\"res://secret.gd\" id=\"2\"]\n\
        [ext_resource type=\"Script\" path=\"res://fresh.gd\" id=\"3\"]\n\n\
        [node name=\"A\" type=\"Node\"]\n\
        metadata/all = [ExtResource(\"1\"), ExtResource(\"2\"), ExtResource(\"3\")]\n";
    write("main.tscn", scene);
    assert_eq!(diagnostics_of(folder.path()), [""; 0], "outside of a repository");

    git(folder.path(), &["init", "--quiet"]);
    git(folder.path(), &["add", "project.godot", ".gitignore", "main.tscn", "known.gd"]);
    assert_eq!(
        diagnostics_of(folder.path()),
        [
            "warning: git ignores `res://known.gd.uid`, which stores the uid",
            "warning: git ignores `res://secret.gd`",
            "info: `res://fresh.gd` is not yet in git; add it",
        ]
    );
}

#[test]
fn what_was_not_imported() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("project.godot", "config_version=5\n");
    for name in ["known.png", "named.png", "fresh.wav", "notes.txt"] {
        write(name, "");
    }
    let scene = "[gd_scene format=3]\n\n\
        [ext_resource type=\"Texture2D\" path=\"res://known.png\" id=\"1\"]\n\
        [ext_resource type=\"Texture2D\" uid=\"uid://bq8ubm3xk6c4u\" path=\"res://named.png\" id=\"2\"]\n\
        [ext_resource type=\"AudioStream\" path=\"res://fresh.wav\" id=\"3\"]\n\
        [ext_resource type=\"Resource\" path=\"res://notes.txt\" id=\"4\"]\n\n\
        [node name=\"A\" type=\"Node\"]\n\
        metadata/all = [ExtResource(\"1\"), ExtResource(\"2\"), ExtResource(\"3\"), ExtResource(\"4\")]\n";
    write("main.tscn", scene);
    let named = "warning: `res://named.png.import`, which Godot writes when it imports the file, does not exist";
    assert_eq!(diagnostics_of(folder.path()), [named], "nothing is imported yet");

    write("known.png.import", "[remap]\n\nimporter=\"texture\"\ntype=\"CompressedTexture2D\"\n");
    assert_eq!(
        diagnostics_of(folder.path()),
        [
            named,
            "info: `res://fresh.wav.import`, which Godot writes when it imports the file, does not exist",
        ]
    );
}

/// One line of a `.gitignore` is one finding, and not one for each reference.
#[test]
fn many_files_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("project.godot", "config_version=5\n");
    write(".gitignore", "*.import\n");
    let mut scene = String::from("[gd_scene format=3]\n\n");
    for number in 0..11 {
        write(&format!("{number}.png"), "");
        scene += &format!(
            "[ext_resource type=\"Texture2D\" uid=\"uid://bq8ubm3xk6c{number}\" path=\"res://{number}.png\" id=\"{number}\"]\n"
        );
    }
    write("a.tscn", &format!("{scene}\n[node name=\"A\" type=\"Node\"]\n"));
    write("b.tscn", &format!("{scene}\n[node name=\"B\" type=\"Node\"]\n"));
    let rest = "22 references in 2 files use these uids";
    let lack = "warning: 11 files lack their `.import` file, which stores the uid";
    assert_eq!(diagnostics_of(folder.path()), [format!("{lack}; {rest}")]);

    git(folder.path(), &["init", "--quiet"]);
    git(folder.path(), &["add", "."]);
    let ignored = format!("{lack}, because git ignores `.import` files; {rest}");
    assert_eq!(diagnostics_of(folder.path()), [ignored]);

    for number in 0..11 {
        let text = format!("[remap]\n\nimporter=\"texture\"\nuid=\"uid://bq8ubm3xk6c{number}\"\n");
        write(&format!("{number}.png.import"), &text);
    }
    let ignored = "warning: git ignores the `.import` files of 11 files, which store their uids";
    assert_eq!(diagnostics_of(folder.path()), [format!("{ignored}; {rest}")]);
}

#[test]
fn many_uid_files_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("project.godot", "config_version=5\n");
    let mut scene = String::from("[gd_scene format=3]\n\n");
    for number in 0..11 {
        write(&format!("{number}.gd"), "extends Node\n");
        scene += &format!(
            "[ext_resource type=\"Script\" uid=\"uid://bq8ubm3xk6c{}\" path=\"res://{number}.gd\" id=\"{number}\"]\n",
            char::from(b'a' + number)
        );
    }
    write("a.tscn", &format!("{scene}\n[node name=\"A\" type=\"Node\"]\n"));
    write("b.tscn", &format!("{scene}\n[node name=\"B\" type=\"Node\"]\n"));
    let rest = "22 references in 2 files use these uids";
    let lack = "warning: 11 files lack their `.uid` file, which stores the uid";
    assert_eq!(diagnostics_of(folder.path()), [format!("{lack}; {rest}")]);

    let workspace =
        Workspace::of_project(Project::open(folder.path()).unwrap(), Arc::<Config>::default());
    let report = workspace.report(Scope::All);
    let all = report.files.iter().flat_map(|(_, located)| located).map(|found| &found.diagnostic);
    let all = all.filter(|found| found.code == "RES011");
    let fixes: Vec<_> = all.filter_map(|found| found.fix.as_ref()).collect();
    assert_eq!(fixes.len(), 1);
    let written: Vec<_> = fixes[0].other_files().iter().map(|file| &*file.path).collect();
    assert_eq!((written.len(), written[10]), (11, "res://9.gd.uid"));

    write(".gitignore", "*.uid\n");
    git(folder.path(), &["init", "--quiet"]);
    git(folder.path(), &["add", "."]);
    let ignored = format!("{lack}, because git ignores `.uid` files; {rest}");
    assert_eq!(diagnostics_of(folder.path()), [ignored]);
}
