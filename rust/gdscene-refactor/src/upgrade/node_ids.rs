//! The `unique_id` of nodes, by which scenes of Godot 4.6 find a node that was renamed or moved.

use godot_project::{FileId, NodeInTree, Project, SceneNode};
use godot_tscn::{Document, Span, TagKind};
use hashbrown::{HashMap, HashSet};
use rayon::prelude::*;

use crate::ids::FreshNodeIds;

/// The ids of the nodes that scenes make, by the index of their tags.
pub(super) struct NodeIds {
    /// The new ids of each scene.
    new: HashMap<FileId, HashMap<u32, i32>>,
}

impl NodeIds {
    /// Gives ids to the nodes of `files` that have none.
    ///
    /// A node that a scene makes itself gets one that no other node in the text has, as in `SceneState::_parse_node`
    /// (scene/resources/packed_scene.cpp, Godot 4.6.3). A node of an instanced or inherited scene that the text only changes
    /// has the id that it has there, and a save writes that.
    pub(super) fn of(project: &Project, files: &[FileId]) -> Self {
        let scenes =
            files.iter().filter_map(|file| Some((*file, project.facts(*file).scene.as_ref()?)));
        let new = scenes.map(|(file, scene)| {
            let taken = scene.nodes.iter().filter_map(|node| node.unique_id);
            let mut fresh = FreshNodeIds::new(project.path(file), taken);
            let mut seen: HashSet<i32> = HashSet::new();
            let mut ids = HashMap::new();
            for node in &scene.nodes {
                // Of two nodes with one id, Godot gives the second another one.
                let is_missing = node.unique_id.is_none_or(|id| id == 0 || !seen.insert(id));
                if is_missing && is_own(node) {
                    ids.insert(node.section, fresh.id());
                }
            }
            (file, ids)
        });
        let mut ids = Self { new: new.filter(|(_, ids)| !ids.is_empty()).collect() };
        let work = |file: &FileId| (*file, ids.of_changed_nodes(project, *file));
        let changed: Vec<(FileId, Vec<(u32, i32)>)> = files.par_iter().map(work).collect();
        for (file, changed) in changed.into_iter().filter(|(_, changed)| !changed.is_empty()) {
            ids.new.entry(file).or_default().extend(changed);
        }
        ids
    }

    /// The ids of the nodes of other scenes that a scene changes, if its text does not contain them.
    fn of_changed_nodes(&self, project: &Project, file: FileId) -> Vec<(u32, i32)> {
        let Some(tree) = project.tree(file) else { return Vec::new() };
        let root = NodeInTree::root(project, tree);
        let is_changed = |node: &SceneNode| !is_own(node) && node.unique_id.is_none();
        let changed = tree.tags().iter().enumerate().filter(|(_, node)| is_changed(node));
        let ids = changed.filter_map(|(index, node)| {
            let place = root.find(project, &tree.path_of_tag(index as u32)?).place()?;
            let (path, tag) = place.node().made_by()?;
            Some((node.section, self.id_of(project, project.file(path)?, tag)?))
        });
        ids.collect()
    }

    /// The id that the node of a tag has, or gets.
    fn id_of(&self, project: &Project, file: FileId, tag: u32) -> Option<i32> {
        let scene = project.facts(file).scene.as_ref()?;
        let node = scene.nodes.get(tag as usize)?;
        let new = self.new.get(&file).and_then(|ids| ids.get(&node.section)).copied();
        new.or(node.unique_id).filter(|id| *id != 0)
    }

    /// The edits that write the ids into the tags of a text.
    pub(super) fn edits(
        &self,
        file: FileId,
        document: &Document<'_>,
        edits: &mut Vec<(Span, String)>,
    ) {
        let Some(ids) = self.new.get(&file) else { return };
        for section in document.sections().filter(|section| section.kind() == TagKind::Node) {
            let Some(id) = ids.get(&section.index()) else { continue };
            match section.field("unique_id") {
                Some(field) => edits.push((field.value_span(), id.to_string())),
                None => edits
                    .push((Span::empty(section.tag_span().end - 1), format!(" unique_id={id}"))),
            }
        }
    }
}

/// Whether the tag makes the node.
fn is_own(node: &SceneNode) -> bool {
    node.class.is_some() || node.instance.is_some()
}
