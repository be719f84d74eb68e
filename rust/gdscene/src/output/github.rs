//! For GitHub Actions: workflow commands, which become annotations of lines.

use std::fmt::Write;

use godot_tscn::{Diagnostic, Severity};

use crate::output::place::{Region, full_message, relative};
use crate::output::{FileDiagnostics, Renderer, Run};

/// The format `github`.
pub(crate) struct Github;

impl Renderer for Github {
    fn file(&self, out: &mut String, file: &FileDiagnostics<'_>) {
        let path = property(&relative(file.path));
        for diagnostic in file.diagnostics {
            let Diagnostic { code, name, severity, span, .. } = diagnostic;
            let command = match severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
                Severity::Info => "notice",
            };
            let Region { start, end } = Region::new(file, *span);
            let _ = write!(out, "::{command} file={path},line={},endLine={}", start.line, end.line);
            // Columns count only where both ends are on one line.
            if start.line == end.line {
                let _ = write!(out, ",col={},endColumn={}", start.column, end.column);
            }
            let _ = writeln!(out, ",title={code} {name}::{}", data(&full_message(diagnostic)));
        }
    }

    fn end(&self, out: &mut String, run: &Run<'_>) {
        for problem in run.problems {
            let path = property(&relative(&problem.path.to_string_lossy()));
            let _ = writeln!(out, "::error file={path}::{}", data(&problem.reason));
        }
        let _ = writeln!(out, "{}", run.summary);
    }
}

/// Escaped as `ActionCommand` of GitHub's runner undoes it.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// A value before the message, where two more characters have a meaning.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes() {
        assert_eq!(data("50%\r\na:b,c"), "50%25%0D%0Aa:b,c");
        assert_eq!(property("50%\r\na:b,c"), "50%25%0D%0Aa%3Ab%2Cc");
        assert_eq!(data("%0A"), "%250A");
    }
}
