//! SCR005

use godot_project::names::KindOfName;
use godot_tscn::Reporter;

use crate::rules::context::ScriptContext;
use crate::rules::declare_rule;
use crate::rules::unknown_name::report_unknown;

declare_rule! {
    for_scripts
    /// ## What it does
    /// Reports an input action in a call of a GDScript file, such as `Input.is_action_pressed("jump")`, if neither the
    /// section `[input]` of `project.godot`, nor Godot, nor a script defines the action.
    ///
    /// It ignores:
    /// - all actions, if a script adds actions whose names are not literals
    /// - actions that the script asks for with `InputMap.has_action`
    /// - `is_action` and its like on events, if a script of the project declares a function of the same name
    ///
    /// ## Why is this bad?
    /// Godot prints an error at each call, and the action never counts as pressed. Usually an action was renamed, or the
    /// name has a typo.
    ///
    /// ## Example
    /// ```gdscript
    /// func _process(_delta):
    ///     if Input.is_action_just_pressed("jmup"):
    ///         velocity.y = -400.0
    /// ```
    ///
    /// ## Use instead
    /// ```gdscript
    /// func _process(_delta):
    ///     if Input.is_action_just_pressed("jump"):
    ///         velocity.y = -400.0
    /// ```
    ///
    /// ## References
    /// `InputMap::suggest_actions` (core/input/input_map.cpp), `Input::is_action_pressed` (core/input/input.cpp)
    "SCR005", "unknown-action", Warning
}

fn check(context: &ScriptContext<'_>, reporter: &mut Reporter<'_>) {
    report_unknown(
        context,
        KindOfName::Action,
        (
            "Godot prints an error, and the action never counts as pressed",
            "add it to the Input Map in the project settings",
        ),
        reporter,
    );
}
