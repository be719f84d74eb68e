//! The nodes of scenes, across instances and inheritance.
//!
//! A scene's text lists the nodes that it adds, and those of other scenes that it changes. A [`SceneTree`] is what one
//! text lists, as a tree; a [`Node`] is one place in the whole, with what each of the texts says of it, the scene's
//! own first and those of the instanced and inherited scenes after it. So nothing is ever copied, however often a scene
//! is instanced, and scenes that contain each other do no harm: a path has an end.

mod node;
mod paths;
mod recover;
mod walk;

use std::sync::Arc;

use hashbrown::HashMap;

use crate::facts::{FileFacts, Instance, Scene, SceneNode, ScriptUse};
use crate::project::{FileId, Project, Target};

pub use node::{Node, UnknownScript};
pub(crate) use paths::{Child, Parent};
pub(crate) use walk::When;
pub use walk::{Found, Place};

/// What one scene's text lists.
#[derive(Debug)]
pub struct SceneTree {
    facts: Arc<FileFacts>,
    /// The file's path: `res://…`.
    path: String,
    entries: Vec<Entry>,
    children: HashMap<(u32, String), u32>,
    /// The entries of a name, the root left out.
    by_name: HashMap<String, Vec<u32>>,
    /// The entry of each `node` tag; nothing for one whose `parent` leads above the root.
    of_tag: Vec<Option<u32>>,
}

/// A place in a scene's text: a `node` tag, or a name on the way to one.
#[derive(Debug)]
struct Entry {
    parent: Option<u32>,
    name: String,
    /// The `node` tags, in the order of the text.
    tags: Vec<u32>,
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
    /// One whose nodes are not known: it is missing, binary or imported.
    Opaque,
}

impl SceneTree {
    /// The tree of what `facts` lists, from the file at `path`.
    pub(crate) fn new(project: &Project, path: &str, facts: &Arc<FileFacts>) -> Self {
        let nodes = facts.scene.as_ref().map_or(&[][..], |scene| &scene.nodes);
        let mut tree = Self {
            facts: Arc::clone(facts),
            path: path.to_owned(),
            entries: Vec::with_capacity(nodes.len().max(1)),
            children: HashMap::with_capacity(nodes.len()),
            by_name: HashMap::new(),
            of_tag: Vec::with_capacity(nodes.len()),
        };
        let root = nodes.first().map_or("", |root| &root.name);
        tree.entries.push(Entry::new(None, root));
        for (index, node) in nodes.iter().enumerate() {
            tree.add(project, index as u32, node);
        }
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
        let Some(entry) = entry else { return };
        let defines = index == 0 || node.class.is_some() || node.instance.is_some();
        let entry = &mut self.entries[entry as usize];
        entry.tags.push(index);
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
        self.entries.push(Entry::new(Some(parent), name));
        self.children.insert((parent, name.to_owned()), index);
        self.by_name.entry(name.to_owned()).or_default().push(index);
        index
    }

    fn child(&self, parent: u32, name: &str) -> Option<u32> {
        // A tuple would want a copy of the name.
        self.children.get(&ChildKey(parent, name)).copied()
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
        let tags = self.entry(index).tags.iter().rev();
        let mut scripts = tags.map(|tag| self.tags()[*tag as usize].script);
        scripts.find(|script| *script != ScriptUse::Unset).unwrap_or_default()
    }

    /// What the text says of an entry's `unique_name_in_owner`.
    fn is_unique(&self, index: u32) -> Option<bool> {
        let mut tags = self.entry(index).tags.iter().rev();
        tags.find_map(|tag| self.tags()[*tag as usize].is_unique)
    }

    /// Whether an `editable` tag names the entry.
    fn is_editable(&self, index: u32) -> bool {
        let path = self.path_of(index);
        let editables = self.scene().map_or(&[][..], |scene| &scene.editables);
        editables.iter().any(|editable| {
            editable.split('/').filter(|name| !matches!(*name, "" | ".")).eq(path.iter().copied())
        })
    }
}

/// A key of [`SceneTree::children`], borrowed.
#[derive(Hash)]
struct ChildKey<'n>(u32, &'n str);

impl hashbrown::Equivalent<(u32, String)> for ChildKey<'_> {
    fn equivalent(&self, key: &(u32, String)) -> bool {
        self.0 == key.0 && self.1 == key.1
    }
}

impl Entry {
    fn new(parent: Option<u32>, name: &str) -> Self {
        Self {
            parent,
            name: name.to_owned(),
            tags: Vec::new(),
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
        // What an importer makes of a text scene is not what stands there.
        Target::File(file) if project.import(file).is_none() => {
            let facts = project.facts(file);
            let is_known = facts.scene.is_some() && !facts.is_incomplete;
            if is_known { Inner::Scene(file) } else { Inner::Opaque }
        }
        _ => Inner::Opaque,
    }
}
