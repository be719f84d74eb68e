//! The text that is parsed instead of a script: of the same length, and understood by the grammar.
//!
//! Text that Godot can read and the grammar cannot is replaced by text of the same length with the same meaning to a parser.
//! So each offset in the tree is one in the file. The file's own text is always used.

use std::ops::Range;

use godot_tscn::Span;

use crate::script::source::literal;

/// A text for the grammar.
pub(super) struct Prepared {
    pub(super) code: String,
    pub(super) comments: Vec<Span>,
}

pub(super) fn prepare(text: &str) -> Prepared {
    let mut code = text.as_bytes().to_vec();
    let mut comments = Vec::new();
    if text.starts_with('\u{feff}') {
        code[..3].fill(b'\n');
    }
    let (mut depth, mut before) = (0u32, 0);
    for token in Lexer::new(text, 0, text.len()) {
        let (start, end) = (token.span.start as usize, token.span.end as usize);
        match token.kind {
            // In the first column of a function's body, the grammar takes one for the end of it.
            TokenKind::Comment => {
                code[start..end].fill(b' ');
                comments.push(token.span);
            }
            // `$%Name`, and `$A/%B`.
            TokenKind::Sign if code[start] == b'$' && code.get(end) == Some(&b'%') => {
                code[start] = b' ';
            }
            TokenKind::Sign if code[start] == b'/' && begins_unique(&code[end..]) => {
                code[end] = b'_';
            }
            // `%Name.x = 1` below another statement: the grammar takes it for a remainder.
            TokenKind::Sign if code[start] == b'%' && depth == 0 => {
                let between = &text[before..start];
                if between.contains('\n')
                    && !between.contains('\\')
                    && !text[..before].ends_with('\\')
                {
                    code[start] = b'$';
                }
            }
            TokenKind::Sign if code[start] == b'@' => split_annotation(&mut code, start),
            TokenKind::Sign if b"([{".contains(&code[start]) => depth += 1,
            TokenKind::Sign if b")]}".contains(&code[start]) => depth = depth.saturating_sub(1),
            _ => {}
        }
        before = end;
    }
    // Names may have any letters; the grammar knows those of ASCII.
    for byte in &mut code {
        if !byte.is_ascii() {
            *byte = b'_';
        }
    }
    // All is ASCII by now.
    Prepared { code: String::from_utf8(code).unwrap_or_default(), comments }
}

fn begins_unique(code: &[u8]) -> bool {
    matches!(code, [b'%', first, ..] if first.is_ascii_alphabetic() || *first == b'_' || !first.is_ascii())
}

/// `@tool extends Node`: the grammar wants a line for each.
fn split_annotation(code: &mut [u8], at: usize) {
    for name in ["@tool", "@abstract", "@static_unload"] {
        let Some(rest) = code[at..].strip_prefix(name.as_bytes()) else { continue };
        let blanks = rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        if blanks > 0 && rest[blanks..].starts_with(b"extends") {
            code[at + name.len()..at + name.len() + blanks].fill(b'\n');
        }
    }
}

/// A piece of a script's text.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub(super) span: Span,
    pub(super) kind: TokenKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TokenKind {
    /// A name, a word of GDScript's or a number.
    Word,
    /// A string with its quotes and its prefix; `quotes` of them open it, and it may not be closed.
    String {
        quotes: u32,
        is_closed: bool,
    },
    Comment,
    /// One character of another kind.
    Sign,
}

/// The pieces of a part of a script. White space is left out.
#[derive(Clone)]
pub(super) struct Lexer<'t> {
    text: &'t [u8],
    at: usize,
    end: usize,
}

impl<'t> Lexer<'t> {
    pub(super) fn new(text: &'t str, start: usize, end: usize) -> Self {
        Self { text: &text.as_bytes()[..end], at: start, end }
    }

    fn token(&mut self, end: usize, kind: TokenKind) -> Token {
        let span = Span::new(self.at as u32, end as u32);
        self.at = end;
        Token { span, kind }
    }

    /// `GDScriptTokenizerText::string` (modules/gdscript/gdscript_tokenizer.cpp, Godot 4.6.3): a line break ends no string, and
    /// a quote behind `\` neither, in raw strings too.
    fn string(&mut self, open: usize) -> Token {
        let quote = self.text[open];
        let count = if self.text[open..].starts_with(&[quote; 3]) { 3 } else { 1 };
        let mut at = open + count;
        while at < self.end {
            if self.text[at] == b'\\' {
                at += 2;
                continue;
            }
            if self.text[at] == quote && (count == 1 || self.text[at..].starts_with(&[quote; 3])) {
                let kind = TokenKind::String { quotes: count as u32, is_closed: true };
                return self.token(at + count, kind);
            }
            at += 1;
        }
        self.token(self.end, TokenKind::String { quotes: count as u32, is_closed: false })
    }
}

impl Iterator for Lexer<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        let rest = &self.text[self.at..self.end];
        self.at += rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        let rest = &self.text[self.at..self.end];
        let first = *rest.first()?;
        let token = match (first, rest.get(1)) {
            (b'"' | b'\'', _) => self.string(self.at),
            (b'r' | b'&' | b'^' | b'@', Some(b'"' | b'\'')) => self.string(self.at + 1),
            (b'#', _) => {
                let line = rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
                self.token(self.at + rest[..line].trim_ascii_end().len(), TokenKind::Comment)
            }
            (byte, _) if is_of_word(byte) => {
                let length = rest.iter().take_while(|byte| is_of_word(**byte)).count();
                self.token(self.at + length, TokenKind::Word)
            }
            _ => self.token(self.at + 1, TokenKind::Sign),
        };
        Some(token)
    }
}

/// The pieces of a part of a script that mean something: without comments, and without the `\` that joins lines.
#[derive(Clone)]
pub(super) struct Words<'t> {
    text: &'t str,
    lexer: Lexer<'t>,
}

impl<'t> Words<'t> {
    pub(super) fn new(text: &'t str, part: Range<usize>) -> Self {
        Self { text, lexer: Lexer::new(text, part.start, part.end) }
    }

    /// All of the text, the part of it and the rest.
    pub(super) fn text(&self) -> &'t str {
        self.text
    }

    pub(super) fn source(&self, token: Token) -> &'t str {
        &self.text[token.span.start as usize..token.span.end as usize]
    }

    /// The next one and its text.
    pub(super) fn peek(&self) -> Option<(Token, &'t str)> {
        let token = self.clone().next()?;
        Some((token, self.source(token)))
    }

    /// Godot's reading of a quoted text; nothing if it has escapes that are not understood.
    pub(super) fn string(&self, token: Token) -> Option<String> {
        let (_, is_raw, content) = literal::pieces(self.text, token.span)?;
        literal::decoded(&self.text[content.start as usize..content.end as usize], is_raw)
    }
}

impl Iterator for Words<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        let text = self.text.as_bytes();
        let means_something = |token: &Token| {
            token.kind != TokenKind::Comment && text[token.span.start as usize] != b'\\'
        };
        self.lexer.find(means_something)
    }
}

fn is_of_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || !byte.is_ascii()
}
