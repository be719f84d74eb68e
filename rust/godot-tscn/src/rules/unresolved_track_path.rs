//! FMT006

use hashbrown::HashMap;

use crate::context::Context;
use crate::document::Section;
use crate::model::animations::{listed, node_path, players, root_path, sub_resources};
use crate::model::indexed::groups;
use crate::model::node_tree::Parent;
use crate::quote::quote;
use crate::rules::{Reporter, declare_rule};

declare_rule! {
    /// ## What it does
    /// Reports a track of an `Animation` whose `path` does not lead to a node. Paths are relative to the `root_node` of
    /// the `AnimationPlayer`s and `AnimationTree`s that have the animation; the rule also checks an animation in a
    /// separate file, in the scene that uses it. Also reports a `root_motion_track` that does not lead to a node. The
    /// rule needs a project to check instanced and inherited scenes, and does not check imported models. It ignores an
    /// animation that is played from more than 64 nodes of a scene.
    ///
    /// In a project, also reports a track that sets a property or calls a method which its node does not have, and a
    /// track that sets `position:z` of a `Vector2`. The rule ignores a node whose script it cannot read completely,
    /// whose script is a `@tool`, or whose script defines its properties in `_set`, `_get` or `_get_property_list`. It
    /// also ignores a member if a scene that uses this one gives the node a script with this member.
    ///
    /// ## Why is this bad?
    /// The track has no effect. For a missing node, Godot prints a warning when it plays the animation; for a missing
    /// method, an error when it calls the method. For a missing property, it prints nothing.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=2]
    ///
    /// [sub_resource type="Animation" id=1]
    /// tracks/0/type = "value"
    /// tracks/0/path = NodePath("Gone:visible")
    ///
    /// [node name="A" type="Node"]
    ///
    /// [node name="Player" type="AnimationPlayer" parent="."]
    /// anims/run = SubResource( 1 )
    /// ```
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=2]
    ///
    /// [sub_resource type="Animation" id=1]
    /// tracks/0/type = "value"
    /// tracks/0/path = NodePath(".:visible")
    ///
    /// [node name="A" type="Node"]
    ///
    /// [node name="Player" type="AnimationPlayer" parent="."]
    /// anims/run = SubResource( 1 )
    /// ```
    ///
    /// ## References
    /// `AnimationMixer::_update_caches`, `AnimationMixer::_blend_apply` (scene/animation/animation_mixer.cpp)
    "FMT006", "unresolved-track-path", Warning
}

fn check(context: &Context<'_>, reporter: &mut Reporter<'_>) {
    if !context.contains("Animation") {
        return;
    }
    if context.hides_sections || context.document.is_incomplete() {
        return;
    }
    let roots = roots_of_animations(context);
    for animation in sub_resources(context.document, b"Animation") {
        let Some(Roots::Known(roots)) = roots.get(&animation.index()) else {
            continue;
        };
        for track in groups(animation, "tracks") {
            let Some(property) = track.get("path") else {
                continue;
            };
            let Some(path) = node_path(property.source()) else {
                continue;
            };
            let is_missing =
                |root: &u32| context.node_tree.find_from(*root, &path) == Err(Parent::Missing);
            if roots.iter().all(is_missing) {
                let message = format!("node {} not found for this track", quote(&path));
                reporter
                    .report(property.value_span(), message)
                    .consequence("the track has no effect");
            }
        }
    }
}

/// The nodes from which players see the tracks of an animation, each once.
#[derive(Clone)]
enum Roots {
    Known(Vec<u32>),
    /// More than [`MAX_ROOTS`], because each would have to be checked for each track.
    TooMany,
}

const MAX_ROOTS: usize = 64;

impl Roots {
    fn add(&mut self, more: &[u32]) {
        let Self::Known(roots) = self else { return };
        for root in more {
            if !roots.contains(root) {
                roots.push(*root);
            }
        }
        if roots.len() > MAX_ROOTS {
            *self = Self::TooMany;
        }
    }

    fn add_all(&mut self, more: &Self) {
        match more {
            Self::Known(more) => self.add(more),
            Self::TooMany => *self = Self::TooMany,
        }
    }
}

impl Default for Roots {
    fn default() -> Self {
        Self::Known(Vec::new())
    }
}

/// The roots of the animations that the players list, by section; first those of the libraries, which any number of
/// players may share.
fn roots_of_animations(context: &Context<'_>) -> HashMap<u32, Roots> {
    let (mut libraries, mut animations) = (HashMap::new(), HashMap::new());
    for (index, player) in players(&context.node_tree) {
        let (path, _) = root_path(player);
        let Ok(root) = context.node_tree.find_from(index, &path) else { continue };
        each_listed(context, player, |class, section| {
            let roots = if class == "Animation" { &mut animations } else { &mut libraries };
            roots.entry(section.index()).or_insert_with(Roots::default).add(&[root]);
        });
    }
    for (library, roots) in libraries {
        each_listed(context, context.document.section(library), |class, section| {
            if class == "Animation" {
                animations.entry(section.index()).or_insert_with(Roots::default).add_all(&roots);
            }
        });
    }
    animations
}

/// Calls `each` with the class and the section of everything in this text that the section lists.
fn each_listed<'d>(
    context: &'d Context<'_>,
    section: Section<'d>,
    mut each: impl FnMut(&'static str, Section<'d>),
) {
    listed(section, |part, class| {
        let id = part.inner_text("SubResource");
        if let Some(found) = id.and_then(|id| context.sub_resources.find(&id)) {
            each(class, found.section);
        }
    });
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::RULE;
    use crate::rules::tests::{clean, rendered};

    #[test]
    fn paths() {
        let scene = |path: &str, node: &str| {
            format!(
                "[gd_scene format=3]\n\n[sub_resource type=\"Animation\" id=\"A\"]\ntracks/0/type = \"value\"\n\
                 tracks/0/path = NodePath(\"{path}\")\n\n[sub_resource type=\"AnimationLibrary\" id=\"L\"]\n\
                 _data = {{\n\"a\": SubResource(\"A\")\n}}\n\n[node name=\"N\" type=\"Node\"]\n\n\
                 [node name=\"P\" type=\"AnimationPlayer\" parent=\".\"]\nlibraries = {{\n\"\": SubResource(\"L\")\n}}\n\n{node}"
            )
        };
        let found =
            rendered(&RULE, &scene("B/C:x", "[node name=\"B\" type=\"Node\" parent=\".\"]\n"));
        assert_snapshot!(found, @r#"
        5:17-5:34 warning: node `B/C:x` not found for this track
            at: NodePath("B/C:x")
            so: the track has no effect
        "#);
        clean(&RULE, &scene("B:x", "[node name=\"B\" type=\"Node\" parent=\".\"]\n"));
        clean(&RULE, &scene("B/C:x", "[node name=\"B\" parent=\".\" instance=ExtResource(1)]\n"));
        clean(&RULE, &scene("%Unique:x", ""));
    }

    #[test]
    fn players_of_one_library() {
        let player = |number: usize, inner: &str| {
            format!(
                "[node name=\"R{number}\" type=\"Node\" parent=\".\"]\n{inner}\
                 [node name=\"P\" type=\"AnimationPlayer\" parent=\"R{number}\"]\nlibraries = {{\n\"\": SubResource(\"L\")\n}}\n"
            )
        };
        let scene = |players: &str| {
            format!(
                "[gd_scene format=3]\n\n[sub_resource type=\"Animation\" id=\"A\"]\ntracks/0/type = \"value\"\n\
                 tracks/0/path = NodePath(\"B:x\")\n\n[sub_resource type=\"AnimationLibrary\" id=\"L\"]\n\
                 _data = {{\n\"a\": SubResource(\"A\")\n}}\n\n[node name=\"N\" type=\"Node\"]\n{players}"
            )
        };
        let players =
            |count: usize| (0..count).map(|number| player(number, "")).collect::<String>();
        assert_snapshot!(rendered(&RULE, &scene(&players(2))), @r#"
        5:17-5:32 warning: node `B:x` not found for this track
            at: NodePath("B:x")
            so: the track has no effect
        "#);
        assert_snapshot!(rendered(&RULE, &scene(&players(super::MAX_ROOTS))), @r#"
        5:17-5:32 warning: node `B:x` not found for this track
            at: NodePath("B:x")
            so: the track has no effect
        "#);
        clean(&RULE, &scene(&players(super::MAX_ROOTS + 1)));
        let inner = "[node name=\"B\" type=\"Node\" parent=\"R2\"]\n";
        clean(&RULE, &scene(&(players(2) + &player(2, inner))));
    }

    #[test]
    fn properties_for_libraries() {
        let scene = |path: &str| {
            format!(
                "[gd_scene format=3]\n\n[sub_resource type=\"Animation\" id=\"A\"]\ntracks/0/type = \"position_3d\"\n\
                 tracks/0/path = NodePath(\"{path}\")\n\n[sub_resource type=\"AnimationLibrary\" id=\"L\"]\n\
                 _data = {{\n&\"a\": SubResource(\"A\")\n}}\n\n[node name=\"N\" type=\"Node3D\"]\n\n\
                 [node name=\"S\" type=\"Skeleton3D\" parent=\".\"]\n\n\
                 [node name=\"P\" type=\"AnimationPlayer\" parent=\".\"]\nlibraries/ = SubResource(\"L\")\n"
            )
        };
        clean(&RULE, &scene("S:Bone"));
        assert_snapshot!(rendered(&RULE, &scene("T:Bone")), @r#"
        5:17-5:35 warning: node `T:Bone` not found for this track
            at: NodePath("T:Bone")
            so: the track has no effect
        "#);
    }
}
