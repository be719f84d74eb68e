//! The text between two tokens: white space and comments.
//!
//! Godot drops comments when it saves, so their layout is ours. A comment stays after the token
//! that ends in its line, or on its own line. Between properties and tags, a blank line before or
//! after it stays one.

use crate::format::output_buffer::OutputBuffer;
use crate::span::Span;

/// The white space between two tokens without comments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Spacing {
    /// This number of spaces.
    Spaces(u8),
    /// A line end inside a value.
    Line,
    /// A line end before a property or tag, or a blank line.
    Statement { is_blank: bool },
}

/// The comments between two tokens.
#[derive(Debug, Default)]
pub(crate) struct Trivia {
    comments: Vec<Comment>,
    /// Line ends since the last comment.
    line_ends: usize,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Comment {
    /// Without blanks at its end.
    pub(crate) span: Span,
    /// Line ends before it.
    pub(crate) line_ends: usize,
}

impl Spacing {
    /// Writes the white space where there are no comments.
    #[inline]
    pub(crate) fn write(self, output: &mut OutputBuffer<'_>) {
        match self {
            Spacing::Spaces(0) => {}
            Spacing::Spaces(1) => output.byte(b' '),
            Spacing::Spaces(count) => (0..count).for_each(|_| output.byte(b' ')),
            Spacing::Line | Spacing::Statement { is_blank: false } => output.byte(b'\n'),
            Spacing::Statement { is_blank: true } => output.bytes(b"\n\n"),
        }
    }
}

impl Trivia {
    /// The `comments` between a token that ends at `start` and one that starts at `end`.
    pub(crate) fn new(text: &[u8], start: u32, comments: &[Span], end: u32) -> Self {
        let line_ends = |from: u32, to: u32| {
            text[from as usize..to as usize].iter().filter(|byte| **byte == b'\n').count()
        };
        let mut trivia = Self::default();
        let mut from = start;
        for comment in comments {
            let length = trimmed(comment.of(text)).len() as u32;
            trivia.comments.push(Comment {
                span: Span::new(comment.start, comment.start + length),
                line_ends: line_ends(from, comment.start),
            });
            from = comment.end;
        }
        trivia.line_ends = line_ends(from, end);
        trivia
    }

    /// The comments.
    pub(crate) fn comments(&self) -> &[Comment] {
        &self.comments
    }

    /// Writes `spacing` with the comments in it.
    #[cold]
    pub(crate) fn write(&self, output: &mut OutputBuffer<'_>, spacing: Spacing) {
        let keeps_blanks = matches!(spacing, Spacing::Statement { .. });
        let has_blank = self.line_ends > 1
            || self.comments.iter().any(|comment| comment.line_ends > 1 && output.len() > 0);
        // A required blank line that is missing goes before the comments, which are probably about
        // the text after them.
        let mut owes_blank = spacing == Spacing::Statement { is_blank: true } && !has_blank;
        for comment in &self.comments {
            if output.len() > 0 {
                if comment.line_ends == 0 {
                    output.byte(b' ');
                } else {
                    output.byte(b'\n');
                    if keeps_blanks && comment.line_ends > 1 || owes_blank {
                        output.byte(b'\n');
                    }
                    owes_blank = false;
                }
            }
            output.copy(comment.span);
        }
        output.byte(b'\n');
        if keeps_blanks && self.line_ends > 1 || owes_blank {
            output.byte(b'\n');
        }
    }
}

/// A comment without the blanks at its end; a CR there belongs to the line end.
pub(crate) fn trimmed(comment: &[u8]) -> &[u8] {
    let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\r');
    let blanks = comment.iter().rev().take_while(|byte| is_blank(byte)).count();
    &comment[..comment.len() - blanks]
}
