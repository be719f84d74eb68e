//! Runs the real program: exit codes, output, odd input.

use std::fs;
use std::path::Path;

use crate::common::{gdscene, run, scratch};

const PROJECT: &str = "tests/fixtures/project";

#[test]
fn a_project() {
    insta::assert_snapshot!(run(&["check", PROJECT], b""));
}

#[test]
fn a_clean_file() {
    insta::assert_snapshot!(run(&["check", "tests/fixtures/project/sub/clean.tscn"], b""));
}

#[test]
fn what_git_and_godot_ignore_is_left_out_unless_named() {
    let folder = scratch("ignored");
    let scene =
        fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join(PROJECT).join("a.tscn")).unwrap();
    for path in ["a.tscn", "named/a.tscn", "left_out/a.tscn", ".hidden/a.tscn", "a.txt"] {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, &scene).unwrap();
    }
    fs::write(folder.join(".gitignore"), "/named\n").unwrap();
    fs::write(folder.join("left_out/.gdignore"), "").unwrap();
    let last_line = |path: &Path| {
        let output = gdscene(&["check", path.to_str().unwrap()], b"");
        String::from_utf8(output.stdout).unwrap().lines().last().unwrap().to_owned()
    };
    assert!(last_line(&folder).starts_with("1 file checked: 2 errors"));
    let output = gdscene(&["check", folder.to_str().unwrap()], b"");
    let said = String::from_utf8(output.stdout).unwrap();
    let left_out = "\nleft out: 1 folder that git ignores; 1 folder with a .gdignore file\n";
    assert!(said.contains(left_out), "{said}");
    for named in ["named/a.tscn", "left_out", "left_out/a.tscn", ".hidden", "a.txt"] {
        let line = last_line(&folder.join(named));
        assert!(line.starts_with("1 file checked: 2 errors"), "{named}: {line}");
    }
}

/// A finding about many files is shown once, whichever of them are checked.
#[test]
fn what_sums_up_findings() {
    let folder = scratch("summaries");
    fs::create_dir_all(folder.join("levels")).unwrap();
    let write = |name: &str, text: &str| fs::write(folder.join(name), text).unwrap();
    write("project.godot", "config_version=5\n");
    let mut scene = "[gd_scene format=3]\n\n".to_owned();
    for number in 0..11 {
        write(&format!("{number}.png"), "");
        scene += &format!(
            "[ext_resource type=\"Texture2D\" uid=\"uid://bq8ubm3xk6c{number}\" path=\"res://{number}.png\" id=\"{number}\"]\n"
        );
    }
    write("levels/a.tscn", &format!("{scene}\n[node name=\"A\" type=\"Node\"]\n"));
    write("other.tscn", "[gd_scene format=3]\n\n[node name=\"A\" type=\"Node\"]\n");
    let shown = |arguments: &[&str]| {
        let paths: Vec<String> =
            arguments.iter().map(|path| folder.join(path).to_str().unwrap().to_owned()).collect();
        let mut all = vec!["check", "--output", "concise"];
        all.extend(paths.iter().map(String::as_str));
        let output = gdscene(&all, b"");
        let said = String::from_utf8(output.stdout).unwrap();
        let is_summary = |line: &&str| {
            line.contains("project.godot:1:1")
                && line.contains("11 files lack their `.import` file")
        };
        (said.lines().filter(is_summary).count(), output.status.code())
    };
    for paths in [&["levels/a.tscn"][..], &["levels"], &[""], &["levels/a.tscn", "project.godot"]] {
        assert_eq!(shown(paths), (1, Some(1)), "{paths:?}");
    }
    assert_eq!(shown(&["other.tscn"]), (0, Some(0)));
}

#[test]
fn standard_input() {
    let text = "[gd_scene format=3]\n\n[node name=\"A\" type=\"Node\"]\nprocess_mode\nx = 1\n";
    insta::assert_snapshot!(run(&["check", "-"], text.as_bytes()));
}

#[test]
fn labels_and_long_lines() {
    let numbers = "1, ".repeat(2000);
    let text = format!(
        "[gd_scene format=3]\n\n[sub_resource type=\"A\" id=\"1\"]\n[sub_resource type=\"B\" id=\"1\"]\n\n\
         [node name=\"A\" type=\"Node\"]\nx = PackedInt32Array({numbers}y, {numbers}1)\n\
         z = SubResource(\"1\")\n"
    );
    insta::assert_snapshot!(run(&["check", "-"], text.as_bytes()));
}

#[test]
fn a_binary_file() {
    let noise: Vec<u8> = (0..=255).collect();
    let folder = scratch("binary");
    let path = folder.join("noise.tscn");
    fs::write(&path, noise).unwrap();
    let output = gdscene(&["check", path.to_str().unwrap()], b"");
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("SYN010"), "{text}");
}

#[test]
fn missing_paths() {
    let clean = "tests/fixtures/project/sub/clean.tscn";
    let output = gdscene(&["check", "no/such.tscn", clean], b"");
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8(output.stderr).unwrap().starts_with("gdscene: no/such.tscn: "));
    let out = String::from_utf8(output.stdout).unwrap();
    assert_eq!(out, "1 file checked: nothing found; 1 path not checked\n");
}

#[test]
fn a_folder_without_scenes() {
    insta::assert_snapshot!(run(&["check", "src/commands"], b""));
}

#[test]
fn colours() {
    let file = "tests/fixtures/project/sub/b.tres";
    let colored = gdscene(&["check", "--color", "always", file], b"").stdout;
    assert!(colored.contains(&0x1b));
    let plain = gdscene(&["check", file], b"").stdout;
    assert!(!plain.contains(&0x1b), "no terminal, no colours");
}

#[test]
fn the_same_output_every_time() {
    let first = run(&["check", PROJECT, "."], b"");
    for _ in 0..5 {
        assert_eq!(run(&["check", PROJECT, "."], b""), first);
    }
}

#[test]
fn explain() {
    insta::assert_snapshot!(run(&["explain", "ref007"], b""));
    assert_eq!(gdscene(&["explain"], b"").stdout, gdscene(&["rules"], b"").stdout);
    assert_eq!(gdscene(&["explain", "NOPE"], b"").status.code(), Some(2));
}

#[test]
fn rules() {
    let table = String::from_utf8(gdscene(&["rules"], b"").stdout).unwrap();
    assert_eq!(table.lines().count(), 1 + gdscene_lint::all_rules().count());
    let line = |code: &str| {
        let line = table.lines().find(|line| line.starts_with(code)).unwrap();
        line.split_whitespace().collect::<Vec<_>>()
    };
    assert_eq!(line("code"), ["code", "name", "severity", "default", "fix"]);
    assert_eq!(line("REF007"), ["REF007", "unused-ext-resource", "warning", "on", "yes"]);
    assert_eq!(line("REF001"), ["REF001", "undefined-ext-id", "error", "on", "-"]);
    let output = gdscene(&["rules", "--output", "json"], b"");
    let list: Vec<serde_json::Value> = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(list.len(), gdscene_lint::all_rules().count());
    let rule = list.iter().find(|rule| rule["code"] == "REF007").unwrap();
    assert_eq!((&rule["severity"], &rule["has_fix"]), (&"warning".into(), &true.into()));
}

#[test]
fn usage() {
    for args in [&[][..], &["check"], &["chek", "."], &["check", "--no-such", "."]] {
        assert_eq!(gdscene(args, b"").status.code(), Some(2), "{args:?}");
    }
    insta::assert_snapshot!(run(&["--help"], b""));
    insta::assert_snapshot!(run(&["check", "--help"], b""));
    assert_eq!(gdscene(&["--version"], b"").status.code(), Some(0));
}
