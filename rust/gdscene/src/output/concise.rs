//! One line for each diagnostic: `path:line:column: severity[CODE name]: message`.

use std::fmt::Write;

use godot_tscn::Diagnostic;

use crate::output::arranged::Entries;
use crate::output::{FileDiagnostics, Renderer, Run};

/// The format `concise`.
pub(crate) struct Concise;

impl Entries for Concise {
    fn entry(&self, out: &mut String, file: &FileDiagnostics<'_>, diagnostic: &Diagnostic) {
        gdscene_render::concise(out, file.path, file.index(), diagnostic);
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
