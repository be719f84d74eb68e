//! TREE002

use crate::context::Context;
use crate::model::node_tree::Parent;
use crate::quote::quote;
use crate::rules::{Reporter, declare_rule};

declare_rule! {
    /// ## What it does
    /// Reports a node that is defined before its parent.
    ///
    /// ## Why is this bad?
    /// Godot creates the nodes in the order of the file. It does not find the parent, so it moves the node below the
    /// root and renames it. The next save makes this permanent.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node"]
    ///
    /// [node name="C" type="Node" parent="B"]
    ///
    /// [node name="B" type="Node" parent="."]
    /// ```
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node"]
    ///
    /// [node name="B" type="Node" parent="."]
    ///
    /// [node name="C" type="Node" parent="B"]
    /// ```
    ///
    /// ## References
    /// `SceneState::instantiate` (scene/resources/packed_scene.cpp)
    "TREE002", "parent-after-child", Error
}

fn check(context: &Context<'_>, reporter: &mut Reporter<'_>) {
    if context.hides_sections {
        return;
    }
    for node in context.node_tree.nodes.iter().skip(1) {
        let Parent::Later(parent) = node.parent else {
            continue;
        };
        let Some(field) = node.section.field("parent") else {
            continue;
        };
        let path = node.parent_path.as_deref().unwrap_or_default();
        let message = format!(
            "the parent {} is defined after this node; move the node after its parent",
            quote(path)
        );
        reporter
            .report(field.value_span(), message)
            .label(context.node_tree.nodes[parent as usize].section.tag_span(), "the parent")
            .consequence("Godot moves the node below the root and renames it");
    }
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::RULE;
    use crate::rules::tests::{node, rendered};

    #[test]
    fn order() {
        let found = rendered(
            &RULE,
            &node(
                "[node name=\"C\" type=\"Node\" parent=\"B\"]\n[node name=\"B\" type=\"Node\" parent=\".\"]\n",
            ),
        );
        assert_snapshot!(found, @r#"
        4:35-4:38 error: the parent `B` is defined after this node; move the node after its parent
            at: "B"
            label 5:1-5:39: the parent: [node name="B" type="Node" parent="."]
            so: Godot moves the node below the root and renames it
        "#);
    }
}
