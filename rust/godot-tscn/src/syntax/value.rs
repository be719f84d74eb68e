//! Values: `VariantParser::parse_value` of Godot 4.6.3, without its recursion.

mod construct;

use crate::document::{DictionaryKey, ValueKind};
use crate::span::Span;
use crate::syntax::error::{Expected, GdscriptLiteral, SyntaxErrorKind, Unterminated};
use crate::syntax::parser::Parser;
use crate::syntax::recovery::{Abort, value_error};
use crate::syntax::scan::is_float;
use crate::syntax::token::{Token, TokenKind, TokenSink};

/// How many arrays, dictionaries and objects may lie in one another.
///
/// Godot has no limit and overflows its stack; real files stay below ten.
pub const MAX_DEPTH: usize = 512;

/// An array, dictionary or object before its end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    kind: FrameKind,
    state: State,
    /// Whether a `)` follows the closing bracket, as in `Array[int]([1])`.
    is_typed: bool,
    /// Where the opening bracket is.
    pub(crate) open: u32,
    /// The start of the key before the next colon.
    key: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FrameKind {
    Array,
    Dictionary,
    Object,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// A value or key, or the end.
    Item,
    /// A comma, or the end.
    AfterItem,
    /// The colon after a key.
    AfterKey,
}

/// The result of the start of a value.
enum Start {
    /// It is complete.
    Done(ValueKind),
    /// Its items follow.
    Open(ValueKind, Frame),
}

impl Frame {
    pub(crate) fn unterminated(&self) -> Unterminated {
        match self.kind {
            FrameKind::Array => Unterminated::Array,
            FrameKind::Dictionary => Unterminated::Dictionary,
            FrameKind::Object => Unterminated::Construct,
        }
    }

    fn close(&self) -> TokenKind {
        match self.kind {
            FrameKind::Array => TokenKind::BracketClose,
            FrameKind::Dictionary => TokenKind::CurlyBracketClose,
            FrameKind::Object => TokenKind::ParenthesisClose,
        }
    }
}

impl<S: TokenSink> Parser<'_, S> {
    /// Reads the value that starts with the token `first`.
    pub(crate) fn value(&mut self, first: Token) -> Result<ValueKind, Abort> {
        let kind = match self.start_value(first)? {
            Start::Done(kind) => return Ok(kind),
            Start::Open(kind, frame) => {
                self.frames.push(frame);
                kind
            }
        };
        while !self.frames.is_empty() {
            let Some(token) = self.next_item()? else {
                self.frames.pop();
                continue;
            };
            if let Start::Open(_, frame) = self.start_value(token)? {
                if self.frames.len() == MAX_DEPTH {
                    self.lexer.report(SyntaxErrorKind::TooDeep, token.span);
                    return Err(Abort { from: token.span.start, resume: None });
                }
                self.frames.push(frame);
            }
        }
        Ok(kind)
    }

    #[inline]
    fn start_value(&mut self, token: Token) -> Result<Start, Abort> {
        let kind = match token.kind {
            TokenKind::String => ValueKind::String,
            TokenKind::Number => number_kind(self.lexer.text, token.span),
            TokenKind::StringName => ValueKind::StringName,
            TokenKind::Color => ValueKind::Color,
            TokenKind::Identifier => return self.identifier_value(token),
            TokenKind::BracketOpen if self.is_tag_in_value(token) => {
                return Err(self.expected(token, Expected::Value));
            }
            TokenKind::BracketOpen => {
                let frame = frame(FrameKind::Array, token, false);
                return Ok(Start::Open(ValueKind::Array, frame));
            }
            TokenKind::CurlyBracketOpen => {
                let frame = frame(FrameKind::Dictionary, token, false);
                return Ok(Start::Open(ValueKind::Dictionary, frame));
            }
            _ => return Err(self.unexpected(token, value_error(token))),
        };
        Ok(Start::Done(kind))
    }

    /// Whether the `[` of an item is the next tag, because the end of the value is missing.
    fn is_tag_in_value(&self, token: Token) -> bool {
        !self.frames.is_empty()
            && self.looks_like_tag(token.span.start as usize)
            && self.starts_line_of_its_own(token.span.start)
    }

    /// The first token of the next item (or of the value after a key) of the innermost frame, or
    /// nothing after its closing bracket.
    #[inline]
    fn next_item(&mut self) -> Result<Option<Token>, Abort> {
        let Some(&Frame { kind, state, is_typed, .. }) = self.frames.last() else {
            return Ok(None);
        };
        let close = self.frames[self.frames.len() - 1].close();
        let before = self.lexer.offset();
        let mut token = self.lexer.next_inlined();
        if state == State::AfterKey {
            self.push_dictionary_key(kind, before);
            if token.kind != TokenKind::Colon {
                let colon = Expected::Punctuation(TokenKind::Colon);
                return Err(self.expected(token, colon));
            }
            self.set_state(State::AfterItem);
            return Ok(Some(self.lexer.next()));
        }
        if token.kind == close {
            return self.close_frame(is_typed).map(|()| None);
        }
        if state == State::AfterItem {
            token = self.after_item(token)?;
            if token.kind == close {
                return self.close_frame(is_typed).map(|()| None);
            }
        }
        if kind == FrameKind::Object && token.kind != TokenKind::String {
            return Err(self.expected(token, Expected::String));
        }
        if let Some(frame) = self.frames.last_mut() {
            frame.key = token.span.start;
            frame.state = match kind {
                FrameKind::Array => State::AfterItem,
                FrameKind::Dictionary | FrameKind::Object => State::AfterKey,
            };
        }
        Ok(Some(token))
    }

    /// Keeps the key of a dictionary that ends at `end`.
    #[inline]
    fn push_dictionary_key(&mut self, kind: FrameKind, end: u32) {
        if let (FrameKind::Dictionary, Some(frame)) = (kind, self.frames.last()) {
            let span = Span::new(frame.key, end);
            self.tree.dictionary_keys.push(DictionaryKey { dictionary: frame.open, span });
        }
    }

    /// Takes the comma after an item. A missing one is reported and thought there.
    #[inline]
    fn after_item(&mut self, token: Token) -> Result<Token, Abort> {
        if token.kind == TokenKind::Comma {
            return Ok(self.lexer.next());
        }
        self.missing_comma(token)?;
        Ok(token)
    }

    /// Reports `token`, before which a comma is missing; gives up if it starts no value.
    #[cold]
    fn missing_comma(&mut self, token: Token) -> Result<(), Abort> {
        use TokenKind::*;
        let is_line = self.starts_line_of_its_own(token.span.start);
        let starts_value = matches!(
            token.kind,
            String | StringName | Number | Color | Identifier | BracketOpen | CurlyBracketOpen
        );
        if is_line || !starts_value {
            return Err(self.expected(token, Expected::Punctuation(Comma)));
        }
        if self.swallows_lines_before(token) {
            return Err(self.expected(token, Expected::Punctuation(Comma)));
        }
        self.lexer.report(SyntaxErrorKind::MissingComma, token.span);
        Ok(())
    }

    /// Closes the innermost frame after its closing bracket.
    fn close_frame(&mut self, is_typed: bool) -> Result<(), Abort> {
        if is_typed { self.punctuation(TokenKind::ParenthesisClose).map(drop) } else { Ok(()) }
    }

    fn set_state(&mut self, state: State) {
        if let Some(frame) = self.frames.last_mut() {
            frame.state = state;
        }
    }

    fn identifier_value(&mut self, token: Token) -> Result<Start, Abort> {
        let name = token.span.of(self.lexer.text);
        let kind = match name {
            b"true" | b"false" => ValueKind::Bool,
            b"null" | b"nil" => ValueKind::Null,
            b"inf" | b"-inf" | b"inf_neg" | b"nan" => ValueKind::Float,
            _ => return self.construct(token),
        };
        Ok(Start::Done(kind))
    }

    /// `True` and `None` are taken for their meaning; anything else ends the value.
    #[cold]
    fn unknown_identifier(&mut self, name: Token) -> Result<Start, Abort> {
        let text = name.span.of(self.lexer.text);
        let is_keyword = [&b"true"[..], b"false", b"null", b"nil", b"none", b"inf", b"nan"]
            .iter()
            .any(|keyword| text.eq_ignore_ascii_case(keyword));
        if !is_keyword {
            return Err(self.unexpected(name, SyntaxErrorKind::UnknownIdentifier));
        }
        let kind = SyntaxErrorKind::GdscriptLiteral(GdscriptLiteral::Keyword);
        self.lexer.report(kind, name.span);
        Ok(Start::Done(ValueKind::Invalid))
    }

    fn punctuation(&mut self, kind: TokenKind) -> Result<Token, Abort> {
        let token = self.lexer.next();
        self.punctuation_at(token, kind)
    }

    fn punctuation_at(&mut self, token: Token, kind: TokenKind) -> Result<Token, Abort> {
        if token.kind == kind {
            return Ok(token);
        }
        Err(self.expected(token, Expected::Punctuation(kind)))
    }
}

fn frame(kind: FrameKind, open: Token, is_typed: bool) -> Frame {
    Frame { kind, state: State::Item, is_typed, open: open.span.start, key: 0 }
}

fn number_kind(text: &[u8], number: Span) -> ValueKind {
    let is_float = is_float(text, number.start as usize, number.end as usize);
    if is_float { ValueKind::Float } else { ValueKind::Int }
}
