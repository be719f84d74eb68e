//! MIG003

use godot_project::SceneContext;
use godot_project::assignments::Assignment;
use godot_tscn::{Applicability, Edit, Fix, Reporter, quote};
use hashbrown::HashSet;

use crate::rules::declare_rule;

declare_rule! {
    /// ## What it does
    /// Reports a property that has another name in Godot 4 than it had in Godot 3, and that the class does not have under
    /// the old one.
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
    /// Unsafe: a value that was dropped takes effect, and the property may have another meaning now.
    ///
    /// ## References
    /// `RenamesMap3To4::gdscript_properties_renames` (editor/project_upgrade/renames_map_3_to_4.cpp), issue 78893
    "MIG003", "renamed-property", Warning
}

/// What `pause_mode = 2` (`PAUSE_MODE_PROCESS`) is called since: 2 became `PROCESS_MODE_WHEN_PAUSED`.
const PROCESS_MODE_ALWAYS: &str = "3";

fn check(context: &SceneContext<'_>, reporter: &mut Reporter<'_>) {
    let classes = context.project.classes();
    let mut known = (u32::MAX, HashSet::new());
    for found in context.assignments().iter().filter(|found| found.is_lost()) {
        let Assignment { section, property, key, .. } = found;
        let class = found.object.native().unwrap_or_default();
        let Some(now) = classes.renamed_property(class, key).map(|renamed| renamed.name) else {
            continue;
        };
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
            let mut edits = vec![Edit::replace(property.key_span(), now)];
            if key == "pause_mode" && property.source() == b"2" {
                edits.push(Edit::replace(property.value_span(), PROCESS_MODE_ALWAYS));
            }
            diagnostic.fix(Fix::new(format!("write `{now}`"), Applicability::Unsafe, edits));
        }
    }
}
