//! Changes of scenes and resources as a user of Godot's editor makes them: a node more, a property, a connection.
//!
//! [`edit`] applies a list of [`Operation`]s to the texts of a project and gives a [`Plan`]: all of them or none. Text
//! that no operation asks for stays byte for byte, and changes are as Godot 4.6.3 itself would have saved them.
//!
//! - `operation` has the operations, as JSON, and `operation_kind` their names and keys; `value` makes Godot's text of a value,
//!   `value_text` with the resources that it names, and `enums` has the numbers of constants;
//! - `session` contains the texts that change, and finds the subject of an operation;
//! - `scene` is one text with its nodes (`nodes`), resources (`resources`) and connections;
//! - `object` has the class and script of a node or resource, and its data outside properties; `rank` has the order in which
//!   Godot saves its properties;
//! - `stored` has the saved form of a property that is not saved itself: `transform` of a `Node3D`, `layout` of a
//!   `Control`;
//! - `shorthand` makes the saved form of the points of curves and gradients; `tiles` has the contents of a
//!   `TileSet`;
//! - `settings` changes `project.godot` by `settings_text`, and `input_events` writes the events of actions;
//! - `create`, `properties`, `animation`, `tree` (with `siblings`), `remove`, `instanced`, `scripts`, `groups`, `signals`,
//!   `refactored`: an operation each, or a few that belong together;
//! - `get` returns the values of properties, by the same means;
//! - `finish` gives new resources their ids and places, and drops unused ones, as the saver does
//!   (`ResourceFormatSaverTextInstance::save`, scene/resources/resource_format_text.cpp, Godot 4.6.3).

mod animation;
mod create;
mod enums;
mod error;
mod finish;
mod get;
mod groups;
mod input_events;
mod instanced;
mod layout;
mod nodes;
mod object;
mod operation;
mod operation_kind;
mod properties;
mod rank;
mod refactored;
mod remove;
mod resources;
mod scene;
mod scripts;
mod session;
mod settings;
mod settings_text;
mod shorthand;
mod siblings;
mod signals;
mod stored;
#[cfg(test)]
mod tests;
mod tiles;
mod transform;
mod tree;
mod value;
mod value_text;

use godot_project::{Plan, Project};

pub use error::{EditError, EditErrorKind};
pub use get::{ObjectValues, PropertyValue, ValueSource, get};
pub use operation::{
    AnimationSpec, CellsSpec, ConnectionSpec, KeySpec, NewNode, Operation, OperationsError,
    Siblings, TrackSpec, ValueSpec, operations,
};
pub use operation_kind::{OPERATIONS, OperationKind};
pub use shorthand::points_of;

/// The result of operations for the files of a project.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Edited {
    /// The changes.
    pub plan: Plan,
    /// The outcome of each operation, in their order.
    pub outcomes: Vec<Outcome>,
}

/// The outcome of one operation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// The file: `res://…`.
    pub file: String,
    /// In words: ``added `Enemies/Slime2` (CharacterBody2D)``.
    pub what: String,
    /// The path of the node that was added, which may have another name than was asked for.
    pub node: Option<String>,
    /// The id of the resource that was added to the file, or was there and is used.
    pub id: Option<String>,
    /// Notes for the user: other changes, and other possible meanings.
    pub notes: Vec<String>,
}

/// Applies operations to the files of a project, in their order. Nothing is written.
///
/// `file` (`res://…`) is the file of those operations that name none. The project is as before afterwards.
///
/// ```
/// # let folder = tempfile::tempdir().unwrap();
/// # let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
/// # write("project.godot", "config_version=5\n\n[application]\n\nconfig/features=PackedStringArray(\"4.5\")\n");
/// # write("a.tscn", "[gd_scene format=3]\n\n[node name=\"A\" type=\"Node2D\"]\n");
/// let mut project = godot_project::Project::open(folder.path()).unwrap();
/// let operations = gdscene_refactor::operations(
///     br#"{"op": "add", "node": "Hero", "type": "Sprite2D", "properties": {"position": [1.5, 2]}}"#,
/// )?;
/// let edited = gdscene_refactor::edit(&mut project, Some("res://a.tscn"), &operations)?;
/// assert_eq!(
///     String::from_utf8(edited.plan.files[0].new_text()).unwrap(),
///     "[gd_scene format=3]\n\n[node name=\"A\" type=\"Node2D\"]\n\n\
///      [node name=\"Hero\" type=\"Sprite2D\" parent=\".\"]\nposition = Vector2(1.5, 2)\n"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// The first operation that cannot be done, and why. Then none is.
pub fn edit(
    project: &mut Project,
    file: Option<&str>,
    operations: &[Operation],
) -> Result<Edited, EditError> {
    session::Session::run(project, file, operations)
}
