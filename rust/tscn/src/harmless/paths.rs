//! Which paths of nodes stay inside the scene, however it hangs in the tree.

use hashbrown::HashSet;
use variant::NodePath;

use crate::document::{Section, TagKind};
use crate::lint::Context;

/// How many nodes of the scene are above a node.
pub(super) fn depth(node: Section<'_>) -> usize {
    match node.field_text("parent").as_deref() {
        None => 0,
        Some(b".") => 1,
        Some(path) => path.iter().filter(|byte| **byte == b'/').count() + 2,
    }
}

/// Whether a path from a node this deep leads to a node inside the scene.
pub(super) fn is_inside(
    path: &NodePath,
    depth: Option<usize>,
    unique_names: &HashSet<Vec<u8>>,
) -> bool {
    path.subnames.is_empty() && stays_inside(path, depth, unique_names)
}

/// [`is_inside`], whatever property is named behind the node.
pub(super) fn stays_inside(
    path: &NodePath,
    depth: Option<usize>,
    unique_names: &HashSet<Vec<u8>>,
) -> bool {
    if path.names.is_empty() && !path.absolute {
        return true;
    }
    let (Some(mut depth), false) = (depth, path.absolute) else { return false };
    for (index, name) in path.names.iter().enumerate() {
        match &**name {
            "." => {}
            ".." => match depth.checked_sub(1) {
                Some(above) => depth = above,
                None => return false,
            },
            // Where the node with the unique name hangs is not known, so no step up may follow.
            unique if unique.starts_with('%') => {
                if index != 0 || !unique_names.contains(&unique.as_bytes()[1..]) {
                    return false;
                }
                depth = 0;
            }
            _ => depth += 1,
        }
    }
    true
}

/// The names of the nodes that are marked as unique in the scene.
pub(super) fn unique_names(context: &Context<'_>) -> HashSet<Vec<u8>> {
    if !context.mentions("unique_name_in_owner") {
        return HashSet::new();
    }
    let nodes = context.document.sections().filter(|section| section.kind() == TagKind::Node);
    let unique = nodes.filter(|node| {
        let mut properties = node.properties();
        properties.any(|property| {
            property.engine_key().as_ref() == b"unique_name_in_owner"
                && property.source() == b"true"
        })
    });
    unique.filter_map(|node| Some(node.field_text("name")?.into_owned())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps() {
        let path = |text: &str| match crate::parse_value(format!("NodePath({text:?})").as_bytes()) {
            Ok(variant::Value::NodePath(path)) => path,
            other => panic!("{other:?}"),
        };
        let unique = HashSet::from([b"A".to_vec()]);
        for (text, depth, expected) in [
            ("", 0, true),
            (".", 0, true),
            ("A/B", 0, true),
            ("..", 1, true),
            ("..", 0, false),
            ("A/../..", 0, false),
            ("A/../B", 0, true),
            ("/root", 5, false),
            ("/root/..", 5, false),
            ("%A", 0, true),
            ("%B", 0, false),
            ("%A/..", 3, false),
            ("A/%A", 3, false),
            (".:a", 0, false),
        ] {
            assert_eq!(
                is_inside(&path(text), Some(depth), &unique),
                expected,
                "{text} from {depth}"
            );
        }
        assert!(!is_inside(&path("A"), None, &unique));
    }
}
