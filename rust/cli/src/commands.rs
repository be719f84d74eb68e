//! One file per subcommand.

pub(crate) mod check;
pub(crate) mod explain;

use std::io;
use std::process::ExitCode;

/// How a command ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Status {
    /// Nothing was found.
    Clean,
    /// Errors or warnings were found.
    Findings,
    /// The command was used wrongly, or something could not be read or written.
    Failure,
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> Self {
        Self::from(status as u8)
    }
}

/// The status after writing: whoever closes the pipe (`| head`) has seen enough.
fn written(result: io::Result<()>, status: Status) -> Status {
    match result {
        Ok(()) => status,
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => status,
        Err(error) => {
            eprintln!("gdscene: cannot write: {error}");
            Status::Failure
        }
    }
}
