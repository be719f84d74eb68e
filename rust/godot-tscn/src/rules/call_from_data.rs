//! SEC007

use crate::context::Context;
use crate::document::{Property, Section, TagKind};
use crate::model::animations::{node_path, players, root_path};
use crate::model::node_tree::Parent;
use crate::model::untrusted::created_class;
use crate::quote::quote;
use crate::rules::{Reporter, declare_rule};

declare_rule! {
    /// ## What it does
    /// Reports data that calls methods or changes nodes outside the scene without a script.
    ///
    /// It reports:
    ///
    /// - method tracks of animations, and tracks that leave the scene
    /// - `advance_expression` of animation trees
    /// - connections to methods that are not on a short list of harmless ones
    /// - `PackedScene`s inside the file, because they hide their connections in arrays of numbers
    /// - links that open a program when the player clicks them
    ///
    /// ## Why is this bad?
    /// A method track, a connection or an expression can free nodes of the game, send requests
    /// (`HTTPRequest`), write files, change the scene, and call the game's own methods.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node"]
    ///
    /// [connection signal="ready" from="." to="." method="queue_free"]
    /// ```
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Timer"]
    ///
    /// [connection signal="ready" from="." to="." method="start"]
    /// ```
    ///
    /// ## References
    /// `AnimationMixer::_call_object` (scene/animation/animation_mixer.cpp),
    /// `AnimationNodeStateMachinePlayback::_check_advance_condition`
    /// (scene/animation/animation_node_state_machine.cpp)
    "SEC007", "call-from-data", Info, off_by_default
}

/// Methods of the engine's nodes that a signal may call. They change nothing but the node itself, and load and
/// send nothing.
const HARMLESS: &[&[u8]] =
    &[b"grab_focus", b"hide", b"pause", b"play", b"queue_redraw", b"show", b"start", b"stop"];

fn check(context: &Context<'_>, reporter: &mut Reporter<'_>) {
    let mut depth = None;
    for section in context.document.sections() {
        if section.kind() == TagKind::Connection {
            look_at_connection(section, reporter);
        }
        let class = created_class(section).unwrap_or_default();
        if class.as_ref() == b"PackedScene" {
            reporter.report(
                section.tag_span(),
                "the file contains a `PackedScene`, whose connections cannot be checked",
            );
        }
        for property in section.properties() {
            let key = property.engine_key();
            match key.as_ref() {
                b"_bundled" => {
                    reporter.report(property.key_span(), "a packed scene hides its connections");
                }
                b"advance_expression" if property.source() != b"\"\"" => {
                    reporter
                        .report(property.key_span(), "the expression can call any method")
                        .consequence("Godot evaluates it in every frame");
                }
                b"uri" => {
                    reporter.report(
                        property.key_span(),
                        "a click on this link opens a page or a program",
                    );
                }
                key if key.starts_with(b"tracks/") => {
                    let depth = *depth.get_or_insert_with(|| depth_of_players(context));
                    look_at_track(property, key, depth, reporter);
                }
                _ => {}
            }
        }
    }
}

fn look_at_connection(section: Section<'_>, reporter: &mut Reporter<'_>) {
    let Some(field) = section.field("method") else { return };
    let method = field.text().unwrap_or_default();
    if !HARMLESS.contains(&method.as_ref()) {
        reporter.report(field.value_span(), format!("a signal calls {}", quote(&method)));
    }
}

fn look_at_track(property: Property<'_>, key: &[u8], depth: usize, reporter: &mut Reporter<'_>) {
    let tree = property.value_tree();
    if key.ends_with(b"/type") && tree.root().text().is_none_or(|text| text.as_ref() == b"method") {
        reporter.report(property.value_span(), "the track calls methods");
    }
    if !key.ends_with(b"/path") {
        return;
    }
    // A string would do as well.
    let path = node_path(property.source())
        .or_else(|| tree.root().text().map(std::borrow::Cow::into_owned))
        .unwrap_or_default();
    let nodes = path.split(|byte| *byte == b':').next().unwrap_or_default();
    let ups = nodes.split(|byte| *byte == b'/').filter(|name| *name == b"..").count();
    if nodes.starts_with(b"/") || ups > depth {
        reporter.report(property.value_span(), "the track may lead to a node outside the scene");
    }
}

/// The number of steps up from the start nodes of the tracks that stay in the scene: the fewest of
/// all players, and none if it is unknown.
fn depth_of_players(context: &Context<'_>) -> usize {
    let tree = &context.node_tree;
    let depth_of = |mut node: u32| {
        let mut depth = 0;
        while let Parent::Known(parent) = tree.nodes[node as usize].parent {
            // Each step goes to an earlier node, so this ends.
            if parent >= node {
                return 0;
            }
            (node, depth) = (parent, depth + 1);
        }
        depth
    };
    players(&context.node_tree)
        .map(|(index, player)| {
            let (path, _) = root_path(player);
            tree.find_from(index, &path).map_or(0, depth_of)
        })
        .min()
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::RULE;
    use crate::rules::tests::{clean, node, rendered};

    #[test]
    fn connections() {
        let file = |method: &str| {
            node(&format!("[connection signal=\"a\" from=\".\" to=\".\" method=\"{method}\"]\n"))
        };
        clean(&RULE, &file("hide"));
        assert_snapshot!(rendered(&RULE, &file("c\\u0061ll")), @r#"
        4:47-4:58 info: a signal calls `call`
            at: "c\u0061ll"
        "#);
    }

    #[test]
    fn tracks() {
        let file = |kind: &str, path: &str| {
            format!(
                "[gd_scene format=3]\n[sub_resource type=\"Animation\" id=\"1\"]\n\
                 tracks/0/type = {kind}\ntracks/0/path = {path}\n\
                 [node name=\"A\" type=\"Node\"]\n[node name=\"B\" type=\"Node\" parent=\".\"]\n\
                 [node name=\"P\" type=\"AnimationPlayer\" parent=\"B\"]\n"
            )
        };
        clean(&RULE, &file("\"value\"", "NodePath(\"../C:position\")"));
        let mut found = String::new();
        for kind in ["\"method\"", "&\"method\"", "\"m\\u0065thod\""] {
            found += &rendered(&RULE, &file(kind, "NodePath(\".\")"));
        }
        assert_snapshot!(found, @r#"
        3:17-3:25 info: the track calls methods
            at: "method"
        3:17-3:26 info: the track calls methods
            at: &"method"
        3:17-3:30 info: the track calls methods
            at: "m\u0065thod"
        "#);
        let mut found = String::new();
        for path in ["NodePath(\"../../C:a\")", "NodePath(\"/root/C:a\")", "\"../../C:a\""] {
            found += &rendered(&RULE, &file("\"value\"", path));
        }
        assert_snapshot!(found, @r#"
        4:17-4:38 info: the track may lead to a node outside the scene
            at: NodePath("../../C:a")
        4:17-4:38 info: the track may lead to a node outside the scene
            at: NodePath("/root/C:a")
        4:17-4:28 info: the track may lead to a node outside the scene
            at: "../../C:a"
        "#);
    }

    #[test]
    fn others() {
        clean(&RULE, &node("advance_expression = \"\"\n"));
        assert_snapshot!(rendered(&RULE, &node("advance_expression = \"a\"\n")), @"
        4:1-4:19 info: the expression can call any method
            at: advance_expression
            so: Godot evaluates it in every frame
        ");
        let scene = "[gd_resource type=\"PackedScene\" format=3]\n[resource]\n_bundled = {}\n";
        assert_snapshot!(rendered(&RULE, scene), @r#"
        1:1-1:42 info: the file contains a `PackedScene`, whose connections cannot be checked
            at: [gd_resource type="PackedScene" format=3]
        3:1-3:9 info: a packed scene hides its connections
            at: _bundled
        "#);
    }
}
