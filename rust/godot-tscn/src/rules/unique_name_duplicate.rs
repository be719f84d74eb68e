//! TREE012

use std::borrow::Cow;

use hashbrown::HashMap;

use crate::context::Context;
use crate::quote::quote;
use crate::rules::{Reporter, declare_rule};
use crate::span::Span;

declare_rule! {
    /// ## What it does
    /// Reports two nodes of the same owner that have the same name and both use it as a unique name (`%Name`).
    ///
    /// ## Why is this bad?
    /// `%Name` finds only the first node. Godot prints an error and removes the unique name from the second.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node"]
    ///
    /// [node name="B" type="Node" parent="."]
    /// unique_name_in_owner = true
    ///
    /// [node name="B" type="Node" parent="B"]
    /// unique_name_in_owner = true
    /// ```
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node"]
    ///
    /// [node name="B" type="Node" parent="."]
    /// unique_name_in_owner = true
    ///
    /// [node name="Inner" type="Node" parent="B"]
    /// unique_name_in_owner = true
    /// ```
    ///
    /// ## References
    /// `Node::_acquire_unique_name_in_owner` (scene/main/node.cpp)
    "TREE012", "unique-name-duplicate", Error
}

/// The path of a node's owner, if it is not the root, and the node's name.
type Owned<'n> = (Option<Cow<'n, [u8]>>, &'n [u8]);

fn check(context: &Context<'_>, reporter: &mut Reporter<'_>) {
    if !context.facts.has_unique_names || context.document.is_incomplete() {
        return;
    }
    let mut first: HashMap<Owned<'_>, Span> = HashMap::new();
    // The root has no owner.
    for node in context.node_tree.nodes.iter().skip(1) {
        let section = node.section;
        let is_own = section.field("type").is_some() || section.field("instance").is_some();
        let (Some(name), Some(field)) = (&node.name, section.field("name")) else { continue };
        let mut properties = section.properties();
        let unique =
            properties.rfind(|property| property.key().as_ref() == b"unique_name_in_owner");
        if !is_own || unique.is_none_or(|property| property.source() != b"true") {
            continue;
        }
        let owner = section.field_text("owner");
        let first = *first.entry((owner, name)).or_insert(field.value_span());
        if first != field.value_span() {
            let message = format!(
                "another node already has the unique name {}; rename one of them",
                quote(name)
            );
            reporter
                .report(field.value_span(), message)
                .label(first, "first used here")
                .consequence("Godot removes the unique name from this node");
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
        let file = |second: &str, unique: &str| {
            node(&format!(
                "[node name=\"B\" type=\"Node\" parent=\".\"]\nunique_name_in_owner = true\n\
                 [node name=\"{second}\" type=\"Node\" parent=\"B\"]\nunique_name_in_owner = {unique}\n"
            ))
        };
        assert_snapshot!(rendered(&RULE, &file("B", "true")), @r#"
        6:12-6:15 error: another node already has the unique name `B`; rename one of them
            at: "B"
            label 4:12-4:15: first used here: "B"
            so: Godot removes the unique name from this node
        "#);
        clean(&RULE, &file("B", "false"));
        clean(&RULE, &file("C", "true"));
    }
}
