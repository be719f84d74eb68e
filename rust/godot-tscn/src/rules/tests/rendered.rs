//! A diagnostic as text, with all its parts: for the snapshots of the tests of the rules, here and in the crate of
//! projects, which includes this file.

use std::fmt::Write;

use godot_tscn::{Diagnostic, FileEdits, LineIndex, Span};
use similar::{ChangeTag, TextDiff};

/// The diagnostic in `text`: where it starts and ends, its message, the text that it is about, and all that follows.
/// The fix is the lines that it removes and adds.
pub(crate) fn render(text: &[u8], diagnostic: &Diagnostic) -> String {
    let index = LineIndex::new(text);
    let range = |span: Span| {
        let (start, end) = (index.position(span.start), index.position(span.end));
        format!("{}:{}-{}:{}", start.line, start.column, end.line, end.column)
    };
    let quoted = |span: Span| shown(span.of(text));
    let Diagnostic { severity, message, span, labels, consequence, help, fix, .. } = diagnostic;
    let mut out = String::new();
    writeln!(out, "{} {}: {message}", range(*span), severity.as_str()).unwrap();
    if !span.is_empty() {
        writeln!(out, "    at: {}", quoted(*span)).unwrap();
    }
    for label in labels {
        let (range, quoted) = (range(label.span), quoted(label.span));
        writeln!(out, "    label {range}: {}: {quoted}", label.text).unwrap();
    }
    for (what, said) in [("so", consequence), ("help", help)] {
        if let Some(said) = said {
            writeln!(out, "    {what}: {said}").unwrap();
        }
    }
    if let Some(fix) = fix {
        writeln!(out, "    {} fix: {}", fix.applicability.as_str(), fix.title).unwrap();
        write_diff(&mut out, &FileEdits::new("", text, fix.edits().to_vec()));
        for file in fix.other_files() {
            writeln!(out, "      in {}:", file.path).unwrap();
            write_diff(&mut out, file);
        }
    }
    out
}

fn write_diff(out: &mut String, file: &FileEdits) {
    let (old, new) = (file.text().map_or(&[][..], |text| text), file.new_text());
    for change in TextDiff::from_lines(old, &new).iter_all_changes() {
        let sign = match change.tag() {
            ChangeTag::Equal => continue,
            ChangeTag::Delete => '-',
            ChangeTag::Insert => '+',
        };
        let end = if change.missing_newline() { " (no line feed)" } else { "" };
        let line = format!("      {sign} {}{end}", shown(change.value()));
        writeln!(out, "{}", line.trim_end()).unwrap();
    }
}

/// The text on one line, without a line feed at its end, shortened in its middle. The blanks at its end are visible.
fn shown(text: &[u8]) -> String {
    const MAX_LEN: usize = 100;
    let text = String::from_utf8_lossy(text);
    let line = text.strip_suffix('\n').unwrap_or(&text);
    let mut escaped = String::new();
    for c in line.chars() {
        match c {
            '"' | '\'' | '\\' => escaped.push(c),
            _ => escaped.extend(c.escape_debug()),
        }
    }
    let blanks = escaped.len() - escaped.trim_end_matches(' ').len();
    let escaped = escaped.trim_end_matches(' ').to_owned() + &"·".repeat(blanks);
    let chars: Vec<char> = escaped.chars().collect();
    if chars.len() <= MAX_LEN {
        return escaped;
    }
    let (start, end) = (&chars[..MAX_LEN / 2], &chars[chars.len() - MAX_LEN / 2..]);
    start.iter().chain(&[' ', '…', ' ']).chain(end).collect()
}
