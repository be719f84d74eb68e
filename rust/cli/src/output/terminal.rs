//! Texts from files and file names for a terminal, where some characters would control it.

use std::borrow::Cow;
use std::fmt::Display;
use std::io::{IsTerminal, Write, stderr, stdout};

/// The text on one line, with escapes such as `\u{1b}` in the place of characters that control a terminal.
pub(crate) fn printable(text: &str) -> Cow<'_, str> {
    if !text.contains(is_control) {
        return Cow::Borrowed(text);
    }
    let mut plain = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        if is_control(character) {
            plain.extend(character.escape_default());
        } else {
            plain.push(character);
        }
    }
    Cow::Owned(plain)
}

/// Prints a message on standard error.
pub(crate) fn complain(message: impl Display) {
    tell(format_args!("gdscene: {}\n", printable(&message.to_string())));
}

/// Prints a text on standard error. If that is closed or full, nobody could be told: the exit status alone says how it went.
pub(crate) fn tell(text: impl Display) {
    // In one piece, because lines of other processes may come between pieces.
    let _ = stderr().lock().write_all(text.to_string().as_bytes());
}

/// A text of several lines for programs. If standard output is a terminal, control characters are escaped.
pub(crate) fn for_stdout(text: Vec<u8>) -> Vec<u8> {
    if stdout().is_terminal() { printable_lines(&text) } else { text }
}

/// [`printable`] for each line. Tabs stay.
pub(crate) fn printable_lines(text: &[u8]) -> Vec<u8> {
    let text = String::from_utf8_lossy(text);
    let printable_line =
        |line: &str| line.split('\t').map(printable).collect::<Vec<_>>().join("\t");
    text.split('\n').map(printable_line).collect::<Vec<_>>().join("\n").into_bytes()
}

/// Whether the character controls a terminal or misleads the reader: control characters, ends of lines, and characters
/// that change the direction of the text.
fn is_control(character: char) -> bool {
    let turns = matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    character.is_control() || turns || matches!(character, '\u{2028}' | '\u{2029}')
}

#[cfg(test)]
mod tests {
    use super::{printable, printable_lines};

    #[test]
    fn control_characters() {
        assert_eq!(printable("levels/é 線.tscn"), "levels/é 線.tscn");
        assert_eq!(printable("a\x1b[2J\x07\n\u{9b}b"), r"a\u{1b}[2J\u{7}\n\u{9b}b");
        assert_eq!(printable("a\u{202e}b\u{2028}"), r"a\u{202e}b\u{2028}");
        assert_eq!(
            printable_lines(b"+a\tb\x1bc\r\n-\xff\n"),
            "+a\tb\\u{1b}c\\r\n-\u{fffd}\n".as_bytes()
        );
    }
}
