//! The tree of the nodes of one scene, according to its own text.
//!
//! Nodes that come from an instanced or inherited scene are not in the text. Where a path passes
//! through one, nothing is claimed.

use std::borrow::Cow;
use std::hash::BuildHasher;

use hashbrown::{DefaultHashBuilder, HashTable};

use crate::document::{Document, Field, Section, TagKind};

/// The `node` sections of a document and their parents.
#[derive(Debug, Default)]
pub(crate) struct NodeTree<'d> {
    pub(crate) nodes: Vec<Node<'d>>,
    children: Children,
}

/// The first child with a name of a node, found by both. The names are those of the nodes: large scenes
/// have many, and a table of them would not fit into the processor's cache.
#[derive(Debug, Default)]
struct Children {
    table: HashTable<Child>,
    hasher: DefaultHashBuilder,
}

#[derive(Clone, Copy, Debug)]
struct Child {
    parent: u32,
    node: u32,
}

impl Children {
    fn with_capacity(count: usize) -> Self {
        Self { table: HashTable::with_capacity(count), hasher: DefaultHashBuilder::default() }
    }

    fn get(&self, nodes: &[Node<'_>], parent: u32, name: &[u8]) -> Option<u32> {
        let is_same = |child: &Child| {
            child.parent == parent && nodes[child.node as usize].name.as_deref() == Some(name)
        };
        self.table.find(self.hasher.hash_one((parent, name)), is_same).map(|child| child.node)
    }

    /// Adds the node if it is the first of its name there. Returns the one that is.
    fn get_or_insert(&mut self, nodes: &[Node<'_>], parent: u32, node: u32) -> u32 {
        let name = |child: &Child| nodes[child.node as usize].name.as_deref().unwrap_or_default();
        let child = Child { parent, node };
        let hash = |child: &Child| self.hasher.hash_one((child.parent, name(child)));
        let is_same = |other: &Child| other.parent == parent && name(other) == name(&child);
        self.table.entry(hash(&child), is_same, hash).or_insert(child).get().node
    }
}

/// A `node` section.
#[derive(Debug)]
pub(crate) struct Node<'d> {
    pub(crate) section: Section<'d>,
    pub(crate) name: Option<Cow<'d, [u8]>>,
    pub(crate) parent_path: Option<Cow<'d, [u8]>>,
    pub(crate) parent: Parent,
    /// The index of an earlier child of the same parent with the same name.
    pub(crate) first_sibling: Option<u32>,
    /// Whether it has children that are not in the text: it is an instance, a part of one, or an
    /// heir.
    is_opaque: bool,
}

/// The target of a node's `parent` field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Parent {
    /// The node has no `parent` field.
    None,
    /// The node with this index, which comes before.
    Known(u32),
    /// A node that may be in another scene.
    Elsewhere,
    /// The node with this index, which comes after.
    Later(u32),
    /// No node of this scene.
    Missing,
}

/// The relevant parts of a node's tag, found in one pass.
#[derive(Default)]
struct NodeFields<'d> {
    name: Option<Field<'d>>,
    parent: Option<Field<'d>>,
    has_type: bool,
    is_instance: bool,
}

impl<'d> NodeFields<'d> {
    fn of(section: Section<'d>) -> Self {
        let mut fields = Self::default();
        for field in section.fields() {
            match field.name() {
                b"name" => fields.name = Some(field),
                b"parent" => fields.parent = Some(field),
                b"type" => fields.has_type = true,
                b"instance" | b"instance_placeholder" => fields.is_instance = true,
                _ => {}
            }
        }
        fields
    }
}

impl<'d> NodeTree<'d> {
    pub(crate) fn new(document: &'d Document<'d>) -> Self {
        let nodes = || document.sections().filter(|section| section.kind() == TagKind::Node);
        let count = nodes().count();
        let mut tree =
            Self { nodes: Vec::with_capacity(count), children: Children::with_capacity(count) };
        for section in nodes() {
            tree.push(section);
        }
        for index in 0..tree.nodes.len() {
            if tree.nodes[index].parent == Parent::Missing {
                tree.look_again(index as u32);
            }
        }
        tree
    }

    fn push(&mut self, section: Section<'d>) {
        let index = self.nodes.len() as u32;
        let fields = NodeFields::of(section);
        let name = fields.name.and_then(Field::text);
        let parent_path = fields.parent.and_then(Field::text);
        let parent = match &parent_path {
            None if fields.parent.is_some() => Parent::Elsewhere,
            None => Parent::None,
            Some(_) if index == 0 => Parent::Missing,
            Some(path) => self.resolve(path).map_or_else(|parent| parent, Parent::Known),
        };
        let is_opaque = section.is_broken() || !fields.has_type || fields.is_instance;
        let has_name = name.is_some();
        let node = Node { section, name, parent_path, parent, first_sibling: None, is_opaque };
        self.nodes.push(node);
        if let (Parent::Known(parent), true) = (parent, has_name) {
            let first = self.children.get_or_insert(&self.nodes, parent, index);
            self.nodes[index as usize].first_sibling = (first != index).then_some(first);
        }
    }

    /// The node at `path`, which is relative to the root, or why there is none.
    pub(crate) fn find(&self, path: &[u8]) -> Result<u32, Parent> {
        if self.nodes.is_empty() {
            return Err(Parent::Missing);
        }
        self.resolve(path)
    }

    /// Whether the node may have children that are not in the text.
    pub(crate) fn is_opaque(&self, node: u32) -> bool {
        self.nodes[node as usize].is_opaque
    }

    /// The node at `path`, which is relative to the node `from`, or why there is none. Subnames are
    /// left out.
    pub(crate) fn find_from(&self, from: u32, path: &[u8]) -> Result<u32, Parent> {
        let path = path.split(|byte| *byte == b':').next().unwrap_or_default();
        if path.starts_with(b"/") {
            return Err(Parent::Elsewhere);
        }
        let mut node = from;
        for name in path.split(|byte| *byte == b'/').filter(|name| !matches!(*name, b"" | b".")) {
            if name == b".." {
                node = match self.nodes[node as usize].parent {
                    Parent::Known(parent) | Parent::Later(parent) => parent,
                    _ => return Err(Parent::Elsewhere),
                };
                continue;
            }
            match self.children.get(&self.nodes, node, name) {
                Some(child) => node = child,
                // `%Name` is any node with that unique name.
                None if name.starts_with(b"%") || self.nodes[node as usize].is_opaque => {
                    return Err(Parent::Elsewhere);
                }
                None => return Err(Parent::Missing),
            }
        }
        Ok(node)
    }

    /// [`NodeTree::find`] while the tree grows.
    fn resolve(&self, path: &[u8]) -> Result<u32, Parent> {
        // Nothing is above the root: the scene is in no tree when it is built.
        if path.starts_with(b"/") {
            return Err(Parent::Missing);
        }
        // A scene without nodes is another rule's.
        if self.nodes.is_empty() {
            return Err(Parent::Elsewhere);
        }
        let mut node = 0;
        for name in path.split(|byte| *byte == b'/').filter(|name| !matches!(*name, b"" | b".")) {
            if name == b".." {
                node = match self.nodes[node as usize].parent {
                    Parent::Known(parent) => parent,
                    Parent::None => return Err(Parent::Missing),
                    _ => return Err(Parent::Elsewhere),
                };
                continue;
            }
            match self.children.get(&self.nodes, node, name) {
                Some(child) => node = child,
                None if self.nodes[node as usize].is_opaque => return Err(Parent::Elsewhere),
                None => return Err(Parent::Missing),
            }
        }
        Ok(node)
    }

    /// Looks for a missing parent among all nodes: perhaps it comes after its child.
    fn look_again(&mut self, index: u32) {
        let Some(path) = self.nodes[index as usize].parent_path.clone() else {
            return;
        };
        self.nodes[index as usize].parent = match self.resolve(&path) {
            Ok(parent) if parent > index => Parent::Later(parent),
            // The parent was found through another node that had to wait for its own.
            Ok(parent) => Parent::Known(parent),
            Err(parent) => parent,
        };
        if let Parent::Later(parent) | Parent::Known(parent) = self.nodes[index as usize].parent
            && self.nodes[index as usize].name.is_some()
        {
            self.children.get_or_insert(&self.nodes, parent, index);
        }
    }
}
