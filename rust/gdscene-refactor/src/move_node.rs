//! Another parent for a node of a scene, or another place among its siblings.

mod defaults;
mod indices;
mod tags;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use godot_project::{FileId, Node, NodeInTree, Plan, Project, SceneContext, SceneTree};
use godot_tscn::quote;

use crate::RefactorError;
use crate::draft::FileDraft;
use crate::move_node::indices::Order;
use crate::node_change::{
    ChangeKind, Names, NodeChange, Placed, check_siblings, joined, names_of, own_node, scene_at,
};

/// Plans the changes when the node at `path` in the scene at `scene` (`res://…`) gets the parent at `new_parent`, with all
/// nodes below it.
///
/// It becomes the last child, or the one with the number `at`, from 0, as Godot counts them. Its own transform stays, so a
/// visible node moves with its new parent.
///
/// ```
/// # let folder = tempfile::tempdir().unwrap();
/// # let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
/// # write("project.godot", "config_version=5\n");
/// # write("a.tscn", "[gd_scene format=3]\n\n[node name=\"A\" type=\"Node\"]\n\n[node name=\"B\" type=\"Node\" parent=\".\"]\n\n\
/// #     [node name=\"C\" type=\"Node\" parent=\"B\"]\n");
/// let project = godot_project::Project::open(folder.path())?;
/// let plan = gdscene_refactor::move_node(&project, "res://a.tscn", "B/C", ".", None)?;
/// assert!(plan.files[0].new_text().ends_with(b"[node name=\"C\" type=\"Node\" parent=\".\"]\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When there is no such scene or node, when another scene makes one of the two nodes, or when a file cannot be read. Also
/// when the new parent is the node itself or below it, or has a child of that name.
pub fn move_node(
    project: &Project,
    scene: &str,
    path: &str,
    new_parent: &str,
    at: Option<usize>,
) -> Result<Plan, RefactorError> {
    let (file, tree) = scene_at(project, scene)?;
    let old = own_node(project, file, tree, path)?;
    let parent = parent_node(project, file, tree, new_parent)?;
    let Some((name, old_parent)) = old.split_last() else {
        return Err(RefactorError::Refused("the root of a scene cannot get a parent".to_owned()));
    };
    if parent.starts_with(&old) {
        return Err(RefactorError::Refused(format!(
            "{} cannot move into itself or a node below it",
            quote(path.as_bytes())
        )));
    }
    if parent == old_parent && at.is_none() {
        return Err(RefactorError::Refused(format!(
            "{} already has this parent; give an index to change its position among its siblings",
            quote(path.as_bytes())
        )));
    }
    let (text, own) = (read(project, file)?, tree.tag_at(&joined(&old)).unwrap_or_default());
    let document = godot_tscn::parse(&text);
    let context = SceneContext::new(project, scene, &document);
    let siblings = Order::of(&context, &parent).without(own);
    let count = siblings.0.len();
    if at.is_some_and(|at| at > count) {
        let parent = quote(new_parent.as_bytes());
        return Err(RefactorError::Refused(format!("{parent} has only {count} other children")));
    }
    let at = at.unwrap_or(count);
    let new: Names = parent.iter().cloned().chain([name.clone()]).collect();
    let change = NodeChange::new(project, file, &old, &new, ChangeKind::Move)?;
    let moved = Move { old: &old, new_parent: &parent, at, next: siblings.next(at) };
    if parent != old_parent {
        check_siblings(&change, &new)?;
    }
    let title = format!(
        "move the node {} of `{scene}` to the parent {}",
        quote(path.as_bytes()),
        quote(joined(&parent).as_bytes())
    );
    change.plan(title, |context, draft| {
        if context.file == Some(file) {
            defaults::change(&moved, context, draft);
            indices::change(&moved, context, draft);
            doubt_transform(&moved, context, draft);
            tags::change(&moved, context, draft);
        } else if let Some(places) = context.file.and_then(|file| change.placed(file)) {
            for (old, placed) in places.iter().take(MOST_PLACES) {
                doubt_indices(old, placed, context, draft);
            }
        }
    })
}

/// The names of the path of a node that may get children in the text of the scene: its own, those of the scene that it
/// inherits, and those of instances with editable children.
fn parent_node(
    project: &Project,
    file: FileId,
    tree: &Arc<SceneTree>,
    path: &str,
) -> Result<Names, RefactorError> {
    let own = own_node(project, file, tree, path);
    if own.is_ok() || path.starts_with('/') {
        return own;
    }
    let found = NodeInTree::root(project, tree).find(project, path).place();
    let is_open = found.as_ref().is_some_and(|found| {
        let owner = found.nodes_to_owner().map(|count| &found.ancestry()[..count]);
        owner.is_some_and(|owner| owner.len() == 1 || owner.last().is_some_and(Node::is_editable))
    });
    match found.filter(|_| is_open) {
        Some(found) => Ok(names_of(&found.path())),
        None => own,
    }
}

/// In one scene, the siblings of at most this number of places are checked.
const MOST_PLACES: usize = 256;

/// Where a node goes.
struct Move<'a> {
    old: &'a [String],
    new_parent: &'a [String],
    /// Its number among the children of the new parent.
    at: usize,
    /// The section after its new tag; without such a section, the end of the parent's.
    next: Option<u32>,
}

/// The text of a scene, which has to be UTF-8: parts of it go to another place.
fn read(project: &Project, file: FileId) -> Result<Vec<u8>, RefactorError> {
    let path = || project.path(file).to_owned();
    let text =
        project.read(file).map_err(|source| RefactorError::Unreadable { path: path(), source })?;
    match std::str::from_utf8(&text) {
        Ok(_) => Ok(text.into_owned()),
        Err(_) => Err(RefactorError::Broken { path: path(), reason: "it is not UTF-8".to_owned() }),
    }
}

/// Says that a node that has a place in the world gets another one.
fn doubt_transform(moved: &Move<'_>, context: &SceneContext<'_>, draft: &mut FileDraft) {
    let has_place = |path: &[String]| {
        let object = context.attached_at(&joined(path));
        let classes = context.project.classes();
        let is = |base| object.native().is_some_and(|class| classes.inherits(class, base));
        ["Node2D", "Node3D", "Control"].into_iter().any(is)
    };
    let Some((_, old_parent)) = moved.old.split_last() else { return };
    if old_parent == moved.new_parent || !has_place(moved.old) {
        return;
    }
    if (has_place(old_parent) || has_place(moved.new_parent))
        && let Some(tag) = context.tree().tag_at(&joined(moved.old))
    {
        draft.doubt(
            context.section(tag).tag_span(),
            "the node keeps its own transform, so it appears elsewhere if the transform of its new parent differs",
        );
    }
}

/// Notes that nodes that another scene adds next to the node may get another place among their
/// siblings.
fn doubt_indices(
    old: &[String],
    placed: &Placed,
    context: &SceneContext<'_>,
    draft: &mut FileDraft,
) {
    let parents = [old, &placed.new].map(|path| joined(&path[..path.len() - 1]));
    for parent in &parents {
        for (_, tag) in context.tree().made_children(parent) {
            let section = context.section(context.tree().tags()[tag as usize].section);
            if let Some(index) = section.field("index") {
                draft.doubt(
                    index.span(),
                    "the node may get a different position among its siblings",
                );
            }
        }
    }
}

/// Which child of its parent a node is.
#[cfg(test)]
pub(super) fn child_index(project: &Project, file: FileId, path: &str) -> usize {
    let text = project.read(file).unwrap();
    let document = godot_tscn::parse(&text);
    let context = SceneContext::new(project, project.path(file), &document);
    let names = names_of(path);
    let own = context.tree().tag_at(path);
    let order = Order::of(&context, &names[..names.len() - 1]);
    order.0.iter().position(|child| Some(child) == own.map(indices::Child::Own).as_ref()).unwrap()
}
