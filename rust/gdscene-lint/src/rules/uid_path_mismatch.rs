//! RES002

use godot_project::{ResolvedPath, SceneContext};
use godot_tscn::{Applicability, Edit, Fix, Reporter, Severity, quote};

use crate::rules::declare_rule;

declare_rule! {
    /// ## What it does
    /// Reports an `ext_resource` whose uid and path belong to different files.
    ///
    /// ## Why is this bad?
    /// Godot uses the uid without a warning, and so loads a different file than the path names. If the path no longer
    /// exists, the file was moved. Godot finds it by its uid, but people and other programs do not; the finding is then
    /// only a warning.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [ext_resource type="Script" uid="uid://bq8ubm3xk6c4u" path="res://player.gd" id="1"]
    ///
    /// [node name="A" type="Node"]
    /// script = ExtResource("1")
    /// ```
    /// where `enemy.gd.uid` contains `uid://bq8ubm3xk6c4u`.
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [ext_resource type="Script" uid="uid://bq8ubm3xk6c4u" path="res://enemy.gd" id="1"]
    ///
    /// [node name="A" type="Node"]
    /// script = ExtResource("1")
    /// ```
    ///
    /// ## Fix safety
    /// Safe: the fix changes the path to the file that Godot loads now. If you want the file at the old path, correct
    /// the uid instead.
    ///
    /// ## References
    /// `ResourceLoaderText::load` (scene/resources/resource_format_text.cpp)
    "RES002", "uid-path-mismatch", Error
}

fn check(context: &SceneContext<'_>, reporter: &mut Reporter<'_>) {
    let project = context.project;
    for resource in &context.facts.ext_resources {
        let (Some(uid), Some(path)) = (resource.uid, &resource.path) else { continue };
        let [file] = project.files_with_uid(uid) else { continue };
        let loaded = project.path(*file);
        let section = context.section(resource.section);
        let Some(field) = section.field("path") else { continue };
        let edit = Edit::replace(field.value_span(), format!("\"{loaded}\""));
        let fix = Fix::new(format!("write `{loaded}`"), Applicability::Safe, vec![edit]);
        match project.resolve(context.path, path) {
            ResolvedPath::File(found) if found != *file => {
                let message = format!(
                    "the uid belongs to {}, so Godot loads that file instead of this one",
                    quote(loaded.as_bytes())
                );
                let diagnostic = reporter.report(field.value_span(), message);
                diagnostic.consequence("Godot uses the uid without a warning").fix(fix);
                if let Some(field) = section.field("uid") {
                    diagnostic.label(field.value_span(), "the uid");
                }
            }
            // The rule `path-case-mismatch` reports another case.
            ResolvedPath::Missing(found) if !project.files_but_for_case(&found).contains(file) => {
                let message = format!(
                    "the path does not exist; the file with this uid is {}",
                    quote(loaded.as_bytes())
                );
                let diagnostic = reporter.report(field.value_span(), message);
                diagnostic.severity = Severity::Warning;
                diagnostic.fix(fix);
            }
            _ => {}
        }
    }
}
