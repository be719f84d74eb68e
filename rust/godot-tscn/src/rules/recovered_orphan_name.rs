//! TREE020

use crate::context::Context;
use crate::model::node_tree::Parent;
use crate::quote::quote;
use crate::rules::{Reporter, declare_rule};

declare_rule! {
    /// ## What it does
    /// Reports children of the root whose name looks like `Parent_Path#Name`.
    ///
    /// ## Why is this bad?
    /// Godot gives this name to a node whose parent no longer exists, after it moves the node below the root. This
    /// happens when a node in an instanced scene is renamed, and this scene is saved afterwards. The node is probably
    /// in the wrong place now, and its connections are lost.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node"]
    ///
    /// [node name="Enemy_Hand#Sword" type="Node" parent="."]
    /// ```
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [ext_resource type="PackedScene" path="res://enemy.tscn" id="1"]
    ///
    /// [node name="A" type="Node"]
    ///
    /// [node name="Enemy" parent="." instance=ExtResource("1")]
    ///
    /// [node name="Sword" type="Node" parent="Enemy/LeftHand"]
    ///
    /// [editable path="Enemy"]
    /// ```
    ///
    /// ## References
    /// `SceneState::instantiate` (scene/resources/packed_scene.cpp)
    "TREE020", "recovered-orphan-name", Warning
}

fn check(context: &Context<'_>, reporter: &mut Reporter<'_>) {
    for node in context.node_tree.nodes.iter().skip(1) {
        let (Some(name), Parent::Known(0)) = (&node.name, node.parent) else { continue };
        let Some(hash) = memchr::memchr(b'#', name) else { continue };
        let (parent, own) = (&name[..hash], &name[hash + 1..]);
        let is_word = |text: &[u8]| text.first().is_some_and(u8::is_ascii_alphabetic);
        if !is_word(parent) || !is_word(own) || parent.ends_with(b" ") {
            continue;
        }
        let Some(field) = node.section.field("name") else { continue };
        let message = format!(
            "{} lost its parent {} and was moved below the root; move it back",
            quote(own),
            quote(parent)
        );
        reporter.report(field.value_span(), message);
    }
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::RULE;
    use crate::rules::tests::{clean, node, rendered};

    #[test]
    fn names() {
        let file =
            |name: &str| node(&format!("[node name=\"{name}\" type=\"Node\" parent=\".\"]\n"));
        assert_snapshot!(rendered(&RULE, &file("Inst_Kid#Added")), @r#"
        4:12-4:28 warning: `Added` lost its parent `Inst_Kid` and was moved below the root; move it back
            at: "Inst_Kid#Added"
        "#);
        for name in ["C#", "Level #1", "#Added", "Level#2", "A # B"] {
            clean(&RULE, &file(name));
        }
    }
}
