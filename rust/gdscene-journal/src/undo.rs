//! Takes the last refactoring back.

use std::collections::BTreeSet;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use godot_project::inside::locate_content;
use godot_project::three_way::three_way;

use super::error::{JournalError, Trouble};
use super::home::Home;
use super::record::{Content, Kept, Record, RecordedWrite, Slot};
use super::state::{Part, Progress};
use super::{Changes, Done, begin};

/// The change that undoes the last refactoring.
#[derive(Clone, Debug)]
pub struct Undo {
    /// Its title, for people. Files that come back from the kept ones are in `restored`.
    pub changes: Changes,
    /// The files and folders that come back.
    pub restored: Vec<Restored>,
    /// The paths of files that have changed since, into which the lines from before are merged.
    pub merged: Vec<String>,
    pub(super) record: Record,
}

/// A file or folder that comes back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Restored {
    /// `res://…`
    pub path: String,
    /// Where it is kept.
    pub kept: PathBuf,
}

/// Plans the change that undoes the last refactoring of the project in the folder `root`; after that, the change that
/// repeats it. A file that is as the refactoring left it gets exactly the content from before. In one that has changed
/// since, the lines, or else the nodes and properties, that the refactoring changed become those from before.
///
/// # Errors
/// When no change is left, or the last one can no longer be undone. A killed run has to be finished or taken back first.
pub fn plan_undo(root: &Path) -> Result<Undo, JournalError> {
    let home = Home::found(root)?.ok_or(JournalError::NothingToUndo)?;
    if home.has_pending() {
        return Err(JournalError::Unfinished { title: home.pending()?.name() });
    }
    let last = home.last()?.ok_or(JournalError::NothingToUndo)?;
    let mut back = last.inverse();
    // The running change has become the last one.
    let of_last = |kept: Kept| match kept.slot {
        Slot::Pending(number) => Kept { slot: Slot::Last(number), ..kept },
        Slot::Last(_) => kept,
    };
    back.restores = back.restores.into_iter().map(of_last).collect();
    let removals = back.removals.into_iter().zip(0..);
    back.removals =
        removals.map(|(kept, number)| Kept { slot: Slot::Pending(number), ..kept }).collect();
    let (mut merged, mut troubles) = (Vec::new(), Vec::new());
    for write in &mut back.writes {
        match brought_up_to_date(&home, write) {
            Ok(true) => merged.push(write.path.clone()),
            Ok(false) => {}
            Err(trouble) => troubles.push(trouble),
        }
    }
    troubles.extend(Progress::of(&home, &back).neither());
    let progress = Progress::of(&home, &back);
    let routes = progress.moves.iter().chain(&progress.removals).chain(&progress.restores);
    let paths = back.moves.iter().map(|moved| &moved.from);
    let kept = back.removals.iter().chain(&back.restores).map(|kept| &kept.path);
    for (path, (part, _)) in paths.chain(kept).zip(routes) {
        if matches!(part, Part::New | Part::Copied) {
            troubles
                .push(Trouble::new(path.clone(), "it is no longer where the refactoring put it"));
        }
    }
    troubles.sort_by(|one, other| one.path.cmp(&other.path));
    troubles.dedup_by(|one, other| one.path == other.path);
    if !troubles.is_empty() {
        return Err(JournalError::NotUndoable { title: last.name(), troubles });
    }
    let restored = |kept: &Kept| Restored {
        path: kept.path.clone(),
        kept: home.root().path().join(home.slot(kept.slot)),
    };
    back.writes.retain(|write| write.before != write.after);
    Ok(Undo {
        changes: back.changes(),
        restored: back.restores.iter().map(restored).collect(),
        merged,
        record: back,
    })
}

/// Takes changes back that [`super::carry_out`] made in the project in the folder `root`, also if others were made since. A
/// file that has changed since gets the lines from before.
///
/// # Errors
/// When that is not possible. Removed files above all are kept only until the next changes that can be undone.
pub fn undo_changes(root: &Path, changes: &Changes) -> Result<Done, JournalError> {
    let done = Record::of(changes)?;
    let mut back = done.inverse();
    match plan_undo(root) {
        Ok(undo) if takes_back(&undo.record, &back) => return super::undo(root, &undo),
        Err(error @ JournalError::Unfinished { .. }) => return Err(error),
        _ => {}
    }
    let gone = "it is no longer stored, because other changes were made since";
    let gone = |kept: &Kept| Trouble::new(kept.path.clone(), gone);
    let mut troubles: Vec<Trouble> = back.restores.drain(..).map(|kept| gone(&kept)).collect();
    let home = Home::make(root)?;
    for write in &mut back.writes {
        if let Err(trouble) = brought_up_to_date(&home, write) {
            troubles.push(trouble);
        }
    }
    if !troubles.is_empty() {
        return Err(JournalError::NotUndoable { title: done.name(), troubles });
    }
    back.writes.retain(|write| write.before != write.after);
    begin(&home, back, changes.is_undoable)
}

/// Whether `undo` would undo `back`: it does not list the folders that were made.
fn takes_back(undo: &Record, back: &Record) -> bool {
    let paths = |writes: &[RecordedWrite]| -> BTreeSet<String> {
        writes.iter().map(|write| write.path.clone()).collect()
    };
    let moves = |record: &Record| record.moves.iter().cloned().collect::<BTreeSet<_>>();
    undo.name() == back.name()
        && moves(undo) == moves(back)
        && paths(&undo.writes).is_subset(&paths(&back.writes))
}

/// Bases a change back on the current contents of the file; returns whether these differ from the
/// refactoring's result.
fn brought_up_to_date(home: &Home, write: &mut RecordedWrite) -> Result<bool, Trouble> {
    let trouble = |reason: &str| Trouble::new(write.path.clone(), reason);
    let place = locate_content(home.root().path(), &write.path)
        .map_err(|error| Trouble::new(write.path.clone(), error))?;
    let now = match home.root().read(&place) {
        Ok(text) => Some(Content(text.into())),
        Err(error) if error.kind() == ErrorKind::NotFound => None,
        Err(error) => return Err(Trouble::new(write.path.clone(), error)),
    };
    if now == write.before {
        return Ok(false);
    }
    if now.is_some() && write.before.is_some() && now == write.after {
        write.before = now;
        return Ok(false);
    }
    let text = match (&write.before, &write.after, &now) {
        (_, _, None) => return Err(trouble("it is gone")),
        (None, _, Some(_)) => return Err(trouble("a new file exists at this path")),
        (Some(_), None, Some(_)) => {
            return Err(trouble("the refactoring created this file, and it has changed since"));
        }
        (Some(Content(left)), Some(Content(before)), Some(Content(now))) => {
            merged(&write.path, left, before, now).ok_or_else(|| {
                trouble("the lines that the refactoring changed have changed again")
            })?
        }
    };
    write.before = now;
    write.after = Some(Content(text.into()));
    Ok(true)
}

/// The file's contents `now`, without the changes of the refactoring. A save by a newer Godot adds a field to each node, so
/// that no line around a change is the same: then nodes and properties are compared.
fn merged(path: &str, left: &[u8], before: &[u8], now: &[u8]) -> Option<Vec<u8>> {
    three_way(left, before, now).or_else(|| {
        // A merge of two ids keeps the one that the file has now, so it would undo nothing.
        let merged = godot_tscn::merge_file(path, left, now, before).ok();
        let merged = merged.filter(|_| !path.ends_with(".uid"))?;
        // A note reports a choice between two sides, which an undo must not make.
        (merged.conflicts.is_empty() && merged.notes.is_empty()).then_some(merged.text)
    })
}
