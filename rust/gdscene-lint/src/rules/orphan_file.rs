//! RES015

use godot_project::SceneContext;
use godot_project::usage::State;
use godot_tscn::Reporter;

use crate::rules::declare_rule;

declare_rule! {
    /// ## What it does
    /// Reports a scene or resource that nothing refers to: no project setting, and no script, data file or
    /// configuration file that is used itself, directly or through other files. A text with the path of a folder, or
    /// the start of a path, counts for all files in it. Off by default, because a script may build a path in a way that
    /// the rule cannot see. `gdscene unused` lists files of all kinds, and shows why it keeps files that may be used.
    ///
    /// ## Why is this bad?
    /// The file is exported with the game and must be maintained, although nothing uses it.
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
    /// Remove the file, or name its path where it is loaded.
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
