//! SCR007

use godot_project::names::KindOfName;
use godot_tscn::Reporter;

use crate::rules::context::ScriptContext;
use crate::rules::declare_rule;
use crate::rules::unknown_name::report_unknown;

declare_rule! {
    for_scripts
    /// ## What it does
    /// Reports an audio bus in `AudioServer.get_bus_index` and `AudioServer.set_bus_send` of a GDScript file if no bus
    /// layout of the project contains the bus.
    ///
    /// It ignores all buses if a script names a bus or loads a layout in a way that cannot be followed.
    ///
    /// ## Why is this bad?
    /// `get_bus_index` returns -1, and calls with this index fail.
    ///
    /// ## Example
    /// ```gdscript
    /// func mute():
    ///     AudioServer.set_bus_mute(AudioServer.get_bus_index("Musik"), true)
    /// ```
    ///
    /// ## Use instead
    /// ```gdscript
    /// func mute():
    ///     AudioServer.set_bus_mute(AudioServer.get_bus_index("Music"), true)
    /// ```
    ///
    /// ## References
    /// `AudioServer::get_bus_index` (servers/audio/audio_server.cpp)
    "SCR007", "unknown-bus", Warning
}

fn check(context: &ScriptContext<'_>, reporter: &mut Reporter<'_>) {
    report_unknown(
        context,
        KindOfName::Bus,
        (
            "the index is -1, and calls with it fail",
            "add it in the Audio dock at the bottom of the editor",
        ),
        reporter,
    );
}
