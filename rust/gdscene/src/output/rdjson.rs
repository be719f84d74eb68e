//! For reviewdog: its diagnostic format, in which columns count bytes
//! (<https://github.com/reviewdog/reviewdog/tree/master/proto/rdf>).

use godot_tscn::{Diagnostic, Fix, Severity, Span};
use serde::Serialize;

use crate::output::place::{Region, full_message, relative};
use crate::output::{FileDiagnostics, Renderer, Run, to_json};

/// The format `rdjson`: an object with the name of this program and a list of [`RdDiagnostic`]s.
pub(crate) struct Rdjson;

/// A diagnostic.
#[derive(Debug, Serialize)]
struct RdDiagnostic<'d> {
    code: Code,
    location: Location<'d>,
    message: String,
    related_locations: Vec<RelatedLocation<'d>>,
    /// `ERROR`, `WARNING` or `INFO`.
    severity: &'static str,
    /// The fix. Several suggestions would be choices.
    #[serde(skip_serializing_if = "Option::is_none")]
    suggestions: Option<[Suggestion; 1]>,
}

#[derive(Debug, Serialize)]
struct Code {
    value: String,
}

#[derive(Debug, Serialize)]
struct Location<'d> {
    path: &'d str,
    range: Range,
}

#[derive(Debug, Serialize)]
struct RelatedLocation<'d> {
    location: Location<'d>,
    message: &'d str,
}

/// Text to put in the place of a range.
#[derive(Debug, Serialize)]
struct Suggestion {
    range: Range,
    text: String,
}

/// The end is excluded.
#[derive(Debug, Serialize)]
struct Range {
    end: Position,
    start: Position,
}

/// A line, and a column in bytes, both from 1.
#[derive(Debug, Serialize)]
struct Position {
    column: u32,
    line: u32,
}

/// The most bytes from the first edit of a fix to its last. A suggestion is one piece of text, so it repeats all that is
/// between them.
const SUGGESTION_LIMIT: usize = 4096;

impl Renderer for Rdjson {
    fn start(&self, out: &mut String) {
        out.push_str("{\"source\":{\"name\":\"gdscene\"},\"diagnostics\":[");
    }

    fn file(&self, out: &mut String, file: &FileDiagnostics<'_>) {
        let path = relative(file.path);
        for (number, diagnostic) in file.diagnostics.iter().enumerate() {
            out.push_str(if number == 0 { "\n" } else { ",\n" });
            out.push_str(&to_json(&RdDiagnostic::new(file, &path, diagnostic)));
        }
    }

    fn separator(&self) -> &'static str {
        ","
    }

    fn end(&self, out: &mut String, run: &Run<'_>) {
        out.push_str(if run.is_empty { "]}\n" } else { "\n]}\n" });
    }
}

impl<'d> RdDiagnostic<'d> {
    fn new(file: &FileDiagnostics<'_>, path: &'d str, diagnostic: &'d Diagnostic) -> Self {
        let location = |span| Location { path, range: Range::new(file, span) };
        let related = |label: &'d godot_tscn::Label| RelatedLocation {
            location: location(label.span),
            message: &label.text,
        };
        Self {
            code: Code { value: format!("{} {}", diagnostic.code, diagnostic.name) },
            location: location(diagnostic.span),
            message: full_message(diagnostic),
            related_locations: diagnostic.labels.iter().map(related).collect(),
            severity: match diagnostic.severity {
                Severity::Error => "ERROR",
                Severity::Warning => "WARNING",
                Severity::Info => "INFO",
            },
            suggestions: diagnostic.fix.as_ref().and_then(|fix| suggestion(file, fix)).map(|s| [s]),
        }
    }
}

/// The fix as one replacement.
fn suggestion(file: &FileDiagnostics<'_>, fix: &Fix) -> Option<Suggestion> {
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
        text.push_str(str::from_utf8(Span::new(copied, edit.span.start).of(file.text)).ok()?);
        text.push_str(&edit.replacement);
        copied = edit.span.end;
    }
    Some(Suggestion { range: Range::new(file, whole), text })
}

impl Range {
    fn new(file: &FileDiagnostics<'_>, span: Span) -> Self {
        let position = |position: godot_tscn::Position| Position {
            column: position.byte_column,
            line: position.line,
        };
        let Region { start, end } = Region::new(file, span);
        Self { end: position(end), start: position(start) }
    }
}
