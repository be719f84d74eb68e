//! STR010

use crate::context::Context;
use crate::model::node_tree::Parent;
use crate::rules::{Reporter, declare_rule};

declare_rule! {
    /// ## What it does
    /// Reports a node other than the first that has no `parent`.
    ///
    /// ## Why is this bad?
    /// A scene has one root. Godot loads the file, but cannot instantiate it.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node"]
    ///
    /// [node name="B" type="Node"]
    /// ```
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node"]
    ///
    /// [node name="B" type="Node" parent="."]
    /// ```
    ///
    /// ## References
    /// `SceneState::instantiate` (scene/resources/packed_scene.cpp)
    "STR010", "multiple-roots", Error
}

fn check(context: &Context<'_>, reporter: &mut Reporter<'_>) {
    let nodes = &context.node_tree.nodes;
    for node in nodes.iter().skip(1) {
        if node.parent != Parent::None || node.section.is_broken() {
            continue;
        }
        reporter
            .report(
                node.section.tag_span(),
                "unexpected second root; every node except the first needs a `parent`: add `parent=\".\"`",
            )
            .label(nodes[0].section.tag_span(), "the root")
            .consequence("Godot cannot instantiate the scene");
    }
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::RULE;
    use crate::rules::tests::{clean, node, rendered};

    #[test]
    fn roots() {
        assert_snapshot!(rendered(&RULE, &node("[node name=\"B\" type=\"Node\"]\n")), @r#"
        4:1-4:28 error: unexpected second root; every node except the first needs a `parent`: add `parent="."`
            at: [node name="B" type="Node"]
            label 3:1-3:28: the root: [node name="A" type="Node"]
            so: Godot cannot instantiate the scene
        "#);
        clean(&RULE, &node("[node name=\"B\" type=\"Node\" parent=\".\"]\n"));
    }
}
