//! Writing several files, all or none.

use std::fs;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use project::{read_file, temporary_file, temporary_name, temporary_new_file};
use tempfile::{NamedTempFile, TempPath};

use crate::files::folder_of;
use crate::walk::Problem;

/// What is to become of a file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Change<'c> {
    pub(crate) path: &'c Path,
    /// What it held when the change was worked out; nothing if it is a new file.
    pub(crate) before: Option<&'c [u8]>,
    pub(crate) after: &'c [u8],
}

/// Makes all changes, or none and says why: if a file is not as it was, or cannot be written.
///
/// All texts are first written to files beside their places, which then take their names one after the other. If that
/// fails for one of them, those before it get their old content back, and keep the old file itself with its links. Only a
/// crash of the whole machine in this short time, or a killed process, can leave some files new and some old: file systems
/// know no renaming of several files at once.
pub(crate) fn write_together(changes: &[Change<'_>]) -> Result<(), Problem> {
    let at = |change: &Change<'_>| {
        let path = change.path.to_owned();
        move |error: io::Error| Problem { path, reason: error.to_string() }
    };
    let mut prepared = Vec::new();
    for change in changes {
        prepared.push((change, Prepared::new(change).map_err(at(change))?));
    }
    for change in changes {
        expect_unchanged(change).map_err(at(change))?;
    }
    let mut done: Vec<Undo> = Vec::new();
    for (change, file) in prepared {
        match file.put_in_place() {
            Ok(undo) => done.push(undo),
            Err(error) => {
                let mut problem = at(change)(error);
                problem.reason += "; nothing was changed";
                for error in done.into_iter().rev().filter_map(|undo| undo.undo().err()) {
                    problem.reason = format!("{}; but {error}", problem.reason);
                }
                return Err(problem);
            }
        }
    }
    Ok(())
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
        // The link is the old file itself, and locked with it. Elsewhere a locked file could not be read.
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

/// A link to somebody else's file could not be removed again in a folder like `/tmp`.
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
    fn undo(self) -> Result<(), String> {
        let name = self.path.display();
        match self.old {
            None => fs::remove_file(&self.path)
                .map_err(|error| format!("{name}, which is new, cannot be removed: {error}")),
            Some(old) => old.persist(&self.path).map_err(|error| {
                let reason = error.error.to_string();
                // It is all that is left of the old file.
                let kept = error.path.keep().map(|path| path.display().to_string());
                let kept = kept.unwrap_or_else(|error| error.to_string());
                format!("{name} is new, and its old content is in {kept}: {reason}")
            }),
        }
    }
}

fn expect_unchanged(change: &Change<'_>) -> io::Result<()> {
    let now = match read_file(change.path) {
        Ok(text) => Some(text),
        Err(error) if error.kind() == ErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    if now.as_deref() == change.before {
        return Ok(());
    }
    Err(io::Error::other("it has changed since it was read; nothing was changed"))
}

#[cfg(test)]
mod tests;
