//! SIG001

use crate::context::Context;
use crate::document::TagKind;
use crate::model::node_tree::Parent;
use crate::quote::quote;
use crate::rules::unknown_parent::help;
use crate::rules::{Reporter, declare_rule};

declare_rule! {
    /// ## What it does
    /// Reports a connection whose `from` or `to` is not a node of the scene, or of a scene that it inherits or
    /// instances. The rule needs a project to check those other scenes. It does not check nodes of imported models, or
    /// nodes that a `@tool` script may add while the scene is instantiated. If Godot 4.6 still finds the node by its
    /// id, it is a warning.
    ///
    /// ## Why is this bad?
    /// Godot drops the connection without a warning, and the next save in the editor removes it.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node"]
    ///
    /// [connection signal="ready" from="Gone" to="." method="_on_ready"]
    /// ```
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node"]
    ///
    /// [connection signal="ready" from="." to="." method="_on_ready"]
    /// ```
    ///
    /// ## Fix safety
    /// Safe, in a project: changes the path to that of the node that Godot finds by its id.
    ///
    /// ## References
    /// `SceneState::instantiate`, `SceneState::_recover_node_path_index`
    /// (scene/resources/packed_scene.cpp)
    "SIG001", "unknown-connection-end", Error
}

fn check(context: &Context<'_>, reporter: &mut Reporter<'_>) {
    let tree = &context.node_tree;
    if context.hides_sections || tree.nodes.is_empty() {
        return;
    }
    let connections =
        context.document.sections().filter(|section| section.kind() == TagKind::Connection);
    for section in connections {
        for name in ["from", "to"] {
            let Some(field) = section.field(name) else { continue };
            let Some(path) = field.text() else { continue };
            if tree.find(&path) != Err(Parent::Missing) {
                continue;
            }
            let message = format!("node {} not found in the scene; correct `{name}`", quote(&path));
            let diagnostic = reporter.report(field.value_span(), message);
            diagnostic.consequence("Godot drops the connection without a warning");
            if let Some(help) = help(context, &path) {
                diagnostic.help(help);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::RULE;
    use crate::rules::tests::{clean, node, rendered};

    #[test]
    fn ends() {
        let found = rendered(
            &RULE,
            &node(
                "[node name=\"Button\" type=\"Button\" parent=\".\"]\n\
                 [connection signal=\"pressed\" from=\"Buton\" to=\"A\" method=\"a\"]\n\
                 [connection signal=\"pressed\" from=\"Button\" to=\".\" method=\"a\"]\n",
            ),
        );
        assert_snapshot!(found, @r#"
        5:35-5:42 error: node `Buton` not found in the scene; correct `from`
            at: "Buton"
            so: Godot drops the connection without a warning
            help: did you mean `Button`?
        5:46-5:49 error: node `A` not found in the scene; correct `to`
            at: "A"
            so: Godot drops the connection without a warning
            help: paths start below the root; the root itself is `.`
        "#);
    }

    #[test]
    fn silent_about_other_scenes() {
        clean(
            &RULE,
            &node(
                "[node name=\"B\" parent=\".\" instance=ExtResource(1)]\n\
                 [connection signal=\"a\" from=\"B/Inner\" to=\"B\" method=\"a\"]\n",
            ),
        );
    }
}
