//! TREE018

use hashbrown::HashMap;

use crate::context::Context;
use crate::diagnostic::{Applicability, Fix};
use crate::edit_set::Edit;
use crate::model::node_tree::Parent;
use crate::rules::duplicate_unique_id::with_blank_before;
use crate::rules::{Reporter, declare_rule};

declare_rule! {
    /// ## What it does
    /// Reports an `index` that does not move its node, because all children of the parent are in this file and the node
    /// is already the last one, or because the number is negative.
    ///
    /// ## Why is this bad?
    /// Godot writes `index` only for nodes among the children of other scenes, to store their position. Elsewhere, it
    /// is left over from a merge, or from a time when the scene inherited another one. The rule ignores files in which
    /// Godot writes `index` for every node: scenes that inherit another one, and files of Godot 3.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node"]
    ///
    /// [node name="B" type="Node" parent="." index="5"]
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
    /// ## Fix safety
    /// Safe: the node stays where it is.
    ///
    /// ## References
    /// `SceneState::instantiate`, `SceneState::_parse_node` (scene/resources/packed_scene.cpp)
    "TREE018", "index-without-effect", Info
}

fn check(context: &Context<'_>, reporter: &mut Reporter<'_>) {
    // Godot 3 wrote `index` everywhere.
    let is_old = context.format().is_none_or(|format| format < 3);
    if !context.facts.has_indices || is_old || context.document.is_incomplete() {
        return;
    }
    let tree = &context.node_tree;
    // In a scene that inherits another one, Godot 4 still does.
    if tree.nodes.first().is_some_and(|root| root.section.field("instance").is_some()) {
        return;
    }
    let mut child_counts: HashMap<u32, i64> = HashMap::new();
    for node in &tree.nodes {
        let Parent::Known(parent) = node.parent else { continue };
        // Children of other scenes and those of a class are not in the text.
        let has_type = node.section.field("type").is_some();
        let earlier = child_counts.entry(parent).or_insert(0);
        let (earlier, _) = (*earlier, *earlier += 1);
        let (Some(field), true) = (node.section.field("index"), has_type) else { continue };
        let Some(index) =
            field.text().and_then(|text| std::str::from_utf8(&text).ok()?.parse().ok())
        else {
            continue;
        };
        let index: i64 = index;
        if tree.is_opaque(parent) || (0..earlier).contains(&index) || !is_plain(context, parent) {
            continue;
        }
        let edit = Edit::remove(with_blank_before(context, field));
        reporter
            .report(field.span(), "the node is already at this index; remove `index`")
            .fix(Fix::new("remove `index`", Applicability::Safe, vec![edit]));
    }
}

/// Whether instances of the parent's type start without children.
fn is_plain(context: &Context<'_>, parent: u32) -> bool {
    let class = context.node_tree.nodes[parent as usize].section.field_text("type");
    class.is_some_and(|class| {
        matches!(class.as_ref(), b"Node" | b"Node2D" | b"Node3D" | b"Spatial" | b"Control")
    })
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::RULE;
    use crate::rules::tests::{check_fix, clean, node, rendered};

    #[test]
    fn indices() {
        let file = |first: &str, second: &str| {
            node(&format!(
                "[node name=\"B\" type=\"Node\" parent=\".\"{first}]\n\
                 [node name=\"C\" type=\"Node\" parent=\".\"{second}]\n"
            ))
        };
        assert_snapshot!(rendered(&RULE, &file(" index=\"0\"", "")), @r#"
        4:39-4:48 info: the node is already at this index; remove `index`
            at: index="0"
            safe fix: remove `index`
              - [node name="B" type="Node" parent="." index="0"]
              + [node name="B" type="Node" parent="."]
        "#);
        check_fix(&RULE, &file(" index=\"7\"", ""), &file("", ""));
        clean(&RULE, &file("", " index=\"0\""));
        check_fix(&RULE, &file("", " index=\"1\""), &file("", ""));
    }

    /// Godot 4.6.3 writes such a file as it is: without `index` it would come back with the next save.
    #[test]
    fn inherited_scenes() {
        let text = "[node name=\"B\" type=\"Node\" parent=\".\" index=\"1\"]\n\
                    [node name=\"C\" type=\"Node\" parent=\"B\" index=\"0\"]\n";
        clean(&RULE, &node(text).replacen("type=\"Node\"", "instance=ExtResource(\"1\")", 1));
    }

    #[test]
    fn children_of_other_scenes() {
        let text = "[node name=\"B\" parent=\".\" instance=ExtResource(\"1\")]\n\
                    [node name=\"C\" type=\"Node\" parent=\"B\" index=\"9\"]\n";
        clean(&RULE, &node(text));
    }
}
