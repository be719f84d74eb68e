//! `gdscene parse`

use std::io::{self, Write};
use std::path::PathBuf;

use serde::Serialize;
use tscn::{Document, LineIndex, LintOptions, Section, Span};

use crate::args::EXIT_STATUS;
use crate::commands::{Status, written};
use crate::files::read;
use crate::inputs::Input;
use crate::output::json::JsonSpan;
use crate::output::{to_json, to_json_pretty};

/// Print a file as data, for scripts.
///
/// The output is JSON: the sections with their fields and properties, each with its place. Values are
/// texts, as they are in the file. Files with errors are read as far as possible.
///
/// Example:
///   gdscene parse --json a.tscn | jq '.sections[] | select(.tag == "node")'
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment, after_help = EXIT_STATUS)]
pub(crate) struct ParseArgs {
    /// A file; `-` reads from standard input.
    #[arg(value_name = "PATH")]
    path: PathBuf,

    /// Print on one line, for programs; without it, the output is indented.
    #[arg(long)]
    json: bool,
}

/// What `gdscene parse` prints. All offsets count bytes from 0, ends are excluded; lines and columns count from 1, columns in
/// characters. The keys of an object are in alphabetical order.
#[derive(Debug, Serialize)]
struct JsonDocument<'d> {
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

/// A tag, whose place this is, with the properties below it.
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

pub(crate) fn run(args: &ParseArgs) -> Status {
    let input =
        if args.path.as_os_str() == "-" { Input::Stdin } else { Input::File(args.path.clone()) };
    let text = match read(&input) {
        Ok(text) => text,
        Err(problem) => {
            problem.report();
            return Status::Failure;
        }
    };
    let document = tscn::parse(&text);
    let name = input.name();
    let status = if has_errors(&document, &name) { Status::Findings } else { Status::Clean };
    let mut out = io::stdout().lock();
    let tree = JsonDocument::new(&document, &name);
    let json = if args.json { to_json(&tree) } else { to_json_pretty(&tree) };
    written(writeln!(out, "{json}"), status)
}

fn has_errors(document: &Document<'_>, name: &str) -> bool {
    let report = tscn::lint_unsuppressed(document, &LintOptions::for_path(name), |_| true);
    report.count(tscn::Severity::Error) > 0
}

impl<'d> JsonDocument<'d> {
    fn new(document: &'d Document<'_>, name: &'d str) -> Self {
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
