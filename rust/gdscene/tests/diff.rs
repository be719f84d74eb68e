//! `gdscene diff`, and git with it, as they are called.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::common::scratch;

const BASE: &str = "[gd_scene format=3]\n\n[ext_resource type=\"Texture2D\" path=\"res://icon.svg\" id=\"1_a\"]\n\n[node name=\"A\" type=\"Node2D\"]\nposition = Vector2(1, 2)\nrotation = 0.5\n\n[node name=\"B\" type=\"Sprite2D\" parent=\".\"]\ntexture = ExtResource(\"1_a\")\n";

fn edited() -> String {
    BASE.replace("Vector2(1, 2)", "Vector2(3, 4)").replace("1_a", "2_b")
}

/// A folder, and programs that run in it.
struct TestFolder(PathBuf);

impl TestFolder {
    fn new(name: &str) -> Self {
        Self(scratch(name))
    }

    /// A repository with one commit of the scene in `a folder`.
    fn repository(name: &str) -> Self {
        let place = Self::new(name);
        place.git(&["init", "-q", "-b", "main"]);
        place.write("a folder/le'vel.tscn", BASE);
        place.write("other.txt", "text\n");
        place.commit("first");
        place
    }

    fn write(&self, path: &str, text: &str) {
        let path = self.0.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    fn read(&self, path: &str) -> String {
        fs::read_to_string(self.0.join(path)).unwrap()
    }

    fn commit(&self, message: &str) {
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "-m", message]);
    }

    fn git_command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new("git");
        command.current_dir(&self.0).args(["-c", "user.name=a", "-c", "user.email=a@b"]);
        command.args(["-c", "color.ui=false"]);
        command.env("GIT_CONFIG_GLOBAL", self.0.join("none")).env("GIT_CONFIG_NOSYSTEM", "1");
        command.env_remove("GIT_PAGER_IN_USE").env("NO_COLOR", "1").args(arguments);
        command
    }

    #[track_caller]
    fn git(&self, arguments: &[&str]) -> String {
        told(self.git_command(arguments).output().unwrap(), 0)
    }

    /// As git prints it for people.
    #[track_caller]
    fn paged(&self, arguments: &[&str]) -> String {
        told(self.git_command(arguments).env("GIT_PAGER_IN_USE", "true").output().unwrap(), 0)
    }

    fn gdscene(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_gdscene"));
        command.env_remove("GIT_PAGER_IN_USE").env("NO_COLOR", "1");
        command.current_dir(&self.0).args(arguments).output().unwrap()
    }

    #[track_caller]
    fn diff(&self, arguments: &[&str]) -> String {
        told(self.gdscene(&[&["diff"], arguments].concat()), 0)
    }

    /// The messages about a wrong use.
    #[track_caller]
    fn wrong(&self, arguments: &[&str]) -> String {
        let output = self.gdscene(&[&["diff"], arguments].concat());
        assert_eq!(output.status.code(), Some(2));
        String::from_utf8(output.stderr).unwrap()
    }
}

#[track_caller]
fn told(output: Output, status: i32) -> String {
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(status), "{errors}");
    String::from_utf8(output.stdout).unwrap()
}

const CHANGED: &str = "1 node changed\n  ~ A (Node2D)\n      ~ position: Vector2(1, 2) -> Vector2(3, 4)\n  noise: ids of resources (1)\n";

#[test]
fn files_and_folders() {
    let place = TestFolder::new("diff-files");
    place.write("old/a.tscn", BASE);
    place.write("new/a.tscn", &edited());
    place.write("new/b.gd.uid", "uid://b\n");
    assert_eq!(
        place.diff(&["old/a.tscn", "new/a.tscn"]),
        format!("old/a.tscn -> new/a.tscn: {CHANGED}")
    );
    assert_eq!(place.diff(&["old/a.tscn", "old/a.tscn"]), "");
    let folders = place.diff(&["old", "new"]);
    assert_eq!(folders, format!("a.tscn: {CHANGED}\nb.gd.uid (new file)\n"));
    // The folders may be ignored by git or Godot.
    place.write(".gitignore", "new/\n");
    place.write("new/.gdignore", "");
    assert_eq!(place.diff(&["old", "new"]), folders);
    let full = place.diff(&["old", "new", "--full"]);
    assert_eq!(full, format!("{folders}  + uid: uid://b\n"));
    // Noise is not a difference.
    place.write("noise.tscn", &BASE.replace("1_a", "2_b"));
    let noise = ["--exit-code", "old/a.tscn", "noise.tscn", "--path", "a.tscn"];
    let quiet = "a.tscn: nothing but noise differs\n  noise: ids of resources (1)\n";
    assert_eq!(place.diff(&noise), quiet);
    let output = place.gdscene(&["diff", "--exit-code", "old", "new"]);
    assert_eq!(told(output, 1), folders);
    // A file that Godot cannot read is compared by lines.
    place.write("broken.tscn", &BASE.replace("Vector2(1, 2)", "Vector2(1, 2"));
    let lines = place.diff(&["old/a.tscn", "broken.tscn"]);
    assert!(lines.contains("compared by lines: Godot cannot read the new text: line "), "{lines}");
    assert!(lines.contains("\n-position = Vector2(1, 2)\n+position = Vector2(1, 2\n"), "{lines}");
    assert!(place.wrong(&["old", "old/a.tscn"]).contains("a file and a folder"));
}

#[test]
fn formats() {
    let place = TestFolder::new("diff-formats");
    place.write("a.tscn", BASE);
    place.write("b.tscn", &edited());
    let format = |format: &str| place.diff(&["a.tscn", "b.tscn", "--output", format]);
    assert_eq!(
        format("json"),
        "{\"files\":[{\"changes\":[{\"entries\":[{\"name\":\"position\",\"new\":\"Vector2(3, 4)\",\
         \"old\":\"Vector2(1, 2)\",\"parts\":[],\"summary\":null}],\"kind\":\"node\",\"name\":\".\",\
         \"new_line\":5,\"old_line\":5,\"old_name\":null,\"state\":\"changed\",\"type\":\"Node2D\"}],\
         \"lines\":null,\"noise\":[{\"count\":1,\"what\":\"ids of resources\"}],\"old_path\":\"a.tscn\",\
         \"path\":\"b.tscn\",\"reason\":null,\"state\":\"changed\"}]}\n"
    );
    assert!(format("markdown").contains("position"));
    assert!(format("html").starts_with("<!DOCTYPE html>"));
    // Long values are cut, except with --full.
    let long = "x".repeat(500);
    place.write("c.tscn", &BASE.replace("0.5", &format!("\"{long}\"")));
    let short = place.diff(&["a.tscn", "c.tscn"]);
    assert!(short.contains("… (502 characters)") && !short.contains(&long), "{short}");
    assert!(place.diff(&["a.tscn", "c.tscn", "--full"]).contains(&long));
}

#[test]
fn revisions() {
    let place = TestFolder::repository("diff-revisions");
    let path = "a folder/le'vel.tscn";
    let changed = format!("{path}: {CHANGED}");
    assert_eq!(place.diff(&[]), "");
    place.write(path, &edited());
    assert_eq!(place.diff(&[]), changed);
    assert_eq!(place.diff(&["HEAD"]), changed);
    assert_eq!(place.diff(&["--", "a folder"]), changed);
    assert_eq!(place.diff(&[path]), changed);
    assert_eq!(place.diff(&["HEAD", path]), changed);
    assert_eq!(place.diff(&["--", "other.txt"]), "");
    assert_eq!(place.diff(&["--staged"]), "");
    place.git(&["add", "-A"]);
    assert_eq!(place.diff(&["--staged"]), changed);
    place.git(&["checkout", "-q", "-b", "feature"]);
    place.commit("second");
    for arguments in
        [&["main", "feature"][..], &["main..feature"], &["main..."], &["main...feature"]]
    {
        assert_eq!(place.diff(arguments), changed, "{arguments:?}");
    }
    // With three dots, later changes of main are not shown.
    place.git(&["checkout", "-q", "main"]);
    place.write("new.tscn", BASE);
    place.git(&["mv", path, "moved.tscn"]);
    place.commit("third");
    assert_eq!(place.diff(&["main...feature"]), changed);
    let moved = format!("{path} -> moved.tscn: only the path differs\n");
    let new = "\nnew.tscn (new file): 2 nodes added; 1 external resource added\n  + A (Node2D)\n    + B (Sprite2D)\n  \
               + external resource res://icon.svg (Texture2D)\n";
    assert_eq!(place.diff(&["main~", "main"]), moved + new);
    fs::remove_file(place.0.join("new.tscn")).unwrap();
    assert!(place.diff(&[]).starts_with("new.tscn (file removed): 2 nodes removed"));
    assert_eq!(place.gdscene(&["diff", "--exit-code"]).status.code(), Some(1));
}

#[test]
fn wrong_uses() {
    let place = TestFolder::repository("diff-wrong");
    assert!(
        place
            .wrong(&["nothing"])
            .contains("`nothing` is neither a revision nor a file in this folder")
    );
    assert!(place.wrong(&["nothing", "--", "other.txt"]).contains("git cannot find the revision"));
    assert!(place.wrong(&["HEAD", "HEAD", "HEAD"]).contains("at most two revisions"));
    assert!(place.wrong(&["--staged", "HEAD..HEAD"]).contains("--staged compares"));
    assert!(place.wrong(&["--output=x"]).contains("--output"));
    assert!(place.wrong(&["--orphan"]).contains("--orphan"));
    place.write("main", "a file\n");
    assert!(place.wrong(&["main"]).contains("`main` is both a revision and a file"));
    assert_eq!(place.diff(&["main", "--", "other.txt"]), "");
    // A repository without a commit: all is new.
    let empty = TestFolder::new("diff-empty");
    empty.git(&["init", "-q"]);
    empty.write("a.tscn", BASE);
    empty.git(&["add", "-A"]);
    assert!(empty.diff(&[]).starts_with("a.tscn (new file): "));
    assert!(empty.diff(&["--staged"]).starts_with("a.tscn (new file): "));
}

fn in_no_repository() -> PathBuf {
    let folder = std::env::temp_dir().join(format!("gdscene-diff-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    folder
}

#[test]
fn outside_of_a_repository() {
    let place = TestFolder(in_no_repository());
    assert!(place.wrong(&[]).contains("not in a git work tree"));
    place.write("a.tscn", BASE);
    place.write("b.tscn", &edited());
    assert!(place.diff(&["a.tscn", "b.tscn"]).contains("1 node changed"));
    fs::remove_dir_all(&place.0).unwrap();
}

fn has(text: &str, part: &str) -> bool {
    text.contains(part)
}

/// git shows the output of `gdscene diff` to people, and gives its own patches to programs.
#[test]
fn git_shows_it() {
    let place = TestFolder::repository("diff-git");
    assert_eq!(place.gdscene(&["git", "install"]).status.code(), Some(0));
    place.commit("attributes");
    let path = "a folder/le'vel.tscn";
    place.write(path, &edited());
    let changed = format!("{path}: {CHANGED}");
    assert_eq!(place.paged(&["diff"]), changed);
    let lines = place.paged(&["diff", "--no-ext-diff", "--no-textconv"]);
    assert!(has(&lines, "\n-position = Vector2(1, 2)\n") && has(&lines, "1_a"), "{lines}");
    let named = place.paged(&["diff", "--no-ext-diff"]);
    assert!(has(&named, "\n-position = Vector2(1, 2)\n") && !has(&named, "1_a"), "{named}");
    place.commit("second");
    assert!(has(&place.paged(&["show", "--ext-diff"]), &changed));
    assert!(has(&place.paged(&["log", "-p", "--ext-diff", "-1"]), &changed));
    let log = place.paged(&["log", "-p", "-1"]);
    assert!(has(&log, "\n+position = Vector2(3, 4)\n") && !has(&log, "1_a"), "{log}");
    let blame = place.paged(&["blame", path]);
    assert!(has(&blame, "texture = ExtResource(\"res://icon.svg\")"), "{blame}");
    // Renamed and changed, and with conflicts.
    place.git(&["mv", path, "moved.tscn"]);
    place.write("moved.tscn", &edited().replace("0.5", "0.7"));
    place.git(&["add", "-A"]);
    let moved = place.paged(&["diff", "--cached"]);
    assert!(moved.starts_with(&format!("{path} -> moved.tscn: 1 node changed\n")), "{moved}");
}

/// git applies the patches that it makes, in each of its ways.
#[test]
fn patches_stay_patches() {
    let place = TestFolder::repository("diff-patches");
    assert_eq!(place.gdscene(&["git", "install"]).status.code(), Some(0));
    place.commit("attributes");
    let path = "a folder/le'vel.tscn";
    let new = edited().trim_end().to_owned();
    place.write(path, &new);
    place.write("new.tscn", BASE);
    place.git(&["add", "-A"]);
    let patch = place.git(&["diff", "--cached"]);
    place.write("../diff.patch", &patch);
    let plain = place.git(&["diff", "--cached", "--no-ext-diff", "--no-textconv"]);
    let without_index = |patch: &str| -> Vec<String> {
        patch.lines().filter(|line| !line.starts_with("index ")).map(str::to_owned).collect()
    };
    let without_tags = |lines: Vec<String>| -> Vec<String> {
        let end = |line: String| match line.rfind(" @@").filter(|_| line.starts_with("@@ ")) {
            Some(end) => line[..end + 3].to_owned(),
            None => line,
        };
        lines.into_iter().map(end).collect()
    };
    assert_eq!(without_index(&patch), without_tags(without_index(&plain)));
    place.git(&["reset", "-q", "--hard"]);
    place.git(&["apply", "../diff.patch"]);
    assert_eq!((place.read(path), place.read("new.tscn")), (new.clone(), BASE.to_owned()));
    // Moved, by `git diff -M`.
    place.git(&["add", "-A"]);
    place.git(&["commit", "-q", "-m", "second"]);
    place.git(&["mv", path, "moved.tscn"]);
    place.write("moved.tscn", BASE);
    place.git(&["add", "-A"]);
    place.write("../diff.patch", &place.git(&["diff", "-M", "--cached"]));
    place.git(&["reset", "-q", "--hard"]);
    place.git(&["apply", "../diff.patch"]);
    assert_eq!(place.read("moved.tscn"), BASE);
    assert!(!place.0.join(path).exists());
    place.git(&["add", "-A"]);
    place.git(&["commit", "-q", "-m", "third"]);
    // In a pager too, these are not for people.
    let mails = place.paged(&["format-patch", "--no-color", "--stdout", "-2"]);
    place.write("../mails", &mails);
    let end = place.git(&["rev-parse", "HEAD^{tree}"]);
    place.git(&["reset", "-q", "--hard", "HEAD~2"]);
    place.git(&["am", "-q", "../mails"]);
    assert_eq!(place.git(&["rev-parse", "HEAD^{tree}"]), end);
    // By hunks. git shows those of `stash` in no pager, and takes them back itself.
    place.write("moved.tscn", &edited());
    let mut add = place.git_command(&["add", "-p"]);
    add.stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::piped());
    let mut child = add.env("GIT_PAGER_IN_USE", "true").spawn().unwrap();
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), b"y\ny\ny\ny\n").unwrap();
    assert!(child.wait_with_output().unwrap().status.success());
    assert_eq!(place.git(&["show", ":moved.tscn"]), edited());
    place.git(&["reset", "-q"]);
    let mut stash = place.git_command(&["stash", "-p"]);
    stash.stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::piped());
    let mut child = stash.spawn().unwrap();
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), b"y\ny\ny\ny\n").unwrap();
    assert!(child.wait_with_output().unwrap().status.success());
    assert_eq!(place.read("moved.tscn"), BASE);
    place.git(&["stash", "pop", "-q"]);
    assert_eq!(place.read("moved.tscn"), edited());
}

/// A file that git names in bytes which are not UTF-8 stops neither its diff nor its patches.
#[cfg(target_os = "linux")]
#[test]
fn names_that_are_not_utf_8() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    let place = TestFolder::repository("diff-bytes");
    assert_eq!(place.gdscene(&["git", "install"]).status.code(), Some(0));
    let path = place.0.join(OsStr::from_bytes(b"l\xffvel.tscn"));
    fs::write(&path, BASE).unwrap();
    place.commit("second");
    fs::write(&path, edited()).unwrap();
    let changed = format!("l\u{fffd}vel.tscn: {CHANGED}");
    assert_eq!(place.diff(&[]), changed);
    assert_eq!(place.paged(&["diff"]), changed);
    place.write("../bytes.patch", &place.git(&["diff"]));
    place.git(&["checkout", "-q", "."]);
    place.git(&["apply", "../bytes.patch"]);
    assert_eq!(fs::read_to_string(&path).unwrap(), edited());
    let mut command = Command::new(env!("CARGO_BIN_EXE_gdscene"));
    let output = command.current_dir(&place.0).arg("diff").arg(path.file_name().unwrap()).output();
    let output = output.unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("is not UTF-8"));
}

#[test]
fn installed_and_taken_back() {
    let place = TestFolder::repository("diff-install");
    let attributes = Path::new(".gitattributes").to_str().unwrap();
    // Attributes of an earlier version, with lines of the user.
    place.write(attributes, "*.png binary\n*.tscn merge=gdscene\n*.tres merge=gdscene\n");
    assert_eq!(place.gdscene(&["git", "install"]).status.code(), Some(0));
    let lines = place.read(attributes);
    let start =
        "*.png binary\n*.tscn merge=gdscene diff=gdscene\n*.tres merge=gdscene diff=gdscene\n";
    assert!(lines.starts_with(start), "{lines}");
    assert_eq!(lines.matches("*.tscn").count(), 1, "{lines}");
    assert_eq!(place.gdscene(&["git", "install"]).status.code(), Some(0));
    assert_eq!(place.read(attributes), lines);
    assert!(place.git(&["config", "--get", "diff.gdscene.command"]).contains(" diff --driver --"));
    assert_eq!(place.gdscene(&["git", "uninstall"]).status.code(), Some(0));
    assert_eq!(place.read(attributes), "*.png binary\n");
    assert!(!place.read(".git/config").contains("gdscene"));
    // Attributes without the driver do no harm.
    place.write(attributes, &lines);
    place.write("a folder/le'vel.tscn", &edited());
    assert!(place.paged(&["diff"]).contains("\n-position = Vector2(1, 2)\n"));
}
