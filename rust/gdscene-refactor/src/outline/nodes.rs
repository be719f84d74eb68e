//! The walk through the tree of a scene.

use std::sync::Arc;

use godot_project::tree::ListedChild;
use godot_project::{Node, Project, SceneTree};
use hashbrown::HashSet;

use crate::outline::text::{SectionText, Texts};
use crate::outline::{ConnectionOutline, NodeOutline, Outline};

/// Nodes and connections are listed until their paths, and [`BYTES_OF_A_NODE`] for each, are so long. A scene that is instanced
/// twice in one that is instanced twice, and so on, would have no end. A path is as long as a node is deep.
const MOST_BYTES: usize = 64 << 20;
const BYTES_OF_A_NODE: usize = 64;

/// At most this number of tags without a node is named.
const MOST_TAGS: usize = 10;

/// A walk through the tree.
pub(super) struct Walk<'w, 'p> {
    project: &'p Project,
    texts: &'w mut Texts<'p>,
    is_resolved: bool,
    outline: &'w mut Outline,
    /// The path of the node that the walk is at.
    path: String,
    /// The scenes around the node.
    open_scenes: HashSet<String>,
    /// The places in the scene's own text that the walk has come to.
    seen: HashSet<u32>,
    bytes: usize,
}

/// A node with children that the walk visits.
struct Level {
    node: Node,
    children: std::vec::IntoIter<ListedChild>,
    /// How long its path is.
    path_len: usize,
    /// The scenes that it has opened.
    scenes: Vec<String>,
}

impl<'w, 'p> Walk<'w, 'p> {
    /// Lists the nodes and connections.
    pub(super) fn run(
        project: &'p Project,
        texts: &'w mut Texts<'p>,
        tree: &Arc<SceneTree>,
        is_resolved: bool,
        outline: &'w mut Outline,
    ) {
        if tree.tags().is_empty() {
            outline.notes.push("the scene has no nodes".to_owned());
            return;
        }
        let mut walk = Walk {
            project,
            texts,
            is_resolved,
            outline,
            path: String::new(),
            open_scenes: HashSet::new(),
            seen: HashSet::new(),
            bytes: 0,
        };
        let root = if is_resolved { Node::root(project, tree) } else { Node::listed_root(tree) };
        let root_name = tree.tags()[0].name.clone();
        if walk.all(root, root_name) {
            walk.note_other_tags(tree);
        } else {
            let note = "too many or too deeply nested nodes; the rest is left out";
            walk.outline.notes.push(note.to_owned());
        }
    }

    /// Whether all nodes have been listed.
    fn all(&mut self, root: Node, name: String) -> bool {
        let mut levels: Vec<Level> = Vec::new();
        levels.extend(self.enter(root, name, 0));
        while let Some(level) = levels.last_mut() {
            self.path.truncate(level.path_len);
            let Some(child) = level.children.next() else {
                let closed = levels.pop().into_iter().flat_map(|level| level.scenes);
                closed.for_each(|scene| _ = self.open_scenes.remove(&scene));
                continue;
            };
            let name = level.node.name_of(child).to_owned();
            let node = if self.is_resolved {
                level.node.made_child(self.project, child)
            } else {
                Some(level.node.listed_child(child))
            };
            let Some(node) = node else { continue };
            if !self.path.is_empty() {
                self.path.push('/');
            }
            self.path.push_str(&name);
            let depth = levels.len();
            levels.extend(self.enter(node, name, depth));
            if self.bytes > MOST_BYTES {
                return false;
            }
        }
        true
    }

    /// Lists a node and its scenes' connections; the nodes below it, unless they have no end.
    fn enter(&mut self, node: Node, name: String, depth: usize) -> Option<Level> {
        let mut listed = NodeOutline {
            depth,
            name,
            path: if depth == 0 { ".".to_owned() } else { self.path.clone() },
            ..NodeOutline::default()
        };
        self.bytes += listed.path.len() + BYTES_OF_A_NODE;
        self.describe(&node, &mut listed);
        let inner = node.said().filter(|said| said.is_root && (depth == 0 || !said.is_own));
        let scenes: Vec<String> = inner.map(|said| said.path.to_owned()).collect();
        let circle = scenes.iter().find(|scene| self.open_scenes.contains(*scene));
        if let Some(scene) = circle {
            listed.opaque = Some(format!("`{scene}` contains itself"));
        } else if listed.opaque.is_none() && node.is_opaque() && !scenes.is_empty() {
            listed.opaque =
                Some("its scenes cannot be read, or inherit each other in a cycle".to_owned());
        }
        let is_circle = circle.is_some();
        self.outline.nodes.push(listed);
        if is_circle {
            return None;
        }
        scenes.iter().for_each(|scene| self.connections(scene));
        self.open_scenes.extend(scenes.iter().cloned());
        let children = if self.is_resolved { node.made_children() } else { node.listed_children() };
        Some(Level { node, children: children.into_iter(), path_len: self.path.len(), scenes })
    }

    fn describe(&mut self, node: &Node, listed: &mut NodeOutline) {
        let mut script = None;
        let mut keys: HashSet<String> = HashSet::new();
        for said in node.said() {
            if said.is_own {
                self.seen.insert(said.entry);
            }
            let Some(tag) = said.tag else { continue };
            let path = said.path;
            let read = |found: &SectionText| {
                listed.groups.extend(found.groups.iter().cloned());
                let new = found.properties.iter().filter(|key| !keys.contains(*key));
                listed.properties.extend(new.cloned());
                keys.extend(found.properties.iter().cloned());
                found.script.clone()
            };
            let value = section(self.project, self.texts, path, tag, read).flatten();
            if script.is_none() {
                script = value.map(|value| (path.to_owned(), value));
            }
        }
        let mut groups: HashSet<String> = HashSet::new();
        listed.groups.retain(|group| groups.insert(group.clone()));
        listed.script = script.and_then(|(path, value)| self.texts.script(&path, &value));
        let made_by = node.said().find(|said| said.definition.is_some());
        listed.is_override = made_by.is_none();
        listed.made_by = made_by.filter(|said| !said.is_own).map(|said| said.path.to_owned());
        listed.class = node.class().map(str::to_owned);
        listed.unique_name = node.is_unique();
        listed.is_editable = node.is_editable();
        if let Some((path, opaque)) = node.instance(self.project) {
            (listed.instance, listed.opaque) = (path, opaque);
        }
    }

    /// The connections in the text of the scene with the current node of the walk as its root.
    fn connections(&mut self, scene: &str) {
        let prefix = self.path.as_str();
        let joined = |path: &str| match path {
            _ if prefix.is_empty() => path.to_owned(),
            "." => prefix.to_owned(),
            path => format!("{prefix}/{path}"),
        };
        let is_own = *scene == *self.outline.file;
        let text = self.texts.get(scene);
        for connection in &text.connections {
            let (from, to) = (joined(&connection.from), joined(&connection.to));
            self.bytes += from.len() + to.len() + BYTES_OF_A_NODE;
            if self.bytes > MOST_BYTES {
                return;
            }
            let made_by = (!is_own).then(|| scene.to_owned());
            let connection = ConnectionOutline { from, to, made_by, ..connection.clone() };
            self.outline.connections.push(connection);
        }
    }

    /// Names the tags that make or change no node of the tree.
    fn note_other_tags(&mut self, tree: &Arc<SceneTree>) {
        let mut others = tree.tags_beside(&self.seen);
        let note = |(name, path): (&str, Option<String>)| match path {
            Some(path) => {
                format!(
                    "`{path}` is in the file, but not in the tree, because its parent is missing"
                )
            }
            None => format!("`{name}` is in the file, but its `parent` leads out of the scene"),
        };
        self.outline.notes.extend(others.by_ref().take(MOST_TAGS).map(note));
        let more = others.count();
        if more > 0 {
            self.outline.notes.push(format!("{more} more are not in the tree"));
        }
    }
}

/// The contents of the section of a `node` tag.
fn section<T>(
    project: &Project,
    texts: &mut Texts<'_>,
    path: &str,
    tag: u32,
    read: impl FnOnce(&SectionText) -> T,
) -> Option<T> {
    let tree = project.tree(project.file(path)?)?;
    let section = tree.tags().get(tag as usize)?.section;
    texts.get(path).section(section).map(read)
}
