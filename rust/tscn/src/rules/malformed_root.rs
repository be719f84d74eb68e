//! STR011

use crate::diagnostic::{Applicability, Edit, Fix};
use crate::lint::Context;
use crate::rules::{Findings, declare_rule};

declare_rule! {
    /// ## What it does
    /// Reports a first node that has a `parent`, or neither `type` nor `instance`.
    ///
    /// ## Why is this bad?
    /// Godot loads the file, but cannot make nodes of it.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node" parent="."]
    /// ```
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node"]
    /// ```
    ///
    /// ## Fix safety
    /// Removing `parent` is safe: the scene cannot be instantiated with it.
    ///
    /// ## References
    /// `SceneState::instantiate` (scene/resources/packed_scene.cpp)
    "STR011", "malformed-root", Error
}

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    let Some(root) = context.node_tree.nodes.first().map(|node| node.section) else {
        return;
    };
    if root.is_broken() {
        return;
    }
    if let Some(parent) = root.field("parent") {
        let text = context.document.text();
        let mut span = parent.span();
        while text[span.start as usize - 1] == b' ' {
            span.start -= 1;
        }
        findings
            .push(parent.span(), "the first node is the root and has no `parent`; remove it")
            .consequence("Godot cannot instantiate the scene")
            .fix(Fix::new("remove `parent`", Applicability::Safe, vec![Edit::remove(span)]));
    }
    if root.field("type").is_none() && root.field("instance").is_none() {
        findings
            .push(root.tag_span(), "the root has neither `type` nor `instance`; add `type=…`")
            .consequence("Godot cannot instantiate the scene");
    }
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::rules::tests::{check, check_fix};

    #[test]
    fn roots() {
        check(
            &RULE,
            "[gd_scene format=3]\n[node name=\"A\" parent=\".\"]\n",
            &[
                "2:1 the root has neither `type` nor `instance`; add `type=…`",
                "2:16 the first node is the root and has no `parent`; remove it",
            ],
        );
        check(&RULE, "[gd_scene format=3]\n[node name=\"A\" instance=ExtResource(1)]\n", &[]);
    }

    #[test]
    fn fixes() {
        check_fix(
            &RULE,
            "[gd_scene format=3]\n[node name=\"A\" type=\"Node\" parent=\".\"]\n",
            "[gd_scene format=3]\n[node name=\"A\" type=\"Node\"]\n",
        );
    }
}
