//! `gdscene check --since`: the files that git reports as changed.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use project::Git;
use thiserror::Error;

use crate::inputs::{Input, Problem};

/// Why the files that changed since a revision are not known.
#[derive(Debug, Error)]
pub(crate) enum SinceError {
    /// `path` was given on the command line together with `--profile untrusted`.
    #[error("--since runs git, which is not run in a folder of untrusted files")]
    Untrusted { path: PathBuf },
    /// A file on the command line cannot be found.
    #[error("{source}")]
    Unreadable { path: PathBuf, source: io::Error },
    #[error("--since: not a git repository")]
    NotARepository { path: PathBuf },
    #[error("--since: git does not know the revision `{revision}`; is the history complete?")]
    UnknownRevision { path: PathBuf, revision: String },
    /// git could not be run, or failed.
    #[error("--since: {reason}")]
    Git { path: PathBuf, reason: String },
}

impl SinceError {
    fn path(&self) -> &Path {
        match self {
            Self::Untrusted { path }
            | Self::Unreadable { path, .. }
            | Self::NotARepository { path }
            | Self::UnknownRevision { path, .. }
            | Self::Git { path, .. } => path,
        }
    }
}

impl From<SinceError> for Problem {
    fn from(error: SinceError) -> Self {
        Self { path: error.path().to_owned(), reason: error.to_string() }
    }
}

/// The files that differ from `revision` or that git does not track, in the repositories of the inputs. The paths are
/// canonical. Files that were removed are included.
pub(crate) fn changed_since(
    inputs: &[Input],
    revision: &str,
) -> Result<HashSet<PathBuf>, SinceError> {
    let mut known: HashSet<PathBuf> = HashSet::new();
    let mut roots: HashSet<PathBuf> = HashSet::new();
    let mut changed = HashSet::new();
    for input in inputs {
        let Input::File(path) = input else { continue };
        let canonical = fs::canonicalize(path)
            .map_err(|source| SinceError::Unreadable { path: path.clone(), source })?;
        let folder = canonical.parent().unwrap_or(Path::new("/"));
        if known.insert(folder.to_owned()) {
            let root = Git::top_of(folder)
                .ok_or_else(|| SinceError::NotARepository { path: folder.to_owned() })?;
            if roots.insert(root.to_owned()) {
                changed.extend(changed_in(root, folder, revision)?);
            }
        }
    }
    Ok(changed)
}

/// The changed and untracked files of one repository. Errors name `folder`, in which the user has files.
fn changed_in(root: &Path, folder: &Path, revision: &str) -> Result<Vec<PathBuf>, SinceError> {
    let failed = |reason| SinceError::Git { path: folder.to_owned(), reason };
    let git = Git::open(root).map_err(failed)?;
    let Some(commit) = git.commit(revision).map_err(failed)? else {
        let (path, revision) = (folder.to_owned(), revision.to_owned());
        return Err(SinceError::UnknownRevision { path, revision });
    };
    git.changed_since(&commit).map_err(failed)
}
