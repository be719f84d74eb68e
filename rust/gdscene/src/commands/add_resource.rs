//! `gdscene add-resource`

use std::path::Path;

use gdscene_refactor::Operation;

use crate::commands::Status;
use crate::commands::new_node::PropertiesArgs;
use crate::commands::operate::{EXIT_STATUS, OperateArgs, Task, run as operate};
use crate::commands::refactor::{plain, res_path};

/// Give a property a new resource inside the file.
///
/// Examples:
///   gdscene add-resource level.tscn Player/Shape:shape RectangleShape2D --set 'size=Vector2(16, 32)'
///   gdscene add-resource hut.tscn Wall:material_override StandardMaterial3D
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment, after_help = EXIT_STATUS)]
pub(crate) struct AddResourceArgs {
    /// The scene or resource: a path, or `res://…`.
    file: String,

    /// The property: `NODE:PROPERTY`, `:PROPERTY` in a resource, or `::ID:PROPERTY` of a `sub_resource`.
    #[arg(value_name = "NODE:PROPERTY")]
    at: String,

    /// The resource's class, or the `class_name` of a script.
    #[arg(value_name = "TYPE")]
    class: String,

    #[command(flatten)]
    properties: PropertiesArgs,

    #[command(flatten)]
    operate: OperateArgs,
}

pub(crate) fn run(args: &AddResourceArgs) -> Status {
    operate(&plain(Path::new(&args.file)), args.operate, |project| {
        let file = res_path(project, &args.file)?;
        Ok(Task::one(
            file,
            Operation::AddResource {
                file: None,
                at: args.at.clone(),
                class: args.class.clone(),
                properties: args.properties.values(),
            },
        ))
    })
}
