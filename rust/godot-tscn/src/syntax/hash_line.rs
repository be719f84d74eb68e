//! Lines that begin with `#` among properties. Godot has no such comments: it reads a key.

use crate::syntax::parser::value_end;

/// The meaning of a line that begins with `#` for Godot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HashLine {
    /// The beginning of the next key: the line has no `=`.
    Open,
    /// A property with a key that begins with `#`. Godot reads its value like any other: it loads files and makes
    /// objects.
    Property,
    /// A key with a string that is left open, or without a value behind its `=`: Godot does not load the file.
    Refused,
}

/// The kind of the first line of `text`, and the number of bytes read after its `=`: a value may continue in the next lines.
pub(super) fn read(text: &[u8], line_len: usize) -> (HashLine, usize) {
    let (mut is_quoted, mut is_escaped) = (false, false);
    for (index, byte) in text[..line_len].iter().enumerate() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if is_quoted => is_escaped = true,
            b'"' => is_quoted = !is_quoted,
            b'=' if !is_quoted => {
                return match value_end(&text[index + 1..]) {
                    Ok(len) => (HashLine::Property, len),
                    Err(len) => (HashLine::Refused, len),
                };
            }
            b';' if !is_quoted => break,
            _ => {}
        }
    }
    // The next lines are in the string.
    (if is_quoted { HashLine::Refused } else { HashLine::Open }, 0)
}

#[cfg(test)]
mod tests {
    use super::HashLine::{Open, Property, Refused};
    use super::read;

    /// The result of `ConfigFile.parse` of Godot 4.6.3.
    #[test]
    fn lines() {
        for (line, expected) in [
            ("#", Open),
            ("# why", Open),
            ("# see; a = 1", Open),
            ("# say \"x=1\"", Open),
            ("#a=1", Property),
            ("# a = \"x\" ; why", Property),
            ("# a = 1 b = [2]", Property),
            ("# a = 1, 2", Property),
            ("# a = some words", Refused),
            ("# ==== part ====", Refused),
            ("# a =", Refused),
            ("# a = {", Refused),
            ("# a = {\n}\nb = 1", Property),
            ("# a = \"b\nc\"\nd = 1", Property),
            ("# say \"x", Refused),
            ("# say \"x\na = 1", Refused),
        ] {
            let line_len = line.find('\n').unwrap_or(line.len());
            assert_eq!(read(line.as_bytes(), line_len).0, expected, "{line}");
        }
    }
}
