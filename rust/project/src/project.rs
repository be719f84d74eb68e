//! The project itself: its files, their uids, what they tell.

use std::borrow::Cow;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use hashbrown::{HashMap, HashSet};
use rayon::prelude::*;
use tscn::GodotVersion;

use crate::cache::{self, CachePlace, Kept};
use crate::class_db::ClassDb;
use crate::facts::{FactsKind, FileFacts};
use crate::graph::{Graph, reachable};
use crate::res_path::resolve_path;
use crate::scripts::Scripts;
use crate::settings::{ProjectSettings, ScriptClass, lossy, script_classes};
use crate::source::{FileSource, Folder, FoundFile};
use crate::tree::SceneTree;
use crate::version_control::VersionControl;
use crate::{Uid, uid_cache};

/// A Godot project.
///
/// ```
/// # let folder = tempfile::tempdir().unwrap();
/// # std::fs::write(folder.path().join("project.godot"), "config_version=5\n").unwrap();
/// # std::fs::write(folder.path().join("a.tscn"), "[gd_scene format=3]\n").unwrap();
/// let project = project::Project::open(folder.path())?;
/// let scene = project.file("res://a.tscn").unwrap();
/// assert_eq!(project.path(scene), "res://a.tscn");
/// # Ok::<(), project::ProjectError>(())
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
    /// By path in lower case.
    by_folded_path: HashMap<String, Vec<FileId>>,
    by_uid: HashMap<Uid, Vec<FileId>>,
    overlays: HashMap<String, Arc<[u8]>>,
    /// What nothing is known of.
    unknown: Arc<FileFacts>,
    /// What a cache told of files, while the project is opened.
    kept: HashMap<String, Kept>,
    /// How many files the last refresh had to read.
    read_count: usize,
    live_classes: Option<Arc<ClassDb>>,
    derived: Derived,
}

/// What is worked out of the files when it is first asked for.
#[derive(Debug, Default)]
struct Derived {
    graph: OnceLock<Graph>,
    reachable: OnceLock<HashSet<FileId>>,
    version_control: OnceLock<Option<VersionControl>>,
    /// Of each file.
    trees: Vec<OnceLock<Option<Arc<SceneTree>>>>,
    scripts: OnceLock<Scripts>,
}

/// A file of a [`Project`], as long as the project is not changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(u32);

impl FileId {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// What the project knows of a file.
#[derive(Debug)]
struct File {
    found: FoundFile,
    /// The hash of its content, if that was read for the facts.
    hash: u64,
    /// What the file itself tells.
    facts: Arc<FileFacts>,
    /// What the `.import` or `.uid` file beside it tells.
    sidecar: Option<Arc<FileFacts>>,
    uid: Option<Uid>,
}

/// Where a reference leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// To this file.
    File(FileId),
    /// To a file that is there, but that Godot's editor does not see: in a hidden folder, one with a
    /// `.gdignore`, or another project.
    Unseen(String),
    /// To no file.
    Missing(String),
    /// Out of the project, or nowhere that could be told.
    Outside,
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
    /// Opens the project that the file or folder at `path` lies in: the nearest `project.godot`
    /// upwards counts.
    ///
    /// # Errors
    /// When there is none, or it cannot be read.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, ProjectError> {
        Self::open_with_cache(path, &CachePlace::None)
    }

    /// [`Project::open`], but what the files told the last time is taken from a cache, and put there for the
    /// next time. A cache that cannot be written is done without.
    ///
    /// # Errors
    /// As [`Project::open`].
    pub fn open_with_cache(
        path: impl AsRef<Path>,
        place: &CachePlace,
    ) -> Result<Self, ProjectError> {
        let root = find_root(path.as_ref())?;
        let mut project = Self::empty(Arc::new(Folder::new(&root)));
        let file = place.file(&root);
        if let Some(file) = &file {
            project.kept = cache::load(file);
        }
        project.refresh().map_err(|error| ProjectError::Unreadable(root.clone(), error))?;
        project.root = Some(root);
        if let Some(file) = file {
            let mut kept = project.all_kept();
            if project.read_count > 0 || project.kept.len() != kept.len() {
                // If it fails, the next time takes as long as this one, and that is all.
                let _ = cache::save(&file, &mut kept);
            }
        }
        project.kept = HashMap::new();
        Ok(project)
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
            settings: ProjectSettings::default(),
            script_classes: Vec::new(),
            files: Vec::new(),
            by_path: HashMap::new(),
            by_folded_path: HashMap::new(),
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

    /// What `project.godot` says.
    pub fn settings(&self) -> &ProjectSettings {
        &self.settings
    }

    /// The classes of scripts that the project's own lists name. They may be older than the scripts.
    pub fn script_classes(&self) -> &[ScriptClass] {
        &self.script_classes
    }

    /// All files, by path.
    pub fn files(&self) -> impl ExactSizeIterator<Item = FileId> + use<> {
        (0..self.files.len() as u32).map(FileId)
    }

    /// The text scenes and resources, by path: what [`crate::lint_all`] looks at.
    pub fn text_files(&self) -> Vec<FileId> {
        let is_text = |file: &FileId| FactsKind::of(self.path(*file)) == FactsKind::Text;
        self.files().filter(is_text).collect()
    }

    /// The file at `path` (`res://…`). Upper and lower case count.
    pub fn file(&self, path: &str) -> Option<FileId> {
        self.by_path.get(path).copied()
    }

    /// The files whose paths are `path` but for upper and lower case.
    pub fn files_but_for_case(&self, path: &str) -> &[FileId] {
        self.by_folded_path.get(&path.to_lowercase()).map_or(&[], Vec::as_slice)
    }

    /// The path of a file: `res://…`.
    pub fn path(&self, file: FileId) -> &str {
        &self.get(file).found.path
    }

    /// How many bytes a file has; 0 where nobody knows.
    pub fn size(&self, file: FileId) -> u64 {
        self.get(file).found.size
    }

    /// What a file tells.
    pub fn facts(&self, file: FileId) -> &Arc<FileFacts> {
        &self.get(file).facts
    }

    /// What the `.import` file beside a file tells, if there is one.
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

    /// The files that have this uid; more than one is a mistake.
    pub fn files_with_uid(&self, uid: Uid) -> &[FileId] {
        self.by_uid.get(&uid).map_or(&[], Vec::as_slice)
    }

    /// The files whose paths start with `start`.
    pub(crate) fn files_that_start_with(&self, start: &str) -> impl Iterator<Item = FileId> {
        let first = self.files.partition_point(|file| file.found.path.as_str() < start);
        let files = self.files[first..].iter();
        let count = files.take_while(|file| file.found.path.starts_with(start)).count();
        (first..first + count).map(|index| FileId(index as u32))
    }

    /// The nodes of a text scene.
    pub fn tree(&self, file: FileId) -> Option<&Arc<SceneTree>> {
        let tree = self.derived.trees[file.index()].get_or_init(|| {
            let facts = self.facts(file);
            let is_scene = facts.scene.is_some();
            is_scene.then(|| Arc::new(SceneTree::new(self, self.path(file), facts)))
        });
        tree.as_ref()
    }

    /// The scripts, which are read when they are asked for first.
    pub fn scripts(&self) -> &Scripts {
        self.derived.scripts.get_or_init(|| Scripts::new(self))
    }

    /// The classes of Godot that the project can use: those of its version, or of the editor that it is open in.
    pub fn classes(&self) -> &ClassDb {
        let version = || self.settings.version.unwrap_or(GodotVersion::NEWEST);
        self.live_classes.as_deref().unwrap_or_else(|| ClassDb::for_version(version()))
    }

    /// Lets the classes of a running editor, those of extensions too, stand for what is known of the version.
    pub fn set_classes(&mut self, classes: Option<Arc<ClassDb>>) {
        self.live_classes = classes;
        self.index();
    }

    /// Works out now what the rules need of the project as a whole, so that the first [`crate::lint_file`] need not.
    ///
    /// It is done on all cores. A thread that waits for the others may take up other work meanwhile, which must not need
    /// the same: so call it before files are checked side by side.
    pub fn prepare(&self) {
        self.graph();
        self.scripts();
    }

    pub(crate) fn graph(&self) -> &Graph {
        self.derived.graph.get_or_init(|| Graph::new(self))
    }

    /// Whether anything that is used refers to a file.
    pub(crate) fn is_reachable(&self, file: FileId) -> bool {
        self.derived.reachable.get_or_init(|| reachable(self)).contains(&file)
    }

    /// What git knows, if the project lies in a repository.
    pub(crate) fn version_control(&self) -> Option<&VersionControl> {
        let made = || self.root.as_deref().and_then(VersionControl::of);
        self.derived.version_control.get_or_init(made).as_ref()
    }

    /// Where a path leads that stands in the file `base`.
    pub fn resolve(&self, base: &str, path: &str) -> Target {
        if path.starts_with("uid://") {
            let found = Uid::parse(path.as_bytes()).map(|uid| self.files_with_uid(uid));
            return match found {
                Some([first, ..]) => Target::File(*first),
                _ => Target::Missing(path.to_owned()),
            };
        }
        let Some(path) = resolve_path(base, path) else {
            return Target::Outside;
        };
        match self.file(&path) {
            Some(file) => Target::File(file),
            None if self.source.exists(&path) => Target::Unseen(path),
            None => Target::Missing(path),
        }
    }

    /// Where an `ext_resource` leads that stands in the file `base`. As in Godot, a uid that is known
    /// wins over the path (`ResourceLoaderText::load`).
    pub fn resolve_external(&self, base: &str, resource: &crate::ExtResource) -> Target {
        if let Some([file, ..]) = resource.uid.map(|uid| self.files_with_uid(uid)) {
            return Target::File(*file);
        }
        resource.path.as_deref().map_or(Target::Outside, |path| self.resolve(base, path))
    }

    /// The content of a file: what was set by [`Project::set_overlay`], or what the source has.
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

    /// What was set by [`Project::set_overlay`] for the file at `path`.
    pub fn overlay(&self, path: &str) -> Option<&[u8]> {
        self.overlays.get(path).map(AsRef::as_ref)
    }

    /// Lets `text` stand for the content of the file at `path` (`res://…`), which may be a new one, until
    /// it is taken back by `None`: an editor's unsaved text.
    ///
    /// # Errors
    /// As [`Project::refresh`].
    pub fn set_overlay(&mut self, path: &str, text: Option<&[u8]>) -> io::Result<()> {
        self.set_overlays([(path, text)])
    }

    /// [`Project::set_overlay`] for several files at once.
    ///
    /// # Errors
    /// As [`Project::refresh`].
    pub fn set_overlays<'o>(
        &mut self,
        overlays: impl IntoIterator<Item = (&'o str, Option<&'o [u8]>)>,
    ) -> io::Result<()> {
        let mut all_are_known = true;
        for (path, text) in overlays {
            match (text, self.file(path)) {
                (Some(text), Some(file)) => {
                    let file = &mut self.files[file.0 as usize];
                    file.facts = Arc::new(FileFacts::read(path, text));
                    // Without one the facts are not taken for those of the file on disk.
                    file.hash = 0;
                }
                _ => all_are_known = false,
            }
            match text {
                Some(text) => _ = self.overlays.insert(path.to_owned(), text.into()),
                None => _ = self.overlays.remove(path),
            }
        }
        if all_are_known {
            self.index();
            return Ok(());
        }
        self.refresh()
    }

    /// Looks at the files again. Only what has changed is read.
    ///
    /// # Errors
    /// When the files cannot be listed.
    pub fn refresh(&mut self) -> io::Result<()> {
        let mut found = self.source.list()?;
        for path in self.overlays.keys() {
            if !found.iter().any(|found| found.path == *path) {
                found.push(FoundFile { path: path.clone(), size: 0, modified: 0 });
            }
        }
        found.par_sort_unstable_by(|left, right| left.path.cmp(&right.path));
        found.dedup_by(|left, right| left.path == right.path);
        let read_count = AtomicUsize::new(0);
        let files = found.into_par_iter().map(|found| self.file_of(found, &read_count)).collect();
        self.files = files;
        self.read_count = read_count.into_inner();
        self.read_settings();
        self.index();
        Ok(())
    }

    /// How many files [`Project::open_with_cache`] or the last [`Project::refresh`] had to read.
    pub fn read_count(&self) -> usize {
        self.read_count
    }

    fn file_of(&self, found: FoundFile, read_count: &AtomicUsize) -> File {
        let (hash, facts) = self.facts_of(&found, read_count);
        File { found, hash, facts, sidecar: None, uid: None }
    }

    /// What a file tells, and the hash of its content: as it was known, if it has not changed.
    fn facts_of(&self, found: &FoundFile, read_count: &AtomicUsize) -> (u64, Arc<FileFacts>) {
        if let Some(text) = self.overlays.get(&found.path) {
            return (0, Arc::new(FileFacts::read(&found.path, text)));
        }
        if FactsKind::of(&found.path) == FactsKind::None {
            return (0, Arc::clone(&self.unknown));
        }
        let old = self.file(&found.path).map(|file| self.get(file));
        let kept = self.kept.get(&found.path);
        // Without a hash the facts are those of an unsaved text.
        let old = old.filter(|old| old.hash != 0);
        let known = old.map(|old| (&old.found, old.hash, &old.facts));
        let known = known.or(kept.map(|kept| (&kept.found, kept.hash, &kept.facts)));
        let is_unchanged = |old: &FoundFile| old == found && found.modified != 0;
        if let Some((_, hash, facts)) = known.filter(|(old, ..)| is_unchanged(old)) {
            return (hash, Arc::clone(facts));
        }
        read_count.fetch_add(1, Ordering::Relaxed);
        let Ok(content) = self.source.read(&found.path) else {
            return (0, Arc::clone(&self.unknown));
        };
        let hash = cache::hash(&content);
        match known {
            Some((_, known_hash, facts)) if known_hash == hash => (hash, Arc::clone(facts)),
            _ => (hash, Arc::new(FileFacts::read(&found.path, &content))),
        }
    }

    /// What a cache is to hold.
    fn all_kept(&self) -> Vec<Kept> {
        let read = self.files.iter().filter(|file| file.hash != 0);
        let kept = |file: &File| Kept {
            found: file.found.clone(),
            hash: file.hash,
            facts: Arc::clone(&file.facts),
        };
        read.map(kept).collect()
    }

    fn read_settings(&mut self) {
        let read = |path: &str| self.source.read(path).unwrap_or_default();
        self.settings = ProjectSettings::parse(&read("res://project.godot"));
        let cache = read("res://.godot/global_script_class_cache.cfg");
        let mut classes = script_classes(&tscn::parse_config(&cache), "", "list");
        classes.extend(self.settings.script_classes.iter().cloned());
        self.script_classes = classes;
    }

    /// Works out what follows from the files.
    fn index(&mut self) {
        let trees = self.files.iter().map(|_| OnceLock::new()).collect();
        self.derived = Derived { trees, ..Derived::default() };
        self.by_path.clear();
        self.by_folded_path.clear();
        self.by_uid.clear();
        for (index, file) in self.files.iter().enumerate() {
            let id = FileId(index as u32);
            self.by_path.insert(file.found.path.clone(), id);
            self.by_folded_path.entry(file.found.path.to_lowercase()).or_default().push(id);
        }
        for index in 0..self.files.len() {
            let path = &self.files[index].found.path;
            let beside = |end: &str| self.file(&format!("{path}{end}"));
            let sidecar = beside(".import").or_else(|| beside(".uid"));
            let sidecar = sidecar.map(|file| Arc::clone(self.facts(file)));
            let file = &mut self.files[index];
            let is_sidecar =
                matches!(FactsKind::of(&file.found.path), FactsKind::Import | FactsKind::Uid);
            file.uid = match &sidecar {
                Some(sidecar) => sidecar.uid,
                None if is_sidecar => None,
                None => file.facts.uid,
            };
            file.sidecar = sidecar;
            if let Some(uid) = file.uid {
                self.by_uid.entry(uid).or_default().push(FileId(index as u32));
            }
        }
        self.add_cached_uids();
    }

    /// Godot's own cache is asked for uids that no file tells: those of compressed binary resources.
    fn add_cached_uids(&mut self) {
        let Ok(cache) = self.source.read("res://.godot/uid_cache.bin") else {
            return;
        };
        for (uid, path) in uid_cache::entries(&cache) {
            let Some(file) = self.file(&lossy(path)) else { continue };
            let entry = &mut self.files[file.0 as usize];
            let is_unreadable = entry.sidecar.is_none()
                && entry.facts.is_incomplete
                && FactsKind::of(&entry.found.path) != FactsKind::Text;
            if entry.uid.is_none() && is_unreadable && !self.by_uid.contains_key(&uid) {
                entry.uid = Some(uid);
                self.by_uid.insert(uid, vec![file]);
            }
        }
    }

    fn get(&self, file: FileId) -> &File {
        &self.files[file.0 as usize]
    }
}

/// The folder of the nearest `project.godot` upwards.
fn find_root(path: &Path) -> Result<PathBuf, ProjectError> {
    let absolute = std::path::absolute(path)
        .map_err(|error| ProjectError::Unreadable(path.to_owned(), error))?;
    let root = absolute.ancestors().find(|folder| folder.join("project.godot").is_file());
    root.map(Path::to_owned).ok_or_else(|| ProjectError::NotFound(path.to_owned()))
}
