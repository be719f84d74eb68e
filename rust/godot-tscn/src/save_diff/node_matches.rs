//! Which node of the text before is which of the text after.

use std::borrow::Cow;

use hashbrown::HashMap;

use crate::document::{Document, Section};
use crate::model::node_tree::NodeTree;
use crate::node_places::node_path;

/// The nodes of one text, by path.
pub(super) struct Nodes<'d> {
    pub(super) tree: NodeTree<'d>,
    pub(super) paths: Vec<Cow<'d, [u8]>>,
    by_path: HashMap<Cow<'d, [u8]>, u32>,
    /// Godot 4.6 gives each node a number that it keeps. Overrides repeat that of the instance.
    by_unique_id: HashMap<i64, u32>,
}

/// For each node of the text before, the one that it is now.
pub(super) struct NodeMatches {
    pub(super) now: Vec<Option<u32>>,
}

/// Real scenes have no longer paths.
const MAX_PATH_LEN: usize = 4096;

impl<'d> Nodes<'d> {
    pub(super) fn new(document: &'d Document<'d>) -> Self {
        let tree = NodeTree::new(document);
        let paths: Vec<_> =
            tree.nodes.iter().map(|node| node_path(node.section).unwrap_or_default()).collect();
        let mut by_path = HashMap::with_capacity(paths.len());
        let mut by_unique_id = HashMap::new();
        for (index, (path, node)) in paths.iter().zip(&tree.nodes).enumerate() {
            by_path.entry(path.clone()).or_insert(index as u32);
            if let Some(id) = own_id(node.section) {
                by_unique_id.entry(id).or_insert(index as u32);
            }
        }
        Self { tree, paths, by_path, by_unique_id }
    }

    pub(super) fn section(&self, index: u32) -> Section<'d> {
        self.tree.nodes[index as usize].section
    }

    pub(super) fn at(&self, path: &[u8]) -> Option<u32> {
        self.by_path.get(path).copied()
    }
}

impl NodeMatches {
    pub(super) fn new(before: &Nodes<'_>, after: &Nodes<'_>) -> Self {
        let mut matches = Self { now: vec![None; before.paths.len()] };
        for (index, node) in before.tree.nodes.iter().enumerate() {
            let by_id = own_id(node.section).and_then(|id| after.by_unique_id.get(&id)).copied();
            let same_root = (index == 0 && !after.paths.is_empty()).then_some(0);
            matches.now[index] = by_id.or(same_root).or_else(|| {
                let path = matches.path_now(before, after, &before.paths[index])?;
                after.at(&path)
            });
        }
        matches
    }

    /// The current path of the thing at `path`; nothing if a node on the way was deleted.
    pub(super) fn path_now(
        &self,
        before: &Nodes<'_>,
        after: &Nodes<'_>,
        path: &[u8],
    ) -> Option<Vec<u8>> {
        let mut end = path.len().min(MAX_PATH_LEN);
        // A node with a match represents all above it.
        while end > 0 {
            if let Some(index) = before.at(&path[..end]) {
                match self.now[index as usize] {
                    Some(now) => return Some(joined(&after.paths[now as usize], &path[end..])),
                    // The node itself is looked for by its parent's new path.
                    None if end < path.len() => return None,
                    None => {}
                }
            }
            end = path[..end].iter().rposition(|byte| *byte == b'/').unwrap_or(0);
        }
        Some(path.to_vec())
    }
}

/// `rest` begins with a `/` or is empty.
fn joined(path: &[u8], rest: &[u8]) -> Vec<u8> {
    match (path, rest) {
        (b".", [b'/', rest @ ..]) => rest.to_vec(),
        _ => [path, rest].concat(),
    }
}

/// The `unique_id` of a node that belongs to this scene.
fn own_id(section: Section<'_>) -> Option<i64> {
    let owns = section.field("type").is_some() || section.field("instance").is_some();
    owns.then(|| section.field("unique_id")?.int()).flatten()
}
