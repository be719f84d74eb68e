//! `gdscene fix`, `parse`, the output formats, completions and manuals.

use std::fs;

use crate::common::{gdscene, run, scratch};

const BROKEN: &str = "[gd_scene format=3]\n\n[ext_resource type=\"Script\" path=\"res://a.gd\" id=\"1\"]\n\n\
                      [node name=\"A\" type=\"Node\"]\nvisible = True\n";

#[test]
fn writes_files() {
    let folder = scratch("fix");
    let (good, broken) = (folder.join("good.tscn"), folder.join("broken.tscn"));
    let exported = folder.join("exported.escn");
    fs::write(&good, "[gd_scene format=3]\n\n[node name=\"A\" type=\"Node\"]\n").unwrap();
    fs::write(&broken, BROKEN).unwrap();
    fs::write(&exported, BROKEN).unwrap();
    let output = gdscene(&["fix", folder.to_str().unwrap()], b"");
    assert_eq!(output.status.code(), Some(0));
    let stdout = String::from_utf8(output.stdout).unwrap();
    assert!(
        stdout.ends_with("nothing left; 1 .escn file left alone, see --force-escn\n"),
        "{stdout}"
    );
    assert!(!fs::read_to_string(&broken).unwrap().contains("True"));
    assert_eq!(fs::read_to_string(&exported).unwrap(), BROKEN);
}

/// The text between the two extra commas could not be read before.
#[test]
fn errors_that_come_to_light() {
    let text = "[gd_resource type=\"ArrayMesh\" format=3]\n\n[resource]\n\
                _surfaces = [{\"primitive\": 99,, \"vertex_count\": 3}, {\"primitive\": 98}]\n";
    let output = gdscene(&["fix", "-"], text.as_bytes());
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert!(
        stderr.contains("4 findings left, see `gdscene check`; 3 errors more than before"),
        "{stderr}"
    );
}

/// As `check`, which shows infos only if they are asked for.
#[test]
fn fixes_what_check_shows() {
    // An error, and an info: `load_steps` is missing.
    let folder = scratch("fix_shown");
    fs::write(folder.join("project.godot"), "config_version=4\n").unwrap();
    fs::write(folder.join("a.gd"), "extends Node2D\n").unwrap();
    let scene = folder.join("a.tscn");
    let text = "[gd_scene format=2]\n\n[ext_resource path=\"res://a.gd\" type=\"Script\" id=1]\n\n\
                [node name=\"A\" type=\"Node2D\"]\nscript = ExtResource( 1 )\nvisible = True\n";
    fs::write(&scene, text).unwrap();
    let last_line = |arguments: &[&str]| {
        let arguments = [arguments, &["--dry-run", scene.to_str().unwrap()]].concat();
        let stdout = String::from_utf8(gdscene(&arguments, b"").stdout).unwrap();
        stdout.lines().last().unwrap_or_default().to_owned()
    };
    let (one, two) = ("1 fix would be applied in 1 file; ", "2 fixes would be applied in 1 file; ");
    assert!(last_line(&["fix"]).starts_with(one), "{}", last_line(&["fix"]));
    assert!(last_line(&["fix"]).ends_with("; --all applies 1 more fix"), "{}", last_line(&["fix"]));
    for all in [&["fix", "--all"][..], &["fix", "--severity", "info"], &["fix", "--select", "ALL"]]
    {
        assert!(last_line(all).starts_with(two), "{all:?}: {}", last_line(all));
    }
    assert!(last_line(&["fix", "--select", "STR015"]).starts_with(one));
}

#[test]
fn diff_writes_nothing() {
    let folder = scratch("fix_diff");
    let broken = folder.join("broken.tscn");
    fs::write(&broken, BROKEN).unwrap();
    let output = gdscene(&["fix", "--diff", broken.to_str().unwrap()], b"");
    assert_eq!(output.status.code(), Some(1));
    assert!(
        String::from_utf8(output.stdout).unwrap().contains("-visible = True\n+visible = true\n")
    );
    assert_eq!(fs::read_to_string(&broken).unwrap(), BROKEN);
}

#[test]
fn standard_input() {
    insta::assert_snapshot!(run(&["fix", "-"], BROKEN.as_bytes()));
}

#[test]
fn a_file_that_is_not_there() {
    let output = gdscene(&["fix", "there_is_none.tscn"], b"");
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn output_formats() {
    insta::assert_snapshot!(run(&["check", "--output", "concise", "-"], BROKEN.as_bytes()));
    insta::assert_snapshot!(run(&["check", "--output", "jsonl", "-"], BROKEN.as_bytes()));
}

#[test]
fn json_is_one_list() {
    let folder = scratch("json");
    for name in ["a.tscn", "b.tscn", "c.tscn"] {
        fs::write(folder.join(name), BROKEN).unwrap();
    }
    fs::write(folder.join("b.tscn"), "[gd_scene format=3]\n\n[node name=\"A\" type=\"Node\"]\n")
        .unwrap();
    let list = |path: &str| -> serde_json::Value {
        let output = gdscene(&["check", "--output", "json", path], b"");
        serde_json::from_slice(&output.stdout).expect("JSON")
    };
    assert_eq!(list(folder.to_str().unwrap()).as_array().unwrap().len(), 4);
    assert_eq!(list(folder.join("b.tscn").to_str().unwrap()).as_array().unwrap().len(), 0);
}

#[test]
fn rules_that_are_off_by_default() {
    let count = |arguments: &[&str]| {
        let output = gdscene(arguments, BROKEN.as_bytes());
        String::from_utf8(output.stdout).unwrap().matches("REF012").count()
    };
    assert_eq!(count(&["check", "-"]), 0);
    assert_eq!(count(&["check", "--all-rules", "-"]), 1);
}

#[test]
fn parse_gives_data() {
    let output = gdscene(&["parse", "--json", "-"], BROKEN.as_bytes());
    assert_eq!(output.status.code(), Some(1));
    let tree: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let node = &tree["sections"][2];
    assert_eq!(node["tag"], "node");
    assert_eq!(node["fields"][0]["value"], "\"A\"");
    assert_eq!(node["properties"][0]["key"], "visible");
    assert_eq!(node["properties"][0]["line"], 6);
}

#[test]
fn completions_and_manual() {
    let text = |arguments: &[&str]| {
        let output = gdscene(arguments, b"");
        assert_eq!(output.status.code(), Some(0));
        String::from_utf8(output.stdout).unwrap()
    };
    assert!(text(&["completions", "bash"]).contains("_gdscene"));
    let manual = text(&["man"]);
    assert!(manual.contains(".TH") && manual.contains("gdscene\\-check"), "{manual}");
}
