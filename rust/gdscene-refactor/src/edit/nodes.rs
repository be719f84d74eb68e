//! The nodes that a text lists, by path, and the place of each among its siblings.

use godot_project::settings::lossy;
use godot_tscn::{DocumentMut, SectionId, TagKind};
use hashbrown::HashMap;

/// A node, or a place on the way to one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct NodeId(u32);

/// The nodes of a text.
#[derive(Debug, Default)]
pub(super) struct Nodes {
    entries: Vec<Entry>,
    by_name: HashMap<(NodeId, Box<str>), NodeId>,
}

#[derive(Debug)]
struct Entry {
    name: Box<str>,
    parent: Option<NodeId>,
    /// The `node` tag; none for a node of an instanced scene that this text does not change.
    section: Option<SectionId>,
    /// In the order of the tree.
    children: Vec<NodeId>,
}

impl Nodes {
    pub(super) const ROOT: NodeId = NodeId(0);

    /// Those of a document.
    pub(super) fn new(document: &DocumentMut) -> Self {
        let mut nodes = Self::default();
        for section in document.sections() {
            if document.kind(section) != TagKind::Node {
                continue;
            }
            let text = |field: &str| document.field_text(section, field).map(|text| lossy(&text));
            let name = text("name").unwrap_or_default();
            let Some(parent) = text("parent").filter(|_| !nodes.entries.is_empty()) else {
                if nodes.entries.is_empty() {
                    nodes.push(&name, None, Some(section));
                }
                continue;
            };
            let parent = nodes.find_or_add(&parent);
            match nodes.child(parent, &name) {
                Some(known) => _ = nodes.entries[known.index()].section.get_or_insert(section),
                None => _ = nodes.push(&name, Some(parent), Some(section)),
            }
        }
        nodes
    }

    pub(super) fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The node at a path from the root.
    pub(super) fn find(&self, path: &str) -> Option<NodeId> {
        names(path).try_fold(Self::ROOT, |node, name| self.child(node, name))
    }

    pub(super) fn find_or_add(&mut self, path: &str) -> NodeId {
        let mut node = Self::ROOT;
        for name in names(path) {
            node = match self.child(node, name) {
                Some(child) => child,
                None => self.push(name, Some(node), None),
            };
        }
        node
    }

    pub(super) fn child(&self, parent: NodeId, name: &str) -> Option<NodeId> {
        self.by_name.get(&(parent, Box::from(name))).copied()
    }

    pub(super) fn name(&self, node: NodeId) -> &str {
        &self.entries[node.index()].name
    }

    pub(super) fn parent(&self, node: NodeId) -> Option<NodeId> {
        self.entries[node.index()].parent
    }

    pub(super) fn section(&self, node: NodeId) -> Option<SectionId> {
        self.entries[node.index()].section
    }

    pub(super) fn set_section(&mut self, node: NodeId, section: SectionId) {
        self.entries[node.index()].section = Some(section);
    }

    /// Lets a node have no section.
    pub(super) fn clear_section(&mut self, node: NodeId) {
        self.entries[node.index()].section = None;
    }

    pub(super) fn children(&self, node: NodeId) -> &[NodeId] {
        &self.entries[node.index()].children
    }

    /// The names from the root to a node, without that of the root.
    pub(super) fn names(&self, mut node: NodeId) -> Vec<&str> {
        let mut names = Vec::new();
        while let Some(parent) = self.parent(node) {
            names.push(self.name(node));
            node = parent;
        }
        names.reverse();
        names
    }

    /// The path as `parent` and connections have it: `.`, `A/B`.
    pub(super) fn path(&self, node: NodeId) -> String {
        let names = self.names(node);
        if names.is_empty() { ".".to_owned() } else { names.join("/") }
    }

    /// Adds a node to a parent, at this place among those of its children that are listed here.
    pub(super) fn insert(&mut self, parent: NodeId, at: usize, name: &str) -> NodeId {
        let node = self.push(name, Some(parent), None);
        let children = &mut self.entries[parent.index()].children;
        children.pop();
        children.insert(at.min(children.len()), node);
        node
    }

    /// Takes a node out of the tree, with all below it. Returns their sections.
    pub(super) fn remove(&mut self, node: NodeId) -> Vec<SectionId> {
        if let Some(parent) = self.parent(node) {
            let children = &mut self.entries[parent.index()].children;
            if let Some(at) = children.iter().rposition(|child| *child == node) {
                children.remove(at);
            }
        }
        let mut sections = Vec::new();
        let mut open = vec![node];
        while let Some(node) = open.pop() {
            let entry = &mut self.entries[node.index()];
            sections.extend(entry.section.take());
            open.append(&mut entry.children);
            if let Some(parent) = entry.parent {
                let key = (parent, entry.name.clone());
                self.by_name.remove(&key);
            }
        }
        sections
    }

    /// The last section before a node's own section: that of its predecessor in the tree.
    pub(super) fn section_before(&self, node: NodeId) -> Option<SectionId> {
        let mut node = node;
        while let Some(parent) = self.parent(node) {
            let siblings = self.children(parent);
            // Most are added behind all others.
            let own = siblings.iter().rposition(|sibling| *sibling == node)?;
            let before = siblings[..own].iter().rev();
            if let Some(section) = before.filter_map(|sibling| self.last_section(*sibling)).next() {
                return Some(section);
            }
            if let Some(section) = self.section(parent) {
                return Some(section);
            }
            node = parent;
        }
        None
    }

    /// The last section of a node and all below it, in the order of the tree.
    fn last_section(&self, node: NodeId) -> Option<SectionId> {
        // Nodes with how many of their children are still to be looked at, the last first.
        let mut open = vec![(node, self.children(node).len())];
        while let Some((node, left)) = open.pop() {
            if let Some(left) = left.checked_sub(1) {
                let child = self.children(node)[left];
                open.push((node, left));
                open.push((child, self.children(child).len()));
            } else if let Some(section) = self.section(node) {
                return Some(section);
            }
        }
        None
    }

    fn push(&mut self, name: &str, parent: Option<NodeId>, section: Option<SectionId>) -> NodeId {
        let node = NodeId(self.entries.len() as u32);
        self.entries.push(Entry { name: name.into(), parent, section, children: Vec::new() });
        if let Some(parent) = parent {
            self.entries[parent.index()].children.push(node);
            self.by_name.insert((parent, name.into()), node);
        }
        node
    }
}

impl NodeId {
    fn index(self) -> usize {
        self.0 as usize
    }
}

/// The names of a path from the root.
pub(super) fn names(path: &str) -> impl Iterator<Item = &str> {
    path.split('/').filter(|name| !matches!(*name, "" | "."))
}
