//! What git knows of files, told by the program `git`.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::Command;

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
            let root = repository_of(folder)?;
            if roots.insert(root.clone()) {
                changed.extend(changed_in(&root, revision)?);
            }
        }
    }
    Ok(changed)
}

/// The top folder of the repository that `folder` lies in.
fn repository_of(folder: &Path) -> Result<PathBuf, Problem> {
    // To ask git for each folder would take a process for each.
    if let Some(root) = folder.ancestors().find(|folder| folder.join(".git").exists()) {
        return Ok(root.to_owned());
    }
    let out = git(folder, ["rev-parse", "--show-toplevel"])?;
    let path = path_of(out.strip_suffix(b"\n").unwrap_or(&out));
    fs::canonicalize(&path).map_err(|error| Problem { path, reason: error.to_string() })
}

/// The files that differ from the revision, and those that git does not know.
fn changed_in(root: &Path, revision: &str) -> Result<HashSet<PathBuf>, Problem> {
    let commit = format!("{revision}^{{commit}}");
    let found = git(root, ["rev-parse", "--verify", "--quiet", "--end-of-options", &commit]);
    let commit = found.map_err(|problem| match problem.reason.is_empty() {
        true => Problem {
            path: root.to_owned(),
            reason: format!("git knows no revision `{revision}`; is the history complete?"),
        },
        false => problem,
    })?;
    let commit = String::from_utf8_lossy(&commit).trim().to_owned();
    let differing =
        git(root, ["diff", "--name-only", "-z", "--no-renames", "--no-ext-diff", &commit, "--"])?;
    let unknown = git(root, ["ls-files", "--others", "--exclude-standard", "-z"])?;
    let names = differing.split(|byte| *byte == 0).chain(unknown.split(|byte| *byte == 0));
    Ok(names.filter(|name| !name.is_empty()).map(|name| root.join(path_of(name))).collect())
}

/// What git prints. Its own words are the reason when it fails.
fn git<'a>(
    folder: &Path,
    arguments: impl IntoIterator<Item = &'a str>,
) -> Result<Vec<u8>, Problem> {
    let problem = |reason: String| Problem { path: folder.to_owned(), reason };
    let output = Command::new("git").arg("-C").arg(folder).args(arguments).output();
    let output = output.map_err(|error| match error.kind() {
        ErrorKind::NotFound => {
            problem("--since needs the program `git`, which is not there".into())
        }
        _ => problem(format!("cannot run `git`: {error}")),
    })?;
    if output.status.success() {
        return Ok(output.stdout);
    }
    let words = String::from_utf8_lossy(&output.stderr);
    Err(problem(words.trim().replace('\n', " ")))
}

#[cfg(unix)]
fn path_of(bytes: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt;
    PathBuf::from(OsStr::from_bytes(bytes))
}

#[cfg(not(unix))]
fn path_of(bytes: &[u8]) -> PathBuf {
    PathBuf::from(OsStr::new(&*String::from_utf8_lossy(bytes)))
}
