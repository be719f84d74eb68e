//! For programs: one JSON object for each diagnostic; its type documents the format.

use crate::output::{FileDiagnostics, Renderer, Run, to_json};

/// The format `json`: one list of [`gdscene_render::JsonDiagnostic`]s.
pub(crate) struct Json;

/// The format `jsonl`: one [`gdscene_render::JsonDiagnostic`] on each line.
pub(crate) struct Jsonl;

impl Renderer for Json {
    fn start(&self, out: &mut String) {
        out.push('[');
    }

    fn file(&self, out: &mut String, file: &FileDiagnostics<'_>) {
        for (number, diagnostic) in file.diagnostics.iter().enumerate() {
            out.push_str(if number == 0 { "\n" } else { ",\n" });
            out.push_str(&to_json(&file.json(diagnostic)));
        }
    }

    fn separator(&self) -> &'static str {
        ","
    }

    fn end(&self, out: &mut String, run: &Run<'_>) {
        out.push_str(if run.is_empty { "]\n" } else { "\n]\n" });
    }
}

impl Renderer for Jsonl {
    fn file(&self, out: &mut String, file: &FileDiagnostics<'_>) {
        for diagnostic in file.diagnostics {
            out.push_str(&to_json(&file.json(diagnostic)));
            out.push('\n');
        }
    }
}
