//! The `NodePath`s in values.

use std::borrow::Cow;

use godot_tscn::{PartKind, PartRef, Section, ValueTree};
use hashbrown::HashSet;

use crate::settings::lossy;

/// Calls `each` with every `NodePath(…)` in a value, in arrays and dictionaries too.
pub fn each_path(part: PartRef<'_>, each: &mut dyn FnMut(PartRef<'_>)) {
    match part.kind() {
        PartKind::Construct if part.name() == b"NodePath" => each(part),
        PartKind::Array | PartKind::Dictionary | PartKind::Typed => {
            part.children().for_each(|child| each_path(child, each));
        }
        _ => {}
    }
}

/// The path in a value that is a `NodePath("…")`.
pub fn node_path(source: &[u8]) -> Option<String> {
    ValueTree::new(source).root().inner_text("NodePath").map(|path| lossy(&path))
}

/// The string with a path, and the path: of a `NodePath("…")`, or of a text where a property takes paths, which Godot converts.
pub fn path_in(value: PartRef<'_>) -> Option<(PartRef<'_>, String)> {
    let text = match value.name() {
        b"NodePath" => value.children().next()?,
        _ => value,
    };
    Some((text, lossy(&text.text()?)))
}

/// The properties that the node's tag says are paths to nodes, which Godot replaces by the nodes.
pub fn exported_paths(section: Section<'_>) -> HashSet<Vec<u8>> {
    let Some(field) = section.field("node_paths") else { return HashSet::new() };
    let tree = field.value_tree();
    tree.root().children().filter_map(|part| part.text().map(Cow::into_owned)).collect()
}
