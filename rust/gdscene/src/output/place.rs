//! Places in the forms that other programs expect: paths below the current folder, lines and columns, URIs.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use godot_tscn::{Diagnostic, Position, Span};
use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};

use crate::output::FileDiagnostics;

/// A span in lines and columns, its end excluded.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Region {
    pub(crate) start: Position,
    pub(crate) end: Position,
}

impl Region {
    pub(crate) fn new(file: &FileDiagnostics<'_>, span: Span) -> Self {
        let index = file.index();
        Self { start: index.position(span.start), end: index.position(span.end) }
    }
}

/// The path from the current folder, with `/` between its parts, for services that show diagnostics next to the files of a
/// repository. A path that leads out of the current folder does not change.
pub(crate) fn relative(path: &str) -> String {
    static CURRENT: OnceLock<Option<PathBuf>> = OnceLock::new();
    let current = CURRENT.get_or_init(|| std::env::current_dir().ok());
    let inside = current.as_ref().and_then(|current| Path::new(path).strip_prefix(current).ok());
    let path = inside.map_or(path.into(), Path::to_string_lossy);
    let path = if cfg!(windows) { path.replace('\\', "/") } else { path.into_owned() };
    path.strip_prefix("./").map_or(path.clone(), str::to_owned)
}

/// The characters that a path segment of a URI must not hold (RFC 3986), and `:`, which would end a scheme.
const ESCAPED: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'#')
    .add(b'%')
    .add(b':')
    .add(b'<')
    .add(b'>')
    .add(b'?')
    .add(b'[')
    .add(b'\\')
    .add(b']')
    .add(b'^')
    .add(b'`')
    .add(b'{')
    .add(b'|')
    .add(b'}');

/// The path as a URI reference: relative below the current folder, else with the scheme `file`.
pub(crate) fn uri(path: &str) -> String {
    let path = relative(path);
    let (scheme, path) = match path.strip_prefix('/') {
        Some(rest) => ("file:///", rest),
        None if Path::new(&path).is_absolute() => ("file:///", path.as_str()),
        None => ("", path.as_str()),
    };
    format!("{scheme}{}", utf8_percent_encode(path, ESCAPED))
}

/// The message, the consequence, the cause and the help, each on its own line.
pub(crate) fn full_message(diagnostic: &Diagnostic) -> String {
    let mut message = diagnostic.message.clone();
    for more in [&diagnostic.consequence, &diagnostic.cause, &diagnostic.help].into_iter().flatten()
    {
        message.push('\n');
        message.push_str(more);
    }
    message
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_and_uris() {
        let inside = std::env::current_dir().unwrap().join("sub").join("a b#1.tscn");
        assert_eq!(relative(inside.to_str().unwrap()), "sub/a b#1.tscn");
        assert_eq!(uri(inside.to_str().unwrap()), "sub/a%20b%231.tscn");
        assert_eq!(relative("./a.tscn"), "a.tscn");
        assert_eq!(uri("a:b.tscn"), "a%3Ab.tscn");
        assert_eq!(uri("線.tscn"), "%E7%B7%9A.tscn");
        assert_eq!(uri("<stdin>"), "%3Cstdin%3E");
        #[cfg(unix)]
        assert_eq!(uri("/no/such/100%.tscn"), "file:///no/such/100%25.tscn");
    }
}
