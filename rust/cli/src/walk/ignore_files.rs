//! The files that say what git ignores, looked at before they are read: whoever reads a pipe waits, a device has no end,
//! and of some patterns more is made than there is memory.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use project::read_file_up_to;

use crate::walk::Problem;

/// People's files are much smaller.
const MAX_SIZE: u64 = 1 << 20;
/// The longest pattern, and the most braces in one.
const MAX_PATTERN: usize = 4096;
const MAX_BRACES: usize = 64;

/// Whether what git ignores in `folder` and the folders above can be read.
pub(super) fn check_above(folder: &Path) -> Result<(), Problem> {
    let real = fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned());
    real.ancestors().try_for_each(check)
}

/// Whether what git ignores in `folder` can be read.
pub(super) fn check(folder: &Path) -> Result<(), Problem> {
    expect_patterns(&folder.join(".gitignore"))?;
    let git = folder.join(".git");
    match fs::metadata(&git) {
        Err(_) => Ok(()),
        Ok(metadata) if metadata.is_dir() => expect_patterns(&git.join("info/exclude")),
        Ok(_) => check_linked(folder, &git),
    }
}

/// The same where `.git` is a file that names the git folder.
fn check_linked(folder: &Path, git: &Path) -> Result<(), Problem> {
    let line = text(git)?;
    let Some(named) = line.strip_prefix("gitdir: ") else { return Ok(()) };
    let place = folder.join(named.trim_end());
    let common = text(&place.join("commondir"))?;
    let common = if common.is_empty() { place } else { place.join(common.trim_end()) };
    expect_patterns(&common.join("info/exclude"))
}

fn expect_patterns(path: &Path) -> Result<(), Problem> {
    for (number, line) in text(path)?.lines().enumerate() {
        let braces = line.bytes().filter(|byte| *byte == b'{').count();
        if line.len() > MAX_PATTERN || braces > MAX_BRACES {
            let reason = format!("line {} is too long a pattern", number + 1);
            return Err(problem(path, &reason));
        }
    }
    Ok(())
}

/// The content of a file, which may be none.
fn text(path: &Path) -> Result<String, Problem> {
    match read_file_up_to(path, MAX_SIZE) {
        Ok(text) => Ok(String::from_utf8_lossy(&text).into_owned()),
        // Without a right to read it, nothing is read.
        Err(error) if is_none(&error) => Ok(String::new()),
        Err(error) => Err(problem(path, &error.to_string())),
    }
}

fn is_none(error: &io::Error) -> bool {
    use io::ErrorKind::{IsADirectory, NotADirectory, NotFound, PermissionDenied};
    matches!(error.kind(), NotFound | NotADirectory | IsADirectory | PermissionDenied)
}

fn problem(path: &Path, reason: &str) -> Problem {
    Problem { path: PathBuf::from(path), reason: format!("{reason}; its folder is left out") }
}
