//! Takes a text apart.

use std::sync::Arc;

use super::piece::Piece;
use super::section::{FieldMut, PropertyMut, SectionMut};
use super::{DocumentMut, NotEditable, SectionId};
use crate::context::hides_sections;
use crate::document::{Document, Section};
use crate::format::style::Style;
use crate::line_index::LineIndex;
use crate::refusal::{refusal, syntax_problems};
use crate::syntax;

impl DocumentMut {
    /// For a text that Godot loads and reads as it looks.
    ///
    /// # Errors
    /// When Godot refuses the text, or reads something else.
    pub fn new(text: impl Into<Arc<[u8]>>) -> Result<Self, NotEditable> {
        let text = text.into();
        let document = syntax::parse(&text);
        check(&document)?;
        let sections = take_apart(&document);
        let is_crlf =
            memchr::memchr(b'\n', &text).is_some_and(|line_end| text[..line_end].ends_with(b"\r"));
        let count = sections.0.len() as u32;
        let format = document.sections().next().and_then(|header| header.field("format")?.int());
        Ok(Self {
            style: if format == Some(2) { Style::Godot3 } else { Style::Godot4 },
            line_end: if is_crlf { b"\r\n" } else { b"\n" },
            sections: sections.0,
            first: (count > 0).then_some(SectionId(0)),
            last: count.checked_sub(1).map(SectionId),
            end: sections.1,
            original_count: count,
            text: Arc::clone(&text),
        })
    }
}

fn check(document: &Document<'_>) -> Result<(), NotEditable> {
    if let Some(refusal) = refusal(document) {
        let rule = Some((refusal.code, refusal.message));
        return Err(NotEditable { rule, line: refusal.line });
    }
    let line = |at: u32| LineIndex::new(document.text()).position(at).line;
    if let Some(error) = document.errors().first() {
        let problem = syntax_problems(document).into_iter().next();
        let at = problem.as_ref().map_or(error.span.start, |problem| problem.span.start);
        let rule = problem.map(|problem| (problem.code, problem.message));
        return Err(NotEditable { rule, line: line(at) });
    }
    if document.sections().len() == 0 || hides_sections(document) {
        return Err(NotEditable { rule: None, line: 1 });
    }
    Ok(())
}

/// The sections, and the text after the last.
fn take_apart(document: &Document<'_>) -> (Vec<SectionMut>, Piece) {
    let text = document.text();
    let mut at = 0;
    let mut sections = Vec::with_capacity(document.sections().len());
    for section in document.sections() {
        let mut this = tag(text, section, at);
        at = piece_end(&this.close, at);
        this.properties.reserve_exact(section.properties().size_hint().0);
        for property in section.properties() {
            let (key, value) = (property.key_span(), property.value_span());
            let end = line_end(text, value.end);
            this.properties.push(PropertyMut {
                lead: Piece::between(at, key.start),
                key: Piece::Source(key),
                assign: Piece::between(key.end, value.start),
                value: Piece::Source(value),
                end: Piece::between(value.end, end),
            });
            at = end;
        }
        let index = section.index();
        this.previous = index.checked_sub(1).map(SectionId);
        this.next = section.next().map(|next| SectionId(next.index()));
        sections.push(this);
    }
    (sections, Piece::between(at, text.len() as u32))
}

fn tag(text: &[u8], section: Section<'_>, start: u32) -> SectionMut {
    let (tag, name) = (section.tag_span(), section.name_span());
    let mut this = SectionMut::new("", b"");
    this.kind = section.kind();
    this.lead = Piece::between(start, tag.start);
    this.open = Piece::between(tag.start, name.end);
    let mut at = name.end;
    this.fields.reserve_exact(section.fields().len());
    for field in section.fields() {
        let (name, value) = (field.name_span(), field.value_span());
        this.fields.push(FieldMut {
            lead: Piece::between(at, name.start),
            name: Piece::Source(name),
            assign: Piece::between(name.end, value.start),
            value: Piece::Source(value),
        });
        at = value.end;
    }
    this.close = Piece::between(at, line_end(text, tag.end));
    this
}

fn piece_end(piece: &Piece, otherwise: u32) -> u32 {
    match piece {
        Piece::Source(span) => span.end,
        Piece::New(_) => otherwise,
    }
}

/// Where the line ends in which `from` is, its line end included, if only white space or a comment follows; else `from`.
fn line_end(text: &[u8], from: u32) -> u32 {
    let rest = &text[from as usize..];
    let line = memchr::memchr(b'\n', rest).map_or(rest.len(), |end| end + 1);
    let blanks = rest[..line].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    let is_alone = blanks == line || rest[blanks] == b';';
    if is_alone { from + line as u32 } else { from }
}
