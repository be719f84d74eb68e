//! TREE017

use godot_project::res_path::extension_of;
use godot_project::{Instance, ResolvedPath, SceneContext};
use godot_tscn::{Reporter, article, quote};

use crate::rules::declare_rule;

declare_rule! {
    /// ## What it does
    /// Reports an `instance` that is not a scene, and a root with `instance_placeholder`.
    ///
    /// ## Why is this bad?
    /// Godot can only instantiate a scene. If one node cannot be created, the whole scene cannot be used. Godot does
    /// not load a scene whose root is a placeholder.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [ext_resource type="Script" path="res://part.gd" id="1"]
    ///
    /// [node name="A" type="Node"]
    ///
    /// [node name="Part" parent="." instance=ExtResource("1")]
    /// ```
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [ext_resource type="PackedScene" path="res://part.tscn" id="1"]
    ///
    /// [node name="A" type="Node"]
    ///
    /// [node name="Part" parent="." instance=ExtResource("1")]
    /// ```
    ///
    /// ## References
    /// `SceneState::instantiate` (scene/resources/packed_scene.cpp), `ResourceLoaderText::_parse_node_tag`
    /// (scene/resources/resource_format_text.cpp)
    "TREE017", "instance-not-scene", Error
}

fn check(context: &SceneContext<'_>, reporter: &mut Reporter<'_>) {
    let project = context.project;
    for (index, tag) in context.tree().tags().iter().enumerate() {
        let section = context.section(tag.section);
        if let Some(field) = section.field("instance_placeholder").filter(|_| index == 0) {
            reporter
                .report(field.span(), "the root cannot be a placeholder; write `instance`")
                .consequence("Godot does not load the file");
            continue;
        }
        let (Some(Instance::Scene(resource)), Some(field)) =
            (&tag.instance, section.field("instance"))
        else {
            continue;
        };
        let ResolvedPath::File(file) = &context.targets()[*resource as usize] else { continue };
        let path = project.path(*file);
        let type_name = project.resource_type(*file);
        let is_scene = match type_name {
            Some(name) => name == "PackedScene",
            // Only its extension shows whether it could be a scene.
            None => !matches!(&*extension_of(path), "gd" | "cs" | "gdshader" | "png" | "wav"),
        };
        if !is_scene {
            let what = type_name.map_or_else(String::new, |name| {
                format!(" but {} {}", article(name), quote(name.as_bytes()))
            });
            let message = format!("{} is not a scene{what}", quote(path.as_bytes()));
            reporter
                .report(field.value_span(), message)
                .consequence("Godot cannot instantiate the scene without the node");
        }
    }
}
