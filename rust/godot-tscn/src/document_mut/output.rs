//! Puts the pieces end to end.

use super::piece::Piece;
use super::section::SectionMut;
use super::{DocumentMut, SectionId};
use crate::document::TagKind;
use crate::span::Span;

impl DocumentMut {
    /// The text.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut output = Output { text: &self.text, run: Span::empty(0), bytes: Vec::new() };
        output.bytes.reserve(self.text.len());
        let mut previous = None;
        for id in self.sections() {
            self.lead(&mut output, previous, id);
            let section = self.section(id);
            output.tag(section);
            for property in &section.properties {
                if matches!(property.key, Piece::New(_)) {
                    output.start_line(self.line_end);
                }
                output.piece(&property.lead);
                output.piece(&property.key);
                output.piece(&property.assign);
                output.piece(&property.value);
                output.piece(&property.end);
            }
            previous = Some(id);
        }
        if self.last.is_none_or(|last| last.0 + 1 == self.original_count) {
            output.piece(&self.end);
        } else {
            output.comments(&self.end, self.line_end);
        }
        output.finish()
    }

    /// The text before a section. It is the original text, or, between sections that were not next to each other, Godot's
    /// text with the comments of the section.
    fn lead(&self, output: &mut Output<'_>, previous: Option<SectionId>, id: SectionId) {
        let section = self.section(id);
        if id.0 < self.original_count && id.0.checked_sub(1).map(SectionId) == previous {
            // A comment between two sections may have been removed with the end of the line before
            // it.
            output.piece(&section.lead);
            return;
        }
        let Some(previous) = previous else {
            output.comments(&section.lead, self.line_end);
            return;
        };
        output.start_line(self.line_end);
        let continues =
            matches!(section.kind, TagKind::ExtResource | TagKind::Connection | TagKind::Editable)
                && self.kind(previous) == section.kind;
        // The original text before it may stay if it separates the two as necessary.
        let has_blank_line = section.lead.of(&self.text).starts_with(self.line_end);
        if id.0 < self.original_count && has_blank_line && !continues {
            output.piece(&section.lead);
            return;
        }
        if !continues {
            output.bytes(self.line_end);
        }
        output.comments(&section.lead, self.line_end);
    }
}

struct Output<'t> {
    text: &'t [u8],
    /// The span that is still to be copied: adjacent pieces are copied at once.
    run: Span,
    bytes: Vec<u8>,
}

impl Output<'_> {
    fn piece(&mut self, piece: &Piece) {
        match piece {
            Piece::Source(span) if span.start == self.run.end => self.run.end = span.end,
            Piece::Source(span) if span.start == span.end => {}
            Piece::Source(span) => {
                self.end_run();
                self.run = *span;
            }
            Piece::New(new) => self.bytes(new),
        }
    }

    fn bytes(&mut self, bytes: &[u8]) {
        self.end_run();
        self.bytes.extend_from_slice(bytes);
    }

    fn end_run(&mut self) {
        self.bytes.extend_from_slice(self.run.of(self.text));
        self.run = Span::empty(self.run.end);
    }

    fn tag(&mut self, section: &SectionMut) {
        self.piece(&section.open);
        for field in &section.fields {
            self.piece(&field.lead);
            self.piece(&field.name);
            self.piece(&field.assign);
            self.piece(&field.value);
        }
        self.piece(&section.close);
    }

    /// The comments in the text between sections.
    fn comments(&mut self, lead: &Piece, line_end: &[u8]) {
        let lead = lead.of(self.text).trim_ascii();
        if !lead.is_empty() {
            self.start_line(line_end);
            self.end_run();
            self.bytes.extend_from_slice(lead);
            self.bytes.extend_from_slice(line_end);
        }
    }

    /// The last line of a text may have no end.
    fn start_line(&mut self, line_end: &[u8]) {
        self.end_run();
        if self.bytes.last().is_some_and(|last| *last != b'\n') {
            self.bytes.extend_from_slice(line_end);
        }
    }

    fn finish(mut self) -> Vec<u8> {
        self.end_run();
        self.bytes
    }
}
