//! SCR006

use godot_project::names::KindOfName;
use godot_tscn::Reporter;

use crate::rules::context::ScriptContext;
use crate::rules::declare_rule;
use crate::rules::unknown_name::report_unknown;

declare_rule! {
    for_scripts
    /// ## What it does
    /// Reports a group in a call of a GDScript file, such as `get_nodes_in_group("enemies")`, if no node of a scene is in
    /// the group, no script adds a node to it, and the section `[global_group]` of `project.godot` does not declare it.
    ///
    /// It ignores:
    /// - all groups, if a script adds nodes to a group whose name is not a literal or a constant
    /// - all groups, if the project has binary scenes
    /// - groups that the script asks for with `has_group`
    ///
    /// ## Why is this bad?
    /// The call reaches no node, and Godot prints nothing.
    ///
    /// ## Example
    /// ```gdscript
    /// func _ready():
    ///     add_to_group("enemies")
    ///
    ///
    /// func stop_all():
    ///     get_tree().call_group("enemy", "stop")
    /// ```
    ///
    /// ## Use instead
    /// ```gdscript
    /// func _ready():
    ///     add_to_group("enemies")
    ///
    ///
    /// func stop_all():
    ///     get_tree().call_group("enemies", "stop")
    /// ```
    ///
    /// ## References
    /// `SceneTree::call_group_flagsp` (scene/main/scene_tree.cpp), `Node::is_in_group` (scene/main/node.cpp)
    "SCR006", "unknown-group", Warning
}

fn check(context: &ScriptContext<'_>, reporter: &mut Reporter<'_>) {
    report_unknown(
        context,
        KindOfName::Group,
        (
            "the group is empty, and Godot prints nothing",
            "no node of a scene is in it, and no script adds one to it",
        ),
        reporter,
    );
}
