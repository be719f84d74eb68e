//! The last refactoring is taken back.

use std::fs;

use super::{before_and_after, carry_out, changed, content, project, write};
use crate::journal::{Changes, JournalError, plan_undo, undo};

#[test]
fn there_and_back_again() {
    let (before, after) = before_and_after();
    let (folder, changes) = project();
    let root = folder.path();
    assert!(matches!(plan_undo(root), Err(JournalError::NothingToUndo)));
    carry_out(root, &changes).unwrap();
    for (title, expected) in [
        ("undo: change everything", &before),
        ("change everything", &after),
        ("undo: change everything", &before),
    ] {
        let plan = plan_undo(root).unwrap();
        assert_eq!(plan.changes.title, title);
        assert!(plan.merged.is_empty());
        undo(root, &plan).unwrap();
        assert_eq!(content(root), *expected);
    }
}

#[test]
fn a_fix_does_not_take_the_place_of_the_last_refactoring() {
    let (folder, changes) = project();
    let root = folder.path();
    carry_out(root, &changes).unwrap();
    let fix = Changes {
        title: "a fix".to_owned(),
        writes: vec![changed("res://b.tscn", Some("new b"), "fixed b")],
        ..Changes::default()
    };
    carry_out(root, &fix).unwrap();
    let error = plan_undo(root).unwrap_err().to_string();
    assert_eq!(
        error,
        "the last refactoring (change everything) cannot be taken back: res://b.tscn: the lines that the refactoring changed have changed \
         since; nothing was changed"
    );
    write(root, "b.tscn", "new b");
    plan_undo(root).unwrap();
}

/// Lines beside those that the refactoring changed stay as they are now; nothing is taken back by halves.
#[test]
fn after_edits() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let text = |first: &str, fifth: &str| format!("{first}\n2\n3\n4\n{fifth}\n6\n7\n8\n9\n");
    write(root, "a.gd", &text("1", "old"));
    write(root, "b.gd", "old b");
    let changes = Changes {
        title: "rename".to_owned(),
        writes: vec![
            changed("res://a.gd", Some(&text("1", "old")), &text("1", "new")),
            changed("res://b.gd", Some("old b"), "new b"),
            changed("res://c.gd", None, "made"),
        ],
        is_undoable: true,
        ..Changes::default()
    };
    carry_out(root, &changes).unwrap();
    write(root, "a.gd", &text("one", "new"));
    write(root, "c.gd", "made and edited");
    let now = content(root);
    let error = plan_undo(root).unwrap_err().to_string();
    assert!(
        error.contains("res://c.gd: the refactoring made this file, and it has changed since"),
        "{error}"
    );
    write(root, "c.gd", "made");
    let plan = plan_undo(root).unwrap();
    assert_eq!(plan.merged, ["res://a.gd"]);
    // Something comes in between.
    write(root, "b.gd", "newer b");
    let error = undo(root, &plan).unwrap_err().to_string();
    assert_eq!(error, "res://b.gd: it has changed since it was read; nothing was changed");
    write(root, "b.gd", "new b");
    undo(root, &plan).unwrap();
    assert_eq!(fs::read_to_string(root.join("a.gd")).unwrap(), text("one", "old"));
    assert_eq!(fs::read_to_string(root.join("b.gd")).unwrap(), "old b");
    assert!(!root.join("c.gd").exists());
    undo(root, &plan_undo(root).unwrap()).unwrap();
    assert_eq!(fs::read_to_string(root.join("a.gd")).unwrap(), text("one", "new"));
    write(root, "c.gd", "made and edited");
    assert_eq!(content(root), now);
}

#[test]
fn what_moved_on() {
    let (folder, changes) = project();
    let root = folder.path();
    carry_out(root, &changes).unwrap();
    let after = content(root);
    fs::rename(root.join("made/deep/moved.gd"), root.join("elsewhere.gd")).unwrap();
    write(root, "gone.png", "another");
    let error = plan_undo(root).unwrap_err().to_string();
    for part in ["res://made/deep/moved.gd: it is gone", "res://gone.png: it is"] {
        assert!(error.contains(part), "{error}");
    }
    fs::rename(root.join("elsewhere.gd"), root.join("made/deep/moved.gd")).unwrap();
    fs::remove_file(root.join("gone.png")).unwrap();
    assert_eq!(content(root), after);
    plan_undo(root).unwrap();
}
