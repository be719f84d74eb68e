//! Compares revisions of a repository.

use std::fs;
use std::path::{Path, PathBuf};

use godot_project::{Compared, FileVersion, Git};
use rayon::prelude::*;

use crate::commands::diff::files::{Pair, is_compared, read_if_there};
use crate::output::file_diff::FileDiff;

/// The repository of a folder.
pub(super) struct Repository {
    git: Git,
    /// The folder from which paths are given.
    folder: PathBuf,
}

impl Repository {
    pub(super) fn open(folder: &Path) -> Result<Self, String> {
        let folder = fs::canonicalize(folder).map_err(|error| error.to_string())?;
        let top = Git::top_of(&folder).ok_or("this folder is not in a git work tree")?;
        Ok(Self { git: Git::open(top)?, folder })
    }

    /// Whether the argument is a revision, or two with dots in between.
    pub(super) fn knows(&self, argument: &str) -> Result<bool, String> {
        let (one, other) = ends_of(argument);
        for revision in [Some(one), other.map(|(_, other)| other)].into_iter().flatten() {
            if self.git.commit(or_head(revision))?.is_none() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The meaning of the revisions on the command line.
    pub(super) fn compared(&self, revisions: &[&str], is_staged: bool) -> Result<Compared, String> {
        if let [one] = revisions
            && let (old, Some((is_from_base, new))) = ends_of(one)
        {
            if is_staged {
                return Err("--staged compares with only one revision".to_owned());
            }
            let (old, new) = (self.commit(or_head(old))?, self.commit(or_head(new))?);
            let old = if is_from_base { self.git.merge_base(&old, &new)? } else { old };
            return Ok(Compared::Commits(Some(old), Some(new)));
        }
        match (revisions, is_staged) {
            ([], false) => Ok(Compared::WorkTree(self.git.commit("HEAD")?)),
            ([], true) => Ok(Compared::Index(self.git.commit("HEAD")?)),
            ([old], false) => Ok(Compared::WorkTree(Some(self.commit(old)?))),
            ([old], true) => Ok(Compared::Index(Some(self.commit(old)?))),
            ([old, new], false) => {
                Ok(Compared::Commits(Some(self.commit(old)?), Some(self.commit(new)?)))
            }
            (_, true) => Err("--staged compares with only one revision".to_owned()),
            _ => Err("at most two revisions can be compared".to_owned()),
        }
    }

    fn commit(&self, revision: &str) -> Result<String, String> {
        let unknown = || format!("git cannot find the revision `{revision}`");
        self.git.commit(revision)?.ok_or_else(unknown)
    }

    /// The differences in all compared files.
    pub(super) fn compare(
        &self,
        compared: &Compared,
        paths: &[String],
    ) -> Result<Vec<FileDiff>, String> {
        let mut differences = self.git.differences(compared, &self.folder, paths)?;
        differences.retain(|difference| {
            let versions = [&difference.old, &difference.new];
            versions.into_iter().flatten().any(|version| is_compared(&version.path))
        });
        let versions = || differences.iter().flat_map(|each| [&each.old, &each.new]).flatten();
        let ids: Vec<String> = versions().filter_map(|version| version.blob.clone()).collect();
        let contents = self.git.contents(&ids).map_err(|error| {
            let is_it = |version: &&FileVersion| {
                version.blob.as_ref().is_some_and(|blob| error.ends_with(blob.as_str()))
            };
            match versions().find(is_it) {
                Some(version) => format!(
                    "{}: {error}; in a partial clone, `git diff --stat` with the same arguments fetches the missing content",
                    version.path.display()
                ),
                None => error,
            }
        })?;
        let mut contents = contents.into_iter();
        let mut content = |version: &Option<FileVersion>| match version {
            None => Ok(None),
            Some(FileVersion { blob: Some(_), .. }) => Ok(contents.next()),
            Some(FileVersion { path, blob: None }) => read_if_there(&self.git.top().join(path)),
        };
        let mut pairs = Vec::new();
        for difference in &differences {
            let (old, new) = (content(&difference.old)?, content(&difference.new)?);
            let path = |version: &Option<FileVersion>| {
                version.as_ref().map(|version| version.path.to_string_lossy().into_owned())
            };
            let (before, after) = (path(&difference.old), path(&difference.new));
            let old_path = before.clone().filter(|before| Some(before) != after.as_ref());
            let is_moved = difference.old.is_some() && difference.new.is_some();
            let Some(path) = after.or(before) else { continue };
            pairs.push(Pair { path, old_path: old_path.filter(|_| is_moved), old, new });
        }
        Ok(pairs.into_par_iter().filter_map(Pair::compare).collect())
    }
}

/// Both ends of `A..B` and `A...B`, and whether it begins where they went apart.
fn ends_of(argument: &str) -> (&str, Option<(bool, &str)>) {
    match argument.split_once("..") {
        Some((one, other)) => match other.strip_prefix('.') {
            Some(other) => (one, Some((true, other))),
            None => (one, Some((false, other))),
        },
        None => (argument, None),
    }
}

/// An end that is left out is the last commit.
fn or_head(revision: &str) -> &str {
    if revision.is_empty() { "HEAD" } else { revision }
}
