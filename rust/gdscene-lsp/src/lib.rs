//! A language server for the text files of Godot projects: `.tscn`, `.tres`, `.escn`, `project.godot`, `.import`, `.gdextension`,
//! `gdscene.toml`, and the findings in `.gd`.
//!
//! [`serve`] is all of it. `server` reads the client's messages and keeps its texts. A thread of `workers` answers each request
//! from a `snapshot` of them, by its file in `features`. `projects` keeps the projects open, `checks` runs the rules, and
//! `reports` sends their findings to the client. `findings` and `edits` are results in the form of the protocol, `at` is the thing
//! at a place, and `text` counts as the client does.
//!
//! Nothing here prints, and nothing knows the engine.
//!
//! A keystroke into findings:
//!
//! ```text
//! server.rs: the text after the change (text.rs) -> projects.rs keeps it for others -> checks.rs: a thread
//!    -> OpenProject::look: the project as last seen, and the text of the question -> findings.rs -> the client
//! a project is opened, files change -> a check of all files with progress.rs -> reports.rs
//! a pause -> OpenProject::sync: all texts become overlays, changed files are read -> other open texts are checked again
//! a request -> a snapshot of all texts -> a thread of workers.rs -> features/<name>.rs, from what at.rs finds at the place
//!    -> look_at_all, if it is about more than one text: sync comes first -> edits.rs: a Plan as the protocol has it
//! a panic in a request -> an error for it; the project is opened again if it was being changed
//! ```
//!
//! To add a request: a file in `features`, its entry in `features.rs`, its row in `capabilities.rs`, and tests in
//! `tests/features.rs` and `tests/model.rs`.
#![forbid(unsafe_code)]

mod at;
mod capabilities;
mod checks;
mod client;
mod declared;
mod documentation;
mod edits;
mod features;
mod findings;
mod named;
mod names;
mod objects;
mod progress;
mod projects;
mod reports;
mod server;
mod snapshot;
mod stdio;
mod text;
mod uris;
mod workers;

use std::io;

use lsp_server::{Connection, ProtocolError};
use thiserror::Error;

/// How to serve.
#[derive(Clone, Debug, Default)]
pub struct ServeOptions {
    /// The place of the cache, with which a project opens sooner the next time.
    pub cache: godot_project::CachePlace,
}

/// Why a server ended before its client was done with it.
#[derive(Debug, Error)]
pub enum ServeError {
    /// The threads that it needs cannot be made, or the input broke off.
    #[error("the server failed: {0}")]
    Io(#[from] io::Error),
    /// The client speaks another protocol.
    #[error("the client violated the Language Server Protocol: {0}")]
    Protocol(#[from] ProtocolError),
    /// The client's first request makes no sense.
    #[error("the client's parameters are not valid: {0}")]
    Parameters(#[from] serde_json::Error),
}

/// Serves a client over standard input and output, until it ends the session.
///
/// # Errors
/// When the client does not speak the protocol.
pub fn serve(options: ServeOptions) -> Result<(), ServeError> {
    let (connection, threads) = stdio::connect()?;
    serve_over(&connection, options)?;
    // Its threads end when nothing can be sent any more.
    drop(connection);
    threads.join()?;
    Ok(())
}

/// [`serve`] over another connection.
///
/// # Errors
/// As [`serve`].
pub fn serve_over(connection: &Connection, options: ServeOptions) -> Result<(), ServeError> {
    server::run(connection, options)
}
