//! Writing several files, all or none.

use std::fmt;
use std::fs;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use project::{read_file, temporary_file, temporary_name, temporary_new_file};
use tempfile::{NamedTempFile, TempPath};
use thiserror::Error;

use crate::files::folder_of;
use crate::inputs::Problem;

/// The new content of a file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Change<'c> {
    pub(crate) path: &'c Path,
    /// The content that the change was made from; none for a new file.
    pub(crate) before: Option<&'c [u8]>,
    pub(crate) after: &'c [u8],
}

/// Why the files were not written.
#[derive(Debug, Error)]
pub(crate) enum WriteError {
    /// A file cannot be read, or its new content cannot be written beside it.
    #[error("{source}; nothing was changed")]
    Unprepared { path: PathBuf, source: io::Error },
    #[error("it has changed since it was read; nothing was changed")]
    Changed { path: PathBuf },
    /// A file could not be replaced. The files before it have their old content again, except those in `left`.
    #[error("{source}; {}", Undone(left))]
    NotReplaced { path: PathBuf, source: io::Error, left: Vec<UndoError> },
}

/// Why a file could not get its old content back.
#[derive(Debug, Error)]
pub(crate) enum UndoError {
    #[error("{}, which is new, cannot be removed: {source}", path.display())]
    NotRemoved { path: PathBuf, source: io::Error },
    #[error("{} is new, and its old content is in {}: {source}", path.display(), kept.display())]
    NotRestored { path: PathBuf, kept: PathBuf, source: io::Error },
    #[error("{} is new, and its old content is lost: {source}", path.display())]
    Lost { path: PathBuf, source: io::Error },
}

/// Writes all changes, or none if a file is not as it was or cannot be written.
///
/// All texts are first written to files beside their places, which then take their names one after the other. If that
/// fails for one of them, those before it get their old content back, and keep the old file itself with its links. Only a
/// crash of the whole machine in this short time, or a killed process, can leave some files new and some old: file systems
/// cannot rename several files at once.
pub(crate) fn write_together(changes: &[Change<'_>]) -> Result<(), WriteError> {
    let unprepared = |change: &Change<'_>| {
        let path = change.path.to_owned();
        |source| WriteError::Unprepared { path, source }
    };
    let mut prepared = Vec::new();
    for change in changes {
        prepared.push((change, Prepared::new(change).map_err(unprepared(change))?));
    }
    for change in changes {
        if !is_unchanged(change).map_err(unprepared(change))? {
            return Err(WriteError::Changed { path: change.path.to_owned() });
        }
    }
    let mut done: Vec<Undo> = Vec::new();
    for (change, file) in prepared {
        match file.put_in_place() {
            Ok(undo) => done.push(undo),
            Err(source) => {
                let left = done.into_iter().rev().filter_map(|undo| undo.undo().err()).collect();
                return Err(WriteError::NotReplaced { path: change.path.to_owned(), source, left });
            }
        }
    }
    Ok(())
}

impl From<WriteError> for Problem {
    fn from(error: WriteError) -> Self {
        let reason = error.to_string();
        match error {
            WriteError::Unprepared { path, .. }
            | WriteError::Changed { path }
            | WriteError::NotReplaced { path, .. } => Self { path, reason },
        }
    }
}

/// What became of the files that were written before the one that failed.
struct Undone<'l>(&'l [UndoError]);

impl fmt::Display for Undone<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            [] => write!(f, "nothing was changed"),
            [first, rest @ ..] => {
                write!(f, "{first}")?;
                rest.iter().try_for_each(|error| write!(f, "; {error}"))
            }
        }
    }
}

/// A file that is ready to take the place of another.
struct Prepared {
    path: PathBuf,
    new: NamedTempFile,
    /// The old file under another name, and opened.
    old: Option<(TempPath, fs::File)>,
}

impl Prepared {
    fn new(change: &Change<'_>) -> io::Result<Self> {
        let Some(before) = change.before else {
            let mut new = temporary_new_file(folder_of(change.path))?;
            new.write_all(change.after)?;
            new.as_file().sync_all()?;
            return Ok(Self { path: change.path.to_owned(), new, old: None });
        };
        let path = fs::canonicalize(change.path)?;
        let folder = folder_of(&path);
        // Renaming would get around the protection of a file that must not be written.
        let old_file = fs::OpenOptions::new().write(true).open(&path)?;
        let metadata = old_file.metadata()?;
        let permissions = metadata.permissions();
        let mut new = temporary_file(folder)?;
        new.write_all(change.after)?;
        new.as_file().set_permissions(permissions.clone())?;
        new.as_file().sync_all()?;
        let is_own = has_same_owner(&metadata, &new.as_file().metadata()?);
        // The link is the old file itself, and locked with it. On other systems a locked file could not be read.
        let link = || {
            let _ = old_file.try_lock();
            temporary_name().make_in(folder, |name| fs::hard_link(&path, name)).ok()
        };
        let old = match (is_own && cfg!(unix)).then(link).flatten() {
            Some(link) => link.into_temp_path(),
            // Not every file system has hard links.
            None => {
                let mut copy = temporary_file(folder)?;
                copy.write_all(before)?;
                copy.as_file().set_permissions(permissions)?;
                copy.as_file().sync_all()?;
                copy.into_temp_path()
            }
        };
        Ok(Self { path, new, old: Some((old, old_file)) })
    }

    fn put_in_place(self) -> io::Result<Undo> {
        match self.old {
            Some((old, _)) => {
                self.new.persist(&self.path)?;
                Ok(Undo { path: self.path, old: Some(old) })
            }
            None => {
                self.new.persist_noclobber(&self.path)?;
                Ok(Undo { path: self.path, old: None })
            }
        }
    }
}

/// Whether both files have one owner: in a folder like `/tmp`, a link to the file of another user could not be removed.
#[cfg(unix)]
fn has_same_owner(one: &fs::Metadata, other: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    one.uid() == other.uid()
}

#[cfg(not(unix))]
fn has_same_owner(_: &fs::Metadata, _: &fs::Metadata) -> bool {
    true
}

/// How to get back what was at a path.
struct Undo {
    path: PathBuf,
    old: Option<TempPath>,
}

impl Undo {
    fn undo(self) -> Result<(), UndoError> {
        let Self { path, old } = self;
        let Some(old) = old else {
            return fs::remove_file(&path).map_err(|source| UndoError::NotRemoved { path, source });
        };
        old.persist(&path).map_err(|error| {
            let source = error.error;
            // All that is left of the old file, so it must not be deleted as temporary files are.
            match error.path.keep() {
                Ok(kept) => UndoError::NotRestored { path, kept, source },
                Err(lost) => UndoError::Lost { path, source: lost.error },
            }
        })
    }
}

/// Whether the file still has the content that the change was made from.
fn is_unchanged(change: &Change<'_>) -> io::Result<bool> {
    let now = match read_file(change.path) {
        Ok(text) => Some(text),
        Err(error) if error.kind() == ErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    Ok(now.as_deref() == change.before)
}

#[cfg(test)]
mod tests;
