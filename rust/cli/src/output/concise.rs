//! One line for each diagnostic: `path:line:column: severity[CODE name]: message`.

use std::fmt::Write;

use tscn::Diagnostic;

use crate::output::arranged::Entries;
use crate::output::terminal::printable;
use crate::output::{FileDiagnostics, Renderer, Run};

/// The format `concise`.
pub(crate) struct Concise;

impl Entries for Concise {
    fn entry(&self, out: &mut String, file: &FileDiagnostics<'_>, diagnostic: &Diagnostic) {
        let position = file.index().position(diagnostic.span.start);
        let Diagnostic { code, name, severity, message, .. } = diagnostic;
        let _ = writeln!(
            out,
            "{}:{}:{}: {}[{code} {name}]: {}",
            printable(file.path),
            position.line,
            position.column,
            severity.as_str(),
            printable(message),
        );
    }

    fn gap(&self) -> &'static str {
        ""
    }
}

impl Renderer for Concise {
    fn file(&self, out: &mut String, file: &FileDiagnostics<'_>) {
        for diagnostic in file.diagnostics {
            self.entry(out, file, diagnostic);
        }
    }

    fn end(&self, out: &mut String, run: &Run<'_>) {
        let _ = writeln!(out, "{}", run.summary);
    }
}
