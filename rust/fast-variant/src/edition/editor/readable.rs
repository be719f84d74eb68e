//! Texts of files, as windows show them: files are of strangers.

use std::fmt::Write;

/// The text with its control characters written out, except line feeds and tabs. This includes characters
/// for the direction of the text, which would let a value look like another one.
pub(super) fn readable(text: &str) -> String {
    if !text.contains(is_hidden) {
        return text.to_owned();
    }
    let mut readable = String::with_capacity(text.len() + 16);
    for letter in text.chars() {
        match is_hidden(letter) {
            true => drop(write!(readable, "\\u{:04x}", u32::from(letter))),
            false => readable.push(letter),
        }
    }
    readable
}

fn is_hidden(letter: char) -> bool {
    let is_kept = matches!(letter, '\n' | '\t');
    let is_direction = matches!(letter,
        '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}');
    is_direction || (letter.is_control() && !is_kept)
}

#[cfg(test)]
mod tests {
    use super::readable;

    #[test]
    fn hidden_characters_are_written_out() {
        assert_eq!(readable("\"äö\n\t 灯\""), "\"äö\n\t 灯\"");
        assert_eq!(readable("a\u{202e}b\u{2066}\u{7}\r"), "a\\u202eb\\u2066\\u0007\\u000d");
    }
}
