//! TREE001

use crate::context::Context;
use crate::model::node_tree::Parent;
use crate::quote::quote;
use crate::rules::{Reporter, declare_rule};

declare_rule! {
    /// ## What it does
    /// Reports a node whose `parent` is not a node of the scene, or of a scene that it inherits or instances. The rule
    /// needs a project to check those other scenes. It does not check nodes of imported models, or nodes that a `@tool`
    /// script may add while the scene is instantiated. If Godot 4.6 still finds the node by its id, it is a warning.
    ///
    /// ## Why is this bad?
    /// Godot moves the node below the root and renames it (`Nope#B`), and the next save makes this permanent. Godot
    /// 4.6.3 crashes on an empty `parent` (`NodePath::prepend_period`).
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node"]
    ///
    /// [node name="B" type="Node" parent="Nope"]
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
    /// Safe, in a project: changes the path to that of the node that Godot finds by its id.
    ///
    /// ## References
    /// `SceneState::instantiate`, `SceneState::_recover_node_path_index`
    /// (scene/resources/packed_scene.cpp)
    "TREE001", "unknown-parent", Error
}

fn check(context: &Context<'_>, reporter: &mut Reporter<'_>) {
    if context.hides_sections {
        return;
    }
    let tree = &context.node_tree;
    for (index, node) in tree.nodes.iter().enumerate() {
        let Some(field) = node.section.field("parent") else {
            continue;
        };
        let path = node.parent_path.as_deref().unwrap_or_default();
        if path.is_empty() && node.parent_path.is_some() {
            reporter
                .report(field.value_span(), "`parent` is empty; write `.` for the root")
                .consequence("Godot crashes when it loads the file");
            continue;
        }
        // The rule `malformed-root` reports the first node.
        if node.parent != Parent::Missing || index == 0 {
            continue;
        }
        let message = format!("node {} not found in the scene; correct `parent`", quote(path));
        let diagnostic = reporter.report(field.value_span(), message);
        diagnostic.consequence("Godot moves the node below the root and renames it");
        if let Some(help) = help(context, path) {
            diagnostic.help(help);
        }
    }
}

/// Help for a `path` from the root that leads to no node.
pub(super) fn help(context: &Context<'_>, path: &[u8]) -> Option<String> {
    let nodes = &context.node_tree.nodes;
    if Some(path) == nodes.first()?.name.as_deref() {
        return Some("paths start below the root; the root itself is `.`".to_owned());
    }
    if path.starts_with(b"/") || path.starts_with(b"..") {
        let help = "paths start below the root, without its name: `.`, `Arm`, `Arm/Hand`";
        return Some(help.to_owned());
    }
    let last = path.rsplit(|byte| *byte == b'/').next().unwrap_or(path);
    let names = nodes.iter().skip(1).filter_map(|node| node.name.as_deref());
    let near = context.nearest(last, names.filter(|name| *name != last))?;
    Some(format!("did you mean {}?", quote(near)))
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::RULE;
    use crate::rules::tests::{clean, node, rendered};

    #[test]
    fn missing() {
        let found = rendered(
            &RULE,
            &node(
                "[node name=\"B\" type=\"Node\" parent=\"Nope\"]\n[node name=\"C\" type=\"Node\" parent=\"Nope/B\"]\n",
            ),
        );
        assert_snapshot!(found, @r#"
        4:35-4:41 error: node `Nope` not found in the scene; correct `parent`
            at: "Nope"
            so: Godot moves the node below the root and renames it
        5:35-5:43 error: node `Nope/B` not found in the scene; correct `parent`
            at: "Nope/B"
            so: Godot moves the node below the root and renames it
        "#);
    }

    #[test]
    fn above_the_root() {
        let found = rendered(
            &RULE,
            &node(
                "[node name=\"B\" type=\"Node\" parent=\"..\"]\n[node name=\"C\" type=\"Node\" parent=\"/root/A\"]\n",
            ),
        );
        assert_snapshot!(found, @r#"
        4:35-4:39 error: node `..` not found in the scene; correct `parent`
            at: ".."
            so: Godot moves the node below the root and renames it
            help: paths start below the root, without its name: `.`, `Arm`, `Arm/Hand`
        5:35-5:44 error: node `/root/A` not found in the scene; correct `parent`
            at: "/root/A"
            so: Godot moves the node below the root and renames it
            help: paths start below the root, without its name: `.`, `Arm`, `Arm/Hand`
        "#);
        let there_and_back = "[node name=\"B\" type=\"Node\" parent=\".\"]\n[node name=\"C\" type=\"Node\" parent=\"B/..\"]\n";
        clean(&RULE, &node(there_and_back));
    }

    #[test]
    fn empty() {
        let found = rendered(&RULE, &node("[node name=\"B\" type=\"Node\" parent=\"\"]\n"));
        assert_snapshot!(found, @r#"
        4:35-4:37 error: `parent` is empty; write `.` for the root
            at: ""
            so: Godot crashes when it loads the file
        "#);
    }

    #[test]
    fn found() {
        clean(
            &RULE,
            &node(
                "[node name=\"B\" type=\"Node\" parent=\".\"]\n[node name=\"C\" type=\"Node\" parent=\"B\"]\n\
                 [node name=\"D\" type=\"Node\" parent=\"./B/C\"]\n",
            ),
        );
    }

    #[test]
    fn silent_about_other_scenes() {
        clean(
            &RULE,
            &node(
                "[node name=\"B\" parent=\".\" instance=ExtResource(1)]\n\
                 [node name=\"C\" type=\"Node\" parent=\"B/Inner\"]\n\
                 [node name=\"D\" parent=\"B\"]\n[node name=\"E\" type=\"Node\" parent=\"B/D/F\"]\n",
            ),
        );
        clean(
            &RULE,
            "[gd_scene format=3]\n[node name=\"A\" instance=ExtResource(1)]\n\
             [node name=\"B\" type=\"Node\" parent=\"Inner\"]\n",
        );
    }
}
