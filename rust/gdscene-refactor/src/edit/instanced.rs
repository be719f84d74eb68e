//! `editable`, and the nodes of instanced scenes that a text changes.

use std::mem;

use godot_project::{NodeInTree, Project};
use godot_tscn::{SectionId, TagKind, quoted_name};
use hashbrown::HashSet;

use crate::edit::Outcome;
use crate::edit::error::EditErrorKind;
use crate::edit::nodes::{NodeId, Nodes};
use crate::edit::properties::Holder;
use crate::edit::scene::SceneEdit;

impl SceneEdit {
    /// Checks that the node at a path may be changed here: the instances around it are editable.
    pub(super) fn check_editable(
        &self,
        project: &Project,
        path: &str,
    ) -> Result<(), EditErrorKind> {
        let mut walked = String::from(".");
        for name in crate::edit::nodes::names(path) {
            let outer = mem::take(&mut walked);
            walked = if outer == "." { name.to_owned() } else { format!("{outer}/{name}") };
            let is_own = self.nodes.find(&walked).is_some_and(|node| self.makes(node));
            if !is_own && outer != "." && self.is_closed(project, &outer) {
                let reason = format!(
                    "`{path}` is a node of the scene that `{outer}` is an instance of; change that scene, or make its \
                     nodes editable here first: {{\"op\": \"editable\", \"node\": \"{outer}\"}}"
                );
                return Err(EditErrorKind::Refused(reason));
            }
        }
        Ok(())
    }

    /// Whether a node is an instance of a scene with nodes that cannot be changed here.
    fn is_closed(&self, project: &Project, path: &str) -> bool {
        let Some(base) = self.base(project, path) else { return false };
        base.node().is_instance_root()
            && !base.node().is_editable()
            && !self.editables.contains(path)
    }

    /// The node at a path, added among its siblings at its place in the tree.
    pub(super) fn node_in_order(&mut self, project: &Project, path: &str) -> NodeId {
        if let Some(node) = self.nodes.find(path) {
            return node;
        }
        let (parent, name) = path.rsplit_once('/').unwrap_or((".", path));
        let parent_node = self.node_in_order(project, parent);
        let inner = self.inner_names(project, parent);
        let all = self.names_in_order(parent_node, &inner);
        let before = all.iter().take_while(|other| **other != name).copied();
        let before: HashSet<&str> = before.collect();
        let listed = self.nodes.children(parent_node).iter();
        let at = listed.filter(|child| before.contains(self.nodes.name(**child))).count();
        drop(before);
        self.nodes.insert(parent_node, at, name)
    }

    /// The names of the children that other scenes give a node.
    pub(super) fn inner_names(&self, project: &Project, path: &str) -> Vec<String> {
        let base = self.base(project, path);
        base.iter().flat_map(NodeInTree::children).map(str::to_owned).collect()
    }

    /// The section of a node, which is made if the node is one of an instanced scene.
    pub(super) fn section_for(
        &mut self,
        project: &Project,
        path: &str,
    ) -> Result<SectionId, EditErrorKind> {
        if let Some(section) = self.nodes.find(path).and_then(|node| self.nodes.section(node)) {
            return Ok(section);
        }
        self.check_editable(project, path)?;
        let (parent, name) = path.rsplit_once('/').unwrap_or((".", path));
        let node = self.node_in_order(project, path);
        let parent_node = self.nodes.parent(node).unwrap_or(Nodes::ROOT);
        let inner = self.inner_names(project, parent);
        let all = self.names_in_order(parent_node, &inner);
        let index = all.iter().position(|other| *other == name).unwrap_or(inner.len());
        let section = self.document.insert("node", self.nodes.section_before(node));
        self.nodes.set_section(node, section);
        self.document.set_field(section, "name", quoted_name(name));
        self.document.set_field(section, "parent", quoted_name(parent));
        if let Some(ids) = self.parent_ids(project, parent) {
            self.document.set_field(section, "parent_id_path", ids);
        }
        self.document.set_field(section, "index", format!("\"{index}\""));
        let made = self.base(project, path).and_then(|base| base.node().unique_id());
        if let Some(id) = made.filter(|_| self.has_node_ids(project)) {
            self.document.set_field(section, "unique_id", id.to_string());
        }
        self.note_parent(project, node);
        Ok(section)
    }

    /// The field `parent_id_path` of a child: the ids of the nodes on the way to a parent that has no tag here.
    pub(super) fn parent_ids(&self, project: &Project, parent: &str) -> Option<String> {
        let node = self.nodes.find(parent)?;
        if self.nodes.section(node).is_some() || !self.has_node_ids(project) {
            return None;
        }
        let ids = self.id_path(project, parent)?;
        let ids: Vec<String> = ids.iter().map(i32::to_string).collect();
        Some(format!("PackedInt32Array({})", ids.join(", ")))
    }

    /// The ids from a node of this scene to one of a scene inside it, an id for each scene on the way.
    pub(super) fn id_path(&self, project: &Project, path: &str) -> Option<Vec<i32>> {
        // Those of each node on the way.
        let mut ways: Vec<Vec<i32>> = vec![Vec::new()];
        let mut walked = String::from(".");
        let mut node = Some(Nodes::ROOT);
        for name in crate::edit::nodes::names(path) {
            walked = if walked == "." { name.to_owned() } else { format!("{walked}/{name}") };
            node = node.and_then(|node| self.nodes.child(node, name));
            if let Some(node) = node.filter(|node| self.makes(*node)) {
                ways.push(vec![self.text(self.nodes.section(node)?, "unique_id")?.parse().ok()?]);
                continue;
            }
            let base = self.base(project, &walked)?;
            let owner = ways.len() + base.nodes_to_owner()?;
            let mut ids = ways.get(owner.checked_sub(base.ancestry().len())?)?.clone();
            ids.push(base.node().unique_id()?);
            ways.push(ids);
        }
        ways.pop()
    }

    /// `editable`
    pub(super) fn set_editable(
        &mut self,
        project: &Project,
        path: &str,
        on: bool,
    ) -> Result<Outcome, EditErrorKind> {
        let path = self.plain_path(path)?;
        let Some(object) = self.node_object(project, &path) else {
            return Err(self.no_node(project, &path));
        };
        let is_instance =
            path != "." && object.base.as_ref().is_some_and(|base| base.node().is_instance_root());
        if !is_instance {
            return Err(EditErrorKind::Refused(format!("`{path}` is not an instance of a scene")));
        }
        let sections: Vec<SectionId> = self.document.sections().collect();
        let tags: Vec<SectionId> = sections
            .into_iter()
            .filter(|section| self.document.kind(*section) == TagKind::Editable)
            .collect();
        let known =
            tags.iter().copied().find(|tag| self.text(*tag, "path").as_ref() == Some(&path));
        let not = if on { "" } else { "not " };
        let what = format!("made the children of `{path}` {not}editable");
        match (known, on) {
            (None, true) if object.base.is_some_and(|base| base.node().is_editable()) => {
                let notes = vec!["its own scene already makes its children editable".to_owned()];
                return Ok(Outcome { what, notes, ..Outcome::default() });
            }
            (None, true) => {
                let own = self.tree_order(project, &path);
                let mut before = tags.iter().copied().filter(|tag| {
                    self.text(*tag, "path")
                        .is_some_and(|other| self.tree_order(project, &other) < own)
                });
                let last = self
                    .document
                    .sections()
                    .filter(|section| self.document.kind(*section) != TagKind::Editable)
                    .last();
                let behind = before.next_back().or(last);
                let tag = self.document.insert("editable", behind);
                self.document.set_field(tag, "path", quoted_name(&path));
                self.editables.insert(path);
            }
            (Some(tag), false) => {
                let changed = self.nodes.find(&path).map(|node| self.changed_below(node));
                if let Some(changed) = changed.filter(|changed| !changed.is_empty()) {
                    let reason = format!(
                        "`{}` has changes here that would be lost; `unset` them first",
                        changed.join("`, `")
                    );
                    return Err(EditErrorKind::Refused(reason));
                }
                self.document.remove(tag);
                self.editables.remove(&path);
            }
            _ => {}
        }
        Ok(Outcome { what, ..Outcome::default() })
    }

    /// The nodes of the instanced scene, or new ones below them, that have tags below a node.
    fn changed_below(&self, node: NodeId) -> Vec<String> {
        let mut changed = Vec::new();
        let mut open = self.nodes.children(node).to_vec();
        while let Some(node) = open.pop() {
            if self.nodes.section(node).is_some() && !self.makes(node) {
                changed.push(self.nodes.path(node));
            }
            open.extend(self.nodes.children(node));
        }
        changed
    }

    /// Removes the tag of a node of an instanced scene that says nothing any more.
    pub(super) fn drop_if_empty(&mut self, project: &Project, holder: &Holder) {
        let Holder::Node(path) = holder else { return };
        let Some(node) = self.nodes.find(path) else { return };
        let Some(section) = self.nodes.section(node).filter(|_| !self.makes(node)) else { return };
        let is_empty = self.document.properties(section).len() == 0
            && self.document.field(section, "groups").is_none();
        if is_empty {
            self.document.remove(section);
            self.nodes.clear_section(node);
            self.note_parent(project, node);
        }
    }

    /// Keeps the field `parent_id_path` of the children of a node that got a tag or lost it: Godot writes it where the parent has
    /// none.
    fn note_parent(&mut self, project: &Project, parent: NodeId) {
        let has_tag = self.nodes.section(parent).is_some();
        let ids = self.parent_ids(project, &self.nodes.path(parent));
        for child in self.nodes.children(parent).to_vec() {
            let Some(section) = self.nodes.section(child) else { continue };
            match &ids {
                // Without ids, an older Godot saved the text.
                Some(ids) if self.document.field(section, "unique_id").is_some() => {
                    self.document.set_field(section, "parent_id_path", ids.as_str());
                }
                None if has_tag => self.document.remove_field(section, "parent_id_path"),
                _ => {}
            }
        }
    }
}
