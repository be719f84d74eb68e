//! Tags, fields and properties: `VariantParser::parse_tag` and `parse_tag_assign_eof` of Godot
//! 4.6.3, which go on after an error instead of giving up.

use crate::document::{
    Document, FEW_FIELDS, FieldData, PropertyData, SectionData, TagKind, Tree, ValueKind, WideTags,
    nested,
};
use crate::span::Span;
use crate::syntax::error::{Expected, SyntaxError, SyntaxErrorKind, Unterminated};
use crate::syntax::key::KeySpan;
use crate::syntax::lexer::Lexer;
use crate::syntax::recovery::Abort;
use crate::syntax::scan::identifier_end;
use crate::syntax::token::{Token, TokenKind, TokenSink};
use crate::syntax::value::Frame;

/// Parses a text scene or resource. Never fails: errors are in [`Document::errors`].
///
/// ```
/// let document = godot_tscn::parse(b"[gd_scene format=3]\n[node name=\"A\" type=\"Node\"]\nx = \n");
/// assert_eq!(document.sections().len(), 2);
/// assert_eq!(document.errors().len(), 1);
/// ```
pub fn parse(text: &[u8]) -> Document<'_> {
    parse_into(Parser::new(text, ())).0
}

/// The tokens of a text. Put end to end they give the text, whatever it is.
///
/// ```
/// let text = b"[node name=\"A\" ; comment\nrubbish";
/// let joined: Vec<u8> =
///     godot_tscn::tokens(text).iter().flat_map(|token| token.span.of(text)).copied().collect();
/// assert_eq!(joined, text);
/// ```
pub fn tokens(text: &[u8]) -> Vec<Token> {
    parse_into(Parser::new(text, Vec::new())).1
}

/// The tokens of a settings file such as `project.godot`; see [`parse_config`](crate::parse_config).
/// Put end to end they give the text, whatever it is.
pub fn config_tokens(text: &[u8]) -> Vec<Token> {
    parse_into(Parser { is_config: true, ..Parser::new(text, Vec::new()) }).1
}

/// Parses a settings file.
pub(crate) fn parse_config_document(text: &[u8]) -> Document<'_> {
    parse_into(Parser { is_config: true, ..Parser::new(text, ()) }).0
}

/// Whether `text` is one value, and nothing else; the first fault if not.
pub(crate) fn check_value(text: &[u8]) -> Result<(), SyntaxError> {
    let mut parser = Parser::new(text, ());
    if text.len() > u32::MAX as usize {
        let span = Span::default();
        return Err(SyntaxError { kind: SyntaxErrorKind::TooLarge, span, related: None });
    }
    let first = parser.lexer.next();
    if parser.value(first).is_ok() {
        let rest = parser.lexer.next();
        if rest.kind != TokenKind::Eof {
            parser.lexer.report(SyntaxErrorKind::TrailingGarbage, rest.span);
        }
    }
    let mut errors = parser.lexer.errors;
    errors.retain(|error| super::is_refused(error.kind));
    errors.sort_by_key(|error| error.span);
    errors.first().map_or(Ok(()), |error| Err(*error))
}

/// Where the value that `text` starts with ends; where reading ends, if Godot reads no value there.
pub(super) fn value_end(text: &[u8]) -> Result<usize, usize> {
    let mut parser = Parser::new(text, ());
    let first = parser.lexer.next();
    let outcome = parser.value(first);
    let is_refused = parser.lexer.errors.iter().any(|error| super::is_refused(error.kind));
    match outcome {
        Ok(_) if !is_refused => Ok(parser.lexer.pos),
        _ => Err(parser.lexer.pos),
    }
}

/// Parses a text, handing every token to the parser's sink.
fn parse_into<S: TokenSink>(mut parser: Parser<'_, S>) -> (Document<'_>, S) {
    let text = parser.lexer.text;
    if parser.check_start() {
        parser.document();
    }
    let Parser { lexer, mut tree, has_wide_tags, is_config, .. } = parser;
    if !is_config {
        nested::mark(&mut tree, text);
    }
    if has_wide_tags {
        tree.wide_tags = WideTags::of(&tree, text);
    }
    let mut errors = lexer.errors;
    errors.sort_by_key(|error| error.span);
    (Document { text, tree, errors, comments: lexer.comments }, lexer.sink)
}

pub(crate) struct Parser<'t, S> {
    pub(crate) lexer: Lexer<'t, S>,
    pub(crate) tree: Tree,
    /// The arrays and dictionaries around the current place of a value.
    pub(crate) frames: Vec<Frame>,
    /// Where the tag that is being read starts.
    pub(crate) open_tag: Option<u32>,
    /// Where the `(` of the construct that is being read is.
    pub(crate) open_construct: Option<u32>,
    /// The error that reported the last `<<<<<<<`, until its `>>>>>>>` is found.
    pub(crate) open_conflict: Option<usize>,
    /// Whether the rest of the text is known to have no `>>>>>>>`.
    pub(crate) no_conflict_end: bool,
    /// How many bytes may still be read a second time.
    pub(crate) rewind_budget: usize,
    /// Whether tags are names only, as in `project.godot`.
    pub(crate) is_config: bool,
    /// Whether a tag has more than [`FEW_FIELDS`].
    has_wide_tags: bool,
}

impl<'t, S: TokenSink> Parser<'t, S> {
    fn new(text: &'t [u8], sink: S) -> Self {
        Self {
            lexer: Lexer::new(text, sink),
            tree: Tree::default(),
            frames: Vec::new(),
            open_tag: None,
            open_construct: None,
            open_conflict: None,
            no_conflict_end: false,
            rewind_budget: text.len().saturating_mul(2),
            is_config: false,
            has_wide_tags: false,
        }
    }

    /// Handles a file that is not text, and a byte order mark. Returns whether to read on.
    fn check_start(&mut self) -> bool {
        let text = self.lexer.text;
        if text.len() > u32::MAX as usize {
            self.lexer.report(SyntaxErrorKind::TooLarge, Span::default());
            return false;
        }
        if text.starts_with(b"\xef\xbb\xbf") {
            self.lexer.pos = 3;
            let token = self.lexer.emit(TokenKind::ByteOrderMark, 0);
            self.lexer.report(SyntaxErrorKind::ByteOrderMark, token.span);
            return true;
        }
        let kind = match text {
            [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => SyntaxErrorKind::ByteOrderMark,
            [b'R', b'S', b'R' | b'C', b'C', ..] => SyntaxErrorKind::Binary,
            _ => return true,
        };
        self.lexer.report(kind, Span::new(0, if kind == SyntaxErrorKind::Binary { 4 } else { 2 }));
        self.lexer.pos = text.len();
        self.lexer.emit(TokenKind::Invalid, 0);
        false
    }

    fn document(&mut self) {
        self.tree = Tree::with_room_for(self.lexer.text.len());
        if !self.is_config {
            self.skip_junk_before_header();
        }
        self.properties(None);
        while self.lexer.byte() == Some(b'[') || self.is_tag_without_bracket() {
            let end = self.tag();
            self.properties(end);
        }
        debug_assert_eq!(self.lexer.pos, self.lexer.text.len());
    }

    /// Reads a tag. Returns where it ends, or nothing if it was left unfinished.
    fn tag(&mut self) -> Option<u32> {
        let start = self.lexer.offset();
        let section = self.tree.sections.len();
        self.tree.sections.push(SectionData {
            tag: Span::empty(start),
            name: Span::empty(start),
            kind: TagKind::Unknown,
            is_broken: true,
            first_field: self.tree.fields.len() as u32,
            first_property: self.tree.properties.len() as u32,
            first_reference: self.tree.references.len() as u32,
        });
        if self.lexer.byte() == Some(b'[') {
            self.lexer.next();
        } else {
            let end = identifier_end(self.lexer.text, start as usize) as u32;
            self.lexer.report(SyntaxErrorKind::TagWithoutBracket, Span::new(start, end));
        }
        self.open_tag = Some(start);
        let outcome = match self.is_config {
            true => self.config_tag_body(section),
            false => self.tag_body(section),
        };
        self.open_tag = None;
        let data = &mut self.tree.sections[section];
        self.has_wide_tags |= self.tree.fields.len() - data.first_field as usize > FEW_FIELDS;
        match outcome {
            Ok(()) => {
                data.is_broken = false;
                data.tag.end = self.lexer.offset();
                Some(data.tag.end)
            }
            Err(abort) => {
                data.tag.end = abort.from.max(start + 1);
                self.recover(abort);
                None
            }
        }
    }

    /// Reads a tag after its `[`.
    fn tag_body(&mut self, section: usize) -> Result<(), Abort> {
        let mut token = self.lexer.next();
        let mut name = token.span;
        if token.kind != TokenKind::Identifier {
            return Err(self.expected(token, Expected::TagName));
        }
        token = self.lexer.next();
        // `[some.thing:else]` is one name.
        while matches!(token.kind, TokenKind::Period | TokenKind::Colon) {
            token = self.lexer.next();
            if token.kind != TokenKind::Identifier {
                return Err(self.expected(token, Expected::TagName));
            }
            name.end = token.span.end;
            token = self.lexer.next();
        }
        let data = &mut self.tree.sections[section];
        data.name = name;
        data.kind = TagKind::of(name.of(self.lexer.text));
        while token.kind != TokenKind::BracketClose {
            self.field(token)?;
            let end = self.lexer.offset();
            token = self.lexer.next_inlined();
            if token.kind == TokenKind::Identifier && token.span.start == end {
                if self.swallows_lines_before(token) {
                    self.spoil_last_field();
                    return Err(self.expected(token, Expected::FieldName));
                }
                self.lexer.report(SyntaxErrorKind::MissingSpace, token.span);
            }
        }
        Ok(())
    }

    /// Reads a tag of a settings file after its `[`: everything up to the next `]` without a `\\`
    /// before it. For Godot that may be on another line, which is never meant.
    fn config_tag_body(&mut self, section: usize) -> Result<(), Abort> {
        let start = self.lexer.pos;
        let rest = &self.lexer.text[start..];
        let mut is_escaped = false;
        let end = rest.iter().position(|byte| {
            let is_end = *byte == b'\n' || *byte == b']' && !is_escaped;
            is_escaped = *byte == b'\\';
            is_end
        });
        self.tree.sections[section].name = Span::empty(start as u32);
        match end {
            Some(end) if rest[end] == b']' => self.lexer.pos += end,
            _ => {
                let open = Span::new(start as u32 - 1, start as u32);
                self.lexer.report(SyntaxErrorKind::Unterminated(Unterminated::Tag), open);
                let line_end = end.map_or(self.lexer.text.len(), |end| start + end + 1);
                return Err(Abort { from: start as u32, resume: Some(line_end) });
            }
        }
        if self.lexer.pos > start {
            self.lexer.emit(TokenKind::Identifier, start);
        }
        self.tree.sections[section].name = Span::new(start as u32, self.lexer.offset());
        self.lexer.next();
        Ok(())
    }

    /// Reads a field with this `name`.
    fn field(&mut self, name: Token) -> Result<(), Abort> {
        if name.kind != TokenKind::Identifier {
            return Err(self.expected(name, Expected::FieldName));
        }
        let equal = self.lexer.next_inlined();
        if equal.kind != TokenKind::Equal {
            return Err(match self.string_left_open_before(name) {
                Some(abort) => abort,
                None => self.expected(equal, Expected::FieldEqual),
            });
        }
        let first = self.lexer.next_inlined();
        let (value, kind, outcome) = self.value_span(first);
        self.tree.fields.push(FieldData { name: name.span, value, kind });
        outcome
    }

    /// Reads properties up to the next tag or the end of the text.
    ///
    /// `previous_end` is the end of the tag before: the rest of its line is checked twice.
    fn properties(&mut self, mut previous_end: Option<u32>) {
        let takes_properties = self.is_config
            || self.tree.sections.last().is_some_and(|section| section.kind.takes_properties());
        while let Some(key) = self.key(previous_end, takes_properties) {
            if !takes_properties && !key.key.is_empty() {
                self.lexer.report(SyntaxErrorKind::StrayProperty, key.key);
            }
            let equal = self.lexer.next_inlined();
            let first = self.lexer.next_inlined();
            if self.is_next_line_instead(first) {
                self.lexer.report(
                    SyntaxErrorKind::Expected { expected: Expected::Value, found: TokenKind::Eof },
                    equal.span,
                );
                self.recover(Abort { from: equal.span.start, resume: None });
                self.push_property(&key, equal.span, ValueKind::Invalid);
                previous_end = None;
                continue;
            }
            let (value, kind, outcome) = self.value_span(first);
            self.push_property(&key, value, kind);
            previous_end = match outcome {
                Ok(()) => Some(value.end),
                Err(abort) => {
                    self.recover(abort);
                    None
                }
            };
        }
    }

    fn push_property(&mut self, key: &KeySpan, value: Span, kind: ValueKind) {
        let KeySpan { key, start: engine_key_start, is_plain: has_plain_key } = *key;
        let property = PropertyData { key, engine_key_start, value, kind, has_plain_key };
        self.tree.properties.push(property);
    }

    /// Whether `first`, which should start a value, is the start of the next property or tag.
    fn is_next_line_instead(&self, first: Token) -> bool {
        first.kind == TokenKind::Identifier && self.starts_line_of_its_own(first.span.start)
            || first.kind == TokenKind::BracketOpen && self.starts_line_of_its_own(first.span.start)
    }

    /// Reads a value; its span ends where it breaks off.
    fn value_span(&mut self, first: Token) -> (Span, ValueKind, Result<(), Abort>) {
        match self.value(first) {
            Ok(kind) => (Span::new(first.span.start, self.lexer.offset()), kind, Ok(())),
            Err(abort) => {
                self.frames.clear();
                self.open_construct = None;
                let end = abort.from.max(first.span.end).min(self.lexer.offset());
                (Span::new(first.span.start.min(end), end), ValueKind::Invalid, Err(abort))
            }
        }
    }

    pub(crate) fn expected(&mut self, token: Token, expected: Expected) -> Abort {
        self.unexpected(token, SyntaxErrorKind::Expected { expected, found: token.kind })
    }

    /// The innermost thing that is open at the current place.
    pub(crate) fn opener(&self) -> Option<(Unterminated, u32)> {
        if let Some(start) = self.open_construct {
            return Some((Unterminated::Construct, start));
        }
        if let Some(frame) = self.frames.last() {
            return Some((frame.unterminated(), frame.open));
        }
        self.open_tag.map(|start| (Unterminated::Tag, start))
    }
}
