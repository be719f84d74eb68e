//! SCR010

use godot_project::names::KindOfName;
use godot_tscn::Reporter;

use crate::rules::context::ScriptContext;
use crate::rules::declare_rule;
use crate::rules::unknown_name::report_unknown;

declare_rule! {
    for_scripts
    /// ## What it does
    /// Reports `get_meta("name")` without a default in a GDScript file if nothing in the project sets metadata of this name:
    /// no scene or resource, and no `set_meta` of a script.
    ///
    /// It ignores:
    /// - all metadata, if a script sets metadata whose name is not a literal or a constant, or the project has binary
    ///   resources or imported scenes
    /// - metadata that the script asks for with `has_meta`
    /// - names that begin with `_`, which are the editor's own
    ///
    /// The rule is off by default, because it does not know the metadata that Godot itself sets, such as `original` of the
    /// editor's shortcuts.
    ///
    /// ## Why is this bad?
    /// Godot prints an error, and the script gets null.
    ///
    /// ## Example
    /// ```gdscript
    /// func price(item: Node) -> int:
    ///     return item.get_meta("prize")
    /// ```
    ///
    /// ## Use instead
    /// ```gdscript
    /// func price(item: Node) -> int:
    ///     return item.get_meta("prize", 0)
    /// ```
    ///
    /// ## References
    /// `Object::get_meta` (core/object/object.cpp)
    "SCR010", "unknown-metadata", Warning, off_by_default
}

fn check(context: &ScriptContext<'_>, reporter: &mut Reporter<'_>) {
    report_unknown(
        context,
        KindOfName::Metadata,
        (
            "Godot prints an error, and the script gets null",
            "pass a default as the second argument, or set the metadata first",
        ),
        reporter,
    );
}
