//! `remove`

use godot_project::Project;
use godot_project::property_path::node_path;
use godot_project::settings::lossy;
use godot_tscn::{PartKind, SectionId, TagKind, ValueTree};

use crate::edit::Outcome;
use crate::edit::error::EditErrorKind;
use crate::edit::nodes::Nodes;
use crate::edit::properties::NODE_PATHS;
use crate::edit::scene::SceneEdit;

impl SceneEdit {
    /// `remove`
    pub(super) fn remove_node(
        &mut self,
        project: &Project,
        path: &str,
        with_references: bool,
    ) -> Result<Outcome, EditErrorKind> {
        let path = self.plain_path(path)?;
        let refuse = |reason: String| Err(EditErrorKind::Refused(reason));
        if path == "." {
            return refuse("the root cannot be removed; remove the file instead".to_owned());
        }
        let Some(node) = self.nodes.find(&path).filter(|node| self.nodes.section(*node).is_some())
        else {
            return match self.base(project, &path) {
                Some(_) => {
                    refuse(format!("`{path}` is a node of an instanced scene; remove it there"))
                }
                None => Err(self.no_node(project, &path)),
            };
        };
        if !self.makes(node) {
            return refuse(format!(
                "`{path}` is a node of an instanced scene; remove it there, or `unset` its changes here"
            ));
        }
        let references = self.references_into(&path);
        let parent = self.nodes.parent(node).unwrap_or(Nodes::ROOT);
        let at = self.nodes.children(parent).iter().position(|child| *child == node);
        let sections = self.nodes.remove(node);
        let count = sections.len();
        let parent_path = self.nodes.path(parent);
        if self.keeps_index(project, &parent_path) {
            self.close_gap(parent, at.unwrap_or(usize::MAX));
        }
        sections.into_iter().for_each(|section| self.drop_section(section));
        let connections = self.drop_connections(&path);
        let mut outcome = Outcome { what: format!("removed `{path}`"), ..Outcome::default() };
        if count > 1 {
            outcome.notes.push(format!("also removed {}", counted(count - 1, "child node")));
        }
        if connections > 0 {
            let connections = counted(connections, "connection");
            outcome.notes.push(format!("also removed {connections}"));
        }
        for (section, owner, key) in references {
            if !self.document.is_there(section) {
                continue;
            }
            if with_references {
                if let Some(object) = self.node_object(project, &owner) {
                    self.take(&object, section, &key);
                }
                outcome.notes.push(format!("`{owner}:{key}` referred to it and was reset"));
            } else if self.is_node_path(section, &key) {
                self.document.set_property(section, &key, "NodePath(\"\")", 0);
                outcome.notes.push(format!(
                    "`{owner}:{key}` referred to it and is now empty, as Godot saves it"
                ));
            } else {
                outcome.notes.push(format!("`{owner}:{key}` still refers to it"));
            }
        }
        Ok(outcome)
    }

    /// Whether a property holds the path of a node for a variable.
    fn is_node_path(&self, section: SectionId, key: &str) -> bool {
        self.document.field(section, NODE_PATHS).is_some_and(|listed| {
            let tree = ValueTree::new(listed);
            let mut keys = tree.root().children();
            keys.any(|part| part.text().is_some_and(|listed| *listed == *key.as_bytes()))
        }) && self
            .document
            .property(section, key)
            .is_some_and(|value| value.starts_with(b"NodePath("))
    }

    /// Removes a section; its resources lose a use.
    pub(super) fn drop_section(&mut self, section: SectionId) {
        let values: Vec<String> = self.document.values(section).map(lossy).collect();
        for value in &values {
            self.count(Some(value), None);
        }
        self.document.remove(section);
    }

    /// Removes the connections and `editable` tags of a node and of all below it. Returns how many connections.
    fn drop_connections(&mut self, path: &str) -> usize {
        let is_inside =
            |found: Option<String>| found.is_some_and(|found| is_at_or_below(&found, path));
        let gone: Vec<SectionId> = self
            .connections
            .iter()
            .copied()
            .filter(|section| {
                is_inside(self.text(*section, "from")) || is_inside(self.text(*section, "to"))
            })
            .collect();
        let gone_set: hashbrown::HashSet<SectionId> = gone.iter().copied().collect();
        self.connections.retain(|section| !gone_set.contains(section));
        let count = gone.len();
        gone.into_iter().for_each(|section| self.drop_section(section));
        if self.editables.is_empty() {
            return count;
        }
        let sections = self.document.sections();
        let tags: Vec<SectionId> = sections
            .filter(|section| {
                self.document.kind(*section) == TagKind::Editable
                    && is_inside(self.text(*section, "path"))
            })
            .collect();
        tags.into_iter().for_each(|section| self.document.remove(section));
        self.editables.retain(|editable| !is_at_or_below(editable, path));
        count
    }

    /// The properties of nodes outside that hold a path to a node or to one below it: section, node, property.
    fn references_into(&self, path: &str) -> Vec<(SectionId, String, String)> {
        let mut found = Vec::new();
        if !self.holds_node_paths {
            return found;
        }
        for section in self.document.sections() {
            if self.document.kind(section) != TagKind::Node {
                continue;
            }
            let name = self.text(section, "name").unwrap_or_default();
            let owner = match self.text(section, "parent").as_deref() {
                None => ".".to_owned(),
                Some(".") => name,
                Some(parent) => format!("{parent}/{name}"),
            };
            if is_at_or_below(&owner, path) {
                continue;
            }
            for (key, value) in self.document.properties(section) {
                if names_node(value, &owner, path) {
                    found.push((section, owner.clone(), lossy(&key)));
                }
            }
        }
        found
    }
}

fn is_at_or_below(path: &str, of: &str) -> bool {
    path.strip_prefix(of).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// Whether a value of the node `owner` holds a path to the node at `path` or below.
fn names_node(value: &[u8], owner: &str, path: &str) -> bool {
    if memchr::memmem::find(value, b"NodePath").is_none() {
        return false;
    }
    let tree = ValueTree::new(value);
    tree.parts().filter(|part| part.kind() == PartKind::Construct).any(|part| {
        let Some(target) = part.inner_text("NodePath") else { return false };
        let target = lossy(&target);
        let target = target.split(':').next().unwrap_or_default();
        if target.is_empty() || target.starts_with(['/', '%']) {
            return false;
        }
        node_path(&format!("{owner}/{target}")).is_ok_and(|target| is_at_or_below(&target, path))
    })
}

/// `1 node`, `2 nodes`
fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}
