//! TREE006

use hashbrown::HashMap;

use crate::context::Context;
use crate::document::TagKind;
use crate::quote::quote;
use crate::rules::{Reporter, declare_rule};
use crate::value::tree::{PartKind, PartRef};

declare_rule! {
    /// ## What it does
    /// Reports a name in `node_paths` if the node has no property of this name, or if the property's value does not
    /// contain a path.
    ///
    /// ## Why is this bad?
    /// `node_paths` lists the properties whose paths Godot replaces with the nodes themselves. A name without its
    /// property is left over. If a value is not a path, Godot does not set the property.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node" node_paths=PackedStringArray("target")]
    /// target = 1
    /// ```
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node" node_paths=PackedStringArray("target")]
    /// target = NodePath("B")
    ///
    /// [node name="B" type="Node" parent="."]
    /// ```
    ///
    /// ## References
    /// `SceneState::instantiate`, `DeferredNodePathProperties` (scene/resources/packed_scene.cpp)
    "TREE006", "node-paths-field-mismatch", Warning
}

fn check(context: &Context<'_>, reporter: &mut Reporter<'_>) {
    if !context.facts.has_node_paths || context.document.is_incomplete() {
        return;
    }
    for node in &context.node_tree.nodes {
        let section = node.section;
        let Some(field) = section.field("node_paths") else { continue };
        if section.is_broken() || section.kind() != TagKind::Node {
            continue;
        }
        let tree = field.value_tree();
        // The last one of several.
        let properties: HashMap<_, _> =
            section.properties().map(|property| (property.key(), property)).collect();
        for name in tree.root().children() {
            let Some(text) = name.text() else { continue };
            let Some(property) = properties.get(&text).copied() else {
                let message = format!(
                    "the node has no property {}; remove the name from `node_paths`",
                    quote(&text)
                );
                reporter.report(field.value_span(), message);
                continue;
            };
            let value = property.value_tree();
            if !may_hold_path(value.root()) {
                let message =
                    format!("{} is in `node_paths`, but its value is not a path", quote(&text));
                reporter
                    .report(property.value_span(), message)
                    .label(field.value_span(), "named here")
                    .consequence("Godot does not set the property");
            }
        }
    }
}

/// A value that `Node::get_node_or_null` takes, or a container of such values.
fn may_hold_path(value: PartRef<'_>) -> bool {
    match value.kind() {
        PartKind::String | PartKind::StringName => true,
        PartKind::Array | PartKind::Dictionary | PartKind::Typed => true,
        PartKind::Construct => value.name() == b"NodePath",
        PartKind::Word => value.source() == b"null" || value.source() == b"nil",
        PartKind::Number | PartKind::Color | PartKind::Numbers => false,
    }
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::RULE;
    use crate::rules::tests::{clean, rendered};

    #[test]
    fn values() {
        let file = |value: &str| {
            format!(
                "[gd_scene format=3]\n\n[node name=\"A\" type=\"Node\" \
                 node_paths=PackedStringArray(\"a\")]\n{value}\n"
            )
        };
        clean(&RULE, &file("a = NodePath(\"B\")"));
        clean(&RULE, &file("a = [NodePath(\"B\")]"));
        clean(&RULE, &file("a = Array[NodePath]([NodePath(\"B\")])"));
        assert_snapshot!(rendered(&RULE, &file("a = Vector2(1, 2)")), @r#"
        4:5-4:18 warning: `a` is in `node_paths`, but its value is not a path
            at: Vector2(1, 2)
            label 3:39-3:61: named here: PackedStringArray("a")
            so: Godot does not set the property
        "#);
        assert_snapshot!(rendered(&RULE, &file("b = 1")), @r#"
        3:39-3:61 warning: the node has no property `a`; remove the name from `node_paths`
            at: PackedStringArray("a")
        "#);
    }
}
