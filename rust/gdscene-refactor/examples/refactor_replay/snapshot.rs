//! The project in a folder of a commit, in memory: a source of files that goes from commit to commit, of which the project
//! reads again only what differs.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use godot_project::{FileSource, FoundFile, Listing, Plan};

use crate::history::{History, ObjectId};

/// The files of a project at one commit, or after a refactoring of that.
#[derive(Debug)]
pub(crate) struct Snapshot {
    history: Arc<History>,
    files: Mutex<Files>,
}

/// By path, `res://…`.
pub(crate) type Files = BTreeMap<String, File>;

/// A file of a project.
#[derive(Clone, Debug)]
pub(crate) struct File {
    size: u64,
    content: Content,
}

#[derive(Clone, Debug)]
enum Content {
    OfCommit(ObjectId),
    Changed(Arc<[u8]>),
}

/// The files of a commit, and in which folders there are projects.
#[derive(Debug)]
pub(crate) struct CommitTree {
    files: Vec<(String, ObjectId, u64)>,
    /// With a slash at the end, or empty; the longest first.
    roots: Vec<String>,
}

impl CommitTree {
    pub(crate) fn read(history: &History, commit: &str) -> io::Result<Self> {
        let files = history.files_of(commit)?;
        let root = |(path, ..): &(String, ObjectId, u64)| {
            path.strip_suffix("project.godot")
                .filter(|root| root.is_empty() || root.ends_with('/'))
                .map(str::to_owned)
        };
        let mut roots: Vec<String> = files.iter().filter_map(root).collect();
        roots.sort_by_key(|root| std::cmp::Reverse(root.len()));
        Ok(Self { files, roots })
    }

    /// The folder of the project that a file lies in.
    pub(crate) fn root_of(&self, path: &str) -> Option<&str> {
        self.roots.iter().map(String::as_str).find(|root| path.starts_with(root))
    }

    /// All files of the project in a folder.
    pub(crate) fn files_of(&self, root: &str) -> Files {
        let file = |(path, id, size): &(String, ObjectId, u64)| {
            let content = Content::OfCommit(id.clone());
            let path = format!("res://{}", path.strip_prefix(root)?);
            Some((path, File { size: *size, content }))
        };
        self.files.iter().filter_map(file).collect()
    }
}

impl Snapshot {
    pub(crate) fn new(history: Arc<History>) -> Self {
        Self { history, files: Mutex::default() }
    }

    /// Other files, of another commit.
    pub(crate) fn set(&self, files: Files) {
        *self.files() = files;
    }

    /// A content, and nothing where there is no such file.
    pub(crate) fn text(&self, path: &str) -> Option<Arc<[u8]>> {
        let file = self.files().get(path).cloned();
        Some(self.content(&file?))
    }

    /// The content of one of [`CommitTree::files_of`]. What is not at hand, as are large files in some copies of histories,
    /// counts as empty.
    pub(crate) fn content(&self, file: &File) -> Arc<[u8]> {
        match &file.content {
            Content::OfCommit(id) => self.history.read(id).unwrap_or_default(),
            Content::Changed(text) => Arc::clone(text),
        }
    }

    pub(crate) fn files(&self) -> MutexGuard<'_, Files> {
        self.files.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does what a plan says.
    pub(crate) fn carry_out(&self, plan: &Plan) {
        let mut files = self.files();
        for file in &plan.files {
            let text = file.new_text();
            let changed = File { size: text.len() as u64, content: Content::Changed(text.into()) };
            files.insert(file.path.clone(), changed);
        }
        for moved in &plan.moves {
            let below = format!("{}/", moved.from);
            let is_moved = |path: &&String| **path == moved.from || path.starts_with(&below);
            let paths: Vec<String> = files.keys().filter(is_moved).cloned().collect();
            for path in paths {
                let Some(file) = files.remove(&path) else { continue };
                files.insert(format!("{}{}", moved.to, &path[moved.from.len()..]), file);
            }
        }
        plan.removals.iter().for_each(|path| _ = files.remove(path));
    }
}

impl File {
    /// Another number for another content, as the time of a change would be.
    fn modified(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        match &self.content {
            Content::OfCommit(id) => id.hash(&mut hasher),
            Content::Changed(text) => text.hash(&mut hasher),
        }
        hasher.finish() | 1
    }
}

impl FileSource for Snapshot {
    fn list(&self) -> io::Result<Listing> {
        let files = self.files();
        let folder = |path: &String| {
            let folder =
                path.strip_suffix("/.gdignore").or_else(|| path.strip_suffix("/project.godot"))?;
            (folder != "res:/").then(|| format!("{folder}/"))
        };
        let left_out: Vec<String> = files.keys().filter_map(folder).collect();
        let is_seen = |path: &str| {
            !path[5..].contains("/.") && !left_out.iter().any(|folder| path.starts_with(folder))
        };
        let found = files.iter().filter(|(path, _)| is_seen(path)).map(|(path, file)| FoundFile {
            path: path.clone(),
            size: file.size,
            modified: file.modified(),
        });
        Ok(Listing { files: found.collect(), ..Listing::default() })
    }

    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        self.text(path).map(|text| text.to_vec()).ok_or_else(|| io::ErrorKind::NotFound.into())
    }

    fn exists(&self, path: &str) -> bool {
        self.files().contains_key(path)
    }
}
