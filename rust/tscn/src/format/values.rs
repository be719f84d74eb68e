//! Writes values: `VariantWriter::write` (core/variant/variant_parser.cpp), token by token.

use std::ops::Range;

use base64::prelude::{BASE64_STANDARD, Engine as _};

use crate::decode;
use crate::document::{Field, TagKind, ValueKind};
use crate::format::gap::Gap;
use crate::format::numeral::Context;
use crate::format::order::{Entry, entry_order, stable_order};
use crate::format::printer::Printer;
use crate::format::spelling::{context_of, godot4_name};
use crate::format::style::{Bracket, Style};
use crate::format::text::{TextForm, is_plain, push_quoted, rewritten};
use crate::number::Numeral;
use crate::span::Span;
use crate::syntax::TokenKind;
use crate::syntax::construct::{Shape, shape_of};

/// The value of a field is written after its `=`, whose token was read last; the values of
/// properties likewise. Each function here finds the first token of what it writes read already, and
/// reads up to the last one: recursion ends with the parser's limit, `MAX_DEPTH`.
impl Printer<'_> {
    /// Writes a value.
    pub(crate) fn value(&mut self, gap: Gap) {
        match self.token.kind {
            TokenKind::String => {
                self.gap(gap);
                self.string(TextForm::Multiline);
            }
            TokenKind::StringName => {
                self.gap(gap);
                self.string(self.escaped_form());
            }
            TokenKind::Number => self.number(gap, Context::Bare),
            TokenKind::Color => self.color(gap),
            TokenKind::BracketOpen => self.array(gap, self.manner.style.array()),
            TokenKind::CurlyBracketOpen => self.dictionary(gap),
            _ => self.named(gap),
        }
    }

    /// Writes the value of a field.
    pub(crate) fn field_value(&mut self, tag: TagKind, field: Field<'_>) {
        let name = field.name();
        let is_godot4 = self.manner.style == Style::Godot4;
        // `binds= […]` is the only field with a space: Godot puts it into the text before the
        // value (`" binds= "` in `ResourceFormatSaverTextInstance::save`).
        let is_binds = tag == TagKind::Connection && name == b"binds";
        let gap = Gap::Spaces(u8::from(is_binds));
        match (tag, name, field.kind()) {
            (TagKind::Node, b"index", ValueKind::Int) => self.quoted(gap),
            (TagKind::ExtResource | TagKind::SubResource, b"id", ValueKind::Int) if is_godot4 => {
                self.quoted(gap);
            }
            (TagKind::Node, b"index", ValueKind::String)
            | (TagKind::ExtResource | TagKind::SubResource, b"id", ValueKind::String) => {
                self.gap(gap);
                self.id();
            }
            (TagKind::Node, b"groups", ValueKind::Array) => self.groups(gap, field.value_span()),
            (_, _, ValueKind::String) => {
                self.gap(gap);
                self.string(self.field_form(tag, name));
            }
            _ => self.value(gap),
        }
    }

    /// How the string in a field is escaped (`ResourceFormatSaverTextInstance::save`).
    fn field_form(&self, tag: TagKind, name: &[u8]) -> TextForm {
        match (tag, name) {
            (TagKind::Node, b"name" | b"parent" | b"owner") => self.escaped_form(),
            (TagKind::Node, b"instance_placeholder") => TextForm::Multiline,
            (TagKind::Connection, b"signal" | b"from" | b"to" | b"method")
            | (TagKind::Editable, b"path")
                if self.manner.style == Style::Godot4 =>
            {
                TextForm::Escaped
            }
            _ => TextForm::Raw,
        }
    }

    fn escaped_form(&self) -> TextForm {
        match self.manner.style {
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
        let is_old_name = text[0] == b'@' && self.manner.style == Style::Godot4;
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
    fn id(&mut self) {
        self.fingerprint.bytes(b'i', &decode::text(self.token.span.of(self.source)));
        self.copy();
    }

    /// Writes a number that became a string.
    fn quoted(&mut self, gap: Gap) {
        self.gap(gap);
        let text = decode::text(self.token.span.of(self.source));
        self.fingerprint.bytes(b'i', &text);
        let mut quoted = Vec::with_capacity(text.len() + 2);
        push_quoted(&mut quoted, &text, TextForm::Raw);
        self.put(&quoted);
    }

    /// Writes `[…]`.
    fn array(&mut self, gap: Gap, bracket: Bracket) {
        self.fingerprint.bytes(b'[', b"");
        self.items(gap, bracket, TokenKind::BracketClose, Self::value);
        self.fingerprint.bytes(b']', b"");
    }

    /// Writes brackets with `item`s and commas between them.
    fn items(
        &mut self,
        gap: Gap,
        bracket: Bracket,
        close: TokenKind,
        mut item: impl FnMut(&mut Self, Gap),
    ) {
        self.mark(gap);
        self.advance();
        let mut is_empty = true;
        while self.token.kind != close && self.token.kind != TokenKind::Eof {
            let gap = if is_empty { bracket.after_open() } else { bracket.after_comma() };
            is_empty = false;
            item(self, gap);
            self.advance();
            self.comma();
        }
        self.mark(bracket.before_close(is_empty));
    }

    /// Writes the comma that was read last, if it is one, and reads on. A comma before a closing
    /// bracket is left out.
    #[inline]
    fn comma(&mut self) {
        if self.token.kind != TokenKind::Comma {
            return;
        }
        if !self.is_before_close() {
            self.mark(Gap::Spaces(0));
        }
        self.advance();
    }

    /// Whether a closing bracket comes next.
    fn is_before_close(&self) -> bool {
        let mut pos = self.lexer.pos;
        loop {
            match self.source.get(pos) {
                Some(..=32) => pos += 1,
                Some(b';') => pos = crate::syntax::lexer::line_end(self.source, pos),
                byte => return matches!(byte, Some(b')' | b']' | b'}')),
            }
        }
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
    fn dictionary(&mut self, gap: Gap) {
        let bracket = self.manner.style.dictionary();
        self.fingerprint.bytes(b'{', b"");
        let mut parts = self.fingerprint.begin_parts();
        let (first, comment_count) = (self.entries.len(), self.comment_count);
        self.mark(gap);
        self.advance();
        let mut is_empty = true;
        while !matches!(self.token.kind, TokenKind::CurlyBracketClose | TokenKind::Eof) {
            self.gap(if is_empty { bracket.after_open() } else { bracket.after_comma() });
            is_empty = false;
            let (start, key_start) = (self.sheet.len(), self.token.span.start);
            self.value(Gap::Spaces(0));
            let key = Span::new(key_start, self.lexer.offset());
            self.advance();
            self.mark(Gap::Spaces(0));
            self.advance();
            self.value(bracket.after_colon());
            self.advance();
            let is_last = self.token.kind != TokenKind::Comma || self.is_before_close();
            let is_commented = is_last && self.is_before_comment();
            if !is_commented {
                self.end_object();
            }
            self.fingerprint.end_part(&mut parts);
            self.entries.push(Entry { key, piece: start..self.sheet.len() });
            if is_last && !is_commented && self.comment_count == comment_count {
                self.sort_entries(first);
            }
            self.comma();
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
            self.sheet.arrange(&pieces, &order, b",\n");
        }
    }

    /// Writes the names of groups in alphabetical order.
    ///
    /// Godot 3 puts them together by hand, without its inner spaces
    /// (`ResourceFormatSaverTextInstance::save`, " groups=["), up to 3.2 on lines of their own.
    fn groups(&mut self, gap: Gap, span: Span) {
        let text = span.of(self.source);
        let content = text[..text.len() - 1].trim_ascii_end();
        let has_lines = self.manner.style == Style::Godot3 && content.ends_with(b",");
        if has_lines {
            return self.group_lines(gap);
        }
        let comment_count = self.comment_count;
        let (mut names, mut pieces) = (Vec::new(), Vec::<Range<usize>>::new());
        let mut parts = self.fingerprint.begin_parts();
        self.mark(gap);
        self.advance();
        let mut is_sortable = true;
        while !matches!(self.token.kind, TokenKind::BracketClose | TokenKind::Eof) {
            self.gap(Gap::Spaces(u8::from(!pieces.is_empty())));
            let start = self.sheet.len();
            if self.token.kind == TokenKind::String {
                names.push(decode::text(self.token.span.of(self.source)));
                self.string(self.escaped_form());
            } else {
                is_sortable = false;
                self.value(Gap::Spaces(0));
            }
            self.fingerprint.end_part(&mut parts);
            pieces.push(start..self.sheet.len());
            self.advance();
            let is_last = self.token.kind != TokenKind::Comma || self.is_before_close();
            is_sortable &= self.comment_count == comment_count;
            if is_last
                && is_sortable
                && !self.is_before_comment()
                && let Some(order) = stable_order(names.len(), |a, b| names[a].cmp(&names[b]))
            {
                self.sheet.arrange(&pieces, &order, b", ");
            }
            self.comma();
        }
        self.fingerprint.end_parts(parts);
        self.mark(Gap::Spaces(0));
    }

    /// `groups=[\n"a",\n]`
    fn group_lines(&mut self, gap: Gap) {
        let mut parts = self.fingerprint.begin_parts();
        self.mark(gap);
        self.advance();
        while !matches!(self.token.kind, TokenKind::BracketClose | TokenKind::Eof) {
            self.value(Gap::Line);
            self.fingerprint.end_part(&mut parts);
            self.advance();
            if self.token.kind == TokenKind::Comma {
                self.mark(Gap::Spaces(0));
                self.advance();
            }
        }
        self.fingerprint.end_parts(parts);
        self.mark(Gap::Line);
    }

    /// Writes a keyword or a construct.
    fn named(&mut self, gap: Gap) {
        let name = self.token.span.of(self.source);
        let Some(shape) = shape_of(name) else { return self.keyword(gap, name) };
        let name = match self.manner.style {
            Style::Godot3 => name,
            Style::Godot4 => godot4_name(name),
        };
        self.gap(gap);
        self.fingerprint.bytes(b'n', name);
        self.put(name);
        self.advance();
        let bracket = self.manner.style.construct(name);
        match shape {
            Shape::Numbers(_) | Shape::NumberGroups(_) => self.numbers(bracket, context_of(name)),
            Shape::Bytes => self.byte_array(bracket),
            Shape::Strings | Shape::NodePath => self.strings(bracket, self.escaped_form()),
            Shape::Resource => self.strings(bracket, TextForm::Multiline),
            Shape::ExtResource | Shape::SubResource => self.reference(bracket),
            Shape::Rid | Shape::Empty => self.numbers(bracket, Context::Int),
            Shape::Object => self.object(),
            Shape::Array => {
                self.type_names();
                self.mark(Gap::Spaces(0));
                self.advance();
                self.array(Gap::Spaces(0), self.manner.style.array());
                self.advance();
                self.mark(Gap::Spaces(0));
            }
            Shape::Dictionary => {
                self.type_names();
                self.mark(Gap::Spaces(0));
                self.advance();
                self.dictionary(Gap::Spaces(0));
                self.advance();
                self.mark(Gap::Spaces(0));
            }
        }
    }

    fn keyword(&mut self, gap: Gap, name: &[u8]) {
        self.gap(gap);
        let new = match name {
            b"nil" => b"null",
            b"-inf" | b"inf_neg" => self.manner.minus_infinity.map_or(name, str::as_bytes),
            _ => name,
        };
        let meaning: &[u8] = match new {
            b"inf_neg" => b"-inf",
            _ => new,
        };
        self.fingerprint.bytes(b'w', meaning);
        self.put(new);
    }

    /// Writes `[Type]` or `[Key, Value]` and reads the token after it.
    fn type_names(&mut self) {
        self.items(Gap::Spaces(0), Bracket::Tight, TokenKind::BracketClose, |printer, gap| {
            let name = printer.token.span.of(printer.source);
            let is_construct = printer.is_before(b'(');
            printer.mark(gap);
            printer.fingerprint.bytes(b't', name);
            if !is_construct {
                return;
            }
            printer.advance();
            match name {
                b"Resource" => printer.strings(Bracket::Tight, TextForm::Multiline),
                _ => printer.reference(Bracket::Tight),
            }
        });
        self.advance();
    }

    /// Whether `byte` comes next.
    fn is_before(&self, byte: u8) -> bool {
        let mut pos = self.lexer.pos;
        loop {
            match self.source.get(pos) {
                Some(..=32) => pos += 1,
                Some(b';') => pos = crate::syntax::lexer::line_end(self.source, pos),
                next => return next == Some(&byte),
            }
        }
    }

    /// Writes `("a", "b")`.
    fn strings(&mut self, bracket: Bracket, form: TextForm) {
        self.items(Gap::Spaces(0), bracket, TokenKind::ParenthesisClose, |printer, gap| {
            printer.gap(gap);
            printer.string(form);
        });
    }

    /// Writes `("1_abcde")` behind `ExtResource` or `SubResource`. Godot 4 writes all ids as strings.
    fn reference(&mut self, bracket: Bracket) {
        self.items(Gap::Spaces(0), bracket, TokenKind::ParenthesisClose, |printer, gap| {
            if printer.token.kind == TokenKind::Number && printer.manner.style == Style::Godot4 {
                printer.quoted(gap);
            } else {
                printer.gap(gap);
                printer.id();
            }
        });
    }

    /// Writes `(1, 2)` behind the name of a construct.
    fn numbers(&mut self, bracket: Bracket, context: Context) {
        if context == Context::Narrow && bracket == Bracket::Tight {
            return self.narrow_numbers();
        }
        self.items(Gap::Spaces(0), bracket, TokenKind::ParenthesisClose, |printer, gap| {
            match printer.token.kind {
                TokenKind::Number => printer.number(gap, context),
                _ => printer.value(gap),
            }
        });
        self.fingerprint.bytes(b')', b"");
    }

    /// The same for numbers of 32 bits, in Godot 4's manner.
    fn narrow_numbers(&mut self) {
        self.mark(Gap::Spaces(0));
        let mut needs_space = false;
        loop {
            needs_space |= self.plain_numbers(needs_space);
            self.advance();
            let gap = Gap::Spaces(u8::from(needs_space));
            match self.token.kind {
                TokenKind::ParenthesisClose | TokenKind::Eof => break,
                TokenKind::Number => self.number(gap, Context::Narrow),
                _ => self.value(gap),
            }
            self.advance();
            if self.token.kind != TokenKind::Comma {
                break;
            }
            self.mark(Gap::Spaces(0));
            needs_space = true;
        }
        self.mark(Gap::Spaces(0));
        self.fingerprint.bytes(b')', b"");
    }

    /// Writes `(1, 2)` or `("AQI=")` behind `PackedByteArray`. With `format=4` Godot writes all of
    /// them as base64.
    fn byte_array(&mut self, bracket: Bracket) {
        let (start, comment_count) = (self.sheet.len(), self.comment_count);
        let mut bytes: Option<Vec<u8>> = self.manner.is_base64.then(Vec::new);
        self.items(Gap::Spaces(0), bracket, TokenKind::ParenthesisClose, |printer, gap| {
            let text = printer.token.span.of(printer.source);
            if printer.token.kind != TokenKind::Number {
                bytes = None;
                return printer.base64(gap, text);
            }
            match std::str::from_utf8(text).ok().and_then(|text| text.parse().ok()) {
                Some(byte) => bytes.iter_mut().for_each(|bytes| bytes.push(byte)),
                None => bytes = None,
            }
            printer.number(gap, Context::Int);
        });
        self.fingerprint.bytes(b')', b"");
        if let Some(bytes) = bytes.filter(|bytes| !bytes.is_empty())
            && self.comment_count == comment_count
        {
            let base64 = BASE64_STANDARD.encode(bytes);
            self.sheet.replace(start, &[b"(\"", base64.as_bytes(), b"\")"].concat());
        }
    }

    /// Writes bytes that are a string, which counts as much as the list of them.
    fn base64(&mut self, gap: Gap, text: &[u8]) {
        self.gap(gap);
        match BASE64_STANDARD.decode(&text[1..text.len() - 1]) {
            Ok(bytes) => bytes.iter().for_each(|byte| self.fingerprint.number(u64::from(*byte))),
            Err(_) => self.fingerprint.bytes(b'"', text),
        }
        self.copy();
    }

    /// Writes `(Class,"property":value)` behind `Object`.
    fn object(&mut self) {
        let bracket = Bracket::Object;
        let mut is_class = true;
        self.items(Gap::Spaces(0), bracket, TokenKind::ParenthesisClose, |printer, gap| {
            if std::mem::take(&mut is_class) {
                printer.fingerprint.bytes(b'c', printer.token.span.of(printer.source));
                return printer.mark(gap);
            }
            printer.gap(gap);
            printer.string(TextForm::Raw);
            printer.advance();
            printer.mark(Gap::Spaces(0));
            printer.advance();
            printer.value(bracket.after_colon());
        });
        self.fingerprint.bytes(b')', b"");
        self.closed_object = true;
    }

    /// Writes `#rrggbb` as the colour that it stands for.
    fn color(&mut self, gap: Gap) {
        self.gap(gap);
        let digits = &self.token.span.of(self.source)[1..];
        let digit = |index: usize| (digits[index] as char).to_digit(16).unwrap_or_default();
        let component = |index: usize| match digits.len() {
            3 | 4 => digits.get(index).map(|_| digit(index) * 17),
            6 | 8 => digits.get(2 * index).map(|_| digit(2 * index) * 16 + digit(2 * index + 1)),
            _ => None,
        };
        let [Some(red), Some(green), Some(blue)] = [0, 1, 2].map(component) else {
            // Godot takes it for black, and says so.
            self.fingerprint.bytes(b'#', digits);
            return self.copy();
        };
        let components = [red, green, blue, component(3).unwrap_or(255)];
        self.put_color(components.map(|component| component as f32 / 255.0));
    }

    fn put_color(&mut self, components: [f32; 4]) {
        let bracket = self.manner.style.construct(b"Color");
        self.fingerprint.bytes(b'n', b"Color");
        let mut out = std::mem::take(&mut self.scratch);
        out.clear();
        out.extend_from_slice(b"Color(");
        let space = |out: &mut Vec<u8>, gap| {
            if gap == Gap::Spaces(1) {
                out.push(b' ');
            }
        };
        space(&mut out, bracket.after_open());
        for (index, component) in components.into_iter().enumerate() {
            if index > 0 {
                out.extend_from_slice(b", ");
            }
            self.manner.numbers.write_f32(&mut out, component);
            // What stands there is what will be read again.
            let start =
                out.iter().rposition(|byte| *byte == b' ' || *byte == b'(').unwrap_or(0) + 1;
            let read = Numeral::parse(&out[start..]).to_f32();
            self.fingerprint.number(u64::from(read.to_bits()));
        }
        space(&mut out, bracket.before_close(false));
        out.push(b')');
        self.fingerprint.bytes(b')', b"");
        self.put(&out);
        self.scratch = out;
    }
}
