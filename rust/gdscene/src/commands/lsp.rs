//! `gdscene lsp`

use gdscene_lsp::{ServeError, ServeOptions, serve};
use godot_project::CachePlace;

use crate::commands::Status;
use crate::terminal::complain;

/// Serve an editor, over the Language Server Protocol on standard input and output.
///
/// The editor starts this command itself. The server provides findings as you type, fixes, formatting, outline, links,
/// hover, definitions, references and renames for .tscn, .tres, project.godot, .import, .gdextension and gdscene.toml,
/// and findings for .gd. It finds projects from the open files.
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment, after_help = EXIT_STATUS)]
pub(crate) struct LspArgs {
    /// Has no effect: the server always uses standard input and output.
    #[arg(long, hide = true)]
    stdio: bool,
}

const EXIT_STATUS: &str = "Exit status:
  0  the editor ended the session
  2  wrong usage, or the editor does not use the Language Server Protocol";

pub(crate) fn run(_: &LspArgs) -> Status {
    match serve_editor() {
        Ok(()) => Status::Clean,
        Err(error) => {
            complain(error);
            Status::Failure
        }
    }
}

fn serve_editor() -> Result<(), ServeError> {
    serve(ServeOptions { cache: CachePlace::Usual })
}
