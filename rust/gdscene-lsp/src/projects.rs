//! The projects that files lie in, opened when they are needed.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

use gdscene_lint::{Workspace, WorkspaceOptions};
use godot_project::CachePlace;
use ls_types::Uri;

use crate::text::Text;
use crate::uris;

/// The path of a project's configuration.
const OWN_CONFIG: &str = "res://gdscene.toml";

/// All projects of a session.
#[derive(Debug)]
pub(crate) struct Projects {
    cache: CachePlace,
    by_root: Mutex<HashMap<PathBuf, Arc<OpenProject>>>,
    /// For files that lie in none.
    outside: Arc<OpenProject>,
}

/// A project, which is read at its first use.
#[derive(Debug)]
pub(crate) struct OpenProject {
    /// Nothing for files outside projects.
    root: Option<PathBuf>,
    options: WorkspaceOptions,
    workspace: RwLock<Option<Workspace>>,
    /// Whether files have changed on the disk since it was read.
    is_stale: AtomicBool,
    /// Texts in the client that the workspace has not seen; nothing for texts that the client has closed.
    unseen: Mutex<HashMap<String, Option<Text>>>,
    /// The number of the last check of all files that was asked for.
    last_check: AtomicU64,
    /// Whether a check of all files has ended that was the last.
    was_checked: AtomicBool,
    has_news: AtomicBool,
}

impl Projects {
    pub(crate) fn new(cache: CachePlace) -> Self {
        let outside = Arc::new(OpenProject::new(None, &cache));
        Self { cache, by_root: Mutex::default(), outside }
    }

    /// The project of a file.
    pub(crate) fn of(&self, path: Option<&Path>) -> Arc<OpenProject> {
        match path.and_then(godot_project::find_root) {
            Some(root) => self.at(&root),
            None => Arc::clone(&self.outside),
        }
    }

    /// The project in the folder `root`.
    pub(crate) fn at(&self, root: &Path) -> Arc<OpenProject> {
        let mut all = lock(&self.by_root);
        let made = || Arc::new(OpenProject::new(Some(root.to_owned()), &self.cache));
        Arc::clone(all.entry(root.to_owned()).or_insert_with(made))
    }

    /// The projects that were used so far.
    pub(crate) fn all(&self) -> Vec<Arc<OpenProject>> {
        lock(&self.by_root).values().cloned().collect()
    }

    /// Closes the projects for which this is false.
    pub(crate) fn retain(&self, is_wanted: impl Fn(&Path) -> bool) {
        lock(&self.by_root).retain(|root, _| is_wanted(root));
    }
}

impl OpenProject {
    fn new(root: Option<PathBuf>, cache: &CachePlace) -> Self {
        Self {
            root,
            options: WorkspaceOptions { cache: cache.clone(), ..WorkspaceOptions::default() },
            workspace: RwLock::new(None),
            is_stale: AtomicBool::new(false),
            unseen: Mutex::default(),
            last_check: AtomicU64::new(0),
            was_checked: AtomicBool::new(false),
            has_news: AtomicBool::new(false),
        }
    }

    /// The folder with `project.godot`.
    pub(crate) fn root(&self) -> Option<&Path> {
        self.root.as_deref()
    }

    /// Remembers the client's text of a file. It counts for others from [`OpenProject::sync`] on.
    pub(crate) fn put(&self, path: String, text: Option<Text>) {
        lock(&self.unseen).insert(path, text);
    }

    /// Remembers that files have changed on the disk.
    pub(crate) fn set_stale(&self) {
        self.is_stale.store(true, Ordering::Relaxed);
    }

    /// The number of a check of all files that begins now.
    pub(crate) fn next_check(&self) -> u64 {
        self.last_check.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// Remembers that the check of all files with this number has ended.
    pub(crate) fn end_check(&self, number: u64) {
        if self.is_last_check(number) {
            self.was_checked.store(true, Ordering::Relaxed);
        }
    }

    /// Whether all files are being checked for the first time.
    pub(crate) fn is_in_first_check(&self) -> bool {
        self.last_check.load(Ordering::Relaxed) != 0 && !self.was_checked.load(Ordering::Relaxed)
    }

    /// Whether a file is below the project's folder.
    pub(crate) fn has(&self, uri: &Uri) -> bool {
        let Some(root) = self.root() else { return false };
        uris::path_of(uri).is_some_and(|path| path.starts_with(root))
    }

    /// Whether no other check of all files was asked for since the one with this number.
    pub(crate) fn is_last_check(&self, number: u64) -> bool {
        self.last_check.load(Ordering::Relaxed) == number
    }

    /// Runs `look` on the project as it was seen last: enough for a request on one text, which comes with the request.
    pub(crate) fn look<R>(&self, look: impl FnOnce(&Workspace) -> R) -> R {
        {
            let workspace = self.workspace.read().unwrap_or_else(PoisonError::into_inner);
            if let Some(workspace) = workspace.as_ref() {
                return look(workspace);
            }
        }
        self.sync();
        let workspace = self.workspace.read().unwrap_or_else(PoisonError::into_inner);
        match workspace.as_ref() {
            Some(workspace) => look(workspace),
            // It was closed meanwhile, by a request that panicked.
            None => look(&Workspace::outside(&self.options)),
        }
    }

    /// Runs `look` on the project with all that the client and the disk have now.
    pub(crate) fn look_at_all<R>(&self, look: impl FnOnce(&Workspace) -> R) -> R {
        self.sync();
        self.look(look)
    }

    /// Whether the workspace has seen something new since this was asked last.
    pub(crate) fn take_news(&self) -> bool {
        self.has_news.swap(false, Ordering::Relaxed)
    }

    /// Lets the workspace see all that the client and the disk have now.
    pub(crate) fn sync(&self) {
        let is_stale = || self.is_stale.load(Ordering::Relaxed);
        let is_open = self.workspace.read().unwrap_or_else(PoisonError::into_inner).is_some();
        if is_open && !is_stale() && lock(&self.unseen).is_empty() {
            return;
        }
        let mut place = self.workspace.write().unwrap_or_else(PoisonError::into_inner);
        let unseen = std::mem::take(&mut *lock(&self.unseen));
        let was_stale = self.is_stale.swap(false, Ordering::Relaxed);
        // It comes back only if nothing panics: half of the texts may be in it otherwise.
        let mut workspace = match place.take() {
            Some(mut workspace) => {
                if was_stale {
                    // Files that cannot be listed now stay as they were.
                    let _ = workspace.refresh();
                }
                workspace
            }
            None => self.open(),
        };
        if let Some(text) = unseen.get(OWN_CONFIG) {
            let text = text.as_ref().map(|text| String::from_utf8_lossy(text.bytes()).into_owned());
            workspace.set_unsaved_config(text);
        }
        if let Some(project) = workspace.project_mut().filter(|_| !unseen.is_empty()) {
            let texts = unseen.iter();
            let texts = texts.map(|(path, text)| (path.as_str(), text.as_ref().map(Text::bytes)));
            let _ = project.set_overlays(texts);
            project.prepare();
        }
        *place = Some(workspace);
        self.has_news.store(true, Ordering::Relaxed);
    }

    /// A project that cannot be read has the rules for single files.
    fn open(&self) -> Workspace {
        let opened = self.root.as_deref().map(|root| Workspace::open(root, &self.options));
        opened.and_then(Result::ok).unwrap_or_else(|| Workspace::outside(&self.options))
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
