//! The paths in a scene's text, and their targets.

use godot_tscn::Section;
use hashbrown::HashMap;

use crate::SceneContext;
use crate::facts::SceneNode;
use crate::settings::lossy;
use crate::tree::{Inner, Node, NodeInTree, NodeLookup, SceneTree, When, recover};

/// The target of the `parent` of a `node` tag.
#[derive(Clone, Debug)]
pub enum Parent {
    /// To a node that is there when Godot comes to the tag.
    Made,
    /// To a node that Godot makes later.
    Later,
    /// To no node, but the tag has ids that lead to the node at this path.
    ById(String),
    /// To no node.
    Missing,
    /// It is unknown.
    Unknown,
}

impl SceneContext<'_> {
    /// The `node` tags except the first, with their index.
    pub fn tags_below_root(&self) -> impl Iterator<Item = (u32, &SceneNode, Section<'_>)> {
        let tags = self.facts.scene.as_ref().map_or(&[][..], |scene| &scene.nodes);
        let numbered = tags.iter().enumerate().skip(1);
        numbered.map(|(index, tag)| (index as u32, tag, self.section(tag.section)))
    }

    /// The target of the `parent` of a tag below the root.
    pub fn parent(&self, index: u32, tag: &SceneNode) -> Parent {
        let Some(path) = tag.parent.as_deref() else { return Parent::Unknown };
        if self.tree().makes_parent_before(index) {
            return Parent::Made;
        }
        if path.starts_with('/') || leads_above_root(path) {
            return Parent::Missing;
        }
        match self.root().clone().walk(self.project, path, When::Before(index)) {
            NodeLookup::Node(_) => Parent::Made,
            NodeLookup::Unknown => Parent::Unknown,
            NodeLookup::Missing => self.vanished_parent(tag, path),
        }
    }

    fn vanished_parent(&self, tag: &SceneNode, path: &str) -> Parent {
        if !tag.parent_ids.is_empty() {
            match recover::by_ids(self.project, self.root(), self.tree(), &tag.parent_ids) {
                NodeLookup::Node(place) => return Parent::ById(place.path()),
                NodeLookup::Unknown => return Parent::Unknown,
                NodeLookup::Missing => {}
            }
        }
        match self.root().find(self.project, path) {
            NodeLookup::Node(_) => Parent::Later,
            _ => Parent::Missing,
        }
    }

    /// The parent of a tag, as it is when Godot comes to the tag.
    pub fn parent_place(&self, index: u32, tag: &SceneNode) -> Option<NodeInTree> {
        let path = tag.parent.as_deref()?;
        self.root().clone().walk(self.project, path, When::Before(index)).place()
    }

    /// The node of a tag.
    pub fn place_of(&self, index: u32) -> Option<NodeInTree> {
        let tree = self.tree();
        let names = tree.path_of((*tree.of_tag.get(index as usize)?)?);
        // By names: one with a `/`, `:` or `%` means another node in a path.
        let mut place = self.root().clone();
        names.into_iter().all(|name| place.enter(self.project, name)).then_some(place)
    }

    /// The node that a tag makes, whatever is above it; nothing for a tag that only changes a node.
    pub fn made_by_tag(&self, index: u32) -> Option<Node> {
        let tree = self.tree();
        let entry = (*tree.of_tag.get(index as usize)?)?;
        let is_made_here = tree.entry(entry).definition == Some(index);
        is_made_here.then(|| Node::made_in(self.project, tree, entry))
    }

    /// The node of a tag, without those above it.
    pub(crate) fn node_of(&self, index: u32) -> Option<Node> {
        let tree = self.tree();
        let alone = tree.of_tag[index as usize].filter(|entry| tree.alone_makes(*entry));
        match alone {
            Some(entry) => Some(Node::of_one_text(tree, entry)),
            None => Some(self.place_of(index)?.node().clone()),
        }
    }

    /// The target of `path` from the root; else that of the ids in the field `ids`.
    pub fn connection_end(&self, section: Section<'_>, path: &str, ids: &str) -> Parent {
        if path.starts_with('/') || leads_above_root(path) {
            return Parent::Missing;
        }
        match self.root().find(self.project, path) {
            NodeLookup::Node(_) => return Parent::Made,
            NodeLookup::Unknown => return Parent::Unknown,
            NodeLookup::Missing => {}
        }
        let ids = crate::facts::id_path(section, ids);
        match recover::by_ids(self.project, self.root(), self.tree(), &ids) {
            NodeLookup::Node(place) => Parent::ById(place.path()),
            NodeLookup::Unknown => Parent::Unknown,
            NodeLookup::Missing => Parent::Missing,
        }
    }

    /// The path that was probably meant by `path`, seen from `from`, which leads to no node.
    pub fn nearest_path(&self, from: &NodeInTree, path: &str) -> Option<String> {
        let (nodes, subname) = path.split_once(':').map_or((path, None), |(a, b)| (a, Some(b)));
        let names: Vec<&str> = nodes.split('/').collect();
        let mut place = from.clone();
        for (index, name) in names.iter().enumerate() {
            let next = match place.find(self.project, name) {
                NodeLookup::Node(next) => next,
                NodeLookup::Unknown => return None,
                NodeLookup::Missing => {
                    let near = self.nearest_child(&place, name)?;
                    let mut meant = names.clone();
                    meant[index] = &near;
                    let meant = meant.join("/");
                    from.find(self.project, &meant).place()?;
                    return Some(subname.map_or(meant.clone(), |end| format!("{meant}:{end}")));
                }
            };
            place = next;
        }
        None
    }
}

impl SceneContext<'_> {
    /// The child that was probably meant by `name`, for the first hundred questions: to find the children of a node, all
    /// nodes are looked at.
    pub fn nearest_child(&self, place: &NodeInTree, name: &str) -> Option<String> {
        if !self.suggestions.spend() {
            return None;
        }
        let children: Vec<&str> = place.children().collect();
        let near =
            godot_tscn::nearest(name.as_bytes(), children.iter().map(|child| child.as_bytes()));
        near.map(lossy)
    }
}

/// Whether `path` goes further up than it went down.
fn leads_above_root(path: &str) -> bool {
    let mut depth = 0;
    path.split('/').filter(|name| !matches!(*name, "" | ".")).any(|name| {
        depth += if name == ".." { -1 } else { 1 };
        depth < 0
    })
}

impl SceneTree {
    /// Whether the text itself makes all nodes on the way to a tag's node before it.
    fn makes_parent_before(&self, index: u32) -> bool {
        let Some(entry) = self.of_tag[index as usize] else { return false };
        let mut parent = self.entry(entry).parent;
        while let Some(entry) = parent {
            if self.entry(entry).definition.is_none_or(|definition| definition >= index) {
                return false;
            }
            parent = self.entry(entry).parent;
        }
        true
    }

    /// Whether this text alone makes a node and all above it: nothing of another scene is there.
    fn alone_makes(&self, entry: u32) -> bool {
        let mut next = Some(entry);
        while let Some(entry) = next.map(|index| self.entry(index)) {
            if entry.definition.is_none() || entry.inner != Inner::None {
                return false;
            }
            next = entry.parent;
        }
        !self.is_opaque()
    }

    /// Whether the node of a tag is in another scene, according to the text.
    pub fn is_below_other_scene(&self, index: u32) -> bool {
        let mut entry = self.of_tag[index as usize].and_then(|entry| self.entry(entry).parent);
        while let Some(found) = entry {
            if self.entry(found).inner != Inner::None {
                return true;
            }
            entry = self.entry(found).parent;
        }
        false
    }

    /// The earlier tag for the same node.
    pub fn earlier_tag(&self, index: u32) -> Option<u32> {
        self.entry(self.of_tag[index as usize]?).first_tag.filter(|first| *first < index)
    }

    /// The path of a tag's node from the root.
    pub fn path_of_tag(&self, index: u32) -> Option<String> {
        let names = self.path_of((*self.of_tag.get(index as usize)?)?);
        Some(if names.is_empty() { ".".to_owned() } else { names.join("/") })
    }

    /// The section of the tag that makes the node at `path`.
    pub fn tag_at(&self, path: &str) -> Option<u32> {
        let entry = self.entry_below_root(path)?;
        Some(self.tags()[self.entry(entry).definition? as usize].section)
    }

    /// The paths of all nodes that the text makes, the root left out.
    pub fn made_paths(&self) -> impl Iterator<Item = String> {
        let entries = self.entries.iter().enumerate().skip(1);
        let made = entries.filter(|(_, entry)| entry.definition.is_some());
        made.map(|(index, _)| self.path_of(index as u32).join("/"))
    }

    /// The paths of the children that the text makes below the node at `path`, each with its tag.
    pub fn made_children(&self, path: &str) -> impl Iterator<Item = (String, u32)> + use<'_> {
        let parent = self.entry_below_root(path);
        let entries = self.entries.iter().enumerate().skip(1);
        let children = entries.filter(move |(_, entry)| parent.is_some() && entry.parent == parent);
        children.filter_map(|(index, entry)| {
            Some((self.path_of(index as u32).join("/"), entry.definition?))
        })
    }

    /// The first tag at or below each child of the node at `path`, by the child's name.
    pub fn first_tags_of_children(&self, path: &str) -> HashMap<&str, u32> {
        let mut first = HashMap::new();
        let Some(parent) = self.entry_below_root(path) else { return first };
        let depth = self.entry(parent).depth + 1;
        for (tag, entry) in self.of_tag.iter().enumerate() {
            let Some(mut entry) = *entry else { continue };
            while self.entry(entry).depth > depth {
                let Some(above) = self.entry(entry).parent else { break };
                entry = above;
            }
            if self.entry(entry).parent == Some(parent) {
                first.entry(self.entry(entry).name.as_str()).or_insert(tag as u32);
            }
        }
        first
    }

    /// The tags of nodes below the one at `path`, and of itself, in the order of the text.
    pub fn tags_at_and_below(&self, path: &str) -> Vec<u32> {
        let Some(top) = self.entry_below_root(path) else { return Vec::new() };
        let depth = self.entry(top).depth;
        let is_below = |tag: &u32| {
            let Some(mut entry) = self.of_tag[*tag as usize] else { return false };
            while self.entry(entry).depth > depth {
                let Some(parent) = self.entry(entry).parent else { return false };
                entry = parent;
            }
            entry == top
        };
        (0..self.of_tag.len() as u32).filter(is_below).collect()
    }

    /// The entry at a path of names from the root.
    pub(super) fn entry_below_root(&self, path: &str) -> Option<u32> {
        let mut names = path.split('/').filter(|name| !matches!(*name, "" | "."));
        names.try_fold(0, |entry, name| self.child(entry, name))
    }

    /// The path of the first node with this name that the text makes.
    pub fn path_to_name(&self, name: &str) -> Option<String> {
        let mut entries = self.called(name).iter();
        let entry = entries.find(|entry| self.entry(**entry).definition.is_some())?;
        Some(self.path_of(*entry).join("/"))
    }
}

impl Node {
    /// The path of the scene with the text that makes the node, and the tag.
    pub fn made_by(&self) -> Option<(&str, u32)> {
        self.layers.iter().find_map(|layer| {
            let definition = layer.tree.entry(layer.entry).definition?;
            Some((layer.tree.path.as_str(), definition))
        })
    }

    /// Whether the node is certainly the root of another scene.
    pub fn is_certain_instance(&self) -> bool {
        self.layers.iter().any(|layer| {
            let entry = layer.tree.entry(layer.entry);
            (layer.entry == 0 && !layer.is_own)
                || (entry.inner == Inner::Opaque && entry.definition.is_some())
        })
    }

    /// Whether the node has a child with this name when Godot comes to a tag.
    pub fn has_child(&self, project: &crate::Project, name: &str, when: When) -> Child {
        match self.child(project, name, when) {
            None => Child::No,
            Some(child) if child.is_defined(when) => Child::Yes,
            Some(_) => Child::Unknown,
        }
    }
}

/// Whether a node has a child.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Child {
    /// It has.
    Yes,
    /// It has not.
    No,
    /// It cannot be determined.
    Unknown,
}
