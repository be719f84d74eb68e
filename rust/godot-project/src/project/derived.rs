//! Data that is computed from the files at the first use.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use godot_tscn::GodotVersion;
use hashbrown::hash_map::Entry;
use hashbrown::{HashMap, HashSet};
use memchr::memmem;

use super::{FileId, Project};
use crate::Uid;
use crate::class_db::{ClassDb, nearest};
use crate::graph::Graph;
use crate::history::Histories;
use crate::instances::{BrokenInstances, InstanceDepths};
use crate::load_cycles::LoadCycles;
use crate::missing_sidecars::MissingSidecars;
use crate::names::Names;
use crate::res_path::{extension_of, is_gdscript, name_of};
use crate::script::source::{Need, NeedReason, ScriptSource};
use crate::script::{Script, Variable};
use crate::scripts::Scripts;
use crate::scripts::assigned::AssignedMembers;
use crate::scripts::made_nodes::MadeNodes;
use crate::scripts::places::ScriptPlaces;
use crate::source::Skipped;
use crate::tree::SceneTree;
use crate::usage::Usage;
use crate::version_control::VersionControl;

/// Data that is computed from the files at the first use.
#[derive(Debug, Default)]
pub(super) struct Derived {
    graph: OnceLock<Graph>,
    load_cycles: OnceLock<LoadCycles>,
    instance_depths: OnceLock<InstanceDepths>,
    broken_instances: OnceLock<BrokenInstances>,
    usage: OnceLock<Usage>,
    version_control: OnceLock<Option<VersionControl>>,
    missing_sidecars: OnceLock<MissingSidecars>,
    histories: Histories,
    /// For each file.
    trees: Vec<OnceLock<Option<Arc<SceneTree>>>>,
    scripts: OnceLock<Scripts>,
    script_places: OnceLock<ScriptPlaces>,
    made_nodes: OnceLock<MadeNodes>,
    names: Names,
    assigned_members: OnceLock<AssignedMembers>,
    /// Of each file.
    needs: Vec<OnceLock<Vec<Need>>>,
    /// Those of nodes in scenes that begin with `@`.
    at_names: OnceLock<HashSet<String>>,
    has_extension: OnceLock<bool>,
    /// The uids that several paths have.
    shared_uids: OnceLock<HashMap<Uid, SharedUid>>,
    /// By path in lower case.
    by_folded_path: OnceLock<HashMap<String, Vec<FileId>>>,
    /// The only file with each name; nothing for a name that several have.
    only_of_name: OnceLock<HashMap<String, Option<FileId>>>,
    /// The file that was probably meant by a path. Many scenes name the same missing file, and a search goes through all
    /// paths.
    meant: Mutex<HashMap<String, Option<FileId>>>,
}

/// The files with a uid that several paths have.
#[derive(Debug, Default)]
struct SharedUid {
    /// Each file once, under its first path.
    files: Vec<FileId>,
    /// The first path of each file that has another one too, because of links.
    first_paths: HashMap<FileId, FileId>,
}

impl Project {
    /// Forgets the computed data: it is computed again at the next use.
    pub(super) fn forget_derived(&mut self) {
        let trees = self.files.iter().map(|_| OnceLock::new()).collect();
        let needs = self.files.iter().map(|_| OnceLock::new()).collect();
        self.derived = Derived { trees, needs, ..Derived::default() };
    }

    /// [`Project::files_with_uid`] by path, where a file under several paths, because of links, counts once under the first of
    /// them. And that first path for `file`, which has the uid.
    pub fn different_files_with_uid(&self, uid: Uid, file: FileId) -> (&[FileId], FileId) {
        let files = self.files_with_uid(uid);
        if files.len() < 2 {
            return (files, file);
        }
        let shared_uids = self.derived.shared_uids.get_or_init(|| {
            let shared = self.by_uid.iter().filter(|(_, files)| files.len() > 1);
            shared.map(|(uid, files)| (*uid, self.shared_uid(files))).collect()
        });
        shared_uids.get(&uid).map_or((files, file), |shared| {
            (&shared.files, shared.first_paths.get(&file).copied().unwrap_or(file))
        })
    }

    fn shared_uid(&self, files: &[FileId]) -> SharedUid {
        let mut by_path = files.to_vec();
        by_path.sort_unstable();
        // A check of everything leaves out files that only a link leads to.
        if !files.iter().any(|file| self.is_unchecked(*file)) {
            return SharedUid { files: by_path, ..SharedUid::default() };
        }
        let mut shared = SharedUid::default();
        let mut by_place = HashMap::new();
        for file in by_path {
            let Some(place) = self.source.real_path(self.path(file)) else {
                shared.files.push(file);
                continue;
            };
            match by_place.entry(place) {
                Entry::Vacant(free) => {
                    free.insert(file);
                    shared.files.push(file);
                }
                Entry::Occupied(first) => _ = shared.first_paths.insert(file, *first.get()),
            }
        }
        shared
    }

    /// The files with `path` in any case.
    pub fn files_but_for_case(&self, path: &str) -> &[FileId] {
        let by_folded_path = self.derived.by_folded_path.get_or_init(|| {
            let mut by_folded_path: HashMap<String, Vec<FileId>> = HashMap::new();
            for file in self.files() {
                by_folded_path.entry(self.path(file).to_lowercase()).or_default().push(file);
            }
            by_folded_path
        });
        by_folded_path.get(&path.to_lowercase()).map_or(&[], Vec::as_slice)
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

    /// The file with this name, without its folder, if there is one only.
    pub fn only_file_named(&self, name: &str) -> Option<FileId> {
        let only = self.derived.only_of_name.get_or_init(|| {
            let mut only = HashMap::new();
            for file in self.files() {
                let name = name_of(self.path(file)).to_owned();
                only.entry(name).and_modify(|only| *only = None).or_insert(Some(file));
            }
            only
        });
        *only.get(name)?
    }

    /// The file that was probably meant by `path` (`res://…`), judged by how it is spelt.
    pub fn nearest_path(&self, path: &str) -> Option<&str> {
        let known = || self.derived.meant.lock().unwrap_or_else(PoisonError::into_inner);
        let found = known().get(path).copied();
        // Others need not wait for a search.
        let file = found.unwrap_or_else(|| {
            // A file of another kind is meant only if it has the same name.
            let (start, extension) = (without_extension(path), extension_of(path));
            let is_alike = |found: &&str| {
                extension_of(found) == extension || without_extension(found) == start
            };
            let paths = self.files().map(|file| self.path(file)).filter(is_alike);
            let near = godot_tscn::nearest(path.as_bytes(), paths.map(str::as_bytes));
            let file = near.and_then(|near| self.file(&String::from_utf8_lossy(near)));
            known().insert(path.to_owned(), file);
            file
        });
        Some(self.path(file?))
    }

    /// The probable intended Godot class or script class for `name`: its successor if Godot renamed the class, or else the
    /// class with the most similar name.
    pub fn nearest_class(&self, name: &str) -> Option<&str> {
        if let Some(renamed) = self.classes().renamed_class(name) {
            return Some(renamed.name);
        }
        nearest(name, self.scripts().class_names().chain(self.classes().class_names()))
    }

    /// The scripts, which are read when they are asked for first.
    pub fn scripts(&self) -> &Scripts {
        self.derived.scripts.get_or_init(|| Scripts::new(self))
    }

    /// Which nodes run which script.
    pub fn script_places(&self) -> &ScriptPlaces {
        self.derived.script_places.get_or_init(|| ScriptPlaces::new(self))
    }

    /// Which nodes scripts may make while the game runs.
    pub fn made_nodes(&self) -> &MadeNodes {
        self.derived.made_nodes.get_or_init(|| MadeNodes::new(self))
    }

    /// The exported variables of a script in GDScript that it needs, and that no script sets.
    pub fn needs_of(&self, script: FileId) -> &[Need] {
        self.derived.needs[script.index()].get_or_init(|| {
            let found = self.scripts().script(script).filter(|_| is_gdscript(self.path(script)));
            found.and_then(|found| self.needs_in(script, found)).unwrap_or_default()
        })
    }

    fn needs_in(&self, file: FileId, script: &Script) -> Option<Vec<Need>> {
        let mut exported =
            script.variables.iter().filter(|variable| variable.is_exported).peekable();
        exported.peek()?;
        let text = self.read(file).ok()?;
        let has = |word: &str| memmem::find(&text, word.as_bytes()).is_some();
        let may_be_required = has("@required");
        let starts_as_null = |variable: &Variable| {
            let class = variable.type_name.as_deref().unwrap_or_default();
            let is_class = self.classes().class(class).is_some() || self.scripts().declares(class);
            is_class && variable.value.is_none() && has(&format!("{}.", variable.name))
        };
        let names: Vec<&str> = exported
            .filter(|variable| may_be_required || starts_as_null(variable))
            .map(|variable| variable.name.as_str())
            .collect();
        // Most scripts need not be parsed.
        let source = (!names.is_empty()).then(|| ScriptSource::parse(&text)).flatten()?;
        let mut needs = source.needs(names.into_iter());
        let assigned = || self.derived.assigned_members.get_or_init(|| AssignedMembers::new(self));
        needs.retain(|need| {
            need.reason == NeedReason::Required
                || script.variable(&need.name).is_some_and(starts_as_null)
                    && !assigned().may_set(&need.name)
        });
        Some(needs)
    }

    pub(crate) fn names(&self) -> &Names {
        &self.derived.names
    }

    /// Whether a node in a scene has this name, which begins with `@`.
    pub fn has_at_name(&self, name: &str) -> bool {
        let names = self.derived.at_names.get_or_init(|| {
            let scenes = self.text_files().into_iter();
            let scenes = scenes.filter_map(|file| self.facts(file).scene.as_ref());
            let names = scenes.flat_map(|scene| &scene.nodes).map(|node| &node.name);
            names.filter(|name| name.starts_with('@')).cloned().collect()
        });
        names.contains(name)
    }

    /// The classes of Godot that the project can use: those of its version, or of the editor that it is open in.
    pub fn classes(&self) -> &ClassDb {
        let version = || self.settings.version.unwrap_or(GodotVersion::NEWEST);
        self.live_classes.as_deref().unwrap_or_else(|| ClassDb::for_version(version()))
    }

    /// Whether an extension may provide classes that [`Project::classes`] lacks. Libraries of GDNative (`.gdnlib`) never
    /// have any: they give Godot 3 scripts, and Godot 4 does not read them.
    pub fn has_unknown_classes(&self) -> bool {
        let is_extension = |file| extension_of(self.path(file)) == "gdextension";
        let has_extension = || self.files().any(is_extension);
        !self.classes().is_live() && *self.derived.has_extension.get_or_init(has_extension)
    }

    /// The version of the project's Godot, if [`Project::classes`] is older.
    pub fn version_without_classes(&self) -> Option<GodotVersion> {
        let version = self.settings.version.filter(|_| !self.classes().is_live());
        version.filter(|version| *version > GodotVersion::NEWEST_WITH_CLASSES)
    }

    /// Replaces the known classes of the version by those of a running editor, including those of extensions.
    pub fn set_classes(&mut self, classes: Option<Arc<ClassDb>>) {
        self.live_classes = classes;
        self.forget_derived();
    }

    /// Computes the data that the rules need of the project as a whole, so that the first check of a file need
    /// not.
    ///
    /// It is done on all cores. A thread that waits for the others may take other work meanwhile, which must not need
    /// the same data. So call this before files are checked in parallel.
    pub fn prepare(&self) {
        self.graph();
        self.scripts();
        self.load_cycles();
    }

    /// The references of the files.
    pub fn graph(&self) -> &Graph {
        self.derived.graph.get_or_init(|| Graph::new(self))
    }

    /// Which files Godot loads in circles.
    pub fn load_cycles(&self) -> &LoadCycles {
        self.derived.load_cycles.get_or_init(|| LoadCycles::new(self))
    }

    /// How deep scenes instance each other.
    pub fn instance_depths(&self) -> &InstanceDepths {
        self.derived.instance_depths.get_or_init(|| InstanceDepths::new(self))
    }

    /// Which scenes instance broken ones.
    pub fn broken_instances(&self) -> &BrokenInstances {
        self.derived.broken_instances.get_or_init(|| BrokenInstances::new(self))
    }

    /// Which files are used.
    pub fn usage(&self) -> &Usage {
        self.derived.usage.get_or_init(|| Usage::new(self))
    }

    /// The uids of the project that others do not get.
    pub fn missing_sidecars(&self) -> &MissingSidecars {
        self.derived.missing_sidecars.get_or_init(|| MissingSidecars::of(self))
    }

    /// Git's knowledge, if the project is in a repository, and not an untrusted one.
    pub fn version_control(&self) -> Option<&VersionControl> {
        let made = || {
            let (root, top) = self.repository.as_ref()?;
            // A caller with files of another source has not asked for git.
            let may_ask = self.root.is_some() && self.may_ask_git();
            may_ask.then(|| VersionControl::of(root, top))?
        };
        self.derived.version_control.get_or_init(made).as_ref()
    }

    /// Whether git may look at the project: it is trusted, and holds no trap.
    pub(crate) fn may_ask_git(&self) -> bool {
        let is_trap = |skipped: &Skipped| skipped.path.ends_with("/.gitignore");
        !self.is_untrusted && !self.skipped.iter().any(is_trap)
    }

    /// The earlier names of the exported variables of scripts.
    pub(crate) fn histories(&self) -> &Histories {
        &self.derived.histories
    }
}

fn without_extension(path: &str) -> &str {
    path.rsplit_once('.').map_or(path, |(start, _)| start)
}
