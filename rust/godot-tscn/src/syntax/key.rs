//! Keys: every byte above 32 up to `=` (`VariantParser::parse_tag_assign_eof`, Godot 4.6.3).
//!
//! For Godot a line without `=` is the beginning of the next line's key. Here that line is
//! reported, and the key is the text on the line of the `=`; both readings are kept.

use crate::span::Span;
use crate::syntax::error::{Expected, SyntaxErrorKind};
use crate::syntax::hash_line::{self, HashLine};
use crate::syntax::parser::Parser;
use crate::syntax::recovery::Abort;
use crate::syntax::scan::{is_odd_piece, key_piece_end};
use crate::syntax::token::{TokenKind, TokenSink};

/// A key in front of its `=`.
pub(crate) struct KeySpan {
    /// The text on the line of the `=`, or on the line before if that is empty.
    pub(crate) key: Span,
    /// Where the key starts for Godot.
    pub(crate) start: u32,
    /// Whether Godot certainly reads the key as its bytes.
    pub(crate) is_plain: bool,
}

/// The parts of a key so far.
#[derive(Default)]
struct Pending {
    /// Where the key starts for Godot.
    start: Option<u32>,
    /// The pieces on the last line that has any.
    line: Option<Line>,
    /// Whether that line has ended.
    line_ended: bool,
}

struct Line {
    span: Span,
    /// More than one piece, or bytes that Godot reads differently: the key is not what it seems.
    is_altered: bool,
    /// Whether a value or tag is before it on the same line.
    follows_value: bool,
    /// Whether not even a space parts it from a value.
    is_glued: bool,
}

impl<S: TokenSink> Parser<'_, S> {
    /// Reads up to the `=` of the next property, or returns nothing in front of the next tag or
    /// at the end of the text.
    ///
    /// `previous_end` is where a tag or value ended, if nothing was skipped since.
    pub(crate) fn key(
        &mut self,
        previous_end: Option<u32>,
        takes_properties: bool,
    ) -> Option<KeySpan> {
        let mut pending = Pending::default();
        let mut previous_end = previous_end;
        loop {
            if self.lexer.skip_whitespace(takes_properties) {
                pending.line_ended = true;
                previous_end = None;
            }
            let at_line_start = pending.line.is_none() || pending.line_ended;
            let byte = self.lexer.byte();
            if at_line_start && byte.is_some_and(|byte| b"<=>|#[".contains(&byte)) {
                match byte {
                    Some(b'[') if pending.start.is_none() => return None,
                    Some(b'[') if self.looks_like_tag(self.lexer.pos) => {
                        self.report_junk(&pending, takes_properties);
                        return None;
                    }
                    Some(b'#') if self.hash_line(&mut pending, previous_end, takes_properties) => {
                        continue;
                    }
                    _ if previous_end.is_none() && self.conflict() => continue,
                    _ => {}
                }
            }
            let is_tag = match byte {
                Some(b'[') => pending.line.is_some() && self.looks_like_known_tag(self.lexer.pos),
                _ => at_line_start && self.is_tag_without_bracket(),
            };
            match byte {
                _ if is_tag => {
                    self.report_junk(&pending, takes_properties);
                    return None;
                }
                None => {
                    self.report_junk(&pending, takes_properties);
                    return None;
                }
                Some(b';') => self.lexer.comment(),
                Some(b'=') => return Some(self.finish_key(&pending)),
                Some(byte) => {
                    if self.string_ended_too_late(previous_end) {
                        (pending, previous_end) = (Pending::default(), None);
                        continue;
                    }
                    if at_line_start {
                        self.report_junk(&pending, takes_properties);
                    }
                    if !self.piece(byte, &mut pending, previous_end) {
                        (pending, previous_end) = (Pending::default(), None);
                    }
                }
            }
        }
    }

    /// Reads a quoted or unquoted piece of a key. Returns false after an unterminated string.
    fn piece(&mut self, byte: u8, pending: &mut Pending, previous_end: Option<u32>) -> bool {
        let start = self.lexer.pos;
        let is_altered = if byte == b'"' {
            let token = self.lexer.string(start, TokenKind::String);
            if token.kind == TokenKind::Invalid {
                let abort = self.expected(token, Expected::Key);
                self.recover(abort);
                return false;
            }
            false
        } else {
            let end = key_piece_end(self.lexer.text, start);
            let is_odd = is_odd_piece(self.lexer.text, start, end);
            self.lexer.pos = if is_odd { self.tag_in_key(start, end) } else { end };
            self.lexer.emit(TokenKind::Key, start);
            is_odd && !self.lexer.text[start..self.lexer.pos].is_ascii()
        };
        let span = Span::new(start as u32, self.lexer.offset());
        pending.start.get_or_insert(span.start);
        match &mut pending.line {
            Some(line) if !pending.line_ended => {
                line.span.end = span.end;
                line.is_altered = true;
            }
            line => {
                *line = Some(Line {
                    span,
                    is_altered,
                    follows_value: previous_end.is_some(),
                    is_glued: previous_end == Some(span.start)
                        && self.tree.sections.last().is_none_or(|last| last.tag.end != span.start),
                });
            }
        }
        pending.line_ended = false;
        true
    }

    /// Where a tag starts in the piece of a key from `start` to `end`: the piece was typed in front of it by accident. The
    /// end if there is none.
    #[cold]
    fn tag_in_key(&self, start: usize, end: usize) -> usize {
        let brackets = memchr::memchr_iter(b'[', &self.lexer.text[start..end]);
        let mut places = brackets.map(|bracket| start + bracket);
        places.find(|place| self.looks_like_known_tag(*place)).unwrap_or(end)
    }

    fn finish_key(&mut self, pending: &Pending) -> KeySpan {
        // Godot then takes the section for finished and reads it again (`r_assign` is empty,
        // `ResourceLoaderText::_parse_node_tag`, 4.6.3).
        let no_key = SyntaxErrorKind::Expected { expected: Expected::Key, found: TokenKind::Equal };
        let Some(line) = &pending.line else {
            let equal = Span::new(self.lexer.offset(), self.lexer.offset() + 1);
            self.lexer.report(no_key, equal);
            let start = pending.start.unwrap_or(equal.start);
            return KeySpan { key: Span::empty(equal.start), start, is_plain: false };
        };
        let is_hash_line = !line.follows_value && self.lexer.text[line.span.start as usize] == b'#';
        if line.is_altered && !is_hash_line {
            self.lexer.report(SyntaxErrorKind::UnquotedKey, line.span);
        }
        if line.span.of(self.lexer.text) == b"\"\"" {
            self.lexer.report(no_key, line.span);
        }
        if line.is_glued {
            self.lexer.report(SyntaxErrorKind::MissingSpace, line.span);
        }
        let start = pending.start.unwrap_or(line.span.start);
        let is_quoted = line.span.of(self.lexer.text).first() == Some(&b'"');
        let is_plain = start == line.span.start && !line.is_altered && !is_quoted;
        KeySpan { key: line.span, start, is_plain }
    }

    /// Reports a line that turned out to have no `=`.
    fn report_junk(&mut self, pending: &Pending, takes_properties: bool) {
        let Some(line) = &pending.line else { return };
        let kind = if line.follows_value {
            SyntaxErrorKind::TrailingGarbage
        } else if takes_properties {
            SyntaxErrorKind::MissingEquals
        } else {
            SyntaxErrorKind::Expected { expected: Expected::Tag, found: TokenKind::Key }
        };
        self.lexer.report(kind, line.span);
    }

    /// Reports a line that begins with `#`, and skips it unless it is a property. Returns whether it did.
    fn hash_line(
        &mut self,
        pending: &mut Pending,
        previous_end: Option<u32>,
        takes_properties: bool,
    ) -> bool {
        if previous_end.is_some() {
            return false;
        }
        let start = self.lexer.pos;
        let end = super::lexer::line_end(self.lexer.text, start);
        let line = self.lexer.text[start..end].trim_ascii_end();
        let span = Span::new(start as u32, (start + line.len()) as u32);
        // In a hostile text, each of many values may go on to the end.
        let rest = &self.lexer.text[start..];
        let rest = &rest[..rest.len().min(self.rewind_budget.max(line.len()))];
        let (kind, read) = hash_line::read(rest, line.len());
        self.rewind_budget = self.rewind_budget.saturating_sub(read);
        self.lexer.report(SyntaxErrorKind::HashComment(kind), span);
        if pending.line.is_some() {
            self.report_junk(pending, true);
            pending.line = None;
        }
        if kind == HashLine::Property && takes_properties {
            return false;
        }
        pending.start = match kind {
            // The line becomes a part of the next key.
            HashLine::Open => pending.start.or(Some(span.start)),
            HashLine::Property | HashLine::Refused => None,
        };
        self.lexer.pos = end;
        self.lexer.emit(TokenKind::Invalid, start);
        true
    }

    /// If the value before was a string that swallowed the next tags because its end is missing,
    /// goes back to them.
    fn string_ended_too_late(&mut self, previous_end: Option<u32>) -> bool {
        let Some(string) = self.lexer.multi_line_string else {
            return false;
        };
        if previous_end != Some(string.end) {
            return false;
        }
        let Some(resume) = self.resume_in_string(string) else {
            return false;
        };
        let found = Span::new(self.lexer.offset(), self.lexer.offset() + 1);
        self.report_unterminated_string(string, found);
        if let Some(last) = self.tree.properties.last_mut() {
            last.value.end = last.value.end.min(resume as u32);
            last.kind = crate::document::ValueKind::Invalid;
        }
        self.recover(Abort { from: string.start, resume: Some(resume) });
        true
    }
}
