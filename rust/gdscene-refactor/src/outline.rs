//! The contents of a scene or resource, for people and for programs: nodes, connections, resources.
//!
//! [`outline`] returns the contents of one text, or, through instances and inheritance, Godot's result. `text` has the
//! tags of one file, `nodes` the walk through the tree.

mod nodes;
#[cfg(test)]
mod tests;
mod text;

use godot_project::{FileId, Project, ResolvedPath};
use serde::Serialize;

use self::nodes::Walk;
use self::text::Texts;
use crate::RefactorError;
use crate::resources::text_file;

/// The contents of a scene or resource.
///
/// As JSON, empty and false values of a node or resource are left out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Outline {
    /// The connections, in the order of the text, those of instanced scenes behind.
    pub connections: Vec<ConnectionOutline>,
    /// The resources in other files.
    pub ext_resources: Vec<ExtResourceOutline>,
    /// The path: `res://…`.
    pub file: String,
    /// The nodes, each behind its parent and the nodes below its earlier siblings. None in a resource.
    pub nodes: Vec<NodeOutline>,
    /// Notes on the rest: why nodes are left out, that the text is broken.
    pub notes: Vec<String>,
    /// The properties that a resource sets. Those of a scene are its nodes'.
    pub properties: Vec<String>,
    /// The script of a resource.
    pub script: Option<String>,
    /// The resources inside the file.
    pub sub_resources: Vec<SubResourceOutline>,
    /// The class; `PackedScene` of a scene.
    #[serde(rename = "type")]
    pub class: Option<String>,
    /// The file's uid.
    pub uid: Option<String>,
}

/// A node.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct NodeOutline {
    /// How far below the root it is.
    #[serde(skip)]
    pub depth: usize,
    /// The groups that it is in.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub groups: Vec<String>,
    /// The scene that it is an instance of; of the root, the one that it inherits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instance: Option<String>,
    /// Whether the nodes of the instance may be changed in this scene.
    #[serde(skip_serializing_if = "is_false")]
    pub is_editable: bool,
    /// Whether the text only changes the node, which an instanced or inherited scene makes.
    #[serde(skip_serializing_if = "is_false")]
    pub is_override: bool,
    /// The scene with the text that makes the node, if it is not the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub made_by: Option<String>,
    /// The name.
    pub name: String,
    /// Why the nodes of the instance are unknown: the scene is missing, or not a text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub opaque: Option<String>,
    /// The path from the root, which is `.`.
    pub path: String,
    /// The properties that are set.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub properties: Vec<String>,
    /// The script: its path, or `::ID` if it is inside the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub script: Option<String>,
    /// The class.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    pub class: Option<String>,
    /// Whether the scene finds it as `%Name`.
    #[serde(skip_serializing_if = "is_false")]
    pub unique_name: bool,
}

/// A connection of a signal.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ConnectionOutline {
    /// The arguments that are passed behind those of the signal, as Godot's text of an array.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub binds: Option<String>,
    /// `Object.ConnectFlags`, if they are not the usual ones.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub flags: Option<i64>,
    /// The node that emits the signal.
    pub from: String,
    /// The scene with the text of the connection, if it is not the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub made_by: Option<String>,
    /// The method.
    pub method: String,
    /// The signal.
    pub signal: String,
    /// The node with the called method.
    pub to: String,
    /// How many of the signal's last arguments are left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unbinds: Option<i64>,
}

/// A resource in another file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct ExtResourceOutline {
    /// The id, by which values name it.
    pub id: String,
    /// Whether there is no such file.
    #[serde(skip_serializing_if = "is_false")]
    pub is_missing: bool,
    /// The file that Godot loads; as written if there is none.
    pub path: String,
    /// The class.
    #[serde(rename = "type")]
    pub class: String,
    /// The uid that is written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uid: Option<String>,
}

/// A resource inside the file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct SubResourceOutline {
    /// The id, by which values name it.
    pub id: String,
    /// The properties that are set.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub properties: Vec<String>,
    /// The script.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub script: Option<String>,
    /// The class.
    #[serde(rename = "type")]
    pub class: String,
}

/// The contents of the scene or resource at `path` (`res://…`). If it `is_resolved`, with the nodes, properties and connections
/// of other scenes: Godot's result.
///
/// ```
/// # let folder = tempfile::tempdir().unwrap();
/// # let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
/// # write("project.godot", "config_version=5\n");
/// # write("hero.tscn", "[gd_scene format=3]\n\n[node name=\"Hero\" type=\"Node2D\"]\n\n[node name=\"Arm\" type=\"Sprite2D\" parent=\".\"]\n");
/// # write("level.tscn", "[gd_scene format=3]\n\n[ext_resource type=\"PackedScene\" path=\"res://hero.tscn\" id=\"1\"]\n\n[node name=\"Level\" type=\"Node\"]\n\n[node name=\"Hero\" parent=\".\" instance=ExtResource(\"1\")]\n");
/// let project = godot_project::Project::open(folder.path()).unwrap();
/// let outline = gdscene_refactor::outline(&project, "res://level.tscn", true)?;
/// let paths: Vec<&str> = outline.nodes.iter().map(|node| node.path.as_str()).collect();
/// assert_eq!(paths, [".", "Hero", "Hero/Arm"]);
/// assert_eq!(outline.nodes[2].made_by.as_deref(), Some("res://hero.tscn"));
/// # Ok::<(), gdscene_refactor::RefactorError>(())
/// ```
///
/// # Errors
/// When it is not a text scene or resource of the project, or cannot be read.
pub fn outline(project: &Project, path: &str, is_resolved: bool) -> Result<Outline, RefactorError> {
    let file = text_file(project, path, "a text scene or resource (.tscn, .tres)")?;
    let mut texts = Texts::new(project);
    let unreadable = |source| RefactorError::Unreadable { path: path.to_owned(), source };
    let text = texts.read(path).map_err(unreadable)?;
    let facts = project.facts(file);
    let main = text.main_resource();
    let mut outline = Outline {
        ext_resources: ext_resources(project, file),
        file: path.to_owned(),
        properties: main.map(|main| main.properties.clone()).unwrap_or_default(),
        script: main.and_then(|main| texts.script(path, main.script.as_deref()?)),
        sub_resources: text.sub_resources(&texts, path),
        class: facts.resource_type.clone(),
        uid: project.uid(file).map(|uid| uid.to_string()),
        ..Outline::default()
    };
    if let Some(refusal) = &facts.refusal {
        let (line, code) = (refusal.line, &refusal.code);
        outline.notes.push(format!("Godot does not load the file, because of {code} in line {line}; `gdscene check` shows the reason"));
    } else if facts.is_incomplete {
        outline.notes.push("the text is broken; there may be more in it".to_owned());
    } else if outline.class.is_none() {
        let note = "the text does not begin like a scene or resource";
        outline.notes.push(note.to_owned());
    }
    if let Some(tree) = project.tree(file) {
        Walk::run(project, &mut texts, tree, is_resolved, &mut outline);
    }
    Ok(outline)
}

fn ext_resources(project: &Project, file: FileId) -> Vec<ExtResourceOutline> {
    let path = project.path(file);
    let resources = project.facts(file).ext_resources.iter();
    let outline = |resource: &godot_project::ExtResource| {
        let (found, is_missing) = match project.resolve_external(path, resource) {
            ResolvedPath::File(file) => (Some(project.path(file).to_owned()), false),
            ResolvedPath::Unseen(path) => (Some(path), false),
            ResolvedPath::Missing(path) => (Some(path), true),
            ResolvedPath::Outside => (resource.path.clone(), true),
        };
        ExtResourceOutline {
            id: resource.id.clone(),
            is_missing,
            path: found.unwrap_or_default(),
            class: resource.resource_type.clone(),
            uid: resource.uid.map(|uid| uid.to_string()),
        }
    };
    resources.map(outline).collect()
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde wants a reference")]
fn is_false(value: &bool) -> bool {
    !value
}
