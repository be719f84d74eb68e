//! RES015

use godot_project::SceneContext;
use godot_project::usage::State;
use godot_tscn::Reporter;

use crate::rules::declare_rule;

declare_rule! {
    /// ## What it does
    /// Reports a scene or resource that nothing refers to: neither the project's settings nor any script, data or
    /// configuration file that is used itself, directly or through other files. Off by default: a script may build a path in
    /// a way that cannot be seen. A text with the path of a folder, or the start of a path, counts for all files in it.
    /// `gdscene unused` lists files of all kinds, and says why it keeps those that may be used.
    ///
    /// ## Why is this bad?
    /// The file is exported with the game and maintained although nothing uses it.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [node name="OldMenu" type="Control"]
    /// ```
    /// which no other file mentions.
    ///
    /// ## Use instead
    /// Remove the file, or mention it where it is loaded.
    ///
    /// ## References
    /// `EditorExportPlatform::_export_find_resources` (editor/export/editor_export_platform.cpp)
    "RES015", "orphan-file", Info, off_by_default
}

fn check(context: &SceneContext<'_>, reporter: &mut Reporter<'_>) {
    let Some(file) = context.file else { return };
    if *context.project.usage().state(file) != State::Unused {
        return;
    }
    let Some(header) = context.document.sections().next() else { return };
    let uid = context.project.uid(file).map(|uid| format!(" or as `{uid}`")).unwrap_or_default();
    let message = format!("nothing refers to this file by its path{uid}");
    reporter.report(header.tag_span(), message);
}
