//! Tags with their fields, and properties with their keys.

use std::ops::Range;

use crate::decode;
use crate::document::{Property, Section, TagKind, ValueKind};
use crate::format::order::{UNKNOWN_FIELD, field_rank, stable_order};
use crate::format::printer::Printer;
use crate::format::profile::LoadSteps;
use crate::format::spacing::Spacing;
use crate::format::text::{TextForm, is_mistaken, is_plain_key, rewritten, written_key};
use crate::span::Span;
use crate::syntax::{Token, TokenKind};

impl Printer<'_> {
    /// Writes a tag; the lexer is at its `[`.
    pub(super) fn tag(&mut self, section: Section<'_>) {
        let name = section.name_span();
        if name.start == self.lexer.offset() + 1 && section.kind() != TagKind::Unknown {
            self.copy_span(Span::new(name.start - 1, name.end));
            self.fingerprint.bytes(b'[', section.name());
            self.lexer.pos = name.end as usize;
        } else {
            self.advance();
            self.copy();
        }
        while self.lexer.offset() < name.end {
            self.advance();
            self.fingerprint.bytes(b'[', self.token.span.of(self.source));
            self.mark(Spacing::Spaces(0));
        }
        let is_commented = self.has_comments(section.tag_span());
        let mut parts = self.fingerprint.begin_parts();
        let mut fields = std::mem::take(&mut self.fields);
        fields.clear();
        for field in section.fields() {
            let is_load_steps = field.name() == b"load_steps" && !is_commented;
            if is_load_steps && self.profile.load_steps != LoadSteps::Keep {
                self.lexer.pos = field.span().end as usize;
                continue;
            }
            let start = self.output.len();
            let rank = field_rank(self.profile.style, section.kind_of_name(), field.name());
            if rank == UNKNOWN_FIELD {
                self.fingerprint.bytes(b'f', field.name());
            } else {
                self.fingerprint.number(u64::from(rank));
            }
            let value = field.value_span();
            if !is_commented && self.is_as_written(b" ", field.name_span(), b"=", value) {
                self.copy_span(Span::new(self.written_end, value.start));
                self.read_value(value, field.kind());
            } else {
                self.advance();
                self.mark(Spacing::Spaces(1));
                self.advance();
                self.mark(Spacing::Spaces(0));
                self.advance();
            }
            self.field_value(section.kind_of_name(), field);
            self.fingerprint.end_part(&mut parts);
            fields.push((start..self.output.len(), rank));
        }
        self.fingerprint.end_parts(parts);
        if !is_commented {
            fields.extend(self.load_steps(section));
            self.arrange_fields(&fields);
        }
        self.fields = fields;
        self.advance();
        self.mark(Spacing::Spaces(0));
    }

    /// Writes the field `load_steps`, if the text is a header that has one.
    fn load_steps(&mut self, section: Section<'_>) -> Option<(Range<usize>, u8)> {
        let is_header = matches!(section.kind(), TagKind::GdScene | TagKind::GdResource);
        let LoadSteps::Count(count @ 1..) = self.profile.load_steps else { return None };
        let start = self.output.len();
        if is_header {
            self.output.bytes(format!(" load_steps={}", count + 1).as_bytes());
        }
        let rank = field_rank(self.profile.style, section.kind(), b"load_steps");
        is_header.then(|| (start..self.output.len(), rank))
    }

    fn arrange_fields(&mut self, fields: &[(Range<usize>, u8)]) {
        if fields.is_sorted_by_key(|(_, rank)| *rank) {
            return;
        }
        let order = stable_order(fields.len(), |a, b| fields[a].1.cmp(&fields[b].1));
        if let Some(order) = order {
            let pieces: Vec<_> = fields.iter().map(|(piece, _)| piece.clone()).collect();
            self.output.arrange(&pieces, &order, b"");
        }
    }

    /// Writes `key = value`.
    pub(super) fn property(&mut self, property: Property<'_>) {
        self.lexer.skip_trivia();
        self.statement(false);
        let (span, value) = (property.key_span(), property.value_span());
        self.token = Token { kind: TokenKind::Key, span };
        self.key(span);
        if self.is_as_written(b"", Span::empty(span.end), b" = ", value) {
            self.copy_span(Span::new(span.end, value.start));
            self.read_value(value, property.kind());
            self.value(Spacing::Spaces(0));
        } else {
            self.lexer.pos = span.end as usize;
            self.advance();
            self.mark(Spacing::Spaces(1));
            self.advance();
            self.value(Spacing::Spaces(1));
        }
    }

    /// Whether `before`, a name, `between` and a value follow right after the last output.
    #[inline]
    fn is_as_written(&self, before: &[u8], name: Span, between: &[u8], value: Span) -> bool {
        let spacing = Span::new(self.written_end, name.start.max(self.written_end));
        !self.closed_object
            && spacing.of(self.source) == before
            && Span::new(name.end, value.start).of(self.source) == between
    }

    /// Reads the first token of a value, with no unread text before it.
    #[inline]
    fn read_value(&mut self, span: Span, kind: ValueKind) {
        self.lexer.pos = span.start as usize;
        let kind = match kind {
            ValueKind::String => TokenKind::String,
            ValueKind::Int | ValueKind::Float if self.source[span.end as usize - 1] <= b'9' => {
                TokenKind::Number
            }
            _ => return self.advance(),
        };
        self.lexer.pos = span.end as usize;
        self.token = Token { kind, span };
    }

    /// Writes a key, quoted where it has to be (`String::property_name_encode`).
    fn key(&mut self, span: Span) {
        let key = span.of(self.source);
        if is_plain_key(key) && !is_mistaken(key) {
            self.fingerprint.bytes(b'k', key);
            return self.copy();
        }
        let name = decode::key(key);
        self.fingerprint.bytes(b'k', &name);
        let is_quoted = key.first() == Some(&b'"');
        let is_plain = is_plain_key(&name) && !is_mistaken(&name);
        if is_quoted != is_plain
            && (!is_quoted || rewritten(&key[1..key.len() - 1], TextForm::Multiline).is_none())
        {
            self.copy();
            return;
        }
        match written_key(key, &name) {
            Some(written) => self.put(&written),
            None => self.copy(),
        }
    }
}
