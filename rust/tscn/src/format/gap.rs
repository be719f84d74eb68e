//! What stands between two tokens: white space, and the comments that stood there.
//!
//! Godot drops comments when it saves, so their layout is ours: a comment stays behind the token
//! whose line it ends, or on a line of its own, and between properties and tags a blank line
//! before or after it stays one.

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

/// The white space and comments read since the last token.
#[derive(Debug, Default)]
pub(crate) struct Trivia {
    comments: Vec<Comment>,
    /// Line ends since the last token or comment.
    line_ends: usize,
}

#[derive(Clone, Copy, Debug)]
struct Comment {
    /// Without blanks at its end.
    span: Span,
    /// Line ends before it.
    line_ends: usize,
}

impl Trivia {
    /// Takes a run of white space.
    #[inline]
    pub(crate) fn whitespace(&mut self, whitespace: &[u8]) {
        if whitespace != b" " {
            self.line_ends += whitespace.iter().filter(|byte| **byte == b'\n').count();
        }
    }

    /// Takes a comment.
    pub(crate) fn comment(&mut self, text: &[u8], span: Span) {
        let comment = trimmed(span.of(text));
        let span = Span::new(span.start, span.start + comment.len() as u32);
        self.comments.push(Comment { span, line_ends: self.line_ends });
        self.line_ends = 0;
    }

    /// Writes `gap` with the comments in it, and forgets them.
    #[inline]
    pub(crate) fn write(&mut self, out: &mut Vec<u8>, text: &[u8], gap: Gap) {
        if !self.comments.is_empty() {
            self.write_comments(out, text, gap);
        } else if !out.is_empty() {
            match gap {
                Gap::Spaces(0) => {}
                Gap::Spaces(1) => out.push(b' '),
                Gap::Spaces(count) => out.resize(out.len() + count as usize, b' '),
                Gap::Line | Gap::Statement { is_blank: false } => out.push(b'\n'),
                Gap::Statement { is_blank: true } => out.extend_from_slice(b"\n\n"),
            }
        }
        self.line_ends = 0;
    }

    /// Writes the comments at the end of the text, and its last line end.
    pub(crate) fn write_last(&mut self, out: &mut Vec<u8>, text: &[u8]) {
        // The end of the text ends the last comment's line, and no blank line follows.
        self.line_ends = 0;
        self.write(out, text, Gap::Statement { is_blank: false });
    }

    /// Whether comments were taken.
    #[inline]
    pub(crate) fn has_comments(&self) -> bool {
        !self.comments.is_empty()
    }

    #[cold]
    fn write_comments(&mut self, out: &mut Vec<u8>, text: &[u8], gap: Gap) {
        let keeps_blanks = matches!(gap, Gap::Statement { .. });
        let has_blank = self.line_ends > 1
            || self.comments.iter().any(|comment| comment.line_ends > 1 && !out.is_empty());
        // A blank line that has to be there, and is not, goes before the comments, which are
        // likely about what follows.
        let mut owes_blank = gap == Gap::Statement { is_blank: true } && !has_blank;
        for comment in self.comments.drain(..) {
            if !out.is_empty() {
                if comment.line_ends == 0 {
                    out.push(b' ');
                } else {
                    out.push(b'\n');
                    if keeps_blanks && comment.line_ends > 1 || owes_blank {
                        out.push(b'\n');
                    }
                    owes_blank = false;
                }
            }
            out.extend_from_slice(comment.span.of(text));
        }
        out.push(b'\n');
        if keeps_blanks && self.line_ends > 1 || owes_blank {
            out.push(b'\n');
        }
    }
}

/// A comment without the blanks at its end; a CR there belongs to the line end.
pub(crate) fn trimmed(comment: &[u8]) -> &[u8] {
    let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\r');
    let blanks = comment.iter().rev().take_while(|byte| is_blank(byte)).count();
    &comment[..comment.len() - blanks]
}
