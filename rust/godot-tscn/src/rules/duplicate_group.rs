//! TREE019

use std::borrow::Cow;

use crate::context::Context;
use crate::diagnostic::{Applicability, Fix};
use crate::edit_set::Edit;
use crate::quote::quote;
use crate::rules::{Reporter, declare_rule};
use crate::span::Span;
use crate::value::tree::PartKind;

declare_rule! {
    /// ## What it does
    /// Reports a group that a node lists twice.
    ///
    /// ## Why is this bad?
    /// The second entry has no effect. It is usually left over from a merge.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node" groups=["a", "b", "a"]]
    /// ```
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node" groups=["a", "b"]]
    /// ```
    ///
    /// ## Fix safety
    /// Safe: the node is in the same groups.
    ///
    /// ## References
    /// `Node::add_to_group` (scene/main/node.cpp)
    "TREE019", "duplicate-group", Info
}

fn check(context: &Context<'_>, reporter: &mut Reporter<'_>) {
    if !context.facts.has_groups {
        return;
    }
    for node in &context.node_tree.nodes {
        let Some(field) = node.section.field("groups") else { continue };
        let tree = field.value_tree();
        if node.section.is_broken() || tree.root().kind() != PartKind::Array {
            continue;
        }
        let mut seen: Vec<Cow<'_, [u8]>> = Vec::new();
        let mut end_before = None;
        for group in tree.root().children() {
            let at = group.span();
            let before = end_before.replace(at.end);
            let Some(name) = group.text() else { continue };
            // Groups are few; a hostile list is left alone.
            if seen.len() > 100 || !seen.contains(&name) {
                seen.push(name);
                continue;
            }
            let edit = Edit::remove(Span::new(before.unwrap_or(at.start), at.end));
            reporter
                .report(at, format!("the node is already in the group {}", quote(&name)))
                .fix(Fix::new("remove the duplicate", Applicability::Safe, vec![edit]));
        }
    }
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::RULE;
    use crate::rules::tests::{check_fix, clean, rendered};

    #[test]
    fn groups() {
        let file = |groups: &str| {
            format!("[gd_scene format=3]\n\n[node name=\"A\" type=\"Node\" groups={groups}]\n")
        };
        clean(&RULE, &file("[\"a\", \"b\"]"));
        let text = file("[\"a\", &\"a\" , \"b\",\n\"a\"]");
        assert_snapshot!(rendered(&RULE, &text), @r#"
        3:41-3:45 info: the node is already in the group `a`
            at: &"a"
            safe fix: remove the duplicate
              - [node name="A" type="Node" groups=["a", &"a" , "b",
              + [node name="A" type="Node" groups=["a" , "b",
        4:1-4:4 info: the node is already in the group `a`
            at: "a"
            safe fix: remove the duplicate
              - [node name="A" type="Node" groups=["a", &"a" , "b",
              - "a"]]
              + [node name="A" type="Node" groups=["a", &"a" , "b"]]
        "#);
        check_fix(&RULE, &text, &file("[\"a\" , \"b\"]"));
    }
}
