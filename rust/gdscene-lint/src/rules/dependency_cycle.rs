//! RES008

use godot_project::{ResolvedPath, SceneContext};
use godot_tscn::{Reporter, quote};

use crate::rules::declare_rule;

declare_rule! {
    /// ## What it does
    /// Reports an `ext_resource` that refers, through others, back to the file itself.
    ///
    /// ## Why is this bad?
    /// Godot cannot finish one before the other: it drops the reference that closes the cycle, with a message that it
    /// does not exist. An instance that closes it makes the scene unusable.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [ext_resource type="PackedScene" path="res://inside.tscn" id="1"]
    ///
    /// [node name="Outside" type="Node"]
    ///
    /// [node name="Inside" parent="." instance=ExtResource("1")]
    /// ```
    /// where `inside.tscn` has an instance of this scene.
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [ext_resource type="PackedScene" path="res://inside.tscn" id="1"]
    ///
    /// [node name="Outside" type="Node"]
    ///
    /// [node name="Inside" parent="." instance=ExtResource("1")]
    /// ```
    /// where a script of `inside.tscn` loads this scene when it is needed.
    ///
    /// ## References
    /// `ResourceLoader::_load_complete_inner` (core/io/resource_loader.cpp)
    "RES008", "dependency-cycle", Error
}

fn check(context: &SceneContext<'_>, reporter: &mut Reporter<'_>) {
    let Some(file) = context.file else { return };
    let project = context.project;
    for (resource, target) in context.facts.ext_resources.iter().zip(context.targets()) {
        let ResolvedPath::File(target) = target else { continue };
        if *target == file {
            continue;
        }
        let Some(way) = project.graph().way_back(*target, file) else { continue };
        let Some(field) = context.section(resource.section).field("path") else { continue };
        let names: Vec<String> =
            way.iter().map(|file| quote(project.path(*file).as_bytes())).collect();
        let message = format!("this reference is part of a cycle: {}", names.join(" -> "));
        reporter
            .report(field.value_span(), message)
            .consequence("Godot drops the reference that closes the cycle");
    }
}
