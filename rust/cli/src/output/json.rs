//! For programs: one object for each finding.

use serde_json::{Value, json};
use tscn::{Diagnostic, Edit, Fix, LineIndex, Span};

use crate::output::Found;

/// Writes the findings in a file, each with `end` behind it.
pub(crate) fn render(out: &mut String, found: &Found<'_>, end: &str) {
    if found.diagnostics.is_empty() {
        return;
    }
    let index = LineIndex::new(found.text);
    for diagnostic in found.diagnostics {
        out.push_str(&object(found.path, &index, diagnostic).to_string());
        out.push_str(end);
    }
}

fn object(path: &str, index: &LineIndex<'_>, diagnostic: &Diagnostic) -> Value {
    let labels = diagnostic.labels.iter().map(|label| {
        let mut object = place(index, label.span);
        object["text"] = json!(label.text);
        object
    });
    let mut object = place(index, diagnostic.span);
    object["path"] = json!(path);
    object["code"] = json!(diagnostic.code);
    object["name"] = json!(diagnostic.name);
    object["severity"] = json!(diagnostic.severity.as_str());
    object["message"] = json!(diagnostic.message);
    object["labels"] = labels.collect();
    object["consequence"] = json!(diagnostic.consequence);
    object["help"] = json!(diagnostic.help);
    object["fix"] = diagnostic.fix.as_ref().map_or(Value::Null, |fix| fix_object(index, fix));
    object
}

fn fix_object(index: &LineIndex<'_>, fix: &Fix) -> Value {
    let edit = |edit: &Edit| {
        let mut object = place(index, edit.span);
        object["replacement"] = json!(edit.replacement);
        object
    };
    json!({
        "title": fix.title,
        "applicability": fix.applicability.as_str(),
        "edits": fix.edits().iter().map(edit).collect::<Vec<_>>(),
    })
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
