//! `gdscene fix` where a fix touches several files: all of them change or none.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::common::{gdscene, scratch};

/// A copy of the project in which files have the same uid.
fn project(name: &str) -> PathBuf {
    let folder = scratch(name);
    let fixture = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../gdscene-lint/tests/fixtures/RES005-duplicate-uid");
    for entry in fs::read_dir(fixture).unwrap() {
        let path = entry.unwrap().path();
        fs::write(folder.join(path.file_name().unwrap()), fs::read(&path).unwrap()).unwrap();
    }
    folder
}

fn content(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    files
        // The journal is in a hidden folder.
        .filter(|path| path.is_file())
        .map(|path| {
            (path.file_name().unwrap().to_string_lossy().into_owned(), fs::read(&path).unwrap())
        })
        .collect()
}

/// The names of the files that differ.
fn changed(before: &BTreeMap<String, Vec<u8>>, after: &BTreeMap<String, Vec<u8>>) -> Vec<String> {
    assert!(before.keys().eq(after.keys()), "{:?}", after.keys());
    let differs = |name: &&String| before[*name] != after[*name];
    before.keys().filter(differs).cloned().collect()
}

const TOUCHED: [&str; 4] = ["copy_of_a.tscn", "main.tscn", "player_copy.gd.uid", "second.tscn"];

#[test]
fn writes_all_files() {
    let folder = project("fix_across");
    let before = content(&folder);
    let output = gdscene(&["fix", "--unsafe", folder.to_str().unwrap()], b"");
    let stdout = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(0), "{stdout}");
    let after = content(&folder);
    assert_eq!(changed(&before, &after), TOUCHED);
    assert!(stdout.ends_with("2 fixes applied in 4 files; nothing left\n"), "{stdout}");
    let text = |name: &str| String::from_utf8(after[name].clone()).unwrap();
    let new = text("player_copy.gd.uid");
    for name in ["main.tscn", "second.tscn"] {
        let tag = format!("uid=\"{}\" path=\"res://player_copy.gd\"", new.trim_end());
        assert!(text(name).contains(&tag), "{}", text(name));
    }
    assert_eq!(gdscene(&["check", folder.to_str().unwrap()], b"").status.code(), Some(0));
}

/// Only one scene is named, but the others have to change with it.
#[test]
fn a_file_that_is_named_alone() {
    let folder = project("fix_across_alone");
    let before = content(&folder);
    gdscene(&["fix", "--unsafe", folder.join("second.tscn").to_str().unwrap()], b"");
    assert_eq!(changed(&before, &content(&folder)), TOUCHED[1..]);
}

#[test]
fn diff_and_dry_run_show_all_and_write_nothing() {
    let folder = project("fix_across_dry");
    let before = content(&folder);
    let path = folder.to_str().unwrap();
    let output = gdscene(&["fix", "--unsafe", "--diff", path], b"");
    assert_eq!(output.status.code(), Some(1));
    let stdout = String::from_utf8(output.stdout).unwrap();
    for name in TOUCHED {
        assert_eq!(stdout.matches(&format!("/{name}\n+++ ")).count(), 1, "{stdout}");
    }
    let output = gdscene(&["fix", "--unsafe", "--dry-run", path], b"");
    assert_eq!(output.status.code(), Some(1));
    let stdout = String::from_utf8(output.stdout).unwrap();
    assert!(stdout.contains("player_copy.gd.uid"), "{stdout}");
    assert!(stdout.ends_with("2 fixes would be applied in 4 files; nothing left\n"), "{stdout}");
    assert_eq!(content(&folder), before);
}

#[test]
fn a_fix_may_write_a_new_file() {
    let folder = scratch("fix_across_new");
    fs::write(folder.join("project.godot"), "config_version=5\n").unwrap();
    fs::write(folder.join("a.gd"), "extends Node\n").unwrap();
    let scene = "[gd_scene format=3]\n\n\
        [ext_resource type=\"Script\" uid=\"uid://bq8ubm3xk6c4u\" path=\"res://a.gd\" id=\"1\"]\n\n\
        [node name=\"A\" type=\"Node\"]\nscript = ExtResource(\"1\")\nprocess_mode = +1\n";
    fs::write(folder.join("a.tscn"), scene).unwrap();
    let output = gdscene(&["fix", "--diff", folder.to_str().unwrap()], b"");
    let diff = String::from_utf8(output.stdout).unwrap();
    assert!(diff.contains("a.gd.uid\n@@ -0,0 +1 @@\n+uid://bq8ubm3xk6c4u\n"), "{diff}");
    assert!(!folder.join("a.gd.uid").exists());
    let output = gdscene(&["fix", folder.to_str().unwrap()], b"");
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stdout));
    assert_eq!(fs::read(folder.join("a.gd.uid")).unwrap(), b"uid://bq8ubm3xk6c4u\n");
    // Findings of one file alone were repaired in the same run.
    assert!(fs::read_to_string(folder.join("a.tscn")).unwrap().ends_with("process_mode = 1\n"));
}

#[test]
fn machines_are_told_of_all_files() {
    let folder = project("fix_across_output");
    let path = folder.join("second.tscn");
    let output = gdscene(&["check", "--output", "json", path.to_str().unwrap()], b"");
    let found: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let others = found[0]["fix"]["other_files"].as_array().unwrap();
    let paths: Vec<&Path> =
        others.iter().map(|other| Path::new(other["path"].as_str().unwrap())).collect();
    assert!(
        paths.iter().all(|path| Path::new(env!("CARGO_MANIFEST_DIR")).join(path).is_file()),
        "{paths:?}"
    );
    assert_eq!(others[0]["edits"][0]["line"], 5);
    let output = gdscene(&["check", "--output", "sarif", path.to_str().unwrap()], b"");
    let found: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let schema = include_str!("fixtures/schemas/sarif-2.1.0.json");
    let schema = serde_json::from_str(schema).unwrap();
    jsonschema::validator_for(&schema).unwrap().validate(&found).unwrap();
    let changes = &found["runs"][0]["results"][0]["fixes"][0]["artifactChanges"];
    assert_eq!(changes.as_array().unwrap().len(), 3, "{changes}");
}

/// Files that cannot be written, each in a way that file systems really refuse.
#[cfg(unix)]
mod refused {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};
    use std::os::unix::process::CommandExt;
    use std::path::Path;
    use std::process::{Command, Output};

    use super::{changed, content, fs, project};

    /// Whom a user that is not root runs as. Root may write everything, so another user runs the
    /// command.
    const NOBODY: u32 = 65534;

    fn is_root() -> bool {
        fs::metadata("/proc/self").is_ok_and(|own| own.uid() == 0)
    }

    /// A copy of the project that ordinary users reach, and of the program.
    fn reachable(name: &str) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        let game = folder.path().join("game");
        fs::create_dir(&game).unwrap();
        for (name, text) in content(&project(name)) {
            fs::write(game.join(&name), text).unwrap();
            set_mode(&game.join(&name), 0o666);
        }
        // By another process, because a process that another test starts just now would also have this one's open files,
        // and the copy could not be started.
        let program = folder.path().join("gdscene");
        let copied = Command::new("cp").arg(env!("CARGO_BIN_EXE_gdscene")).arg(&program).status();
        assert!(copied.unwrap().success());
        for path in [folder.path(), &program] {
            set_mode(path, 0o755);
        }
        set_mode(&game, 0o777);
        folder
    }

    fn set_mode(path: &Path, mode: u32) {
        fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
    }

    fn fix(folder: &Path) -> Output {
        let mut command = Command::new(folder.join("gdscene"));
        command.args(["fix", "--unsafe", "game"]).current_dir(folder);
        command.env("XDG_CACHE_HOME", folder.join("no_cache"));
        if is_root() {
            command.uid(NOBODY).gid(NOBODY);
        }
        command.output().unwrap()
    }

    fn assert_nothing_is_done(folder: &Path) {
        let before = content(&folder.join("game"));
        let output = fix(folder);
        assert_eq!(output.status.code(), Some(2), "{}", String::from_utf8_lossy(&output.stdout));
        // The fix of the other group, of two scenes, has nothing to do with it.
        let others = ["copy_of_a.tscn", "main.tscn"];
        let changed = changed(&before, &content(&folder.join("game")));
        assert!(changed.is_empty() || changed == others, "{changed:?}");
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(said.starts_with("gdscene: game/") || said.contains("/game/"), "{said}");
    }

    #[test]
    fn a_file_that_must_not_be_written() {
        let folder = reachable("fix_across_read_only");
        set_mode(&folder.path().join("game/player_copy.gd.uid"), 0o444);
        assert_nothing_is_done(folder.path());
    }

    #[test]
    fn a_folder_that_must_not_be_written() {
        let folder = reachable("fix_across_read_only_folder");
        set_mode(&folder.path().join("game"), 0o555);
        assert_nothing_is_done(folder.path());
        set_mode(&folder.path().join("game"), 0o777);
    }

    /// In a folder like `/tmp`, a file of another user can be written to, but not be replaced. This shows only when the
    /// files before it have been replaced, and then they must be restored.
    #[test]
    fn a_file_that_cannot_be_replaced() {
        if !is_root() {
            // Only root can make files of two users.
            return;
        }
        let folder = reachable("fix_across_sticky");
        let game = folder.path().join("game");
        for name in content(&game).into_keys().filter(|name| name != "second.tscn") {
            chown(game.join(name), Some(NOBODY), Some(NOBODY)).unwrap();
        }
        set_mode(&game, 0o1777);
        let inode = fs::metadata(game.join("main.tscn")).unwrap().ino();
        let before = content(&game);
        let output = fix(folder.path());
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains("second.tscn: ") && said.contains("nothing was changed"), "{said}");
        assert_eq!(changed(&before, &content(&game)), [""; 0]);
        // The very file is back, and not only its content.
        assert_eq!(fs::metadata(game.join("main.tscn")).unwrap().ino(), inode);
    }
}
