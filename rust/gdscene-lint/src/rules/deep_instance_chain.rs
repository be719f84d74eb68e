//! PERF005

use godot_project::SceneContext;
use godot_tscn::{Reporter, quote};

use crate::rules::declare_rule;

declare_rule! {
    /// ## What it does
    /// Reports a scene that instances or inherits a chain of more than eight scenes, each nested in the previous one.
    ///
    /// ## Why is this bad?
    /// Godot reads all these files, one after the other, before it creates the first node. For each node of the
    /// innermost scene, it also applies the changes of every level. People can hardly find out which level sets a
    /// value.
    ///
    /// ## Example
    /// ```tscn
    /// [gd_scene format=3]
    ///
    /// [ext_resource type="PackedScene" path="res://level_1.tscn" id="1"]
    ///
    /// [node name="Level0" instance=ExtResource("1")]
    /// ```
    /// where `level_1.tscn` inherits `level_2.tscn`, and so on up to `level_9.tscn`.
    ///
    /// ## Use instead
    /// Use fewer levels. Scripts and resources can store differences that are only values.
    ///
    /// ## References
    /// `SceneState::instantiate` (scene/resources/packed_scene.cpp)
    "PERF005", "deep-instance-chain", Info
}

/// At most this number of scenes may be below another one.
const MOST_LEVELS: usize = 8;

fn check(context: &SceneContext<'_>, reporter: &mut Reporter<'_>) {
    let Some(file) = context.file else { return };
    let way = context.project.instance_depths().way_down(file);
    let levels = way.len() - 1;
    if levels <= MOST_LEVELS {
        return;
    }
    let Some(header) = context.document.sections().next() else { return };
    let name = |index: usize| quote(context.project.path(way[index]).as_bytes());
    let message = format!(
        "{levels} scenes are nested below this one by instances: {}, {}, …, {}",
        name(1),
        name(2),
        name(levels)
    );
    reporter.report(header.tag_span(), message);
}
