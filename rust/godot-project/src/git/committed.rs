//! A file as the last commit has it.

use std::fs;
use std::path::Path;

use super::Git;
use crate::read::MAX_FILE_SIZE;

/// The contents of a file in the last commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Committed {
    /// Its content.
    Content(Vec<u8>),
    /// The commit does not have it.
    NotThere,
    /// There is no commit yet.
    NoCommit,
    /// The file is not in a repository.
    NoRepository,
}

/// The file as the last commit has it, under the path that it has now. Takes as long as git is given, at most: not for a thread
/// that must not wait.
///
/// # Errors
/// When git fails, or there is none.
pub fn last_committed(file: &Path) -> Result<Committed, String> {
    let Some((git, path)) = repository_of(file)? else { return Ok(Committed::NoRepository) };
    let Some(head) = git.commit("HEAD")? else { return Ok(Committed::NoCommit) };
    let content = git.content_in(&head, &path)?;
    Ok(content.map_or(Committed::NotThere, Committed::Content))
}

/// The repository of a file, and the file's path from its top folder, as git writes it.
pub(super) fn repository_of(file: &Path) -> Result<Option<(Git, String)>, String> {
    let reason = |error: std::io::Error| error.to_string();
    let (Some(folder), Some(name)) = (file.parent(), file.file_name()) else { return Ok(None) };
    let folder = fs::canonicalize(folder).map_err(reason)?;
    let Some(top) = Git::top_of(&folder) else { return Ok(None) };
    let git = Git::open(top)?;
    let path = folder.join(name);
    let path = path.strip_prefix(git.top()).ok().and_then(Path::to_str);
    let path = path.ok_or("git and the project name the file in different ways")?;
    let path = if cfg!(windows) { path.replace('\\', "/") } else { path.to_owned() };
    Ok(Some((git, path)))
}

impl Git {
    /// The content of the file at `path`, from the top folder, in a commit; nothing if that has no such file.
    fn content_in(&self, commit: &str, path: &str) -> Result<Option<Vec<u8>>, String> {
        // Mode, type and object, a tab, and the path.
        let entry =
            self.in_own(&self.top, &["ls-tree", "-z", "--full-tree", commit, "--", path])?;
        let about = String::from_utf8_lossy(&entry);
        let mut words = about.split(['\t', '\0']).next().unwrap_or_default().split(' ');
        // Neither links nor submodules.
        let is_file = words.next().is_some_and(|mode| mode.starts_with("100"));
        let Some(blob) = words.nth(1).filter(|_| is_file) else { return Ok(None) };
        self.blob(blob).map(Some)
    }

    /// The content of a blob.
    pub(super) fn blob(&self, id: &str) -> Result<Vec<u8>, String> {
        let size = self.in_own(&self.top, &["cat-file", "-s", id])?;
        let size = String::from_utf8_lossy(&size).trim().parse::<u64>();
        if size.map_err(|error| error.to_string())? > MAX_FILE_SIZE {
            return Err("the file in the repository is too large".to_owned());
        }
        self.in_own(&self.top, &["cat-file", "blob", id])
    }
}
