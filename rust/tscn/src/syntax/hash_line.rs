//! Lines that begin with `#` among properties. Godot has no such comments: it reads a key.

use crate::syntax::parser::value_end;

/// What a line that begins with `#` is for Godot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HashLine {
    /// The beginning of the next key: the line has no `=`.
    Open,
    /// A property with an unknown key, or several.
    Property,
    /// A key, and behind its `=` what is not a value: Godot refuses the file.
    Refused,
}

/// So many values of one line are read; comments have none or one.
const MOST_VALUES: usize = 8;

/// What the line is, and where in it the next key begins, if it does.
pub(super) fn read(line: &[u8]) -> (HashLine, Option<usize>) {
    let mut start = 0;
    for _ in 0..MOST_VALUES {
        let Some(equal) = equal_sign(&line[start..]) else {
            return (HashLine::Open, Some(start));
        };
        let value = start + equal + 1;
        let Some(length) = value_end(&line[value..]) else {
            return (HashLine::Refused, None);
        };
        let rest = &line[value + length..];
        let blanks = rest.iter().take_while(|byte| **byte <= b' ').count();
        start = value + length + blanks;
        if matches!(rest.get(blanks), None | Some(b';')) {
            break;
        }
    }
    (HashLine::Property, None)
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
            ("#", (Open, Some(0))),
            ("# why", (Open, Some(0))),
            ("# see; a = 1", (Open, Some(0))),
            ("# say \"x=1\"", (Open, Some(0))),
            ("#a=1", (Property, None)),
            ("# a = \"x\" ; why", (Property, None)),
            ("# a = 1 b = [2]", (Property, None)),
            ("# a = 1, 2", (Open, Some(7))),
            ("# a = some words", (Refused, None)),
            ("# ==== part ====", (Refused, None)),
            ("# a =", (Refused, None)),
            ("# a = {", (Refused, None)),
        ] {
            assert_eq!(read(line.as_bytes()), expected, "{line}");
        }
    }
}
