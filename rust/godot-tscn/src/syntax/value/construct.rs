//! Values with a name: `Vector2(…)`, `ExtResource(…)`, typed arrays and dictionaries, objects.

use crate::decode;
use crate::document::{Reference, ReferenceKind, ValueKind};
use crate::span::Span;
use crate::syntax::base64;
use crate::syntax::construct::{Shape, shape_and_age_of};
use crate::syntax::error::{Expected, SyntaxErrorKind};
use crate::syntax::parser::Parser;
use crate::syntax::recovery::Abort;
use crate::syntax::token::{Token, TokenKind, TokenSink};
use crate::syntax::value::{FrameKind, Start, frame};

impl<S: TokenSink> Parser<'_, S> {
    pub(super) fn construct(&mut self, name: Token) -> Result<Start, Abort> {
        let Some((shape, is_older)) = shape_and_age_of(name.span.of(self.lexer.text)) else {
            return self.unknown_identifier(name);
        };
        self.tree.has_older_constructs |= is_older;
        match shape {
            Shape::Array => return self.typed_array(),
            Shape::Dictionary => return self.typed_dictionary(),
            Shape::Object => return self.object(),
            Shape::Numbers(count) => self.numbers(name, count, false)?,
            Shape::NumberGroups(count) => self.numbers(name, count, true)?,
            Shape::ExtResource => self.resource_id(ReferenceKind::ExtResource)?,
            Shape::SubResource => self.resource_id(ReferenceKind::SubResource)?,
            Shape::Bytes
            | Shape::Strings
            | Shape::NodePath
            | Shape::Rid
            | Shape::Empty
            | Shape::Resource => self.small_construct(shape)?,
        }
        self.open_construct = None;
        Ok(Start::Done(ValueKind::Construct))
    }

    /// Constructs other than the frequent ones.
    fn small_construct(&mut self, shape: Shape) -> Result<(), Abort> {
        self.open_parenthesis()?;
        match shape {
            Shape::Strings => return self.strings(),
            Shape::Resource => return self.resource_path(),
            Shape::Bytes => {
                let token = self.lexer.next();
                if token.kind != TokenKind::String {
                    let count = self.number_list(token)?;
                    self.tree.most_decimal_bytes = self.tree.most_decimal_bytes.max(count);
                    return Ok(());
                }
                self.base64(token);
            }
            Shape::NodePath => {
                let token = self.lexer.next();
                if token.kind != TokenKind::String {
                    return Err(self.expected(token, Expected::String));
                }
            }
            Shape::Rid => {
                let token = self.lexer.next();
                match token.kind {
                    TokenKind::ParenthesisClose => return Ok(()),
                    TokenKind::Number => {}
                    _ => return Err(self.expected(token, Expected::Number)),
                }
            }
            _ => {}
        }
        self.punctuation(TokenKind::ParenthesisClose).map(drop)
    }

    /// Checks the text of a `PackedByteArray`.
    fn base64(&mut self, token: Token) {
        self.tree.format_4_value.get_or_insert(token.span);
        if !base64::is_valid(&decode::text(token.span.of(self.lexer.text))) {
            self.lexer.report(SyntaxErrorKind::BadBase64, token.span);
        }
    }

    fn numbers(&mut self, name: Token, expected: u8, multiple: bool) -> Result<(), Abort> {
        self.open_parenthesis()?;
        if multiple && name.span.of(self.lexer.text) == b"PackedVector4Array" {
            self.tree.format_4_value.get_or_insert(name.span);
        }
        let first = self.lexer.next();
        let count = self.number_list(first)?;
        let fits =
            if multiple { count % expected as usize == 0 } else { count == expected as usize };
        if !fits {
            let span = Span::new(name.span.start, self.lexer.offset());
            self.lexer.report(SyntaxErrorKind::WrongArity { expected, multiple }, span);
        }
        Ok(())
    }

    /// Reads numbers, beginning with `token`, and the `)`. Returns how many there are.
    fn number_list(&mut self, mut token: Token) -> Result<usize, Abort> {
        let mut count = 0;
        let mut comma: Option<Span> = None;
        loop {
            match token.kind {
                TokenKind::Number => count += 1 + self.lexer.more_numbers(),
                TokenKind::ParenthesisClose => {
                    if let Some(comma) = comma {
                        self.lexer.report(SyntaxErrorKind::ExtraComma, comma);
                    }
                    return Ok(count);
                }
                TokenKind::Comma => {
                    self.lexer.report(SyntaxErrorKind::ExtraComma, token.span);
                    token = self.lexer.next();
                    continue;
                }
                _ if self.is_special_float(token) => count += 1,
                _ => return Err(self.expected(token, Expected::Number)),
            }
            token = self.lexer.next();
            match token.kind {
                TokenKind::Comma => {
                    comma = Some(token.span);
                    token = self.lexer.next();
                }
                TokenKind::ParenthesisClose => return Ok(count),
                _ => {
                    comma = None;
                    self.missing_comma(token)?;
                }
            }
        }
    }

    fn is_special_float(&self, token: Token) -> bool {
        let text = token.span.of(self.lexer.text);
        token.kind == TokenKind::Identifier
            && matches!(text, b"inf" | b"-inf" | b"inf_neg" | b"nan")
    }

    fn strings(&mut self) -> Result<(), Abort> {
        let mut token = self.lexer.next();
        loop {
            match token.kind {
                TokenKind::ParenthesisClose => return Ok(()),
                TokenKind::String => {}
                TokenKind::Comma => {
                    return Err(self.unexpected(token, SyntaxErrorKind::ExtraComma));
                }
                _ => return Err(self.expected(token, Expected::String)),
            }
            token = self.lexer.next();
            match token.kind {
                TokenKind::ParenthesisClose => return Ok(()),
                TokenKind::Comma => token = self.lexer.next(),
                _ => self.missing_comma(token)?,
            }
        }
    }

    /// `ExtResource("1_abcde")`, or `ExtResource( 1 )` as Godot 3 wrote it.
    fn resource_id(&mut self, kind: ReferenceKind) -> Result<(), Abort> {
        self.open_parenthesis()?;
        let token = self.lexer.next();
        if !matches!(token.kind, TokenKind::Number | TokenKind::String) {
            return Err(self.expected(token, Expected::Id));
        }
        self.push_reference(kind, token);
        self.punctuation(TokenKind::ParenthesisClose).map(drop)
    }

    /// `Resource("res://…")`, with a uid before or after the path.
    fn resource_path(&mut self) -> Result<(), Abort> {
        let mut token = self.lexer.next();
        if token.kind != TokenKind::String {
            return Err(self.expected(token, Expected::String));
        }
        self.push_reference(ReferenceKind::Resource, token);
        token = self.lexer.next();
        if token.kind == TokenKind::Comma {
            token = self.lexer.next();
            if token.kind != TokenKind::String {
                return Err(self.expected(token, Expected::String));
            }
            token = self.lexer.next();
        }
        match token.kind {
            TokenKind::ParenthesisClose => Ok(()),
            _ => Err(self.expected(token, Expected::Punctuation(TokenKind::ParenthesisClose))),
        }
    }

    fn push_reference(&mut self, kind: ReferenceKind, target: Token) {
        let section = self.tree.sections.len().checked_sub(1).map(|index| index as u32);
        self.tree.references.push(Reference { kind, section, target: target.span });
    }

    /// `Array[Type]([`
    fn typed_array(&mut self) -> Result<Start, Abort> {
        self.punctuation(TokenKind::BracketOpen)?;
        let token = self.type_name()?;
        self.punctuation_at(token, TokenKind::BracketClose)?;
        self.punctuation(TokenKind::ParenthesisOpen)?;
        let open = self.punctuation(TokenKind::BracketOpen)?;
        Ok(Start::Open(ValueKind::Construct, frame(FrameKind::Array, open, true)))
    }

    /// `Dictionary[Key, Value]({`
    fn typed_dictionary(&mut self) -> Result<Start, Abort> {
        self.punctuation(TokenKind::BracketOpen)?;
        let token = self.type_name()?;
        self.punctuation_at(token, TokenKind::Comma)?;
        let token = self.type_name()?;
        self.punctuation_at(token, TokenKind::BracketClose)?;
        self.punctuation(TokenKind::ParenthesisOpen)?;
        let open = self.punctuation(TokenKind::CurlyBracketOpen)?;
        Ok(Start::Open(ValueKind::Construct, frame(FrameKind::Dictionary, open, true)))
    }

    /// `Object(Class,`
    fn object(&mut self) -> Result<Start, Abort> {
        let open = self.punctuation(TokenKind::ParenthesisOpen)?;
        let class = self.lexer.next();
        if class.kind != TokenKind::Identifier {
            return Err(self.expected(class, Expected::TypeName));
        }
        self.punctuation(TokenKind::Comma)?;
        Ok(Start::Open(ValueKind::Construct, frame(FrameKind::Object, open, false)))
    }

    /// Reads the type of a typed container. Returns the token after it.
    ///
    /// `Resource` may be the class or, with `(`, the path of a script.
    fn type_name(&mut self) -> Result<Token, Abort> {
        let name = self.lexer.next();
        if name.kind != TokenKind::Identifier {
            return Err(self.expected(name, Expected::TypeName));
        }
        let kind = match name.span.of(self.lexer.text) {
            b"ExtResource" => ReferenceKind::ExtResource,
            b"SubResource" => ReferenceKind::SubResource,
            b"Resource" => {
                let token = self.lexer.next();
                if token.kind == TokenKind::ParenthesisOpen {
                    self.resource_path()?;
                    return Ok(self.lexer.next());
                }
                return Ok(token);
            }
            _ => return Ok(self.lexer.next()),
        };
        self.resource_id(kind)?;
        self.open_construct = None;
        Ok(self.lexer.next())
    }

    fn open_parenthesis(&mut self) -> Result<Token, Abort> {
        let open = self.punctuation(TokenKind::ParenthesisOpen)?;
        self.open_construct = Some(open.span.start);
        Ok(open)
    }
}
