//! For people: a line that editors and terminals can jump to, the source with carets, and the notes.

use std::fmt::Write;

use gdscene_render::Full;
use godot_tscn::Diagnostic;

use crate::output::arranged::Entries;
use crate::output::{FileDiagnostics, Renderer, Run};

/// The format `full`.
pub(crate) struct Human(Full);

impl Human {
    pub(crate) fn new(color: bool) -> Self {
        Self(Full::new(color))
    }
}

impl Entries for Human {
    fn entry(&self, out: &mut String, file: &FileDiagnostics<'_>, diagnostic: &Diagnostic) {
        self.0.entry(out, file.path, file.text, file.index(), diagnostic);
    }

    fn gap(&self) -> &'static str {
        "\n"
    }
}

impl Renderer for Human {
    fn file(&self, out: &mut String, file: &FileDiagnostics<'_>) {
        for diagnostic in file.diagnostics {
            self.entry(out, file, diagnostic);
            out.push_str(self.gap());
        }
    }

    fn end(&self, out: &mut String, run: &Run<'_>) {
        let _ = writeln!(out, "{}", run.summary);
    }
}
