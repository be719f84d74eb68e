//! `gdscene format`: the text it writes, the files it leaves alone, exit codes.

use std::fs;
use std::path::Path;

use crate::common::{gdscene, run, scratch};

const UNTIDY: &str = "[gd_scene  format=3]\r\n[node name=\"A\" type=\"Node2D\"] ; root\r\n\
                      position=Vector2( 1,2 )\r\n\r\n[connection signal=\"a\" from=\".\" to=\".\" method=\"b\" binds=[1]]";
const TIDY: &str = "[gd_scene format=3]\n\n[node name=\"A\" type=\"Node2D\"] ; root\nposition = Vector2(1, 2)\n\n\
                    [connection signal=\"a\" from=\".\" to=\".\" method=\"b\" binds= [1]]\n";
const BROKEN: &str = "[gd_scene format=3]\n[node name=\"A\" type=\"Node\"]\na = [1\n";

/// The output of `gdscene format` with these arguments for the files in `folder`.
fn run_in(folder: &Path, args: &[&str]) -> String {
    let path = folder.to_str().unwrap();
    let args: Vec<_> = ["format"].iter().chain(args).copied().chain([path]).collect();
    run(&args, b"").replace(&path.replace('\\', "/"), "FOLDER")
}

fn folder(name: &str) -> std::path::PathBuf {
    let folder = scratch(name);
    fs::write(folder.join("a_untidy.tscn"), UNTIDY).unwrap();
    fs::write(folder.join("b_tidy.tscn"), TIDY).unwrap();
    fs::write(folder.join("c_exported.escn"), UNTIDY).unwrap();
    folder
}

#[test]
fn writes_files() {
    let folder = folder("writes_files");
    let tidy_time = fs::metadata(folder.join("b_tidy.tscn")).unwrap().modified().unwrap();
    insta::assert_snapshot!(run_in(&folder, &[]));
    assert_eq!(fs::read_to_string(folder.join("a_untidy.tscn")).unwrap(), TIDY);
    assert_eq!(fs::read_to_string(folder.join("c_exported.escn")).unwrap(), UNTIDY);
    assert_eq!(fs::metadata(folder.join("b_tidy.tscn")).unwrap().modified().unwrap(), tidy_time);
    assert_eq!(fs::read_dir(&folder).unwrap().count(), 3, "no temporary file is left");
    insta::assert_snapshot!(run_in(&folder, &["--check"]));
    insta::assert_snapshot!(run_in(&folder, &["--force-escn"]));
    assert_eq!(fs::read_to_string(folder.join("c_exported.escn")).unwrap(), TIDY);
}

#[test]
fn check_and_diff_write_nothing() {
    let folder = folder("check_and_diff");
    insta::assert_snapshot!(run_in(&folder, &["--check"]));
    insta::assert_snapshot!(run_in(&folder, &["--diff"]).replace('\r', "<CR>"));
    assert_eq!(fs::read_to_string(folder.join("a_untidy.tscn")).unwrap(), UNTIDY);
    assert_eq!(gdscene(&["format", "--check", "--diff", "."], b"").status.code(), Some(2));
}

#[test]
fn check_in_every_output_format() {
    let folder = folder("check_output");
    fs::write(folder.join("d_broken.tscn"), BROKEN).unwrap();
    let check = |format: &str| run_in(&folder, &["--check", "--output", format]);
    insta::assert_snapshot!(check("full"));
    insta::assert_snapshot!(check("concise"));
    insta::assert_snapshot!(check("jsonl"));
    let path = folder.to_str().unwrap();
    let output = gdscene(&["format", "--check", "--output", "json", path], b"");
    assert_eq!(output.status.code(), Some(2), "one file cannot be formatted");
    let list: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(list.as_array().unwrap().len(), 2);
    // The fix of a diagnostic is the text that the command writes.
    let edit = &list[0]["fix"]["edits"][0];
    let place = |key: &str| edit[key].as_u64().unwrap() as usize;
    let mut text = UNTIDY.to_owned();
    text.replace_range(place("start")..place("end"), edit["replacement"].as_str().unwrap());
    assert_eq!(text, TIDY);
    assert_eq!(gdscene(&["format", "--output", "json", path], b"").status.code(), Some(2));
}

#[test]
fn refused_files_do_not_stop_the_others() {
    let folder = folder("refused");
    fs::write(folder.join("0_broken.tscn"), BROKEN).unwrap();
    fs::write(folder.join("z_godot2.tres"), "[gd_resource type=\"A\" format=1]\n").unwrap();
    insta::assert_snapshot!(run_in(&folder, &[]));
    assert_eq!(fs::read_to_string(folder.join("0_broken.tscn")).unwrap(), BROKEN);
    assert_eq!(fs::read_to_string(folder.join("a_untidy.tscn")).unwrap(), TIDY);
    assert_eq!(gdscene(&["format", "no/such.tscn"], b"").status.code(), Some(2));
}

#[test]
fn standard_input() {
    let output = gdscene(&["format", "-"], UNTIDY.as_bytes());
    assert_eq!(String::from_utf8(output.stdout).unwrap(), TIDY);
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &b""[..]));
    assert_eq!(gdscene(&["format", "-"], TIDY.as_bytes()).stdout, TIDY.as_bytes());
    insta::assert_snapshot!(run(&["format", "--check", "-"], UNTIDY.as_bytes()));
    insta::assert_snapshot!(run(&["format", "-"], BROKEN.as_bytes()));
}

/// Not UTF-8, but all in strings.
#[test]
fn other_bytes() {
    let text = b"[gd_scene format=3]\n\n[node name=\"\xff\"]\na=\"\xfe\"\n";
    let output = gdscene(&["format", "-"], text);
    assert_eq!(output.stdout, b"[gd_scene format=3]\n\n[node name=\"\xff\"]\na = \"\xfe\"\n");
    assert!(gdscene(&["format", "--diff", "-"], text).stdout.ends_with(b"+a = \"\xfe\"\n"));
}

/// The version comes from the project around a file, or from the command line.
#[test]
fn targets() {
    let folder = scratch("targets");
    let inner = folder.join("levels");
    fs::create_dir_all(&inner).unwrap();
    let scene = inner.join("a.tscn");
    let project = |features: &str| {
        let text = format!("config_version=5\n\n[application]\n\nconfig/features={features}\n");
        fs::write(folder.join("project.godot"), text).unwrap();
    };
    let formatted = |args: &[&str]| {
        let text =
            "[gd_scene load_steps=2 format=3]\n\n[sub_resource type=\"A\" id=\"A_1\"]\na = 1e6\n";
        fs::write(&scene, text).unwrap();
        let args: Vec<_> =
            ["format", scene.to_str().unwrap()].iter().chain(args).copied().collect();
        let output = gdscene(&args, b"");
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        let text = fs::read_to_string(&scene).unwrap();
        (text.contains("load_steps"), text.contains("1e+06"))
    };
    project("PackedStringArray(\"4.2\", \"C#\")");
    assert_eq!(formatted(&[]), (true, true));
    project("PackedStringArray(\"4.5\")");
    assert_eq!(formatted(&[]), (true, false));
    // The file was saved before 4.6: that is left to the engine, or to an explicit target.
    project("PackedStringArray(\"4.6\", \"Forward Plus\")");
    assert_eq!(formatted(&[]), (true, true));
    assert_eq!(formatted(&["--target", "4.6"]), (false, false));
    assert_eq!(formatted(&["--target", "4.2"]), (true, true));
    // A scene of Godot 4 in a project of Godot 3, and in one of the future.
    fs::write(folder.join("project.godot"), "config_version=4\n").unwrap();
    assert_eq!(formatted(&[]), (true, true));
    project("PackedStringArray(\"9.9\")");
    assert_eq!(formatted(&[]), (true, true));
    let path = scene.to_str().unwrap();
    insta::assert_snapshot!(run(&["format", "--target", "9.9", path], b""));
    insta::assert_snapshot!(run(&["format", "--target", "3.x", "-"], &fs::read(&scene).unwrap()));
}

#[test]
fn help() {
    insta::assert_snapshot!(run(&["format", "--help"], b""));
}
