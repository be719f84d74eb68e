//! `gdscene edit`

use std::io::{IsTerminal, stdin};
use std::path::{Path, PathBuf};

use gdscene_refactor::operations;

use crate::commands::Status;
use crate::commands::operate::{
    EXIT_STATUS, OperateArgs, OperateError, Task, fail, run as operate,
};
use crate::commands::refactor::{plain, res_path};
use crate::files::read;
use crate::inputs::Input;
use crate::terminal::complain;

/// Apply a list of operations to scenes, resources and settings: all of them, or none.
///
/// An operation is a JSON object with `op` and its keys. Write one operation per line, or all in one array. Each
/// operation can name its `file`, so that one list changes several files. Later operations see the changes of earlier
/// ones. If one operation fails, nothing is written, and the command prints its number and the reason.
///
///   {"op": "new", "file": "res://coin.tscn", "type": "Area2D", "name": "Coin"}
///   {"op": "add", "file": "res://coin.tscn", "node": "Shape", "type": "CollisionShape2D"}
///   {"op": "instance", "file": "res://level.tscn", "node": "Coin", "scene": "res://coin.tscn"}
///
/// A value is JSON, `{"godot": "Vector2(1, 2)"}`, `{"load": "res://icon.png"}`, or `{"new": "CircleShape2D", "properties": {…}}`.
/// docs/edit.md describes all operations.
///
/// Examples:
///   gdscene edit operations.jsonl
///   gdscene edit --file level.tscn --dry-run < operations.jsonl
///   echo '{"op": "unset", "at": "Player:position"}' | gdscene edit --file level.tscn
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment, after_help = EXIT_STATUS)]
pub(crate) struct EditArgs {
    /// The file with the operations; `-` reads standard input.
    #[arg(value_name = "OPERATIONS", default_value = "-")]
    operations: PathBuf,

    /// The scene or resource for operations that do not name a file: a path, or `res://…`.
    #[arg(long)]
    file: Option<String>,

    /// A file or folder of the project; without it, the project of --file, or of this folder.
    #[arg(long, value_name = "PATH")]
    project: Option<PathBuf>,

    #[command(flatten)]
    operate: OperateArgs,
}

pub(crate) fn run(args: &EditArgs) -> Status {
    let text = match text(args) {
        Ok(text) => text,
        Err(error) => return fail(&error, args.operate.output),
    };
    let place = args.project.clone().or_else(|| Some(args.file.as_ref()?.into()));
    operate(&plain(&place.unwrap_or_else(|| Path::new(".").into())), args.operate, |project| {
        let file = args.file.as_deref().map(|file| res_path(project, file)).transpose()?;
        Ok(Task { file, operations: operations(&text)? })
    })
}

fn text(args: &EditArgs) -> Result<Vec<u8>, OperateError> {
    let input = Input::named(&args.operations);
    if input == Input::Stdin && stdin().is_terminal() {
        let reason = "type the operations, one JSON object per line, and end with Ctrl+D";
        complain(reason);
    }
    let text = read(&input).map_err(OperateError::Input)?;
    if text.trim_ascii().is_empty() {
        return Err(OperateError::Input(input.problem("no operations: the input is empty")));
    }
    Ok(text)
}
