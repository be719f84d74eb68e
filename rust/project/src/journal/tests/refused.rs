//! What is refused before anything changes, and journals that are not to be trusted.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use super::{carry_out, changed, content, project, write};
use crate::journal::home::Home;
use crate::journal::record::{Content, Kept, Record, RecordedWrite, Slot};
use crate::journal::{Changes, JournalError, finish, plan_undo, take_back, unfinished};
use crate::refactor::FileMove;

/// Meddles with the project, and looks whether the reason is the right one and nothing changed.
#[track_caller]
fn check(meddle: impl Fn(&Path, &mut Changes), reason: &str) {
    let (folder, mut changes) = project();
    let root = folder.path();
    meddle(root, &mut changes);
    let before = content(root);
    let error = carry_out(root, &changes).unwrap_err();
    let text = error.to_string();
    assert!(text.contains(reason) && text.contains("nothing was changed"), "{text}");
    assert_eq!(content(root), before);
    assert!(unfinished(root).unwrap().is_none() && plan_undo(root).is_err());
}

#[test]
fn files_that_are_not_as_they_were() {
    let changed = "it has changed since it was read";
    check(|root, _| write(root, "b.tscn", "newer"), &format!("res://b.tscn: {changed}"));
    check(|root, _| write(root, "b.tscn", "new b"), &format!("res://b.tscn: {changed}"));
    check(|root, _| fs::remove_file(root.join("b.tscn")).unwrap(), "res://b.tscn: it is gone");
    check(|root, _| write(root, "made/deep/d.tres", "somebody's"), &format!("d.tres: {changed}"));
    check(
        |root, _| write(root, "sub/there.gd", "x"),
        "res://changed_and_moved.gd: it is there, and something else",
    );
    check(
        |root, _| write(root, "sub/there.gd", "old m"),
        "res://sub/there.gd: it is there already",
    );
    check(
        |root, _| write(root, "other/folder2/x", "x"),
        "res://folder: it is there, and something else",
    );
    check(|root, _| fs::remove_file(root.join("moved.gd")).unwrap(), "res://moved.gd: it is gone");
    check(|root, _| fs::remove_file(root.join("gone.png")).unwrap(), "res://gone.png: it is gone");
}

#[test]
fn changes_that_get_in_each_others_way() {
    let moved = |from: &str, to: &str| FileMove { from: from.to_owned(), to: to.to_owned() };
    let twice = "two changes want something else with it";
    check(|_, changes| changes.writes.push(changed("res://a.gd", Some("old a"), "x")), twice);
    check(|_, changes| changes.moves.push(moved("res://a.gd", "res://made/deep/moved.gd")), twice);
    check(|_, changes| changes.removals.push("res://moved.gd".to_owned()), twice);
    check(|_, changes| changes.removals.push("res://a.gd".to_owned()), twice);
    let inside = "lies in a folder that moves or goes, too";
    check(|_, changes| changes.moves.push(moved("res://folder/x.png", "res://x.png")), inside);
    check(|_, changes| changes.moves.push(moved("res://sub", "res://sub/sub")), inside);
    let hidden = "is not the path of a visible file";
    check(|_, changes| changes.removals.push("res://../a".to_owned()), hidden);
    check(
        |_, changes| changes.moves.push(moved("res://a.gd", "res://.git/hooks/pre-commit")),
        hidden,
    );
}

#[test]
fn read_only_files() {
    let lock = |path: &'static str| {
        move |root: &Path, _: &mut Changes| {
            let path = root.join(path);
            let mut permissions = fs::metadata(&path).unwrap().permissions();
            permissions.set_readonly(true);
            fs::set_permissions(path, permissions).unwrap();
        }
    };
    check(lock("b.tscn"), "res://b.tscn: it is read-only");
    check(lock("gone.png"), "res://gone.png: it is read-only");
}

#[cfg(unix)]
#[test]
fn links() {
    use std::os::unix::fs::symlink;
    let outside = tempfile::tempdir().unwrap();
    write(outside.path(), "b.tscn", "old b");
    let file = outside.path().join("b.tscn");
    let to = |target: &Path, path: &'static str| {
        let target = target.to_owned();
        move |root: &Path, _: &mut Changes| {
            let _ = fs::remove_file(root.join(path));
            symlink(&target, root.join(path)).unwrap();
        }
    };
    check(to(&file, "b.tscn"), "res://b.tscn: a link leads out of the project's folder here");
    check(
        to(outside.path(), "made"),
        "res://made/deep/d.tres: a link leads out of the project's folder here",
    );
    check(to(Path::new("nowhere"), "made"), "res://made/deep/d.tres: ");
    check(to(Path::new("a.gd"), "moved.gd"), "res://moved.gd: it is a relative symbolic link");
    check(
        |root, changes| {
            write(root, ".git/config", "old b");
            to(Path::new(".git/config"), "b.tscn")(root, changes);
        },
        "res://b.tscn: a link leads to a hidden file or folder here",
    );
    let (project, changes) = project();
    fs::create_dir(project.path().join(".godot")).unwrap();
    symlink(outside.path(), project.path().join(".godot/gdscene")).unwrap();
    let before = content(project.path());
    assert!(finish(project.path()).unwrap().is_none());
    let error = carry_out(project.path(), &changes).unwrap_err().to_string();
    let reason = "is a symbolic link, which is not followed; nothing was changed";
    assert!(error.contains(reason), "{error}");
    assert_eq!(content(project.path()), before);
    assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 1);
}

/// Some keep what Godot imports on another disk.
#[cfg(unix)]
#[test]
fn the_folder_of_godot_behind_a_link() {
    let outside = tempfile::tempdir().unwrap();
    let (project, changes) = project();
    let root = project.path();
    std::os::unix::fs::symlink(outside.path(), root.join(".godot")).unwrap();
    carry_out(root, &changes).unwrap();
    assert!(root.join(".gdscene/last/journal").is_file());
    assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 0);
    fs::rename(root.join(".gdscene/last"), root.join(".gdscene/pending")).unwrap();
    assert!(unfinished(root).unwrap().is_some() && take_back(root).unwrap().is_some());
    assert_eq!(fs::read_to_string(root.join("a.gd")).unwrap(), "old a");
}

#[test]
fn a_second_run_waits_or_gives_up() {
    let (folder, changes) = project();
    let root = folder.path();
    let home = Home::make(root).unwrap();
    let error = carry_out(root, &changes).unwrap_err();
    assert!(matches!(error, JournalError::Busy), "{error}");
    let is_done = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let second = scope.spawn(|| {
            let done = carry_out(root, &changes);
            assert!(is_done.load(Ordering::SeqCst));
            done
        });
        std::thread::sleep(std::time::Duration::from_millis(300));
        is_done.store(true, Ordering::SeqCst);
        drop(home);
        second.join().unwrap().unwrap();
    });
}

/// A project in which somebody has put the journal of a killed run.
fn with_journal(record: &Record) -> tempfile::TempDir {
    let (folder, _) = project();
    with_bytes(folder, &record.encoded().unwrap())
}

fn with_bytes(folder: tempfile::TempDir, journal: &[u8]) -> tempfile::TempDir {
    for name in ["pending", "last"] {
        let place = folder.path().join(".godot/gdscene").join(name);
        fs::create_dir_all(place.join("kept")).unwrap();
        fs::write(place.join("journal"), journal).unwrap();
    }
    folder
}

fn writes(path: &str) -> Record {
    let after = Some(Content(b"#!/bin/sh\n".as_slice().into()));
    let write = RecordedWrite { path: path.to_owned(), before: None, after };
    Record { writes: vec![write], token: "0000".to_owned(), ..Record::default() }
}

#[track_caller]
fn check_hostile(folder: &tempfile::TempDir) {
    let root = folder.path();
    let before = content(root);
    for error in
        [finish(root).unwrap_err(), take_back(root).unwrap_err(), unfinished(root).unwrap_err()]
    {
        assert!(matches!(error, JournalError::Damaged { .. }), "{error}");
    }
    carry_out(root, &project().1).unwrap_err();
    fs::remove_dir_all(root.join(".godot/gdscene/pending")).unwrap();
    assert!(matches!(plan_undo(root), Err(JournalError::Damaged { .. })));
    assert_eq!(content(root), before);
    assert!(!root.join(".git").exists());
}

#[test]
fn journals_that_lead_elsewhere() {
    for path in [
        "res://../x",
        "/tmp/x",
        "res://.git/hooks/post-checkout",
        "res://.godot/x",
        "res://a/../../x",
    ] {
        check_hostile(&with_journal(&writes(path)));
        let moved = FileMove { from: "res://a.gd".to_owned(), to: path.to_owned() };
        check_hostile(&with_journal(&Record { moves: vec![moved], ..Record::default() }));
        let kept = Kept { path: path.to_owned(), slot: Slot::Last(0) };
        check_hostile(&with_journal(&Record { removals: vec![kept.clone()], ..Record::default() }));
        check_hostile(&with_journal(&Record { restores: vec![kept], ..Record::default() }));
        check_hostile(&with_journal(&Record {
            old_folders: vec![path.to_owned()],
            ..Record::default()
        }));
    }
}

#[test]
fn journals_that_are_none() {
    let good = writes("res://x.gd").encoded().unwrap();
    for end in 0..good.len() {
        check_hostile(&with_bytes(project().0, &good[..end]));
    }
    for index in 0..good.len() {
        let mut bytes = good.clone();
        bytes[index] ^= 0x40;
        check_hostile(&with_bytes(project().0, &bytes));
    }
    check_hostile(&with_bytes(project().0, &[&good[..], b"x"].concat()));
}

/// A name for the temporary file that is not one of ours.
#[test]
fn a_token_that_leads_elsewhere() {
    for token in ["../x", "", "0000000", "/tmp"] {
        let folder = with_journal(&Record { token: token.to_owned(), ..writes("res://x.gd") });
        assert!(matches!(finish(folder.path()), Err(JournalError::Stuck { .. })));
        assert!(!folder.path().join("x.gd").exists());
    }
}

#[cfg(unix)]
#[test]
fn journals_behind_links() {
    use std::os::unix::fs::symlink;
    let elsewhere = with_journal(&writes("res://x.gd"));
    for part in ["pending", "pending/journal", "pending/kept"] {
        let folder = with_journal(&writes("res://x.gd"));
        let (from, to) = [&folder, &elsewhere]
            .map(|folder| folder.path().join(".godot/gdscene").join(part))
            .into();
        if from.is_dir() { fs::remove_dir_all(&from) } else { fs::remove_file(&from) }.unwrap();
        symlink(to, from).unwrap();
        assert!(matches!(finish(folder.path()), Err(JournalError::Damaged { .. })), "{part}");
        assert!(!folder.path().join("x.gd").exists());
    }
}

/// A file that somebody changed after a run was killed.
#[test]
fn neither_old_nor_new() {
    let content_of = |text: &str| Some(Content(text.as_bytes().into()));
    let write_of = |path: &str, before: &str, after: &str| RecordedWrite {
        path: path.to_owned(),
        before: content_of(before),
        after: content_of(after),
    };
    let record = Record {
        title: "rename".to_owned(),
        writes: vec![
            write_of("res://a.gd", "old a", "new a"),
            write_of("res://b.tscn", "older b", "new b"),
        ],
        token: "0000".to_owned(),
        ..Record::default()
    };
    let folder = with_bytes(project().0, &record.encoded().unwrap());
    let root = folder.path();
    let before = content(root);
    for error in [finish(root).unwrap_err(), take_back(root).unwrap_err()] {
        let text = error.to_string();
        assert!(
            text.contains("an earlier run was interrupted (rename), and files have changed since: res://b.tscn: "),
            "{text}"
        );
        assert!(text.contains("remove the folder `"), "{text}");
        assert_eq!(content(root), before);
    }
    write(root, "b.tscn", "new b");
    finish(root).unwrap().unwrap();
    assert_eq!(fs::read_to_string(root.join("a.gd")).unwrap(), "new a");
}
