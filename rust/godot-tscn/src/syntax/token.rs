//! Tokens: the parts of the text, as kinds and byte ranges.

use crate::span::Span;

/// A piece of the text. Put end to end, tokens give the text byte for byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Token {
    /// Its kind.
    pub kind: TokenKind,
    /// Where it is.
    pub span: Span,
}

/// The kind of a [`Token`].
///
/// The names are those of `VariantParser::TokenType` (Godot 4.6.3), plus trivia, [`Key`] and
/// [`Invalid`].
///
/// [`Key`]: TokenKind::Key
/// [`Invalid`]: TokenKind::Invalid
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TokenKind {
    /// A run of bytes up to 32 (space, tab, line ends, control characters).
    Whitespace,
    /// `; …` up to the end of the line, which is not part of it.
    Comment,
    /// A byte order mark at the start of the text. Godot refuses it.
    ByteOrderMark,
    /// `{`
    CurlyBracketOpen,
    /// `}`
    CurlyBracketClose,
    /// `[`
    BracketOpen,
    /// `]`
    BracketClose,
    /// `(`
    ParenthesisOpen,
    /// `)`
    ParenthesisClose,
    /// `:`
    Colon,
    /// `,`
    Comma,
    /// `.`
    Period,
    /// `=`
    Equal,
    /// `true`, `Vector2`, `ext_resource`, `-inf`
    Identifier,
    /// `"…"`, possibly over several lines.
    String,
    /// `&"…"`, or `@"…"` as Godot 3 wrote it.
    StringName,
    /// `1`, `-2.5`, `1e+15`
    Number,
    /// `#rrggbb`
    Color,
    /// An unquoted piece of a property's key.
    Key,
    /// Text that Godot's tokenizer rejects, and text that was skipped to find the next tag or
    /// property.
    Invalid,
    /// The end of the text. Never part of a token list.
    Eof,
}

impl TokenKind {
    /// Whether the token separates others without a meaning of its own.
    pub const fn is_trivia(self) -> bool {
        matches!(self, Self::Whitespace | Self::Comment | Self::ByteOrderMark)
    }

    /// The name in messages, in backticks where it is code.
    pub const fn describe(self) -> &'static str {
        match self {
            Self::Whitespace => "white space",
            Self::Comment => "a comment",
            Self::ByteOrderMark => "a byte order mark",
            Self::CurlyBracketOpen => "`{`",
            Self::CurlyBracketClose => "`}`",
            Self::BracketOpen => "`[`",
            Self::BracketClose => "`]`",
            Self::ParenthesisOpen => "`(`",
            Self::ParenthesisClose => "`)`",
            Self::Colon => "`:`",
            Self::Comma => "`,`",
            Self::Period => "`.`",
            Self::Equal => "`=`",
            Self::Identifier => "an identifier",
            Self::String => "a string",
            Self::StringName => "a string name",
            Self::Number => "a number",
            Self::Color => "a color",
            Self::Key => "a key",
            Self::Invalid => "an unknown character",
            Self::Eof => "the end of the file",
        }
    }
}

/// Where the lexer puts tokens: a `Vec` keeps them, `()` drops them at no cost.
pub(crate) trait TokenSink {
    /// Takes the next token. Empty ones are left out.
    fn token(&mut self, kind: TokenKind, span: Span);

    /// Takes back everything from `offset` on; a token cut in two becomes invalid.
    fn rewind(&mut self, offset: u32);
}

impl TokenSink for () {
    fn token(&mut self, _kind: TokenKind, _span: Span) {}

    fn rewind(&mut self, _offset: u32) {}
}

impl TokenSink for Vec<Token> {
    fn token(&mut self, kind: TokenKind, span: Span) {
        if !span.is_empty() {
            self.push(Token { kind, span });
        }
    }

    fn rewind(&mut self, offset: u32) {
        while self.last().is_some_and(|token| token.span.start >= offset) {
            self.pop();
        }
        if let Some(last) = self.last_mut()
            && last.span.end > offset
        {
            last.kind = TokenKind::Invalid;
            last.span.end = offset;
        }
    }
}
