//! Writes the tags and properties of a sound document; `values` writes their contents.
//!
//! Tokens are read once more while they are written, so that the formatter keeps none of them.

mod statement;

use std::ops::Range;

use crate::document::{Document, Section, TagKind};
use crate::format::fingerprint::{Fingerprint, UnorderedParts};
use crate::format::order::{Entry, compare_ids, stable_order};
use crate::format::output_buffer::OutputBuffer;
use crate::format::profile::FormatProfile;
use crate::format::spacing::{Spacing, Trivia};
use crate::span::Span;
use crate::syntax::lexer::Lexer;
use crate::syntax::{Token, TokenKind};

/// The result.
pub(crate) struct Printed {
    /// The text, or nothing if it is the same.
    pub(crate) text: Option<Vec<u8>>,
    /// The fingerprint of the text, without the sections that stayed.
    pub(crate) fingerprint: Fingerprint,
    /// For each section where it is, if it stayed byte for byte.
    pub(crate) same_sections: Vec<Option<Span>>,
}

/// Reads a document token by token and writes each in its new form.
pub(crate) struct Printer<'d> {
    document: &'d Document<'d>,
    pub(crate) source: &'d [u8],
    pub(crate) profile: FormatProfile,
    pub(crate) lexer: Lexer<'d, ()>,
    pub(crate) output: OutputBuffer<'d>,
    pub(crate) fingerprint: Fingerprint,
    /// The token that was read last.
    pub(crate) token: Token,
    /// Where the token ends that was written last.
    written_end: u32,
    /// Whether that token closed an `Object(…)`.
    pub(crate) closed_object: bool,
    /// Comments written so far.
    pub(crate) comment_count: usize,
    /// The entries of the dictionaries around, each behind those of the dictionaries around it.
    pub(crate) entries: Vec<Entry>,
    /// For texts in the making.
    pub(crate) scratch: Vec<u8>,
    /// For the fields of a tag: the output for each, and its place.
    fields: Vec<(Range<usize>, u8)>,
}

/// The tags of the block of `ext_resource`s that is being written.
struct Block {
    parts: UnorderedParts,
    pieces: Vec<Range<usize>>,
    first_section: u32,
    /// Comments before the first tag.
    comment_count: usize,
}

impl<'d> Printer<'d> {
    pub(crate) fn new(
        document: &'d Document<'d>,
        profile: FormatProfile,
        fingerprint: Fingerprint,
    ) -> Self {
        Self {
            document,
            source: document.text(),
            profile,
            lexer: Lexer::new(document.text(), ()),
            output: OutputBuffer::new(document.text()),
            fingerprint,
            token: Token { kind: TokenKind::Eof, span: Span::empty(0) },
            written_end: 0,
            closed_object: false,
            comment_count: 0,
            entries: Vec::new(),
            scratch: Vec::new(),
            fields: Vec::new(),
        }
    }

    /// Writes all.
    pub(crate) fn write(self) -> Printed {
        self.write_again(None)
    }

    /// Writes all. The unchanged sections of an `old` text are known. Where they are here, they are not
    /// checked, and the fingerprint has all others.
    pub(crate) fn write_again(mut self, old: Option<(&[u8], &[Option<Span>])>) -> Printed {
        let document = self.document;
        let mut block: Option<Block> = None;
        let mut previous = None;
        let mut found = Vec::with_capacity(document.sections().len());
        for (index, section) in document.sections().enumerate() {
            let kind = section.kind_of_name();
            // No engine was asked whether a blank line precedes the first node of a scene inside a resource.
            let begins_list = section.kind() == TagKind::Nested
                && previous == Some(TagKind::SubResource)
                && !follows_blank_line(document.text(), section.tag_span());
            self.lexer.skip_trivia();
            if kind != TagKind::ExtResource
                && let Some(block) = block.take()
            {
                self.end_block(&block);
            }
            let is_below = begins_list || previous == Some(kind) && continues_block(kind);
            self.statement(!is_below);
            if kind == TagKind::ExtResource {
                let block = block.get_or_insert_with(|| self.begin_block(section));
                let start = self.output.len();
                self.tag(section);
                self.fingerprint.end_part(&mut block.parts);
                block.pieces.push(start..self.output.len());
                section.properties().for_each(|property| self.property(property));
                found.push(None);
            } else {
                let known = old.map(|(text, sections)| {
                    sections.get(index).copied().flatten().map(|span| span.of(text))
                });
                found.push(self.section(section, known));
            }
            previous = Some(kind);
        }
        self.lexer.skip_trivia();
        if let Some(block) = block.take() {
            self.end_block(&block);
        }
        self.end();
        Printed { text: self.output.finish(), fingerprint: self.fingerprint, same_sections: found }
    }

    /// Writes a section. Returns its place if it stayed as it is. Then the fingerprint does not
    /// include it, because both texts have it.
    ///
    /// For a text that is written again, `known` is the earlier section if that stayed. Then it need not
    /// be checked, and the fingerprint has the checked ones.
    fn section(&mut self, section: Section<'_>, known: Option<Option<&[u8]>>) -> Option<Span> {
        let span = section.span();
        if known == Some(Some(span.of(self.source))) {
            self.copy_span(span);
            self.lexer.pos = span.end as usize;
            return Some(span);
        }
        let (begun, mark) = (self.output.begin(span.start), self.fingerprint.mark());
        self.tag(section);
        section.properties().for_each(|property| self.property(property));
        // The line end behind an object is not written yet.
        let is_same = !self.closed_object
            && self.lexer.offset() == span.end
            && self.output.is_run(begun, span.end);
        if is_same && known.is_none() {
            self.fingerprint.rewind(mark);
        }
        is_same.then_some(span)
    }

    /// Reads the next token.
    #[inline]
    pub(crate) fn advance(&mut self) {
        self.token = self.lexer.next();
    }

    /// Writes the text before the last token.
    #[inline]
    pub(crate) fn spacing(&mut self, spacing: Spacing) {
        self.end_object();
        if self.lexer.comments.is_empty() {
            spacing.write(&mut self.output);
        } else {
            self.comments(spacing, self.token.span.start);
        }
    }

    /// Writes the last token as it is.
    #[inline]
    pub(crate) fn copy(&mut self) {
        self.output.copy(self.token.span);
        self.written_end = self.token.span.end;
    }

    /// Writes a piece of the text as it is.
    #[inline]
    pub(crate) fn copy_span(&mut self, span: Span) {
        self.output.copy(span);
        self.written_end = span.end;
    }

    /// Writes `bytes` instead of the token that was read last.
    #[inline]
    pub(crate) fn put(&mut self, bytes: &[u8]) {
        self.output.bytes(bytes);
        self.written_end = self.token.span.end;
    }

    /// Writes the token that was read last, which `spacing` precedes.
    #[inline]
    pub(crate) fn mark(&mut self, spacing: Spacing) {
        self.spacing(spacing);
        self.copy();
    }

    /// Godot writes a line end after every `Object(…)`, wherever it is (`VariantWriter::write`,
    /// `case Variant::OBJECT`).
    #[inline]
    pub(crate) fn end_object(&mut self) {
        if self.closed_object && self.lexer.comments.is_empty() {
            self.output.byte(b'\n');
        }
        self.closed_object = false;
    }

    /// Whether comments stand in this part of the text.
    fn has_comments(&self, span: Span) -> bool {
        let comments = self.document.comments();
        if comments.is_empty() {
            return false;
        }
        let first = comments.partition_point(|comment| comment.start < span.start);
        comments.get(first).is_some_and(|comment| comment.start < span.end)
    }

    /// Writes the comments that the lexer has read, in `spacing`.
    #[cold]
    fn comments(&mut self, spacing: Spacing, end: u32) {
        let comments = std::mem::take(&mut self.lexer.comments);
        let trivia = Trivia::new(self.source, self.written_end, &comments, end);
        for comment in trivia.comments() {
            // At the start of the text a comment is on a line of its own.
            let starts_line = comment.line_ends > 0 || self.output.len() == 0;
            self.fingerprint.comment(comment.span.of(self.source), starts_line);
            self.comment_count += 1;
        }
        let gap_start = self.output.len();
        trivia.write(&mut self.output, spacing);
        debug_assert!(self.output.len() > gap_start);
    }

    /// Begins a property or tag, after its trivia was skipped.
    fn statement(&mut self, is_blank: bool) {
        self.end_object();
        let spacing = Spacing::Statement { is_blank };
        if !self.lexer.comments.is_empty() {
            self.comments(spacing, self.lexer.offset());
        } else if self.output.len() > 0 {
            spacing.write(&mut self.output);
        }
    }

    /// Writes the comments at the end of the text, and its last line end.
    fn end(&mut self) {
        let end = self.lexer.offset();
        self.end_object();
        if self.lexer.comments.is_empty() {
            self.output.byte(b'\n');
            return;
        }
        // The end of the text ends the last comment's line, and no blank line follows.
        let comments = std::mem::take(&mut self.lexer.comments);
        let last = comments.last().map_or(end, |comment| comment.end);
        self.lexer.comments = comments;
        self.comments(Spacing::Statement { is_blank: false }, last);
    }

    fn begin_block(&mut self, section: Section<'_>) -> Block {
        Block {
            parts: self.fingerprint.begin_parts(),
            pieces: Vec::new(),
            first_section: section.index(),
            comment_count: self.comment_count,
        }
    }

    /// Puts the `ext_resource`s into the order of their ids (`ResourceSort`). Comments between them
    /// stay, because their subject is unknown.
    fn end_block(&mut self, block: &Block) {
        let comments = &self.lexer.comments;
        let is_followed = comments.first().is_some_and(|comment| {
            let before = &self.source[self.written_end as usize..comment.start as usize];
            !before.contains(&b'\n')
        });
        if !is_followed && self.comment_count == block.comment_count {
            let document = self.document;
            let id = |piece: usize| {
                let section = document.section(block.first_section + piece as u32);
                section.field_text("id").unwrap_or_default()
            };
            let order = stable_order(block.pieces.len(), |a, b| compare_ids(&id(a), &id(b)));
            if let Some(order) = order {
                self.output.arrange(&block.pieces, &order, b"\n");
            }
        }
        self.fingerprint.end_parts(block.parts);
    }
}

fn follows_blank_line(text: &[u8], tag: Span) -> bool {
    let before = text[..tag.start as usize].iter().rev();
    let spaces = before.take_while(|byte| byte.is_ascii_whitespace());
    spaces.filter(|byte| **byte == b'\n').count() > 1
}

/// Whether a tag of this kind follows another one of its kind without a blank line.
fn continues_block(kind: TagKind) -> bool {
    matches!(kind, TagKind::ExtResource | TagKind::Connection | TagKind::Editable)
}
