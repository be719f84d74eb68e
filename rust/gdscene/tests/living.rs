//! A project's configuration, suppressions, known diagnostics, and its lists of files.

use std::fs;
use std::path::{Path, PathBuf};

use crate::common::{gdscene, gdscene_in, scratch};

const SCENE: &str = "[gd_scene format=3]\n\n[ext_resource type=\"Script\" path=\"res://gone.gd\" id=\"1\"]\n\n\
                     [node name=\"a_node\" type=\"Node\"]\nscript = ExtResource(\"1\")\n";

/// A project with one scene and a missing script.
fn project(name: &str) -> PathBuf {
    let folder = scratch(name);
    fs::create_dir_all(folder.join(".godot")).unwrap();
    fs::create_dir_all(folder.join("levels")).unwrap();
    fs::write(folder.join("project.godot"), "config_version=5\n").unwrap();
    fs::write(folder.join("levels/a.tscn"), SCENE).unwrap();
    folder
}

/// The exit code, and the findings: `a.tscn:3:38 RES001`.
fn check(folder: &Path, arguments: &[&str]) -> (i32, Vec<String>) {
    let mut all = vec!["check", "--output", "jsonl", folder.to_str().unwrap()];
    all.extend(arguments);
    let output = gdscene(&all, b"");
    let stdout = String::from_utf8(output.stdout).unwrap();
    let found = stdout.lines().map(|line| {
        let found: serde_json::Value = serde_json::from_str(line).expect("JSON");
        found["code"].as_str().unwrap().to_owned()
    });
    (output.status.code().unwrap(), found.collect())
}

fn stderr(arguments: &[&str]) -> String {
    let output = gdscene(arguments, b"");
    assert_eq!(output.status.code(), Some(2));
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn the_project_is_looked_at() {
    let folder = project("living_project");
    assert_eq!(check(&folder, &[]), (1, vec!["RES001".to_owned()]));
    assert_eq!(check(&folder, &["--no-project"]), (0, vec![]));
    // The cache gives the same findings.
    assert_eq!(check(&folder.join("levels/../levels/a.tscn"), &[]), (1, vec!["RES001".to_owned()]));
    fs::write(folder.join("gone.gd"), "extends Node\n").unwrap();
    assert_eq!(check(&folder, &[]), (0, vec![]));
}

#[test]
fn a_folder_may_have_several_names() {
    let folder = project("living_names");
    // A file is left out only by its path from the project's folder.
    let ignored = "[per-path-ignores]\n\"levels/a.tscn\" = [\"RES001\"]\n";
    fs::write(folder.join("gdscene.toml"), ignored).unwrap();
    let absolute = folder.join("levels/a.tscn");
    let mut names =
        vec!["levels/a.tscn", "./levels/a.tscn", "levels/../levels/a.tscn", ".//levels/./a.tscn"];
    names.push(absolute.to_str().unwrap());
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("levels", folder.join("linked")).unwrap();
        names.push("linked/a.tscn");
    }
    let found = |names: &[&str]| {
        let arguments = [&["check", "--output", "jsonl"], names].concat();
        let (status, stdout, stderr) = gdscene_in(&folder, &arguments, b"");
        assert!(status < 2, "{names:?}: {stderr}");
        stdout.matches("RES001").count()
    };
    for name in &names {
        assert_eq!(found(&[*name]), usize::from(*name == "linked/a.tscn"), "{name}");
    }
    assert_eq!(found(&names), usize::from(cfg!(unix)));
}

#[test]
fn files_that_godot_does_not_see_are_looked_at_alone() {
    let folder = project("living_unseen");
    fs::write(folder.join("levels/.gdignore"), "").unwrap();
    assert_eq!(check(&folder.join("levels/a.tscn"), &[]), (0, vec![]));
}

#[test]
fn fixes_of_the_project_are_applied() {
    let folder = project("living_fix");
    fs::write(folder.join("here.gd"), "extends Node\n").unwrap();
    fs::write(folder.join("here.gd.uid"), "uid://bq8ubm3xk6c4u\n").unwrap();
    let scene = folder.join("levels/a.tscn");
    let reference = |uid: &str| {
        SCENE.replace("path=\"res://gone.gd\"", &format!("{uid}path=\"res://here.gd\""))
    };
    fs::write(&scene, reference("")).unwrap();
    let path = folder.to_str().unwrap();
    let dry = gdscene(&["fix", "--dry-run", "--select", "missing-uid", path], b"");
    assert_eq!(dry.status.code(), Some(1));
    let stdout = String::from_utf8(dry.stdout).unwrap();
    assert!(stdout.contains("a.tscn: 1 fix would be applied\n"), "{stdout}");
    assert_eq!(fs::read_to_string(&scene).unwrap(), reference(""));
    let fixed = gdscene(&["fix", "--select", "missing-uid", path], b"");
    assert_eq!(fixed.status.code(), Some(0));
    assert_eq!(fs::read_to_string(&scene).unwrap(), reference("uid=\"uid://bq8ubm3xk6c4u\" "));
}

#[test]
fn rules_are_selected() {
    let folder = project("living_select");
    assert_eq!(check(&folder, &["--ignore", "missing-file"]), (0, vec![]));
    let both = vec!["RES001".to_owned(), "STY007".to_owned()];
    assert_eq!(check(&folder, &["--select", "RES001,STY007"]), (1, both.clone()));
    assert_eq!(check(&folder, &["--select", "DEFAULT", "--select", "STY007"]), (1, both));
    let message = stderr(&["check", "--select", "mising-file", folder.to_str().unwrap()]);
    assert_eq!(message, "gdscene: unknown rule `mising-file`; did you mean `missing-file`?\n");
}

#[test]
fn a_configuration() {
    let folder = project("living_config");
    let config = folder.join("gdscene.toml");
    let with = |text: &str| {
        fs::write(&config, text).unwrap();
        check(&folder, &["--all"])
    };
    assert_eq!(with("ignore = [\"RES\"]\n"), (0, vec![]));
    assert_eq!(check(&folder, &["--no-config"]), (1, vec!["RES001".to_owned()]));
    assert_eq!(with("[severity]\nRES001 = \"info\"\n"), (0, vec!["RES001".to_owned()]));
    assert_eq!(check(&folder, &[]), (0, vec![]));
    assert_eq!(with("[per-path-ignores]\n\"levels/**\" = [\"RES001\"]\n"), (0, vec![]));
    assert_eq!(with("[per-path-ignores]\n\"addons/**\" = [\"RES001\"]\n").0, 1);
    let naming = "select = [\"STY007\", \"STY008\"]\n[naming]\nnodes = \"snake_case\"\nfiles = \"[A-Z].*\"\n";
    assert_eq!(with(naming), (0, vec!["STY008".to_owned()]));
    // A file that is named counts instead of the project's.
    let other = folder.join("other.toml");
    fs::write(&other, "ignore = [\"ALL\"]\n").unwrap();
    assert_eq!(check(&folder, &["--config", other.to_str().unwrap()]), (0, vec![]));
    fs::write(&config, "\nselct = []\n").unwrap();
    let message = stderr(&["check", folder.to_str().unwrap()]);
    let expected = "gdscene.toml:2:1: unknown key `selct`; did you mean `select`?\n";
    assert!(message.ends_with(expected), "{message}");
    assert_eq!(check(&folder, &["--no-config"]), (1, vec!["RES001".to_owned()]));
}

#[test]
fn suppressions() {
    let folder = project("living_suppressions");
    let with = |text: &str| {
        fs::write(folder.join("levels/a.tscn"), text).unwrap();
        check(&folder, &["--ignore", "STY006"])
    };
    let above = |comment: &str| SCENE.replace("[ext", &format!("{comment}\n[ext"));
    assert_eq!(with(&above("; gdscene: ignore[RES001] made by the build")), (0, vec![]));
    assert_eq!(with(&above("; gdscene: ignore[missing-file]")), (0, vec![]));
    assert_eq!(with(&format!("; gdscene: ignore[RES001]\n\n{SCENE}")), (0, vec![]));
    assert_eq!(with(&format!("{SCENE}metadata/_lint_ignore = [\"RES001\"]\n")), (0, vec![]));
    let unused = above("; gdscene: ignore[RES001, RES003]");
    assert_eq!(with(&unused), (1, vec!["STY011".to_owned()]));
}

#[test]
fn a_file_from_strangers_cannot_waive_what_makes_it_dangerous() {
    let folder = project("living_untrusted");
    let text = "; gdscene: ignore[SEC001,SEC002,SEC003]\n[gd_resource type=\"Resource\" format=3]\n\n[resource]\n\
                metadata/x = Resource(\"user://a.gd\")\n";
    fs::write(folder.join("levels/a.tres"), text).unwrap();
    fs::write(
        folder.join("gdscene.toml"),
        "ignore = [\"SEC\"]\n[per-path-ignores]\n\"**\" = [\"SEC\"]\n",
    )
    .unwrap();
    let file = folder.join("levels/a.tres");
    assert!(!check(&file, &[]).1.contains(&"SEC003".to_owned()));
    let baseline = folder.join("known.json");
    let baseline = baseline.to_str().unwrap();
    let path = file.to_str().unwrap();
    let written =
        gdscene(&["check", "--profile", "untrusted", "--write-baseline", baseline, path], b"");
    assert_eq!(written.status.code(), Some(0));
    let (code, found) = check(&file, &["--profile", "untrusted", "--baseline", baseline]);
    assert_eq!((code, found.contains(&"SEC003".to_owned())), (1, true), "{found:?}");
}

#[test]
fn known_findings() {
    let folder = project("living_baseline");
    let (known, path) = (folder.join("known.json"), folder.to_str().unwrap());
    let known = known.to_str().unwrap();
    let written = gdscene(&["check", "--write-baseline", known, path], b"");
    assert_eq!(written.status.code(), Some(0));
    let stdout = String::from_utf8(written.stdout).unwrap();
    assert!(stdout.starts_with("1 finding written to "), "{stdout}");
    assert_eq!(check(&folder, &["--baseline", known]), (0, vec![]));
    // Known on another line too.
    let scene = folder.join("levels/a.tscn");
    let moved = SCENE.replace("\n\n[ext", "\n\n\n\n[ext");
    fs::write(&scene, &moved).unwrap();
    assert_eq!(check(&folder, &["--baseline", known]), (0, vec![]));
    // Another file that is missing is new, and so is the same mistake once more.
    let reference = "[ext_resource type=\"Script\" path=\"res://gone.gd\" id=\"1\"]";
    let other = "[ext_resource type=\"Script\" path=\"res://lost.gd\" id=\"2\"]";
    let both = moved.replace(reference, &format!("{reference}\n{other}"))
        + "metadata/x = ExtResource(\"2\")\n";
    fs::write(&scene, &both).unwrap();
    assert_eq!(check(&folder, &["--baseline", known]), (1, vec!["RES001".to_owned()]));
    fs::write(folder.join("known.json"), "{}").unwrap();
    let message = stderr(&["check", "--baseline", known, path]);
    assert!(message.ends_with("not a baseline; write one with --write-baseline\n"), "{message}");
}

#[test]
fn rules_of_projects_are_listed_and_explained() {
    let text = |arguments: &[&str]| {
        let output = gdscene(arguments, b"");
        assert_eq!(output.status.code(), Some(0));
        String::from_utf8(output.stdout).unwrap()
    };
    assert!(text(&["rules"]).contains("RES001"));
    assert!(text(&["explain", "missing-file"]).starts_with("# RES001 missing-file (error)\n"));
    assert!(text(&["explain", "STY011"]).contains("## Use instead"));
}
