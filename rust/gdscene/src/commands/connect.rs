//! `gdscene connect`

use std::path::Path;

use gdscene_refactor::{ConnectionSpec, Operation, ValueSpec};

use crate::commands::Status;
use crate::commands::operate::{EXIT_STATUS, OperateArgs, Task, run as operate};
use crate::commands::refactor::{plain, res_path};

/// Connect a signal of a node to a method of a node.
///
/// The signal is one of the node's class or script. A method that the script does not have yet is a new error, which
/// --allow-errors lets pass.
///
/// Examples:
///   gdscene connect level.tscn Player/Area body_entered . _on_player_body_entered
///   gdscene connect menu.tscn Start pressed . _on_level_chosen --bind 1
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment, after_help = EXIT_STATUS)]
pub(crate) struct ConnectArgs {
    /// The scene: a path, or `res://…`.
    file: String,

    /// The node that emits the signal.
    from: String,

    /// The signal.
    signal: String,

    /// The node whose method is called.
    to: String,

    /// The method.
    method: String,

    /// `Object.ConnectFlags` as a number: 1 deferred, 2 persist, 4 one shot. All saved connections persist.
    #[arg(long)]
    flags: Option<i64>,

    /// An argument that is passed behind those of the signal: Godot's text.
    #[arg(long = "bind", value_name = "VALUE", allow_negative_numbers = true)]
    binds: Vec<String>,

    /// How many of the signal's last arguments are left out.
    #[arg(long, value_name = "COUNT", default_value_t)]
    unbinds: u32,

    #[command(flatten)]
    operate: OperateArgs,
}

pub(crate) fn run(args: &ConnectArgs) -> Status {
    operate(&plain(Path::new(&args.file)), args.operate, |project| {
        let file = res_path(project, &args.file)?;
        let connection = ConnectionSpec {
            signal: args.signal.clone(),
            from: args.from.clone(),
            to: args.to.clone(),
            method: args.method.clone(),
        };
        let binds = args.binds.iter().cloned().map(ValueSpec::Godot).collect();
        Ok(Task::one(
            file,
            Operation::Connect {
                file: None,
                connection,
                flags: args.flags,
                binds,
                unbinds: args.unbinds,
            },
        ))
    })
}
