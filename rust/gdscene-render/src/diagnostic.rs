//! A diagnostic as a JSON object.
//!
//! The types below are the format. All offsets count bytes from 0, ends are excluded; lines and columns count from 1,
//! columns in characters. A key may be added in a later version; those below stay. The keys of an object are written in
//! alphabetical order, so the fields of the types are in that order, too.

use godot_tscn::{Diagnostic, Edit, FileEdits, Fix, LineIndex, Span};
use serde::Serialize;

/// A diagnostic.
#[derive(Debug, Serialize)]
pub struct JsonDiagnostic<'d> {
    /// Why it is so, if many diagnostics may have this cause, such as a missing folder; or null.
    cause: Option<&'d str>,
    /// The code of the rule, such as `REF007`.
    code: &'d str,
    column: u32,
    /// The effect in Godot, or null.
    consequence: Option<&'d str>,
    end: u32,
    /// How to repair it, or null.
    fix: Option<JsonFix<'d>>,
    /// The remedy, or null.
    help: Option<&'d str>,
    /// Other places in the file that belong to it.
    labels: Vec<JsonLabel<'d>>,
    line: u32,
    message: &'d str,
    /// The name of the rule, such as `unused-ext-resource`.
    name: &'d str,
    /// The path of the file, as it was given on the command line or found below a folder given there; `<stdin>` for
    /// standard input.
    path: &'d str,
    /// `error`, `warning` or `info`.
    severity: &'d str,
    start: u32,
}

/// A place that belongs to a diagnostic, and their relation.
#[derive(Debug, Serialize)]
struct JsonLabel<'d> {
    column: u32,
    end: u32,
    line: u32,
    start: u32,
    text: &'d str,
}

/// The fix of a finding. All edits in all files belong together.
#[derive(Debug, Serialize)]
struct JsonFix<'d> {
    /// `safe`: Godot loads the same as before; `unsafe`: it may load something else; `display-only`: a person has to
    /// complete it.
    applicability: &'d str,
    /// The edits of the file with the diagnostic.
    edits: Vec<JsonEdit<'d>>,
    /// The other files that the fix changes. Omitted if there are none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    other_files: Vec<JsonFileEdits<'d>>,
    title: &'d str,
}

/// Text that replaces the bytes from `start` to `end`. The edits of a file do not overlap, and all offsets are those of the
/// file before the first edit.
#[derive(Debug, Serialize)]
struct JsonEdit<'d> {
    column: u32,
    end: u32,
    line: u32,
    replacement: &'d str,
    start: u32,
}

/// The changes of a fix in another file.
#[derive(Debug, Serialize)]
struct JsonFileEdits<'d> {
    edits: Vec<JsonEdit<'d>>,
    /// Whether the file does not exist yet: the edits insert its text.
    is_new: bool,
    path: String,
}

/// A span as the formats for programs give it.
#[derive(Clone, Copy, Debug)]
pub struct JsonSpan {
    /// The line of `start`.
    pub line: u32,
    /// The column of `start`.
    pub column: u32,
    /// The first byte.
    pub start: u32,
    /// The byte after the last one.
    pub end: u32,
}

impl<'d> JsonDiagnostic<'d> {
    /// A diagnostic of the file at `path`, with the lines of `index`. `path_of` gives the path of another file of the project,
    /// which a fix names as `res://…`.
    pub fn new(
        path: &'d str,
        index: &LineIndex<'_>,
        diagnostic: &'d Diagnostic,
        path_of: &dyn Fn(&str) -> String,
    ) -> Self {
        let JsonSpan { line, column, start, end } = JsonSpan::new(index, diagnostic.span);
        let label = |label: &'d godot_tscn::Label| {
            let JsonSpan { line, column, start, end } = JsonSpan::new(index, label.span);
            JsonLabel { column, end, line, start, text: &label.text }
        };
        Self {
            cause: diagnostic.cause.as_deref(),
            code: diagnostic.code,
            column,
            consequence: diagnostic.consequence.as_deref(),
            end,
            fix: diagnostic.fix.as_ref().map(|fix| JsonFix::new(index, fix, path_of)),
            help: diagnostic.help.as_deref(),
            labels: diagnostic.labels.iter().map(label).collect(),
            line,
            message: &diagnostic.message,
            name: diagnostic.name,
            path,
            severity: diagnostic.severity.as_str(),
            start,
        }
    }
}

impl<'d> JsonFix<'d> {
    fn new(index: &LineIndex<'_>, fix: &'d Fix, path_of: &dyn Fn(&str) -> String) -> Self {
        let other = |other: &'d FileEdits| {
            let text = other.text().map_or(&[][..], |text| text);
            JsonFileEdits {
                edits: edits(&LineIndex::new(text), other.edits()),
                is_new: other.text().is_none(),
                path: path_of(&other.path),
            }
        };
        Self {
            applicability: fix.applicability.as_str(),
            edits: edits(index, fix.edits()),
            other_files: fix.other_files().iter().map(other).collect(),
            title: &fix.title,
        }
    }
}

fn edits<'d>(index: &LineIndex<'_>, edits: &'d [Edit]) -> Vec<JsonEdit<'d>> {
    let edit = |edit: &'d Edit| {
        let JsonSpan { line, column, start, end } = JsonSpan::new(index, edit.span);
        JsonEdit { column, end, line, replacement: &edit.replacement, start }
    };
    edits.iter().map(edit).collect()
}

impl JsonSpan {
    /// The span `span` of the text with the lines of `index`.
    pub fn new(index: &LineIndex<'_>, span: Span) -> Self {
        let position = index.position(span.start);
        Self { line: position.line, column: position.column, start: span.start, end: span.end }
    }
}
