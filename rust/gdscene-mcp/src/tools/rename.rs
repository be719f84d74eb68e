//! `rename`

use godot_project::{Plan, Project};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::changes::ChangeReport;
use crate::paths;
use crate::tool::{Call, Effect, Tool, ToolError};

pub(crate) struct Rename;

/// What gets another name.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// What it is.
    kind: Kind,
    /// The scene of a node, or the script that declares a property, method or signal. A class needs none.
    file: Option<String>,
    /// Its name now; of a node the path from the scene's root, such as `Player/Sprite`.
    name: String,
    /// The name that it gets; of a node only the last part.
    new_name: String,
    /// Write nothing; say what would change.
    #[serde(default)]
    dry_run: bool,
}

/// What can be renamed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Kind {
    /// A node of a scene.
    Node,
    /// A variable of a script.
    Property,
    /// A function of a script.
    Method,
    /// A signal of a script.
    Signal,
    /// A `class_name`, or a class in C#.
    Class,
}

impl Tool for Rename {
    type Arguments = Arguments;
    type Report = ChangeReport;

    const NAME: &'static str = "rename";
    const TITLE: &'static str = "Rename a node, property, method, signal or class";
    const DESCRIPTION: &'static str = "Renames a node, or a property, method, signal or class of a script, in all files that name it: scenes, resources, \
         animations, connections, GDScript and C#. What may mean it and cannot be told is listed to be looked at. Files are renamed by \
         `move_file`.";
    const EFFECT: Effect = Effect::Rearranges;

    fn call(call: &mut Call<'_>, arguments: Arguments) -> Result<ChangeReport, ToolError> {
        let Arguments { kind, file, name, new_name, dry_run } = arguments;
        let plan = plan(call.project()?, kind, file.as_deref(), &name, &new_name)?;
        ChangeReport::of_plan(call, &plan, dry_run)
    }
}

/// What a new name changes.
pub(crate) fn plan(
    project: &Project,
    kind: Kind,
    file: Option<&str>,
    name: &str,
    new_name: &str,
) -> Result<Plan, ToolError> {
    if kind == Kind::Class {
        return Ok(gdscene_refactor::rename_class(project, name, new_name)?);
    }
    let wanted = if kind == Kind::Node { "scene" } else { "script that declares it" };
    let file = file.ok_or_else(|| ToolError(format!("`file` is missing: the {wanted}")))?;
    let path = paths::res_path(project, file)?;
    let rename = match kind {
        Kind::Node => gdscene_refactor::rename_node,
        Kind::Property => gdscene_refactor::rename_property,
        Kind::Method => gdscene_refactor::rename_method,
        Kind::Signal | Kind::Class => gdscene_refactor::rename_signal,
    };
    Ok(rename(project, &path, name, new_name)?)
}
