//! `gdscene deps` and `gdscene stats`.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::{gdscene, scratch};
use serde_json::Value;

fn scene(references: &[&str]) -> String {
    let mut text = "[gd_scene format=3]\n\n".to_owned();
    for (number, path) in references.iter().enumerate() {
        let class = if path.ends_with(".tscn") { "PackedScene" } else { "Script" };
        text += &format!("[ext_resource type=\"{class}\" path=\"{path}\" id=\"{number}\"]\n");
    }
    text + "\n[node name=\"A\" type=\"Node\"]\n"
}

/// A project with a circle, a missing file, and a script that names a scene.
fn project(name: &str) -> PathBuf {
    let folder = scratch(name);
    let write = |name: &str, text: &str| fs::write(folder.join(name), text).unwrap();
    write("project.godot", "config_version=5\n[application]\nrun/main_scene=\"res://main.tscn\"\n");
    write("main.tscn", &scene(&["res://player.tscn", "res://player.gd", "res://gone.gd"]));
    write("player.tscn", &scene(&["res://player.gd", "res://bullet.tscn"]));
    write("bullet.tscn", &scene(&["res://player.tscn"]));
    write("player.gd", "extends Node\nconst BULLET = preload(\"res://bullet.tscn\")\n");
    write("alone.tscn", &scene(&[]));
    folder
}

fn run(folder: &Path, args: &[&str], file: &str) -> (String, Option<i32>) {
    let path = folder.join(file);
    let output = gdscene(&[args, &[path.to_str().unwrap()]].concat(), b"");
    let text = String::from_utf8(output.stdout).unwrap();
    (text + &String::from_utf8(output.stderr).unwrap(), output.status.code())
}

#[test]
fn what_a_file_needs() {
    let folder = project("deps");
    let (text, code) = run(&folder, &["deps"], "main.tscn");
    let expected = "\
res://main.tscn
├── res://player.tscn
│   ├── res://player.gd
│   │   └── res://bullet.tscn
│   │       └── res://player.tscn  (see above)
│   └── res://bullet.tscn  (see above)
├── res://player.gd  (see above)
└── res://gone.gd  (missing)
";
    assert_eq!(text, expected);
    assert_eq!(code, Some(1));
    let (text, code) = run(&folder, &["deps"], "alone.tscn");
    assert_eq!((text.as_str(), code), ("res://alone.tscn\n", Some(0)));
}

#[test]
fn what_needs_a_file() {
    let folder = project("deps_reverse");
    let (text, code) = run(&folder, &["deps", "--reverse"], "player.gd");
    assert_eq!(code, Some(0));
    for name in ["main.tscn", "player.tscn", "bullet.tscn", "project.godot"] {
        assert!(text.contains(name), "{text}");
    }
    assert!(!text.contains("alone"), "{text}");
    fs::remove_file(folder.join("bullet.tscn")).unwrap();
    let (text, code) = run(&folder, &["deps", "--reverse"], "bullet.tscn");
    assert_eq!(code, Some(0), "{text}");
    assert!(
        text.starts_with("res://bullet.tscn  (missing)") || text.contains("res://player.tscn"),
        "{text}"
    );
}

#[test]
fn graphs() {
    let folder = project("deps_graph");
    let (text, code) = run(&folder, &["deps", "--graph", "json"], "main.tscn");
    assert_eq!(code, Some(1));
    let graph: Value = serde_json::from_str(&text).unwrap();
    let files = graph["files"].as_array().unwrap();
    assert_eq!(files.iter().filter(|file| file["state"] == "missing").count(), 1);
    let references = graph["references"].as_array().unwrap();
    for reference in references {
        for end in ["from", "to"] {
            assert!(files.iter().any(|file| file["path"] == reference[end]), "{reference}");
        }
    }
    let has = |from: &str, to: &str, kind: &str| {
        let wanted =
            |found: &&Value| found["from"] == from && found["to"] == to && found["kind"] == kind;
        references.iter().any(|found| wanted(&found))
    };
    assert!(has("res://player.gd", "res://bullet.tscn", "mention"));
    assert!(has("res://bullet.tscn", "res://player.tscn", "ext_resource"));
    let (dot, _) = run(&folder, &["deps", "--graph", "dot"], "main.tscn");
    assert!(dot.contains("\"res://bullet.tscn\" -> \"res://player.tscn\";"), "{dot}");
    assert!(dot.contains("color=red"), "{dot}");
    let (mermaid, _) = run(&folder, &["deps", "--graph", "mermaid"], "");
    assert!(mermaid.starts_with("flowchart LR\n") && mermaid.contains(":::missing"), "{mermaid}");
}

#[test]
fn what_cannot_be_told() {
    let folder = project("deps_wrong");
    let (text, code) = run(&folder, &["deps"], "no.tscn");
    assert_eq!(code, Some(2));
    assert!(text.contains("res://no.tscn: file not found"), "{text}");
    let (text, code) = run(&folder, &["deps"], "");
    assert_eq!(code, Some(2));
    assert!(text.contains("--graph"), "{text}");
    let outside = tempfile::tempdir().unwrap();
    let (text, code) = run(outside.path(), &["deps"], "");
    assert_eq!(code, Some(2));
    assert!(text.contains("no `project.godot`"), "{text}");
}

#[test]
fn long_chains_and_circles_end() {
    let folder = scratch("deps_chain");
    fs::write(folder.join("project.godot"), "config_version=5\n").unwrap();
    for number in 0..3000 {
        let next = format!("res://{}.tscn", (number + 1) % 3000);
        fs::write(folder.join(format!("{number}.tscn")), scene(&[&next])).unwrap();
    }
    let (text, code) = run(&folder, &["deps"], "0.tscn");
    assert_eq!(code, Some(0));
    assert!(text.ends_with("res://100.tscn  (more below, see --graph json)\n"), "{text}");
    let (text, _) = run(&folder, &["deps", "--graph", "json"], "0.tscn");
    let graph: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(graph["files"].as_array().unwrap().len(), 3000);
}

#[test]
fn stats() {
    let folder = project("stats");
    let (text, code) = run(&folder, &["stats", "--json"], "");
    assert_eq!(code, Some(0), "{text}");
    let stats: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(stats["files"]["by_extension"][".tscn"]["count"], 4);
    assert_eq!((&stats["nodes"], &stats["ext_resources"]), (&4.into(), &6.into()));
    assert_eq!(stats["largest"][0]["path"], "res://main.tscn");
    let size = fs::metadata(folder.join("main.tscn")).unwrap().len();
    assert_eq!(stats["largest"][0]["bytes"], size);
    let (text, _) = run(&folder, &["stats"], "");
    assert!(text.contains("4 nodes, 0 of them instances"), "{text}");
}
