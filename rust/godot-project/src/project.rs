//! The project itself: its files, their uids, their facts.

mod derived;
mod refresh;
mod resolve;
mod scan_order;

use std::borrow::Cow;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use hashbrown::{HashMap, HashSet};

use self::derived::Derived;
pub use self::resolve::ResolvedPath;
use crate::Uid;
use crate::cache::{self, CachePlace, Kept};
use crate::class_db::ClassDb;
use crate::facts::FileFacts;
use crate::res_path::FactsKind;
use crate::settings::{ProjectSettings, ScriptClass};
use crate::source::{FileSource, Folder, FoundFile, Skipped, Surroundings, find_root};

/// A Godot project.
///
/// ```
/// # let folder = tempfile::tempdir().unwrap();
/// # std::fs::write(folder.path().join("project.godot"), "config_version=5\n").unwrap();
/// # std::fs::write(folder.path().join("a.tscn"), "[gd_scene format=3]\n").unwrap();
/// let project = godot_project::Project::open(folder.path())?;
/// let scene = project.file("res://a.tscn").unwrap();
/// assert_eq!(project.path(scene), "res://a.tscn");
/// # Ok::<(), godot_project::ProjectError>(())
/// ```
#[derive(Debug)]
pub struct Project {
    root: Option<PathBuf>,
    source: Arc<dyn FileSource>,
    settings: ProjectSettings,
    script_classes: Vec<ScriptClass>,
    /// By path.
    files: Vec<File>,
    by_path: HashMap<String, FileId>,
    by_uid: HashMap<Uid, Vec<FileId>>,
    overlays: HashMap<String, Arc<[u8]>>,
    /// The facts of unknown files.
    unknown: Arc<FileFacts>,
    /// The cached facts of files, while the project is opened.
    kept: HashMap<String, Kept>,
    /// How many files the last refresh had to read.
    read_count: usize,
    skipped: Vec<Skipped>,
    unchecked: HashSet<String>,
    /// Where git would be asked: the folder without links in its path, and the top folder of its repository.
    repository: Option<(PathBuf, PathBuf)>,
    is_untrusted: bool,
    live_classes: Option<Arc<ClassDb>>,
    derived: Derived,
}

/// A file of a [`Project`], as long as the project is not changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(u32);

impl FileId {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }

    /// The file with this number in [`Project::files`].
    pub(crate) fn of_index(index: u32) -> Self {
        Self(index)
    }
}

/// The project's data on a file.
#[derive(Debug)]
struct File {
    found: FoundFile,
    /// The hash of its content, if that was read for the facts.
    hash: u64,
    /// The facts of the file itself.
    facts: Arc<FileFacts>,
    /// The facts of the `.import` or `.uid` file next to it.
    sidecar: Option<Arc<FileFacts>>,
    uid: Option<Uid>,
}

/// Why a project cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum ProjectError {
    /// Neither the folder nor one above it has a `project.godot`.
    #[error("no `project.godot` in `{}` or a folder above it", .0.display())]
    NotFound(PathBuf),
    /// The folder or `project.godot` cannot be read.
    #[error("cannot read `{}`: {}", .0.display(), .1)]
    Unreadable(PathBuf, #[source] io::Error),
}

impl Project {
    /// Opens the project of the file or folder at `path`: the nearest `project.godot` upwards
    /// counts.
    ///
    /// # Errors
    /// When there is none, or it cannot be read.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, ProjectError> {
        Self::open_with_cache(path, &CachePlace::None)
    }

    /// [`Project::open`] with a cache for the facts of the files, from the last time and for the next. A
    /// cache that cannot be written is done without.
    ///
    /// # Errors
    /// As [`Project::open`].
    pub fn open_with_cache(
        path: impl AsRef<Path>,
        place: &CachePlace,
    ) -> Result<Self, ProjectError> {
        Self::open_in(path.as_ref(), place, &Surroundings::default())
    }

    /// [`Project::open_with_cache`], with possibly known surroundings of the project.
    pub fn open_in(
        path: &Path,
        place: &CachePlace,
        surroundings: &Surroundings,
    ) -> Result<Self, ProjectError> {
        let not_found = || ProjectError::NotFound(path.to_owned());
        let root = surroundings.find_root(path).ok_or_else(not_found)?;
        Self::open_source(root.clone(), Folder::new(root), place, surroundings)
    }

    fn open_source(
        root: PathBuf,
        source: Folder,
        place: &CachePlace,
        surroundings: &Surroundings,
    ) -> Result<Self, ProjectError> {
        let unreadable = |error| ProjectError::Unreadable(root.clone(), error);
        let listing = source.list_in(surroundings).map_err(unreadable)?;
        let mut project = Self::empty(Arc::new(source));
        let file = listing.folder.as_deref().and_then(|folder| place.file(folder));
        if let Some(file) = &file {
            project.kept = cache::load(file);
        }
        project.take(listing);
        project.root = Some(root);
        if let Some(file) = file
            && (project.read_count > 0 || project.kept.len() != project.read_files().count())
        {
            // If it fails, the next time takes as long as this one, and that is all.
            let _ = cache::save(&file, &mut project.all_kept());
        }
        project.kept = HashMap::new();
        Ok(project)
    }

    /// [`Project::open`] for untrusted files: git is never asked about them, and its files are not read.
    ///
    /// # Errors
    /// As [`Project::open`].
    pub fn open_untrusted(path: impl AsRef<Path>) -> Result<Self, ProjectError> {
        let root = root_of(path.as_ref())?;
        let source = Folder::untrusted(&root);
        let surroundings = Surroundings::default();
        let project = Self::open_source(root, source, &CachePlace::None, &surroundings)?;
        Ok(Self { is_untrusted: true, ..project })
    }

    /// A project of these files.
    ///
    /// # Errors
    /// When they cannot be listed.
    pub fn from_source(source: Arc<dyn FileSource>) -> io::Result<Self> {
        let mut project = Self::empty(source);
        project.refresh()?;
        Ok(project)
    }

    fn empty(source: Arc<dyn FileSource>) -> Self {
        Self {
            root: None,
            source,
            unknown: Arc::new(FileFacts::unknown()),
            kept: HashMap::new(),
            read_count: 0,
            skipped: Vec::new(),
            unchecked: HashSet::new(),
            repository: None,
            is_untrusted: false,
            settings: ProjectSettings::default(),
            script_classes: Vec::new(),
            files: Vec::new(),
            by_path: HashMap::new(),
            by_uid: HashMap::new(),
            overlays: HashMap::new(),
            live_classes: None,
            derived: Derived::default(),
        }
    }

    /// The folder with `project.godot`, if the project was opened from one.
    pub fn root(&self) -> Option<&Path> {
        self.root.as_deref()
    }

    /// Where the files come from.
    pub fn source(&self) -> &dyn FileSource {
        &*self.source
    }

    /// [`Project::source`], to make other files of.
    pub fn shared_source(&self) -> Arc<dyn FileSource> {
        Arc::clone(&self.source)
    }

    /// The contents of `project.godot`.
    pub fn settings(&self) -> &ProjectSettings {
        &self.settings
    }

    /// The classes of scripts that the project's own lists name. They may be older than the scripts.
    pub fn script_classes(&self) -> &[ScriptClass] {
        &self.script_classes
    }

    /// The skipped parts of the project's folder, by path: pipes, circular links, unreadable folders, and invalid patterns of
    /// git.
    pub fn skipped(&self) -> &[Skipped] {
        &self.skipped
    }

    /// All files, by path.
    pub fn files(&self) -> impl ExactSizeIterator<Item = FileId> + use<> {
        (0..self.files.len() as u32).map(FileId)
    }

    /// Whether there is a folder at a path, even one in which Godot's editor sees no file.
    pub fn has_folder(&self, path: &str) -> bool {
        let start = format!("{}/", path.trim_end_matches('/'));
        let first = self.files.partition_point(|file| *file.found.path < *start);
        let has_file =
            self.files.get(first).is_some_and(|file| file.found.path.starts_with(&start));
        has_file || self.source().real_path(path).is_some_and(|found| found.is_dir())
    }

    /// The outermost folder above a path that is missing. Each addon is a folder of its own.
    pub fn missing_folder<'p>(&self, path: &'p str) -> Option<&'p str> {
        let ends = path.match_indices('/').map(|(end, _)| end);
        let mut folders =
            ends.map(|end| &path[..end]).filter(|folder| folder.len() > "res://".len());
        folders.find(|folder| *folder != "res://addons" && !self.has_folder(folder))
    }

    /// The text scenes and resources, by path.
    pub fn text_files(&self) -> Vec<FileId> {
        let is_text = |file: &FileId| FactsKind::of(self.path(*file)) == FactsKind::Text;
        self.files().filter(is_text).collect()
    }

    /// Whether a check of the whole project leaves a file out: git ignores it, or only a link leads to it.
    pub fn is_unchecked(&self, file: FileId) -> bool {
        !self.unchecked.is_empty() && self.unchecked.contains(self.path(file))
    }

    /// The file at `path` (`res://…`). Upper and lower case count.
    pub fn file(&self, path: &str) -> Option<FileId> {
        self.by_path.get(path).copied()
    }

    /// The path of a file: `res://…`.
    pub fn path(&self, file: FileId) -> &str {
        &self.get(file).found.path
    }

    /// The size of a file in bytes; 0 if it is unknown.
    pub fn size(&self, file: FileId) -> u64 {
        self.get(file).found.size
    }

    /// The facts of a file.
    pub fn facts(&self, file: FileId) -> &Arc<FileFacts> {
        &self.get(file).facts
    }

    /// [`Project::facts`], if this is the content that they were read from.
    pub(crate) fn facts_of_content(&self, file: FileId, content: &[u8]) -> Option<Arc<FileFacts>> {
        let file = self.get(file);
        let is_same = file.hash != 0
            && file.found.size == content.len() as u64
            && file.hash == cache::hash(content);
        is_same.then(|| Arc::clone(&file.facts))
    }

    /// The facts of the `.import` file next to a file, if there is one.
    pub fn import(&self, file: FileId) -> Option<&Arc<FileFacts>> {
        self.get(file).sidecar.as_ref().filter(|facts| facts.importer.is_some())
    }

    /// The class of the resource that Godot makes of a file, if it is known.
    pub fn resource_type(&self, file: FileId) -> Option<&str> {
        let facts = self.import(file).unwrap_or(&self.get(file).facts);
        facts.resource_type.as_deref()
    }

    /// The uid of a file.
    pub fn uid(&self, file: FileId) -> Option<Uid> {
        self.get(file).uid
    }

    /// The files that have this uid, the one first that Godot loads by it. More than one is a mistake.
    ///
    /// Godot loads the file that its scan of all files comes to last. Within a session, another one may take its place: one that
    /// was added or saved.
    pub fn files_with_uid(&self, uid: Uid) -> &[FileId] {
        self.by_uid.get(&uid).map_or(&[], Vec::as_slice)
    }

    /// The files with paths that start with `start`.
    pub fn files_that_start_with(&self, start: &str) -> impl Iterator<Item = FileId> {
        let first = self.files.partition_point(|file| file.found.path.as_str() < start);
        let files = self.files[first..].iter();
        let count = files.take_while(|file| file.found.path.starts_with(start)).count();
        (first..first + count).map(|index| FileId(index as u32))
    }

    /// The content of a file: that of [`Project::set_overlay`], or that of the source.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn read(&self, file: FileId) -> io::Result<Cow<'_, [u8]>> {
        let path = self.path(file);
        match self.overlays.get(path) {
            Some(text) => Ok(Cow::Borrowed(text)),
            None => self.source.read(path).map(Cow::Owned),
        }
    }

    fn get(&self, file: FileId) -> &File {
        &self.files[file.0 as usize]
    }
}

fn root_of(path: &Path) -> Result<PathBuf, ProjectError> {
    find_root(path).ok_or_else(|| ProjectError::NotFound(path.to_owned()))
}
