//! RES003

use godot_project::{ResolvedPath, SceneContext};
use godot_tscn::{Applicability, Edit, Fix, Reporter, quote};

use crate::rules::declare_rule;

declare_rule! {
    /// ## What it does
    /// Reports an `ext_resource` with a uid that no file has, although the file at its path has a different uid.
    ///
    /// ## Why is this bad?
    /// Godot warns about an `invalid UID` whenever it loads the file. If the resource is moved, Godot no longer finds
    /// it.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [ext_resource type="Script" uid="uid://cxvykxmnsgcl4" path="res://player.gd" id="1"]
    ///
    /// [node name="A" type="Node"]
    /// script = ExtResource("1")
    /// ```
    /// where `player.gd.uid` contains `uid://bq8ubm3xk6c4u`.
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [ext_resource type="Script" uid="uid://bq8ubm3xk6c4u" path="res://player.gd" id="1"]
    ///
    /// [node name="A" type="Node"]
    /// script = ExtResource("1")
    /// ```
    ///
    /// ## Fix safety
    /// Safe: Godot loads the same file.
    ///
    /// ## References
    /// `ResourceLoaderText::load` (scene/resources/resource_format_text.cpp)
    "RES003", "stale-uid", Warning
}

fn check(context: &SceneContext<'_>, reporter: &mut Reporter<'_>) {
    let project = context.project;
    for (resource, target) in context.facts.ext_resources.iter().zip(context.targets()) {
        let (Some(uid), ResolvedPath::File(file)) = (resource.uid, target) else { continue };
        if !project.files_with_uid(uid).is_empty() {
            continue;
        }
        // The rule `missing-header-uid` reports a file without a uid.
        let Some(own) = project.uid(*file) else { continue };
        let Some(field) = context.section(resource.section).field("uid") else { continue };
        let path = quote(project.path(*file).as_bytes());
        let message = format!("unknown uid; the uid of {path} is `{own}`");
        let edit = Edit::replace(field.value_span(), format!("\"{own}\""));
        reporter
            .report(field.value_span(), message)
            .consequence("Godot warns about an invalid uid and uses the path")
            .fix(Fix::new(format!("write `{own}`"), Applicability::Safe, vec![edit]));
    }
}
