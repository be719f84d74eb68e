//! `gdscene add`

use std::path::Path;

use gdscene_refactor::Operation;

use crate::commands::Status;
use crate::commands::new_node::NewNodeArgs;
use crate::commands::operate::{EXIT_STATUS, OperateArgs, Task, run as operate};
use crate::commands::refactor::{plain, res_path};

/// Add a node.
///
/// NODE is the path that it gets; the parent is there already. If a sibling has the name, the node gets a number, as in Godot,
/// and the new path is printed.
///
/// Examples:
///   gdscene add level.tscn Player CharacterBody2D --script player.gd --group heroes
///   gdscene add level.tscn Player/Sprite Sprite2D --set 'position=Vector2(0, -8)' --unique
///   gdscene add menu.tscn Buttons/Quit Button --after Start --set 'text="Quit"'
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment, after_help = EXIT_STATUS)]
pub(crate) struct AddArgs {
    /// The scene: a path, or `res://…`.
    file: String,

    /// The path that it gets.
    node: String,

    /// A class of Godot's, or the `class_name` of a script.
    #[arg(value_name = "TYPE")]
    class: String,

    #[command(flatten)]
    with: NewNodeArgs,

    #[command(flatten)]
    operate: OperateArgs,
}

pub(crate) fn run(args: &AddArgs) -> Status {
    operate(&plain(Path::new(&args.file)), args.operate, |project| {
        let file = res_path(project, &args.file)?;
        let with = args.with.new_node(project)?;
        Ok(Task::one(
            file,
            Operation::Add { file: None, node: args.node.clone(), class: args.class.clone(), with },
        ))
    })
}
