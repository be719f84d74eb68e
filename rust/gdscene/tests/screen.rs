//! The shown diagnostics, their order, and the last lines, which count the hidden ones.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::common::{caches, scratch};
use serde_json::Value;

/// With an error, warnings, two of them equal and with fixes, and an info.
const BROKEN: &str = "[gd_scene format=3]\n\n\
    [ext_resource type=\"Script\" path=\"res://a.gd\" id=\"1_a\"]\n\
    [ext_resource type=\"Script\" path=\"res://a.gd\" id=\"2_a\"]\n\n; A note.\n\
    [node name=\"A\" type=\"Node\"]\nx = ExtResource(\"3_a\")\n";

/// A project with two broken scenes, one of them in an addon.
fn project(name: &str) -> PathBuf {
    let folder = scratch(name);
    let write = |name: &str, text: &str| fs::write(folder.join(name), text).unwrap();
    write("project.godot", "config_version=5\n\n[application]\nconfig/name=\"Mine\"\n");
    write("a.gd", "extends Node\n");
    fs::create_dir_all(folder.join("addons/gut")).unwrap();
    write("addons/gut/other.tscn", BROKEN);
    write("own.tscn", BROKEN);
    write("too.tscn", BROKEN);
    folder
}

fn output(folder: &Path, args: &[&str]) -> (i32, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_gdscene"))
        .args(args)
        .current_dir(folder)
        .env("XDG_CACHE_HOME", caches())
        .output()
        .unwrap();
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "");
    (output.status.code().unwrap(), String::from_utf8(output.stdout).unwrap())
}

fn check(folder: &Path, args: &[&str]) -> (i32, String) {
    output(folder, &[&["check", "."], args].concat())
}

#[test]
fn a_whole_screen() {
    let folder = project("screen_whole");
    let (code, screen) = check(&folder, &[]);
    assert_eq!(code, 1);
    insta::assert_snapshot!(screen);
}

#[test]
fn everything() {
    let folder = project("screen_all");
    let (_, screen) = check(&folder, &["--all", "--output", "concise", "--third-party"]);
    insta::assert_snapshot!(screen);
    let (_, by_file) =
        check(&folder, &["--all", "--output", "concise", "--third-party", "--sort", "file"]);
    insta::assert_snapshot!(by_file);
    let sorted = |text: &str| {
        let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
        lines.sort();
        lines
    };
    assert_eq!(sorted(&screen), sorted(&by_file));
    let (_, each) = check(&folder, &["--each"]);
    assert_eq!(each.matches("REF007").count(), 4, "{each}");
    assert!(!each.contains(" more"), "{each}");
    let (_, in_files) = check(&folder, &["--each", "--sort", "file"]);
    let paragraphs = |text: &str| {
        let mut all: Vec<String> = text.split("\n\n").map(str::to_owned).collect();
        all.sort();
        all
    };
    assert_eq!(paragraphs(&each), paragraphs(&in_files));
    assert_ne!(each, in_files);
}

/// Missing files of one folder or addon are one entry, whatever their names are.
#[test]
fn a_missing_folder_is_shown_once() {
    let folder = scratch("screen_causes");
    let write = |name: &str, text: &str| fs::write(folder.join(name), text).unwrap();
    write("project.godot", "config_version=5\n");
    for name in ["a", "b"] {
        let texture = |number: usize| {
            format!(
                "[ext_resource type=\"Texture2D\" path=\"res://art/{name}/{number}.png\" id=\"{number}\"]\n"
            )
        };
        let script = "[ext_resource type=\"Script\" path=\"res://addons/gut/x.gd\" id=\"x\"]\n";
        let externals: String = (0..3).map(texture).collect();
        let uses = "metadata/a = [ExtResource(\"0\"), ExtResource(\"1\"), ExtResource(\"2\"), ExtResource(\"x\")]";
        let scene = format!(
            "[gd_scene format=3]\n\n{externals}{script}\n[node name=\"A\" type=\"Node\"]\n{uses}\n"
        );
        write(&format!("{name}.tscn"), &scene);
    }
    let (code, screen) = check(&folder, &[]);
    assert_eq!(code, 1);
    insta::assert_snapshot!(screen);
    let (_, each) = check(&folder, &["--each"]);
    assert_eq!(each.matches("RES001").count(), 8, "{each}");
}

#[test]
fn the_filter_is_the_same_in_all_formats() {
    let folder = project("screen_formats");
    let codes = |args: &[&str]| {
        let (_, text) = check(&folder, &[&["--output", "json"], args].concat());
        let found: Vec<Value> = serde_json::from_str(&text).unwrap();
        found.iter().map(|found| found["severity"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let count = |args: &[&str]| {
        let all = codes(args);
        ["error", "warning", "info"].map(|word| all.iter().filter(|found| *found == word).count())
    };
    let [errors, warnings, infos] = count(&["--all"]);
    assert!(errors > 0 && warnings > 0 && infos > 0);
    assert_eq!(count(&[]), [errors, warnings, 0]);
    assert_eq!(count(&["--severity", "error"]), [errors, 0, 0]);
    assert_eq!(count(&["--severity", "info"]), [errors, warnings, infos]);
    for (format, line) in [("sarif", "\"ruleId\""), ("github", "::"), ("gitlab", "check_name")] {
        let (_, text) = check(&folder, &["--output", format]);
        let lines = text.lines().filter(|text| text.contains(line) && !text.contains("rules"));
        assert_eq!(lines.count(), errors + warnings, "{format}: {text}");
    }
    // A selected rule shows its diagnostics.
    assert!(count(&["--select", "ALL"])[2] > 0);
}

#[test]
fn the_exit_status() {
    let folder = project("screen_status");
    let code = |args: &[&str]| check(&folder, args).0;
    let error_free = ["--ignore", "REF001"];
    let quiet = ["--ignore", "REF,TREE"];
    assert_eq!(code(&[]), 1);
    assert_eq!(code(&["--fail-on", "never"]), 0);
    assert_eq!(code(&error_free), 1);
    assert_eq!(code(&[&error_free[..], &["--fail-on", "error"]].concat()), 0);
    assert_eq!(code(&[&error_free[..], &["--severity", "error"]].concat()), 0);
    let hidden = ["--severity", "error", "--fail-on", "warning"];
    assert_eq!(code(&[&error_free[..], &hidden].concat()), 1);
    assert_eq!(code(&quiet), 0);
    assert_eq!(code(&[&quiet[..], &["--fail-on", "info"]].concat()), 1);
}

#[test]
fn the_last_line_agrees_with_the_screen() {
    let folder = project("screen_last");
    let last = |args: &[&str]| check(&folder, args).1.lines().last().unwrap().to_owned();
    insta::assert_snapshot!(
        [
            last(&[]),
            last(&["--severity", "error"]),
            last(&["--all"]),
            last(&["--ignore", "REF,TREE"]),
            last(&["--ignore", "REF,TREE", "--all"]),
            last(&["--ignore", "REF001", "--severity", "error"]),
            last(&["--ignore", "ALL"]),
        ]
        .join("\n")
    );
    let only_settings = output(&folder, &["check", "project.godot"]).1;
    assert_eq!(only_settings, "1 settings file checked: nothing found\n");
}

#[test]
fn statistics() {
    let folder = project("screen_statistics");
    let (code, table) = check(&folder, &["--statistics"]);
    assert_eq!(code, 1);
    insta::assert_snapshot!(table);
    let (_, text) = check(&folder, &["--statistics", "--output", "json", "--all"]);
    let rules: Vec<Value> = serde_json::from_str(&text).unwrap();
    let (_, text) = check(&folder, &["--output", "json", "--all"]);
    let found: Vec<Value> = serde_json::from_str(&text).unwrap();
    let counted: u64 = rules.iter().map(|rule| rule["count"].as_u64().unwrap()).sum();
    assert_eq!(counted as usize, found.len());
    let fixable = |kind: &str| {
        let of_kind = |found: &&Value| found["fix"]["applicability"] == kind;
        found.iter().filter(of_kind).count() as u64
    };
    let sum = |key: &str| rules.iter().map(|rule| rule[key].as_u64().unwrap()).sum::<u64>();
    assert_eq!(sum("fixable"), fixable("safe"));
    assert_eq!(sum("unsafe_fixable"), fixable("unsafe"));
    let refused = Command::new(env!("CARGO_BIN_EXE_gdscene"))
        .args(["check", "--statistics", "--output", "sarif", "."])
        .current_dir(&folder)
        .output()
        .unwrap();
    assert_eq!(refused.status.code(), Some(2));
}

/// Many equal diagnostics take no more than a line.
#[test]
fn equal_ones_are_told_once() {
    let folder = scratch("screen_equal");
    let lines = "x = True\n".repeat(50);
    for name in ["a", "b", "c"] {
        let text = format!("[gd_scene format=3]\n\n[node name=\"A\" type=\"Node\"]\n{lines}");
        fs::write(folder.join(format!("{name}.tscn")), text).unwrap();
    }
    let (_, screen) = output(&folder, &["check", ".", "--ignore", "STR"]);
    insta::assert_snapshot!(screen);
}

#[test]
fn a_fix_tells_where_it_fixes_errors_only() {
    let folder = project("screen_fix");
    // A file with an error keeps its contents.
    let text = "[gd_scene format=3]\n\n[ext_resource type=\"Script\" path=\"res://a.gd\" id=\"1\"]\n\n\
                [node name=\"A\" type=\"Node\"]\n";
    fs::write(folder.join("own.tscn"), text).unwrap();
    fs::write(folder.join("addons/gut/other.tscn"), text).unwrap();
    let (_, text) = output(&folder, &["fix", "--dry-run", "."]);
    insta::assert_snapshot!(text);
    let (_, text) = output(&folder, &["fix", "--dry-run", "--third-party", "."]);
    assert!(text.contains("addons/gut/other.tscn: "), "{text}");
}
