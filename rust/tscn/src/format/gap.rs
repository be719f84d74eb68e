//! What stands between two tokens: white space, and the comments that stood there.
//!
//! Godot drops comments when it saves, so their layout is ours: a comment stays behind the token
//! whose line it ends, or on a line of its own, and between properties and tags a blank line
//! before or after it stays one.

use crate::format::sheet::Sheet;
use crate::span::Span;

/// The white space between two tokens without comments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Gap {
    /// So many spaces.
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

impl Gap {
    /// Writes the white space where there are no comments.
    #[inline]
    pub(crate) fn write(self, sheet: &mut Sheet<'_>) {
        match self {
            Gap::Spaces(0) => {}
            Gap::Spaces(1) => sheet.byte(b' '),
            Gap::Spaces(count) => (0..count).for_each(|_| sheet.byte(b' ')),
            Gap::Line | Gap::Statement { is_blank: false } => sheet.byte(b'\n'),
            Gap::Statement { is_blank: true } => sheet.bytes(b"\n\n"),
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

    /// Writes `gap` with the comments in it.
    #[cold]
    pub(crate) fn write(&self, sheet: &mut Sheet<'_>, gap: Gap) {
        let keeps_blanks = matches!(gap, Gap::Statement { .. });
        let has_blank = self.line_ends > 1
            || self.comments.iter().any(|comment| comment.line_ends > 1 && sheet.len() > 0);
        // A blank line that has to be there, and is not, goes before the comments, which are
        // likely about what follows.
        let mut owes_blank = gap == Gap::Statement { is_blank: true } && !has_blank;
        for comment in &self.comments {
            if sheet.len() > 0 {
                if comment.line_ends == 0 {
                    sheet.byte(b' ');
                } else {
                    sheet.byte(b'\n');
                    if keeps_blanks && comment.line_ends > 1 || owes_blank {
                        sheet.byte(b'\n');
                    }
                    owes_blank = false;
                }
            }
            sheet.copy(comment.span);
        }
        sheet.byte(b'\n');
        if keeps_blanks && self.line_ends > 1 || owes_blank {
            sheet.byte(b'\n');
        }
    }
}

/// A comment without the blanks at its end; a CR there belongs to the line end.
pub(crate) fn trimmed(comment: &[u8]) -> &[u8] {
    let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\r');
    let blanks = comment.iter().rev().take_while(|byte| is_blank(byte)).count();
    &comment[..comment.len() - blanks]
}
