//! SCR011

use godot_project::names::KindOfName;
use godot_tscn::Reporter;

use crate::rules::context::ScriptContext;
use crate::rules::declare_rule;
use crate::rules::unknown_name::report_unknown;

declare_rule! {
    for_scripts
    /// ## What it does
    /// Reports a signal in a text of a GDScript file, such as `emit_signal("opened")`, if no class of Godot and no script of
    /// the project has a signal of this name.
    ///
    /// It looks at calls of objects with a known type, such as `$Door.connect("opened", _on_opened)`. It ignores signals whose
    /// names are written elsewhere if a script calls `add_user_signal`, and all signals if the project has an extension or a
    /// binary scene.
    ///
    /// ## Why is this bad?
    /// Godot prints an error at each call, and nothing is emitted or connected.
    ///
    /// ## Example
    /// ```gdscript
    /// signal opened
    ///
    /// func open():
    ///     emit_signal("opend")
    /// ```
    ///
    /// ## Use instead
    /// ```gdscript
    /// signal opened
    ///
    /// func open():
    ///     opened.emit()
    /// ```
    ///
    /// ## References
    /// `Object::emit_signalp`, `Object::connect` (core/object/object.cpp)
    "SCR011", "unknown-signal-name", Warning
}

fn check(context: &ScriptContext<'_>, reporter: &mut Reporter<'_>) {
    report_unknown(
        context,
        KindOfName::Signal,
        (
            "Godot prints an error, and nothing is emitted or connected",
            "declare it in the script, or write the signal itself: `opened.emit()`",
        ),
        reporter,
    );
}
