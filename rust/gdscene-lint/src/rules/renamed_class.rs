//! MIG002

use godot_project::SceneContext;
use godot_tscn::{Applicability, Edit, Fix, Reporter, quote};

use crate::rules::declare_rule;

declare_rule! {
    /// ## What it does
    /// Reports a `type` that is an old class name. Godot translates it to the new name when it loads the file.
    ///
    /// ## Why is this bad?
    /// Godot accepts old names only for compatibility, and people and tools no longer know them. The next save writes
    /// the new name.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Spatial"]
    /// ```
    ///
    /// ## Use instead
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="A" type="Node3D"]
    /// ```
    ///
    /// ## Fix safety
    /// Safe: Godot creates an object of the same class.
    ///
    /// ## References
    /// `ClassDB::add_compatibility_class` (core/object/class_db.cpp, scene/register_scene_types.cpp)
    "MIG002", "renamed-class", Info
}

fn check(context: &SceneContext<'_>, reporter: &mut Reporter<'_>) {
    let classes = context.project.classes();
    for found in context.class_uses() {
        let Some(now) = classes.class_for_older_name(&found.class) else { continue };
        for (_, field) in &found.places {
            let name = quote(found.class.as_bytes());
            let message = format!("the class {name} was renamed to `{now}`");
            let diagnostic = reporter.report(field.value_span(), message);
            diagnostic.consequence("Godot accepts the old name, and the next save changes it");
            let edit = Edit::replace(field.value_span(), format!("\"{now}\""));
            diagnostic.fix(Fix::new(format!("write `{now}`"), Applicability::Safe, vec![edit]));
        }
    }
}
