//! Texts from files and file names for a terminal, where some characters would control it.

use std::fmt::Display;
use std::io::{IsTerminal, Write, stderr, stdout};

pub(crate) use gdscene_render::printable;

/// Prints a message on standard error.
pub(crate) fn complain(message: impl Display) {
    tell(format_args!("gdscene: {}\n", printable(&message.to_string())));
}

/// Prints a text on standard error. If that is closed or full, no report is possible, and only the exit status shows the
/// result.
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

#[cfg(test)]
mod tests {
    use super::printable_lines;

    #[test]
    fn control_characters() {
        assert_eq!(
            printable_lines(b"+a\tb\x1bc\r\n-\xff\n"),
            "+a\tb\\u{1b}c\\r\n-\u{fffd}\n".as_bytes()
        );
    }
}
