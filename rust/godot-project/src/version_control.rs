//! What git knows of a project's files.

use std::path::{Path, PathBuf};

use hashbrown::HashSet;

use crate::git::Git;
use crate::res_path::from_relative;

/// The files of a project as git sees them.
#[derive(Debug)]
pub struct VersionControl {
    tracked: HashSet<String>,
    ignored: HashSet<String>,
    /// Whether a pattern leaves out all `.import` files, those that are not there too.
    ignores_imports: bool,
}

impl VersionControl {
    /// Asks `git` about the folder `root`, whose path has no links, in the repository whose top folder is `top`. Nothing if there
    /// is no git, or nothing tracked.
    pub(crate) fn of(root: &Path, top: &Path) -> Option<Self> {
        let git = Git::open(top).ok()?;
        let tracked = names(&git.tracked(root).ok()?);
        let ignored = names(&git.ignored(root).ok()?);
        let ignores_imports = git.ignores(root, "any.png.import");
        (!tracked.is_empty()).then_some(Self { tracked, ignored, ignores_imports })
    }

    /// Whether the file at `path` (`res://…`) is in the index.
    pub fn is_tracked(&self, path: &str) -> bool {
        self.tracked.contains(path)
    }

    /// Whether `.import` files are left out on purpose.
    pub fn ignores_imports(&self) -> bool {
        self.ignores_imports
    }

    /// Whether the file at `path` (`res://…`) is left out on purpose.
    pub fn is_ignored(&self, path: &str) -> bool {
        self.ignored.contains(path)
    }
}

fn names(paths: &[PathBuf]) -> HashSet<String> {
    paths.iter().map(|path| from_relative(path)).collect()
}
