//! SCR009

use godot_project::names::KindOfName;
use godot_tscn::Reporter;

use crate::rules::context::ScriptContext;
use crate::rules::declare_rule;
use crate::rules::unknown_name::report_unknown;

declare_rule! {
    for_scripts
    /// ## What it does
    /// Reports a shader parameter in a call of a GDScript file, such as `material.set_shader_parameter("tint", color)`, if
    /// no shader of the project has a uniform of this name.
    ///
    /// It ignores all parameters if the project has visual shaders in scripts, binary resources with shaders, shaders that
    /// scripts make, or `#define` in a shader.
    ///
    /// ## Why is this bad?
    /// The call has no effect, and Godot prints nothing.
    ///
    /// ## Example
    /// ```gdscript
    /// func hurt():
    ///     material.set_shader_parameter("flsh", 1.0)
    /// ```
    ///
    /// ## Use instead
    /// ```gdscript
    /// func hurt():
    ///     material.set_shader_parameter("flash", 1.0)
    /// ```
    ///
    /// ## References
    /// `ShaderMaterial::set_shader_parameter` (scene/resources/material.cpp)
    "SCR009", "unknown-shader-parameter", Warning
}

fn check(context: &ScriptContext<'_>, reporter: &mut Reporter<'_>) {
    report_unknown(
        context,
        KindOfName::ShaderParameter,
        (
            "the call has no effect, and Godot prints nothing",
            "no shader of the project has a uniform of this name",
        ),
        reporter,
    );
}
