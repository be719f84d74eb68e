//! What `gdscene add` and `gdscene instance` have in common: where a node comes, and what it has.

use std::collections::BTreeMap;

use gdscene_refactor::{NewNode, Siblings, ValueSpec};
use godot_project::Project;

use crate::commands::operate::OperateError;
use crate::commands::refactor::res_path;

/// Where a new node comes, and what it has.
#[derive(Debug, clap::Args)]
pub(crate) struct NewNodeArgs {
    /// Put it in front of this sibling.
    #[arg(long, value_name = "NAME", conflicts_with_all = ["after", "index"])]
    before: Option<String>,

    /// Put it behind this sibling.
    #[arg(long, value_name = "NAME", conflicts_with = "index")]
    after: Option<String>,

    /// Its place among its siblings, counted from 0; from the end if negative.
    #[arg(long, allow_negative_numbers = true)]
    index: Option<i64>,

    #[command(flatten)]
    properties: PropertiesArgs,

    /// A group that it is in.
    #[arg(long = "group", value_name = "GROUP")]
    groups: Vec<String>,

    /// Its script: a path, or `res://…`.
    #[arg(long)]
    script: Option<String>,

    /// Let the scene find it as `%Name`.
    #[arg(long = "unique")]
    unique_name: bool,
}

/// The properties of something new.
#[derive(Debug, clap::Args)]
pub(crate) struct PropertiesArgs {
    /// A property with its value, which is Godot's text: `--set 'position=Vector2(1, 2)'`.
    #[arg(long = "set", value_name = "PROPERTY=VALUE", value_parser = property)]
    properties: Vec<(String, String)>,
}

impl NewNodeArgs {
    pub(crate) fn new_node(&self, project: &Project) -> Result<NewNode, OperateError> {
        let script = self.script.as_deref().map(|script| res_path(project, script));
        Ok(NewNode {
            place: Siblings {
                before: self.before.clone(),
                after: self.after.clone(),
                index: self.index,
            },
            properties: self.properties.values(),
            groups: self.groups.clone(),
            script: script.transpose()?,
            unique_name: self.unique_name,
        })
    }
}

impl PropertiesArgs {
    pub(crate) fn values(&self) -> BTreeMap<String, ValueSpec> {
        let value =
            |(key, value): &(String, String)| (key.clone(), ValueSpec::Godot(value.clone()));
        self.properties.iter().map(value).collect()
    }
}

fn property(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((key, value)) if !key.trim().is_empty() => {
            Ok((key.trim().to_owned(), value.trim().to_owned()))
        }
        _ => Err("write PROPERTY=VALUE".to_owned()),
    }
}
