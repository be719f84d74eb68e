//! Writes keywords, colours and constructs such as `Vector2(1, 2)`.

use base64::prelude::{BASE64_STANDARD, Engine as _};

use crate::format::numeral::Context;
use crate::format::printer::Printer;
use crate::format::spacing::Spacing;
use crate::format::style::{Bracket, Style};
use crate::format::text::TextForm;
use crate::number::Numeral;
use crate::syntax::TokenKind;
use crate::syntax::construct::{Shape, present_construct_name, shape_of};

/// As in `values.rs`: each function begins after the first token of its output was read, and reads
/// up to the last one.
impl Printer<'_> {
    /// Writes a keyword or a construct.
    pub(crate) fn named(&mut self, spacing: Spacing) {
        let name = self.token.span.of(self.source);
        let Some(shape) = shape_of(name) else { return self.keyword(spacing, name) };
        let present = present_construct_name(name).map_or(name, str::as_bytes);
        let name = match self.profile.style {
            Style::Godot3 => name,
            Style::Godot4 => present,
        };
        self.spacing(spacing);
        self.fingerprint.bytes(b'n', name);
        self.put(name);
        self.advance();
        let bracket = self.profile.style.construct(name);
        match shape {
            Shape::Numbers(_) | Shape::NumberGroups(_) => {
                self.numbers(bracket, Context::of_construct(present));
            }
            Shape::Bytes => self.byte_array(bracket),
            Shape::Strings | Shape::NodePath => self.strings(bracket, self.escaped_form()),
            Shape::Resource => self.strings(bracket, TextForm::Multiline),
            Shape::ExtResource | Shape::SubResource => self.reference(bracket),
            Shape::Rid | Shape::Empty => self.numbers(bracket, Context::Int),
            Shape::Object => self.object(),
            Shape::Array => {
                self.type_names();
                self.mark(Spacing::Spaces(0));
                self.advance();
                self.array(Spacing::Spaces(0), self.profile.style.array());
                self.advance();
                self.mark(Spacing::Spaces(0));
            }
            Shape::Dictionary => {
                self.type_names();
                self.mark(Spacing::Spaces(0));
                self.advance();
                self.dictionary(Spacing::Spaces(0));
                self.advance();
                self.mark(Spacing::Spaces(0));
            }
        }
    }

    fn keyword(&mut self, spacing: Spacing, name: &[u8]) {
        self.spacing(spacing);
        let new = match name {
            b"nil" => b"null",
            b"-inf" | b"inf_neg" => self.profile.minus_infinity.map_or(name, str::as_bytes),
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
        self.items(
            Spacing::Spaces(0),
            Bracket::Tight,
            TokenKind::BracketClose,
            |printer, spacing| {
                let name = printer.token.span.of(printer.source);
                let is_construct = printer.next_byte() == Some(b'(');
                printer.mark(spacing);
                printer.fingerprint.bytes(b't', name);
                if !is_construct {
                    return;
                }
                printer.advance();
                match name {
                    b"Resource" => printer.strings(Bracket::Tight, TextForm::Multiline),
                    _ => printer.reference(Bracket::Tight),
                }
            },
        );
        self.advance();
    }

    /// Writes `("a", "b")`.
    fn strings(&mut self, bracket: Bracket, form: TextForm) {
        self.items(Spacing::Spaces(0), bracket, TokenKind::ParenthesisClose, |printer, spacing| {
            printer.spacing(spacing);
            printer.string(form);
        });
    }

    /// Writes `("1_abcde")` behind `ExtResource` or `SubResource`. Godot 4 writes all ids as strings.
    fn reference(&mut self, bracket: Bracket) {
        self.items(Spacing::Spaces(0), bracket, TokenKind::ParenthesisClose, |printer, spacing| {
            if printer.token.kind == TokenKind::Number && printer.profile.style == Style::Godot4 {
                printer.quoted(spacing);
            } else {
                printer.spacing(spacing);
                printer.id();
            }
        });
    }

    /// Writes `(1, 2)` behind the name of a construct.
    fn numbers(&mut self, bracket: Bracket, context: Context) {
        if context == Context::Narrow && bracket == Bracket::Tight {
            return self.narrow_numbers();
        }
        self.items(Spacing::Spaces(0), bracket, TokenKind::ParenthesisClose, |printer, spacing| {
            match printer.token.kind {
                TokenKind::Number => printer.number(spacing, context),
                _ => printer.value(spacing),
            }
        });
        self.fingerprint.bytes(b')', b"");
    }

    /// The same for numbers of 32 bits, in Godot 4's profile.
    fn narrow_numbers(&mut self) {
        self.mark(Spacing::Spaces(0));
        let mut needs_space = false;
        loop {
            needs_space |= self.plain_numbers(needs_space);
            self.advance();
            let spacing = Spacing::Spaces(u8::from(needs_space));
            match self.token.kind {
                TokenKind::ParenthesisClose | TokenKind::Eof => break,
                TokenKind::Number => self.number(spacing, Context::Narrow),
                _ => self.value(spacing),
            }
            self.advance();
            if self.token.kind != TokenKind::Comma {
                break;
            }
            self.mark(Spacing::Spaces(0));
            needs_space = true;
        }
        self.mark(Spacing::Spaces(0));
        self.fingerprint.bytes(b')', b"");
    }

    /// Writes `(1, 2)` or `("AQI=")` behind `PackedByteArray`. With `format=4` Godot writes all of
    /// them as base64.
    fn byte_array(&mut self, bracket: Bracket) {
        let (start, comment_count) = (self.output.len(), self.comment_count);
        let mut bytes: Option<Vec<u8>> = self.profile.is_base64.then(Vec::new);
        self.items(Spacing::Spaces(0), bracket, TokenKind::ParenthesisClose, |printer, spacing| {
            let text = printer.token.span.of(printer.source);
            if printer.token.kind != TokenKind::Number {
                bytes = None;
                return printer.base64(spacing, text);
            }
            match std::str::from_utf8(text).ok().and_then(|text| text.parse().ok()) {
                Some(byte) => bytes.iter_mut().for_each(|bytes| bytes.push(byte)),
                None => bytes = None,
            }
            printer.number(spacing, Context::Int);
        });
        self.fingerprint.bytes(b')', b"");
        if let Some(bytes) = bytes.filter(|bytes| !bytes.is_empty())
            && self.comment_count == comment_count
        {
            let base64 = BASE64_STANDARD.encode(bytes);
            self.output.replace(start, &[b"(\"", base64.as_bytes(), b"\")"].concat());
        }
    }

    /// Writes bytes that are a string, which counts as much as the list of them.
    fn base64(&mut self, spacing: Spacing, text: &[u8]) {
        self.spacing(spacing);
        match BASE64_STANDARD.decode(&text[1..text.len() - 1]) {
            Ok(bytes) => bytes.iter().for_each(|byte| self.fingerprint.number(u64::from(*byte))),
            Err(_) => self.fingerprint.bytes(b'"', text),
        }
        self.copy();
    }

    /// Writes `(Class,"property":value)` behind `Object`.
    fn object(&mut self) {
        let bracket = self.profile.object;
        let mut is_class = true;
        self.items(Spacing::Spaces(0), bracket, TokenKind::ParenthesisClose, |printer, spacing| {
            if std::mem::take(&mut is_class) {
                printer.fingerprint.bytes(b'c', printer.token.span.of(printer.source));
                return printer.mark(spacing);
            }
            printer.spacing(spacing);
            printer.string(TextForm::Raw);
            printer.advance();
            printer.mark(Spacing::Spaces(0));
            printer.advance();
            printer.value(bracket.after_colon());
        });
        self.fingerprint.bytes(b')', b"");
        self.closed_object = true;
    }

    /// Writes `#rrggbb` as its colour.
    pub(crate) fn color(&mut self, spacing: Spacing) {
        self.spacing(spacing);
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
        let bracket = self.profile.style.construct(b"Color");
        self.fingerprint.bytes(b'n', b"Color");
        let mut out = std::mem::take(&mut self.scratch);
        out.clear();
        out.extend_from_slice(b"Color(");
        let space = |out: &mut Vec<u8>, spacing| {
            if spacing == Spacing::Spaces(1) {
                out.push(b' ');
            }
        };
        space(&mut out, bracket.after_open());
        for (index, component) in components.into_iter().enumerate() {
            if index > 0 {
                out.extend_from_slice(b", ");
            }
            self.profile.numbers.write_f32(&mut out, component);
            // This text will be read again.
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
