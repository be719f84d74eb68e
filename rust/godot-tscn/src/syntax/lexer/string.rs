//! Strings and their escapes.

use memchr::{memchr, memchr3};

use crate::span::Span;
use crate::syntax::error::SyntaxErrorKind;
use crate::syntax::lexer::Lexer;
use crate::syntax::scan::string_stop;
use crate::syntax::token::{Token, TokenKind, TokenSink};

/// U+FEFF in UTF-8.
const BOM: &[u8] = b"\xef\xbb\xbf";

impl<S: TokenSink> Lexer<'_, S> {
    /// Reads a string with its `"` at `quote`; the token starts at the place of the lexer.
    pub(crate) fn string(&mut self, quote: usize, kind: TokenKind) -> Token {
        let start = self.pos;
        self.pos = quote + 1;
        if self.text.get(self.pos) == Some(&0xef) && self.text[self.pos..].starts_with(BOM) {
            let span = Span::new(self.offset(), self.offset() + BOM.len() as u32);
            self.report(SyntaxErrorKind::ByteOrderMarkInString, span);
        }
        self.pos = string_stop(self.text, self.pos);
        if self.byte() == Some(b'"') {
            self.pos += 1;
            return self.emit(kind, start);
        }
        loop {
            match memchr3(b'"', b'\\', 0, &self.text[self.pos..]) {
                None => {
                    self.pos = self.text.len();
                    return self.emit(TokenKind::Invalid, start);
                }
                Some(length) => self.pos += length,
            }
            match self.text[self.pos] {
                b'"' => {
                    self.pos += 1;
                    if memchr(b'\n', &self.text[start..self.pos]).is_some() {
                        self.multi_line_string = Some(Span::new(start as u32, self.offset()));
                    }
                    return self.emit(kind, start);
                }
                b'\\' => self.escape(start),
                _ => {
                    self.nul(false);
                    self.pos += 1;
                }
            }
        }
    }

    /// Reads the escape at the current place, in the string that starts at `string`.
    fn escape(&mut self, string: usize) {
        let start = self.pos;
        let Some(&next) = self.text.get(start + 1) else {
            self.pos += 1;
            return;
        };
        self.pos += 2;
        match next {
            b'u' | b'U' => self.pos = self.code_units(start),
            // The letters which `String::c_escape` of some version writes. Godot reads `\a` and `\v` as
            // plain letters all the same, but it is the one that put them there.
            b'?' | b'a' | b'b' | b't' | b'n' | b'f' | b'r' | b'v' | b'"' | b'\\' | b'\''
            | b'\n' => {}
            // Left to the caller's loop, which reports it.
            0 => self.pos -= 1,
            _ => self.unknown_escape(string, start),
        }
    }

    /// Reports the first unknown escape of a string: where one is wrong, mostly all are.
    #[cold]
    fn unknown_escape(&mut self, string: usize, start: usize) {
        let reported = self.errors.last().is_some_and(|last| {
            last.kind == SyntaxErrorKind::UnknownEscape && last.span.start as usize >= string
        });
        if !reported {
            self.report(SyntaxErrorKind::UnknownEscape, Span::new(start as u32, self.offset()));
        }
    }

    /// Checks `\u` and its four digits, or a pair of such, at `start`. Returns where reading goes on.
    fn code_units(&mut self, start: usize) -> usize {
        let Some((unit, end)) = code_unit(self.text, start) else {
            self.report(
                SyntaxErrorKind::MalformedEscape,
                Span::new(start as u32, start as u32 + 2),
            );
            return start + 2;
        };
        let span = Span::new(start as u32, end as u32);
        match unit {
            0xd800..=0xdbff => match code_unit(self.text, end) {
                Some((0xdc00..=0xdfff, end)) => {
                    let span = Span::new(start as u32, end as u32);
                    self.report(SyntaxErrorKind::NonAsciiEscape, span);
                    return end;
                }
                _ => self.report(SyntaxErrorKind::LoneSurrogate, span),
            },
            0xdc00..=0xdfff => self.report(SyntaxErrorKind::LoneSurrogate, span),
            0x80.. => self.report(SyntaxErrorKind::NonAsciiEscape, span),
            _ => {}
        }
        end
    }
}

/// The value of `\u` and four digits, or `\U` and six, at `start`, and where it ends.
pub(crate) fn code_unit(text: &[u8], start: usize) -> Option<(u32, usize)> {
    let digits = match text.get(start..start + 2)? {
        b"\\u" => 4,
        b"\\U" => 6,
        _ => return None,
    };
    let end = start + 2 + digits;
    let mut value = 0;
    for &digit in text.get(start + 2..end)? {
        value = value << 4 | (digit as char).to_digit(16)?;
    }
    Some((value, end))
}
