//! Finds nodes by the ids that Godot 4.6 gives them, when their path has vanished.

use std::sync::Arc;

use crate::project::Project;
use crate::tree::{Inner, NodeInTree, NodeLookup, SceneTree};

/// Scenes are followed so far from heir to base.
const MAX_INHERITANCE: usize = 64;

/// The node that the ids lead to, which are those of the instances on the way, and then its own.
///
/// As `SceneState::_recover_node_path_index` (scene/resources/packed_scene.cpp, Godot 4.6.3).
pub(crate) fn by_ids(
    project: &Project,
    root: &NodeInTree,
    tree: &Arc<SceneTree>,
    ids: &[i32],
) -> NodeLookup {
    let (mut tree, mut path) = (Arc::clone(tree), Vec::new());
    for (index, id) in ids.iter().enumerate() {
        let Some((holder, tag)) = holder_of(project, &tree, *id) else {
            return NodeLookup::Missing;
        };
        let Some(entry) = holder.of_tag[tag] else { return NodeLookup::Missing };
        path.extend(holder.path_of(entry).into_iter().map(str::to_owned));
        if index + 1 == ids.len() {
            break;
        }
        match holder.entry(entry).inner {
            Inner::Scene(file) => match project.tree(file) {
                Some(inner) => tree = Arc::clone(inner),
                None => return NodeLookup::Unknown,
            },
            Inner::Opaque => return NodeLookup::Unknown,
            Inner::None => return NodeLookup::Missing,
        }
    }
    if ids.is_empty() { NodeLookup::Missing } else { root.find(project, &path.join("/")) }
}

/// The tree among `tree` and the scenes that it inherits in which a tag has this id, and the tag.
fn holder_of(project: &Project, tree: &Arc<SceneTree>, id: i32) -> Option<(Arc<SceneTree>, usize)> {
    let mut tree = Arc::clone(tree);
    for _ in 0..MAX_INHERITANCE {
        if let Some(tag) = tree.by_id.get(&id).map(|tag| *tag as usize) {
            return Some((tree, tag));
        }
        let Inner::Scene(base) = tree.entry(0).inner else { return None };
        tree = Arc::clone(project.tree(base)?);
    }
    None
}

impl NodeInTree {
    /// The node of the tag of an override with a lost name: one with its id in the scene of the nearest
    /// instance. `self` is the parent.
    ///
    /// As `SceneState::instantiate` does (scene/resources/packed_scene.cpp, Godot 4.6.3).
    pub fn override_by_id(&self, project: &Project, id: i32) -> Option<Self> {
        let mut base = self.clone();
        while base.stack_len() > 1 && !base.node().is_instance_root() {
            base.pop();
        }
        let path = base.owned_with_id(id)?;
        base.find(project, &path).place()
    }
}
