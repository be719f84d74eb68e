//! Changes of several files of a project that are made as a whole or not at all, whenever the process or the machine dies.
//!
//! Before the first file changes, a journal on the disk contains the whole change: the contents before and after, the moves
//! and the removals. The files alone show whether each part is done, so that it can be repeated. [`finish`] finishes the
//! rest of a killed run, and [`take_back`] undoes it. If a file has neither its old nor its new contents, because it was
//! changed in between, both report it and change nothing.
//!
//! ```text
//! .godot/gdscene/          git ignores it, and Godot does not look into it; `.gdscene` if `.godot` is a link
//!   lock                   held by the process that is at work
//!   begun/                 what is being prepared: no file of the project has changed yet
//!   pending/journal        what is being done
//!   pending/kept/0, 1, …   what it has removed
//!   last/…                 the last refactoring, for `gdscene undo`
//! ```
//!
//! `begun` becomes `pending`, and that becomes `last`, by one rename each. At these moments, the whole counts as to be
//! done, and as done.
//!
//! A journal is believed only if this user's gdscene wrote it for this project (`seal.rs`). One that came with a project is
//! reported, and nothing in it is done. In every journal, paths stay below the project's folder and lead to no hidden file,
//! no step follows a link (`beneath.rs`), and nothing in it is ever run.
//!
//! How a plan is carried out:
//!
//! ```text
//! record.rs    do changes get in each other's way, do all paths stay in the project (godot_project::inside)?
//! home.rs      the lock
//! state.rs     is each file as it was?
//! prepare.rs   can each file be changed? the journal and the new contents onto the disk
//!              `begun` is renamed to `pending`
//! apply.rs     contents, moves, removals; then git's index
//!              `pending` is renamed to `last`, or removed after a fix
//! after a kill finish: state.rs reads from the files which parts are done, apply.rs does the others
//!              take_back: the same with the inverse
//! undo         the inverse of `last`, with contents merged where files have moved on (godot_project::three_way)
//! ```

#![forbid(unsafe_code)]

mod apply;
mod disk;
mod error;
mod home;
mod prepare;
mod record;
mod seal;
mod state;
#[cfg(test)]
mod tests;
mod undo;

use std::fs;
use std::path::Path;
use std::sync::Arc;

use godot_project::inside;
use godot_project::{FileMove, Git, Plan};

pub use error::{JournalError, Trouble};
pub use undo::{Restored, Undo, plan_undo, undo_changes};

use home::Home;
use prepare::Prepared;
use record::Record;

/// A change of a project. Contents change at the old paths of the files, then files move, then files are removed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// Its title, as a heading.
    pub title: String,
    /// The new contents. No path twice.
    pub writes: Vec<Write>,
    /// The files and folders that get another path.
    pub moves: Vec<FileMove>,
    /// The files and folders that go. Those of the last refactoring are kept for [`plan_undo`].
    pub removals: Vec<String>,
    /// Whether it counts as the last refactoring then.
    pub is_undoable: bool,
}

/// The new content of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Write {
    /// `res://…`
    pub path: String,
    /// The content that the change was made from; nothing for a new file.
    pub before: Option<Arc<[u8]>>,
    /// The new contents; nothing for a file that is removed.
    pub after: Option<Arc<[u8]>>,
}

/// A completed change.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Done {
    /// Its title.
    pub title: String,
    /// Notes on it: that git's index could not follow.
    pub notes: Vec<String>,
}

/// The change of a killed run. Each part of it may be done or not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unfinished {
    /// All of it, except the files that come back.
    pub changes: Changes,
    /// The paths of the files and folders that come back from where removed ones are kept.
    pub restored: Vec<String>,
}

impl From<&Plan> for Changes {
    fn from(plan: &Plan) -> Self {
        let write = |file: &godot_tscn::FileEdits| Write {
            path: file.path.clone(),
            before: file.text().cloned(),
            after: Some(file.new_text().into()),
        };
        Self {
            title: plan.title.clone(),
            writes: plan.files.iter().map(write).collect(),
            moves: plan.moves.clone(),
            removals: plan.removals.clone(),
            is_undoable: true,
        }
    }
}

/// Makes changes in the project in the folder `root`: all of them, or none.
///
/// # Errors
/// When a file is not as it was or cannot be changed, and when another run is at work or was killed
/// ([`JournalError::Unfinished`]). Nothing was changed then, except for [`JournalError::Stuck`].
pub fn carry_out(root: &Path, changes: &Changes) -> Result<Done, JournalError> {
    let record = Record::of(changes)?;
    let home = Home::make(root)?;
    begin(&home, record, changes.is_undoable)
}

/// Makes the changes that [`plan_undo`] has worked out. They can be taken back in their turn.
///
/// # Errors
/// As [`carry_out`].
pub fn undo(root: &Path, undo: &Undo) -> Result<Done, JournalError> {
    let home = Home::make(root)?;
    begin(&home, undo.record.clone(), true)
}

/// The change of a killed run in the project in the folder `root`, if there is one. A run that is still at work does not
/// count.
///
/// # Errors
/// When the journal cannot be read.
pub fn unfinished(root: &Path) -> Result<Option<Unfinished>, JournalError> {
    match Home::found(root)? {
        Some(home) if home.has_pending() && home.is_free() => {
            let record = home.pending()?;
            let restored = record.restores.iter().map(|kept| kept.path.clone()).collect();
            Ok(Some(Unfinished { changes: record.changes(), restored }))
        }
        _ => Ok(None),
    }
}

/// Finishes the change of a killed run in the project in the folder `root`, if there is one.
///
/// # Errors
/// When a file has neither its old nor its new contents ([`JournalError::Neither`]): nothing was changed then. Or when
/// it cannot be finished ([`JournalError::Stuck`]).
pub fn finish(root: &Path) -> Result<Option<Done>, JournalError> {
    let Some((home, record)) = left_behind(root)? else { return Ok(None) };
    let notes = go_on(&home, &record)?;
    home.close(record.is_undoable)?;
    Ok(Some(Done { title: record.name(), notes }))
}

/// Undoes the change of a killed run in the project in the folder `root`, if there is one.
///
/// # Errors
/// As [`finish`].
pub fn take_back(root: &Path) -> Result<Option<Done>, JournalError> {
    let Some((home, record)) = left_behind(root)? else { return Ok(None) };
    let notes = go_on(&home, &record.inverse())?;
    home.close(false)?;
    Ok(Some(Done { title: record.name(), notes }))
}

fn begin(home: &Home, record: Record, is_undoable: bool) -> Result<Done, JournalError> {
    if home.has_pending() {
        return Err(JournalError::Unfinished { title: home.pending()?.name() });
    }
    let record = Record { is_undoable, ..record };
    let Prepared { record, progress } = prepare::prepare(home, record)?;
    if let Err(error) = home.begin() {
        prepare::discard_texts(home, &record, &progress);
        return Err(error);
    }
    if let Err(failure) = apply::apply(home, &record, &progress) {
        // The completed part is undone as for a killed run.
        return match apply::complete(home, &record.inverse()) {
            Ok(()) => {
                home.close(false)?;
                Err(failure.refused())
            }
            Err(back) => Err(failure.stuck(&back)),
        };
    }
    let mut notes = follow_in_git(home.root().path(), &record.moves);
    home.close(is_undoable)?;
    if is_undoable
        && let Ok(seal) = home.seal()
        && let Some(trouble) = seal.trouble()
    {
        notes.push(format!(
            "a later `gdscene undo` cannot undo this, because the key of the journal cannot be stored: {trouble}"
        ));
    }
    Ok(Done { title: record.name(), notes })
}

/// The journal of a killed run, with the lock.
fn left_behind(root: &Path) -> Result<Option<(Home, Record)>, JournalError> {
    match Home::found(root)? {
        Some(home) if home.has_pending() || home.has_begun() => {}
        _ => return Ok(None),
    }
    // It removes the files of a run that was killed before it changed anything.
    let home = Home::make(root)?;
    // The run may have been at work, and have ended by now.
    if !home.has_pending() {
        return Ok(None);
    }
    let record = home.pending()?;
    Ok(Some((home, record)))
}

fn go_on(home: &Home, record: &Record) -> Result<Vec<String>, JournalError> {
    apply::complete(home, record).map_err(|failure| failure.unfinished(home, record))?;
    Ok(follow_in_git(home.root().path(), &record.moves))
}

/// Updates the indexes of git to the new paths of moved files, as `git mv` does; returns the
/// obstacles.
fn follow_in_git(root: &Path, moves: &[FileMove]) -> Vec<String> {
    let mut notes = Vec::new();
    let mut by_top: Vec<(&Path, Vec<(String, String)>)> = Vec::new();
    let places: Vec<_> = moves
        .iter()
        .filter_map(|FileMove { from, to }| {
            let place = |path: &str| Some(root.join(inside::locate(root, path).ok()?));
            Some((place(from)?, place(to)?))
        })
        .collect();
    for (from, to) in &places {
        let tops = (from.parent().and_then(Git::top_of), to.parent().and_then(Git::top_of));
        let (Some(top), Some(other)) = tops else { continue };
        if top != other {
            notes.push(format!(
                "{} moves to another repository; git's index was not updated",
                to.display()
            ));
            continue;
        }
        let below = |path: &Path| {
            let path = path.strip_prefix(top).ok()?.to_str()?;
            Some(if cfg!(windows) { path.replace('\\', "/") } else { path.to_owned() })
        };
        let Some(pair) = below(from).zip(below(to)) else { continue };
        match by_top.iter_mut().find(|(known, _)| *known == top) {
            Some((_, pairs)) => pairs.push(pair),
            None => by_top.push((top, vec![pair])),
        }
    }
    for (top, pairs) in by_top {
        // A repository without a top folder has no index.
        let Ok(top) = fs::canonicalize(top) else { continue };
        if let Err(reason) = Git::open(&top).and_then(|git| git.rename_in_index(&pairs)) {
            notes.push(format!("the files were moved, but git's index was not updated: {reason}"));
        }
    }
    notes
}
