//! Carries out the remaining steps of a journal.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

use godot_project::beneath::Beneath;

use super::disk;
use super::error::{JournalError, Trouble};
use super::home::Home;
use super::prepare::{discard_texts, remove_if_empty, temporary_path, write_texts};
use super::record::Record;
use super::state::{Part, Progress, Route};

/// Why it was not done, or not to the end.
#[derive(Debug)]
pub(super) enum Failure {
    /// Files have changed, and nothing was done.
    Neither(Vec<Trouble>),
    /// A step failed.
    Step(Trouble),
}

impl Failure {
    /// It has been taken back.
    pub(super) fn refused(self) -> JournalError {
        match self {
            Self::Neither(troubles) => JournalError::Refused(troubles),
            Self::Step(trouble) => JournalError::Refused(vec![trouble]),
        }
    }

    /// It could not be taken back because of `back`.
    pub(super) fn stuck(self, back: &Self) -> JournalError {
        let mut trouble = match self {
            Self::Neither(troubles) => troubles.into_iter().next(),
            Self::Step(trouble) => Some(trouble),
        };
        if let Some(trouble) = &mut trouble
            && let Self::Step(back) = back
        {
            trouble.reason += &format!(" (and {back})");
        }
        JournalError::Stuck {
            trouble: trouble.unwrap_or_else(|| Trouble::new("res://", "it has changed")),
        }
    }

    /// A killed run could not be finished, or taken back.
    pub(super) fn unfinished(self, home: &Home, record: &Record) -> JournalError {
        match self {
            Self::Neither(troubles) => {
                let (title, journal) = (record.title.clone(), home.pending_folder());
                JournalError::Neither { title, troubles, journal }
            }
            Self::Step(trouble) => JournalError::Stuck { trouble },
        }
    }
}

/// Carries out the rest of a journal, unless a file has neither its old nor its new contents.
pub(super) fn complete(home: &Home, record: &Record) -> Result<(), Failure> {
    let progress = Progress::of(home, record);
    let neither = progress.neither();
    if !neither.is_empty() {
        return Err(Failure::Neither(neither));
    }
    // Those of the killed run may be cut off.
    discard_texts(home, record, &progress);
    if let Err(trouble) = write_texts(home, record, &progress) {
        discard_texts(home, record, &progress);
        return Err(Failure::Step(trouble));
    }
    apply(home, record, &progress)
}

/// Carries out the rest of a journal, after its new contents have been written next to their files.
pub(super) fn apply(home: &Home, record: &Record, progress: &Progress) -> Result<(), Failure> {
    let mut folders = BTreeSet::new();
    let written = put_texts(home, record, progress, &mut folders);
    if written.is_err() {
        discard_texts(home, record, progress);
    }
    written?;
    let moves = record.moves.iter().map(|moved| &moved.from).zip(&progress.moves);
    let removals = record.removals.iter().map(|kept| &kept.path).zip(&progress.removals);
    let restores = record.restores.iter().map(|kept| &kept.path).zip(&progress.restores);
    for (path, (part, route)) in moves.chain(removals).chain(restores) {
        let moved = transfer(home.root(), part, route);
        moved.map_err(|error| Failure::Step(Trouble::new(path.clone(), error)))?;
        folders.extend([&route.from, &route.to].into_iter().filter_map(|path| parent(path)));
    }
    remove_if_empty(home, &record.old_folders);
    let root = home.root();
    folders
        .iter()
        .filter(|folder| root.is_dir(folder))
        .for_each(|folder| disk::sync_names(root, folder));
    Ok(())
}

fn put_texts(
    home: &Home,
    record: &Record,
    progress: &Progress,
    folders: &mut BTreeSet<PathBuf>,
) -> Result<(), Failure> {
    for (index, (write, (part, place))) in record.writes.iter().zip(&progress.writes).enumerate() {
        if *part != Part::Old {
            continue;
        }
        let root = home.root();
        let put = || match (&write.before, &write.after) {
            (_, None) => disk::remove_file(root, place),
            (None, Some(_)) => disk::transfer(root, &temporary_path(record, index, place)?, place),
            (Some(_), Some(_)) => disk::rename(root, &temporary_path(record, index, place)?, place),
        };
        put().map_err(|error| Failure::Step(Trouble::new(write.path.clone(), error)))?;
        folders.extend(parent(place));
    }
    Ok(())
}

fn transfer(root: &Beneath, part: &Part, Route { from, to }: &Route) -> io::Result<()> {
    match part {
        Part::Old => {
            if let Some(folder) = to.parent().filter(|folder| !root.is_dir(folder)) {
                root.create_dir_all(folder)?;
            }
            disk::transfer(root, from, to)
        }
        Part::Copied => disk::remove_file(root, from),
        Part::New | Part::Neither(_) => Ok(()),
    }
}

fn parent(path: &Path) -> Option<PathBuf> {
    path.parent().map(Path::to_owned)
}
