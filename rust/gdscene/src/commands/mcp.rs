//! `gdscene mcp`

use std::path::PathBuf;

use gdscene_mcp::{RootError, ServeError, ServeOptions, find_root, serve};
use godot_project::CachePlace;
use thiserror::Error;

use crate::commands::Status;
use crate::terminal::complain;

/// Serve a project to a coding agent, over the Model Context Protocol on standard input and output.
///
/// The agent's program starts this command itself. It has tools to check and repair scenes, to read and edit them as trees of
/// nodes, to rename and move things with everything that names them, and to look classes up. Nothing outside of the project's
/// folder is written, and all files of a change are written together or not at all; the tool `undo` takes the last change back.
///
/// Examples:
///   claude mcp add godot -- gdscene mcp
///   gdscene mcp --root game --read-only
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment, after_help = EXIT_STATUS)]
pub(crate) struct McpArgs {
    /// The project's folder, or one inside of it. Without it, the project that the current folder lies in is served, or the
    /// only one below it.
    #[arg(long, value_name = "DIR", default_value = ".", hide_default_value = true)]
    root: PathBuf,

    /// Write nothing: the agent does not get the tools that write.
    #[arg(long)]
    read_only: bool,
}

const EXIT_STATUS: &str = "Exit status: 0 the agent has closed the input, 2 wrong usage, no project, or an agent that speaks another protocol.";

/// Why nothing is served.
#[derive(Debug, Error)]
enum McpError {
    #[error(transparent)]
    Root(#[from] RootError),
    #[error(transparent)]
    Serve(#[from] ServeError),
}

pub(crate) fn run(args: &McpArgs) -> Status {
    match serve_project(args) {
        Ok(()) => Status::Clean,
        Err(error) => {
            complain(error);
            Status::Failure
        }
    }
}

fn serve_project(args: &McpArgs) -> Result<(), McpError> {
    let root = find_root(&args.root)?;
    serve(ServeOptions { root, is_read_only: args.read_only, cache: CachePlace::Usual })?;
    Ok(())
}
