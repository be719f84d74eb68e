//! A server of the Model Context Protocol, over standard input and output. Coding agents read, check and edit the scenes of one
//! Godot project as structure.
//!
//! [`serve`] is all of it. Each tool is a file in `tools`, which calls the crates of projects, and `tool` describes a tool.
//! `server` speaks the protocol, `session` keeps the project open, and `paths` lets nothing out of its folder. `changes` writes
//! through the journal, and `limits` keeps answers short enough for a model.
//!
//! Nothing here prints, and nothing knows the engine.
//!
//! A call into files:
//!
//! ```text
//! server.rs: which tool is it, may it write? -> a thread -> session.rs: one call at a time; the workspace is refreshed
//!    -> tools/<name>.rs: arguments -> paths.rs: is it in the project? -> findings, a Plan or changes
//!    -> changes.rs: the journal, unless it is a dry run -> a report: as data, and as text that limits.rs keeps short
//! a panic in a call -> session.rs: an error for this call, and the workspace is opened again for the next one
//! ```
//!
//! To add a tool: a file in `tools`, its entry in `tools.rs`, its row in `docs/agents.md`, and tests in
//! `tests/tools.rs` and `scripts/test/servers/mcp/sessions.py`.
#![forbid(unsafe_code)]

mod changes;
mod diff;
mod findings;
mod limits;
mod paths;
mod root;
mod server;
mod session;
mod tool;
mod tools;

use std::io;
use std::path::PathBuf;

use rmcp::service::{ServerInitializeError, ServiceExt};
use thiserror::Error;
use tokio::io::{AsyncRead, AsyncWrite};

pub use root::{RootError, find_root};
use server::Server;

/// The options of the server.
#[derive(Clone, Debug)]
pub struct ServeOptions {
    /// The folder with `project.godot`.
    pub root: PathBuf,
    /// Whether nothing may be written: then the tools that write are missing.
    pub is_read_only: bool,
    /// The place of the cache, with which a project opens sooner the next time.
    pub cache: godot_project::CachePlace,
}

/// Why a server ended before its client was done with it.
#[derive(Debug, Error)]
pub enum ServeError {
    /// The threads that it needs cannot be made.
    #[error("cannot start the server: {0}")]
    Start(#[from] io::Error),
    /// The client speaks another protocol.
    #[error("the client did not start with the Model Context Protocol: {0}")]
    Protocol(Box<ServerInitializeError>),
    /// The server itself failed.
    #[error("the server failed: {0}")]
    Failed(#[from] tokio::task::JoinError),
}

/// Serves one project over standard input and output, until the client closes the input.
///
/// # Errors
/// When the client does not speak the protocol.
pub fn serve(options: ServeOptions) -> Result<(), ServeError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let (input, output) = rmcp::transport::stdio();
    runtime.block_on(serve_over(options, input, output))
}

/// [`serve`] over other streams.
///
/// # Errors
/// As [`serve`].
pub async fn serve_over(
    options: ServeOptions,
    input: impl AsyncRead + Send + Unpin + 'static,
    output: impl AsyncWrite + Send + Unpin + 'static,
) -> Result<(), ServeError> {
    match Server::new(options).serve((input, output)).await {
        Ok(running) => {
            running.waiting().await?;
            Ok(())
        }
        // A client that closes the input at once wants nothing.
        Err(ServerInitializeError::ConnectionClosed(_)) => Ok(()),
        Err(error) => Err(ServeError::Protocol(Box::new(error))),
    }
}
