//! MIG008

use crate::context::Context;
use crate::diagnostic::{Applicability, Fix};
use crate::document::{Field, TagKind};
use crate::edit_set::Edit;
use crate::model::node_tree::Parent;
use crate::quote::quote;
use crate::rules::{Reporter, declare_rule};

declare_rule! {
    /// ## What it does
    /// Reports a path to a missing node that contains a Godot 4 class name, such as `parent="Sprite2D"`, if a node with
    /// the Godot 3 name of that class exists, such as `Sprite`.
    ///
    /// ## Why is this bad?
    /// `--convert-3to4` renames classes by search and replace. So it also changes paths that contain such a name, but
    /// it does not always change both the path and the node. Godot then moves the node below the root, or drops the
    /// connection.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node"]
    ///
    /// [node name="Sprite" type="Sprite2D" parent="."]
    ///
    /// [node name="B" type="Node" parent="Sprite2D"]
    /// ```
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node"]
    ///
    /// [node name="Sprite" type="Sprite2D" parent="."]
    ///
    /// [node name="B" type="Node" parent="Sprite"]
    /// ```
    ///
    /// ## Fix safety
    /// Unsafe: the node probably had this parent before the conversion, but it has a different parent now.
    ///
    /// ## References
    /// `ProjectConverter3To4` (editor/project_upgrade/project_converter_3_to_4.cpp), Godot issue 74958
    "MIG008", "converter-damage", Warning
}

/// Classes of nodes that were renamed, the present name first (`RenamesMap3To4::class_renames`, Godot 4). Not all
/// of `godot-project/data/renames.txt`, in which some classes have several old names, and which exported games do not carry.
const RENAMES: &[(&str, &str)] = &[
    ("AnimatedSprite2D", "AnimatedSprite"),
    ("Area3D", "Area"),
    ("AudioListener3D", "Listener"),
    ("BoneAttachment3D", "BoneAttachment"),
    ("CPUParticles3D", "CPUParticles"),
    ("CSGBox3D", "CSGBox"),
    ("Camera3D", "Camera"),
    ("CharacterBody2D", "KinematicBody2D"),
    ("CharacterBody3D", "KinematicBody"),
    ("CollisionPolygon3D", "CollisionPolygon"),
    ("CollisionShape3D", "CollisionShape"),
    ("DirectionalLight3D", "DirectionalLight"),
    ("GPUParticles2D", "Particles2D"),
    ("GPUParticles3D", "Particles"),
    ("Joint3D", "Joint"),
    ("Light3D", "Light"),
    ("Marker2D", "Position2D"),
    ("Marker3D", "Position3D"),
    ("MeshInstance3D", "MeshInstance"),
    ("MultiMeshInstance3D", "MultiMeshInstance"),
    ("NavigationAgent3D", "NavigationAgent"),
    ("Node3D", "Spatial"),
    ("OmniLight3D", "OmniLight"),
    ("Path3D", "Path"),
    ("PathFollow3D", "PathFollow"),
    ("PointLight2D", "Light2D"),
    ("RayCast3D", "RayCast"),
    ("RemoteTransform3D", "RemoteTransform"),
    ("RigidBody3D", "RigidBody"),
    ("Skeleton3D", "Skeleton"),
    ("SpotLight3D", "SpotLight"),
    ("SpringArm3D", "SpringArm"),
    ("Sprite2D", "Sprite"),
    ("StaticBody3D", "StaticBody"),
    ("SubViewport", "Viewport"),
    ("SubViewportContainer", "ViewportContainer"),
    ("TextureProgressBar", "TextureProgress"),
    ("VisibleOnScreenNotifier2D", "VisibilityNotifier2D"),
    ("VisibleOnScreenNotifier3D", "VisibilityNotifier"),
    ("XRCamera3D", "ARVRCamera"),
];

fn check(context: &Context<'_>, reporter: &mut Reporter<'_>) {
    let tree = &context.node_tree;
    if context.hides_sections || tree.nodes.is_empty() {
        return;
    }
    for node in tree.nodes.iter().filter(|node| node.parent == Parent::Missing) {
        if let Some(field) = node.section.field("parent") {
            look_at(context, field, reporter);
        }
    }
    let sections = context.document.sections();
    for section in sections.filter(|section| section.kind() == TagKind::Connection) {
        for field in ["from", "to"].iter().filter_map(|name| section.field(name)) {
            let path = field.text().unwrap_or_default();
            if tree.find(&path) == Err(Parent::Missing) {
                look_at(context, field, reporter);
            }
        }
    }
}

fn look_at(context: &Context<'_>, field: Field<'_>, reporter: &mut Reporter<'_>) {
    let Some(path) = field.text() else { return };
    let Ok(path) = std::str::from_utf8(&path) else { return };
    let before =
        |name: &str| RENAMES.iter().find(|(now, _)| *now == name).map(|(_, before)| *before);
    // One name after the other is tried, and then all at once.
    let names: Vec<&str> = path.split('/').collect();
    let renamed = |only: Option<usize>| {
        let names = names.iter().enumerate().map(|(index, name)| {
            let is_meant = only.is_none_or(|only| only == index);
            if is_meant { before(name).unwrap_or(name) } else { name }
        });
        names.collect::<Vec<_>>().join("/")
    };
    // Paths are short; a hostile one is left alone.
    let candidates = (0..names.len().min(32)).map(Some).chain([None]).map(renamed);
    let is_there = |old: &String| old != path && context.node_tree.find(old.as_bytes()).is_ok();
    let Some(old) = { candidates }.find(is_there) else { return };
    let message = format!(
        "node {} not found, but {} exists; the Godot 4 converter changed the path",
        quote(path.as_bytes()),
        quote(old.as_bytes())
    );
    let escaped = old.replace('\\', "\\\\").replace('"', "\\\"");
    let edits = vec![Edit::replace(field.value_span(), format!("\"{escaped}\""))];
    reporter.report(field.value_span(), message).fix(Fix::new(
        "restore the old path",
        Applicability::Unsafe,
        edits,
    ));
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::RULE;
    use crate::rules::tests::{check_fix, clean, node, rendered};

    #[test]
    fn paths() {
        let file = |path: &str| {
            node(&format!(
                "[node name=\"Camera\" type=\"Camera3D\" parent=\".\"]\n\
                 [node name=\"Area\" type=\"Area3D\" parent=\"Camera\"]\n\
                 [connection signal=\"a\" from=\"{path}\" to=\".\" method=\"a\"]\n"
            ))
        };
        assert_snapshot!(rendered(&RULE, &file("Camera3D/Area3D")), @r#"
        6:29-6:46 warning: node `Camera3D/Area3D` not found, but `Camera/Area` exists; the Godot 4 converter changed the path
            at: "Camera3D/Area3D"
            unsafe fix: restore the old path
              - [connection signal="a" from="Camera3D/Area3D" to="." method="a"]
              + [connection signal="a" from="Camera/Area" to="." method="a"]
        "#);
        check_fix(&RULE, &file("Camera/Area3D"), &file("Camera/Area"));
        clean(&RULE, &file("Gone"));
    }
}
