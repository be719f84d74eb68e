//! MIG003

use godot_project::SceneContext;
use godot_project::assignments::Assignment;
use godot_project::settings::lossy;
use godot_tscn::{Applicability, Edit, Fix, Reporter, quote};
use hashbrown::HashSet;

use crate::rules::declare_rule;

declare_rule! {
    /// ## What it does
    /// Reports a property that has another name in Godot 4 than it had in Godot 3, and that the class does not have under
    /// the old one, theme items of single nodes such as `custom_colors/font_color` too. Of parameters of shaders such as
    /// `shader_param/speed`, Godot 4 reads the old name, and warns.
    ///
    /// ## Why is this bad?
    /// Godot translates the old name of a class to the new one, but not that of a property: the value is lost without
    /// a warning.
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
    /// Unsafe: a value that was dropped takes effect. The fix converts values that the new property writes in another way,
    /// such as degrees. Where the new property measures something else, there is no fix.
    /// The names of shader parameters are safe: they have the same meaning.
    ///
    /// ## References
    /// `RenamesMap3To4::gdscript_properties_renames` (editor/project_upgrade/renames_map_3_to_4.cpp), issue 78893
    "MIG003", "renamed-property", Warning
}

fn check(context: &SceneContext<'_>, reporter: &mut Reporter<'_>) {
    check_shader_parameters(context, reporter);
    let classes = context.project.classes();
    let mut known = (u32::MAX, HashSet::new());
    for found in context.assignments().iter().filter(|found| found.is_lost()) {
        let Assignment { section, property, key, .. } = found;
        let class = found.object.native().unwrap_or_default();
        let Some(renamed) = classes.renamed_property(class, key) else { continue };
        let now = renamed.name;
        let message = format!(
            "the property {} of {} is called `{now}` in Godot 4",
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
                diagnostic.help(format!("`{now}` has other values: look for the right one"));
                continue;
            };
            if value != source {
                edits.push(Edit::replace(property.value_span(), value.into_owned()));
            }
            diagnostic.fix(Fix::new(format!("write `{now}`"), Applicability::Unsafe, edits));
        }
    }
}

/// What the parameters of a `ShaderMaterial` began with before Godot 4.0 (`ShaderMaterial::_set`, scene/resources/material.cpp).
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
            format!("the shader's parameter {old} is called `{now}` in Godot 4"),
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
            let title = "write the names of Godot 4";
            diagnostic.fix(Fix::new(title, Applicability::Safe, edits));
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
