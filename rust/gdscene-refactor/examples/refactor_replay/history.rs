//! A git directory: its commits, what each changed, and the objects, which one process of git reads.

use std::cell::RefCell;
use std::collections::HashMap;
use std::io::{self, BufRead, BufReader, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};

/// So many bytes of contents are kept.
const MAX_KEPT: usize = 1 << 30;

/// The name that git gives to a content.
pub(crate) type ObjectId = String;

/// A git directory.
#[derive(Debug)]
pub(crate) struct History {
    folder: PathBuf,
    objects: Mutex<Objects>,
}

/// A commit with one parent, and what it changed.
#[derive(Debug, Default)]
pub(crate) struct Commit {
    pub(crate) id: String,
    pub(crate) parent: String,
    pub(crate) changes: Vec<Change>,
}

/// What a commit did to a file.
#[derive(Debug)]
pub(crate) struct Change {
    pub(crate) old: ObjectId,
    pub(crate) new: ObjectId,
    /// Whether git takes the new path for a new place of the old file.
    pub(crate) is_move: bool,
    pub(crate) old_path: String,
    pub(crate) new_path: String,
}

#[derive(Debug)]
struct Objects {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    kept: HashMap<ObjectId, Arc<[u8]>>,
    kept_bytes: usize,
}

impl History {
    pub(crate) fn open(folder: &Path) -> io::Result<Self> {
        let mut process =
            git(folder).args(["cat-file", "--batch"]).stdin(Stdio::piped()).spawn()?;
        let missing = || io::Error::other("git gives no pipe");
        let input = process.stdin.take().ok_or_else(missing)?;
        let output = BufReader::new(process.stdout.take().ok_or_else(missing)?);
        let objects = Objects { process, input, output, kept: HashMap::new(), kept_bytes: 0 };
        Ok(Self { folder: folder.to_owned(), objects: Mutex::new(objects) })
    }

    /// All commits that have one parent, the newest first.
    pub(crate) fn commits(&self) -> io::Result<Vec<Commit>> {
        // To tell that a changed file has moved, git reads it; large ones may not be at hand, and git gives up then.
        let arguments = ["log", "--no-merges", "-M100%", "--format=%x01%H %P"];
        let (mut commits, _) = listed(git(&self.folder).args(arguments).args(RAW))?;
        commits.retain(|commit| !commit.parent.is_empty());
        let mut texts = self.changes_of_texts(&commits)?;
        for commit in &mut commits {
            if let Some(changes) = texts.remove(&commit.id) {
                commit.changes.retain(|change| !is_text(&change.old_path));
                commit.changes.extend(changes);
            }
        }
        Ok(commits)
    }

    /// What commits changed in texts, of which those count as moved that are alike. Commits with texts that are not at hand
    /// are left out.
    fn changes_of_texts(&self, commits: &[Commit]) -> io::Result<HashMap<String, Vec<Change>>> {
        let mut found = HashMap::new();
        let mut open = commits;
        while !open.is_empty() {
            let mut ids = tempfile::tempfile()?;
            open.iter().try_for_each(|commit| writeln!(ids, "{}", commit.id))?;
            ids.rewind()?;
            let arguments = ["diff-tree", "--stdin", "-r", "-M60%", "--format=%x01%H %P"];
            let mut command = git(&self.folder);
            command.args(arguments).args(RAW).arg("--").args(TEXTS.map(|end| format!("*.{end}")));
            let (listed, is_complete) = listed(command.stdin(ids))?;
            let last = listed.last().map(|commit| commit.id.clone());
            let done = open.iter().position(|commit| Some(&commit.id) == last.as_ref());
            found.extend(listed.into_iter().map(|commit| (commit.id, commit.changes)));
            if is_complete {
                break;
            }
            // The one at which it gave up may be told of already, or be the next.
            last.map(|last| found.remove(&last));
            open = &open[done.map_or(1, |done| done.max(1))..];
        }
        Ok(found)
    }

    /// The files of a commit, with their sizes.
    pub(crate) fn files_of(&self, commit: &str) -> io::Result<Vec<(String, ObjectId, u64)>> {
        let output = git(&self.folder).args(["ls-tree", "-r", "-l", "-z", commit]).output()?;
        let entry = |entry: &[u8]| {
            let entry = String::from_utf8_lossy(entry).into_owned();
            let (head, path) = entry.split_once('\t')?;
            let mut words = head.split_whitespace().skip(1);
            let is_file = words.next()? == "blob" && !head.starts_with("120000");
            let (id, size) = (words.next()?, words.next()?);
            is_file.then(|| (path.to_owned(), id.to_owned(), size.parse().unwrap_or(0)))
        };
        Ok(output.stdout.split(|byte| *byte == 0).filter_map(entry).collect())
    }

    /// A content; an error if it is not at hand.
    pub(crate) fn read(&self, id: &str) -> io::Result<Arc<[u8]>> {
        self.objects.lock().unwrap_or_else(PoisonError::into_inner).read(id)
    }
}

impl Objects {
    fn read(&mut self, id: &str) -> io::Result<Arc<[u8]>> {
        if let Some(kept) = self.kept.get(id) {
            return Ok(Arc::clone(kept));
        }
        writeln!(self.input, "{id}")?;
        let mut head = String::new();
        self.output.read_line(&mut head)?;
        let size = head.split(' ').nth(2).and_then(|size| size.trim().parse::<usize>().ok());
        let size = size.ok_or_else(|| io::Error::from(io::ErrorKind::NotFound))?;
        let mut content = vec![0; size + 1];
        self.output.read_exact(&mut content)?;
        content.pop();
        if self.kept_bytes > MAX_KEPT {
            self.kept.clear();
            self.kept_bytes = 0;
        }
        self.kept_bytes += size;
        let content: Arc<[u8]> = content.into();
        self.kept.insert(id.to_owned(), Arc::clone(&content));
        Ok(content)
    }
}

impl Drop for Objects {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// How [`listed`] wants it.
const RAW: [&str; 3] = ["--raw", "--no-abbrev", "-z"];

/// Files in which git looks for likeness.
const TEXTS: [&str; 11] =
    ["gd", "cs", "tscn", "tres", "escn", "gdshader", "shader", "import", "uid", "json", "cfg"];

fn is_text(path: &str) -> bool {
    path.rsplit_once('.').is_some_and(|(_, end)| TEXTS.contains(&end))
}

/// The commits that git prints, and whether it came to its end.
fn listed(command: &mut Command) -> io::Result<(Vec<Commit>, bool)> {
    let mut process = command.spawn()?;
    let output = process.stdout.take().ok_or_else(|| io::Error::other("git gives no pipe"))?;
    let fields = RefCell::new(BufReader::new(output).split(0));
    let next = || -> io::Result<Option<String>> {
        let field = fields.borrow_mut().next().transpose()?;
        Ok(field.map(|field| String::from_utf8_lossy(&field).trim_start_matches('\n').to_owned()))
    };
    let mut commits: Vec<Commit> = Vec::new();
    while let Some(field) = next()? {
        if let Some(head) = field.strip_prefix('\u{1}') {
            let mut ids = head.split(' ').map(str::to_owned);
            let (id, parent) = (ids.next().unwrap_or_default(), ids.next().unwrap_or_default());
            commits.push(Commit { id, parent, changes: Vec::new() });
        } else if let Some(commit) = commits.last_mut().filter(|_| field.starts_with(':')) {
            commit.changes.extend(change(&field, &next)?);
        }
    }
    Ok((commits, process.wait()?.success()))
}

/// `:100644 100644 OLD NEW R090`, and the paths that follow.
fn change(head: &str, next: &dyn Fn() -> io::Result<Option<String>>) -> io::Result<Option<Change>> {
    let words: Vec<&str> = head.split(' ').collect();
    let [old_mode, new_mode, old, new, status] = words[..] else { return Ok(None) };
    let old_path = next()?.unwrap_or_default();
    let has_two = status.starts_with(['R', 'C']);
    let new_path = if has_two { next()?.unwrap_or_default() } else { old_path.clone() };
    let is_file = |mode: &str| mode.ends_with("100644") || mode.ends_with("100755");
    let is_kept = is_file(old_mode) && is_file(new_mode) && !status.starts_with('C');
    let (old, new, is_move) = (old.to_owned(), new.to_owned(), status.starts_with('R'));
    Ok(is_kept.then_some(Change { old, new, is_move, old_path, new_path }))
}

/// Git, which reads no configuration but that of the directory, and fetches nothing.
fn git(folder: &Path) -> Command {
    let mut command = Command::new("git");
    command.arg("--git-dir").arg(folder).arg("--no-pager");
    command.env("GIT_NO_LAZY_FETCH", "1").env("GIT_CONFIG_NOSYSTEM", "1");
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    command
}
