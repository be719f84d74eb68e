//! All nodes of a tree one after another, as Godot makes them.

use std::sync::Arc;

use hashbrown::HashSet;

use crate::facts::Instance;
use crate::project::{Project, ResolvedPath};
use crate::tree::node::Layer;
use crate::tree::sibling_order::in_sibling_order;
use crate::tree::{Inner, Node, SceneTree, When};

/// The data in one text on a node.
#[derive(Clone, Copy, Debug)]
pub struct Said<'n> {
    /// The text's path.
    pub path: &'n str,
    /// The first tag of the node, if it has one.
    pub tag: Option<u32>,
    /// The tag that makes the node.
    pub definition: Option<u32>,
    /// Whether the node is the root there.
    pub is_root: bool,
    /// Whether it is the text that was asked for, and not one of an instanced or inherited scene.
    pub is_own: bool,
    /// The place of the node in the text's tree.
    pub entry: u32,
}

/// A child of a node, and the text that names it.
#[derive(Clone, Copy, Debug)]
pub struct ListedChild {
    layer: usize,
    entry: u32,
}

/// The children of each entry of a tree, in the order of the text.
#[derive(Debug)]
pub(super) struct ChildLists {
    /// Where the children of an entry begin, and at last how many there are in all.
    starts: Vec<u32>,
    children: Vec<u32>,
}

impl Node {
    /// The root of a scene as its text lists it, without the data in other scenes.
    pub fn listed_root(tree: &Arc<SceneTree>) -> Self {
        Self::listed(tree, 0)
    }

    fn listed(tree: &Arc<SceneTree>, entry: u32) -> Self {
        let layer = Layer { tree: Arc::clone(tree), entry, is_own: true, brought_by: None };
        Self { layers: vec![layer], is_opaque: false }
    }

    /// The data in the texts on the node, the scene's own first.
    pub fn said(&self) -> impl Iterator<Item = Said<'_>> {
        self.layers.iter().map(|layer| {
            let entry = layer.tree.entry(layer.entry);
            Said {
                path: &layer.tree.path,
                tag: entry.first_tag,
                definition: entry.definition,
                is_root: layer.entry == 0,
                is_own: layer.is_own,
                entry: layer.entry,
            }
        })
    }

    /// All children that the text lists, including those that it only changes.
    pub fn listed_children(&self) -> Vec<ListedChild> {
        let of_layer = |(index, layer): (usize, &Layer)| {
            let children = layer.tree.children_of(layer.entry).to_vec();
            children.into_iter().map(move |entry| ListedChild { layer: index, entry })
        };
        self.layers.iter().enumerate().flat_map(of_layer).collect()
    }

    /// The children that the texts make, in Godot's order.
    ///
    /// As `SceneState::instantiate` (scene/resources/packed_scene.cpp, Godot 4.6.3): those of an instanced scene are there
    /// first, and each one with an `index` is moved to it.
    pub fn made_children(&self) -> Vec<ListedChild> {
        let mut added: Vec<(Option<usize>, ListedChild)> = Vec::new();
        let mut names: HashSet<&str> = HashSet::new();
        for (layer, said) in self.layers.iter().enumerate().rev() {
            let made = said.tree.children_of(said.entry).iter();
            let made = made.filter_map(|entry| Some((said.tree.entry(*entry).definition?, *entry)));
            let mut made: Vec<(u32, u32)> = made.collect();
            made.sort_unstable();
            for (tag, entry) in made {
                if !names.insert(&said.tree.entry(entry).name) {
                    continue;
                }
                let child = ListedChild { layer, entry };
                let index = said.tree.tags()[tag as usize].index;
                added.push((index.and_then(|index| index.try_into().ok()), child));
            }
        }
        in_sibling_order(added)
    }

    /// A child's name.
    pub fn name_of(&self, child: ListedChild) -> &str {
        &self.layers[child.layer].tree.entry(child.entry).name
    }

    /// A child, with all that the texts say of it.
    pub fn made_child(&self, project: &Project, child: ListedChild) -> Option<Self> {
        self.child(project, self.name_of(child), When::AtTheEnd)
    }

    /// A child as the text lists it.
    pub fn listed_child(&self, child: ListedChild) -> Self {
        Self::listed(&self.layers[child.layer].tree, child.entry)
    }

    /// The scene that the node is an instance of, or inherits if it is a root: its path, or why its nodes are unknown.
    pub fn instance(&self, project: &Project) -> Option<(Option<String>, Option<String>)> {
        let mut layers = self.layers.iter();
        let (layer, tag) = layers.find_map(|layer| {
            let entry = layer.tree.entry(layer.entry);
            Some((layer, layer.tree.tags().get(entry.definition? as usize)?))
        })?;
        let instance = tag.instance.as_ref()?;
        let (path, reason) = layer.instanced(project, instance);
        // In parts that are certainly read, only the layers below can be unknown.
        let is_opaque = layer.tree.entry(layer.entry).inner == Inner::Opaque;
        Some((path, reason.filter(|_| is_opaque)))
    }
}

impl Layer {
    fn instanced(
        &self,
        project: &Project,
        instance: &Instance,
    ) -> (Option<String>, Option<String>) {
        let resource = match instance {
            Instance::Scene(index) => &self.tree.facts.ext_resources[*index as usize],
            Instance::Placeholder(path) => {
                let reason = "a placeholder, whose scene the game loads itself";
                return (Some(path.clone()), Some(reason.to_owned()));
            }
            Instance::Unknown => {
                return (None, Some("its field `instance` does not name a scene".to_owned()));
            }
        };
        let written = resource.path.clone();
        let (path, reason) = match project.resolve_external(&self.tree.path, resource) {
            ResolvedPath::File(file) => {
                let reason = match project.import(file) {
                    Some(_) => "an importer creates its nodes",
                    None if project.facts(file).scene.is_some() => "its text is broken",
                    None => "not a text scene",
                };
                (Some(project.path(file).to_owned()), reason)
            }
            ResolvedPath::Unseen(path) => (Some(path), "ignored by Godot's editor"),
            ResolvedPath::Missing(path) => (Some(path), "missing"),
            ResolvedPath::Outside => (written, "outside of the project"),
        };
        (path, Some(reason.to_owned()))
    }
}

impl SceneTree {
    /// Whether the text lists children of the place with this [`Said::entry`].
    pub fn lists_children_of(&self, entry: u32) -> bool {
        !self.children_of(entry).is_empty()
    }

    /// The children of an entry, in the order of the text.
    fn children_of(&self, entry: u32) -> &[u32] {
        let ChildLists { starts, children } =
            self.child_lists.get_or_init(|| ChildLists::new(self));
        let entry = entry as usize;
        &children[starts[entry] as usize..starts[entry + 1] as usize]
    }

    /// The paths of the tags with nodes that are not among these entries; nothing for one that leads above the
    /// root.
    pub fn tags_beside<'t>(
        &'t self,
        entries: &'t HashSet<u32>,
    ) -> impl Iterator<Item = (&'t str, Option<String>)> {
        let tags = self.tags().iter().zip(&self.of_tag);
        let beside = tags.filter(|(_, entry)| entry.is_none_or(|entry| !entries.contains(&entry)));
        beside.map(|(tag, entry)| {
            (tag.name.as_str(), entry.map(|entry| self.path_of(entry).join("/")))
        })
    }
}

impl ChildLists {
    fn new(tree: &SceneTree) -> Self {
        let mut starts = vec![0; tree.entries.len() + 1];
        let parents = || tree.entries.iter().map(|entry| entry.parent);
        for parent in parents().flatten() {
            starts[parent as usize + 1] += 1;
        }
        for index in 1..starts.len() {
            starts[index] += starts[index - 1];
        }
        let mut next = starts.clone();
        let mut children = vec![0; tree.entries.len().saturating_sub(1)];
        for (entry, parent) in parents().enumerate() {
            let Some(parent) = parent else { continue };
            let place = &mut next[parent as usize];
            children[*place as usize] = entry as u32;
            *place += 1;
        }
        Self { starts, children }
    }
}
