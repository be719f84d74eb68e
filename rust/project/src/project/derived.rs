//! What is worked out of the files when it is first asked for.

use std::sync::{Arc, OnceLock};

use hashbrown::HashSet;
use tscn::GodotVersion;

use super::{FileId, Project};
use crate::class_db::ClassDb;
use crate::graph::{Graph, reachable};
use crate::instances::InstanceDepths;
use crate::scripts::Scripts;
use crate::source::Skipped;
use crate::tree::SceneTree;
use crate::version_control::VersionControl;

/// What is worked out of the files when it is first asked for.
#[derive(Debug, Default)]
pub(super) struct Derived {
    graph: OnceLock<Graph>,
    instance_depths: OnceLock<InstanceDepths>,
    reachable: OnceLock<HashSet<FileId>>,
    version_control: OnceLock<Option<VersionControl>>,
    /// Of each file.
    trees: Vec<OnceLock<Option<Arc<SceneTree>>>>,
    scripts: OnceLock<Scripts>,
}

impl Derived {
    /// Nothing is known yet of so many files.
    pub(super) fn of_files(count: usize) -> Self {
        Self { trees: (0..count).map(|_| OnceLock::new()).collect(), ..Self::default() }
    }
}

impl Project {
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

    pub(crate) fn instance_depths(&self) -> &InstanceDepths {
        self.derived.instance_depths.get_or_init(|| InstanceDepths::new(self))
    }

    /// Whether anything that is used refers to a file.
    pub(crate) fn is_reachable(&self, file: FileId) -> bool {
        self.derived.reachable.get_or_init(|| reachable(self)).contains(&file)
    }

    /// What git knows, if the project lies in a repository, and not one of strangers.
    pub(crate) fn version_control(&self) -> Option<&VersionControl> {
        let is_trap = |skipped: &Skipped| skipped.path.ends_with("/.gitignore");
        let may_ask = || !self.is_untrusted && !self.skipped.iter().any(is_trap);
        let root = || self.root.as_deref().filter(|_| may_ask());
        let made = || root().and_then(VersionControl::of);
        self.derived.version_control.get_or_init(made).as_ref()
    }
}
