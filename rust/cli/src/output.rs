//! One file per output format.

pub(crate) mod concise;
pub(crate) mod diff;
pub(crate) mod excerpt;
pub(crate) mod human;
pub(crate) mod json;
pub(crate) mod progress;

use tscn::Diagnostic;

use crate::args::OutputFormat;

/// A file and what was found in it.
pub(crate) struct Found<'a> {
    pub(crate) path: &'a str,
    pub(crate) text: &'a [u8],
    pub(crate) diagnostics: &'a [Diagnostic],
}

/// Writes what was found in one file. In the format `json` the files are parts of one list, which the
/// caller puts together.
pub(crate) fn render(out: &mut String, found: &Found<'_>, format: OutputFormat, color: bool) {
    match format {
        OutputFormat::Full => human::render(out, found.path, found.text, found.diagnostics, color),
        OutputFormat::Concise => concise::render(out, found),
        OutputFormat::Json => json::render(out, found, ",\n"),
        OutputFormat::Jsonl => json::render(out, found, "\n"),
    }
}
