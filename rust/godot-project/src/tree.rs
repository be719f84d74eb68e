//! The nodes of scenes, across instances and inheritance.
//!
//! A scene's text lists the nodes that it adds, and those of other scenes that it changes. A [`SceneTree`] is one
//! text's list, as a tree. A [`Node`] is one place in the whole, with the data in each of the texts, the scene's own
//! first and those of the instanced and inherited scenes after it. So nothing is ever copied, however often a scene is
//! instanced, and scenes that contain each other do no harm: a path has an end.

mod listing;
mod node;
mod paths;
mod recover;
mod sibling_order;
mod uses;
mod walk;

use std::hash::BuildHasher;
use std::sync::{Arc, OnceLock};

use hashbrown::{DefaultHashBuilder, HashMap, HashSet, HashTable};

use crate::facts::{FileFacts, Instance, Scene, SceneNode, ScriptUse};
use crate::project::{FileId, Project, ResolvedPath};

pub use listing::ListedChild;
pub use node::{Node, UnknownScript};
pub use paths::{Child, Parent};
pub use sibling_order::in_sibling_order;
pub use uses::Uses;
pub use walk::When;
pub use walk::{NodeInTree, NodeLookup};

/// The list of one scene's text.
#[derive(Debug)]
pub struct SceneTree {
    facts: Arc<FileFacts>,
    /// The file's path: `res://…`.
    path: String,
    entries: Vec<Entry>,
    /// The entries but the root, found by their parent and name, which are not kept twice.
    children: HashTable<u32>,
    hasher: DefaultHashBuilder,
    /// The entries of a name, the root left out, if it was asked for.
    by_name: OnceLock<HashMap<String, Vec<u32>>>,
    /// The children of each entry, if they were asked for.
    child_lists: OnceLock<listing::ChildLists>,
    /// Those of them that the text makes unique.
    unique_by_name: HashMap<String, Vec<u32>>,
    /// The first tag with each `unique_id`.
    by_id: HashMap<i32, u32>,
    /// The same of the tags that make a node.
    made_by_id: HashMap<i32, u32>,
    /// The places that `editable` tags open.
    editables: HashSet<u32>,
    /// The entry of each `node` tag; nothing for one with a `parent` above the root.
    of_tag: Vec<Option<u32>>,
}

/// A place in a scene's text: a `node` tag, or a name on the way to one.
#[derive(Debug)]
struct Entry {
    parent: Option<u32>,
    name: String,
    /// How far below the root it is.
    depth: usize,
    /// The first `node` tag.
    first_tag: Option<u32>,
    /// The script in its tags.
    script: ScriptUse,
    /// Their value of `unique_name_in_owner`, if they have one.
    is_unique: Option<bool>,
    /// The first tag that makes a node here, and does not only change one.
    definition: Option<u32>,
    /// The scene that the node here is made of.
    inner: Inner,
}

/// The scene that a node is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Inner {
    None,
    Scene(FileId),
    /// A scene with unknown nodes: it is missing, binary or imported.
    Opaque,
}

impl SceneTree {
    /// The tree of the list in `facts`, from the file at `path`.
    pub(crate) fn new(project: &Project, path: &str, facts: &Arc<FileFacts>) -> Self {
        let nodes = facts.scene.as_ref().map_or(&[][..], |scene| &scene.nodes);
        let mut tree = Self {
            facts: Arc::clone(facts),
            path: path.to_owned(),
            entries: Vec::with_capacity(nodes.len().max(1)),
            children: HashTable::with_capacity(nodes.len()),
            hasher: DefaultHashBuilder::default(),
            by_name: OnceLock::new(),
            child_lists: OnceLock::new(),
            unique_by_name: HashMap::new(),
            by_id: HashMap::new(),
            made_by_id: HashMap::new(),
            editables: HashSet::new(),
            of_tag: Vec::with_capacity(nodes.len()),
        };
        let root = nodes.first().map_or("", |root| &root.name);
        tree.entries.push(Entry::new(None, root));
        for (index, node) in nodes.iter().enumerate() {
            tree.add(project, index as u32, node);
        }
        for (index, entry) in tree.entries.iter().enumerate().skip(1) {
            if entry.is_unique == Some(true) {
                let unique = tree.unique_by_name.entry_ref(entry.name.as_str()).or_default();
                unique.push(index as u32);
            }
        }
        let editables = facts.scene.iter().flat_map(|scene| &scene.editables);
        tree.editables = editables.filter_map(|path| tree.entry_below_root(path)).collect();
        tree
    }

    /// The `node` tags.
    pub fn tags(&self) -> &[SceneNode] {
        self.scene().map_or(&[], |scene| &scene.nodes)
    }

    /// Whether the text may list more than is known here.
    fn is_opaque(&self) -> bool {
        self.facts.is_incomplete || self.scene().is_none_or(|scene| scene.nodes.is_empty())
    }

    fn scene(&self) -> Option<&Scene> {
        self.facts.scene.as_ref()
    }

    fn add(&mut self, project: &Project, index: u32, node: &SceneNode) {
        let entry = if index == 0 {
            Some(0)
        } else {
            node.parent
                .as_deref()
                .and_then(|path| self.entry_at(path))
                .map(|parent| self.child_or_new(parent, &node.name))
        };
        self.of_tag.push(entry);
        if let Some(id) = node.unique_id {
            self.by_id.entry(id).or_insert(index);
            if node.class.is_some() || node.instance.is_some() {
                self.made_by_id.entry(id).or_insert(index);
            }
        }
        let Some(entry) = entry else { return };
        let defines = index == 0 || node.class.is_some() || node.instance.is_some();
        let entry = &mut self.entries[entry as usize];
        entry.first_tag.get_or_insert(index);
        // Of several tags, the last with a value.
        if node.script != ScriptUse::Unset {
            entry.script = node.script;
        }
        entry.is_unique = node.is_unique.or(entry.is_unique);
        if defines && entry.definition.is_none() {
            entry.definition = Some(index);
            entry.inner = inner(project, &self.path, &self.facts, node);
        }
    }

    /// The entry at a path from the root, made if need be.
    fn entry_at(&mut self, path: &str) -> Option<u32> {
        if path.starts_with('/') {
            return None;
        }
        let mut entry = 0;
        for name in path.split('/') {
            entry = match name {
                "" | "." => entry,
                ".." => self.entries[entry as usize].parent?,
                name => self.child_or_new(entry, name),
            };
        }
        Some(entry)
    }

    fn child_or_new(&mut self, parent: u32, name: &str) -> u32 {
        if let Some(child) = self.child(parent, name) {
            return child;
        }
        let index = self.entries.len() as u32;
        let depth = self.entry(parent).depth + 1;
        self.entries.push(Entry { depth, ..Entry::new(Some(parent), name) });
        let (entries, hasher) = (&self.entries, &self.hasher);
        let hash = |index: &u32| {
            let entry = &entries[*index as usize];
            hasher.hash_one((entry.parent, entry.name.as_str()))
        };
        self.children.insert_unique(hash(&index), index, hash);
        index
    }

    fn child(&self, parent: u32, name: &str) -> Option<u32> {
        let is_same = |index: &u32| {
            let entry = self.entry(*index);
            entry.parent == Some(parent) && entry.name == name
        };
        self.children.find(self.hasher.hash_one((Some(parent), name)), is_same).copied()
    }

    /// The entries called `name`, the root left out.
    fn called(&self, name: &str) -> &[u32] {
        let by_name = self.by_name.get_or_init(|| {
            let mut by_name: HashMap<String, Vec<u32>> = HashMap::new();
            for (index, entry) in self.entries.iter().enumerate().skip(1) {
                by_name.entry_ref(entry.name.as_str()).or_default().push(index as u32);
            }
            by_name
        });
        by_name.get(name).map_or(&[], Vec::as_slice)
    }

    fn entry(&self, index: u32) -> &Entry {
        &self.entries[index as usize]
    }

    /// The names from the root to an entry.
    fn path_of(&self, mut index: u32) -> Vec<&str> {
        let mut names = Vec::new();
        while let Some(parent) = self.entry(index).parent {
            names.push(self.entry(index).name.as_str());
            index = parent;
        }
        names.reverse();
        names
    }

    /// The script that the text gives to an entry: that of the last tag that says something.
    fn script(&self, index: u32) -> ScriptUse {
        self.entry(index).script
    }

    /// The text's value of an entry's `unique_name_in_owner`.
    fn is_unique(&self, index: u32) -> Option<bool> {
        self.entry(index).is_unique
    }

    /// Whether an `editable` tag names the entry.
    fn is_editable(&self, index: u32) -> bool {
        self.editables.contains(&index)
    }
}

impl Entry {
    fn new(parent: Option<u32>, name: &str) -> Self {
        Self {
            parent,
            name: name.to_owned(),
            depth: 0,
            first_tag: None,
            script: ScriptUse::Unset,
            is_unique: None,
            definition: None,
            inner: Inner::None,
        }
    }
}

/// The scene that a tag names.
fn inner(project: &Project, path: &str, facts: &FileFacts, node: &SceneNode) -> Inner {
    let Some(Instance::Scene(resource)) = &node.instance else {
        return if node.instance.is_some() { Inner::Opaque } else { Inner::None };
    };
    match project.resolve_external(path, &facts.ext_resources[*resource as usize]) {
        // The importer's result for a text scene differs from its text.
        ResolvedPath::File(file) if project.import(file).is_none() => {
            let facts = project.facts(file);
            let is_known = facts.scene.is_some() && !facts.is_incomplete;
            if is_known { Inner::Scene(file) } else { Inner::Opaque }
        }
        _ => Inner::Opaque,
    }
}
