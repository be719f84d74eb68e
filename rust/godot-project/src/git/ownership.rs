//! Which files of a repository may be read and written for the sake of a work tree.
//!
//! The `.git` in an untrusted folder can be a link, a file that names another folder, or a folder of links and pipes. git
//! follows all of them.

use std::fs;
use std::path::{Path, PathBuf};

use super::{Git, MAX_SMALL, path_of};
use crate::read::{read_file_up_to, special_kind};

/// The files that git always reads in a repository, and in the top folder of its work tree, and those that it reads in
/// Godot's folder and in ours.
const READ_BY_GIT: [&str; 15] = [
    ".git/HEAD",
    ".git/commondir",
    ".git/config",
    ".git/config.worktree",
    ".git/index",
    ".git/info/attributes",
    ".git/info/exclude",
    ".git/objects/info/alternates",
    ".git/packed-refs",
    ".git/shallow",
    ".gitattributes",
    ".gitignore",
    ".gdscene/.gitignore",
    ".godot/.gitignore",
    ".godot/gdscene/.gitignore",
];

/// Refuses a repository in which git would wait for a pipe.
///
/// git reads more files than these; it is ended when it takes too long.
pub(super) fn expect_files(top: &Path) -> Result<(), String> {
    for name in READ_BY_GIT {
        let Ok(found) = fs::metadata(top.join(name)) else { continue };
        if !found.is_file() && !found.is_dir() {
            return Err(format!("`{name}` is {}, not a file", special_kind(found.file_type())));
        }
    }
    Ok(())
}

/// The folders of a repository, without links.
#[derive(Clone, Debug)]
pub struct OwnFolder {
    /// The part of this work tree alone: the index.
    pub of_work_tree: PathBuf,
    /// The part that all work trees share: the configuration.
    pub common: PathBuf,
}

impl Git {
    /// The folders of the repository, if a change of its own files (its index, its configuration) stays in the repository of
    /// this work tree.
    ///
    /// The repository is in the work tree. Or it belongs to a linked work tree or to a submodule, and names the work tree in
    /// turn: its author knows of this folder.
    ///
    /// # Errors
    /// With the reason why not.
    pub fn own_folder(&self) -> Result<OwnFolder, String> {
        let folder = self.folder_of("--git-dir")?;
        let common = self.folder_of("--git-common-dir")?;
        let is_inside = |folder: &Path| folder.starts_with(&self.top);
        let is_own = match is_inside(&folder) {
            true => is_inside(&common),
            false => self.is_linked_from(&folder, &common) || self.is_submodule(&folder, &common),
        };
        if is_own {
            return Ok(OwnFolder { of_work_tree: folder, common });
        }
        let elsewhere = if is_inside(&folder) { common } else { folder };
        Err(format!(
            "`{}` is the repository of another folder, although `{}` leads to it",
            dunce::simplified(&elsewhere).display(),
            dunce::simplified(&self.top.join(".git")).display()
        ))
    }

    /// A folder of the repository, without links.
    fn folder_of(&self, asked: &str) -> Result<PathBuf, String> {
        let printed = self.in_repository(["rev-parse", asked])?;
        let folder = self.top.join(path_of(printed.trim_ascii_end()));
        fs::canonicalize(folder).map_err(|error| format!("cannot find the repository: {error}"))
    }

    /// Whether the git folder is that of a work tree of `git worktree add`, and names this one.
    fn is_linked_from(&self, folder: &Path, common: &Path) -> bool {
        let mut above = folder.ancestors().skip(1);
        let is_among_work_trees =
            above.next().is_some_and(|folder| folder.file_name() == Some("worktrees".as_ref()));
        if !is_among_work_trees || above.next() != Some(common) {
            return false;
        }
        let named = read_file_up_to(&folder.join("gitdir"), MAX_SMALL).unwrap_or_default();
        self.is_own_git_file(&folder.join(path_of(named.trim_ascii_end())))
    }

    /// Whether the git folder is that of a submodule, and names this work tree.
    fn is_submodule(&self, folder: &Path, common: &Path) -> bool {
        if folder != common {
            return false;
        }
        // With a sparse checkout it is in the second.
        ["config", "config.worktree"].iter().any(|name| {
            let config = dunce::simplified(&folder.join(name)).to_owned();
            let Some(config) = config.to_str() else { return false };
            let asked = ["config", "--file", config, "--type=path", "--get", "core.worktree"];
            let Ok(named) = self.in_repository(asked) else { return false };
            self.is_own_git_file(&folder.join(path_of(named.trim_ascii_end())).join(".git"))
        })
    }

    fn is_own_git_file(&self, file: &Path) -> bool {
        let folder = file.parent().and_then(|folder| fs::canonicalize(folder).ok());
        folder.as_deref() == Some(&*self.top) && file.file_name() == Some(".git".as_ref())
    }
}
