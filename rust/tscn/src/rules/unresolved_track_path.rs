//! FMT006

use hashbrown::HashMap;

use crate::document::{Section, TagKind};
use crate::lint::{Context, quote};
use crate::model::animations::{listed, node_path, players, root_path, sub_resources};
use crate::model::indexed::groups;
use crate::model::node_tree::Parent;
use crate::rules::{Findings, declare_rule};

declare_rule! {
    /// ## What it does
    /// Reports a track of an `Animation` whose `path` leads to no node, seen from the `root_node` of the
    /// `AnimationPlayer`s and `AnimationTree`s that have the animation: also of one in a file of its own, in the scene
    /// that uses it. And a `root_motion_track` that leads to no node. In a project, instanced and inherited scenes are
    /// looked at; of one file alone, and of imported models, nothing is said there.
    ///
    /// ## Why is this bad?
    /// The track moves nothing, and Godot complains when the animation is played.
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
    /// `AnimationMixer::_update_caches` (scene/animation/animation_mixer.cpp)
    "FMT006", "unresolved-track-path", Warning
}

fn check(context: &Context<'_>, findings: &mut Findings<'_>) {
    if !context.mentions("Animation") {
        return;
    }
    if context.hides_sections || context.document.is_incomplete() {
        return;
    }
    let mut roots: HashMap<u32, Vec<u32>> = HashMap::new();
    for (index, player) in players(context) {
        let (path, _) = root_path(player);
        if let Ok(root) = context.node_tree.find_from(index, &path) {
            collect(context, player, root, &mut roots);
        }
    }
    for animation in sub_resources(context, b"Animation") {
        let Some(roots) = roots.get(&animation.index()) else {
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
                let message = format!("no node {} is there for this track", quote(&path));
                findings
                    .push(property.value_span(), message)
                    .consequence("the track moves nothing");
            }
        }
    }
}

/// Notes `root` for each animation that the section lists, in its libraries too.
fn collect(
    context: &Context<'_>,
    section: Section<'_>,
    root: u32,
    roots: &mut HashMap<u32, Vec<u32>>,
) {
    let mut libraries = Vec::new();
    listed(section, |_, part, class| {
        let id = part.inner_text("SubResource");
        let Some(found) = id.and_then(|id| context.sub_resources.find(&id)) else {
            return;
        };
        if class == "Animation" {
            let roots = roots.entry(found.section.index()).or_default();
            if !roots.contains(&root) {
                roots.push(root);
            }
        } else if found.section.index() != section.index() {
            libraries.push(found.section);
        }
    });
    if section.kind() == TagKind::Node {
        for library in libraries {
            collect(context, library, root, roots);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::rules::tests::check;

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
        let found = &["5:17 no node `B/C:x` is there for this track"];
        check(&RULE, &scene("B/C:x", "[node name=\"B\" type=\"Node\" parent=\".\"]\n"), found);
        check(&RULE, &scene("B:x", "[node name=\"B\" type=\"Node\" parent=\".\"]\n"), &[]);
        check(
            &RULE,
            &scene("B/C:x", "[node name=\"B\" parent=\".\" instance=ExtResource(1)]\n"),
            &[],
        );
        check(&RULE, &scene("%Unique:x", ""), &[]);
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
        check(&RULE, &scene("S:Bone"), &[]);
        check(&RULE, &scene("T:Bone"), &["5:17 no node `T:Bone` is there for this track"]);
    }
}
