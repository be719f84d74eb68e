//! For reviewdog: its diagnostic format, in which columns count bytes.

use serde_json::{Value, json};
use tscn::{Diagnostic, Fix, Severity, Span};

use crate::output::place::{Region, full_message, relative};
use crate::output::{Found, Renderer, Run};

/// The format `rdjson`.
pub(crate) struct Rdjson;

/// The edits of a fix that are farther apart are not shown: a suggestion is one piece of text.
const SUGGESTION_LIMIT: usize = 4096;

impl Renderer for Rdjson {
    fn start(&self, out: &mut String) {
        out.push_str("{\"source\":{\"name\":\"gdscene\"},\"diagnostics\":[");
    }

    fn file(&self, out: &mut String, found: &Found<'_>) {
        let path = relative(found.path);
        for (number, diagnostic) in found.diagnostics.iter().enumerate() {
            out.push_str(if number == 0 { "\n" } else { ",\n" });
            out.push_str(&object(found, &path, diagnostic).to_string());
        }
    }

    fn separator(&self) -> &'static str {
        ","
    }

    fn end(&self, out: &mut String, run: &Run<'_>) {
        out.push_str(if run.is_empty { "]}\n" } else { "\n]}\n" });
    }
}

fn object(found: &Found<'_>, path: &str, diagnostic: &Diagnostic) -> Value {
    let place = |span| json!({ "path": path, "range": range(found, span) });
    let related = diagnostic.labels.iter();
    let related =
        related.map(|label| json!({ "message": label.text, "location": place(label.span) }));
    let mut object = json!({
        "message": full_message(diagnostic),
        "location": place(diagnostic.span),
        "severity": match diagnostic.severity {
            Severity::Error => "ERROR",
            Severity::Warning => "WARNING",
            Severity::Info => "INFO",
        },
        "code": { "value": format!("{} {}", diagnostic.code, diagnostic.name) },
        "related_locations": related.collect::<Vec<_>>(),
    });
    if let Some(suggestion) = diagnostic.fix.as_ref().and_then(|fix| suggestion(found, fix)) {
        object["suggestions"] = json!([suggestion]);
    }
    object
}

/// The fix as one replacement; several suggestions would be choices.
fn suggestion(found: &Found<'_>, fix: &Fix) -> Option<Value> {
    // A part of a fix repairs nothing.
    if !fix.other_files().is_empty() {
        return None;
    }
    let (first, last) = (fix.edits().first()?, fix.edits().last()?);
    let whole = Span::new(first.span.start, last.span.end);
    if whole.len() as usize > SUGGESTION_LIMIT {
        return None;
    }
    let mut text = String::new();
    let mut copied = whole.start;
    for edit in fix.edits() {
        text.push_str(str::from_utf8(Span::new(copied, edit.span.start).of(found.text)).ok()?);
        text.push_str(&edit.replacement);
        copied = edit.span.end;
    }
    Some(json!({ "range": range(found, whole), "text": text }))
}

fn range(found: &Found<'_>, span: Span) -> Value {
    let Region { start, end } = Region::in_bytes(found, span);
    json!({
        "start": { "line": start.line, "column": start.column },
        "end": { "line": end.line, "column": end.column },
    })
}
