//! SCR008

use godot_project::names::KindOfName;
use godot_tscn::Reporter;

use crate::rules::context::ScriptContext;
use crate::rules::declare_rule;
use crate::rules::unknown_name::report_unknown;

declare_rule! {
    for_scripts
    /// ## What it does
    /// Reports an animation in a call of a GDScript file, such as `$AnimationPlayer.play("run")`, if no animation player,
    /// animation library or animated sprite of the project has an animation of this name.
    ///
    /// It ignores:
    /// - all animations, if the project imports scenes, has binary resources with animations, or makes animations in
    ///   scripts
    /// - `play` and its like, if a script of the project declares a function of the same name, or an extension may have
    ///   one
    /// - animations that the script asks for with `has_animation`
    ///
    /// ## Why is this bad?
    /// Godot prints an error and plays nothing.
    ///
    /// ## Example
    /// ```gdscript
    /// func _ready():
    ///     $AnimatedSprite2D.play("wlak")
    /// ```
    ///
    /// ## Use instead
    /// ```gdscript
    /// func _ready():
    ///     $AnimatedSprite2D.play("walk")
    /// ```
    ///
    /// ## References
    /// `AnimationPlayer::play_section` (scene/animation/animation_player.cpp), `AnimatedSprite2D::play`
    /// (scene/2d/animated_sprite_2d.cpp)
    "SCR008", "unknown-animation", Warning
}

fn check(context: &ScriptContext<'_>, reporter: &mut Reporter<'_>) {
    report_unknown(
        context,
        KindOfName::Animation,
        ("Godot prints an error, and plays nothing", "no animation of the project has this name"),
        reporter,
    );
}
