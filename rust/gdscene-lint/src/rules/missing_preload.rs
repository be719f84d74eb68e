//! SCR001

use godot_tscn::Reporter;

use crate::rules::context::ScriptContext;
use crate::rules::declare_rule;
use crate::rules::script_files::{Loader, loaded, report_missing};

declare_rule! {
    for_scripts
    /// ## What it does
    /// Reports a `preload` in a script in GDScript whose file is not in the project: the path leads to no file, or to one whose
    /// name differs in upper and lower case, or no file has the uid. A path without `res://` counts from the script's folder.
    ///
    /// ## Why is this bad?
    /// The script does not compile. Neither do those that use it, and nodes that have it lose it.
    ///
    /// ## Example
    /// ```gdscript
    /// extends Node
    ///
    /// const BULLET := preload("res://gone.tscn")
    /// ```
    ///
    /// ## Use instead
    /// ```gdscript
    /// extends Node
    ///
    /// const BULLET := preload("res://bullet.tscn")
    /// ```
    ///
    /// ## References
    /// `GDScriptAnalyzer::reduce_preload` (modules/gdscript/gdscript_analyzer.cpp)
    "SCR001", "missing-preload", Error
}

fn check(context: &ScriptContext<'_>, reporter: &mut Reporter<'_>) {
    if !context.mentions(&["preload"]) {
        return;
    }
    let Some(source) = context.source() else { return };
    for literal in source.strings() {
        if let Some((_, Loader::Preload)) = loaded(source, literal) {
            let place = (literal, context.path);
            report_missing(context, place, "the script does not compile", reporter);
        }
    }
}
