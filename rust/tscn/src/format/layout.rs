//! Decides what stands between every two tokens.

use crate::document::{Document, TagKind};
use crate::format::gap::{Gap, Trivia};
use crate::format::style::{Bracket, Style};
use crate::span::Span;
use crate::syntax::{Token, TokenKind};

/// Writes the tokens of a document without errors, one after the other.
pub(crate) struct Layout<'d> {
    document: &'d Document<'d>,
    tokens: &'d [Token],
    style: Style,
    out: Vec<u8>,
    /// The open brackets, a tag's included.
    brackets: Vec<Bracket>,
    /// The token before, trivia left out.
    previous: Option<Token>,
    trivia: Trivia,
    /// The tags that began so far.
    section_count: u32,
    /// The name before the last `=` in a tag.
    field: Span,
    /// Whether the token before closed an `Object(…)`.
    closed_object: bool,
}

impl<'d> Layout<'d> {
    pub(crate) fn new(document: &'d Document<'d>, tokens: &'d [Token], style: Style) -> Self {
        Self {
            document,
            tokens,
            style,
            out: Vec::with_capacity(document.text().len() + 1),
            brackets: Vec::new(),
            previous: None,
            trivia: Trivia::default(),
            section_count: 0,
            field: Span::default(),
            closed_object: false,
        }
    }

    /// The whole text in its new layout.
    pub(crate) fn write(mut self) -> Vec<u8> {
        let text = self.document.text();
        for (index, &token) in self.tokens.iter().enumerate() {
            match token.kind {
                TokenKind::Whitespace => self.trivia.whitespace(token.span.of(text)),
                TokenKind::Comment => self.trivia.comment(text, token.span),
                _ => {
                    let gap = self.gap(token);
                    self.end_object();
                    self.trivia.write(&mut self.out, text, gap);
                    self.out.extend_from_slice(token.span.of(text));
                    self.advance(index, token);
                }
            }
        }
        self.end_object();
        self.trivia.write_last(&mut self.out, text);
        self.out
    }

    /// Godot writes a line end behind every `Object(…)`, wherever it stands
    /// (`VariantWriter::write`, `case Variant::OBJECT`).
    #[inline]
    fn end_object(&mut self) {
        if self.closed_object && !self.trivia.has_comments() {
            self.out.push(b'\n');
        }
        self.closed_object = false;
    }

    /// The white space between the previous token and `token`.
    #[inline]
    fn gap(&self, token: Token) -> Gap {
        use TokenKind::*;
        let Some(previous) = self.previous else {
            return Gap::Statement { is_blank: false };
        };
        let bracket = self.brackets.last().copied();
        match token.kind {
            Comma | Colon | Period | ParenthesisOpen => return Gap::Spaces(0),
            BracketClose | CurlyBracketClose | ParenthesisClose => {
                let is_empty = is_open(previous.kind);
                return bracket.map_or(Gap::Spaces(0), |bracket| bracket.before_close(is_empty));
            }
            BracketOpen if self.starts_type(previous) => return Gap::Spaces(0),
            _ => {}
        }
        match (previous.kind, bracket) {
            (BracketOpen | CurlyBracketOpen | ParenthesisOpen, Some(bracket)) => {
                bracket.after_open()
            }
            (Comma, Some(bracket)) => bracket.after_comma(),
            (Colon, Some(bracket)) => bracket.after_colon(),
            (Equal, Some(Bracket::Tag)) => self.before_field_value(),
            (Period, _) => Gap::Spaces(0),
            (_, Some(Bracket::Tag)) if token.kind == Equal => Gap::Spaces(0),
            (_, None) if previous.kind != Equal && token.kind != Equal => self.statement(token),
            _ => Gap::Spaces(1),
        }
    }

    /// `binds= […]` is the only field with a space: Godot puts it into the text before the value
    /// (`" binds= "` in `ResourceFormatSaverTextInstance::save`).
    fn before_field_value(&self) -> Gap {
        let is_connection = self.section_kind() == Some(TagKind::Connection);
        let is_binds = is_connection && self.field.of(self.document.text()) == b"binds";
        Gap::Spaces(u8::from(is_binds))
    }

    /// Before a property or a tag.
    fn statement(&self, token: Token) -> Gap {
        let is_tag = token.kind == TokenKind::BracketOpen;
        Gap::Statement { is_blank: is_tag && !self.continues_block() }
    }

    /// Whether the next tag stands right below the last one, as Godot writes these three kinds.
    fn continues_block(&self) -> bool {
        use TagKind::*;
        let next = self.document.section(self.section_count).kind();
        matches!(next, ExtResource | Connection | Editable) && self.section_kind() == Some(next)
    }

    /// The kind of the tag that began last.
    fn section_kind(&self) -> Option<TagKind> {
        let index = self.section_count.checked_sub(1)?;
        Some(self.document.section(index).kind())
    }

    /// Whether a `[` after `previous` holds the type of a container: `Array[int]`.
    fn starts_type(&self, previous: Token) -> bool {
        previous.kind == TokenKind::Identifier
            && matches!(previous.span.of(self.document.text()), b"Array" | b"Dictionary")
    }

    /// Keeps in mind what `token`, the token number `index`, opens, closes or names.
    #[inline]
    fn advance(&mut self, index: usize, token: Token) {
        use TokenKind::*;
        match token.kind {
            BracketOpen | CurlyBracketOpen | ParenthesisOpen => {
                let bracket = self.opened(index, token);
                self.brackets.push(bracket);
            }
            BracketClose | CurlyBracketClose | ParenthesisClose => {
                self.closed_object = self.brackets.pop() == Some(Bracket::Object);
            }
            Equal => self.field = self.previous.map_or(self.field, |previous| previous.span),
            _ => {}
        }
        self.previous = Some(token);
    }

    /// Which bracket `token` opens.
    fn opened(&mut self, index: usize, token: Token) -> Bracket {
        let previous = self.previous.filter(|previous| previous.kind != TokenKind::Equal);
        match (token.kind, previous) {
            (TokenKind::CurlyBracketOpen, _) => self.style.dictionary(),
            (TokenKind::ParenthesisOpen, Some(name)) if name.kind == TokenKind::Identifier => {
                self.style.construct(name.span.of(self.document.text()))
            }
            // `Array[int](`
            (TokenKind::ParenthesisOpen, _) => Bracket::Tight,
            (_, Some(previous)) if self.starts_type(previous) => Bracket::Tight,
            _ if self.brackets.is_empty() && (previous.is_some() || self.previous.is_none()) => {
                self.section_count += 1;
                Bracket::Tag
            }
            _ => self.array(index),
        }
    }

    /// The brackets of an array at the token number `index`.
    ///
    /// Godot 3 puts the names of groups together by hand, without its inner spaces
    /// (`ResourceFormatSaverTextInstance::save`, " groups=[").
    fn array(&self, index: usize) -> Bracket {
        let is_groups = self.style == Style::Godot3
            && self.brackets == [Bracket::Tag]
            && self.field.of(self.document.text()) == b"groups";
        match is_groups {
            true if self.ends_with_comma(index) => Bracket::GroupLines,
            true => Bracket::Tight,
            false => self.style.array(),
        }
    }

    /// Whether the flat list that opens at the token number `index` has a comma before its end.
    fn ends_with_comma(&self, index: usize) -> bool {
        let content = self.tokens[index..].iter().filter(|token| !token.kind.is_trivia());
        let kinds = content.map(|token| token.kind);
        let mut last = TokenKind::BracketOpen;
        for kind in kinds.take_while(|kind| *kind != TokenKind::BracketClose) {
            last = kind;
        }
        last == TokenKind::Comma
    }
}

fn is_open(kind: TokenKind) -> bool {
    use TokenKind::*;
    matches!(kind, BracketOpen | CurlyBracketOpen | ParenthesisOpen)
}
