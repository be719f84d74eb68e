//! Unified diffs.

use std::borrow::Cow;
use std::ffi::OsStr;
use std::time::Duration;

use similar::TextDiff;

use crate::terminal::for_stdout;

/// How long to search for the shortest diff: where every line of a large file changes, the search would take the square
/// of their number.
const DIFF_TIME: Duration = Duration::from_secs(1);

/// A unified diff, as bytes, because the text may not be UTF-8. Control characters are escaped if it goes to a
/// terminal.
pub(crate) fn unified(name: &str, old: &[u8], new: &[u8]) -> Vec<u8> {
    if old == new {
        return Vec::new();
    }
    let name = quoted(name);
    let mut out = format!("--- {name}\n+++ {name}\n").into_bytes();
    hunks(&mut out, old, new);
    for_stdout(out)
}

/// The differences, without names.
pub(crate) fn hunks(out: &mut Vec<u8>, old: &[u8], new: &[u8]) {
    // Not `diff_lines`, for which a CR in a string ends a line too.
    let lines = |text| <[u8]>::split_inclusive(text, |byte| *byte == b'\n').collect();
    let (old, new): (Vec<_>, Vec<_>) = (lines(old), lines(new));
    let mut config = TextDiff::configure();
    let diff = config.timeout(DIFF_TIME).newline_terminated(true).diff_slices(&old, &new);
    // Not `UnifiedDiff::to_writer`, because it replaces bytes that are not UTF-8.
    for hunk in diff.unified_diff().iter_hunks() {
        // A `Vec` takes everything.
        let _ = hunk.to_writer(&mut *out);
    }
}

/// The name as git writes it in a patch: in quotes and with escapes if it holds control characters or quotes.
pub(crate) fn quoted(name: &str) -> Cow<'_, str> {
    if !name.contains(|character: char| character.is_control() || matches!(character, '"' | '\\')) {
        return Cow::Borrowed(name);
    }
    let mut quoted = String::from("\"");
    for character in name.chars() {
        match character {
            '"' | '\\' => quoted.extend(['\\', character]),
            character if character.is_control() => {
                let mut bytes = [0; 4];
                for byte in character.encode_utf8(&mut bytes).bytes() {
                    quoted += &format!("\\{byte:03o}");
                }
            }
            character => quoted.push(character),
        }
    }
    quoted.push('"');
    Cow::Owned(quoted)
}

/// [`quoted`] of a path behind `a/` or `b/`. In a path that is not UTF-8, everything except ASCII is escaped, as in
/// git.
pub(crate) fn quoted_path(side: &str, path: &OsStr) -> String {
    if let Some(path) = path.to_str() {
        return quoted(&format!("{side}/{path}")).into_owned();
    }
    let mut quoted = format!("\"{side}/");
    for &byte in path.as_encoded_bytes() {
        match byte {
            b'"' | b'\\' => quoted.extend(['\\', char::from(byte)]),
            b' '..=b'~' => quoted.push(char::from(byte)),
            _ => quoted += &format!("\\{byte:03o}"),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    #[cfg(unix)]
    #[test]
    fn paths_that_are_not_utf_8() {
        use std::ffi::OsStr;
        use std::os::unix::ffi::OsStrExt;

        let quoted = |path: &[u8]| super::quoted_path("a", OsStr::from_bytes(path));
        assert_eq!(quoted("é b".as_bytes()), "a/é b");
        assert_eq!(quoted(b"\xc3\xa9 \xff\"\n"), r#""a/\303\251 \377\"\012""#);
    }

    #[test]
    fn names() {
        assert_eq!(super::quoted("a b.tscn"), "a b.tscn");
        assert_eq!(super::quoted("a\n\"\u{9b}\\.tscn"), r#""a\012\"\302\233\\.tscn""#);
    }
}
