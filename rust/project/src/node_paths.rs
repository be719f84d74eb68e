//! The `NodePath`s in values.

use tscn::{PartKind, PartRef, ValueTree};

use crate::settings::lossy;

/// Calls `each` with every `NodePath(…)` in a value, in arrays and dictionaries too.
pub(crate) fn each_path(part: PartRef<'_>, each: &mut dyn FnMut(PartRef<'_>)) {
    match part.kind() {
        PartKind::Construct if part.name() == b"NodePath" => each(part),
        PartKind::Array | PartKind::Dictionary | PartKind::Typed => {
            part.children().for_each(|child| each_path(child, each));
        }
        _ => {}
    }
}

/// The path in a value that is a `NodePath("…")`.
pub(crate) fn node_path(source: &[u8]) -> Option<String> {
    ValueTree::new(source).root().inner_text("NodePath").map(|path| lossy(&path))
}
