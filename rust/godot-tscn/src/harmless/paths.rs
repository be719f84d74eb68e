//! Which paths of nodes stay inside the scene, however it hangs in the tree.

use godot_variant::NodePath;

use crate::document::Section;
use crate::model::node_tree::{NodeTree, Parent};

/// The most names of a path: Godot goes through them whenever it looks for the node.
const MOST_NAMES: usize = 64;

/// How many nodes of the scene are above a node, by its own words.
pub(super) fn depth(node: Section<'_>) -> usize {
    match node.field_text("parent").as_deref() {
        None => 0,
        Some(b".") => 1,
        Some(path) => path.iter().filter(|byte| **byte == b'/').count() + 2,
    }
}

/// How many nodes of the scene are above each node at least. A node with a parent outside the file may end up below
/// the root: Godot puts it there if it finds no parent.
pub(super) fn least_depths(tree: &NodeTree<'_>) -> Vec<usize> {
    let mut depths: Vec<usize> = Vec::with_capacity(tree.nodes.len());
    for node in &tree.nodes {
        depths.push(match node.parent {
            Parent::None => 0,
            Parent::Known(parent) => depths.get(parent as usize).map_or(1, |depth| depth + 1),
            _ => 1,
        });
    }
    depths
}

/// Whether a path from a node this deep leads to a node inside the scene.
pub(super) fn is_inside(path: &NodePath, depth: Option<usize>) -> bool {
    path.subnames.is_empty() && stays_inside(path, depth)
}

/// [`is_inside`], whatever property is named behind the node.
///
/// A unique name (`%Name`) may be that of a node outside: where the scene has none, Godot asks the owner of its root.
pub(super) fn stays_inside(path: &NodePath, depth: Option<usize>) -> bool {
    if path.names.is_empty() && !path.absolute {
        return true;
    }
    let (Some(mut depth), false) = (depth, path.absolute) else { return false };
    if path.names.len() > MOST_NAMES {
        return false;
    }
    let mut has_gone_down = false;
    for name in &path.names {
        match &**name {
            "." if path.names.len() == 1 => {}
            // Godot keeps its data on a node once for each way to write its path.
            "." => return false,
            ".." if has_gone_down => return false,
            ".." => match depth.checked_sub(1) {
                Some(above) => depth = above,
                None => return false,
            },
            unique if unique.starts_with('%') => return false,
            // Nodes that the engine adds to those of the scene.
            internal if internal.starts_with(['_', '@']) => return false,
            _ => has_gone_down = true,
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps() {
        let path = |text: &str| match crate::parse_value(format!("NodePath({text:?})").as_bytes()) {
            Ok(godot_variant::Value::NodePath(path)) => path,
            other => panic!("{other:?}"),
        };
        for (text, depth, expected) in [
            ("", 0, true),
            (".", 0, true),
            ("A/B", 0, true),
            ("..", 1, true),
            ("..", 0, false),
            ("A/../..", 0, false),
            ("A/../B", 0, false),
            ("./A", 0, false),
            ("../A/B", 1, true),
            ("/root", 5, false),
            ("/root/..", 5, false),
            ("%A", 0, false),
            ("A/%B", 3, false),
            ("A/_v_scroll", 3, false),
            ("A/@Node@2", 3, false),
            (".:a", 0, false),
        ] {
            assert_eq!(is_inside(&path(text), Some(depth)), expected, "{text} from {depth}");
        }
        assert!(!is_inside(&path("A"), None));
    }

    #[test]
    fn nodes_without_a_known_parent_may_hang_below_the_root() {
        let text = b"[gd_scene format=3]\n[node name=\"A\" type=\"Node\"]\n[node name=\"B\" type=\"Node\" parent=\".\"]\n\
                     [node name=\"C\" type=\"Node\" parent=\"B\"]\n[node name=\"I\" parent=\".\" instance=ExtResource(\"1\")]\n\
                     [node name=\"D\" type=\"Node\" parent=\"I/X/Y\"]\n[node name=\"E\" type=\"Node\" parent=\"Z\"]\n";
        let document = crate::parse(text);
        assert_eq!(least_depths(&NodeTree::new(&document)), [0, 1, 2, 1, 1, 1]);
    }
}
