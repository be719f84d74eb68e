//! Writes values: `VariantWriter::write` (core/variant/variant_parser.cpp), token by token.

use std::ops::Range;

use crate::decode;
use crate::document::{Field, TagKind, ValueKind};
use crate::format::numeral::Context;
use crate::format::order::{Entry, entry_order, stable_order};
use crate::format::printer::Printer;
use crate::format::spacing::Spacing;
use crate::format::style::{Bracket, Style};
use crate::format::text::{TextForm, is_plain, push_quoted, rewritten};
use crate::span::Span;
use crate::syntax::TokenKind;
use crate::syntax::lexer::line_end;

/// The value of a field is written after its `=`, the last token; the values of properties in the
/// same way. Each function here begins after the first token of its output was read, and reads up
/// to the last one: recursion ends with the parser's limit, `MAX_DEPTH`.
impl Printer<'_> {
    /// Writes a value.
    pub(crate) fn value(&mut self, spacing: Spacing) {
        match self.token.kind {
            TokenKind::String => {
                self.spacing(spacing);
                self.string(TextForm::Multiline);
            }
            TokenKind::StringName => {
                self.spacing(spacing);
                self.string(self.escaped_form());
            }
            TokenKind::Number => self.number(spacing, Context::Bare),
            TokenKind::Color => self.color(spacing),
            TokenKind::BracketOpen => self.array(spacing, self.profile.style.array()),
            TokenKind::CurlyBracketOpen => self.dictionary(spacing),
            _ => self.named(spacing),
        }
    }

    /// Writes the value of a field.
    pub(crate) fn field_value(&mut self, tag: TagKind, field: Field<'_>) {
        let name = field.name();
        let is_godot4 = self.profile.style == Style::Godot4;
        // `binds= […]` is the only field with a space: Godot puts it into the text before the
        // value (`" binds= "` in `ResourceFormatSaverTextInstance::save`).
        let is_binds = tag == TagKind::Connection && name == b"binds";
        let spacing = Spacing::Spaces(u8::from(is_binds));
        match (tag, name, field.kind()) {
            (TagKind::Node, b"index", ValueKind::Int) => self.quoted(spacing),
            (TagKind::ExtResource | TagKind::SubResource, b"id", ValueKind::Int) if is_godot4 => {
                self.quoted(spacing);
            }
            (TagKind::Node, b"index", ValueKind::String)
            | (TagKind::ExtResource | TagKind::SubResource, b"id", ValueKind::String) => {
                self.spacing(spacing);
                self.id();
            }
            (TagKind::Node, b"groups", ValueKind::Array) => {
                self.groups(spacing, field.value_span());
            }
            (_, _, ValueKind::String) => {
                self.spacing(spacing);
                self.string(self.field_form(tag, name));
            }
            _ => self.value(spacing),
        }
    }

    /// How the string in a field is escaped (`ResourceFormatSaverTextInstance::save`).
    fn field_form(&self, tag: TagKind, name: &[u8]) -> TextForm {
        match (tag, name) {
            (TagKind::Node, b"name" | b"parent" | b"owner") => self.escaped_form(),
            (TagKind::Node, b"instance_placeholder") => TextForm::Multiline,
            (TagKind::Connection, b"signal" | b"from" | b"to" | b"method")
            | (TagKind::Editable, b"path")
                if self.profile.style == Style::Godot4 =>
            {
                TextForm::Escaped
            }
            _ => TextForm::Raw,
        }
    }

    pub(crate) fn escaped_form(&self) -> TextForm {
        match self.profile.style {
            Style::Godot3 => TextForm::Godot3Escaped,
            Style::Godot4 => TextForm::Escaped,
        }
    }

    /// Writes the string that was read last.
    pub(crate) fn string(&mut self, form: TextForm) {
        let text = self.token.span.of(self.source);
        let quote = usize::from(text[0] != b'"');
        let body = &text[quote + 1..text.len() - 1];
        let kind = if quote == 0 { b'"' } else { b'&' };
        if quote == 0 && is_plain(body, form) {
            self.fingerprint.bytes(kind, body);
            return self.copy();
        }
        self.fingerprint.bytes(kind, &decode::text(text));
        let is_old_name = text[0] == b'@' && self.profile.style == Style::Godot4;
        match rewritten(body, form) {
            None if !is_old_name => self.copy(),
            new => {
                let mark = if is_old_name { b"&" } else { &text[..quote] };
                let body = new.as_deref().unwrap_or(body);
                self.put(&[mark, b"\"", body, b"\""].concat());
            }
        }
    }

    /// Writes an id, which a string and a number can be.
    pub(crate) fn id(&mut self) {
        self.fingerprint.bytes(b'i', &decode::text(self.token.span.of(self.source)));
        self.copy();
    }

    /// Writes a number that became a string.
    pub(crate) fn quoted(&mut self, spacing: Spacing) {
        self.spacing(spacing);
        let text = decode::text(self.token.span.of(self.source));
        self.fingerprint.bytes(b'i', &text);
        let mut quoted = Vec::with_capacity(text.len() + 2);
        push_quoted(&mut quoted, &text, TextForm::Raw);
        self.put(&quoted);
    }

    /// Writes `[…]`.
    pub(crate) fn array(&mut self, spacing: Spacing, bracket: Bracket) {
        self.fingerprint.bytes(b'[', b"");
        self.items(spacing, bracket, TokenKind::BracketClose, Self::value);
        self.fingerprint.bytes(b']', b"");
    }

    /// Writes brackets with `item`s and commas between them.
    pub(crate) fn items(
        &mut self,
        spacing: Spacing,
        bracket: Bracket,
        close: TokenKind,
        mut item: impl FnMut(&mut Self, Spacing),
    ) {
        self.mark(spacing);
        self.advance();
        let mut is_empty = true;
        while self.token.kind != close && self.token.kind != TokenKind::Eof {
            let spacing = if is_empty { bracket.after_open() } else { bracket.after_comma() };
            // `Object(A)` is not a value: the class needs its comma.
            let needs_comma =
                is_empty && matches!(bracket, Bracket::Object | Bracket::ObjectInLines);
            is_empty = false;
            item(self, spacing);
            self.advance();
            self.comma(needs_comma);
        }
        self.mark(bracket.before_close(is_empty));
    }

    /// Writes the comma that was read last, if it is one, and reads on. A comma before a closing
    /// bracket is left out, unless it is needed.
    #[inline]
    fn comma(&mut self, is_needed: bool) {
        if self.token.kind != TokenKind::Comma {
            return;
        }
        if is_needed || !self.is_before_close() {
            self.mark(Spacing::Spaces(0));
        }
        self.advance();
    }

    /// The byte that comes next behind white space and comments.
    pub(crate) fn next_byte(&self) -> Option<u8> {
        let mut pos = self.lexer.pos;
        loop {
            match *self.source.get(pos)? {
                ..=32 => pos += 1,
                b';' => pos = line_end(self.source, pos),
                byte => return Some(byte),
            }
        }
    }

    /// Whether a closing bracket comes next.
    fn is_before_close(&self) -> bool {
        matches!(self.next_byte(), Some(b')' | b']' | b'}'))
    }

    /// Whether comments stand before the token that was read last, or behind a last comma, which is
    /// left out.
    fn is_before_comment(&self) -> bool {
        let pos = self.lexer.pos;
        !self.lexer.comments.is_empty()
            || self.token.kind == TokenKind::Comma
                && self.source[pos..].iter().find(|byte| **byte > 32) == Some(&b';')
    }

    /// Writes `{…}`, its entries in Godot's order.
    pub(crate) fn dictionary(&mut self, spacing: Spacing) {
        let bracket = self.profile.style.dictionary();
        self.fingerprint.bytes(b'{', b"");
        let mut parts = self.fingerprint.begin_parts();
        let (first, comment_count) = (self.entries.len(), self.comment_count);
        self.mark(spacing);
        self.advance();
        let mut is_empty = true;
        while !matches!(self.token.kind, TokenKind::CurlyBracketClose | TokenKind::Eof) {
            self.spacing(if is_empty { bracket.after_open() } else { bracket.after_comma() });
            is_empty = false;
            let (start, key_start) = (self.output.len(), self.token.span.start);
            self.value(Spacing::Spaces(0));
            let key = Span::new(key_start, self.lexer.offset());
            self.advance();
            self.mark(Spacing::Spaces(0));
            self.advance();
            self.value(bracket.after_colon());
            self.advance();
            let is_last = self.token.kind != TokenKind::Comma || self.is_before_close();
            let is_commented = is_last && self.is_before_comment();
            if !is_commented {
                self.end_object();
            }
            self.fingerprint.end_part(&mut parts);
            self.entries.push(Entry { key, piece: start..self.output.len() });
            if is_last && !is_commented && self.comment_count == comment_count {
                self.sort_entries(first);
            }
            self.comma(false);
        }
        self.entries.truncate(first);
        self.fingerprint.end_parts(parts);
        self.mark(bracket.before_close(is_empty));
    }

    /// Sorts the entries from the number `first` on, which were written last.
    fn sort_entries(&mut self, first: usize) {
        let entries = &self.entries[first..];
        if let Some(order) = entry_order(self.source, entries) {
            let pieces: Vec<_> = entries.iter().map(|entry| entry.piece.clone()).collect();
            self.output.arrange(&pieces, &order, b",\n");
        }
    }

    /// Writes the names of groups in alphabetical order.
    ///
    /// Godot 3 puts them together by hand, without its inner spaces
    /// (`ResourceFormatSaverTextInstance::save`, " groups=["), up to 3.2 on lines of their own.
    fn groups(&mut self, spacing: Spacing, span: Span) {
        let text = span.of(self.source);
        let content = text[..text.len() - 1].trim_ascii_end();
        let has_lines = self.profile.style == Style::Godot3 && content.ends_with(b",");
        if has_lines {
            return self.group_lines(spacing);
        }
        let comment_count = self.comment_count;
        let (mut names, mut pieces) = (Vec::new(), Vec::<Range<usize>>::new());
        let mut parts = self.fingerprint.begin_parts();
        self.mark(spacing);
        self.advance();
        let mut is_sortable = true;
        while !matches!(self.token.kind, TokenKind::BracketClose | TokenKind::Eof) {
            self.spacing(Spacing::Spaces(u8::from(!pieces.is_empty())));
            let start = self.output.len();
            if self.token.kind == TokenKind::String {
                names.push(decode::text(self.token.span.of(self.source)));
                self.string(self.escaped_form());
            } else {
                is_sortable = false;
                self.value(Spacing::Spaces(0));
            }
            self.fingerprint.end_part(&mut parts);
            pieces.push(start..self.output.len());
            self.advance();
            let is_last = self.token.kind != TokenKind::Comma || self.is_before_close();
            is_sortable &= self.comment_count == comment_count;
            if is_last
                && is_sortable
                && !self.is_before_comment()
                && let Some(order) = stable_order(names.len(), |a, b| names[a].cmp(&names[b]))
            {
                self.output.arrange(&pieces, &order, b", ");
            }
            self.comma(false);
        }
        self.fingerprint.end_parts(parts);
        self.mark(Spacing::Spaces(0));
    }

    /// `groups=[\n"a",\n]`
    fn group_lines(&mut self, spacing: Spacing) {
        let mut parts = self.fingerprint.begin_parts();
        self.mark(spacing);
        self.advance();
        while !matches!(self.token.kind, TokenKind::BracketClose | TokenKind::Eof) {
            self.value(Spacing::Line);
            self.fingerprint.end_part(&mut parts);
            self.advance();
            if self.token.kind == TokenKind::Comma {
                self.mark(Spacing::Spaces(0));
                self.advance();
            }
        }
        self.fingerprint.end_parts(parts);
        self.mark(Spacing::Line);
    }
}
