//! What is left out, because what Godot saves depends on more than the scene.

use crate::values::PropertyInfo;

/// Classes of which what is saved depends on whether they were drawn, and what stands for classes that are not there.
const CLASSES: &[&str] = &["FontFile", "MissingNode", "MissingResource"];

/// Class and property, and why a text cannot know what its setter does.
const SETTERS: &[(&str, &str)] = &[
    // Whether they are saved depends on the shader.
    ("Material", "next_pass"),
    ("Material", "render_priority"),
    // The tiles' sources lose what other shapes do not have.
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

/// Whether operations leave a property out.
pub(crate) fn is_left_out(property: &PropertyInfo) -> bool {
    let class = property.class.as_deref().unwrap_or_default();
    SETTERS.contains(&(class, property.name.as_str()))
}

/// Whether operations make nothing of a class, and change nothing.
pub(crate) fn is_class_left_out(class: &str) -> bool {
    CLASSES.contains(&class)
}
