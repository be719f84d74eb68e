//! Git's reports on files: which have changed since a revision, and which are not committed.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::path::{Path, PathBuf};
use std::{fmt, fs, io};

use godot_project::Git;
use thiserror::Error;

use crate::inputs::{Input, Problem};
use crate::output::place::relative;

/// Why the files that changed since a revision are unknown.
#[derive(Debug, Error)]
pub(crate) enum SinceError {
    /// `path` was given on the command line together with `--profile untrusted`.
    #[error("--since needs git, which gdscene does not run in a folder of untrusted files")]
    Untrusted { path: PathBuf },
    /// A file on the command line cannot be found.
    #[error("{source}")]
    Unreadable { path: PathBuf, source: io::Error },
    #[error("--since: not a git repository")]
    NotARepository { path: PathBuf },
    #[error("--since: git cannot find the revision `{revision}`; is the history complete?")]
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

/// Files have changes that git does not have.
#[derive(Debug, Error)]
#[error(
    "these files have uncommitted changes; commit them, or continue with --allow-dirty:{}",
    Listed(.0)
)]
pub(crate) struct DirtyError(Vec<(PathBuf, &'static str)>);

/// At most this number of files is listed.
const MAX_LISTED: usize = 10;

struct Listed<'f>(&'f [(PathBuf, &'static str)]);

impl fmt::Display for Listed<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (path, state)) in self.0.iter().take(MAX_LISTED).enumerate() {
            let comma = if index == 0 { " " } else { ", " };
            write!(f, "{comma}{} ({state})", relative(&path.to_string_lossy()))?;
        }
        match self.0.len().saturating_sub(MAX_LISTED) {
            0 => Ok(()),
            more => write!(f, " and {more} more"),
        }
    }
}

/// Whether git has all that is in the project in the folder `root`, and in the other repositories in which files of
/// `touched` lie. Files that git does not know count if they are touched. Notes name the repositories where this is
/// impossible.
///
/// # Errors
/// When git does not have it.
pub(crate) fn check_committed(
    root: &Path,
    touched: &[PathBuf],
) -> Result<Option<String>, DirtyError> {
    let real = |path: &Path| fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let root = real(root);
    let is_below = |folder: &Path| root.starts_with(folder);
    // The paths to look at in each repository.
    let mut folders: BTreeMap<PathBuf, PathBuf> = BTreeMap::new();
    let touched: BTreeSet<PathBuf> = touched.iter().map(|path| real(path)).collect();
    let parents: BTreeSet<&Path> = touched.iter().filter_map(|path| path.parent()).collect();
    for top in parents.into_iter().chain([&*root]).filter_map(Git::top_of) {
        let folder = if is_below(top) { &root } else { top };
        folders.insert(top.to_owned(), folder.to_owned());
    }
    let (mut dirty, mut note) = (Vec::new(), None);
    for (top, folder) in folders {
        match Git::open(&top).and_then(|git| git.uncommitted(&folder)) {
            Ok(found) => {
                dirty.extend(found.changed.into_iter().map(|path| (path, "changed")));
                // A folder moves with all that is in it.
                let is_touched =
                    |path: &PathBuf| path.ancestors().any(|path| touched.contains(path));
                let unknown = found.unknown.into_iter().filter(is_touched);
                dirty.extend(unknown.map(|path| (path, "not in git")));
            }
            Err(reason) => {
                note = Some(format!(
                    "cannot determine whether all changes are committed to git: {reason}"
                ));
            }
        }
    }
    if dirty.is_empty() { Ok(note) } else { Err(DirtyError(dirty)) }
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
