//! The surroundings of a project: folders above, and the user's settings of git. It is asked for once for many projects, since a
//! command that checks hundreds of them would ask the same for each.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

use hashbrown::HashMap;
use ignore::gitignore::{Gitignore, GitignoreBuilder, gitconfig_excludes_path};

use crate::read::read_file;

/// The folders above projects, and the user's settings of git, as they are when they are first asked for.
///
/// Make a new one to see changes.
///
/// ```
/// # let folder = tempfile::tempdir().unwrap();
/// # std::fs::write(folder.path().join("project.godot"), "config_version=5\n").unwrap();
/// # std::fs::create_dir(folder.path().join("levels")).unwrap();
/// let around = godot_project::Surroundings::default();
/// assert_eq!(around.find_root(&folder.path().join("levels")).as_deref(), Some(folder.path()));
/// ```
#[derive(Debug, Default)]
pub struct Surroundings {
    roots: Upwards,
    repositories: Upwards,
    /// The user's patterns for git's ignored files everywhere.
    user_patterns: OnceLock<Option<UserPatterns>>,
}

/// The nearest folder upwards that has something, by the parent of the start folder: many projects are next to each other,
/// and so are many folders of one.
#[derive(Debug, Default)]
struct Upwards(Mutex<HashMap<PathBuf, Option<PathBuf>>>);

/// The file that git's settings of the user name as `core.excludesFile`.
#[derive(Debug)]
struct UserPatterns {
    file: PathBuf,
    text: String,
}

/// The folder of the nearest `project.godot` upwards from a file or folder, as Godot looks for it.
pub fn find_root(path: &Path) -> Option<PathBuf> {
    let path = std::path::absolute(path).ok()?;
    path.ancestors().find(|folder| is_root(folder)).map(Path::to_owned)
}

fn is_root(folder: &Path) -> bool {
    folder.join("project.godot").is_file()
}

impl Surroundings {
    /// [`find_root`].
    pub fn find_root(&self, path: &Path) -> Option<PathBuf> {
        let path = std::path::absolute(path).ok()?;
        self.roots.find(&path, is_root)
    }

    /// The top folder of the git repository of `folder`, a path without links. git ignores a `.git` that is a link to
    /// nowhere.
    pub(super) fn find_repository(&self, folder: &Path) -> Option<PathBuf> {
        self.repositories.find(folder, |folder| folder.join(".git").exists())
    }

    /// The user's patterns, for a walk that begins in the folder `root`.
    pub(super) fn user_patterns(&self, root: &Path) -> Gitignore {
        let read = || UserPatterns::read(gitconfig_excludes_path()?);
        let Some(patterns) = self.user_patterns.get_or_init(read) else {
            return Gitignore::empty();
        };
        let mut builder = GitignoreBuilder::new(root);
        for line in patterns.text.trim_start_matches('\u{feff}').lines() {
            let _ = builder.add_line(Some(patterns.file.clone()), line);
        }
        builder.build().unwrap_or_else(|_| Gitignore::empty())
    }
}

impl Upwards {
    fn find(&self, from: &Path, is_it: impl Fn(&Path) -> bool) -> Option<PathBuf> {
        if is_it(from) {
            return Some(from.to_owned());
        }
        let above = from.parent()?;
        let known = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = known().get(above) {
            return found.clone();
        }
        let found = above.ancestors().find(|folder| is_it(folder)).map(Path::to_owned);
        known().insert(above.to_owned(), found.clone());
        found
    }
}

impl UserPatterns {
    fn read(file: PathBuf) -> Option<Self> {
        let text = read_file(&file).ok()?;
        Some(Self { file, text: String::from_utf8_lossy(&text).into_owned() })
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::Surroundings;

    #[test]
    fn the_nearest_upwards_counts_and_is_asked_for_once() {
        let folder = tempfile::tempdir().unwrap();
        let path = |path: &str| folder.path().join(path);
        for made in ["a/.git", "a/deep/er/one", "a/deep/er/two", "a/own/.git", "a/own/three"] {
            fs::create_dir_all(path(made)).unwrap();
        }
        let around = Surroundings::default();
        let check = |around: &Surroundings, from: &str, expected: Option<&str>| {
            let found = around.find_repository(&path(from));
            assert_eq!(found.as_deref(), expected.map(path).as_deref(), "{from}");
        };
        check(&around, "a/deep/er/one", Some("a"));
        check(&around, "a/own/three", Some("a/own"));
        check(&around, "a", Some("a"));
        check(&around, "a/own", Some("a/own"));

        fs::remove_dir(path("a/.git")).unwrap();
        check(&around, "a/deep/er/two", Some("a"));
        check(&Surroundings::default(), "a/deep/er/two", None);
    }
}
