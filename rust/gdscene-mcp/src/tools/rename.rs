//! `rename`

use godot_project::names::KindOfName;
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
    /// The kind of the item.
    kind: Kind,
    /// The scene of a node, or the script that declares a property, method or signal. Other kinds do not need it.
    file: Option<String>,
    /// Its current name; for a node, its path from the scene's root, such as `Player/Sprite`.
    name: String,
    /// Its new name; for a node, only the last part of the path.
    new_name: String,
    /// Write nothing; report what would change.
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
    /// An input action.
    Action,
    /// A group of nodes.
    Group,
    /// An audio bus.
    Bus,
}

impl Tool for Rename {
    type Arguments = Arguments;
    type Report = ChangeReport;

    const NAME: &'static str = "rename";
    const TITLE: &'static str = "Rename a node, member, class, input action, group or audio bus";
    const DESCRIPTION: &'static str = "Renames a node, a property, method, signal or class of a script, an input action, a group or an audio bus, in all files \
         that refer to it: settings, scenes, resources, animations, connections, GDScript and C#. Uncertain places are listed for \
         a manual check. Use `move_file` to rename files.";
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
    let shared = match kind {
        Kind::Class => return Ok(gdscene_refactor::rename_class(project, name, new_name)?),
        Kind::Action => Some(KindOfName::Action),
        Kind::Group => Some(KindOfName::Group),
        Kind::Bus => Some(KindOfName::Bus),
        Kind::Node | Kind::Property | Kind::Method | Kind::Signal => None,
    };
    if let Some(kind) = shared {
        return Ok(gdscene_refactor::rename_name(project, kind, name, new_name)?);
    }
    let wanted = if kind == Kind::Node { "scene" } else { "script that declares it" };
    let file = file.ok_or_else(|| ToolError(format!("`file` is missing: the {wanted}")))?;
    let path = paths::res_path(project, file)?;
    let rename = match kind {
        Kind::Node => gdscene_refactor::rename_node,
        Kind::Property => gdscene_refactor::rename_property,
        Kind::Method => gdscene_refactor::rename_method,
        _ => gdscene_refactor::rename_signal,
    };
    Ok(rename(project, &path, name, new_name)?)
}
