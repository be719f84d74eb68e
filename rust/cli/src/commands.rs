//! One file per subcommand.

pub(crate) mod check;
pub(crate) mod deps;
pub(crate) mod explain;
pub(crate) mod fix;
pub(crate) mod format;
pub(crate) mod generate;
pub(crate) mod o3de;
pub(crate) mod parse;
pub(crate) mod rules;
pub(crate) mod stats;
pub(crate) mod variant;

use std::fmt;
use std::io;
use std::process::ExitCode;

use crate::output::terminal::complain;

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Status {
    /// Nothing was found.
    Clean,
    /// Errors or warnings were found, or files that are to be formatted.
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

/// `1 file`, `2 files`.
struct Counted(usize, &'static str);

impl fmt::Display for Counted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(count, noun) = self;
        let plural = if noun.ends_with('x') { "es" } else { "s" };
        write!(f, "{count} {noun}{}", if *count == 1 { "" } else { plural })
    }
}
