//! Disks that are full, several of them, and names in which case does not count.

use std::fs;

use godot_project::FileMove;

use super::{carry_out, changed, content, write};
use crate::home::Home;
use crate::record::Record;
use crate::{Changes, finish, plan_undo, take_back, undo};

fn moved(from: &str, to: &str) -> FileMove {
    FileMove { from: from.to_owned(), to: to.to_owned() }
}

/// Where case does not count, the new name is there already, and where it does, it is not.
#[test]
fn names_that_differ_in_case_only() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    write(root, "Scenes/Main.tscn", "old");
    write(root, "Player.gd", "player");
    let before = content(root);
    let changes = Changes {
        title: "lower case".to_owned(),
        writes: vec![changed("res://Scenes/Main.tscn", Some("old"), "new")],
        moves: vec![
            moved("res://Player.gd", "res://player.gd"),
            moved("res://Scenes", "res://scenes"),
        ],
        is_undoable: true,
        ..Changes::default()
    };
    carry_out(root, &changes).unwrap();
    let after = content(root);
    assert!(after.keys().eq(["player.gd", "scenes/", "scenes/Main.tscn"]), "{after:?}");
    assert!(after["scenes/Main.tscn"].ends_with("new"));
    undo(root, &plan_undo(root).unwrap()).unwrap();
    assert_eq!(content(root), before);
}

/// A run that was killed after it had copied a file to another file system, and before the file was gone where it was.
#[test]
fn a_copy_that_was_interrupted() {
    let left_behind = || {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        write(root, "a.gd", "a");
        write(root, "b.gd", "b");
        let changes = Changes {
            moves: vec![moved("res://a.gd", "res://sub/a.gd")],
            removals: vec!["res://b.gd".to_owned()],
            is_undoable: true,
            ..Changes::default()
        };
        let home = Home::make(root).unwrap();
        home.write_begun(&Record::of(&changes).unwrap()).unwrap();
        home.begin().unwrap();
        write(root, "sub/a.gd", "a");
        write(root, ".godot/gdscene/pending/kept/0", "b");
        folder
    };
    let folder = left_behind();
    finish(folder.path()).unwrap().unwrap();
    assert!(content(folder.path()).keys().eq(["sub/", "sub/a.gd"]));
    undo(folder.path(), &plan_undo(folder.path()).unwrap()).unwrap();
    assert!(content(folder.path()).keys().eq(["a.gd", "b.gd", "sub/"]));
    let folder = left_behind();
    take_back(folder.path()).unwrap().unwrap();
    assert!(content(folder.path()).keys().eq(["a.gd", "b.gd", "sub/"]));
    // The differing files were put there by another process.
    let folder = left_behind();
    write(folder.path(), "b.gd", "another");
    finish(folder.path()).unwrap_err();
    take_back(folder.path()).unwrap_err();
    assert!(content(folder.path())["b.gd"].ends_with("another"));
}

/// A file system of its own, which only root can make.
#[cfg(target_os = "linux")]
struct Mounted(std::path::PathBuf);

#[cfg(target_os = "linux")]
impl Mounted {
    fn at(place: &std::path::Path) -> Option<Self> {
        fs::create_dir_all(place).unwrap();
        let mut mount = std::process::Command::new("mount");
        mount.args(["-t", "tmpfs", "-o", "size=256k", "tmpfs"]).arg(place);
        let is_done = mount.output().is_ok_and(|output| output.status.success());
        if !is_done {
            println!("skipped: only root can mount a file system");
        }
        is_done.then(|| Self(place.to_owned()))
    }
}

#[cfg(target_os = "linux")]
impl Drop for Mounted {
    fn drop(&mut self) {
        let _ = std::process::Command::new("umount").arg("-l").arg(&self.0).status();
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let Some(_mounted) = Mounted::at(root) else { return };
    let (old, new) = ("x".repeat(20_000), "y".repeat(30_000));
    let paths = ["a", "b", "c", "d"].map(|name| format!("res://{name}.tscn"));
    paths.iter().for_each(|path| write(root, &path["res://".len()..], &old));
    let changes = |count: usize| Changes {
        title: "rename".to_owned(),
        writes: paths[..count].iter().map(|path| changed(path, Some(&old), &new)).collect(),
        is_undoable: true,
        ..Changes::default()
    };
    let before = content(root);
    // The journal has no room; where it has, the new contents have none; or the second of them.
    for (count, filled) in [(4, 0), (2, 40_000), (1, 110_000), (1, 140_000)] {
        write(root, "filled", &"z".repeat(filled));
        let full = content(root);
        let error = carry_out(root, &changes(count)).unwrap_err().to_string();
        assert!(error.contains("No space left on device"), "{error}");
        assert!(error.contains("nothing was changed"), "{error}");
        assert_eq!(content(root), full);
        assert!(finish(root).unwrap().is_none());
        fs::remove_file(root.join("filled")).unwrap();
    }
    assert_eq!(content(root), before);
    fs::remove_file(root.join("d.tscn")).unwrap();
    carry_out(root, &changes(1)).unwrap();
}

#[cfg(target_os = "linux")]
#[test]
fn another_file_system_in_the_project() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    write(root, "a.gd", "a");
    write(root, "folder/b.gd", "b");
    let Some(_mounted) = Mounted::at(&root.join("other")) else { return };
    write(root, "other/c.gd", "c");
    write(root, "other/d.gd", "old d");
    let before = content(root);
    let changes = |moves: &[FileMove]| Changes {
        writes: vec![
            changed("res://other/d.gd", Some("old d"), "new d"),
            changed("res://a.gd", Some("a"), "new a"),
        ],
        moves: moves.to_vec(),
        removals: vec!["res://other/c.gd".to_owned()],
        is_undoable: true,
        ..Changes::default()
    };
    let error = carry_out(root, &changes(&[moved("res://folder", "res://other/folder")]))
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("it is a folder, and would move to another file system; move it manually"),
        "{error}"
    );
    assert_eq!(content(root), before);
    let times = |path: &str| fs::metadata(root.join(path)).unwrap().modified().unwrap();
    let time = times("folder/b.gd");
    let moves =
        [moved("res://a.gd", "res://other/a.gd"), moved("res://folder/b.gd", "res://other/b.gd")];
    carry_out(root, &changes(&moves)).unwrap();
    assert!(content(root).keys().eq([
        "folder/",
        "other/",
        "other/a.gd",
        "other/b.gd",
        "other/d.gd"
    ]));
    assert!(content(root)["other/a.gd"].ends_with("new a"));
    assert_eq!(times("other/b.gd"), time);
    undo(root, &plan_undo(root).unwrap()).unwrap();
    assert_eq!(content(root), before);
}
