//! Unified diffs.

use std::borrow::Cow;
use std::io::Write;
use std::time::Duration;

use similar::TextDiff;

use crate::output::terminal::for_stdout;

/// How long to search for the shortest diff: where every line of a large file changes, the search would take the square
/// of their number.
const DIFF_TIME: Duration = Duration::from_secs(1);

/// A unified diff, as bytes, since the text may not be UTF-8. Control characters are escaped if it goes to a terminal.
pub(crate) fn unified(name: &str, old: &[u8], new: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    if old == new {
        return out;
    }
    // Not `diff_lines`, for which a CR in a string ends a line too.
    let lines = |text| <[u8]>::split_inclusive(text, |byte| *byte == b'\n').collect();
    let (old, new): (Vec<_>, Vec<_>) = (lines(old), lines(new));
    let mut config = TextDiff::configure();
    let diff = config.timeout(DIFF_TIME).newline_terminated(true).diff_slices(&old, &new);
    // A `Vec` takes everything.
    let name = quoted(name);
    let _ = writeln!(out, "--- {name}\n+++ {name}");
    // Not `UnifiedDiff::to_writer`, which replaces what is not UTF-8.
    for hunk in diff.unified_diff().iter_hunks() {
        let _ = hunk.to_writer(&mut out);
    }
    for_stdout(out)
}

/// The name as git writes it in a patch: in quotes and with escapes if it holds control characters or quotes.
fn quoted(name: &str) -> Cow<'_, str> {
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

#[cfg(test)]
mod tests {
    #[test]
    fn names() {
        assert_eq!(super::quoted("a b.tscn"), "a b.tscn");
        assert_eq!(super::quoted("a\n\"\u{9b}\\.tscn"), r#""a\012\"\302\233\\.tscn""#);
    }
}
