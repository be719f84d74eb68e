//! RES007

use tscn::{Applicability, Edit, Findings, Fix, quote};

use crate::lint::SceneContext;
use crate::project::Target;
use crate::res_path::extension_of;
use crate::rules::declare_rule;

declare_rule! {
    /// ## What it does
    /// Reports an `ext_resource` whose `type` Godot has no loader for, given the file's extension: a scene or script
    /// that is called something else, or a `.tres` file that is called a scene. Of imported files the type does not
    /// matter.
    ///
    /// ## Why is this bad?
    /// Godot says `No loader found for resource` and leaves out what uses it.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [ext_resource type="Texture2D" path="res://player.gd" id="1"]
    ///
    /// [node name="A" type="Node"]
    /// script = ExtResource("1")
    /// ```
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [ext_resource type="Script" path="res://player.gd" id="1"]
    ///
    /// [node name="A" type="Node"]
    /// script = ExtResource("1")
    /// ```
    ///
    /// ## Fix safety
    /// Safe: Godot cannot load the file before.
    ///
    /// ## References
    /// `ResourceFormatLoader::recognize_path` (core/io/resource_loader.cpp),
    /// `ResourceFormatLoaderText::get_recognized_extensions_for_type` (scene/resources/resource_format_text.cpp)
    "RES007", "ext-type-mismatch", Error
}

fn check(context: &SceneContext<'_>, findings: &mut Findings<'_>) {
    let project = context.project;
    for (resource, target) in context.facts.ext_resources.iter().zip(context.targets()) {
        let Target::File(file) = target else { continue };
        let path = project.path(*file);
        if project.import(*file).is_some() || project.file(&format!("{path}.import")).is_some() {
            continue;
        }
        let extension = extension_of(path);
        let Some(right) =
            right_type(&extension, &resource.resource_type, project.resource_type(*file))
        else {
            continue;
        };
        let Some(field) = context.section(resource.section).field("type") else { continue };
        let message = format!(
            "Godot loads no {} from a `.{extension}` file",
            quote(resource.resource_type.as_bytes()),
        );
        let finding = findings.push(field.value_span(), message);
        finding.consequence("Godot says that it has no loader, and leaves out what uses it");
        if !right.is_empty() {
            let edit = Edit::replace(field.value_span(), format!("\"{right}\""));
            finding.fix(Fix::new(format!("write `{right}`"), Applicability::Safe, vec![edit]));
        }
    }
}

/// The type that it should be, if Godot refuses the one given; empty if that is not known.
fn right_type<'t>(extension: &str, given: &str, real: Option<&'t str>) -> Option<&'t str> {
    let (right, accepted): (&str, &[&str]) = match extension {
        "tscn" => {
            ("PackedScene", &["PackedScene", "Resource", "RefCounted", "Reference", "Object"])
        }
        "gd" => {
            ("Script", &["Script", "GDScript", "Resource", "RefCounted", "Reference", "Object"])
        }
        "tres" if matches!(given, "PackedScene" | "GDExtension") => {
            return Some(real.filter(|real| *real != given).unwrap_or(""));
        }
        _ => return None,
    };
    // Without a type every loader is asked.
    (!given.is_empty() && !accepted.contains(&given)).then_some(right)
}
