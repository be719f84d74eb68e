//! The data in all texts together on one place in a tree.

use std::sync::Arc;

use hashbrown::{HashMap, HashSet};

use crate::facts::ScriptUse;
use crate::project::{FileId, Project, ResolvedPath};
use crate::settings::lossy;
use crate::tree::{Inner, SceneTree, When};

/// One place in the tree of a scene and of all that is instanced in it.
#[derive(Clone, Debug)]
pub struct Node {
    /// The data in the texts on the place: the scene's own first, then inwards.
    pub(super) layers: Vec<Layer>,
    /// Whether a scene with unknown nodes covers the place.
    pub(super) is_opaque: bool,
}

#[derive(Clone, Debug)]
pub(super) struct Layer {
    pub(super) tree: Arc<SceneTree>,
    pub(super) entry: u32,
    /// Whether it is the scene's own text, and not that of an instanced or inherited one.
    pub(super) is_own: bool,
    /// The tag of the scene's own text that brings the layer in: the one that makes the node.
    pub(super) brought_by: Option<u32>,
}

/// A node's script is inside a scene, or is unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownScript;

/// At most this number of texts may have data on one node; with more, their data is unknown.
const MAX_LAYERS: usize = 64;

impl Node {
    /// The root of a scene.
    pub fn root(project: &Project, tree: &Arc<SceneTree>) -> Self {
        let mut node = Self { layers: Vec::new(), is_opaque: false };
        node.push(project, tree, 0, true);
        node
    }

    /// A node that one scene's own text makes, with what the scene that it is made of says.
    pub(super) fn made_in(project: &Project, tree: &Arc<SceneTree>, entry: u32) -> Self {
        let mut node = Self { layers: Vec::new(), is_opaque: false };
        node.push(project, tree, entry, true);
        node
    }

    /// A node that one scene's own text makes, and all above it.
    pub(super) fn of_one_text(tree: &Arc<SceneTree>, entry: u32) -> Self {
        let brought_by = tree.entry(entry).definition;
        let layer = Layer { tree: Arc::clone(tree), entry, is_own: true, brought_by };
        Self { layers: vec![layer], is_opaque: false }
    }

    /// Adds the data in a text on the node, and then its scene. Existing data is not added again: it comes by
    /// another way, or scenes inherit each other in a circle.
    fn push(&mut self, project: &Project, tree: &Arc<SceneTree>, entry: u32, is_own: bool) {
        let (mut tree, mut entry, mut is_own) = (Arc::clone(tree), entry, is_own);
        let brought_by = is_own.then(|| tree.entry(entry).definition).flatten();
        let start = self.layers.len();
        while self.layers.len() < MAX_LAYERS {
            let mut layers = self.layers.iter_mut().enumerate();
            let same =
                layers.find(|(_, layer)| layer.entry == entry && layer.tree.path == tree.path);
            if let Some((index, layer)) = same {
                layer.brought_by = layer.brought_by.and(brought_by);
                self.is_opaque |= index >= start;
                return;
            }
            let inner = tree.entry(entry).inner;
            self.is_opaque |= entry == 0 && tree.is_opaque();
            self.layers.push(Layer { tree, entry, is_own, brought_by });
            match inner {
                Inner::None => return,
                Inner::Opaque => break,
                Inner::Scene(file) => {
                    let Some(inner) = project.tree(file) else { break };
                    tree = Arc::clone(inner);
                    (entry, is_own) = (0, false);
                }
            }
        }
        self.is_opaque = true;
    }

    /// The child called `name`; nothing if it certainly does not exist.
    pub(super) fn child(&self, project: &Project, name: &str, when: When) -> Option<Self> {
        let mut child = Self { layers: Vec::new(), is_opaque: false };
        for layer in &self.layers {
            if let Some(entry) = layer.tree.child(layer.entry, name) {
                child.push(project, &layer.tree, entry, layer.is_own);
            }
        }
        if child.is_defined(when) {
            return Some(child);
        }
        child.is_opaque = self.is_opaque;
        child.is_opaque.then_some(child)
    }

    /// Whether one of the texts makes a node here.
    pub(super) fn is_defined(&self, when: When) -> bool {
        self.layers.iter().any(|layer| {
            let is_there = match when {
                // Other scenes are complete by then.
                When::Before(tag) => layer.brought_by.is_none_or(|brought_by| brought_by < tag),
                When::AtTheEnd => true,
            };
            is_there && layer.tree.entry(layer.entry).definition.is_some()
        })
    }

    /// The layers in which the node is the root of the scene.
    pub(super) fn root_layers(&self) -> impl Iterator<Item = &Layer> {
        self.layers.iter().filter(|layer| layer.entry == 0)
    }

    /// Whether the node is the root of an instanced or inherited scene, or may be.
    pub fn is_instance_root(&self) -> bool {
        self.is_opaque || self.root_layers().next().is_some()
    }

    /// Whether unknown nodes may be below this one.
    pub fn is_opaque(&self) -> bool {
        self.is_opaque
    }

    /// The class that makes the node, if it is known. Its script may extend it.
    pub fn class(&self) -> Option<&str> {
        self.layers.iter().find_map(|layer| {
            let entry = layer.tree.entry(layer.entry);
            layer.tree.tags()[entry.definition? as usize].class.as_deref()
        })
    }

    /// The `unique_id` of the tag that makes the node.
    pub fn unique_id(&self) -> Option<i32> {
        let made = self.layers.iter().find_map(|layer| {
            let definition = layer.tree.entry(layer.entry).definition?;
            layer.tree.tags().get(definition as usize)
        });
        made?.unique_id
    }

    /// The groups that the texts put the node into.
    pub fn groups(&self, project: &Project) -> Vec<String> {
        let of_layer = |layer: &Layer| {
            layer.read(project, |section| {
                let groups = section.field("groups")?;
                let tree = groups.value_tree();
                let names = tree.root().children().filter_map(|part| Some(lossy(&part.text()?)));
                Some(names.collect::<Vec<String>>())
            })
        };
        self.layers.iter().filter_map(of_layer).flatten().collect()
    }

    /// The source text of a property, of the first text that says something of it.
    pub fn value(&self, project: &Project, key: &str) -> Option<String> {
        self.layers.iter().find_map(|layer| {
            layer.read(project, |section| {
                let mut properties = section.properties();
                let property = properties.rfind(|found| *found.engine_key() == *key.as_bytes())?;
                Some(lossy(property.source()))
            })
        })
    }

    /// All properties that the texts give the node: for each its key, its source text, and the path of the first text with it.
    pub fn values(&self, project: &Project) -> Vec<(String, String, String)> {
        let mut values: Vec<(String, String, String)> = Vec::new();
        for layer in &self.layers {
            let of_layer = layer.read(project, |section| {
                let pair = |property: godot_tscn::Property<'_>| {
                    (lossy(&property.engine_key()), lossy(property.source()))
                };
                Some(section.properties().map(pair).collect::<HashMap<_, _>>())
            });
            let known: HashSet<String> = values.iter().map(|(key, ..)| key.clone()).collect();
            let new = of_layer.into_iter().flatten().filter(|(key, _)| !known.contains(key));
            values.extend(new.map(|(key, value)| (key, value, layer.tree.path.clone())));
        }
        values
    }

    /// The file of the node's script.
    ///
    /// # Errors
    /// When the script is inside a scene, or is unknown.
    pub fn script(&self, project: &Project) -> Result<Option<FileId>, UnknownScript> {
        for layer in &self.layers {
            match layer.tree.script(layer.entry) {
                ScriptUse::Unset => {}
                ScriptUse::Removed => return Ok(None),
                ScriptUse::Inline => return Err(UnknownScript),
                ScriptUse::External(index) => {
                    let resource = &layer.tree.facts.ext_resources[index as usize];
                    return match project.resolve_external(&layer.tree.path, resource) {
                        ResolvedPath::File(file) => Ok(Some(file)),
                        _ => Err(UnknownScript),
                    };
                }
            }
        }
        if self.is_opaque { Err(UnknownScript) } else { Ok(None) }
    }

    /// Whether the node has a unique name: `%Name` finds it.
    pub fn is_unique(&self) -> bool {
        let mut said = self.layers.iter().map(|layer| layer.tree.is_unique(layer.entry));
        said.find_map(|said| said).unwrap_or(false)
    }

    /// Whether an `editable` tag opens the instance that the node is the root of.
    pub fn is_editable(&self) -> bool {
        self.layers.iter().any(|layer| layer.entry != 0 && layer.tree.is_editable(layer.entry))
    }
}

impl Layer {
    /// The result of `read` for the node's tag in the file.
    fn read<T>(
        &self,
        project: &Project,
        read: impl Fn(godot_tscn::Section<'_>) -> Option<T>,
    ) -> Option<T> {
        let tag = self.tree.entry(self.entry).first_tag?;
        let section = self.tree.tags().get(tag as usize)?.section;
        let text = project.read(project.file(&self.tree.path)?).ok()?;
        let document = godot_tscn::parse(&text);
        // The file may have changed since.
        let is_there = (section as usize) < document.sections().len();
        is_there.then(|| read(document.section(section))).flatten()
    }
}
