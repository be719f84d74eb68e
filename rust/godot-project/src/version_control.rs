//! Git's data on a project's files.

use std::path::{Path, PathBuf};

use hashbrown::HashSet;

use crate::git::Git;
use crate::res_path::from_relative;

/// The files of a project as git sees them.
#[derive(Debug)]
pub struct VersionControl {
    tracked: HashSet<String>,
    ignored: HashSet<String>,
    /// Whether a pattern leaves out all `.import` files, including missing ones.
    ignores_imports: bool,
    /// Whether a pattern leaves out all `.uid` files, including missing ones.
    ignores_uids: bool,
}

impl VersionControl {
    /// Asks `git` about the folder `root`, a path without links, in the repository with the top folder `top`. Nothing if there is
    /// no git, or nothing tracked.
    pub(crate) fn of(root: &Path, top: &Path) -> Option<Self> {
        let git = Git::open(top).ok()?;
        let tracked = names(&git.tracked(root).ok()?);
        let ignored = names(&git.ignored(root).ok()?);
        let ignores_imports = git.ignores(root, "any.png.import");
        let ignores_uids = git.ignores(root, "any.gd.uid");
        let known = Self { tracked, ignored, ignores_imports, ignores_uids };
        (!known.tracked.is_empty()).then_some(known)
    }

    /// Whether the file at `path` (`res://…`) is in the index.
    pub fn is_tracked(&self, path: &str) -> bool {
        self.tracked.contains(path)
    }

    /// Whether `.import` files are left out on purpose.
    pub fn ignores_imports(&self) -> bool {
        self.ignores_imports
    }

    /// Whether `.uid` files are left out on purpose.
    pub fn ignores_uids(&self) -> bool {
        self.ignores_uids
    }

    /// Whether the file at `path` (`res://…`) is left out on purpose.
    pub fn is_ignored(&self, path: &str) -> bool {
        self.ignored.contains(path)
    }
}

fn names(paths: &[PathBuf]) -> HashSet<String> {
    paths.iter().map(|path| from_relative(path)).collect()
}
