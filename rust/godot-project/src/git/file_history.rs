//! The commits that changed one file, and its contents.

use std::fs::File;
use std::io::Write;
use std::time::Duration;

use super::{Git, answer, lines};

/// At most this number of commits is read, the newest. A history of ten thousand takes about a tenth of a
/// second.
const MAX_COMMITS: usize = 10_000;
/// At most this number of changes of one file is read, the newest.
const MAX_CHANGES: usize = 1_000;
/// So often a file may have been moved.
const MAX_MOVES: usize = 16;
/// Blobs that are larger are left out, and the last ones, if all are more than that.
const MAX_BLOB: u64 = 1 << 19;
const MAX_BLOBS: u64 = 32 << 20;
/// So long one git may take.
const PATIENCE: Duration = Duration::from_secs(5);
/// This number of digits of a commit's name is enough to distinguish it from all others.
const SHORT_NAME: usize = 8;
/// Git compares at most this number of removed files with as many new ones by their content. Above, only equal
/// ones are found.
const RENAME_LIMIT: &str = "-l200";

/// A commit, as people name it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Commit {
    /// Its short name.
    pub(crate) name: String,
    /// The day on which it was made: `2026-05-01`.
    pub(crate) date: String,
}

/// The change of a file in a commit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FileChange {
    pub(crate) commit: Commit,
    /// The blob before; nothing if the file was new.
    pub(crate) before: Option<String>,
    /// The blob after; nothing if the file went.
    pub(crate) after: Option<String>,
}

/// The commits that are looked through.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Reach {
    /// The last commit.
    pub(crate) head: String,
    /// A commit which, with all before it, is left out.
    oldest: Option<String>,
}

impl Git {
    /// The commits to read; nothing without a commit.
    ///
    /// # Errors
    /// When git fails.
    pub(crate) fn reach(&self) -> Result<Option<Reach>, String> {
        let Some(head) = self.commit("HEAD")? else { return Ok(None) };
        let skip = format!("--skip={MAX_COMMITS}");
        let oldest = self.history(&["rev-list", &skip, "--max-count=1", &head])?;
        let oldest = lines(&oldest).next().map(|id| String::from_utf8_lossy(id).into_owned());
        Ok(Some(Reach { head, oldest }))
    }

    /// The changes of the file at `path` in commits, from the top folder with `/`, the newest first. The file is followed
    /// to its earlier paths, if git reports them.
    ///
    /// # Errors
    /// When git fails. Changes before an unreadable commit are left out.
    pub(crate) fn changes_of(&self, reach: &Reach, path: &str) -> Result<Vec<FileChange>, String> {
        let mut changes: Vec<FileChange> = Vec::new();
        let (mut start, mut path) = (reach.head.clone(), path.to_owned());
        for moves in 0..MAX_MOVES {
            let found = match self.changes_at(&start, reach, &path) {
                Err(reason) if moves == 0 => return Err(reason),
                found => found.unwrap_or_default(),
            };
            let first = found.last().map(|(id, change)| (id.clone(), change.before.is_none()));
            changes.extend(found.into_iter().map(|(_, change)| change));
            let Some((id, true)) = first.filter(|_| changes.len() < MAX_CHANGES) else { break };
            let Some((old_path, blob)) = self.moved_from(&id, &path) else { break };
            if let Some(change) = changes.last_mut() {
                change.before = Some(blob);
            }
            (start, path) = (format!("{id}^"), old_path);
        }
        changes.truncate(MAX_CHANGES);
        Ok(changes)
    }

    /// The blobs with these ids; nothing for missing or too large ones.
    ///
    /// # Errors
    /// When git fails.
    pub(crate) fn blobs(&self, ids: &[&String]) -> Result<Vec<Option<Vec<u8>>>, String> {
        let sizes = self.batch("--batch-check=%(objecttype) %(objectsize)", ids, PATIENCE)?;
        let mut left = MAX_BLOBS;
        let sizes: Vec<Option<u64>> = lines(&sizes)
            .map(|line| {
                let size = str::from_utf8(line).ok()?.strip_prefix("blob ")?.parse().ok()?;
                left = left.checked_sub(size).filter(|_| size <= MAX_BLOB)?;
                Some(size)
            })
            .collect();
        let is_wanted = |index: usize| sizes.get(index).copied().flatten().is_some();
        let wanted = ids.iter().enumerate().filter(|(index, _)| is_wanted(*index));
        let wanted: Vec<&String> = wanted.map(|(_, id)| *id).collect();
        let contents = self.batch("--batch=%(objectsize)", &wanted, PATIENCE)?;
        let mut rest = contents.as_slice();
        let content = |index| is_wanted(index).then(|| take_content(&mut rest)).flatten();
        Ok((0..ids.len()).map(content).collect())
    }

    /// Each with the whole name of the commit.
    fn changes_at(
        &self,
        start: &str,
        reach: &Reach,
        path: &str,
    ) -> Result<Vec<(String, FileChange)>, String> {
        let count = format!("--max-count={MAX_CHANGES}");
        let format = "--format=commit %H %cs";
        let log = ["--literal-pathspecs", "log", "--raw", "--no-abbrev", "--no-renames"];
        let log = [&log[..], &["--no-ext-diff", "--no-textconv", "--no-show-signature"]].concat();
        let log = [&log[..], &["--no-color", "--no-notes", &count, format, start]].concat();
        let not = reach.oldest.as_ref().map(|oldest| format!("^{oldest}"));
        let not: Vec<&str> = not.iter().map(String::as_str).collect();
        let printed = self.history(&[&log[..], &not, &["--", path]].concat())?;
        let mut changes = Vec::new();
        let mut commit = None;
        for line in lines(&printed).filter_map(|line| str::from_utf8(line).ok()) {
            let words: Vec<&str> = line.split([' ', '\t']).collect();
            match words[..] {
                ["commit", id, date] => {
                    let name = id.chars().take(SHORT_NAME).collect();
                    let date = date.to_owned();
                    commit = Some((id.to_owned(), Commit { name, date }));
                }
                [mode, _, before, after, ..] if mode.starts_with(':') => {
                    let Some((id, commit)) = commit.take() else { continue };
                    let (before, after) = (blob_of(before), blob_of(after));
                    changes.push((id, FileChange { commit, before, after }));
                }
                _ => {}
            }
        }
        Ok(changes)
    }

    /// The path that the file at `path` had before the commit, and its blob there.
    fn moved_from(&self, commit: &str, path: &str) -> Option<(String, String)> {
        // Only files of its kind may have been it.
        let name = path.rsplit('/').next().unwrap_or(path);
        let pattern = format!(":(top,glob)**/*.{}", name.rsplit_once('.')?.1);
        let diff = ["diff-tree", "-r", "-z", "--raw", "--no-abbrev", "--no-commit-id"];
        let diff = [&diff[..], &["--no-ext-diff", "--no-textconv", "-M", RENAME_LIMIT]].concat();
        let diff = [&diff[..], &["--diff-filter=R", commit, "--", &pattern]].concat();
        let printed = self.history(&diff).ok()?;
        let mut parts = printed.split(|byte| *byte == 0);
        while let (Some(about), Some(from), Some(to)) = (parts.next(), parts.next(), parts.next()) {
            if to == path.as_bytes() {
                let blob = str::from_utf8(about).ok()?.split(' ').nth(2)?;
                return Some((str::from_utf8(from).ok()?.to_owned(), blob.to_owned()));
            }
        }
        None
    }

    fn history(&self, arguments: &[&str]) -> Result<Vec<u8>, String> {
        answer(self.own_command(&self.top).args(arguments), PATIENCE)
    }

    /// The output of `git cat-file` for objects.
    pub(super) fn batch(
        &self,
        how: &str,
        ids: &[&String],
        patience: Duration,
    ) -> Result<Vec<u8>, String> {
        let failed = |error: std::io::Error| error.to_string();
        let mut list = tempfile::NamedTempFile::new_in(self.own.path()).map_err(failed)?;
        let lines: String = ids.iter().map(|id| format!("{id}\n")).collect();
        list.write_all(lines.as_bytes()).map_err(failed)?;
        let input = File::open(list.path()).map_err(failed)?;
        let command = &mut self.own_command(&self.top);
        answer(command.args(["cat-file", how]).stdin(input), patience)
    }
}

/// Nothing for the id of a missing object.
pub(super) fn blob_of(id: &str) -> Option<String> {
    id.bytes().any(|digit| digit != b'0').then(|| id.to_owned())
}

/// The next of the contents that `cat-file --batch=%(objectsize)` prints.
pub(super) fn take_content(rest: &mut &[u8]) -> Option<Vec<u8>> {
    let end = rest.iter().position(|byte| *byte == b'\n')?;
    let size: usize = str::from_utf8(&rest[..end]).ok()?.parse().ok()?;
    let content = rest.get(end + 1..end + 1 + size)?;
    *rest = rest.get(end + 2 + size..).unwrap_or_default();
    Some(content.to_vec())
}
