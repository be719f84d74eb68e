//! Strings.

use std::borrow::Cow;

use godot_variant::Text;

use super::{Fault, Read, Reader};

/// A string of the text.
pub(crate) struct Str<'t> {
    /// What it says; a part of the text, unless something in it is escaped.
    pub(crate) text: Cow<'t, str>,
    /// Each byte is known to be a character, and none a NUL.
    pub(crate) is_ascii: bool,
}

impl Str<'_> {
    /// The same for a sink.
    #[inline]
    pub(crate) fn text(&self) -> Text<'_> {
        match self.is_ascii {
            true => Text::Ascii(self.text.as_bytes()),
            false => Text::Utf8(&self.text),
        }
    }
}

/// In each byte the highest bit, and the lowest.
const HIGH: u64 = 0x8080_8080_8080_8080;
const LOW: u64 = 0x0101_0101_0101_0101;

impl<'t> Reader<'t> {
    /// Reads the name of a member, which begins here.
    #[inline]
    pub(crate) fn name(&mut self) -> Read<Str<'t>> {
        if self.peek() != Some(b'"') {
            return self.missing("key must be a string: put it in quotes");
        }
        self.string()
    }

    /// Reads the string that begins with this `"`.
    #[inline]
    pub(crate) fn string(&mut self) -> Read<Str<'t>> {
        self.at += 1;
        let start = self.at;
        let is_ascii = self.skip_plain();
        let text = &self.text[start..self.at];
        if self.take(b'"') {
            return Ok(Str { text: Cow::Borrowed(text), is_ascii });
        }
        // Most that is escaped is a line or a quotation: twice as much is seldom too little.
        let mut string = String::with_capacity(2 * text.len() + 32);
        string.push_str(text);
        let text = Cow::Owned(self.rest_of_string(string)?);
        Ok(Str { text, is_ascii: false })
    }

    #[inline(never)]
    fn rest_of_string(&mut self, mut string: String) -> Read<String> {
        loop {
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(string);
                }
                Some(b'\\') => string.push(self.escaped()?),
                Some(_) => {
                    return self
                        .fault("control character in a string: write it as \\n, \\t or \\u001F");
                }
                None => return self.fault("EOF: unterminated string"),
            }
            let start = self.at;
            self.skip_plain();
            string.push_str(&self.text[start..self.at]);
        }
    }

    /// Goes to the next byte that means something in a string, and says whether all before it are
    /// ASCII. Eight bytes at a time: in a word, a byte that means something sets its highest bit.
    #[inline]
    fn skip_plain(&mut self) -> bool {
        let (words, last) = self.bytes[self.at..].as_chunks::<8>();
        let mut all = 0;
        for word in words {
            let word = u64::from_le_bytes(*word);
            let (quote, backslash) = (word ^ (LOW * 0x22), word ^ (LOW * 0x5C));
            let is_quote = quote.wrapping_sub(LOW) & !quote;
            let is_backslash = backslash.wrapping_sub(LOW) & !backslash;
            let is_control = word.wrapping_sub(LOW * 0x20) & !word;
            // Where one is found the bytes behind it are not to be trusted, and are not needed.
            let found = (is_quote | is_backslash | is_control) & HIGH;
            if found != 0 {
                self.at += found.trailing_zeros() as usize / 8;
                let before = (found & found.wrapping_neg()) - 1;
                return (all | (word & before)) & HIGH == 0;
            }
            all |= word;
            self.at += 8;
        }
        for &byte in last {
            if byte < 0x20 || byte == b'"' || byte == b'\\' {
                break;
            }
            all |= u64::from(byte);
            self.at += 1;
        }
        all & HIGH == 0
    }

    fn escaped(&mut self) -> Read<char> {
        let start = self.at;
        self.at += 1;
        let char = match self.peek() {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => return self.unicode(start),
            Some(_) => {
                self.at = start;
                return self.fault(
                    "invalid escape: valid escapes are \\\" \\\\ \\/ \\b \\f \\n \\r \\t and \\u",
                );
            }
            None => return self.fault("EOF: unterminated string"),
        };
        self.at += 1;
        Ok(char)
    }

    /// `\u` and four digits, or two of them for one character.
    ///
    /// The engine opens files by names that end at the first NUL, so no text may hold one: `\u0000` is U+FFFD, as
    /// the engine's `JSON` has it.
    fn unicode(&mut self, start: usize) -> Read<char> {
        const LONE: &str = "lone surrogate in a hex escape: \\uD800 to \\uDBFF need one of \\uDC00 to \\uDFFF after them";
        let high = self.hex(start)?;
        let code = if (0xD800..0xDC00).contains(&high) && self.bytes[self.at..].starts_with(b"\\u")
        {
            self.at += 1;
            let low = self.hex(self.at - 1)?;
            if !(0xDC00..0xE000).contains(&low) {
                return Err(Fault { at: start, message: LONE });
            }
            0x1_0000 + ((high - 0xD800) << 10) + (low - 0xDC00)
        } else {
            high
        };
        match char::from_u32(code) {
            Some('\0') => Ok(char::REPLACEMENT_CHARACTER),
            Some(char) => Ok(char),
            None => Err(Fault { at: start, message: LONE }),
        }
    }

    /// Four digits behind a `u`.
    fn hex(&mut self, start: usize) -> Read<u32> {
        let digits = self.bytes.get(self.at + 1..self.at + 5).unwrap_or_default();
        let code = digits.iter().try_fold(0, |code, &digit| {
            char::from(digit).to_digit(16).map(|digit| code * 16 + digit)
        });
        self.at += 5;
        match code.filter(|_| digits.len() == 4) {
            Some(code) => Ok(code),
            None => Err(Fault { at: start, message: "invalid hex escape: \\u needs four digits" }),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn nul_is_replaced() {
        let text = r#""evil.gd\u0000.sav""#;
        let string = Reader::new(text, 1).string().unwrap_or_else(|fault| panic!("{fault:?}"));
        assert_eq!(string.text, "evil.gd\u{FFFD}.sav");
        assert!(!string.is_ascii);
        assert!(Reader::new("\"a\0b\"", 1).string().is_err(), "as it is");
    }

    proptest! {
        /// Eight bytes at a time find what one at a time finds.
        #[test]
        fn plain_text_ends_where_it_ends(text in "[ -~ä\u{0}-\u{7f}\\\\\"]{0,40}", plain in "[ !#-\\[^-~]{0,40}") {
            let text = plain + &text;
            let mut reader = Reader::new(&text, 1);
            let is_ascii = reader.skip_plain();
            let is_special = |byte: u8| byte < 0x20 || byte == b'"' || byte == b'\\';
            let end = text.bytes().position(is_special).unwrap_or(text.len());
            prop_assert_eq!(reader.at, end);
            prop_assert_eq!(is_ascii, text.as_bytes()[..end].is_ascii());
        }
    }
}
