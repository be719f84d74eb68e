//! `gdscene parse`

use std::io::{self, Write};

use serde_json::{Value, json};
use tscn::{Document, LineIndex, LintOptions, Section};

use crate::args::ParseArgs;
use crate::commands::{Status, written};
use crate::files::read;
use crate::output::json::place;
use crate::walk::Target;

pub(crate) fn run(args: &ParseArgs) -> Status {
    let target =
        if args.path.as_os_str() == "-" { Target::Stdin } else { Target::File(args.path.clone()) };
    let text = match read(&target) {
        Ok(text) => text,
        Err(problem) => {
            problem.report();
            return Status::Failure;
        }
    };
    let document = tscn::parse(&text);
    let name = target.name();
    let status = if has_errors(&document, &name) { Status::Findings } else { Status::Clean };
    let mut out = io::stdout().lock();
    let tree = tree(&document, &name);
    let result = if args.json { writeln!(out, "{tree}") } else { writeln!(out, "{tree:#}") };
    written(result, status)
}

fn has_errors(document: &Document<'_>, name: &str) -> bool {
    let report = tscn::lint_document(document, &LintOptions::for_path(name), |_| true);
    report.count(tscn::Severity::Error) > 0
}

/// The whole file as data.
fn tree(document: &Document<'_>, name: &str) -> Value {
    let index = LineIndex::new(document.text());
    let sections: Vec<Value> =
        document.sections().map(|section| section_object(&index, section)).collect();
    let comments: Vec<Value> = document
        .comments()
        .iter()
        .map(|span| {
            let mut object = place(&index, *span);
            object["text"] = lossy(span.of(document.text()));
            object
        })
        .collect();
    json!({
        "path": name,
        "sections": sections,
        "comments": comments,
        "syntax_errors": document.errors().len(),
    })
}

fn section_object(index: &LineIndex<'_>, section: Section<'_>) -> Value {
    let fields = section.fields().map(|field| {
        let mut object = place(index, field.span());
        object["name"] = lossy(field.name());
        object["value"] = lossy(field.source());
        object
    });
    let properties = section.properties().map(|property| {
        let mut object = place(index, property.key_span().join(property.value_span()));
        object["key"] = lossy(&property.key());
        object["value"] = lossy(property.source());
        object
    });
    let mut object = place(index, section.tag_span());
    object["tag"] = lossy(section.name());
    object["fields"] = fields.collect();
    object["properties"] = properties.collect();
    object
}

fn lossy(bytes: &[u8]) -> Value {
    Value::String(String::from_utf8_lossy(bytes).into_owned())
}
