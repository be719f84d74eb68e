//! One line for each diagnostic.

use std::fmt::Write;

use godot_tscn::{Diagnostic, LineIndex};
use godot_variant::printable;

/// Adds a diagnostic of the file at `path`: `path:line:column: severity[CODE name]: message`.
pub fn concise(out: &mut String, path: &str, index: &LineIndex<'_>, diagnostic: &Diagnostic) {
    let position = index.position(diagnostic.span.start);
    let Diagnostic { code, name, severity, message, .. } = diagnostic;
    let _ = writeln!(
        out,
        "{}:{}:{}: {}[{code} {name}]: {}",
        printable(path),
        position.line,
        position.column,
        severity.as_str(),
        printable(message),
    );
}
