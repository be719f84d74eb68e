//! The last refactoring is taken back.

use std::fs;

use godot_project::FileMove;

use super::{before_and_after, carry_out, changed, content, project, write};
use crate::{Changes, JournalError, Write, plan_undo, undo, undo_changes};

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
        "cannot undo the last refactoring (change everything): res://b.tscn: the lines that the refactoring changed have changed again; \
         nothing was changed"
    );
    write(root, "b.tscn", "new b");
    plan_undo(root).unwrap();
}

/// Lines next to those that the refactoring changed stay as they are now; nothing is undone by halves.
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
        error.contains("res://c.gd: the refactoring created this file, and it has changed since"),
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

/// Godot 4.6 gives each node of an older scene a `unique_id` when it saves the scene first: no line around a change stays.
#[test]
fn after_a_save_that_touches_every_node() {
    let node = |name: &str, parent: &str, property: &str, id: &str| {
        format!("\n[node name=\"{name}\" type=\"Node2D\"{parent}{id}]\n{property} = 3\n")
    };
    let scene = |name: &str, property: &str, ids: [&str; 3]| {
        let below = format!(" parent=\"{name}\"");
        format!("[gd_scene format=3]\n{}", node("Root", "", property, ids[0]))
            + &node(name, " parent=\".\"", "z_index", ids[1])
            + &node("C", &below, "rotation", ids[2])
    };
    let none = [""; 3];
    let ids = [" unique_id=1", " unique_id=2", " unique_id=3"];
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    write(root, "a.tscn", &scene("A", "old", none));
    let changes =
        rename("rename", "res://a.tscn", &scene("A", "old", none), &scene("B", "new", none));
    carry_out(root, &changes).unwrap();
    write(root, "a.tscn", &scene("B", "new", ids));
    let plan = plan_undo(root).unwrap();
    assert_eq!(plan.merged, ["res://a.tscn"]);
    undo(root, &plan).unwrap();
    assert_eq!(fs::read_to_string(root.join("a.tscn")).unwrap(), scene("A", "old", ids));
    // A value that changed again after the refactoring stays.
    write(root, "a.tscn", &scene("C", "newer", ids));
    assert!(matches!(plan_undo(root), Err(JournalError::NotUndoable { .. })));
}

/// A merge would keep the id that the file has now, and the undo would report a success without an effect.
#[test]
fn an_id_that_changed_again_is_not_taken_back() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    write(root, "a.gd.uid", "uid://before\n");
    carry_out(root, &rename("new id", "res://a.gd.uid", "uid://before\n", "uid://after\n"))
        .unwrap();
    write(root, "a.gd.uid", "uid://now\n");
    let error = plan_undo(root).unwrap_err().to_string();
    assert!(error.contains("res://a.gd.uid: the lines"), "{error}");
    assert_eq!(fs::read_to_string(root.join("a.gd.uid")).unwrap(), "uid://now\n");
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
    for part in
        ["res://made/deep/moved.gd: it is gone", "res://gone.png: source and target both exist"]
    {
        assert!(error.contains(part), "{error}");
    }
    fs::rename(root.join("elsewhere.gd"), root.join("made/deep/moved.gd")).unwrap();
    fs::remove_file(root.join("gone.png")).unwrap();
    assert_eq!(content(root), after);
    plan_undo(root).unwrap();
}

/// As from `before` to `after` in the file at `path`.
fn rename(title: &str, path: &str, before: &str, after: &str) -> Changes {
    Changes {
        title: title.to_owned(),
        writes: vec![changed(path, Some(before), after)],
        is_undoable: true,
        ..Changes::default()
    }
}

#[test]
fn given_changes_are_taken_back_as_the_last_ones() {
    let (before, after) = before_and_after();
    let (folder, changes) = project();
    let root = folder.path();
    carry_out(root, &changes).unwrap();
    // With the removed files, and without the folders that were made.
    assert_eq!(undo_changes(root, &changes).unwrap().title, "undo: change everything");
    assert_eq!(content(root), before);
    undo(root, &plan_undo(root).unwrap()).unwrap();
    assert_eq!(content(root), after);
}

#[test]
fn given_changes_are_taken_back_although_others_were_made_since() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    let text = |first: &str, fifth: &str| format!("{first}\n2\n3\n4\n{fifth}\n6\n7\n8\n9\n");
    write(root, "a.gd", &text("one", "five"));
    let moved = Changes {
        moves: vec![FileMove { from: "res://a.gd".to_owned(), to: "res://b/a.gd".to_owned() }],
        writes: vec![
            changed("res://a.gd", Some(&text("one", "five")), &text("1", "five")),
            changed("res://made.gd", None, "made"),
        ],
        ..rename("first", "", "", "")
    };
    carry_out(root, &moved).unwrap();
    let second = rename("second", "res://b/a.gd", &text("1", "five"), &text("1", "5"));
    carry_out(root, &second).unwrap();
    undo_changes(root, &moved).unwrap();
    assert_eq!(fs::read_to_string(root.join("a.gd")).unwrap(), text("one", "5"));
    assert!(!root.join("made.gd").exists());
    // The undone change is the last refactoring now.
    let plan = plan_undo(root).unwrap();
    assert_eq!(plan.changes.title, "first");
    undo(root, &plan).unwrap();
    assert_eq!(fs::read_to_string(root.join("b/a.gd")).unwrap(), text("1", "5"));
}

#[test]
fn given_changes_are_not_taken_back_by_halves() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path();
    for (path, content) in [("a.gd", "old a"), ("b.gd", "old b"), ("c.gd", "c"), ("d.gd", "d")] {
        write(root, path, content);
    }
    let first = Changes {
        writes: vec![
            changed("res://a.gd", Some("old a"), "new a"),
            changed("res://b.gd", Some("old b"), "new b"),
        ],
        removals: vec!["res://c.gd".to_owned()],
        ..rename("first", "", "", "")
    };
    carry_out(root, &first).unwrap();
    carry_out(root, &rename("second", "res://a.gd", "new a", "newer a")).unwrap();
    let now = content(root);
    let error = undo_changes(root, &first).unwrap_err().to_string();
    for part in [
        "res://c.gd: it is no longer stored, because other changes were made since",
        "res://a.gd: the lines that the refactoring changed have changed again",
    ] {
        assert!(error.contains(part), "{error}");
    }
    assert_eq!(content(root), now);
    let never_made = Changes {
        writes: vec![Write { after: None, ..changed("res://d.gd", Some("d"), "") }],
        ..rename("third", "", "", "")
    };
    let error = undo_changes(root, &never_made).unwrap_err().to_string();
    assert!(error.contains("res://d.gd: a new file exists at this path"), "{error}");
    assert_eq!(content(root), now);
}
