//! SCR012

use godot_project::names::KindOfName;
use godot_tscn::Reporter;

use crate::rules::context::ScriptContext;
use crate::rules::declare_rule;
use crate::rules::unknown_name::report_unknown;

declare_rule! {
    for_scripts
    /// ## What it does
    /// Reports a method in a text of a GDScript file, such as `call_deferred("open")`, if no class of Godot and no script of
    /// the project has a method of this name.
    ///
    /// It looks at calls of objects with a known type, and at `call_group`. It ignores methods that the script asks for
    /// with `has_method`, and all methods if the project has an extension or a binary scene.
    ///
    /// ## Why is this bad?
    /// Godot prints an error when the call is due, or nothing happens. A rename of a method misses its name in texts.
    ///
    /// ## Example
    /// ```gdscript
    /// func _ready():
    ///     call_deferred("_setpu")
    ///
    /// func _setup():
    ///     pass
    /// ```
    ///
    /// ## Use instead
    /// ```gdscript
    /// func _ready():
    ///     _setup.call_deferred()
    ///
    /// func _setup():
    ///     pass
    /// ```
    ///
    /// ## References
    /// `Object::callp` (core/object/object.cpp), `CallQueue::flush` (core/object/message_queue.cpp)
    "SCR012", "unknown-method-name", Warning
}

fn check(context: &ScriptContext<'_>, reporter: &mut Reporter<'_>) {
    report_unknown(
        context,
        KindOfName::Method,
        (
            "Godot prints an error or does nothing, and nothing is called",
            "call the method itself: `open.call_deferred()`",
        ),
        reporter,
    );
}
