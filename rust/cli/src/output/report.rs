//! Where findings go while a command works: standard output, in one format, as files are done.

use std::fmt::Display;
use std::io::{self, StdoutLock, Write};

use crate::output::{Renderer, Run};
use crate::walk::Problem;

/// Standard output for one run.
pub(crate) struct Report<'r> {
    out: StdoutLock<'r>,
    renderer: &'r dyn Renderer,
    is_empty: bool,
}

impl<'r> Report<'r> {
    /// Begins with what stands before all files.
    pub(crate) fn start(renderer: &'r dyn Renderer) -> io::Result<Self> {
        let mut report = Self { out: io::stdout().lock(), renderer, is_empty: true };
        let mut text = String::new();
        renderer.start(&mut text);
        report.out.write_all(text.as_bytes())?;
        Ok(report)
    }

    /// Writes what is to be said of the next file: what [`Renderer::file`] made of it, or a text.
    pub(crate) fn file(&mut self, rendered: &[u8]) -> io::Result<()> {
        if rendered.is_empty() {
            return Ok(());
        }
        if !self.is_empty {
            self.out.write_all(self.renderer.separator().as_bytes())?;
        }
        self.is_empty = false;
        self.out.write_all(rendered)
    }

    /// Ends with what stands after all files.
    pub(crate) fn end(mut self, summary: &dyn Display, problems: &[Problem]) -> io::Result<()> {
        let mut text = String::new();
        self.renderer.end(&mut text, &Run { summary, problems, is_empty: self.is_empty });
        self.out.write_all(text.as_bytes())?;
        self.out.flush()
    }
}
