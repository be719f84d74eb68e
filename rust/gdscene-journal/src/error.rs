//! Why changes were not made, in words that suggest a solution.

use std::path::{Path, PathBuf};
use std::{fmt, io};

use thiserror::Error;

/// At most this number of files is named in one message.
const MAX_NAMED: usize = 10;

/// The obstacle to changes.
#[derive(Debug, Error)]
pub enum JournalError {
    /// The journal cannot be kept in the project.
    #[error(
        "cannot write the journal from which changes are finished after a crash, in `{}`: {reason}; nothing was changed",
        path.display()
    )]
    Unusable {
        /// Where it is kept.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// Another process makes changes.
    #[error(
        "another gdscene is changing files of this project; run this again when it has finished"
    )]
    Busy,
    /// Files are not as they were, or cannot be changed.
    #[error("{}; nothing was changed", Troubles(.0))]
    Refused(Vec<Trouble>),
    /// A run was killed, and its changes must be finished first.
    #[error("an earlier run was interrupted ({title}); finish or undo it first")]
    Unfinished {
        /// Its title.
        title: String,
    },
    /// Files are neither as a killed run found them nor as it was to leave them.
    #[error(
        "an earlier run was interrupted ({title}), and files have changed since: {}; nothing was changed now. Restore these files to the content \
         before or after it and run this again. To keep all files as they are, remove the folder `{}`",
        Troubles(troubles), journal.display()
    )]
    Neither {
        /// The title of the killed run.
        title: String,
        /// The files.
        troubles: Vec<Trouble>,
        /// The folder of the journal, without which the run is forgotten.
        journal: PathBuf,
    },
    /// Changes have begun, and can neither be finished nor taken back.
    #[error(
        "{trouble}; other files have already changed. Fix this and run the command again to finish, or run `gdscene undo` to \
         undo it"
    )]
    Stuck {
        /// The obstacle.
        trouble: Trouble,
    },
    /// The journal is not one, or not one that may be trusted.
    #[error(
        "the journal in `{}` cannot be used: {reason}. If the files of the project are correct, remove this folder",
        path.display()
    )]
    Damaged {
        /// The folder of the journal.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// Nothing proves that the journal was written by this user's gdscene in this project.
    #[error(
        "the journal in `{0}` was not written by your gdscene in this folder, so it is not applied; nothing was changed. \
         If it came with the project, or if it is damaged, remove the folder `{0}`. If you moved the project, move it back to finish \
         the change",
        path.display()
    )]
    Foreign {
        /// The folder of the journal.
        path: PathBuf,
    },
    /// No refactoring is there to be taken back.
    #[error("nothing to undo: the journal of this project does not contain a refactoring")]
    NothingToUndo,
    /// The last refactoring cannot be taken back.
    #[error(
        "cannot undo the last refactoring ({title}): {}; nothing was changed",
        Troubles(troubles)
    )]
    NotUndoable {
        /// Its title.
        title: String,
        /// The obstacle.
        troubles: Vec<Trouble>,
    },
}

/// A file that is in the way, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trouble {
    /// `res://…`, or its place if it is not a file of the project.
    pub path: String,
    /// Why.
    pub reason: String,
}

impl Trouble {
    pub(super) fn new(path: impl Into<String>, reason: impl fmt::Display) -> Self {
        Self { path: path.into(), reason: reason.to_string() }
    }

    pub(super) fn at(path: &Path, error: &io::Error) -> Self {
        Self::new(path.display().to_string(), error)
    }
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path, self.reason)
    }
}

struct Troubles<'t>(&'t [Trouble]);

impl fmt::Display for Troubles<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, trouble) in self.0.iter().take(MAX_NAMED).enumerate() {
            let comma = if index == 0 { "" } else { "; " };
            write!(f, "{comma}{trouble}")?;
        }
        match self.0.len().saturating_sub(MAX_NAMED) {
            0 => Ok(()),
            more => write!(f, "; and {more} more"),
        }
    }
}
