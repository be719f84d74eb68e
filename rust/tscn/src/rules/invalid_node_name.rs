//! TREE004

use crate::diagnostic::{Applicability, Edit, Fix};
use crate::document::TagKind;
use crate::lint::{Context, quote};
use crate::model::node_tree::{Node, Parent};
use crate::rules::{Reporter, declare_rule};

declare_rule! {
    /// ## What it does
    /// Reports names of nodes with one of the characters `.`, `:`, `@`, `/`, `"` and `%`.
    ///
    /// ## Why is this bad?
    /// They have a meaning in paths, so no path can refer to the node. Godot keeps the name when the scene is
    /// loaded, and replaces the characters with `_` when the node is renamed or the scene opened in the editor,
    /// which breaks existing references.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node"]
    ///
    /// [node name="B:1" type="Node" parent="."]
    ///
    /// [node name="C" type="Node" parent="B:1"]
    /// ```
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node"]
    ///
    /// [node name="B_1" type="Node" parent="."]
    ///
    /// [node name="C" type="Node" parent="B_1"]
    /// ```
    ///
    /// ## Fix safety
    /// Unsafe: the fix renames the node in the scene's tags, but scripts, animations and properties of the
    /// type `NodePath` may name it too.
    ///
    /// ## References
    /// `String::validate_node_name` (core/string/ustring.cpp), `Node::set_name` (scene/main/node.cpp)
    "TREE004", "invalid-node-name", Warning
}

/// `String::invalid_node_name_characters`
fn is_invalid(byte: u8) -> bool {
    matches!(byte, b'.' | b':' | b'@' | b'/' | b'"' | b'%')
}

fn check(context: &Context<'_>, reporter: &mut Reporter<'_>) {
    for node in &context.node_tree.nodes {
        let section = node.section;
        let (Some(name), Some(field)) = (&node.name, section.field("name")) else { continue };
        // A node that another scene brings has its name from there.
        let is_own = section.field("type").is_some() || section.field("instance").is_some();
        let Some(first) = name.iter().find(|byte| is_invalid(**byte)) else { continue };
        if !is_own || section.is_broken() {
            continue;
        }
        let message = format!(
            "the name {} contains `{}`, which is not allowed in node names; replace it",
            quote(name),
            char::from(*first)
        );
        let edits = renamed(context, node, name);
        reporter
            .report(field.value_span(), message)
            .consequence("no path can refer to the node, and the editor renames it")
            .fix(Fix::new("replace invalid characters with `_`", Applicability::Unsafe, edits));
    }
}

/// The node with the name that `validate_node_name` makes of `name`, in all tags.
fn renamed(context: &Context<'_>, node: &Node<'_>, name: &[u8]) -> Vec<Edit> {
    let valid: Vec<u8> =
        name.iter().map(|byte| if is_invalid(*byte) { b'_' } else { *byte }).collect();
    let quoted = |path: &[u8]| {
        let escaped = String::from_utf8_lossy(path).replace('\\', "\\\\").replace('"', "\\\"");
        format!("\"{escaped}\"")
    };
    let mut edits: Vec<_> = node
        .section
        .field("name")
        .map(|field| Edit::replace(field.value_span(), quoted(&valid)))
        .into_iter()
        .collect();
    let below = match (&node.parent, &node.parent_path) {
        (Parent::None, _) => return edits,
        (_, Some(path)) if path.as_ref() != b"." => [path.as_ref(), b"/"].concat(),
        _ => Vec::new(),
    };
    let (old, new) = ([&below, name].concat(), [&below, &valid[..]].concat());
    for section in context.document.sections() {
        let fields: &[&str] = match section.kind() {
            TagKind::Node => &["parent"],
            TagKind::Connection => &["from", "to"],
            TagKind::Editable => &["path"],
            _ => continue,
        };
        for field in fields.iter().filter_map(|field| section.field(field)) {
            let Some(path) = field.text() else { continue };
            let Some(rest) = path.strip_prefix(&old[..]) else { continue };
            if rest.is_empty() || rest.starts_with(b"/") {
                let path = [&new[..], rest].concat();
                edits.push(Edit::replace(field.value_span(), quoted(&path)));
            }
        }
    }
    edits
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::RULE;
    use crate::rules::tests::{check_fix, clean, node, rendered};

    #[test]
    fn names() {
        let file = |name: &str, path: &str| {
            node(&format!(
                "[node name=\"{name}\" type=\"Node\" parent=\".\"]\n\
                 [node name=\"C\" type=\"Node\" parent=\"{path}\"]\n\
                 [connection signal=\"ready\" from=\"{path}/C\" to=\"{path}\" method=\"a\"]\n"
            ))
        };
        assert_snapshot!(rendered(&RULE, &file("B@2", "B@2")), @r#"
        4:12-4:17 warning: the name `B@2` contains `@`, which is not allowed in node names; replace it
            at: "B@2"
            so: no path can refer to the node, and the editor renames it
            unsafe fix: replace invalid characters with `_`
              - [node name="B@2" type="Node" parent="."]
              - [node name="C" type="Node" parent="B@2"]
              - [connection signal="ready" from="B@2/C" to="B@2" method="a"]
              + [node name="B_2" type="Node" parent="."]
              + [node name="C" type="Node" parent="B_2"]
              + [connection signal="ready" from="B_2/C" to="B_2" method="a"]
        "#);
        clean(&RULE, &file("B #2 é-+$", "B #2 é-+$"));
        check_fix(&RULE, &file("B@2", "B@2"), &file("B_2", "B_2"));
    }

    #[test]
    fn nodes_of_other_scenes() {
        clean(&RULE, &node("[node name=\"B@2\" parent=\"Elsewhere\"]\n"));
    }
}
