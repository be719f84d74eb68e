//! What git knows of files.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use project::Git;

use crate::walk::{Problem, Target};

/// The files that differ from the revision or that git does not know, in the repositories of the targets: without links in
/// their paths. Those that are gone are among them.
pub(crate) fn changed_since(
    targets: &[Target],
    revision: &str,
) -> Result<HashSet<PathBuf>, Problem> {
    let mut known: HashSet<PathBuf> = HashSet::new();
    let mut roots: HashSet<PathBuf> = HashSet::new();
    let mut changed = HashSet::new();
    for target in targets {
        let Target::File(path) = target else { continue };
        let path = fs::canonicalize(path).map_err(|error| target.problem(error))?;
        let folder = path.parent().unwrap_or(Path::new("/"));
        if known.insert(folder.to_owned()) {
            let problem = |reason: String| Problem { path: folder.to_owned(), reason };
            let root = Git::top_of(folder);
            let root = root.ok_or_else(|| problem("--since: not a git repository".into()))?;
            if roots.insert(root.to_owned()) {
                let reason = |reason| problem(format!("--since: {reason}"));
                changed.extend(changed_in(root, revision).map_err(reason)?);
            }
        }
    }
    Ok(changed)
}

/// The files that differ from the revision, and those that git does not know.
fn changed_in(root: &Path, revision: &str) -> Result<Vec<PathBuf>, String> {
    let git = Git::open(root)?;
    let commit = git.commit(revision)?;
    let commit = commit
        .ok_or_else(|| format!("git knows no revision `{revision}`; is the history complete?"))?;
    git.changed_since(&commit)
}
