//! `gdscene mv`, as it is called.

use std::fs;
use std::path::Path;

use crate::common::{gdscene, scratch};
use testkit::git::git;

const SCENE: &str = "[gd_scene format=3]\n\n[ext_resource type=\"Script\" path=\"res://actors/b.gd\" id=\"1\"]\n\n[node name=\"A\" type=\"Node\"]\nscript = ExtResource(\"1\")\n";

fn write(folder: &Path) {
    let files = [
        ("project.godot", "config_version=5\n\n[application]\n\nrun/main_scene=\"res://a.tscn\"\n"),
        ("a.tscn", SCENE),
        ("actors/b.gd", "extends \"base.gd\"\nconst A = preload(\"res://a.tscn\")\n"),
        ("actors/b.gd.uid", "uid://cqq2j4h8p6vy1\n"),
        ("actors/base.gd", "extends Node\n"),
        ("actors/notes/.gdignore", ""),
        ("actors/notes/todo.txt", "everything\n"),
    ];
    for (name, text) in files {
        fs::create_dir_all(folder.join(name).parent().unwrap()).unwrap();
        fs::write(folder.join(name), text).unwrap();
    }
}

#[test]
fn files_and_folders() {
    let folder = scratch("mv");
    write(&folder);
    let at = |path: &str| folder.join(path).to_str().unwrap().to_owned();
    let text = |path: &str| fs::read_to_string(folder.join(path)).unwrap();
    let mv = |from: &str, to: &str| gdscene(&["mv", &at(from), &at(to)], b"").status.code();
    assert_eq!(mv("actors/b.gd", "scripts/"), Some(0));
    assert_eq!(
        text("scripts/b.gd"),
        "extends \"../actors/base.gd\"\nconst A = preload(\"res://a.tscn\")\n"
    );
    assert_eq!(text("scripts/b.gd.uid"), "uid://cqq2j4h8p6vy1\n");
    assert_eq!(text("a.tscn"), SCENE.replace("actors/b.gd", "scripts/b.gd"));
    // A folder also moves the files that the editor does not see.
    assert_eq!(mv("actors", "scripts"), Some(0));
    assert_eq!(text("scripts/actors/notes/todo.txt"), "everything\n");
    assert_eq!(
        text("scripts/b.gd"),
        "extends \"actors/base.gd\"\nconst A = preload(\"res://a.tscn\")\n"
    );
    // Nothing is replaced, and nothing else is written.
    assert_eq!(mv("a.tscn", "project.godot"), Some(2));
    assert_eq!(mv("gone.tscn", "b.tscn"), Some(2));
    assert_eq!(mv("a.tscn", "../a.tscn"), Some(2));
    let res = |from: &str, to: &str| {
        let folder = folder.to_str().unwrap();
        gdscene(&["mv", "--project", folder, from, to], b"").status.code()
    };
    assert_eq!(res("res://scripts/actors", "res://actors"), Some(0));
    assert_eq!(res("res://scripts/b.gd", "res://actors"), Some(0));
    assert_eq!(text("a.tscn"), SCENE);
    assert_eq!(text("actors/b.gd"), "extends \"base.gd\"\nconst A = preload(\"res://a.tscn\")\n");
}

#[test]
fn what_would_change() {
    let folder = scratch("mv-dry");
    write(&folder);
    let at = |path: &str| folder.join(path).to_str().unwrap().to_owned();
    let output = gdscene(&["mv", "--dry-run", &at("a.tscn"), &at("scenes/main.tscn")], b"");
    assert_eq!(output.status.code(), Some(1));
    let printed = String::from_utf8(output.stdout).unwrap();
    assert!(printed.contains("actors/b.gd:2:20: path in a script"), "{printed}");
    assert!(printed.contains("project.godot:5:17: path in a setting"), "{printed}");
    assert!(folder.join("a.tscn").exists() && !folder.join("scenes").exists());
    let output = gdscene(&["mv", "--diff", &at("a.tscn"), &at("main.tscn")], b"");
    let printed = String::from_utf8(output.stdout).unwrap();
    assert!(printed.contains("+run/main_scene=\"res://main.tscn\""), "{printed}");
    assert!(folder.join("a.tscn").exists());
}

#[test]
fn in_git_and_back() {
    let folder = scratch("mv-git");
    write(&folder);
    let git = |args: &[&str]| git(&folder, args);
    git(&["init", "-q"]);
    git(&["add", "-A"]);
    git(&["commit", "-qm", "first"]);
    let at = |path: &str| folder.join(path).to_str().unwrap().to_owned();
    assert_eq!(gdscene(&["mv", &at("actors"), &at("people")], b"").status.code(), Some(0));
    let status = git(&["status", "--porcelain"]);
    assert!(status.contains("actors/b.gd.uid -> people/b.gd.uid"), "{status}");
    assert!(!status.contains("??"), "{status}");
    // Uncommitted changes are refused.
    assert_eq!(gdscene(&["mv", &at("people"), &at("men")], b"").status.code(), Some(2));
    assert_eq!(gdscene(&["undo", folder.to_str().unwrap()], b"").status.code(), Some(0));
    assert_eq!(git(&["status", "--porcelain"]), "");
}
