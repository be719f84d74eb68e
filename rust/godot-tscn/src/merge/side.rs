//! One of the three texts, with its lookup tables.

use std::borrow::Cow;

use hashbrown::HashMap;
use memchr::memmem;

use crate::document::{Document, Field, Reference, ReferenceKind, Section, TagKind};
use crate::merge::tree::{Goal, Tree, first_name};

/// The index of each of the three texts in lists of three.
pub(crate) const BASE: usize = 0;
pub(crate) const OURS: usize = 1;
pub(crate) const THEIRS: usize = 2;

/// An index that leads nowhere.
pub(crate) const NONE: u32 = u32::MAX;

/// A text with its nodes and the ids of its resources.
#[derive(Debug)]
pub(crate) struct Side<'d> {
    pub(crate) document: &'d Document<'d>,
    pub(crate) tree: Tree<'d>,
    /// For each section, the node of the tree; [`NONE`] for the others.
    pub(crate) node_of: Vec<u32>,
    /// The sections of the resources, by id. Godot takes the last `ext_resource` and the first `sub_resource` of an id.
    pub(crate) exts: HashMap<Cow<'d, [u8]>, u32>,
    pub(crate) subs: HashMap<Cow<'d, [u8]>, u32>,
    /// The nodes that paths reach by `%` and their name.
    unique_names: HashMap<Cow<'d, [u8]>, u32>,
}

impl<'d> Side<'d> {
    pub(crate) fn new(document: &'d Document<'d>) -> Self {
        let mut side = Self {
            document,
            tree: Tree::default(),
            node_of: vec![NONE; document.sections().len()],
            exts: HashMap::new(),
            subs: HashMap::new(),
            unique_names: HashMap::new(),
        };
        for section in document.sections() {
            let index = section.index();
            match section.kind() {
                TagKind::ExtResource => {
                    if let Some(id) = section.field_text("id") {
                        side.exts.insert(id, index);
                    }
                }
                TagKind::SubResource => {
                    if let Some(id) = section.field_text("id") {
                        side.subs.entry(id).or_insert(index);
                    }
                }
                TagKind::Node => {
                    let name = section.field_text("name").unwrap_or_default();
                    let parent = section.field_text("parent");
                    side.node_of[index as usize] = side.tree.push(index, name, parent);
                }
                _ => {}
            }
        }
        side.find_unique_names();
        side
    }

    fn find_unique_names(&mut self) {
        const PROPERTY: &[u8] = b"unique_name_in_owner";
        if memmem::find(self.document.text(), PROPERTY).is_none() {
            return;
        }
        for (index, node) in self.tree.nodes.iter().enumerate() {
            let mut properties = self.document.section(node.section).properties();
            let found = properties.rfind(|property| property.key().as_ref() == PROPERTY);
            if found.is_some_and(|found| found.source() == b"true") {
                self.unique_names.entry(node.name.clone()).or_insert(index as u32);
            }
        }
    }

    /// Whether paths reach the node by `%` and its name.
    pub(super) fn has_unique_name(&self, node: u32) -> bool {
        self.unique_names.get(&self.tree.nodes[node as usize].name) == Some(&node)
    }

    /// The node that a path begins at which begins with `%`, and the rest of the path.
    pub(super) fn unique_start<'p>(&self, path: &'p [u8]) -> Option<(u32, &'p [u8])> {
        let (name, rest) = first_name(path.strip_prefix(b"%")?);
        Some((*self.unique_names.get(name)?, rest))
    }

    /// Where a path leads from a node.
    pub(crate) fn walk<'p>(&self, from: u32, path: &'p [u8]) -> Goal<'p> {
        match self.unique_start(path) {
            Some((start, rest)) => self.tree.walk(start, rest),
            None => self.tree.walk(from, path),
        }
    }

    pub(crate) fn section(&self, index: u32) -> Section<'d> {
        self.document.section(index)
    }

    /// The sections of a kind.
    pub(crate) fn sections(&self, kind: TagKind) -> impl Iterator<Item = Section<'d>> + use<'d> {
        let document = self.document;
        document.sections().filter(move |section| section.kind() == kind)
    }

    /// The section that a reference leads to.
    pub(crate) fn target(&self, reference: &Reference) -> Option<u32> {
        let id = self.document.target(reference);
        match reference.kind {
            ReferenceKind::ExtResource => self.exts.get(&id).copied(),
            ReferenceKind::SubResource => self.subs.get(&id).copied(),
            ReferenceKind::Resource => None,
        }
    }

    /// The format that the header names; that of Godot 4 if it does not.
    pub(super) fn format(&self) -> i64 {
        let header = self.document.sections().next();
        header.and_then(|header| header.field("format")).and_then(Field::int).unwrap_or(3)
    }
}

/// Whether the section's node has something that distinguishes it from a change to a node of an
/// instance.
pub(crate) fn is_own_node(section: Section<'_>) -> bool {
    ["type", "instance", "instance_placeholder"].iter().any(|name| section.field(name).is_some())
}
