//! `move_node`

use schemars::JsonSchema;
use serde::Deserialize;

use crate::changes::ChangeReport;
use crate::paths;
use crate::tool::{Call, Effect, Tool, ToolError};

pub(crate) struct MoveNode;

/// What moves, and where to.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// The scene that contains the node.
    scene: String,
    /// The path of the node from the scene's root: `Player/Sprite`.
    node: String,
    /// The path of its new parent: `.` is the root.
    new_parent: String,
    /// The index among the children of the new parent, counted from 0. Default: last.
    index: Option<usize>,
    /// Write nothing; report what would change.
    #[serde(default)]
    dry_run: bool,
}

impl Tool for MoveNode {
    type Arguments = Arguments;
    type Report = ChangeReport;

    const NAME: &'static str = "move_node";
    const TITLE: &'static str = "Move a node";
    const DESCRIPTION: &'static str = "Moves a node to another parent or index, with its child nodes, and updates the paths to them in connections, \
         properties, animations, other scenes and scripts. The node keeps its own transform, so it appears elsewhere if the \
         transform of its new parent differs.";
    const EFFECT: Effect = Effect::Rearranges;

    fn call(call: &mut Call<'_>, arguments: Arguments) -> Result<ChangeReport, ToolError> {
        let Arguments { scene, node, new_parent, index, dry_run } = arguments;
        let project = call.project()?;
        let scene = paths::res_path(project, &scene)?;
        let plan = gdscene_refactor::move_node(project, &scene, &node, &new_parent, index)?;
        ChangeReport::of_plan(call, &plan, dry_run)
    }
}
