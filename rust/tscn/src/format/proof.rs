//! The comparison of a formatted text with its origin: nothing wrong is ever returned.

use crate::format::gap::trimmed;
use crate::format::lay_out;
use crate::format::refusal::{FormatBug, FormatRefusal};
use crate::span::Span;
use crate::syntax::{self, Token, TokenKind};

/// Refuses `formatted` if it is not `text` (whose tokens are `tokens`) in another layout, or not
/// in the layout that it will have after formatting it again.
pub(crate) fn check(text: &[u8], tokens: &[Token], formatted: &[u8]) -> Result<(), FormatRefusal> {
    let (document, new_tokens) = syntax::parse_with_tokens(formatted);
    if !document.errors().is_empty() {
        return Err(FormatRefusal::Bug(FormatBug::Errors));
    }
    same_tokens(text, tokens, formatted, &new_tokens).map_err(FormatRefusal::Bug)?;
    if lay_out(&document, &new_tokens)? != formatted {
        return Err(FormatRefusal::Bug(FormatBug::NotIdempotent));
    }
    Ok(())
}

/// Compares the tokens, white space left out: each comment is between the same two tokens, and on
/// a line of its own or not, as it was.
fn same_tokens(
    old_text: &[u8],
    old: &[Token],
    new_text: &[u8],
    new: &[Token],
) -> Result<(), FormatBug> {
    let mut old = old.iter().filter(|token| token.kind != TokenKind::Whitespace);
    let mut new = new.iter().filter(|token| token.kind != TokenKind::Whitespace);
    loop {
        let (old, new) = match (old.next(), new.next()) {
            (None, None) => return Ok(()),
            (Some(old), Some(new)) => (old, new),
            (Some(rest), None) | (None, Some(rest)) => return Err(bug_of(rest.kind)),
        };
        let (old_bytes, new_bytes) = (old.span.of(old_text), new.span.of(new_text));
        let is_same = old.kind == new.kind
            && match old.kind {
                TokenKind::Comment => {
                    trimmed(old_bytes) == new_bytes
                        && starts_line(old_text, old.span) == starts_line(new_text, new.span)
                }
                _ => old_bytes == new_bytes,
            };
        if !is_same {
            let is_comment = new.kind == TokenKind::Comment;
            return Err(bug_of(if is_comment { new.kind } else { old.kind }));
        }
    }
}

/// Whether nothing but white space precedes `span` on its line.
fn starts_line(text: &[u8], span: Span) -> bool {
    let before = text[..span.start as usize].iter().rev();
    before.copied().find(|byte| *byte > 32 || *byte == b'\n').is_none_or(|byte| byte == b'\n')
}

fn bug_of(kind: TokenKind) -> FormatBug {
    if kind == TokenKind::Comment { FormatBug::Comments } else { FormatBug::Tokens }
}
