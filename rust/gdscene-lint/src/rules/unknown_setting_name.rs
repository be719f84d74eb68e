//! SCR014

use godot_project::names::KindOfName;
use godot_tscn::Reporter;

use crate::rules::context::ScriptContext;
use crate::rules::declare_rule;
use crate::rules::unknown_name::report_unknown;

declare_rule! {
    for_scripts
    /// ## What it does
    /// Reports a project setting in a call of a GDScript file, such as `ProjectSettings.get_setting("game/difficulty")`
    /// without a default, if neither Godot, nor `project.godot`, nor a script defines the setting.
    ///
    /// It ignores:
    /// - all settings, if the project has an extension, lacks an enabled plugin, or loads other files of settings
    /// - settings that a script may set under a name that is not a literal
    /// - settings that the script asks for with `has_setting`, also reads with a default, or only tests, as in
    ///   `if ProjectSettings.get_setting("game/cheats"):`
    /// - sections of Godot such as `rendering/`, if the project is not for the version whose settings gdscene knows
    ///
    /// ## Why is this bad?
    /// `get_setting` returns null without a message, and the other functions print a warning or an error. Usually the name
    /// has a typo, or the setting was renamed.
    ///
    /// ## Example
    /// ```gdscript
    /// var speed: float = ProjectSettings.get_setting("game/player_sped")
    /// ```
    ///
    /// ## Use instead
    /// ```gdscript
    /// var speed: float = ProjectSettings.get_setting("game/player_speed")
    /// ```
    ///
    /// ## References
    /// `ProjectSettings::get_setting`, `ProjectSettings::get_setting_with_override` (core/config/project_settings.cpp)
    "SCR014", "unknown-setting-name", Warning
}

fn check(context: &ScriptContext<'_>, reporter: &mut Reporter<'_>) {
    report_unknown(
        context,
        KindOfName::Setting,
        (
            "Godot returns null, or prints an error",
            "add it to the project settings, or pass a default as the second argument",
        ),
        reporter,
    );
}
