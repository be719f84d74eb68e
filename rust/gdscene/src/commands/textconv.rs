//! `gdscene textconv`

use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;

use crate::commands::diff::driver::is_paged;
use crate::commands::{Status, written};
use crate::files;
use crate::inputs::Input;
use crate::terminal::complain;

/// Print a scene for a line diff: with names instead of ids, and without data that only the editor uses.
///
/// git calls this for `git log -p` and `git blame` (`diff.<driver>.textconv`, gitattributes(5)). If git writes to a
/// file or a program instead of a terminal, it prints the file unchanged, so that patches stay valid.
#[derive(Debug, clap::Args)]
pub(crate) struct TextconvArgs {
    /// The file.
    file: PathBuf,
}

pub(crate) fn run(args: &TextconvArgs) -> Status {
    let text = match files::read(&Input::named(&args.file)) {
        Ok(text) => text,
        Err(problem) => {
            complain(format_args!("{}: {}", problem.path.display(), problem.reason));
            return Status::Failure;
        }
    };
    let text = match is_paged() || io::stdout().is_terminal() {
        true => godot_tscn::readable(&text).unwrap_or(text),
        false => text,
    };
    written(io::stdout().lock().write_all(&text), Status::Clean)
}
