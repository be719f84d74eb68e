//! `gdscene disconnect`

use std::path::Path;

use gdscene_refactor::{ConnectionSpec, Operation};

use crate::commands::Status;
use crate::commands::operate::{EXIT_STATUS, OperateArgs, Task, run as operate};
use crate::commands::refactor::{plain, res_path};

/// Remove the connection of a signal.
///
/// Examples:
///   gdscene disconnect level.tscn Player/Area body_entered . _on_player_body_entered
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment, after_help = EXIT_STATUS)]
pub(crate) struct DisconnectArgs {
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

    #[command(flatten)]
    operate: OperateArgs,
}

pub(crate) fn run(args: &DisconnectArgs) -> Status {
    operate(&plain(Path::new(&args.file)), args.operate, |project| {
        let file = res_path(project, &args.file)?;
        let connection = ConnectionSpec {
            signal: args.signal.clone(),
            from: args.from.clone(),
            to: args.to.clone(),
            method: args.method.clone(),
        };
        Ok(Task::one(file, Operation::Disconnect { file: None, connection }))
    })
}
