//! TREE011

use crate::context::Context;
use crate::rules::{Reporter, declare_rule};

declare_rule! {
    /// ## What it does
    /// Reports nodes without `unique_id` in a scene whose other nodes have one.
    ///
    /// ## Why is this bad?
    /// Other scenes cannot follow such a node when it is renamed. The next save in the editor gives it an id, which
    /// causes an unrelated change in a diff.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node" unique_id=7]
    ///
    /// [node name="B" type="Node" parent="."]
    /// ```
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node" unique_id=7]
    ///
    /// [node name="B" type="Node" parent="." unique_id=8]
    /// ```
    ///
    /// ## References
    /// `SceneState::_parse_node` (scene/resources/packed_scene.cpp), Godot issue 106837
    "TREE011", "partial-unique-ids", Info, off_by_default
}

fn check(context: &Context<'_>, reporter: &mut Reporter<'_>) {
    if !context.facts.has_unique_ids {
        return;
    }
    for node in &context.node_tree.nodes {
        let section = node.section;
        let is_own = section.field("type").is_some() || section.field("instance").is_some();
        if is_own && !section.is_broken() && section.field("unique_id").is_none() {
            reporter.report(
                section.tag_span(),
                "the node has no `unique_id`, but other nodes have one; save the scene in the editor",
            );
        }
    }
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::RULE;
    use crate::rules::tests::{clean, node, rendered};

    #[test]
    fn nodes() {
        let child = "[node name=\"B\" type=\"Node\" parent=\".\" unique_id=1]\n";
        assert_snapshot!(rendered(&RULE, &node(child)), @r#"
        3:1-3:28 info: the node has no `unique_id`, but other nodes have one; save the scene in the editor
            at: [node name="A" type="Node"]
        "#);
        clean(&RULE, &node(&child.replace(" unique_id=1", "")));
    }
}
