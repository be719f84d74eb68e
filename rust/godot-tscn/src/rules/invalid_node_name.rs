//! TREE004

use crate::context::Context;
use crate::diagnostic::{Applicability, Fix, Severity};
use crate::document::TagKind;
use crate::edit_set::Edit;
use crate::model::node_tree::{Node, Parent};
use crate::quote::quote;
use crate::rules::{Reporter, declare_rule};

declare_rule! {
    /// ## What it does
    /// Reports node names that contain one of the characters `.`, `:`, `@`, `/`, `"` and `%`.
    ///
    /// ## Why is this bad?
    /// Godot keeps the name when it loads the scene, and replaces the characters with `_` when the node is renamed or
    /// duplicated. If the name contains `:` or `/`, or begins with `%`, no path finds the node, and Godot attaches its
    /// child nodes elsewhere. Other names are only an info, because paths find them, and Godot 3 itself generated names
    /// with `@`.
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
    /// Unsafe: the fix renames the node in the scene's tags, but scripts, animations and `NodePath` properties may use
    /// the old name.
    ///
    /// ## References
    /// `String::validate_node_name` (core/string/ustring.cpp), `Node::set_name` (scene/main/node.cpp)
    "TREE004", "invalid-node-name", Warning
}

/// `String::invalid_node_name_characters`
fn is_invalid(byte: u8) -> bool {
    matches!(byte, b'.' | b':' | b'@' | b'/' | b'"' | b'%')
}

/// The character that keeps `Node::get_node` from finding a node with this name (Godot
/// 4.6.3).
fn in_the_way_of_paths(name: &[u8]) -> Option<u8> {
    let unique = name.first().filter(|byte| **byte == b'%');
    unique.or_else(|| name.iter().find(|byte| matches!(byte, b':' | b'/'))).copied()
}

fn check(context: &Context<'_>, reporter: &mut Reporter<'_>) {
    for node in &context.node_tree.nodes {
        let Some(name) = &node.name else { continue };
        let Some(first) = name.iter().copied().find(|byte| is_invalid(*byte)) else { continue };
        let section = node.section;
        let Some(field) = section.field("name") else { continue };
        // A node that another scene brings has its name from there.
        let is_own = section.field("type").is_some() || section.field("instance").is_some();
        let without_path = in_the_way_of_paths(name);
        if !is_own || section.is_broken() {
            continue;
        }
        let first = without_path.unwrap_or(first);
        let message = format!(
            "the name {} contains `{}`, which is not allowed in node names; replace it",
            quote(name),
            char::from(first)
        );
        let edits = renamed(context, node, name);
        let diagnostic = reporter.report(field.value_span(), message);
        if without_path.is_some() {
            diagnostic.consequence("no path finds the node, and its child nodes lose their place");
        } else {
            diagnostic.severity = Severity::Info;
            diagnostic.consequence("Godot replaces it when the node is renamed or duplicated");
        }
        diagnostic.fix(Fix::new(
            "replace invalid characters with `_`",
            Applicability::Unsafe,
            edits,
        ));
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
    use crate::diagnostic::Severity;
    use crate::rules::tests::{check_fix, clean, diagnostics, node, rendered};

    /// Names that `get_node` finds in Godot 4.6.3, and names that it does not.
    #[test]
    fn names_that_paths_find() {
        let severity = |name: &str| {
            let text = node(&format!("[node name=\"{name}\" type=\"Node\" parent=\".\"]\n"));
            diagnostics(&RULE, text.as_bytes())[0].severity
        };
        for name in ["a@b", "@Node@5", "100%", "a.b", "a\\\"b"] {
            assert_eq!(severity(name), Severity::Info, "{name}");
        }
        for name in ["%ab", "a:b", "a/b", "a@b:c"] {
            assert_eq!(severity(name), Severity::Warning, "{name}");
        }
    }

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
        4:12-4:17 info: the name `B@2` contains `@`, which is not allowed in node names; replace it
            at: "B@2"
            so: Godot replaces it when the node is renamed or duplicated
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
