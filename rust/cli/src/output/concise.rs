//! One line for each finding: `path:line:column: severity[CODE name]: message`.

use std::fmt::Write;

use tscn::{Diagnostic, LineIndex};

use crate::output::Found;

/// Writes the findings in a file.
pub(crate) fn render(out: &mut String, found: &Found<'_>) {
    if found.diagnostics.is_empty() {
        return;
    }
    let index = LineIndex::new(found.text);
    for diagnostic in found.diagnostics {
        let position = index.position(diagnostic.span.start);
        let Diagnostic { code, name, severity, message, .. } = diagnostic;
        let _ = writeln!(
            out,
            "{}:{}:{}: {}[{code} {name}]: {message}",
            found.path,
            position.line,
            position.column,
            severity.as_str(),
        );
    }
}
