//! Writes diagnostics in one format to standard output or a file, while a command works.

use std::fmt::Display;
use std::io::{self, StdoutLock, Write};
use std::path::Path;

use crate::files::create_or_replace;
use crate::inputs::Problem;
use crate::output::{Renderer, Run};

/// The output of one run.
pub(crate) struct Report<'r> {
    destination: Destination<'r>,
    renderer: &'r dyn Renderer,
    is_empty: bool,
}

/// Where the output goes.
enum Destination<'r> {
    Stdout(StdoutLock<'r>),
    /// To this file, as a whole at the end.
    File(&'r Path, Vec<u8>),
}

impl<'r> Report<'r> {
    /// Starts the report, on standard output if `file` is `None`.
    pub(crate) fn start(renderer: &'r dyn Renderer, file: Option<&'r Path>) -> io::Result<Self> {
        let destination = match file {
            Some(file) => Destination::File(file, Vec::new()),
            None => Destination::Stdout(io::stdout().lock()),
        };
        let mut report = Self { destination, renderer, is_empty: true };
        let mut text = String::new();
        renderer.start(&mut text);
        report.write(text.as_bytes())?;
        Ok(report)
    }

    /// Writes the output for the next file: the result of [`Renderer::file`], or another text.
    pub(crate) fn file(&mut self, rendered: &[u8]) -> io::Result<()> {
        if rendered.is_empty() {
            return Ok(());
        }
        if !self.is_empty {
            self.write(self.renderer.separator().as_bytes())?;
        }
        self.is_empty = false;
        self.write(rendered)
    }

    /// Ends the report. If it goes to a file, standard output gets the summary.
    pub(crate) fn end(mut self, summary: &dyn Display, problems: &[Problem]) -> io::Result<()> {
        let mut text = String::new();
        self.renderer.end(&mut text, &Run { summary, problems, is_empty: self.is_empty });
        self.write(text.as_bytes())?;
        match self.destination {
            Destination::Stdout(mut out) => out.flush(),
            Destination::File(path, bytes) => {
                create_or_replace(path, &bytes)
                    .map_err(|error| io::Error::other(format!("{}: {error}", path.display())))?;
                writeln!(io::stdout(), "{summary}")
            }
        }
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        match &mut self.destination {
            Destination::Stdout(out) => out.write_all(bytes),
            Destination::File(_, all) => {
                all.extend_from_slice(bytes);
                Ok(())
            }
        }
    }
}
