//! The tokenizer: `VariantParser::get_token` of Godot 4.6.3, with byte ranges instead of values.
//!
//! The parser pulls one token at a time, because a key is read by other rules than a value.

mod string;

use memchr::{memchr, memchr2};

use crate::span::Span;
use crate::syntax::error::{GdscriptLiteral, NumberRange, SyntaxError, SyntaxErrorKind};
use crate::syntax::scan::{decimal_end, digits_end, identifier_end, is_float};
use crate::syntax::token::{Token, TokenKind, TokenSink};

pub(crate) use string::code_unit;

/// Shorter whole numbers fit into 64 bits.
const MIN_OVERFLOW_LEN: usize = 19;

/// After this number of errors in one text, further ones are not kept: memory stays bounded by the
/// text.
pub const MAX_ERRORS: usize = 10_000;

/// Reads tokens from `text`, and reports those that Godot reads differently than they look.
pub(crate) struct Lexer<'t, S> {
    pub(crate) text: &'t [u8],
    /// Where the next token starts.
    pub(crate) pos: usize,
    pub(crate) sink: S,
    pub(crate) errors: Vec<SyntaxError>,
    pub(crate) comments: Vec<Span>,
    /// The last string token, if it has several lines: perhaps its end was forgotten.
    pub(crate) multi_line_string: Option<Span>,
}

impl<'t, S: TokenSink> Lexer<'t, S> {
    pub(crate) fn new(text: &'t [u8], sink: S) -> Self {
        Self {
            text,
            pos: 0,
            sink,
            errors: Vec::new(),
            comments: Vec::new(),
            multi_line_string: None,
        }
    }

    /// The byte at the current place, if any.
    #[inline]
    pub(crate) fn byte(&self) -> Option<u8> {
        self.text.get(self.pos).copied()
    }

    /// The current place as an offset.
    #[inline]
    pub(crate) fn offset(&self) -> u32 {
        self.pos as u32
    }

    /// The next token of a tag or value, trivia skipped.
    #[inline(never)]
    pub(crate) fn next(&mut self) -> Token {
        self.next_inlined()
    }

    /// The same as [`Lexer::next`], for the few places that read most tokens. Inlined in all forty, it would make the library that
    /// games carry 0.2 MB larger.
    #[inline(always)]
    pub(crate) fn next_inlined(&mut self) -> Token {
        // Most tokens follow another, or one space.
        match self.byte() {
            Some(b' ') if self.text.get(self.pos + 1).is_some_and(|next| starts_token(*next)) => {
                self.pos += 1;
                self.emit(TokenKind::Whitespace, self.pos - 1);
            }
            Some(byte) if starts_token(byte) => {}
            _ => {
                self.skip_trivia();
            }
        }
        let Some(byte) = self.byte() else {
            return Token { kind: TokenKind::Eof, span: Span::empty(self.offset()) };
        };
        use TokenKind::*;
        match byte {
            b'"' => self.string(self.pos, String),
            b'0'..=b'9' => self.number(self.pos),
            b'-' => self.minus(),
            b'A'..=b'Z' | b'a'..=b'z' | b'_' => self.identifier(self.pos),
            b',' => self.mark(Comma),
            b'(' => self.mark(ParenthesisOpen),
            b')' => self.mark(ParenthesisClose),
            b'[' => self.mark(BracketOpen),
            b']' => self.mark(BracketClose),
            b'{' => self.mark(CurlyBracketOpen),
            b'}' => self.mark(CurlyBracketClose),
            b':' => self.mark(Colon),
            b'=' => self.mark(Equal),
            b'.' => self.period(),
            b'#' => self.color(),
            b'&' | b'@' if self.text.get(self.pos + 1) == Some(&b'"') => {
                self.string(self.pos + 1, StringName)
            }
            _ => self.not_a_token(byte),
        }
    }

    /// Reads numbers as long as they follow as `, 1`, which is how Godot writes them. Returns how many.
    #[inline]
    pub(crate) fn more_numbers(&mut self) -> usize {
        let mut count = 0;
        while let Some([b',', b' ', first, second]) = self.text.get(self.pos..self.pos + 4) {
            let digits = match (first, second) {
                (b'0'..=b'9', _) => self.pos + 2,
                (b'-', b'0'..=b'9') => self.pos + 3,
                _ => break,
            };
            self.mark(TokenKind::Comma);
            self.pos += 1;
            self.emit(TokenKind::Whitespace, self.pos - 1);
            self.number(digits);
            count += 1;
        }
        count
    }

    /// Skips white space and comments. Returns whether a line ended.
    #[inline]
    pub(crate) fn skip_trivia(&mut self) -> bool {
        let mut line_ended = false;
        loop {
            line_ended |= self.skip_blanks(false);
            if self.byte() != Some(b';') {
                return line_ended;
            }
            self.comment();
        }
    }

    /// Skips bytes up to 32 in front of a key, or of a tag where no key can be. Returns whether a line
    /// ended.
    #[inline]
    pub(crate) fn skip_whitespace(&mut self, is_before_key: bool) -> bool {
        self.skip_blanks(is_before_key)
    }

    #[inline]
    fn skip_blanks(&mut self, in_key: bool) -> bool {
        let start = self.pos;
        let mut line_ended = false;
        while let Some(byte @ ..=32) = self.byte() {
            line_ended |= byte == b'\n';
            if byte == 0 {
                self.nul(in_key || self.pos == start && self.follows_word());
            }
            self.pos += 1;
        }
        self.emit(TokenKind::Whitespace, start);
        line_ended
    }

    /// Reads `; …`.
    pub(crate) fn comment(&mut self) {
        let start = self.pos;
        self.pos = line_end(self.text, start);
        self.comments.push(Span::new(start as u32, self.offset()));
        self.emit(TokenKind::Comment, start);
    }

    /// Adds an error.
    #[cold]
    pub(crate) fn report(&mut self, kind: SyntaxErrorKind, span: Span) {
        if self.errors.len() < MAX_ERRORS {
            self.errors.push(SyntaxError { kind, span, related: None });
        }
    }

    /// Hands everything from `start` to the current place to the sink.
    #[inline]
    pub(crate) fn emit(&mut self, kind: TokenKind, start: usize) -> Token {
        let span = Span::new(start as u32, self.offset());
        self.sink.token(kind, span);
        Token { kind, span }
    }

    #[inline]
    fn mark(&mut self, kind: TokenKind) -> Token {
        self.pos += 1;
        self.emit(kind, self.pos - 1)
    }

    /// Reads a number with its digits at `digits`; the token starts at the place of the lexer.
    #[inline]
    fn number(&mut self, digits: usize) -> Token {
        let start = self.pos;
        let (end, has_exponent) = number_parts(self.text, digits);
        self.pos = end;
        if self.byte() == Some(b'#') && self.not_finite(start) {
            return self.emit(TokenKind::Number, start);
        }
        if has_exponent || end - start >= MIN_OVERFLOW_LEN {
            self.check_range(start);
        }
        self.emit(TokenKind::Number, start)
    }

    /// Reads the rest of `1.#INF`, if it is one.
    #[cold]
    fn not_finite(&mut self, start: usize) -> bool {
        let rest = &self.text[self.pos + 1..];
        let words = [&b"INF"[..], b"IND", b"QNAN", b"SNAN"];
        let Some(word) = words.iter().find(|word| rest.starts_with(word)) else { return false };
        let zeros = rest[word.len()..].iter().take_while(|byte| **byte == b'0').count();
        self.pos += 1 + word.len() + zeros;
        self.gdscript(GdscriptLiteral::NotFinite, start);
        true
    }

    /// Reports a number that Godot reads as another one.
    #[cold]
    fn check_range(&mut self, start: usize) {
        let token = &self.text[start..self.pos];
        // For digits that no string conversion can damage.
        let text = String::from_utf8_lossy(token);
        let range = if token.ends_with(b"e")
            || token.ends_with(b"E")
            || token.ends_with(b"-")
            || token.ends_with(b"+")
        {
            NumberRange::NoExponent
        } else if is_float(token, 0, token.len()) {
            match text.parse::<f64>() {
                Ok(value) if value.is_infinite() => NumberRange::Float,
                _ => return,
            }
        } else if text.parse::<i64>().is_err() {
            NumberRange::Int
        } else {
            return;
        };
        let span = Span::new(start as u32, self.offset());
        self.report(SyntaxErrorKind::NumberOutOfRange(range), span);
    }

    #[inline]
    fn identifier(&mut self, name: usize) -> Token {
        let start = self.pos;
        self.pos = identifier_end(self.text, name);
        self.emit(TokenKind::Identifier, start)
    }

    fn minus(&mut self) -> Token {
        match self.text.get(self.pos + 1) {
            Some(b'0'..=b'9') => self.number(self.pos + 1),
            Some(b'A'..=b'Z' | b'a'..=b'z' | b'_') => self.identifier(self.pos + 1),
            Some(b'.') if self.digit_at(self.pos + 2) => self.leading_period(self.pos + 1),
            _ => self.mark(TokenKind::Invalid),
        }
    }

    fn period(&mut self) -> Token {
        if self.digit_at(self.pos + 1) {
            return self.leading_period(self.pos);
        }
        self.mark(TokenKind::Period)
    }

    fn color(&mut self) -> Token {
        let start = self.pos;
        self.pos += 1;
        while self.byte().is_some_and(|byte| byte.is_ascii_hexdigit()) {
            self.pos += 1;
        }
        self.emit(TokenKind::Color, start)
    }

    /// A text that is not a token for Godot: read as it was meant if that is plain, so that the
    /// rest of the value can be checked.
    #[cold]
    fn not_a_token(&mut self, byte: u8) -> Token {
        let start = self.pos;
        match byte {
            b'\'' => {
                let rest = &self.text[start + 1..];
                match memchr2(b'\'', b'\n', rest) {
                    Some(length) if rest[length] == b'\'' => self.pos += length + 2,
                    _ => return self.mark(TokenKind::Invalid),
                }
                self.gdscript(GdscriptLiteral::SingleQuotes, start);
                self.emit(TokenKind::String, start)
            }
            b'^' if self.text.get(start + 1) == Some(&b'"') => {
                let token = self.string(start + 1, TokenKind::String);
                if token.kind == TokenKind::String {
                    self.gdscript(GdscriptLiteral::NodePath, start);
                }
                token
            }
            b'+' if self.digit_at(start + 1) => {
                let token = self.number(start + 1);
                self.gdscript(GdscriptLiteral::Plus, start);
                token
            }
            _ => self.mark(TokenKind::Invalid),
        }
    }

    #[cold]
    fn leading_period(&mut self, period: usize) -> Token {
        let start = self.pos;
        let token = self.number(period);
        self.gdscript(GdscriptLiteral::LeadingPeriod, start);
        token
    }

    fn gdscript(&mut self, literal: GdscriptLiteral, start: usize) {
        let span = Span::new(start as u32, self.offset());
        self.report(SyntaxErrorKind::GdscriptLiteral(literal), span);
    }

    fn digit_at(&self, index: usize) -> bool {
        self.text.get(index).is_some_and(u8::is_ascii_digit)
    }

    /// One error for a run of NUL bytes, reported at its first.
    #[cold]
    fn nul(&mut self, is_skipped: bool) {
        if self.pos == 0 || self.text[self.pos - 1] != 0 {
            let length = self.text[self.pos..].iter().take_while(|byte| **byte == 0).count();
            let span = Span::new(self.offset(), self.offset() + length as u32);
            let is_skipped = is_skipped && (length == 1 || !self.follows_word());
            let kind = if is_skipped { SyntaxErrorKind::SkippedNul } else { SyntaxErrorKind::Nul };
            self.report(kind, span);
        }
    }

    /// Whether a number or identifier ends here: its reader looks one byte too far and puts that back,
    /// unless it is NUL (`saved` in `VariantParser::get_token`, 4.6.3).
    fn follows_word(&self) -> bool {
        let before = self.pos.checked_sub(1).map(|index| self.text[index]);
        before.is_some_and(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.'))
    }
}

/// The end of the number with its digits (or period) at `start`.
#[inline]
pub(crate) fn number_end(text: &[u8], start: usize) -> usize {
    number_parts(text, start).0
}

/// The end of the number with its digits (or period) at `start`, and whether it has an exponent:
/// `\d+(\.\d*)?([eE][+-]?\d*)?`.
#[inline]
fn number_parts(text: &[u8], start: usize) -> (usize, bool) {
    let mut end = decimal_end(text, start);
    let Some(b'e' | b'E') = text.get(end) else {
        return (end, false);
    };
    end += 1;
    if let Some(b'+' | b'-') = text.get(end) {
        end += 1;
    }
    (digits_end(text, end), true)
}

/// Whether a byte is neither white space nor the start of a comment.
#[inline]
fn starts_token(byte: u8) -> bool {
    byte > 32 && byte != b';'
}

/// The offset of the line end (or of the end of the text) at or after `start`.
pub(crate) fn line_end(text: &[u8], start: usize) -> usize {
    memchr(b'\n', &text[start..]).map_or(text.len(), |length| start + length)
}
