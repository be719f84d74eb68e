//! Names of nodes and their places among siblings.

use godot_project::{Project, in_sibling_order};
use hashbrown::HashSet;

use crate::edit::error::EditErrorKind;
use crate::edit::nodes::{NodeId, Nodes, names};
use crate::edit::operation::Siblings;
use crate::edit::scene::SceneEdit;

/// A place among siblings: among all, and among those that a text lists.
pub(super) struct Position {
    pub(super) index: usize,
    pub(super) own: usize,
}

impl SceneEdit {
    /// The name, or the name with a number if a sibling has it (`Node::_generate_serial_child_name`, scene/main/node.cpp,
    /// Godot 4.6.3, with the default of the project setting `editor/naming/node_name_num_separator`).
    pub(super) fn free_name(&self, parent: NodeId, inner: &[String], name: &str) -> String {
        let is_taken = |name: &str| {
            self.nodes.child(parent, name).is_some() || inner.iter().any(|inner| inner == name)
        };
        if !is_taken(name) {
            return name.to_owned();
        }
        let stem = name.trim_end_matches(|digit: char| digit.is_ascii_digit());
        let mut digits = name[stem.len()..].to_owned();
        loop {
            digits = if digits.is_empty() { "2".to_owned() } else { increased(&digits) };
            let attempt = format!("{stem}{digits}");
            if !is_taken(&attempt) {
                return attempt;
            }
        }
    }

    /// Where a new child comes.
    pub(super) fn place_among(
        &self,
        parent: NodeId,
        inner: &[String],
        place: &Siblings,
    ) -> Result<Position, EditErrorKind> {
        let own = self.nodes.children(parent);
        if inner.is_empty() && *place == Siblings::default() {
            return Ok(Position { index: own.len(), own: own.len() });
        }
        let all = self.names_in_order(parent, inner);
        let position = |name: &str| {
            all.iter().position(|other| *other == name).ok_or_else(|| {
                let near =
                    godot_tscn::nearest(name.as_bytes(), all.iter().map(|name| name.as_bytes()));
                let near = near.map(String::from_utf8_lossy);
                EditErrorKind::not_found(format!("the sibling `{name}`"), near.as_deref())
            })
        };
        let count = all.len();
        let index = match place {
            Siblings { before: None, after: None, index: None } => count,
            Siblings { before: Some(name), after: None, index: None } => position(name)?,
            Siblings { before: None, after: Some(name), index: None } => position(name)? + 1,
            Siblings { before: None, after: None, index: Some(index) } => {
                let from_end = || count as i64 + 1 + index;
                let index = if *index < 0 { from_end() } else { *index };
                usize::try_from(index).ok().filter(|index| *index <= count).ok_or_else(|| {
                    EditErrorKind::Refused(format!("the index must be from 0 to {count}"))
                })?
            }
            _ => {
                let reason = "give only one of `before`, `after` and `index`".to_owned();
                return Err(EditErrorKind::Refused(reason));
            }
        };
        // Among the siblings that this text lists: after those that come before it.
        let before: HashSet<&str> = all[..index].iter().copied().collect();
        let own = own.iter().filter(|child| before.contains(self.nodes.name(**child))).count();
        Ok(Position { index, own })
    }

    /// The names of all children: those of instanced scenes, and among them those of this text, where their `index` says.
    pub(super) fn names_in_order<'s>(
        &'s self,
        parent: NodeId,
        inner: &'s [String],
    ) -> Vec<&'s str> {
        let known: HashSet<&str> = inner.iter().map(String::as_str).collect();
        let mut all: Vec<_> = inner.iter().map(|name| (None, name.as_str())).collect();
        for child in self.nodes.children(parent) {
            let name = self.nodes.name(*child);
            if !known.contains(name) {
                let index =
                    self.nodes.section(*child).and_then(|section| self.text(section, "index"));
                all.push((index.and_then(|index| index.parse().ok()), name));
            }
        }
        in_sibling_order(all)
    }

    /// Lets the siblings behind a new node count on.
    pub(super) fn shift_indices(&mut self, parent: NodeId, from: usize) {
        let behind = self.nodes.children(parent)[from..].to_vec();
        for sibling in behind {
            let Some(section) = self.nodes.section(sibling) else { continue };
            let index = self.text(section, "index").and_then(|index| index.parse::<u32>().ok());
            if let Some(index) = index {
                self.document.set_field(section, "index", format!("\"{}\"", index + 1));
            }
        }
    }

    /// Lets the siblings behind a node that went count on.
    pub(super) fn close_gap(&mut self, parent: NodeId, from: usize) {
        let behind = self.nodes.children(parent).get(from..).unwrap_or_default().to_vec();
        for sibling in behind {
            let Some(section) = self.nodes.section(sibling) else { continue };
            let index = self.text(section, "index").and_then(|index| index.parse::<u32>().ok());
            if let Some(index) = index.and_then(|index| index.checked_sub(1)) {
                self.document.set_field(section, "index", format!("\"{index}\""));
            }
        }
    }

    /// Whether nodes below this one keep their place: in an inherited scene, or below a node of an instanced one
    /// (`SceneState::_parse_node`, scene/resources/packed_scene.cpp, Godot 4.6.3).
    pub(super) fn keeps_index(&self, project: &Project, parent: &str) -> bool {
        let inherits = self
            .nodes
            .section(Nodes::ROOT)
            .is_some_and(|root| self.document.field(root, "instance").is_some());
        let is_inner = || {
            let node = self.nodes.find(parent);
            !node.is_some_and(|node| self.makes(node)) && self.base(project, parent).is_some()
        };
        inherits || is_inner()
    }

    /// The places on the way from the root to a node, which order nodes as they stand in the tree.
    pub(super) fn tree_order(&self, project: &Project, path: &str) -> Vec<usize> {
        let mut node = Some(Nodes::ROOT);
        let mut walked = String::from(".");
        let mut order = Vec::new();
        for name in names(path) {
            let inner = self.inner_names(project, &walked);
            let own = node.map(|node| self.names_in_order(node, &inner));
            let all = own.unwrap_or_else(|| inner.iter().map(String::as_str).collect());
            order.push(all.iter().position(|other| *other == name).unwrap_or(usize::MAX));
            node = node.and_then(|node| self.nodes.child(node, name));
            walked = if walked == "." { name.to_owned() } else { format!("{walked}/{name}") };
        }
        order
    }
}

/// `increase_numeric_string` (scene/main/node.cpp)
fn increased(digits: &str) -> String {
    let mut bytes = digits.as_bytes().to_vec();
    for byte in bytes.iter_mut().rev() {
        if *byte != b'9' {
            *byte += 1;
            return String::from_utf8_lossy(&bytes).into_owned();
        }
        *byte = b'0';
    }
    format!("1{}", String::from_utf8_lossy(&bytes))
}
