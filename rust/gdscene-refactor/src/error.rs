//! Why a refactoring is refused.

use std::io;

use godot_project::script::MAX_SIZE;
use godot_project::{FileId, Project};
use thiserror::Error;

/// Why there is no plan. Nothing was written.
#[derive(Debug, Error)]
pub enum RefactorError {
    /// A path leads to no file of the project.
    #[error("`{path}` is not a file of the project, or Godot's editor does not see it")]
    NoSuchFile {
        /// The path.
        path: String,
    },
    /// The file is of the wrong kind: `a scene`, `a script`.
    #[error("`{path}` is not {wanted}")]
    WrongKind {
        /// The path of the file.
        path: String,
        /// The expected kind, with its article.
        wanted: &'static str,
    },
    /// A file cannot be read.
    #[error("cannot read `{path}`: {source}")]
    Unreadable {
        /// The path of the file.
        path: String,
        /// Why.
        source: io::Error,
    },
    /// Godot cannot load the file, or only a part of it is understood.
    #[error("`{path}` cannot be read completely ({reason}); repair it first")]
    Broken {
        /// The path of the file.
        path: String,
        /// Why.
        reason: String,
    },
    /// A script is not read, and so not changed.
    #[error("`{path}` is too long; the limit for scripts is {limit} MiB")]
    TooLong {
        /// The path of the script.
        path: String,
        /// The most that it may have, in MiB.
        limit: usize,
    },
    /// The thing to rename or move does not exist.
    #[error("`{path}` has no {kind} `{name}`{}", .near.as_ref().map_or_else(String::new, |near| format!("; did you mean `{near}`?")))]
    NotFound {
        /// The file.
        path: String,
        /// The missing thing: `exported variable`, `node`.
        kind: &'static str,
        /// Its name.
        name: String,
        /// The probable intended name.
        near: Option<String>,
    },
    /// The new name is not a valid one.
    #[error("`{name}` is not a valid {kind}: {reason}")]
    InvalidName {
        /// The name.
        name: String,
        /// Its use: `variable name`, `node name`.
        kind: &'static str,
        /// The problem with it.
        reason: String,
    },
    /// The new name or path is taken.
    #[error("{what}")]
    Clash {
        /// The owner of the name: "`res://enemy.gd` has a variable `max_health` already (line 7)".
        what: String,
    },
    /// Any other reason.
    #[error("{0}")]
    Refused(String),
}

/// The script declares nothing that is known, or not all.
pub(crate) fn not_understood(project: &Project, script: FileId) -> RefactorError {
    let path = project.path(script).to_owned();
    if project.size(script) > MAX_SIZE as u64 {
        return RefactorError::TooLong { path, limit: MAX_SIZE >> 20 };
    }
    RefactorError::Broken { path, reason: "its syntax cannot be parsed".to_owned() }
}
