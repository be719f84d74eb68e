//! A new name for a node of a scene.

#[cfg(test)]
mod hostile_tests;
#[cfg(test)]
mod tests;

use godot_project::{FileId, NodeInTree, NodeLookup, Plan, Project};
use godot_tscn::{Span, TagKind, quote};

use crate::RefactorError;
use crate::draft::plan_of_files;
use crate::names::check_node_name;
use crate::node_change::{
    ChangeKind, Names, NodeChange, check_readable, check_siblings, joined, names_of, own_node,
    quoted, scene_at,
};

/// Plans the changes when the node at `path` in the scene at `scene` (`res://…`) gets the name `new`.
///
/// All paths that lead to the node or through it change if that is certain: in the scene itself, in the scenes that
/// instance or inherit it, in animations, and in scripts.
///
/// ```
/// # let folder = tempfile::tempdir().unwrap();
/// # let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
/// # write("project.godot", "config_version=5\n");
/// # write("a.tscn", "[gd_scene format=3]\n\n[node name=\"A\" type=\"Node\"]\n\n[node name=\"B\" type=\"Node\" parent=\".\"]\n\n\
/// #     [node name=\"C\" type=\"Node\" parent=\"B\"]\n");
/// let project = godot_project::Project::open(folder.path())?;
/// let plan = gdscene_refactor::rename_node(&project, "res://a.tscn", "B", "Body")?;
/// assert!(plan.files[0].new_text().ends_with(b"[node name=\"C\" type=\"Node\" parent=\"Body\"]\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When there is no such scene or node, when another scene makes the node, when the new name is invalid or taken, and when a
/// file cannot be read.
pub fn rename_node(
    project: &Project,
    scene: &str,
    path: &str,
    new: &str,
) -> Result<Plan, RefactorError> {
    let (file, tree) = scene_at(project, scene)?;
    check_node_name(new)?;
    let old = own_node(project, file, tree, path)?;
    let title = format!(
        "rename the node {} of `{scene}` to {}",
        quote(path.as_bytes()),
        quote(new.as_bytes())
    );
    let Some((name, parent)) = old.split_last() else {
        let old = tree.tags().first().map_or("", |root| root.name.as_str());
        return rename_root(project, file, title, old, new);
    };
    if name == new {
        return Err(RefactorError::Clash {
            what: format!("the node already has the name `{new}`"),
        });
    }
    let after: Names = parent.iter().cloned().chain([new.to_owned()]).collect();
    let change = NodeChange::new(project, file, &old, &after, ChangeKind::Rename(new.to_owned()))?;
    check_siblings(&change, &after)?;
    check_unique_name(&change, &old, new)?;
    change.plan(title, |_, _| {})
}

/// The root's name is in no path of the scene: other scenes name their instances, and heirs name their own root
/// (`SceneState::instantiate`, scene/resources/packed_scene.cpp, Godot 4.6.3). Paths from the root of the running game may
/// have it.
fn rename_root(
    project: &Project,
    file: FileId,
    title: String,
    old: &str,
    new: &str,
) -> Result<Plan, RefactorError> {
    check_readable(project, file)?;
    let absolute = format!("/root/{old}");
    let is_autoload = project.settings().autoloads.iter().any(|autoload| autoload.name == old);
    let may_name = |other: &FileId| {
        let path = project.path(*other);
        let is_text = [".gd", ".cs", ".tscn"].into_iter().any(|end| path.ends_with(end));
        *other == file || (is_text && !is_autoload)
    };
    let files = project.files().filter(may_name).collect();
    plan_of_files(project, title, files, |other, draft| {
        let text = std::sync::Arc::clone(&draft.text);
        for at in memchr::memmem::find_iter(&text, &absolute) {
            let end = at + absolute.len();
            if matches!(text.get(end), Some(b'/' | b'"' | b'\'' | b':')) {
                let span = Span::new(at as u32, end as u32);
                draft.doubt(span, "the path starts at the root of the running game");
            }
        }
        if other != file {
            return Ok(());
        }
        let document = godot_tscn::parse(&text);
        let mut sections = document.sections();
        let root = sections.find(|section| section.kind() == TagKind::Node);
        if let Some(field) = root.and_then(|root| root.field("name")) {
            draft.edit(field.value_span(), quoted(new), "name of the node");
        }
        Ok(())
    })
}

/// Whether the node has a unique name, and another node of the same owner has the new one.
fn check_unique_name(
    change: &NodeChange<'_>,
    old: &[String],
    new: &str,
) -> Result<(), RefactorError> {
    let project = change.project;
    for file in change.scenes() {
        let (Some(places), Some(tree)) = (change.placed(file), project.tree(file)) else {
            continue;
        };
        // The nodes of scenes that inherit this one have the same owner.
        for (_, placed) in places.iter().filter(|(_, placed)| placed.root.is_empty()) {
            let root = NodeInTree::root(project, tree);
            let node = root.find(project, &joined(old)).place();
            if !node.is_some_and(|node| node.node().is_unique()) {
                continue;
            }
            if let NodeLookup::Node(found) = root.find(project, &format!("%{new}")) {
                debug_assert_ne!(names_of(&found.path()), placed.new);
                return Err(RefactorError::Clash {
                    what: format!(
                        "`{}` already has a node with the unique name `%{new}`: `{}`",
                        project.path(file),
                        found.path()
                    ),
                });
            }
        }
    }
    Ok(())
}
