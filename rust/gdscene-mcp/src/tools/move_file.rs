//! `move_file`

use schemars::JsonSchema;
use serde::Deserialize;

use crate::changes::ChangeReport;
use crate::paths;
use crate::tool::{Call, Effect, Tool, ToolError};

pub(crate) struct MoveFile;

/// What moves, and where to.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// The file or folder.
    from: String,
    /// The new path, or, with a slash at the end, the folder to move it into. The path must be free.
    to: String,
    /// Write nothing; report what would change.
    #[serde(default)]
    dry_run: bool,
}

impl Tool for MoveFile {
    type Arguments = Arguments;
    type Report = ChangeReport;

    const NAME: &'static str = "move_file";
    const TITLE: &'static str = "Move or rename a file";
    const DESCRIPTION: &'static str = "Moves or renames a file or folder, with its .uid and .import file, and updates the paths to it in scenes, resources, \
         scripts, shaders and settings. Use it instead of `mv`. Paths that code builds are listed for a manual check.";
    const EFFECT: Effect = Effect::Rearranges;

    fn call(call: &mut Call<'_>, arguments: Arguments) -> Result<ChangeReport, ToolError> {
        let project = call.project()?;
        let from = paths::res_path(project, &arguments.from)?;
        let mut to = paths::res_path(project, &arguments.to)?;
        if arguments.to.ends_with(['/', std::path::MAIN_SEPARATOR]) && !to.ends_with('/') {
            to.push('/');
        }
        let plan = gdscene_refactor::move_files(project, &from, &to)?;
        ChangeReport::of_plan(call, &plan, arguments.dry_run)
    }
}
