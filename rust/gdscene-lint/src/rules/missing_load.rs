//! SCR002

use godot_project::res_path::LOADER_BASE;
use godot_tscn::Reporter;
use hashbrown::HashSet;

use crate::rules::context::ScriptContext;
use crate::rules::declare_rule;
use crate::rules::script_files::{Loader, loaded, report_missing};

declare_rule! {
    for_scripts
    /// ## What it does
    /// Reports a `load` or `ResourceLoader.load` in a GDScript file whose file is not in the project. The rule ignores
    /// paths that the script also uses elsewhere, because the script may check that the file exists, or create it.
    ///
    /// ## Why is this bad?
    /// The call returns null when the game executes it.
    ///
    /// ## Example
    /// ```gdscript
    /// extends Node
    ///
    ///
    /// func fire() -> void:
    ///     add_child((load("res://gone.tscn") as PackedScene).instantiate())
    /// ```
    ///
    /// ## Use instead
    /// ```gdscript
    /// extends Node
    ///
    ///
    /// func fire() -> void:
    ///     add_child((load("res://bullet.tscn") as PackedScene).instantiate())
    /// ```
    ///
    /// ## References
    /// `ResourceLoader::_load` (core/io/resource_loader.cpp)
    "SCR002", "missing-load", Warning
}

fn check(context: &ScriptContext<'_>, reporter: &mut Reporter<'_>) {
    if !context.may_load_missing() {
        return;
    }
    let Some(source) = context.source() else { return };
    let others = source.strings().iter().filter(|literal| loaded(source, literal).is_none());
    let others: HashSet<&str> = others.filter_map(|literal| literal.text.as_deref()).collect();
    for literal in source.strings() {
        if let Some((path, Loader::Load)) = loaded(source, literal)
            && !others.contains(path)
        {
            report_missing(context, (literal, LOADER_BASE), "the call returns null", reporter);
        }
    }
}
