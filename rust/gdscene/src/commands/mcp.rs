//! `gdscene mcp`

use std::path::PathBuf;

use gdscene_mcp::{RootError, ServeError, ServeOptions, find_root, serve};
use godot_project::CachePlace;
use thiserror::Error;

use crate::commands::Status;
use crate::terminal::complain;

/// Serve a project to a coding agent, over the Model Context Protocol on standard input and output.
///
/// The agent's program starts this command itself. Its tools check and repair scenes, read and edit them as node trees,
/// rename and move items and update all references, and look up classes. The server writes only in the project's
/// folder, and writes all files of a change together or not at all. The tool `undo` undoes the last change.
///
/// Examples:
///   claude mcp add godot -- gdscene mcp
///   gdscene mcp --root game --read-only
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment, after_help = EXIT_STATUS)]
pub(crate) struct McpArgs {
    /// The project's folder, or a folder inside it. Default: the project around the current folder, or the only project
    /// below it.
    #[arg(long, value_name = "DIR", default_value = ".", hide_default_value = true)]
    root: PathBuf,

    /// Do not offer the tools that write files.
    #[arg(long)]
    read_only: bool,
}

const EXIT_STATUS: &str = "Exit status:
  0  the agent closed the input
  2  wrong usage, no project, or the agent does not use the Model Context Protocol";

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
