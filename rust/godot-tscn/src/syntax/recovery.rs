//! Where to go on after an error: at the next line that is a tag or a property.

use memchr::memchr;
use memchr::memmem;

use crate::document::{TagKind, ValueKind};
use crate::span::Span;
use crate::syntax::error::{Expected, SyntaxError, SyntaxErrorKind, Unterminated};
use crate::syntax::lexer::{MAX_ERRORS, line_end};
use crate::syntax::parser::Parser;
use crate::syntax::scan::identifier_end;
use crate::syntax::token::{Token, TokenKind, TokenSink};

/// A tag or value cannot be read on; the reason is reported.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Abort {
    /// Where the text stops making sense.
    pub(crate) from: u32,
    /// Where to go on, if that is known already.
    pub(crate) resume: Option<usize>,
}

impl<S: TokenSink> Parser<'_, S> {
    /// Reports the unexpected `token`, with the most likely cause; `kind` if no better one is
    /// found.
    #[cold]
    pub(crate) fn unexpected(&mut self, token: Token, kind: SyntaxErrorKind) -> Abort {
        let text = self.lexer.text;
        let start = token.span.start;
        let mut abort = Abort { from: start, resume: None };
        if let Some(string) = self.string_just_before(token)
            && let Some(resume) = self.resume_in_string(string)
        {
            self.report_unterminated_string(string, token.span);
            return Abort { from: string.start, resume: Some(resume) };
        }
        if token.kind == TokenKind::Invalid && is_string_start(token.span.of(text)) {
            self.report_unterminated_string(token.span, Span::empty(text.len() as u32));
            abort.resume = self.resume_in_string(token.span);
            abort.resume.get_or_insert(text.len());
            return abort;
        }
        if token.kind == TokenKind::Eof && self.ends_in_nul() {
            return abort;
        }
        let line_start = self.line_start_before(start);
        if line_start.is_some() && self.conflict_marker(start as usize).is_some() {
            abort.resume = Some(self.resume_after_conflict(token));
            return abort;
        }
        let is_line = line_start.is_some() && self.starts_line_of_its_own(start);
        if let Some((unterminated, open)) = self.opener()
            && (token.kind == TokenKind::Eof || is_line)
        {
            let opener = Span::new(open, open + 1);
            self.lexer.report(SyntaxErrorKind::Unterminated(unterminated), opener);
            self.relate(token.span);
            abort.resume = is_line.then_some(start as usize);
            return abort;
        }
        let kind = match token.kind {
            TokenKind::Invalid => SyntaxErrorKind::UnexpectedCharacter,
            _ => kind,
        };
        self.lexer.report(kind, token.span);
        abort
    }

    /// Continues after an error; skipped text becomes an invalid token.
    #[cold]
    pub(crate) fn recover(&mut self, abort: Abort) {
        let pos = self.lexer.pos;
        let resume = abort.resume.unwrap_or_else(|| self.next_line_of_its_own(abort.from as usize));
        if resume >= pos {
            self.lexer.pos = resume;
            self.lexer.emit(TokenKind::Invalid, pos);
        } else if pos - resume <= self.rewind_budget {
            self.rewind_budget -= pos - resume;
            self.rewind(resume);
        }
        // Else: too much was read twice already, so nothing is gone back for. Godot refuses text
        // that a hostile file hides that way at the first error anyway.
        self.lexer.multi_line_string = None;
    }

    /// Whether a tag or property begins at `start`, the first byte of a line that is not blank.
    pub(crate) fn starts_line_of_its_own(&self, start: u32) -> bool {
        self.line_start_before(start).is_some()
            && (self.looks_like_tag(start as usize) || self.looks_like_property(start as usize))
    }

    /// Whether the text at `pos` looks like `[node` and not like an array.
    pub(crate) fn looks_like_tag(&self, pos: usize) -> bool {
        let text = self.lexer.text;
        if text.get(pos) != Some(&b'[') || !text.get(pos + 1).is_some_and(u8::is_ascii_alphabetic) {
            return false;
        }
        if self.is_config {
            let line = text[pos..line_end(text, pos)].trim_ascii_end();
            return line.ends_with(b"]") && !line[1..].contains(&b'"') && !line.contains(&b',');
        }
        let name_end = identifier_end(text, pos + 1);
        match text.get(name_end) {
            Some(b' ' | b'\t') => {
                // `[node name=`, not `[true ]`.
                let field = name_end + 1;
                let field_end = identifier_end(text, field);
                field_end > field && text.get(field_end) == Some(&b'=')
            }
            Some(b']') => &text[pos + 1..name_end] == b"resource",
            _ => false,
        }
    }

    /// Whether the text at `pos` looks like a tag that scenes or resources have.
    pub(crate) fn looks_like_known_tag(&self, pos: usize) -> bool {
        let name = || pos + 1..identifier_end(self.lexer.text, pos + 1);
        !self.is_config
            && self.looks_like_tag(pos)
            && TagKind::of(&self.lexer.text[name()]) != TagKind::Unknown
    }

    /// Whether a tag without its `[` is at the current place, the start of a line: `node name=`. No key has a blank.
    #[inline]
    pub(crate) fn is_tag_without_bracket(&self) -> bool {
        let byte = self.lexer.byte();
        !self.is_config
            && matches!(byte, Some(b'c' | b'e' | b'g' | b'n' | b's'))
            && self.is_tag_name_and_field()
    }

    fn is_tag_name_and_field(&self) -> bool {
        let (text, pos) = (self.lexer.text, self.lexer.pos);
        let name_end = identifier_end(text, pos);
        let [b' ', b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'_', ..] = text[name_end..] else {
            return false;
        };
        text.get(identifier_end(text, name_end + 1)) == Some(&b'=')
            && TagKind::of(&text[pos..name_end]) != TagKind::Unknown
            && self.line_start_before(pos as u32).is_some()
    }

    /// Skips the text before the first tag, where nothing is allowed: one error for all of it. Others report comments,
    /// properties and conflict markers.
    pub(crate) fn skip_junk_before_header(&mut self) {
        self.lexer.skip_whitespace(false);
        while self.lexer.byte() == Some(b';') {
            self.lexer.comment();
            self.lexer.skip_whitespace(false);
        }
        let (text, start) = (self.lexer.text, self.lexer.pos);
        let is_comment = |byte| byte == b'#' && !self.looks_like_known_tag(start + 1);
        let is_of_others =
            |byte| byte == b'[' || is_comment(byte) || self.looks_like_property(start);
        if self.lexer.byte().is_none_or(is_of_others) || self.is_tag_without_bracket() {
            return;
        }
        let is_end = |at: &usize| match text[*at] {
            b'[' => self.looks_like_known_tag(*at),
            _ => (*at == 0 || text[at - 1] == b'\n') && self.conflict_marker(*at).is_some(),
        };
        let mut places =
            memchr::memchr3_iter(b'[', b'<', b'>', &text[start..]).map(|at| start + at);
        let end = places.find(is_end).unwrap_or(text.len());
        if end == start {
            return;
        }
        let line = text[start..end.min(line_end(text, start))].trim_ascii_end();
        let kind = SyntaxErrorKind::Expected { expected: Expected::Tag, found: TokenKind::Key };
        self.lexer.report(kind, Span::new(start as u32, (start + line.len()) as u32));
        self.lexer.pos = end;
        self.lexer.emit(TokenKind::Invalid, start);
    }

    /// After a string without end (to `string.end`), the line in it at which to continue. It is the
    /// next tag, the very next line if it is a property, or the line `key = "` with the quote that
    /// was taken for the end.
    pub(crate) fn resume_in_string(&self, string: Span) -> Option<usize> {
        let text = self.lexer.text;
        let mut line = line_end(text, string.start as usize) + 1;
        if line < string.end as usize && self.looks_like_property(line) {
            return Some(line);
        }
        while line < string.end as usize {
            if self.looks_like_tag(line) || self.opens_string_at(line, string.end as usize) {
                return Some(line);
            }
            line = line_end(text, line) + 1;
        }
        None
    }

    /// Whether the line at `line` reads `key = "`, with its quote right before `end`.
    fn opens_string_at(&self, line: usize, end: usize) -> bool {
        let text = &self.lexer.text[line..end];
        text.ends_with(b"= \"")
            && self.looks_like_property(line)
            && text.iter().filter(|byte| matches!(byte, b'=' | b'\n')).count() == 1
    }

    /// Reports that the string at `string` has no end, which was noticed at `found`.
    pub(crate) fn report_unterminated_string(&mut self, string: Span, found: Span) {
        let end = line_end(self.lexer.text, string.start as usize) as u32;
        let span = Span::new(string.start, end.min(string.end));
        self.lexer.report(SyntaxErrorKind::Unterminated(Unterminated::String), span);
        self.relate(found);
    }

    /// If the field before `name` is a string that ends right there, its own end was forgotten, and its closing quote is
    /// the start of the next one. Removes the report of the missing space.
    #[cold]
    pub(crate) fn string_left_open_before(&mut self, name: Token) -> Option<Abort> {
        let is_glued = |error: &SyntaxError| {
            error.kind == SyntaxErrorKind::MissingSpace && error.span == name.span
        };
        let before = self.tree.fields.last().map(|field| field.value)?;
        let is_string = before.of(self.lexer.text).starts_with(b"\"");
        if before.end != name.span.start
            || !is_string
            || !self.lexer.errors.last().is_some_and(is_glued)
        {
            return None;
        }
        self.lexer.errors.pop();
        self.spoil_last_field();
        self.report_unterminated_string(before, name.span);
        Some(Abort { from: name.span.start, resume: None })
    }

    /// The value of the last field was misread.
    pub(crate) fn spoil_last_field(&mut self) {
        if let Some(field) = self.tree.fields.last_mut() {
            field.kind = ValueKind::Invalid;
            let end = line_end(self.lexer.text, field.value.start as usize) as u32;
            field.value.end = field.value.end.min(end);
        }
    }

    /// If a conflict marker is at the current place, skips it, or the other side of the conflict
    /// with it.
    #[cold]
    pub(crate) fn conflict(&mut self) -> bool {
        let start = self.lexer.pos;
        let Some(mark) = self.conflict_marker(start) else {
            return false;
        };
        let end = line_end(self.lexer.text, start);
        let span = Span::new(start as u32, end as u32);
        if mark == b'<' || self.open_conflict.is_none() {
            self.lexer.report(SyntaxErrorKind::ConflictMarker, span);
            self.open_conflict = self.lexer.errors.len().checked_sub(1);
        }
        self.lexer.pos = end;
        match mark {
            b'<' => {
                if let Some(last) = self.end_of_conflict_through_string(end) {
                    self.lexer.pos = self.next_tag(last.end as usize);
                    self.close_conflict(last);
                }
            }
            b'>' => self.close_conflict(span),
            _ => {
                if let Some(last) = self.conflict_end(start) {
                    self.lexer.pos = last.end as usize;
                    self.close_conflict(last);
                }
            }
        }
        self.lexer.emit(TokenKind::Invalid, start);
        true
    }

    /// Reports a conflict in the middle of a value. Returns where to go on after it.
    fn resume_after_conflict(&mut self, token: Token) -> usize {
        let start = token.span.start as usize;
        let span = Span::new(token.span.start, line_end(self.lexer.text, start) as u32);
        self.lexer.report(SyntaxErrorKind::ConflictMarker, span);
        match self.conflict_end(start) {
            Some(last) => {
                self.relate(last);
                self.next_line_of_its_own(last.start as usize)
            }
            None => self.next_line_of_its_own(start),
        }
    }

    /// The end of the conflict with its first line ending at `start`, if a string begins in its first side and does not end
    /// there: the text after the conflict is then the rest of the string.
    fn end_of_conflict_through_string(&mut self, start: usize) -> Option<Span> {
        let rest = &self.lexer.text[start..];
        // Not further than to the next conflict, so that many take no longer than one.
        let is_mark = |at: &usize| {
            rest[at + 1..].starts_with(b"=======") || rest[at + 1..].starts_with(b"<<<<<<<")
        };
        let side = &rest[..memchr::memchr_iter(b'\n', rest).find(is_mark)?];
        let quotes = memchr::memchr_iter(b'"', side);
        let count =
            quotes.filter(|at| at.checked_sub(1).is_none_or(|at| side[at] != b'\\')).count();
        if count.is_multiple_of(2) {
            return None;
        }
        self.conflict_end(start)
    }

    /// The next line after `from` that looks like a tag; else the end of the text.
    fn next_tag(&self, from: usize) -> usize {
        let text = self.lexer.text;
        let mut line = from;
        while let Some(length) = memchr(b'\n', &text[line..]) {
            line += length + 1;
            if self.looks_like_tag(line) {
                return line;
            }
        }
        text.len()
    }

    /// The line of the next `>>>>>>>`.
    fn conflict_end(&mut self, start: usize) -> Option<Span> {
        if self.no_conflict_end {
            return None;
        }
        let text = self.lexer.text;
        let Some(length) = memmem::find(&text[start..], b"\n>>>>>>>") else {
            self.no_conflict_end = true;
            return None;
        };
        let line = start + length + 1;
        Some(Span::new(line as u32, line_end(text, line) as u32))
    }

    fn close_conflict(&mut self, last: Span) {
        if let Some(error) = self.open_conflict.take().and_then(|at| self.lexer.errors.get_mut(at))
            && error.span != last
        {
            error.related = Some(last);
        }
    }

    /// The letter of the conflict marker at `pos`, the start of a line.
    ///
    /// A marker has seven letters, or more if one conflict is in another.
    fn conflict_marker(&self, pos: usize) -> Option<u8> {
        let line = &self.lexer.text[pos..];
        let mark = *line.first().filter(|byte| b"<=>|".contains(byte))?;
        let length = line.iter().take_while(|byte| **byte == mark).count();
        let ends = matches!(line.get(length), None | Some(b' ' | b'\n' | b'\r'));
        (length >= 7 && ends).then_some(mark)
    }

    /// The start of the next line after `from` that looks like a tag or property, or that is a
    /// conflict marker; else the end of the text.
    fn next_line_of_its_own(&self, from: usize) -> usize {
        let text = self.lexer.text;
        let mut line = from;
        while let Some(length) = memchr(b'\n', &text[line..]) {
            line += length + 1;
            if self.looks_like_tag(line)
                || self.looks_like_property(line)
                || self.conflict_marker(line).is_some()
            {
                return line;
            }
        }
        text.len()
    }

    /// Whether the line at `pos` looks like `key = value`, in the manner of the engine's writer.
    fn looks_like_property(&self, pos: usize) -> bool {
        let text = self.lexer.text;
        let line = &text[pos..];
        let key_end = match line.first() {
            Some(b'"') => match memchr::memchr2(b'"', b'\n', &line[1..]) {
                Some(length) if line[1 + length] == b'"' => length + 2,
                _ => return false,
            },
            Some(b'A'..=b'Z' | b'a'..=b'z' | b'_') => {
                line.iter().position(|byte| !is_plain_key_byte(*byte)).unwrap_or(line.len())
            }
            _ => return false,
        };
        let rest = &line[key_end..];
        let rest = rest.strip_prefix(b" ").unwrap_or(rest);
        rest.first() == Some(&b'=') && rest.get(1) != Some(&b'=')
    }

    /// Whether a multi-line string ends right before `token` that swallowed a tag or property.
    pub(crate) fn swallows_lines_before(&self, token: Token) -> bool {
        self.string_just_before(token).and_then(|string| self.resume_in_string(string)).is_some()
    }

    /// The multi-line string that ends right before `token`.
    fn string_just_before(&self, token: Token) -> Option<Span> {
        let string = self.lexer.multi_line_string?;
        let gap = self.lexer.text.get(string.end as usize..token.span.start as usize)?;
        gap.iter().all(|byte| *byte <= 32).then_some(string)
    }

    /// Whether NUL bytes stand from the last error to the end of the text: Godot reads no further than to them.
    fn ends_in_nul(&self) -> bool {
        let last = self.lexer.errors.last();
        last.is_some_and(|last| {
            last.kind == SyntaxErrorKind::Nul
                && self.lexer.text[last.span.end as usize..].iter().all(|byte| *byte <= 32)
        })
    }

    /// The start of the line of `offset`, if only blanks precede `offset` on it.
    fn line_start_before(&self, offset: u32) -> Option<usize> {
        let before = &self.lexer.text[..offset as usize];
        let blanks = before.iter().rev().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        let start = before.len() - blanks;
        (start == 0 || before[start - 1] == b'\n').then_some(start)
    }

    fn rewind(&mut self, resume: usize) {
        let offset = resume as u32;
        self.lexer.pos = resume;
        self.lexer.sink.rewind(offset);
        pop_from(&mut self.lexer.comments, |comment| comment.start >= offset);
        pop_from(&mut self.tree.dictionary_keys, |key| key.span.start >= offset);
        pop_from(&mut self.tree.references, |reference| reference.target.start >= offset);
        // The error that leads here was reported last, perhaps at a later place.
        if let Some(reason) = self.lexer.errors.pop() {
            pop_from(&mut self.lexer.errors, |error| error.span.start >= offset);
            self.lexer.errors.push(reason);
        }
    }

    /// Adds a second place to the error reported last.
    fn relate(&mut self, related: Span) {
        if self.lexer.errors.len() < MAX_ERRORS
            && let Some(last) = self.lexer.errors.last_mut()
        {
            last.related = Some(related);
        }
    }
}

/// Removes the last items as long as they are to go: the lists are in the order of the text.
fn pop_from<T>(list: &mut Vec<T>, is_to_go: impl Fn(&T) -> bool) {
    while list.last().is_some_and(&is_to_go) {
        list.pop();
    }
}

/// Whether an identifier or keyword-like word is at the place of a value.
pub(crate) fn value_error(token: Token) -> SyntaxErrorKind {
    match token.kind {
        TokenKind::Identifier => SyntaxErrorKind::UnknownIdentifier,
        TokenKind::Comma => SyntaxErrorKind::ExtraComma,
        found => SyntaxErrorKind::Expected { expected: Expected::Value, found },
    }
}

fn is_plain_key_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"_/:.-@".contains(&byte)
}

fn is_string_start(token: &[u8]) -> bool {
    matches!(token, [b'"', ..] | [b'&' | b'@' | b'^', b'"', ..])
}
