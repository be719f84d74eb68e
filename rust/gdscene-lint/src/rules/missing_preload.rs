//! SCR001

use godot_project::script::source::StringPlace;
use godot_tscn::Reporter;

use crate::rules::context::ScriptContext;
use crate::rules::declare_rule;
use crate::rules::script_files::{Loader, loaded, report_missing};

declare_rule! {
    for_scripts
    /// ## What it does
    /// Reports a `preload` or an `extends` in a GDScript file that refers to a file which is not in the project. The
    /// path does not lead to a file, or the file's name differs in upper and lower case, or no file has the uid. A path
    /// without `res://` is relative to the script's folder.
    ///
    /// ## Why is this bad?
    /// The script does not compile, and neither do the scripts that use it. Nodes and resources that use the script
    /// lose it, and the next save removes the values of its variables from their files.
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
    /// `GDScriptAnalyzer::reduce_preload`, `GDScriptAnalyzer::resolve_class_inheritance` (modules/gdscript/gdscript_analyzer.cpp)
    "SCR001", "missing-preload", Error
}

fn check(context: &ScriptContext<'_>, reporter: &mut Reporter<'_>) {
    if !context.may_load_missing() {
        return;
    }
    let Some(source) = context.source() else { return };
    for literal in source.strings() {
        let is_base = literal.place == StringPlace::Extends && literal.is_certain;
        if is_base || matches!(loaded(source, literal), Some((_, Loader::Preload))) {
            let place = (literal, context.path);
            report_missing(context, place, "the script does not compile", reporter);
        }
    }
}
