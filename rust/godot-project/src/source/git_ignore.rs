//! Git's ignored files, by its own files, which are checked before they are read: a pipe blocks its reader, a device has
//! no end, and some patterns expand beyond the memory.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::{fs, io};

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use super::git_index::GitIndex;
use super::surroundings::Surroundings;
use crate::read::read_file_up_to;

/// People's files are much smaller.
const MAX_SIZE: u64 = 1 << 20;
/// For all files of a walk together: they are held at the same time.
const MAX_TOTAL_SIZE: usize = 8 << 20;
/// The longest pattern.
const MAX_PATTERN: usize = 4096;

/// The patterns for a folder: its own, and those of the folders above, up to the repository's.
#[derive(Debug)]
pub(super) struct GitIgnore {
    /// The patterns of `.gitignore`.
    own: Gitignore,
    /// The patterns of `.git/info/exclude`, or of the user's settings: every `.gitignore` has
    /// priority over them.
    exclude: Gitignore,
    above: Option<Arc<GitIgnore>>,
    /// Nothing outside repositories.
    repository: Option<Arc<Repository>>,
}

/// A repository. Its index is read once something is ignored.
#[derive(Debug)]
struct Repository {
    top: PathBuf,
    /// The folder with the index of this work tree.
    git_folder: PathBuf,
    index: OnceLock<GitIndex>,
}

/// The part of a file or folder that git leaves out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ignored {
    Nothing,
    /// The untracked files in the folder.
    Untracked,
    All,
}

/// A file of patterns that cannot be used, and why.
pub(super) type Trouble = (PathBuf, String);

/// Reads the patterns of folders.
#[derive(Debug)]
pub(super) struct Patterns<'s> {
    surroundings: &'s Surroundings,
    /// The user's git settings for every repository.
    global: Arc<GitIgnore>,
    /// How many more bytes are read.
    size_left: AtomicUsize,
}

impl Default for GitIgnore {
    fn default() -> Self {
        let (own, exclude) = (Gitignore::empty(), Gitignore::empty());
        Self { own, exclude, above: None, repository: None }
    }
}

impl<'s> Patterns<'s> {
    /// For a walk that begins in the folder `root`.
    pub(super) fn new(root: &Path, surroundings: &'s Surroundings) -> Self {
        let exclude = surroundings.user_patterns(root);
        let global = Arc::new(GitIgnore { exclude, ..GitIgnore::default() });
        Self { surroundings, global, size_left: AtomicUsize::new(MAX_TOTAL_SIZE) }
    }

    /// The top folder of the repository of `folder`.
    pub(super) fn repository(&self, folder: &Path) -> Option<PathBuf> {
        self.surroundings.find_repository(folder)
    }

    /// The patterns of the folders above `folder` that apply to it: up to its repository, or up to its project if it is in
    /// none.
    pub(super) fn above(
        &self,
        folder: &Path,
        repository: Option<&Path>,
    ) -> Result<Arc<GitIgnore>, Trouble> {
        let top = repository.map(Path::to_owned).or_else(|| self.surroundings.find_root(folder));
        let is_below = |folder: &&Path| top.as_deref().is_some_and(|top| folder.starts_with(top));
        let above: Vec<&Path> = folder.ancestors().skip(1).take_while(is_below).collect();
        let mut all = Arc::clone(&self.global);
        for folder in above.into_iter().rev() {
            all = self.of_folder(folder, &all)?;
        }
        Ok(all)
    }

    /// The patterns for `folder`, in which those for the folder above apply, too.
    pub(super) fn of_folder(
        &self,
        folder: &Path,
        above: &Arc<GitIgnore>,
    ) -> Result<Arc<GitIgnore>, Trouble> {
        let file = folder.join(".gitignore");
        // git does not follow a link here.
        let own = match file.is_symlink() {
            true => Gitignore::empty(),
            false => self.patterns(folder, &file)?,
        };
        let git = folder.join(".git");
        let Ok(found) = fs::metadata(&git) else {
            if own.is_empty() {
                return Ok(Arc::clone(above));
            }
            let (exclude, repository) = (Gitignore::empty(), above.repository.clone());
            return Ok(Arc::new(GitIgnore {
                own,
                exclude,
                above: Some(above.clone()),
                repository,
            }));
        };
        let (git_folder, common) = match found.is_dir() {
            true => (Some(git.clone()), Some(git)),
            false => linked_folders(folder, &git)?,
        };
        let exclude = match common {
            Some(common) => self.patterns(folder, &common.join("info/exclude"))?,
            None => Gitignore::empty(),
        };
        let repository = git_folder.map(|git_folder| {
            Arc::new(Repository { top: folder.to_owned(), git_folder, index: OnceLock::new() })
        });
        Ok(Arc::new(GitIgnore { own, exclude, above: Some(self.global.clone()), repository }))
    }

    /// The patterns in the file at `path`, which count from `folder`. A line that git cannot use is
    /// skipped.
    fn patterns(&self, folder: &Path, path: &Path) -> Result<Gitignore, Trouble> {
        let text = text(path)?;
        if text.is_empty() {
            return Ok(Gitignore::empty());
        }
        let take = |left: usize| left.checked_sub(text.len());
        if self.size_left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take).is_err() {
            let reason = format!("all patterns together have more than {MAX_TOTAL_SIZE} bytes");
            return Err(trouble(path, &reason));
        }
        let mut builder = GitignoreBuilder::new(folder);
        let lines = text.strip_prefix('\u{feff}').unwrap_or(&text).lines();
        for (number, line) in lines.enumerate() {
            if line.len() > MAX_PATTERN {
                return Err(trouble(path, &format!("line {} is too long a pattern", number + 1)));
            }
            let _ = builder.add_line(None, &without_alternatives(line));
        }
        builder.build().map_err(|error| trouble(path, &error.to_string()))
    }
}

impl GitIgnore {
    /// The part of a file or folder that git leaves out, in the folder of these patterns. The path is only asked for if
    /// there are any.
    pub(super) fn ignored(&self, path: impl FnOnce() -> PathBuf, is_dir: bool) -> Ignored {
        let all = || std::iter::successors(Some(self), |patterns| patterns.above.as_deref());
        let patterns = all().map(|all| &all.own).chain(all().map(|all| &all.exclude));
        let mut patterns = patterns.filter(|patterns| !patterns.is_empty()).peekable();
        if patterns.peek().is_none() {
            return Ignored::Nothing;
        }
        let path = path();
        let found =
            patterns.map(|patterns| patterns.matched(&path, is_dir)).find(|found| !found.is_none());
        match found {
            Some(Match::Ignore(_)) => self.untracked(&path, is_dir),
            _ => Ignored::Nothing,
        }
    }

    /// The part that git leaves out of a file or folder that a pattern names, or that is in a folder where git
    /// ignores untracked files.
    pub(super) fn untracked(&self, path: &Path, is_dir: bool) -> Ignored {
        let Some(repository) = &self.repository else { return Ignored::All };
        let Ok(path) = path.strip_prefix(&repository.top) else { return Ignored::All };
        let index = repository.index.get_or_init(|| GitIndex::read(&repository.git_folder));
        let path = with_slashes(path);
        match is_dir {
            true if index.has_folder(&path) => Ignored::Untracked,
            false if index.has_file(&path) => Ignored::Nothing,
            _ => Ignored::All,
        }
    }
}

/// The folder of git's files for a work tree where `.git` is a file that names it, and the one that it shares with others.
/// Nothing for links to another machine: looking at its files would identify the user to it.
fn linked_folders(
    folder: &Path,
    git: &Path,
) -> Result<(Option<PathBuf>, Option<PathBuf>), Trouble> {
    let line = text(git)?;
    let named = line.strip_prefix("gitdir: ").map(str::trim_end);
    let Some(named) = named.filter(|named| !is_remote(named)) else { return Ok((None, None)) };
    let own = folder.join(named);
    let common = text(&own.join("commondir"))?;
    let common = common.trim_end();
    let common = (!is_remote(common)).then(|| own.join(common));
    Ok((Some(own), common))
}

fn with_slashes(path: &Path) -> Cow<'_, [u8]> {
    let bytes = path.as_os_str().as_encoded_bytes();
    match cfg!(windows) {
        true => bytes.iter().map(|byte| if *byte == b'\\' { b'/' } else { *byte }).collect(),
        false => Cow::Borrowed(bytes),
    }
}

/// Braces have no meaning for git, but for the library that matches.
fn without_alternatives(line: &str) -> Cow<'_, str> {
    if !line.contains(['{', '}']) {
        return Cow::Borrowed(line);
    }
    let (mut text, mut is_class, mut is_escaped) = (String::new(), false, false);
    for character in line.chars() {
        match character {
            '{' | '}' if !is_class && !is_escaped => text.push('\\'),
            '[' if !is_escaped => is_class = true,
            ']' => is_class = false,
            _ => {}
        }
        is_escaped = character == '\\' && !is_escaped;
        text.push(character);
    }
    Cow::Owned(text)
}

/// Whether a path is one of another machine or of a device, for Windows.
fn is_remote(path: &str) -> bool {
    // `\\server`, `\\?\UNC\server`, `\??\UNC\server`
    matches!(path.as_bytes(), [b'/' | b'\\', b'/' | b'\\' | b'?', ..])
}

/// The content of a file, which need not exist.
fn text(path: &Path) -> Result<String, Trouble> {
    if path.is_dir() {
        return Ok(String::new());
    }
    match read_file_up_to(path, MAX_SIZE) {
        Ok(text) => Ok(String::from_utf8_lossy(&text).into_owned()),
        // Without a right to read it, git reads nothing either.
        Err(error) if is_none(&error) => Ok(String::new()),
        Err(error) => Err(trouble(path, &error.to_string())),
    }
}

fn is_none(error: &io::Error) -> bool {
    use io::ErrorKind::{NotADirectory, NotFound, PermissionDenied};
    matches!(error.kind(), NotFound | NotADirectory | PermissionDenied)
}

fn trouble(path: &Path, reason: &str) -> Trouble {
    (path.to_owned(), format!("{reason}, so nothing in its folder is checked"))
}

#[cfg(test)]
mod tests {
    use super::is_remote;

    #[test]
    fn paths_of_other_machines_and_devices() {
        for path in [
            r"\\server\share",
            "//server/share",
            r"\/server",
            r"\\?\UNC\server\share",
            r"\??\UNC\server",
            r"\\.\x",
        ] {
            assert!(is_remote(path), "{path}");
        }
        for path in [
            "",
            ".",
            "../.git/modules/a",
            r"C:\game\.git",
            "C:/game/.git",
            "/home/a/.git",
            r"..\.git",
        ] {
            assert!(!is_remote(path), "{path}");
        }
    }
}
