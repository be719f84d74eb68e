//! Changes that are refused before anything changes, and untrusted journals.

use std::fs;
use std::path::Path;
#[cfg(unix)]
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};

use godot_project::FileMove;

use super::{carry_out, changed, content, project, write};
use crate::home::Home;
use crate::record::{Content, Kept, Record, RecordedWrite, Slot};
use crate::seal::{CODE_SIZE, Seal};
use crate::{Changes, JournalError, finish, plan_undo, take_back, undo, unfinished};

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
        "res://changed_and_moved.gd: source and target both exist",
    );
    check(|root, _| write(root, "sub/there.gd", "old m"), "res://sub/there.gd: it already exists");
    check(
        |root, _| write(root, "other/folder2/x", "x"),
        "res://folder: source and target both exist",
    );
    check(|root, _| fs::remove_file(root.join("moved.gd")).unwrap(), "res://moved.gd: it is gone");
    check(|root, _| fs::remove_file(root.join("gone.png")).unwrap(), "res://gone.png: it is gone");
}

#[test]
fn changes_that_get_in_each_others_way() {
    let moved = |from: &str, to: &str| FileMove { from: from.to_owned(), to: to.to_owned() };
    let twice = "two changes conflict in this file";
    check(|_, changes| changes.writes.push(changed("res://a.gd", Some("old a"), "x")), twice);
    check(|_, changes| changes.moves.push(moved("res://a.gd", "res://made/deep/moved.gd")), twice);
    check(|_, changes| changes.removals.push("res://moved.gd".to_owned()), twice);
    check(|_, changes| changes.removals.push("res://a.gd".to_owned()), twice);
    let inside = "is in a folder that is also moved or removed";
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
    check(
        |_, changes| changes.writes.push(changed("res://sub/c.tscn", Some("old c"), "newer c")),
        "res://sub/c.tscn: it is the same file as `res://link.tscn`, whose content must differ",
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

/// Some keep Godot's imported files on another disk.
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
fn a_lock_that_is_held_for_a_moment_hides_no_journal() {
    let (folder, changes) = project();
    let root = folder.path();
    carry_out(root, &changes).unwrap();
    let of_godot = root.join(".godot/gdscene");
    fs::rename(of_godot.join("last"), of_godot.join("pending")).unwrap();
    let home = Home::make(root).unwrap();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(std::time::Duration::from_millis(50));
            drop(home);
        });
        assert!(unfinished(root).unwrap().is_some());
    });
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

/// A project in which a killed run has left this journal.
fn with_journal(record: &Record) -> tempfile::TempDir {
    let (folder, _) = project();
    let journal = encoded(&folder, record);
    with_bytes(folder, &journal)
}

/// The journal that this user's gdscene writes in the project.
fn encoded(folder: &tempfile::TempDir, record: &Record) -> Vec<u8> {
    let root = fs::canonicalize(folder.path()).unwrap();
    record.encoded(&Seal::of(&root).unwrap()).unwrap()
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

fn is_unusable(error: &JournalError) -> bool {
    matches!(error, JournalError::Damaged { .. } | JournalError::Foreign { .. })
}

/// The error of [`unfinished`]. A process that another test starts holds our lock until it runs its program.
fn unfinished_error(root: &Path) -> JournalError {
    let mut attempts = (0..100).map(|_| {
        std::thread::sleep(std::time::Duration::from_millis(1));
        unfinished(root).err()
    });
    attempts.find_map(|error| error).expect("an error")
}

#[track_caller]
fn check_hostile(folder: &tempfile::TempDir) {
    let root = folder.path();
    let before = content(root);
    for error in [finish(root).unwrap_err(), take_back(root).unwrap_err(), unfinished_error(root)] {
        assert!(is_unusable(&error), "{error}");
    }
    carry_out(root, &project().1).unwrap_err();
    fs::remove_dir_all(root.join(".godot/gdscene/pending")).unwrap();
    assert!(is_unusable(&plan_undo(root).unwrap_err()));
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
    let with_changed = |change: &dyn Fn(&mut Vec<u8>)| {
        let (folder, _) = project();
        let mut journal = encoded(&folder, &writes("res://x.gd"));
        change(&mut journal);
        with_bytes(folder, &journal)
    };
    let len = encoded(&project().0, &writes("res://x.gd")).len();
    for index in 0..len {
        check_hostile(&with_changed(&|journal| journal.truncate(index)));
        check_hostile(&with_changed(&|journal| journal[index] ^= 0x40));
    }
    check_hostile(&with_changed(&|journal| journal.push(b'x')));
}

/// Journals that are well-formed, and that this user's gdscene did not write for this project.
#[test]
fn journals_of_others() {
    let record = writes("res://x.gd");
    let elsewhere = encoded(&project().0, &record);
    let bytes = &elsewhere[8 + CODE_SIZE..];
    let without_key = [&elsewhere[..8], &[0; CODE_SIZE], bytes].concat();
    let older = [b"gdsjrn01", &godot_project::cache::hash(bytes).to_le_bytes()[..], bytes].concat();
    let not_ours = "was not written by your gdscene";
    for (journal, reason) in [
        (elsewhere, not_ours),
        (without_key, not_ours),
        (older, "another version of gdscene wrote it"),
    ] {
        let folder = with_bytes(project().0, &journal);
        let root = folder.path();
        let error = finish(root).unwrap_err();
        assert_eq!(matches!(error, JournalError::Foreign { .. }), reason == not_ours, "{error}");
        for part in [reason, "remove th", "pending`"] {
            assert!(error.to_string().contains(part), "{error}");
        }
        check_hostile(&folder);
        assert!(root.join(".godot/gdscene/last/journal").is_file(), "nothing of it is removed");
        // The change that it calls the last one is forgotten with the next one.
        carry_out(root, &super::changes()).unwrap();
        assert_eq!(plan_undo(root).unwrap().changes.title, "undo: change everything");
    }
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
        let error = finish(folder.path()).unwrap_err();
        assert!(matches!(error, JournalError::Damaged { .. }), "{part}: {error}");
        assert!(!folder.path().join("x.gd").exists());
    }
}

/// Even of a journal that is this user's own, nothing is kept in or comes from a place behind a link.
#[cfg(unix)]
#[test]
fn kept_files_behind_links() {
    use std::os::unix::fs::symlink;
    let links = ["pending", "last", "pending/kept", "last/kept", ".", ".."];
    let slots = [Slot::Pending(7), Slot::Last(7), Slot::Last(0), Slot::Pending(0)];
    for (link, slot) in links.iter().flat_map(|link| slots.map(|slot| (link, slot))) {
        let kept = |path: &str| Kept { path: path.to_owned(), slot };
        let removal = Record { removals: vec![kept("res://a.gd")], ..Record::default() };
        let restore = Record { restores: vec![kept("res://stolen.gd")], ..Record::default() };
        for record in [removal, restore] {
            let folder = with_journal(&Record { title: "rename".to_owned(), ..record });
            let root = folder.path();
            let outside = tempfile::tempdir().unwrap();
            for place in ["0", "kept/0", "last/kept/0", "gdscene/last/kept/0"] {
                write(outside.path(), place, "of the user");
            }
            let place = root.join(".godot/gdscene").join(link);
            let place = fs::canonicalize(place).unwrap();
            // The journal is there, so that only the kept files are elsewhere.
            if !link.ends_with("kept") {
                let copied = |from: &Path, to: &Path| {
                    Command::new("cp").arg("-r").arg(from.join(".")).arg(to).status().unwrap();
                };
                copied(&place, outside.path());
            }
            let before = content(outside.path());
            fs::remove_dir_all(&place).unwrap();
            symlink(outside.path(), &place).unwrap();
            let about = format!("{link} {slot:?}");
            let _ = (finish(root), take_back(root), unfinished(root));
            let _ =
                (carry_out(root, &super::changes()), plan_undo(root).map(|plan| undo(root, &plan)));
            assert_eq!(content(outside.path()), before, "{about}");
            assert!(!root.join("stolen.gd").exists(), "{about}");
        }
    }
}

/// No call waits for a pipe in the place of a file of ours.
#[cfg(unix)]
#[test]
fn pipes_in_the_folder_of_the_journal() {
    for name in [
        "lock",
        ".gitignore",
        "pending",
        "begun",
        "last",
        "old",
        "pending/journal",
        "last/journal",
        "last/kept",
    ] {
        let (folder, changes) = project();
        let root = folder.path();
        let place = root.join(".godot/gdscene").join(name);
        for kept in ["pending/kept", "last/kept"] {
            if Path::new(kept).starts_with(Path::new(name).parent().unwrap()) && name.contains('/')
            {
                fs::create_dir_all(root.join(".godot/gdscene").join(kept)).unwrap();
            }
        }
        fs::create_dir_all(place.parent().unwrap()).unwrap();
        let _ = fs::remove_dir_all(&place);
        assert!(Command::new("mkfifo").arg(&place).status().unwrap().success());
        let before = content(root);
        let found = [finish(root).map(drop), unfinished(root).map(drop), plan_undo(root).map(drop)];
        assert_eq!(content(root), before, "{name}");
        let done = carry_out(root, &changes);
        let is_in_the_way = ["lock", "pending", "pending/journal"].contains(&name);
        assert_eq!(done.is_err(), is_in_the_way, "{name}: {done:?}");
        let reasons = found.into_iter().chain([done.map(drop)]).filter_map(Result::err);
        let reasons: Vec<String> = reasons.map(|error| error.to_string()).collect();
        assert!(!reasons.is_empty() || !is_in_the_way, "{name}");
    }
}

/// A file that was changed after a run was killed.
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
    let folder = with_journal(&record);
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
