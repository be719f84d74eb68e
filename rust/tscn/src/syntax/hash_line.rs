//! Lines that begin with `#` among properties. Godot has no such comments: it reads a key.

use crate::syntax::parser::value_end;

/// What a line that begins with `#` is for Godot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HashLine {
    /// The beginning of the next key: the line has no `=`.
    Open,
    /// A property whose key begins with `#`. Godot reads its value like any other: it loads files and makes objects.
    Property,
    /// A key, and behind its `=` text that is not a value: Godot refuses the file.
    Refused,
}

/// What the line is.
pub(super) fn read(line: &[u8]) -> HashLine {
    match equal_sign(line) {
        None => HashLine::Open,
        Some(equal) if value_end(&line[equal + 1..]).is_some() => HashLine::Property,
        Some(_) => HashLine::Refused,
    }
}

/// The `=` that ends the key at the start of `text`.
fn equal_sign(text: &[u8]) -> Option<usize> {
    let (mut is_quoted, mut is_escaped) = (false, false);
    for (index, byte) in text.iter().enumerate() {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if is_quoted => is_escaped = true,
            b'"' => is_quoted = !is_quoted,
            b'=' if !is_quoted => return Some(index),
            b';' if !is_quoted => return None,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::HashLine::{Open, Property, Refused};
    use super::read;

    /// What `ConfigFile.parse` of Godot 4.6.3 makes of them.
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
        ] {
            assert_eq!(read(line.as_bytes()), expected, "{line}");
        }
    }
}
