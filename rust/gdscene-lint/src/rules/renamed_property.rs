//! MIG003

use godot_project::SceneContext;
use godot_project::assignments::Assignment;
use godot_project::settings::lossy;
use godot_tscn::{Applicability, Edit, Fix, Reporter, quote};
use hashbrown::HashSet;

use crate::rules::declare_rule;

declare_rule! {
    /// ## What it does
    /// Reports a property that Godot 4 renamed and whose old name the class no longer has. This includes theme items of
    /// single nodes, such as `custom_colors/font_color`. Godot 4 still reads the old names of shader parameters, such
    /// as `shader_param/speed`, and of mesh surfaces, such as `surfaces/0`, but warns about them.
    ///
    /// ## Why is this bad?
    /// Godot translates old class names, but not old property names: the value is lost without a warning.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Control"]
    /// margin_left = 8.0
    /// ```
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Control"]
    /// offset_left = 8.0
    /// ```
    ///
    /// ## Fix safety
    /// Unsafe: a value that Godot dropped takes effect again. The fix converts values that the new property stores in
    /// another way, such as degrees. If the new property has a different meaning, there is no fix. The fix for shader
    /// parameters is safe, because they have the same meaning.
    ///
    /// ## References
    /// `RenamesMap3To4::gdscript_properties_renames` (editor/project_upgrade/renames_map_3_to_4.cpp), issue 78893
    "MIG003", "renamed-property", Warning
}

fn check(context: &SceneContext<'_>, reporter: &mut Reporter<'_>) {
    check_shader_parameters(context, reporter);
    check_surfaces(context, reporter);
    let classes = context.project.classes();
    let mut known = (u32::MAX, HashSet::new());
    for found in context.assignments().iter().filter(|found| found.is_lost()) {
        let Assignment { section, property, key, .. } = found;
        let class = found.object.native().unwrap_or_default();
        let Some(renamed) = classes.renamed_property(class, key) else { continue };
        let now = renamed.name;
        let message = format!(
            "Godot 4 renamed the property {} of {} to `{now}`",
            quote(key.as_bytes()),
            quote(class.as_bytes())
        );
        let diagnostic = reporter.report(property.engine_key_span(), message);
        diagnostic.consequence("Godot drops the value, and the next save removes it");
        if known.0 != section.index() {
            known =
                (section.index(), section.properties().map(godot_tscn::Property::key).collect());
        }
        if !known.1.contains(now.as_bytes()) {
            let mut edits = vec![Edit::replace(property.key_span(), godot_tscn::key_text(&now))];
            let source = lossy(property.source());
            let Some(value) = renamed.values.convert(&source) else {
                diagnostic.help(format!("`{now}` takes different values; choose the right one"));
                continue;
            };
            if value != source {
                edits.push(Edit::replace(property.value_span(), value.into_owned()));
            }
            diagnostic.fix(Fix::new(format!("write `{now}`"), Applicability::Unsafe, edits));
        }
    }
}

/// The prefix of the parameters of a `ShaderMaterial` before Godot 4.0 (`ShaderMaterial::_set`, scene/resources/material.cpp).
const OLD_PARAMETERS: [&str; 3] = ["shader_param/", "param/", "shader_uniform/"];

fn check_shader_parameters(context: &SceneContext<'_>, reporter: &mut Reporter<'_>) {
    if !context.is_for_godot_4() {
        return;
    }
    let mut last = None;
    for Assignment { section, property, object, .. } in context.assignments() {
        let Some((old, now)) = renamed_parameter(*property) else { continue };
        // One finding, and one fix, for all of a material.
        let is_next = last.replace(section.index()) != Some(section.index());
        if !is_next || object.native() != Some("ShaderMaterial") {
            continue;
        }
        let old = quote(old.as_bytes());
        let diagnostic = reporter.report(
            property.engine_key_span(),
            format!("Godot 4 renamed the shader parameter {old} to `{now}`"),
        );
        diagnostic.consequence("Godot reads the old name, and warns whenever it loads the file");
        let given: HashSet<_> = section.properties().map(godot_tscn::Property::key).collect();
        let rename = |property: godot_tscn::Property<'_>| {
            let (_, now) = renamed_parameter(property)?;
            let is_free = !given.contains(now.as_bytes());
            is_free.then(|| Edit::replace(property.key_span(), godot_tscn::key_text(&now)))
        };
        let edits: Vec<Edit> = section.properties().filter_map(rename).collect();
        if !edits.is_empty() {
            let title = "write the Godot 4 names";
            diagnostic.fix(Fix::new(title, Applicability::Safe, edits));
        }
    }
}

/// `surfaces/0` of an `ArrayMesh` (`ArrayMesh::_set`, scene/resources/mesh.cpp).
fn check_surfaces(context: &SceneContext<'_>, reporter: &mut Reporter<'_>) {
    if !context.is_for_godot_4() {
        return;
    }
    for Assignment { property, key, object, .. } in context.assignments() {
        // One finding for all of a mesh.
        if key == "surfaces/0" && object.native() == Some("ArrayMesh") {
            let message = "Godot 4 keeps `surfaces/0` in `_surfaces`; open the file in the editor and save it";
            let diagnostic = reporter.report(property.engine_key_span(), message);
            diagnostic.consequence(
                "Godot reads the old form slowly, and warns whenever it loads the file",
            );
        }
    }
}

/// The old and the new name of a parameter.
fn renamed_parameter(property: godot_tscn::Property<'_>) -> Option<(String, String)> {
    let key = String::from_utf8_lossy(&property.engine_key()).into_owned();
    let name = OLD_PARAMETERS.iter().find_map(|old| key.strip_prefix(old))?;
    let now = format!("shader_parameter/{name}");
    Some((key, now))
}
