//! Changes of several files of a project that are made as a whole or not at all, whenever the process or the machine dies.
//!
//! Before the first file changes, all that is to be done is in a journal on the disk: the contents before and after, what
//! moves and what goes. Each part can be told apart from the files alone, done or not, so that it can be repeated. What a
//! killed run has left is finished by [`finish`], or taken back by [`take_back`]; of a file that is neither as it was nor as
//! it is to be, because somebody changed it in between, both say so and change nothing.
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
//! `begun` becomes `pending`, and that `last`, by one rename each: these are the moments at which the whole counts as to be
//! done, and as done.
//!
//! A journal is believed only if this user's gdscene wrote it for this project (`seal.rs`). One that came with a project is
//! reported, and nothing in it is done. Whatever a journal says, its paths stay below the project's folder and lead to no
//! hidden file, no step follows a link (`beneath.rs`), and nothing in it is ever run.
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

/// What is to be done in a project: contents change at the paths that the files have before, then files move, then files
/// go.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes {
    /// What it does, as a heading.
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
    /// What it is to hold; nothing for a file that goes.
    pub after: Option<Arc<[u8]>>,
}

/// What has been done.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Done {
    /// What it was.
    pub title: String,
    /// What is to be known of it: that git's index could not follow.
    pub notes: Vec<String>,
}

/// What a killed run was about to do. Each part of it may be done or not.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unfinished {
    /// All of it, but for what comes back.
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
/// ([`JournalError::Unfinished`]). Nothing was changed then, but for [`JournalError::Stuck`].
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

/// What a killed run was about to do in the project in the folder `root`, if one was. A run that is still at work does not
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

/// Finishes what a killed run has begun in the project in the folder `root`, if one has.
///
/// # Errors
/// When a file is neither as it was nor as it is to be ([`JournalError::Neither`]): nothing was changed then. Or when it
/// cannot be finished ([`JournalError::Stuck`]).
pub fn finish(root: &Path) -> Result<Option<Done>, JournalError> {
    let Some((home, record)) = left_behind(root)? else { return Ok(None) };
    let notes = go_on(&home, &record)?;
    home.close(record.is_undoable)?;
    Ok(Some(Done { title: record.name(), notes }))
}

/// Takes back what a killed run has begun in the project in the folder `root`, if one has.
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
        // What has been done is taken back as what a killed run has done would be.
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
            "a later `gdscene undo` cannot take this back, because the key of the journal cannot be kept: {trouble}"
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
    // It removes what is left of a run that was killed before it changed anything.
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

/// Lets the indexes of git name moved files by their new paths, as `git mv` does; what hinders that.
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
            notes.push(format!("{} comes into another repository; git was not told", to.display()));
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
        // A repository whose top folder is not one any more has no index.
        let Ok(top) = fs::canonicalize(top) else { continue };
        if let Err(reason) = Git::open(&top).and_then(|git| git.rename_in_index(&pairs)) {
            notes.push(format!("the files were moved, but not in git's index: {reason}"));
        }
    }
    notes
}
