//! `git mergetool --tool gdscene`.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use crate::common::scratch;

const BASE: &str = "[gd_scene format=3]\n\n[node name=\"A\" type=\"Node2D\"]\nposition = Vector2(1, 2)\n\n[node name=\"B\" type=\"Node2D\" parent=\".\"]\nrotation = 0.5\n";
const PATH: &str = "a folder/le'vel.tscn";

struct Repository(PathBuf);

impl Repository {
    /// A repository in which two branches changed a scene and are being merged; `main` is checked out.
    fn with_conflicts(name: &str, base: Option<&str>, has_driver: bool) -> Self {
        let place = Self(scratch(name));
        place.git(&["init", "-q", "-b", "main"], "");
        let program = env!("CARGO_BIN_EXE_gdscene");
        let install = Command::new(program).current_dir(&place.0).args(["git", "install"]).output();
        assert!(install.unwrap().status.success());
        if !has_driver {
            fs::write(place.0.join(".gitattributes"), "").unwrap();
        }
        place.commit(base);
        place.git(&["checkout", "-q", "-b", "theirs"], "");
        place.commit(Some(&scene(5, "0.5")));
        place.git(&["checkout", "-q", "main"], "");
        place.commit(Some(&scene(3, "1.5")));
        assert!(!place.git(&["merge", "-q", "theirs"], "").status.success());
        place
    }

    fn commit(&self, text: Option<&str>) {
        if let Some(text) = text {
            fs::create_dir_all(self.0.join("a folder")).unwrap();
            fs::write(self.0.join(PATH), text).unwrap();
        }
        self.git(&["add", "-A"], "");
        assert!(self.git(&["commit", "-q", "--allow-empty", "-m", "a"], "").status.success());
    }

    fn git(&self, arguments: &[&str], input: &str) -> Output {
        let mut command = Command::new("git");
        command.current_dir(&self.0).args(["-c", "user.name=a", "-c", "user.email=a@b"]);
        command.env("GIT_CONFIG_GLOBAL", self.0.join("none")).env("GIT_CONFIG_NOSYSTEM", "1");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.args(arguments).spawn().unwrap();
        // A program that reads nothing may be gone by now.
        let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
        child.wait_with_output().unwrap()
    }

    fn tool(&self, answers: &str) -> Output {
        self.git(&["mergetool", "--no-prompt", "--tool", "gdscene"], answers)
    }

    fn read(&self) -> String {
        fs::read_to_string(self.0.join(PATH)).unwrap()
    }

    fn is_unmerged(&self) -> bool {
        !self.git(&["ls-files", "--unmerged"], "").stdout.is_empty()
    }
}

fn scene(position: u32, rotation: &str) -> String {
    BASE.replace("Vector2(1, 2)", &format!("Vector2({position}, 2)")).replace("0.5", rotation)
}

#[test]
fn what_the_driver_left_is_asked_for() {
    let place = Repository::with_conflicts("mergetool", Some(BASE), true);
    let output = place.tool("t\n");
    let told = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success() && told.contains("theirs Vector2(5, 2)"), "{told}");
    assert_eq!((place.read(), place.is_unmerged()), (scene(5, "1.5"), false));
}

#[test]
fn what_is_left_open_stays() {
    let place = Repository::with_conflicts("mergetool-left", Some(BASE), true);
    // Work on the file since the merge is not lost.
    let edited = place.read().replace("rotation = 1.5", "rotation = 2.5");
    fs::write(place.0.join(PATH), &edited).unwrap();
    assert!(!place.tool("l\n").status.success());
    assert_eq!((place.read(), place.is_unmerged()), (edited, true));
    let settled = scene(3, "2.5");
    fs::write(place.0.join(PATH), &settled).unwrap();
    let output = place.tool("");
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success() && told.contains("no conflicts; run `git add "), "{told}");
    assert_eq!((place.read(), place.is_unmerged()), (settled, true));
}

#[test]
fn what_git_merged_by_lines_is_merged_again() {
    let place = Repository::with_conflicts("mergetool-lines", Some(BASE), false);
    assert!(place.read().contains("<<<<<<<"));
    assert!(place.tool("b\n").status.success());
    assert_eq!((place.read(), place.is_unmerged()), (scene(1, "1.5"), false));
}

#[test]
fn files_that_both_sides_added() {
    let place = Repository::with_conflicts("mergetool-added", None, false);
    assert!(place.tool("o\nt\n").status.success());
    assert_eq!((place.read(), place.is_unmerged()), (scene(3, "0.5"), false));
}
