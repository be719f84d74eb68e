//! STR012

use crate::context::Context;
use crate::rules::{Reporter, declare_rule};

declare_rule! {
    /// ## What it does
    /// Reports nodes without a `name`.
    ///
    /// ## Why is this bad?
    /// Godot does not check this and reads a name outside its table. This is undefined behavior: the node has no name,
    /// or Godot crashes.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node type="Node"]
    /// ```
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node"]
    /// ```
    ///
    /// ## References
    /// godotengine/godot#122522; `ResourceLoaderText::_parse_node_tag`
    /// (scene/resources/resource_format_text.cpp)
    "STR012", "node-without-name", Error
}

fn check(context: &Context<'_>, reporter: &mut Reporter<'_>) {
    for node in &context.node_tree.nodes {
        if node.section.field("name").is_none() && !node.section.is_broken() {
            reporter
                .report(node.section.tag_span(), "the node has no `name`; add `name=…`")
                .consequence("undefined behavior: Godot may crash when it instantiates the scene");
        }
    }
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::RULE;
    use crate::rules::tests::{clean, node, rendered};

    #[test]
    fn names() {
        let text = node("[node type=\"Node\" parent=\".\"]\n");
        assert_snapshot!(rendered(&RULE, &text), @r#"
        4:1-4:30 error: the node has no `name`; add `name=…`
            at: [node type="Node" parent="."]
            so: undefined behavior: Godot may crash when it instantiates the scene
        "#);
        clean(&RULE, &node(""));
    }
}
