//! The contents of a file, as a JSON object.

use godot_tscn::{Document, LineIndex, Section, Span};
use serde::Serialize;

use crate::diagnostic::JsonSpan;

/// The output of `gdscene parse`. All offsets count bytes from 0, ends are excluded; lines and columns count from 1, columns
/// in characters. The keys of an object are in alphabetical order.
#[derive(Debug, Serialize)]
pub struct JsonDocument<'d> {
    comments: Vec<JsonComment>,
    /// As it was given; `<stdin>` for standard input.
    path: &'d str,
    sections: Vec<JsonSection>,
    /// How many there are. `gdscene check` lists them.
    syntax_errors: usize,
}

/// A comment with its `;`.
#[derive(Debug, Serialize)]
struct JsonComment {
    column: u32,
    end: u32,
    line: u32,
    start: u32,
    text: String,
}

/// A tag at this place, with the properties below it.
#[derive(Debug, Serialize)]
struct JsonSection {
    column: u32,
    end: u32,
    fields: Vec<JsonField>,
    line: u32,
    properties: Vec<JsonProperty>,
    start: u32,
    /// Such as `node`.
    tag: String,
}

/// `name=value` inside a tag.
#[derive(Debug, Serialize)]
struct JsonField {
    column: u32,
    end: u32,
    line: u32,
    name: String,
    start: u32,
    /// The value as it is written.
    value: String,
}

/// `key = value` below a tag.
#[derive(Debug, Serialize)]
struct JsonProperty {
    column: u32,
    end: u32,
    key: String,
    line: u32,
    start: u32,
    /// The value as it is written.
    value: String,
}

impl<'d> JsonDocument<'d> {
    /// The file at `name` with this document.
    pub fn new(document: &'d Document<'_>, name: &'d str) -> Self {
        let index = LineIndex::new(document.text());
        let comment = |span: &Span| {
            let JsonSpan { line, column, start, end } = JsonSpan::new(&index, *span);
            JsonComment { column, end, line, start, text: lossy(span.of(document.text())) }
        };
        Self {
            comments: document.comments().iter().map(comment).collect(),
            path: name,
            sections: document
                .sections()
                .map(|section| JsonSection::new(&index, section))
                .collect(),
            syntax_errors: document.errors().len(),
        }
    }
}

impl JsonSection {
    fn new(index: &LineIndex<'_>, section: Section<'_>) -> Self {
        let fields = section.fields().map(|field| {
            let JsonSpan { line, column, start, end } = JsonSpan::new(index, field.span());
            let (name, value) = (lossy(field.name()), lossy(field.source()));
            JsonField { column, end, line, name, start, value }
        });
        let properties = section.properties().map(|property| {
            let span = property.key_span().join(property.value_span());
            let JsonSpan { line, column, start, end } = JsonSpan::new(index, span);
            let (key, value) = (lossy(&property.key()), lossy(property.source()));
            JsonProperty { column, end, key, line, start, value }
        });
        let JsonSpan { line, column, start, end } = JsonSpan::new(index, section.tag_span());
        Self {
            column,
            end,
            fields: fields.collect(),
            line,
            properties: properties.collect(),
            start,
            tag: lossy(section.name()),
        }
    }
}

/// The text, with U+FFFD in the place of bytes that are not UTF-8.
fn lossy(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
