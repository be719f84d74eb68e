//! STR011

use crate::context::Context;
use crate::diagnostic::{Applicability, Fix};
use crate::document::TagKind;
use crate::edit_set::Edit;
use crate::rules::{Reporter, declare_rule};

declare_rule! {
    /// ## What it does
    /// Reports a first node that has a `parent`, or that has neither `type` nor `instance`.
    ///
    /// ## Why is this bad?
    /// Godot loads the file, but cannot instantiate it.
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
    /// Removing `parent` is safe, because Godot cannot instantiate the scene with it. It is unsafe if paths lead
    /// through the node: then the node was a child, and the root is missing.
    ///
    /// ## References
    /// `SceneState::instantiate` (scene/resources/packed_scene.cpp)
    "STR011", "malformed-root", Error
}

fn check(context: &Context<'_>, reporter: &mut Reporter<'_>) {
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
        let applicability =
            if is_led_through(context) { Applicability::Unsafe } else { Applicability::Safe };
        reporter
            .report(
                parent.span(),
                "the first node is the root and cannot have a `parent`; remove it",
            )
            .consequence("Godot cannot instantiate the scene")
            .fix(Fix::new("remove `parent`", applicability, vec![Edit::remove(span)]));
    }
    if root.field("type").is_none() && root.field("instance").is_none() {
        reporter
            .report(root.tag_span(), "the root has neither `type` nor `instance`; add `type=…`")
            .consequence("Godot cannot instantiate the scene");
    }
}

/// Whether a path of the scene names the first node, as paths do with all nodes but the root.
fn is_led_through(context: &Context<'_>) -> bool {
    let Some(name) = context.node_tree.nodes.first().and_then(|node| node.name.as_deref()) else {
        return false;
    };
    let leads = |path: &[u8]| path.split(|byte| *byte == b'/').next() == Some(name);
    context.document.sections().any(|section| {
        let fields: &[&str] = match section.kind() {
            TagKind::Node => &["parent"],
            TagKind::Connection => &["from", "to"],
            TagKind::Editable => &["path"],
            _ => &[],
        };
        let mut paths = fields.iter().filter_map(|field| section.field(field)?.text());
        paths.any(|path| leads(&path))
    })
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::RULE;
    use crate::diagnostic::Applicability;
    use crate::rules::tests::{check_fix, clean, diagnostics, rendered};

    #[test]
    fn roots() {
        let found = rendered(&RULE, "[gd_scene format=3]\n[node name=\"A\" parent=\".\"]\n");
        assert_snapshot!(found, @r#"
        2:1-2:27 error: the root has neither `type` nor `instance`; add `type=…`
            at: [node name="A" parent="."]
            so: Godot cannot instantiate the scene
        2:16-2:26 error: the first node is the root and cannot have a `parent`; remove it
            at: parent="."
            so: Godot cannot instantiate the scene
            safe fix: remove `parent`
              - [node name="A" parent="."]
              + [node name="A"]
        "#);
        clean(&RULE, "[gd_scene format=3]\n[node name=\"A\" instance=ExtResource(1)]\n");
    }

    #[test]
    fn fixes() {
        check_fix(
            &RULE,
            "[gd_scene format=3]\n[node name=\"A\" type=\"Node\" parent=\".\"]\n",
            "[gd_scene format=3]\n[node name=\"A\" type=\"Node\"]\n",
        );
    }

    #[test]
    fn a_child_whose_root_is_lost_is_not_made_the_root() {
        let applicability = |rest: &str| {
            let scene = "[gd_scene format=3]\n[node name=\"A\" type=\"Node\" parent=\".\"]\n";
            let found = diagnostics(&RULE, [scene, rest].concat().as_bytes());
            found[0].fix.as_ref().map(|fix| fix.applicability)
        };
        for rest in [
            "[node name=\"B\" type=\"Node\" parent=\"A\"]\n",
            "[node name=\"B\" type=\"Node\" parent=\"A/C\"]\n",
            "[connection signal=\"a\" from=\"A\" to=\".\" method=\"a\"]\n",
            "[connection signal=\"a\" from=\".\" to=\"A/C\" method=\"a\"]\n",
            "[editable path=\"A\"]\n",
        ] {
            assert_eq!(applicability(rest), Some(Applicability::Unsafe), "{rest}");
        }
        for rest in [
            "",
            "[node name=\"B\" type=\"Node\" parent=\".\"]\n[node name=\"C\" type=\"Node\" parent=\"AB\"]\n",
        ] {
            assert_eq!(applicability(rest), Some(Applicability::Safe), "{rest}");
        }
    }
}
