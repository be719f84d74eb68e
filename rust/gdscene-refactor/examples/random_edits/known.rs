//! The parts that are left out, because Godot's result depends on more than the scene.

use godot_project::ClassDb;

/// Classes that are left out. The saved data of some depends on whether they were drawn, some replace missing ones, and a scene is
/// not a resource. Not every Godot has C#, and the old class of tile maps is always saved with its own format.
const CLASSES: &[&str] =
    &["FontFile", "MissingNode", "MissingResource", "PackedScene", "CSharpScript", "TileMap"];

/// Class and property, and why a text cannot contain the effect of the setter. Heirs of the class do
/// the same.
const SETTERS: &[(&str, &str)] = &[
    // Makes a material for the next pass.
    ("BaseMaterial3D", "stencil_mode"),
    // The shape has it, and so have all that share the shape.
    ("CollisionShape3D", "debug_color"),
    // Whether they are saved depends on the shader.
    ("Material", "next_pass"),
    ("Material", "render_priority"),
    // Its viewport draws no more.
    ("SubViewportContainer", "visible"),
    // The tiles' sources lose the properties that other shapes do not have.
    ("TileSet", "tile_shape"),
];

/// Signals that are emitted while a scene is edited: their methods would be called.
pub(crate) const EMITTED: &[&str] = &[
    "changed",
    "child_entered_tree",
    "child_exiting_tree",
    "child_order_changed",
    "editor_state_changed",
    "item_rect_changed",
    "minimum_size_changed",
    "property_list_changed",
    "renamed",
    "replacing_by",
    "resized",
    "script_changed",
    "size_flags_changed",
    "tree_entered",
    "visibility_changed",
];

/// Whether operations leave a property of a class out.
pub(crate) fn is_left_out(classes: &ClassDb, class: &str, property: &str) -> bool {
    SETTERS.iter().any(|(base, name)| *name == property && classes.inherits(class, base))
}

/// Whether operations make nothing of a class, and change nothing.
pub(crate) fn is_class_left_out(class: &str) -> bool {
    CLASSES.contains(&class)
}
