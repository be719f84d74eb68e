//! Unified diffs.

use std::borrow::Cow;
use std::time::Duration;

use similar::TextDiff;

use crate::output::terminal::for_stdout;

/// How long to search for the shortest diff: where every line of a large file changes, the search would take the square
/// of their number.
const DIFF_TIME: Duration = Duration::from_secs(1);

/// A unified diff, as bytes, since the text may not be UTF-8. Control characters are escaped if it goes to a terminal.
pub(crate) fn unified(name: &str, old: &[u8], new: &[u8]) -> Vec<u8> {
    if old == new {
        return Vec::new();
    }
    let name = quoted(name);
    let mut out = format!("--- {name}\n+++ {name}\n").into_bytes();
    hunks(&mut out, old, new);
    for_stdout(out)
}

/// What differs, without names.
pub(crate) fn hunks(out: &mut Vec<u8>, old: &[u8], new: &[u8]) {
    // Not `diff_lines`, for which a CR in a string ends a line too.
    let lines = |text| <[u8]>::split_inclusive(text, |byte| *byte == b'\n').collect();
    let (old, new): (Vec<_>, Vec<_>) = (lines(old), lines(new));
    let mut config = TextDiff::configure();
    let diff = config.timeout(DIFF_TIME).newline_terminated(true).diff_slices(&old, &new);
    // Not `UnifiedDiff::to_writer`, which replaces what is not UTF-8.
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

#[cfg(test)]
mod tests {
    #[test]
    fn names() {
        assert_eq!(super::quoted("a b.tscn"), "a b.tscn");
        assert_eq!(super::quoted("a\n\"\u{9b}\\.tscn"), r#""a\012\"\302\233\\.tscn""#);
    }
}
