//! From a path to a node.

use std::sync::Arc;

use crate::project::Project;
use crate::tree::{Node, SceneTree, UnknownScript};

/// A node with those above it.
#[derive(Clone, Debug)]
pub struct NodeInTree {
    /// From the root of the scene to the node.
    stack: Vec<Node>,
}

/// The target of a path.
#[derive(Clone, Debug)]
pub enum NodeLookup {
    /// To this node.
    Node(NodeInTree),
    /// Into a scene with unknown nodes, above the root, or to nodes that only the running game has.
    Unknown,
    /// To no node.
    Missing,
}

/// Which tags of the scene's own text count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// The nodes before this one: those that Godot has made when it comes to the tag.
    Before(u32),
    /// All.
    AtTheEnd,
}

impl NodeLookup {
    /// Whether it is certain that the path leads to no node.
    pub fn is_missing(&self) -> bool {
        matches!(self, Self::Missing)
    }

    /// The node.
    pub fn place(self) -> Option<NodeInTree> {
        match self {
            Self::Node(place) => Some(place),
            _ => None,
        }
    }
}

/// At most this number of nodes with one name is checked for the unique one; with more, it is
/// unknown.
const MOST_OF_ONE_NAME: usize = 64;

impl NodeInTree {
    /// The root of a scene.
    pub fn root(project: &Project, tree: &Arc<SceneTree>) -> Self {
        Self { stack: vec![Node::root(project, tree)] }
    }

    /// The node.
    pub fn node(&self) -> &Node {
        self.stack.last().expect("a place has a node")
    }

    /// Goes to the parent.
    pub(crate) fn pop(&mut self) {
        self.stack.pop();
    }

    pub(crate) fn stack_len(&self) -> usize {
        self.stack.len()
    }

    /// The nodes from the root to this one.
    pub fn ancestry(&self) -> &[Node] {
        &self.stack
    }

    /// The node's name; for the root, its name in the scene.
    pub fn name(&self) -> &str {
        self.node().layers.first().map_or("", |layer| &layer.tree.entry(layer.entry).name)
    }

    /// The path from the scene's root: `.`, `Arm`, `Arm/Hand`.
    pub fn path(&self) -> String {
        let names = self.stack[1..].iter().map(|node| {
            node.layers.first().map_or("", |layer| layer.tree.entry(layer.entry).name.as_str())
        });
        let names: Vec<&str> = names.collect();
        if names.is_empty() { ".".to_owned() } else { names.join("/") }
    }

    /// The names of the children that are known, in Godot's order.
    pub fn children(&self) -> impl Iterator<Item = &str> {
        let node = self.node();
        node.made_children().into_iter().map(|child| node.name_of(child))
    }

    /// The node at `path`, seen from this one. The text after a `:` is left out.
    ///
    /// As `Node::get_node_or_null` (scene/main/node.cpp, Godot 4.6.3).
    pub fn find(&self, project: &Project, path: &str) -> NodeLookup {
        self.clone().walk(project, path, When::AtTheEnd)
    }

    pub(crate) fn walk(mut self, project: &Project, path: &str, when: When) -> NodeLookup {
        let path = path.split(':').next().unwrap_or_default();
        if path.starts_with('/') {
            return NodeLookup::Unknown;
        }
        for name in path.split('/').filter(|name| !matches!(*name, "" | ".")) {
            let next = if name == ".." {
                self.stack.pop();
                if self.stack.is_empty() { Step::Unknown } else { Step::Done }
            } else if let Some(name) = name.strip_prefix('%') {
                self.go_to_unique(project, name)
            } else {
                self.go_to_child(project, name, when)
            };
            match next {
                Step::Done => {}
                Step::Unknown => return NodeLookup::Unknown,
                Step::Missing => return NodeLookup::Missing,
            }
        }
        NodeLookup::Node(self)
    }

    /// Whether a `@tool` script of the node, or of one above it, may add nodes here while the scene is instantiated: then
    /// they exist when Godot comes to the scene's text on them.
    pub fn may_gain_nodes(&self, project: &Project) -> bool {
        self.stack.iter().any(|node| match node.script(project) {
            Ok(script) => {
                script.is_some_and(|file| project.scripts().adds_nodes_early(project, file))
            }
            Err(UnknownScript) => true,
        })
    }

    fn go_to_child(&mut self, project: &Project, name: &str, when: When) -> Step {
        let Some(child) = self.node().child(project, name, when) else {
            return if self.may_gain_nodes(project) { Step::Unknown } else { Step::Missing };
        };
        let is_known = child.is_defined(when);
        self.stack.push(child);
        if is_known { Step::Done } else { Step::Unknown }
    }

    /// Goes to the node with this unique name that the node owns, or else its owner.
    fn go_to_unique(&mut self, project: &Project, name: &str) -> Step {
        let here = self.unique_below(project, name);
        let mut is_unknown = match here {
            Ok(Some(place)) => {
                *self = place;
                return Step::Done;
            }
            Ok(None) => false,
            Err(Unclear) => true,
        };
        // The owner is the root of the scene with the text that makes the node.
        if let Some(depth) = self.depth_below_owner() {
            self.stack.truncate(self.stack.len() - depth);
            match self.unique_below(project, name) {
                Ok(Some(place)) => {
                    *self = place;
                    return Step::Done;
                }
                Ok(None) => {}
                Err(Unclear) => is_unknown = true,
            }
        } else if self.stack.len() > 1 {
            is_unknown = true;
        }
        if is_unknown { Step::Unknown } else { Step::Missing }
    }

    /// The number of nodes from the root to the owner: the root of the scene with the text that makes the node. Nothing for
    /// the root, and if it is not clear.
    pub fn nodes_to_owner(&self) -> Option<usize> {
        self.stack.len().checked_sub(self.depth_below_owner()?)
    }

    /// Goes to the child called `name`, if there is one that is known.
    pub fn enter(&mut self, project: &Project, name: &str) -> bool {
        let count = self.stack.len();
        let is_there = matches!(self.go_to_child(project, name, When::AtTheEnd), Step::Done);
        if !is_there {
            self.stack.truncate(count);
        }
        is_there
    }

    /// How far above the node its owner is; nothing for the root, and if it is not clear.
    fn depth_below_owner(&self) -> Option<usize> {
        let mut layers = self.node().layers.iter().filter(|layer| layer.entry != 0);
        let (layer, definition) =
            layers.find_map(|layer| Some((layer, layer.tree.entry(layer.entry).definition?)))?;
        if layer.tree.tags()[definition as usize].owner.is_some() {
            return None;
        }
        Some(layer.tree.entry(layer.entry).depth)
    }

    /// The node with this unique name among those that the node owns.
    fn unique_below(&self, project: &Project, name: &str) -> Result<Option<Self>, Unclear> {
        for layer in self.node().root_layers() {
            let entries = layer.tree.called(name);
            let unique = layer.tree.unique_by_name.get(name).map_or(&[][..], Vec::as_slice);
            // Another scene may make one of the others unique.
            let likely = [unique, entries].map(|list| list.iter().take(MOST_OF_ONE_NAME));
            for entry in likely.into_iter().flatten() {
                if layer.tree.entry(*entry).definition.is_none() {
                    continue;
                }
                let path = layer.tree.path_of(*entry).join("/");
                match self.clone().walk(project, &path, When::AtTheEnd) {
                    NodeLookup::Node(place) if place.node().is_unique() => return Ok(Some(place)),
                    NodeLookup::Unknown => return Err(Unclear),
                    _ => {}
                }
            }
            if entries.len() > MOST_OF_ONE_NAME {
                return Err(Unclear);
            }
        }
        if self.node().is_opaque() { Err(Unclear) } else { Ok(None) }
    }

    /// The nodes of the texts in which this node is the root, that have this `unique_id`: their paths from here.
    pub(crate) fn owned_with_id(&self, id: i32) -> Option<String> {
        self.node().root_layers().find_map(|layer| {
            let tag = *layer.tree.made_by_id.get(&id)?;
            let names = layer.tree.path_of(layer.tree.of_tag[tag as usize]?);
            Some(if names.is_empty() { ".".to_owned() } else { names.join("/") })
        })
    }
}

enum Step {
    Done,
    Unknown,
    Missing,
}

/// The result is unknown.
struct Unclear;
