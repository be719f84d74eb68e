//! Texts of strangers for a terminal or a log, where some characters would control it.

use std::borrow::Cow;

/// The text on one line, with escapes such as `\u{1b}` in the place of characters that control a terminal.
pub fn printable(text: &str) -> Cow<'_, str> {
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

/// Whether the character controls a terminal or misleads the reader: control characters, ends of lines, and characters
/// that change the direction of the text.
fn is_control(character: char) -> bool {
    let turns = matches!(character, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    character.is_control() || turns || matches!(character, '\u{2028}' | '\u{2029}')
}

#[cfg(test)]
mod tests {
    use super::printable;

    #[test]
    fn control_characters() {
        assert_eq!(printable("levels/é 線.tscn"), "levels/é 線.tscn");
        assert_eq!(printable("a\x1b[2J\x07\n\u{9b}b"), r"a\u{1b}[2J\u{7}\n\u{9b}b");
        assert_eq!(printable("a\u{202e}b\u{2028}"), r"a\u{202e}b\u{2028}");
    }
}
