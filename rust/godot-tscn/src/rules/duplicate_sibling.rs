//! TREE003

use crate::context::Context;
use crate::quote::quote;
use crate::rules::{Reporter, declare_rule};

declare_rule! {
    /// ## What it does
    /// Reports two children of one node with the same name, including children from an instanced or inherited scene.
    ///
    /// ## Why is this bad?
    /// Paths find nodes by name. Godot renames the second node, or paths cannot reach it.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node"]
    ///
    /// [node name="B" type="Node" parent="."]
    ///
    /// [node name="B" type="Node2D" parent="."]
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
    /// [node name="B2" type="Node2D" parent="."]
    /// ```
    ///
    /// ## Fix safety
    /// Unsafe, in a project: the second node gets an unused name. Paths that meant the second node still lead to the
    /// first one.
    ///
    /// ## References
    /// `SceneState::instantiate` (scene/resources/packed_scene.cpp)
    "TREE003", "duplicate-sibling", Error
}

fn check(context: &Context<'_>, reporter: &mut Reporter<'_>) {
    for node in &context.node_tree.nodes {
        let Some(first) = node.first_sibling else {
            continue;
        };
        let (Some(field), Some(name)) = (node.section.field("name"), &node.name) else {
            continue;
        };
        let diagnostic = reporter.report(
            field.value_span(),
            format!("the parent already has a child {}; rename the node", quote(name)),
        );
        diagnostic.consequence("Godot renames the node, or paths find only the first one");
        let first = context.node_tree.nodes[first as usize].section;
        if let Some(field) = first.field("name") {
            diagnostic.label(field.value_span(), "first used here");
        }
    }
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::RULE;
    use crate::rules::tests::{clean, node, rendered};

    #[test]
    fn siblings() {
        let child = "[node name=\"B\" type=\"Node\" parent=\".\"]\n";
        assert_snapshot!(rendered(&RULE, &node(&format!("{child}{child}"))), @r#"
        5:12-5:15 error: the parent already has a child `B`; rename the node
            at: "B"
            label 4:12-4:15: first used here: "B"
            so: Godot renames the node, or paths find only the first one
        "#);
        clean(&RULE, &node(&format!("{child}{}", child.replace("\".\"", "\"B\""))));
    }
}
