//! The files that differ between two commits, or between one and the index or the work tree, and their
//! contents.

use std::path::{Path, PathBuf};

use super::file_history::blob_of;
use super::{Git, PATIENCE, answer, path_of};

/// The sides of a comparison. A repository without commits has none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Compared {
    /// Two commits.
    Commits(Option<String>, Option<String>),
    /// A commit and the index.
    Index(Option<String>),
    /// A commit and the files in the work tree that git knows.
    WorkTree(Option<String>),
}

/// A file that differs: its old and its new contents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Nothing if it was added.
    pub old: Option<FileVersion>,
    /// Nothing if it was removed.
    pub new: Option<FileVersion>,
}

/// A file in a commit, in the index, or in the work tree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileVersion {
    /// From the top folder.
    pub path: PathBuf,
    /// The blob; nothing of a file in the work tree.
    pub blob: Option<String>,
}

/// One git reads at most this number of blobs.
const MAX_AT_ONCE: usize = 500;

impl Git {
    /// The commit from which the histories of both went apart.
    ///
    /// # Errors
    /// When git fails, or there is none.
    pub fn merge_base(&self, one: &str, other: &str) -> Result<String, String> {
        let found = self.in_own(&self.top, &["merge-base", one, other])?;
        let found = String::from_utf8_lossy(&found).trim().to_owned();
        if found.is_empty() { Err("they have no common history".to_owned()) } else { Ok(found) }
    }

    /// The files that differ, renamed ones as one. `paths` are pathspecs from `folder`, which is in the work tree; all files if
    /// there are none.
    ///
    /// # Errors
    /// When git fails.
    pub fn differences(
        &self,
        compared: &Compared,
        folder: &Path,
        paths: &[String],
    ) -> Result<Vec<Difference>, String> {
        let commit = |commit: &Option<String>| match commit {
            Some(commit) => Ok(commit.clone()),
            None => self.empty_tree(),
        };
        let ends = match compared {
            Compared::Commits(old, new) => vec![commit(old)?, commit(new)?],
            Compared::Index(old) => vec!["--cached".to_owned(), commit(old)?],
            Compared::WorkTree(old) => vec![commit(old)?],
        };
        let diff = ["diff", "--raw", "-z", "--no-abbrev", "--find-renames", "--no-color"];
        let mut command = self.own_command(folder);
        command.args(diff).args(["--no-ext-diff", "--no-textconv", "--ignore-submodules=all"]);
        let printed = answer(command.args(ends).arg("--").args(paths), PATIENCE)?;
        Ok(differences_in(&printed))
    }

    /// The contents of blobs.
    ///
    /// # Errors
    /// When git fails, or does not have one of them.
    pub fn contents(&self, ids: &[String]) -> Result<Vec<Vec<u8>>, String> {
        let mut contents = Vec::with_capacity(ids.len());
        for ids in ids.chunks(MAX_AT_ONCE) {
            let ids: Vec<&String> = ids.iter().collect();
            let printed = self.batch("--batch=%(objectsize)", &ids, PATIENCE)?;
            let mut rest = printed.as_slice();
            for id in ids {
                let content = super::file_history::take_content(&mut rest);
                contents.push(content.ok_or_else(|| format!("git does not have the blob {id}"))?);
            }
        }
        Ok(contents)
    }

    fn empty_tree(&self) -> Result<String, String> {
        let id = self.in_own(&self.top, &["hash-object", "-t", "tree", "--stdin"])?;
        Ok(String::from_utf8_lossy(&id).trim().to_owned())
    }
}

/// `:100644 100644 <blob> <blob> M`, and a path or, of renamed files, two.
fn differences_in(printed: &[u8]) -> Vec<Difference> {
    let mut parts = printed.split(|byte| *byte == 0);
    let mut differences = Vec::new();
    while let (Some(about), Some(path)) = (parts.next(), parts.next()) {
        let about = String::from_utf8_lossy(about);
        let words: Vec<&str> = about.trim_start_matches(':').split(' ').collect();
        let [old_mode, new_mode, old_blob, new_blob, status] = words[..] else { break };
        let new_path = match status.starts_with(['R', 'C']) {
            true => parts.next().unwrap_or_default(),
            false => path,
        };
        // Neither links nor submodules.
        let version = |mode: &str, path: &[u8], blob: &str| {
            mode.starts_with("100")
                .then(|| FileVersion { path: path_of(path), blob: blob_of(blob) })
        };
        let old = version(old_mode, path, old_blob);
        let new = version(new_mode, new_path, new_blob);
        if old.is_some() || new.is_some() {
            differences.push(Difference { old, new });
        }
    }
    differences
}
