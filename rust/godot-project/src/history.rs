//! The earlier names of the exported variables of scripts, according to git.
//!
//! Git is only asked about scripts with values in scenes that the scripts do not have. Its answer on a script is kept for
//! the life of the process, by the last commit and by the current text of the script.

mod declarations;
mod gone;
#[cfg(test)]
mod tests;

use std::cell::Cell;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use hashbrown::HashMap;

use crate::cache;
use crate::git::{Commit, FileChange, Git, Reach};
use crate::project::{FileId, Project};

use gone::{Gone, gone_between};

/// An exported variable has had at most this number of names.
const MAX_NAMES: usize = 16;
/// The answers on at most this number of scripts are kept.
const MAX_KEPT: usize = 4096;
/// At most this number of bytes of earlier texts is read, the newest.
const MAX_TEXT: usize = 16 << 20;
/// The maximum time of git for all scripts of a project; after that, nothing more is reported.
const MAX_TIME: Duration = Duration::from_secs(20);

/// The rename of an exported variable of a script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Renamed {
    /// The script that declares it: `res://…`.
    pub script: String,
    /// The names that it got, one after the other. The script has the last one now.
    pub steps: Vec<RenameStep>,
    /// Whether nothing else comes into question.
    pub is_certain: bool,
}

/// One of the names that a variable got.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RenameStep {
    /// The new name.
    pub name: String,
    /// The commit, as people name it, and its day, `2026-05-01`; nothing if it is not committed yet.
    pub commit: Option<(String, String)>,
}

impl Renamed {
    /// The name that the variable has now.
    pub fn name(&self) -> &str {
        self.steps.last().map_or("", |step| &step.name)
    }

    /// Its new name and the commit: `` `max_health` in 1a2b3c4 (2026-05-01) ``.
    pub fn to_whom_and_when(&self) -> String {
        let told = |step: &RenameStep| match &step.commit {
            Some((commit, date)) => format!("`{}` in {commit} ({date})", step.name),
            None => format!("`{}`, which is not committed yet", step.name),
        };
        self.steps.iter().map(told).collect::<Vec<_>>().join(", then to ")
    }
}

/// The current name of the variable `old` that the script in `file`, or a base script, exported. Nothing if git does not
/// report it, or while [`without_asking_git`] runs and it is not known already.
pub fn renamed_in_git(project: &Project, file: FileId, old: &str) -> Option<Renamed> {
    let scripts = project.scripts();
    let files = scripts.files_of_chain(project, file);
    let of_file = |file: &FileId| {
        let script = scripts.script(*file)?;
        let is_exported = |name: &str| {
            script.variable(name).is_some_and(|found| found.is_exported && !found.is_static)
        };
        let (steps, is_certain) =
            project.histories().of(project, *file)?.names(old, is_exported)?;
        Some(Renamed { script: project.path(*file).to_owned(), steps, is_certain })
    };
    let mut found = files.iter().filter_map(of_file);
    let first = found.next()?;
    // Two of them had such a variable: the owner of the value is unknown.
    let is_certain = first.is_certain && found.next().is_none();
    Some(Renamed { is_certain, ..first })
}

thread_local! {
    static MAY_ASK: Cell<bool> = const { Cell::new(true) };
}

/// Lets `work` use git's earlier answers: it starts no program on this thread to read earlier scripts.
pub fn without_asking_git<T>(work: impl FnOnce() -> T) -> T {
    /// Also after a panic.
    struct Restored(bool);
    impl Drop for Restored {
        fn drop(&mut self) {
            MAY_ASK.set(self.0);
        }
    }
    let _restored = Restored(MAY_ASK.replace(false));
    work()
}

/// Git's answer on a script, once it was asked: nothing if it does not know.
type Answer = OnceLock<Option<Arc<History>>>;

/// The histories of the scripts of a project.
#[derive(Debug, Default)]
pub(crate) struct Histories {
    by_file: Mutex<HashMap<FileId, Arc<Answer>>>,
    /// By their top folders.
    repositories: Mutex<HashMap<PathBuf, Option<Arc<Repository>>>>,
    spent_ms: AtomicU64,
}

#[derive(Debug)]
struct Repository {
    git: Git,
    reach: Reach,
}

impl Histories {
    /// Nothing if git does not report it.
    fn of(&self, project: &Project, file: FileId) -> Option<Arc<History>> {
        let entry = Arc::clone(lock(&self.by_file).entry(file).or_default());
        if let Some(known) = entry.get() {
            return known.clone();
        }
        if !project.may_ask_git() {
            return None;
        }
        let root = project.root()?;
        let place = root.join(project.path(file).strip_prefix("res://")?);
        let place = fs::canonicalize(place).ok()?;
        if !MAY_ASK.get() {
            return lock(&KEPT).get(&place).map(|kept| Arc::clone(&kept.history));
        }
        entry.get_or_init(|| self.made(project, file, &place)).clone()
    }

    fn made(&self, project: &Project, file: FileId, place: &Path) -> Option<Arc<History>> {
        if Duration::from_millis(self.spent_ms.load(Ordering::Relaxed)) > MAX_TIME {
            return None;
        }
        let begin = Instant::now();
        let history = self.asked(project, file, place);
        let spent = u64::try_from(begin.elapsed().as_millis()).unwrap_or(u64::MAX);
        self.spent_ms.fetch_add(spent, Ordering::Relaxed);
        history
    }

    fn asked(&self, project: &Project, file: FileId, place: &Path) -> Option<Arc<History>> {
        let top = Git::top_of(place.parent()?)?;
        let repository = self.repository(top)?;
        let now = project.read(file).ok()?;
        let (head, hash) = (&repository.reach.head, cache::hash(&now));
        if let Some(kept) = lock(&KEPT).get(place)
            && kept.head == *head
            && kept.hash == hash
        {
            return Some(Arc::clone(&kept.history));
        }
        let path = place.strip_prefix(repository.git.top()).ok()?.to_str()?.replace('\\', "/");
        // git is asked line by line.
        if path.contains('\n') {
            return None;
        }
        let history = Arc::new(History::read(&repository, &path, &now).ok()?);
        let mut all = lock(&KEPT);
        if all.len() >= MAX_KEPT {
            all.clear();
        }
        let kept = Kept { head: head.clone(), hash, history: Arc::clone(&history) };
        all.insert(place.to_owned(), kept);
        Some(history)
    }

    fn repository(&self, top: &Path) -> Option<Arc<Repository>> {
        // The others wait: each would ask the same.
        let mut known = lock(&self.repositories);
        let open = || {
            let git = Git::open(top).ok()?;
            let reach = git.reach().ok()??;
            Some(Arc::new(Repository { git, reach }))
        };
        known.entry(top.to_owned()).or_insert_with(open).clone()
    }
}

/// The answer on a script, for projects that are opened later.
struct Kept {
    /// The last commit.
    head: String,
    /// The hash of the script's text.
    hash: u64,
    history: Arc<History>,
}

static KEPT: LazyLock<Mutex<HashMap<PathBuf, Kept>>> = LazyLock::new(Mutex::default);

/// The exported variables that a script had and lost, the newest first.
#[derive(Debug, Default)]
struct History {
    gone: Vec<(Gone, Option<Commit>)>,
}

impl History {
    fn read(repository: &Repository, path: &str, now: &[u8]) -> Result<Self, String> {
        let Repository { git, reach } = repository;
        let changes = git.changes_of(reach, path)?;
        // A merge may contain a change that no commit of the script made.
        let last = format!("{}:{path}", reach.head);
        let blobs = changes.iter().flat_map(|change| [&change.after, &change.before]);
        let mut ids: Vec<&String> = Vec::new();
        let mut places = HashMap::new();
        for id in std::iter::once(&last).chain(blobs.flatten()) {
            places.entry(id).or_insert_with(|| {
                ids.push(id);
                ids.len() - 1
            });
        }
        let contents = git.blobs(&ids)?;
        let content = |id: Option<&String>| contents[*places.get(id?)?].as_deref();
        let mut history = Self::default();
        history.add(path, content(Some(&last)), Some(now), None);
        let mut left = MAX_TEXT;
        for FileChange { commit, before, after } in &changes {
            let length = |id: &Option<String>| content(id.as_ref()).map_or(0, <[u8]>::len);
            let Some(rest) = left.checked_sub(length(before) + length(after)) else { break };
            left = rest;
            history.add(path, content(before.as_ref()), content(after.as_ref()), Some(commit));
        }
        Ok(history)
    }

    fn add(
        &mut self,
        path: &str,
        before: Option<&[u8]>,
        after: Option<&[u8]>,
        commit: Option<&Commit>,
    ) {
        if let (Some(before), Some(after)) = (before, after) {
            let gone = gone_between(path, before, after).into_iter();
            self.gone.extend(gone.map(|gone| (gone, commit.cloned())));
        }
    }

    /// The names that a variable got, and whether they are certain. The last one is exported now.
    fn names(
        &self,
        old: &str,
        is_exported: impl Fn(&str) -> bool,
    ) -> Option<(Vec<RenameStep>, bool)> {
        let (mut name, mut is_certain) = (old, true);
        let (mut steps, mut until) = (Vec::new(), self.gone.len());
        for _ in 0..MAX_NAMES {
            let at = self.gone[..until].iter().position(|(gone, _)| gone.name == name)?;
            let (gone, commit) = &self.gone[at];
            let became = gone.became.as_ref()?;
            is_certain &= became.is_certain;
            name = &became.name;
            let commit = commit.as_ref().map(|commit| (commit.name.clone(), commit.date.clone()));
            steps.push(RenameStep { name: name.to_owned(), commit });
            if is_exported(name) {
                return Some((steps, is_certain));
            }
            until = at;
        }
        None
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
