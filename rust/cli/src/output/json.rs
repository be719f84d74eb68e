//! For programs: one object for each finding.

use serde_json::{Value, json};
use tscn::{Diagnostic, Edit, FileEdits, Fix, LineIndex, Span};

use crate::output::{Found, Renderer, Run};

/// The format `json`: one list of all findings.
pub(crate) struct Json;

/// The format `jsonl`: one finding on each line.
pub(crate) struct Jsonl;

impl Renderer for Json {
    fn start(&self, out: &mut String) {
        out.push('[');
    }

    fn file(&self, out: &mut String, found: &Found<'_>) {
        for (number, diagnostic) in found.diagnostics.iter().enumerate() {
            out.push_str(if number == 0 { "\n" } else { ",\n" });
            out.push_str(&object(found, diagnostic).to_string());
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
    fn file(&self, out: &mut String, found: &Found<'_>) {
        for diagnostic in found.diagnostics {
            out.push_str(&object(found, diagnostic).to_string());
            out.push('\n');
        }
    }
}

fn object(found: &Found<'_>, diagnostic: &Diagnostic) -> Value {
    let index = found.index();
    let labels = diagnostic.labels.iter().map(|label| {
        let mut object = place(index, label.span);
        object["text"] = json!(label.text);
        object
    });
    let mut object = place(index, diagnostic.span);
    object["path"] = json!(found.path);
    object["code"] = json!(diagnostic.code);
    object["name"] = json!(diagnostic.name);
    object["severity"] = json!(diagnostic.severity.as_str());
    object["message"] = json!(diagnostic.message);
    object["labels"] = labels.collect();
    object["consequence"] = json!(diagnostic.consequence);
    object["help"] = json!(diagnostic.help);
    object["fix"] = diagnostic.fix.as_ref().map_or(Value::Null, |fix| fix_object(found, fix));
    object
}

fn fix_object(found: &Found<'_>, fix: &Fix) -> Value {
    let mut object = json!({
        "title": fix.title,
        "applicability": fix.applicability.as_str(),
        "edits": edits(found.index(), fix.edits()),
    });
    // Who applies the fix has to change these files too.
    if !fix.other_files().is_empty() {
        let other = |file: &FileEdits| {
            let text = file.text().map_or(&[][..], |text| text);
            json!({
                "path": found.path_of(&file.path),
                "is_new": file.text().is_none(),
                "edits": edits(&LineIndex::new(text), file.edits()),
            })
        };
        object["other_files"] = fix.other_files().iter().map(other).collect();
    }
    object
}

fn edits(index: &LineIndex<'_>, edits: &[Edit]) -> Value {
    let edit = |edit: &Edit| {
        let mut object = place(index, edit.span);
        object["replacement"] = json!(edit.replacement);
        object
    };
    edits.iter().map(edit).collect()
}

/// Lines and columns count from 1, columns in characters; `start` and `end` are offsets in bytes.
pub(crate) fn place(index: &LineIndex<'_>, span: Span) -> Value {
    let position = index.position(span.start);
    json!({
        "line": position.line,
        "column": position.column,
        "start": span.start,
        "end": span.end,
    })
}
