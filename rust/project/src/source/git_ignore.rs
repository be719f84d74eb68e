//! What git ignores, by its own files, which are looked at before they are read: whoever reads a pipe waits, a device has
//! no end, and of some patterns more is made than there is memory.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use crate::read::read_file_up_to;

/// People's files are much smaller.
const MAX_SIZE: u64 = 1 << 20;
/// The longest pattern, and the most braces in one.
const MAX_PATTERN: usize = 4096;
const MAX_BRACES: usize = 64;

/// The patterns for a folder: its own, and those of the folders above, up to the repository's.
#[derive(Debug)]
pub(super) struct GitIgnore {
    /// Of `.gitignore`.
    own: Gitignore,
    /// Of `.git/info/exclude`, or of the user's settings: they count less than any `.gitignore`.
    exclude: Gitignore,
    above: Option<Arc<GitIgnore>>,
}

/// A file of patterns that cannot be used, and why.
pub(super) type Trouble = (PathBuf, String);

impl Default for GitIgnore {
    fn default() -> Self {
        Self { own: Gitignore::empty(), exclude: Gitignore::empty(), above: None }
    }
}

impl GitIgnore {
    /// What the user's settings of git name for every repository.
    pub(super) fn global(root: &Path) -> Self {
        Self { exclude: GitignoreBuilder::new(root).build_global().0, ..Self::default() }
    }

    /// The patterns of the folders above `folder` that apply to it: up to its repository, if it lies in one.
    pub(super) fn above(folder: &Path, global: &Arc<Self>) -> Result<Arc<Self>, Trouble> {
        let above: Vec<&Path> = folder.ancestors().skip(1).collect();
        let is_repository = |folder: &&Path| folder.join(".git").exists();
        let mut count = above.len();
        if is_repository(&folder) {
            count = 0;
        } else if let Some(repository) = above.iter().position(is_repository) {
            count = repository + 1;
        }
        let mut all = Arc::clone(global);
        for folder in above[..count].iter().rev() {
            all = Self::of_folder(folder, &all, global)?;
        }
        Ok(all)
    }

    /// The patterns for `folder`, in which those for the folder above apply, too.
    pub(super) fn of_folder(
        folder: &Path,
        above: &Arc<Self>,
        global: &Arc<Self>,
    ) -> Result<Arc<Self>, Trouble> {
        let own = patterns(folder, &folder.join(".gitignore"))?;
        let git = folder.join(".git");
        let (exclude, is_repository) = match fs::metadata(&git) {
            Err(_) => (Gitignore::empty(), false),
            Ok(found) if found.is_dir() => (patterns(folder, &git.join("info/exclude"))?, true),
            Ok(_) => (linked_exclude(folder, &git)?, true),
        };
        if !is_repository && own.is_empty() {
            return Ok(Arc::clone(above));
        }
        let above = if is_repository { global } else { above };
        Ok(Arc::new(Self { own, exclude, above: Some(Arc::clone(above)) }))
    }

    /// Whether git ignores a file or folder in the folder of these patterns. The path is only asked for if there are any.
    pub(super) fn ignores(&self, path: impl FnOnce() -> PathBuf, is_dir: bool) -> bool {
        let all = || std::iter::successors(Some(self), |patterns| patterns.above.as_deref());
        let patterns = all().map(|all| &all.own).chain(all().map(|all| &all.exclude));
        let mut patterns = patterns.filter(|patterns| !patterns.is_empty()).peekable();
        if patterns.peek().is_none() {
            return false;
        }
        let path = path();
        patterns
            .map(|patterns| patterns.matched(&path, is_dir))
            .find(|found| !found.is_none())
            .is_some_and(|found| matches!(found, Match::Ignore(_)))
    }
}

/// The patterns of a repository whose `.git` is a file that names the git folder.
fn linked_exclude(folder: &Path, git: &Path) -> Result<Gitignore, Trouble> {
    let line = text(git)?;
    let Some(named) = line.strip_prefix("gitdir: ") else { return Ok(Gitignore::empty()) };
    let place = folder.join(named.trim_end());
    let common = text(&place.join("commondir"))?;
    let common = if common.is_empty() { place } else { place.join(common.trim_end()) };
    patterns(folder, &common.join("info/exclude"))
}

/// The patterns in the file at `path`, which count from `folder`. A line that git cannot use is none.
fn patterns(folder: &Path, path: &Path) -> Result<Gitignore, Trouble> {
    let text = text(path)?;
    if text.is_empty() {
        return Ok(Gitignore::empty());
    }
    let mut builder = GitignoreBuilder::new(folder);
    let lines = text.strip_prefix('\u{feff}').unwrap_or(&text).lines();
    for (number, line) in lines.enumerate() {
        let braces = line.bytes().filter(|byte| *byte == b'{').count();
        if line.len() > MAX_PATTERN || braces > MAX_BRACES {
            return Err(trouble(path, &format!("line {} is too long a pattern", number + 1)));
        }
        let _ = builder.add_line(None, line);
    }
    builder.build().map_err(|error| trouble(path, &error.to_string()))
}

/// The content of a file, which need not exist.
fn text(path: &Path) -> Result<String, Trouble> {
    match read_file_up_to(path, MAX_SIZE) {
        Ok(text) => Ok(String::from_utf8_lossy(&text).into_owned()),
        // Without a right to read it, git reads nothing either.
        Err(error) if is_none(&error) => Ok(String::new()),
        Err(error) => Err(trouble(path, &error.to_string())),
    }
}

fn is_none(error: &io::Error) -> bool {
    use io::ErrorKind::{IsADirectory, NotADirectory, NotFound, PermissionDenied};
    matches!(error.kind(), NotFound | NotADirectory | IsADirectory | PermissionDenied)
}

fn trouble(path: &Path, reason: &str) -> Trouble {
    (path.to_owned(), format!("{reason}, so nothing in its folder is checked"))
}
