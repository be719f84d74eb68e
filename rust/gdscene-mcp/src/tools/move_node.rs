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
    /// The scene whose text makes the node.
    scene: String,
    /// The path of the node from the scene's root: `Player/Sprite`.
    node: String,
    /// The path of its new parent: `.` is the root.
    new_parent: String,
    /// Which child it becomes, counted from 0; the last one if this is not given.
    index: Option<usize>,
    /// Write nothing; say what would change.
    #[serde(default)]
    dry_run: bool,
}

impl Tool for MoveNode {
    type Arguments = Arguments;
    type Report = ChangeReport;

    const NAME: &'static str = "move_node";
    const TITLE: &'static str = "Move a node";
    const DESCRIPTION: &'static str = "Gives a node another parent or place, with all nodes below it, and changes the paths that lead to them: \
         in connections, properties, animations, other scenes and scripts. It keeps its own transform, so it is seen elsewhere if that of \
         its new parent differs.";
    const EFFECT: Effect = Effect::Rearranges;

    fn call(call: &mut Call<'_>, arguments: Arguments) -> Result<ChangeReport, ToolError> {
        let Arguments { scene, node, new_parent, index, dry_run } = arguments;
        let project = call.project()?;
        let scene = paths::res_path(project, &scene)?;
        let plan = gdscene_refactor::move_node(project, &scene, &node, &new_parent, index)?;
        ChangeReport::of_plan(call, &plan, dry_run)
    }
}
