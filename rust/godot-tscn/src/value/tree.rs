//! The parts of a value that the parser has found sound, in one flat list.
//!
//! Lists of numbers stay one part: a mesh has millions.

use std::borrow::Cow;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use memchr::{memchr, memchr_iter};

use crate::decode;
use crate::number::{is_number, parse_float};
use crate::span::Span;
use crate::syntax::TokenKind;
use crate::syntax::lexer::Lexer;

/// A value's parts, each before those inside it.
///
/// ```
/// let tree = godot_tscn::ValueTree::new(br#"[NodePath("A/B"), {"key": 1}]"#);
/// let mut parts = tree.root().children();
/// assert_eq!(parts.next().unwrap().inner_text("NodePath").unwrap().as_ref(), b"A/B");
/// assert_eq!(parts.next().unwrap().get("key").unwrap().int(), Some(1));
/// ```
#[derive(Debug)]
pub struct ValueTree<'t> {
    text: &'t [u8],
    /// Where in the document the text starts.
    start: u32,
    parts: Vec<Part>,
}

#[derive(Clone, Copy, Debug)]
struct Part {
    kind: PartKind,
    /// In the value's text.
    span: Span,
    /// The index after the last part inside this one.
    end: u32,
}

/// The kind of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartKind {
    /// `"…"`
    String,
    /// `&"…"`
    StringName,
    /// `1.5`
    Number,
    /// `#rrggbb`
    Color,
    /// `true`, `inf`, or the name of a type or class.
    Word,
    /// `[…]`
    Array,
    /// Its parts are keys and values in turn.
    Dictionary,
    /// `Name(…)`
    Construct,
    /// `Name(…)` with nothing but numbers inside, which are not parts.
    Numbers,
    /// `Array[…](…)`, `Dictionary[…](…)`: the types, and the container.
    Typed,
}

/// A part of a [`ValueTree`].
#[derive(Clone, Copy, Debug)]
pub struct PartRef<'v> {
    tree: &'v ValueTree<'v>,
    index: u32,
}

impl<'t> ValueTree<'t> {
    /// For a text that the parser accepts; for others, any result without a panic.
    pub fn new(text: &'t [u8]) -> Self {
        Self::in_document(text, 0)
    }

    /// For a text that starts at `start` in its document: the spans are in the document.
    pub(crate) fn in_document(text: &'t [u8], start: u32) -> Self {
        let mut tree = Self { text, start, parts: Vec::new() };
        let mut lexer = Lexer::new(text, ());
        let mut open: Vec<u32> = Vec::new();
        loop {
            let token = lexer.next();
            let kind = match token.kind {
                TokenKind::Eof | TokenKind::Invalid => break,
                TokenKind::String => PartKind::String,
                TokenKind::StringName => PartKind::StringName,
                TokenKind::Number => PartKind::Number,
                TokenKind::Color => PartKind::Color,
                TokenKind::BracketOpen => PartKind::Array,
                TokenKind::CurlyBracketOpen => PartKind::Dictionary,
                TokenKind::Identifier => {
                    tree.word(&mut lexer, token.span, &mut open);
                    continue;
                }
                TokenKind::BracketClose if tree.closes_types(&open) => {
                    // The container in parentheses follows.
                    lexer.next();
                    continue;
                }
                TokenKind::BracketClose
                | TokenKind::CurlyBracketClose
                | TokenKind::ParenthesisClose => {
                    tree.close(&mut open, lexer.offset());
                    continue;
                }
                _ => continue,
            };
            let index = tree.push(kind, token.span);
            if matches!(kind, PartKind::Array | PartKind::Dictionary) {
                open.push(index);
            }
        }
        while !open.is_empty() {
            tree.close(&mut open, text.len() as u32);
        }
        if tree.parts.is_empty() {
            tree.push(PartKind::Word, Span::empty(0));
        }
        tree
    }

    /// The value itself.
    pub fn root(&self) -> PartRef<'_> {
        PartRef { tree: self, index: 0 }
    }

    /// All parts, each before those inside it.
    pub fn parts(&self) -> impl Iterator<Item = PartRef<'_>> {
        (0..self.parts.len() as u32).map(|index| PartRef { tree: self, index })
    }

    fn push(&mut self, kind: PartKind, span: Span) -> u32 {
        let index = self.parts.len() as u32;
        self.parts.push(Part { kind, span, end: index + 1 });
        index
    }

    /// A word, or the element that it opens.
    fn word(&mut self, lexer: &mut Lexer<'t, ()>, name: Span, open: &mut Vec<u32>) {
        let after = lexer.pos;
        lexer.skip_trivia();
        match lexer.byte() {
            Some(b'(') => {
                lexer.pos += 1;
                let start = lexer.pos;
                if is_number_construct(name.of(self.text))
                    && let Some(length) = memchr(b')', &self.text[start..])
                    && memchr(b';', &self.text[start..start + length]).is_none()
                {
                    lexer.pos = start + length + 1;
                    self.push(PartKind::Numbers, Span::new(name.start, lexer.offset()));
                } else {
                    open.push(self.push(PartKind::Construct, name));
                }
            }
            Some(b'[') if matches!(name.of(self.text), b"Array" | b"Dictionary") => {
                lexer.pos += 1;
                open.push(self.push(PartKind::Typed, name));
            }
            _ => {
                lexer.pos = after;
                self.push(PartKind::Word, name);
            }
        }
    }

    fn closes_types(&self, open: &[u32]) -> bool {
        open.last().is_some_and(|index| self.parts[*index as usize].kind == PartKind::Typed)
    }

    fn close(&mut self, open: &mut Vec<u32>, end: u32) {
        let count = self.parts.len() as u32;
        if let Some(index) = open.pop() {
            let part = &mut self.parts[index as usize];
            part.end = count;
            part.span.end = end;
        }
    }
}

impl<'v> PartRef<'v> {
    /// Its kind.
    pub fn kind(self) -> PartKind {
        self.part().kind
    }

    /// Where it is: in the document if the tree is of [`Property::value_tree`] or [`Field::value_tree`], else in the value's text.
    ///
    /// [`Property::value_tree`]: crate::Property::value_tree
    /// [`Field::value_tree`]: crate::Field::value_tree
    pub fn span(self) -> Span {
        let Span { start, end } = self.part().span;
        Span::new(self.tree.start + start, self.tree.start + end)
    }

    /// Its source text.
    pub fn source(self) -> &'v [u8] {
        self.part().span.of(self.tree.text)
    }

    /// The name of a construct, or the word.
    pub fn name(self) -> &'v [u8] {
        let source = self.source();
        let length = source.iter().position(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_');
        match self.kind() {
            PartKind::Construct | PartKind::Numbers | PartKind::Typed => {
                &source[..length.unwrap_or(source.len())]
            }
            PartKind::Word => source,
            _ => b"",
        }
    }

    /// The text of a string or string name.
    pub fn text(self) -> Option<Cow<'v, [u8]>> {
        matches!(self.kind(), PartKind::String | PartKind::StringName)
            .then(|| decode::text(self.source()))
    }

    /// The text of the string in a construct: the path in `NodePath("…")`, the id in
    /// `SubResource("…")`.
    pub fn inner_text(self, name: &str) -> Option<Cow<'v, [u8]>> {
        if self.name() != name.as_bytes() {
            return None;
        }
        let inner = self.children().next()?;
        match inner.kind() {
            PartKind::String | PartKind::Number => Some(decode::text(inner.source())),
            _ => None,
        }
    }

    /// A number, `inf` and `nan` too.
    pub fn number(self) -> Option<f64> {
        match self.kind() {
            PartKind::Number => Some(parse_float(self.source())),
            PartKind::Word if is_number(self.source()) => Some(parse_float(self.source())),
            _ => None,
        }
    }

    /// A whole number.
    pub fn int(self) -> Option<i64> {
        match self.kind() {
            PartKind::Number => std::str::from_utf8(self.source()).ok()?.parse().ok(),
            _ => None,
        }
    }

    /// Its direct children.
    pub fn children(self) -> impl Iterator<Item = PartRef<'v>> {
        let end = self.part().end;
        let mut next = self.index + 1;
        std::iter::from_fn(move || {
            (next < end).then(|| {
                let child = PartRef { tree: self.tree, index: next };
                next = child.part().end;
                child
            })
        })
    }

    /// The keys and values of a dictionary.
    pub fn entries(self) -> impl Iterator<Item = (PartRef<'v>, PartRef<'v>)> {
        let mut children = self.children();
        std::iter::from_fn(move || Some((children.next()?, children.next()?)))
    }

    /// The value of a dictionary under the string `key`.
    pub fn get(self, key: &str) -> Option<PartRef<'v>> {
        if self.kind() != PartKind::Dictionary {
            return None;
        }
        let mut entries = self.entries();
        entries
            .find(|(found, _)| found.text().as_deref() == Some(key.as_bytes()))
            .map(|entry| entry.1)
    }

    /// How many numbers a construct of numbers has.
    pub fn number_count(self) -> usize {
        let inside = self.inside();
        if inside.trim_ascii().is_empty() { 0 } else { memchr_iter(b',', inside).count() + 1 }
    }

    /// The numbers of a construct of numbers.
    pub fn numbers(self) -> impl Iterator<Item = &'v [u8]> {
        let inside = self.inside();
        let is_empty = inside.trim_ascii().is_empty();
        inside.split(|byte| *byte == b',').map(trim).take(if is_empty { 0 } else { usize::MAX })
    }

    /// The bytes of a `PackedByteArray`, which are written as numbers or as base64.
    pub fn bytes(self) -> Option<Vec<u8>> {
        if self.name() != b"PackedByteArray" {
            return None;
        }
        if let Some(text) = self.children().next().and_then(PartRef::text) {
            return STANDARD.decode(&*text).ok();
        }
        self.numbers().map(|number| std::str::from_utf8(number).ok()?.parse::<u8>().ok()).collect()
    }

    /// Where each of [`PartRef::numbers`] is.
    pub(crate) fn number_spans(self) -> impl Iterator<Item = Span> {
        let inside = self.inside();
        let mut end = self.span().end - 1 - inside.len() as u32;
        inside.split(|byte| *byte == b',').map(move |piece| {
            let start = end;
            end += piece.len() as u32 + 1;
            let number = trim(piece);
            let blank = piece.iter().take_while(|byte| **byte <= 32).count() as u32;
            Span::new(start + blank, start + blank + number.len() as u32)
        })
    }

    /// The text between the parentheses of a construct of numbers.
    fn inside(self) -> &'v [u8] {
        let source = self.source();
        let open = memchr(b'(', source).map_or(source.len(), |at| at + 1);
        let end = source.len().saturating_sub(1).max(open);
        source.get(open..end).unwrap_or_default()
    }

    fn part(self) -> &'v Part {
        &self.tree.parts[self.index as usize]
    }
}

/// As the tokenizer: every byte up to 32 is blank.
fn trim(text: &[u8]) -> &[u8] {
    let start = text.iter().position(|byte| *byte > 32).unwrap_or(text.len());
    let end = text.iter().rposition(|byte| *byte > 32).map_or(start, |last| last + 1);
    &text[start..end]
}

/// Whether the construct contains only numbers. In a byte array may be a string.
fn is_number_construct(name: &[u8]) -> bool {
    use crate::syntax::construct::{Shape, shape_of};
    matches!(shape_of(name), Some(Shape::Numbers(_) | Shape::NumberGroups(_)))
}
