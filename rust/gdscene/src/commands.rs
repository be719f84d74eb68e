//! One file per subcommand, except the subcommands for one operation each: they are a table in
//! `operation`.

pub(crate) mod check;
pub(crate) mod dedupe;
pub(crate) mod deps;
pub(crate) mod diff;
pub(crate) mod edit;
pub(crate) mod explain;
pub(crate) mod extract;
pub(crate) mod fix;
pub(crate) mod format;
pub(crate) mod generate;
pub(crate) mod get;
pub(crate) mod git;
pub(crate) mod inline;
pub(crate) mod lsp;
pub(crate) mod mcp;
pub(crate) mod merge;
pub(crate) mod move_node;
pub(crate) mod mv;
pub(crate) mod o3de;
pub(crate) mod operate;
pub(crate) mod operation;
pub(crate) mod parse;
pub(crate) mod refactor;
pub(crate) mod rename_class;
pub(crate) mod rename_method;
pub(crate) mod rename_name;
pub(crate) mod rename_node;
pub(crate) mod rename_property;
pub(crate) mod rename_signal;
pub(crate) mod resolve;
pub(crate) mod rules;
pub(crate) mod stats;
pub(crate) mod textconv;
pub(crate) mod tree;
pub(crate) mod undo;
pub(crate) mod unused;
pub(crate) mod upgrade;
pub(crate) mod variant;

use std::collections::BTreeSet;
use std::fmt;
use std::io;
use std::process::ExitCode;

use crate::terminal::{complain, printable};

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Status {
    /// Nothing was found.
    Clean,
    /// Errors or warnings were found, or files that must be formatted.
    Findings,
    /// The command was used wrongly, or something could not be read or written.
    Failure,
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> Self {
        Self::from(status as u8)
    }
}

/// The status after writing. A reader that closes the pipe (`| head`) is not an error.
fn written(result: io::Result<()>, status: Status) -> Status {
    match result {
        Ok(()) => status,
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => status,
        Err(error) => {
            complain(format_args!("cannot write: {error}"));
            Status::Failure
        }
    }
}

/// The note that these folders were checked for errors only; the set must not be empty.
struct ThirdParty<'f>(&'f BTreeSet<String>);

/// At most this number of folders is named.
const MAX_FOLDERS: usize = 3;

impl fmt::Display for ThirdParty<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "only errors are reported in third-party code (")?;
        for (index, folder) in self.0.iter().take(MAX_FOLDERS).enumerate() {
            let comma = if index == 0 { "" } else { ", " };
            write!(f, "{comma}{}", printable(folder))?;
        }
        match self.0.len().saturating_sub(MAX_FOLDERS) {
            0 => {}
            more => write!(f, " and {more} more")?,
        }
        write!(f, "); change this with `third-party` in gdscene.toml")
    }
}
