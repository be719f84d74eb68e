//! The nodes of one text. Where a path leads into an instance, the rest of it is kept as it is.

use std::borrow::Cow;
use std::hash::BuildHasher;

use hashbrown::{DefaultHashBuilder, HashTable};

use crate::merge::side::NONE;

/// The nodes in the order of the text.
#[derive(Debug, Default)]
pub(crate) struct Tree<'d> {
    pub(crate) nodes: Vec<TreeNode<'d>>,
    /// The first node of a name, by parent and the path between them.
    children: HashTable<u32>,
    hasher: DefaultHashBuilder,
}

#[derive(Debug)]
pub(crate) struct TreeNode<'d> {
    pub(crate) section: u32,
    pub(crate) name: Cow<'d, [u8]>,
    /// The nearest node above it that the text has; [`NONE`] of the root.
    pub(crate) parent: u32,
    /// The path from there to its parent, which is a node of an instance; mostly empty.
    pub(crate) rest: Vec<u8>,
}

/// The target of a path: a node, and the `rest` from there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Goal<'p> {
    pub(crate) node: u32,
    pub(crate) rest: &'p [u8],
}

/// At most this number of names of a path is taken as nodes of an instance before a node that the
/// text has.
const MAX_HIDDEN: usize = 12;

impl<'d> Tree<'d> {
    /// Adds a node. Returns its index.
    pub(super) fn push(
        &mut self,
        section: u32,
        name: Cow<'d, [u8]>,
        parent: Option<Cow<'d, [u8]>>,
    ) -> u32 {
        let (parent, rest) = match parent {
            Some(path) if !self.nodes.is_empty() => {
                let goal = self.walk(0, &path);
                (goal.node, goal.rest.to_vec())
            }
            _ => (NONE, Vec::new()),
        };
        let index = self.nodes.len() as u32;
        self.nodes.push(TreeNode { section, name, parent, rest });
        let nodes = &self.nodes;
        let hash = |node: &u32| key_hash(&self.hasher, &nodes[*node as usize]);
        let is_same = |other: &u32| has_same_key(&nodes[*other as usize], &nodes[index as usize]);
        self.children.entry(hash(&index), is_same, hash).or_insert(index);
        index
    }

    /// Where `path` leads from the node `from`.
    pub(super) fn walk<'p>(&self, from: u32, path: &'p [u8]) -> Goal<'p> {
        let mut node = from;
        let mut left = path;
        while !left.is_empty() {
            let (name, after) = first_name(left);
            match name {
                b"" | b"." => {}
                b".." => match &self.nodes[node as usize] {
                    TreeNode { parent, rest, .. } if *parent != NONE && rest.is_empty() => {
                        node = *parent;
                    }
                    _ => break,
                },
                _ => match self.child(node, left) {
                    Some((child, after)) => {
                        node = child;
                        left = after;
                        continue;
                    }
                    None => break,
                },
            }
            left = after;
        }
        Goal { node, rest: left }
    }

    /// The first node below `node` on `path`, and the rest of the path.
    fn child<'p>(&self, node: u32, path: &'p [u8]) -> Option<(u32, &'p [u8])> {
        let mut start = 0;
        for _ in 0..MAX_HIDDEN {
            let (name, after) = first_name(&path[start..]);
            let rest = path[..start].strip_suffix(b"/").unwrap_or_default();
            if let Some(child) = self.find(node, rest, name) {
                return Some((child, after));
            }
            if after.is_empty() {
                return None;
            }
            start = path.len() - after.len();
        }
        None
    }

    /// The first node of this name there.
    pub(super) fn find(&self, parent: u32, rest: &[u8], name: &[u8]) -> Option<u32> {
        let is_it = |node: &u32| {
            let node = &self.nodes[*node as usize];
            node.parent == parent && node.rest == rest && *node.name == *name
        };
        self.children.find(self.hasher.hash_one((parent, rest, name)), is_it).copied()
    }
}

fn key_hash(hasher: &DefaultHashBuilder, node: &TreeNode<'_>) -> u64 {
    hasher.hash_one((node.parent, node.rest.as_slice(), &*node.name))
}

fn has_same_key(one: &TreeNode<'_>, other: &TreeNode<'_>) -> bool {
    one.parent == other.parent && one.rest == other.rest && one.name == other.name
}

/// The name before the first `/`, and the rest.
pub(super) fn first_name(path: &[u8]) -> (&[u8], &[u8]) {
    match memchr::memchr(b'/', path) {
        Some(slash) => (&path[..slash], &path[slash + 1..]),
        None => (path, b""),
    }
}

/// Positions of nodes, by which paths are written: a tree with names and parents alone.
pub(crate) trait Positions {
    /// The node above it and the path from there to its parent; nothing for a root.
    fn above(&self, node: u32) -> Option<(u32, &[u8])>;
    /// Its name.
    fn name(&self, node: u32) -> &[u8];
}

impl Positions for Tree<'_> {
    fn above(&self, node: u32) -> Option<(u32, &[u8])> {
        let node = &self.nodes[node as usize];
        (node.parent != NONE).then_some((node.parent, node.rest.as_slice()))
    }

    fn name(&self, node: u32) -> &[u8] {
        &self.nodes[node as usize].name
    }
}

/// The nodes from `node` up to the root, which comes last.
fn line(positions: &impl Positions, node: u32) -> Vec<u32> {
    let mut line = vec![node];
    let mut at = node;
    while let Some((above, _)) = positions.above(at) {
        line.push(above);
        at = above;
    }
    line
}

/// Adds a name, or more of a path.
pub(crate) fn push_name(path: &mut Vec<u8>, name: &[u8]) {
    if !path.is_empty() && !name.is_empty() {
        path.push(b'/');
    }
    path.extend_from_slice(name);
}

/// The path of a node from the root; the root's own is empty.
pub(crate) fn path_of(positions: &impl Positions, node: u32) -> Vec<u8> {
    let mut path = Vec::new();
    let line = line(positions, node);
    for below in line.iter().rev().skip(1) {
        let rest = positions.above(*below).map_or(&b""[..], |(_, rest)| rest);
        push_name(&mut path, rest);
        push_name(&mut path, positions.name(*below));
    }
    path
}

/// The path from one node to `rest` from another, as Godot writes it; `.` for the node itself.
pub(super) fn relative(positions: &impl Positions, from: u32, to: u32, rest: &[u8]) -> Vec<u8> {
    let (up, down) = (line(positions, from), line(positions, to));
    let common = up.iter().rev().zip(down.iter().rev()).take_while(|(a, b)| a == b).count();
    let mut path = Vec::new();
    for node in &up[..up.len() - common] {
        let rest = positions.above(*node).map_or(&b""[..], |(_, rest)| rest);
        let levels = 1 + rest.split(|byte| *byte == b'/').filter(|name| !name.is_empty()).count();
        for _ in 0..levels {
            push_name(&mut path, b"..");
        }
    }
    for node in down[..down.len() - common].iter().rev() {
        let rest = positions.above(*node).map_or(&b""[..], |(_, rest)| rest);
        push_name(&mut path, rest);
        push_name(&mut path, positions.name(*node));
    }
    push_name(&mut path, rest);
    if path.is_empty() {
        path.push(b'.');
    }
    path
}
