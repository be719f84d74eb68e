//! SCR013

use godot_project::names::KindOfName;
use godot_tscn::Reporter;

use crate::rules::context::ScriptContext;
use crate::rules::declare_rule;
use crate::rules::unknown_name::report_unknown;

declare_rule! {
    for_scripts
    /// ## What it does
    /// Reports a property in a text of a GDScript file, such as `tween_property(door, "position:x", 10.0, 1.0)`, if no class
    /// of Godot and no script of the project has a property of this name.
    ///
    /// It ignores properties whose names are written elsewhere if a script has `_set`, `_get` or `_get_property_list`, and all
    /// properties if the project has an extension or a binary scene.
    ///
    /// ## Why is this bad?
    /// Godot prints an error when the call is due, or nothing happens, and the property keeps its value.
    ///
    /// ## Example
    /// ```gdscript
    /// func fade():
    ///     create_tween().tween_property(self, "modualte:a", 0.0, 1.0)
    /// ```
    ///
    /// ## Use instead
    /// ```gdscript
    /// func fade():
    ///     create_tween().tween_property(self, "modulate:a", 0.0, 1.0)
    /// ```
    ///
    /// ## References
    /// `Tween::tween_property` (scene/animation/tween.cpp), `Object::set_indexed` (core/object/object.cpp)
    "SCR013", "unknown-property-name", Warning
}

fn check(context: &ScriptContext<'_>, reporter: &mut Reporter<'_>) {
    report_unknown(
        context,
        KindOfName::Property,
        (
            "Godot prints an error or does nothing, and no property changes",
            "declare it in the script",
        ),
        reporter,
    );
}
