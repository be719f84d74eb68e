//! The changes of the nodes of a scene in another version of it.

use std::borrow::Cow;

use hashbrown::{HashMap, HashSet};

use crate::merge::pairs::{self, Pairs};
use crate::merge::side::{NONE, Side, is_own_node};
use crate::merge::tree::{path_of, push_name};
use crate::syntax;

/// Where the nodes of a scene are in another version of it, by their paths from the root.
#[derive(Clone, Debug, Default)]
pub struct SceneMoves {
    /// Nothing for removed ones.
    moved: HashMap<Vec<u8>, Option<Vec<u8>>>,
}

/// At most this number of nodes of the scenes inside a scene is kept.
const MAX_INNER: usize = 100_000;

impl SceneMoves {
    /// The changes of the nodes of `old` in `new`.
    #[must_use]
    pub fn between(old: &[u8], new: &[u8]) -> Self {
        let (old, new) = (syntax::parse(old), syntax::parse(new));
        let (a, b) = (Side::new(&old), Side::new(&new));
        let mut pairs = Pairs::new(&a, &b);
        pairs::find(&a, &b, &mut pairs);
        let mut moved = HashMap::new();
        for (index, node) in a.tree.nodes.iter().enumerate() {
            if !is_own_node(a.section(node.section)) {
                continue;
            }
            let path = path_of(&a.tree, index as u32);
            let partner = Some(pairs.to_b[node.section as usize]).filter(|node| *node != NONE);
            let partner = partner.map(|section| b.node_of[section as usize]);
            let now = partner.map(|node| path_of(&b.tree, node));
            let is_there = || {
                let goal = b.tree.walk(0, &path);
                !b.tree.nodes.is_empty() && goal.rest.is_empty()
            };
            if now.as_ref() == Some(&path) || (now.is_none() && is_there()) {
                continue;
            }
            if a.has_unique_name(index as u32) {
                let name = partner.map(|node| [b"%", &*b.tree.nodes[node as usize].name].concat());
                moved.insert([b"%", &*node.name].concat(), name);
            }
            moved.insert(path, now);
        }
        Self { moved }
    }

    /// Whether each node is where it was.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.moved.is_empty()
    }

    /// Adds the changes of nodes that an earlier version had and `text`, the old version, does not have any more: paths in
    /// other scenes may still lead to them.
    pub fn add_stale(&mut self, text: &[u8], earlier: &Self) {
        if earlier.is_empty() {
            return;
        }
        let document = syntax::parse(text);
        let side = Side::new(&document);
        let nodes = (0..side.tree.nodes.len() as u32).map(|node| path_of(&side.tree, node));
        let known: HashSet<Vec<u8>> = nodes.collect();
        for (path, now) in earlier.moved.iter().filter(|(path, _)| !known.contains(*path)) {
            self.moved.entry(path.clone()).or_insert_with(|| now.clone());
        }
    }

    /// Adds the changes of the nodes of a scene. The node at `path` is an instance of it, or inherits it if it is the
    /// root.
    pub fn add_inside(&mut self, path: &[u8], inner: &Self) {
        let Some(now) = self.of(path).map(Cow::into_owned) else { return };
        for (old, new) in inner.moved.iter().take(MAX_INNER.saturating_sub(self.moved.len())) {
            let below = |start: &[u8], rest: &[u8]| {
                let mut path = start.to_vec();
                push_name(&mut path, rest);
                path
            };
            let new = new.as_ref().map(|new| below(&now, new));
            self.moved.entry(below(path, old)).or_insert(new);
        }
    }

    /// Where the node at a path is, if it is still there.
    pub(super) fn of<'p>(&self, path: &'p [u8]) -> Option<Cow<'p, [u8]>> {
        let mut end = path.len();
        loop {
            if let Some(found) = self.moved.get(&path[..end]) {
                let mut now = found.clone()?;
                push_name(&mut now, path[end..].strip_prefix(b"/").unwrap_or_default());
                return Some(Cow::Owned(now));
            }
            match path[..end].iter().rposition(|byte| *byte == b'/') {
                Some(slash) => end = slash,
                None => return Some(Cow::Borrowed(path)),
            }
        }
    }
}
