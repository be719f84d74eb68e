//! `gdscene textconv`

use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;

use crate::commands::diff::driver::is_paged;
use crate::commands::{Status, written};
use crate::files;
use crate::inputs::Input;
use crate::terminal::complain;

/// Print a scene as people read it in a diff of lines: names instead of ids, without what only the editor notes.
///
/// git calls this for `git log -p` and `git blame` (`diff.<driver>.textconv`, gitattributes(5)). Where nothing is shown to
/// people, which is where git's output goes to a file or a program, it prints the file as it is, so that patches stay
/// patches.
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
