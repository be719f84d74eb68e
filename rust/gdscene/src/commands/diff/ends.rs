//! The two sides of a comparison: which arguments are revisions, and which are paths.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use godot_project::Compared;

use crate::commands::diff::files;
use crate::commands::diff::repository::Repository;
use crate::output::file_diff::FileDiff;

/// Two ends of a comparison.
pub(super) enum Ends {
    /// Two files.
    Files(PathBuf, PathBuf),
    /// Two folders.
    Folders(PathBuf, PathBuf),
    /// Revisions of a repository, limited to paths.
    Revisions(Box<Repository>, Compared, Vec<String>),
}

impl Ends {
    /// Takes arguments as git does: revisions first, then paths; `after` are those behind `--`. Two files or two folders that are
    /// there are compared with each other.
    pub(super) fn new(
        given: &[OsString],
        after: &[OsString],
        is_staged: bool,
    ) -> Result<Self, String> {
        if let ([old, new], [], false) = (given, after, is_staged) {
            let (old, new) = (PathBuf::from(old), PathBuf::from(new));
            if old.exists() && new.exists() {
                return Self::two(old, new);
            }
        }
        let no_folder = |error| format!("the current folder cannot be read: {error}");
        let here = env::current_dir().map_err(no_folder)?;
        let (given, after) = (texts(given)?, texts(after)?);
        let repository = Repository::open(&here)?;
        let mut revisions = Vec::new();
        let mut paths = Vec::new();
        for argument in given {
            if !after.is_empty() {
                revisions.push(argument);
                continue;
            }
            let is_path = Path::new(argument).symlink_metadata().is_ok();
            let is_revision = paths.is_empty() && repository.knows(argument)?;
            match (is_revision, is_path) {
                (true, true) => {
                    return Err(format!(
                        "`{argument}` is both a revision and a file; put `--` between revisions and paths"
                    ));
                }
                (true, false) => revisions.push(argument),
                (false, true) => paths.push(argument.to_owned()),
                (false, false) => {
                    return Err(format!(
                        "`{argument}` is neither a revision nor a file in this folder"
                    ));
                }
            }
        }
        paths.extend(after.into_iter().map(str::to_owned));
        let compared = repository.compared(&revisions, is_staged)?;
        Ok(Self::Revisions(Box::new(repository), compared, paths))
    }

    fn two(old: PathBuf, new: PathBuf) -> Result<Self, String> {
        match (old.is_dir(), new.is_dir()) {
            (false, false) => Ok(Self::Files(old, new)),
            (true, true) => Ok(Self::Folders(old, new)),
            _ => Err(format!(
                "`{}` and `{}` are a file and a folder; to compare paths in a repository, put `--` before them",
                old.display(),
                new.display()
            )),
        }
    }

    /// The differences. `path` names two files.
    pub(super) fn compare(self, path: Option<&str>) -> Result<Vec<FileDiff>, String> {
        match self {
            Self::Files(old, new) => files::compare_files(&old, &new, path),
            Self::Folders(old, new) => files::compare_folders(&old, &new),
            Self::Revisions(repository, compared, paths) => repository.compare(&compared, &paths),
        }
    }
}

/// Arguments for git.
fn texts(arguments: &[OsString]) -> Result<Vec<&str>, String> {
    let no_text = |argument: &OsString| {
        let shown = argument.to_string_lossy();
        format!("`{shown}` is not UTF-8; name its folder instead")
    };
    arguments.iter().map(|argument| argument.to_str().ok_or_else(|| no_text(argument))).collect()
}
