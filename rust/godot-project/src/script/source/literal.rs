//! Texts between quotes, and paths of nodes, as they stand in a script and as Godot reads them.

use godot_tscn::Span;

use crate::script::source::{LiteralKind, NodePathUse, StringLiteral};

impl StringLiteral {
    /// The replacement of [`StringLiteral::content`] so that Godot reads `text`; nothing if this kind of literal
    /// cannot contain it.
    pub fn content_for(&self, text: &str) -> Option<String> {
        let is_plain = !text.contains(['\\', '"', '\'', '\n', '\r']);
        if is_plain {
            return Some(text.to_owned());
        }
        (!self.is_raw).then(|| escaped(text))
    }
}

impl NodePathUse {
    /// The replacement of [`NodePathUse::span`] so that it leads to `path`: without quotes if it was without and can be.
    pub fn replacement(&self, path: &str) -> String {
        let is_plain = path.split('/').enumerate().all(|(index, name)| {
            let is_root = index == 0 && name.is_empty() && path.len() > 1;
            is_root || is_identifier(name.strip_prefix('%').unwrap_or(name))
        });
        if self.is_quoted || !is_plain {
            return format!("$\"{}\"", escaped(path));
        }
        if path.starts_with('%') && !self.has_dollar { path.to_owned() } else { format!("${path}") }
    }
}

/// Whether names of nodes need no quotes: those that begin with a digit do.
fn is_identifier(name: &str) -> bool {
    let mut characters = name.chars();
    characters.next().is_some_and(|first| first == '_' || first.is_alphabetic())
        && characters.all(|character| character == '_' || character.is_alphanumeric())
}

fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len() + 2);
    for character in text.chars() {
        match character {
            '\\' => escaped.push_str("\\\\"),
            '"' => escaped.push_str("\\\""),
            '\'' => escaped.push_str("\\'"),
            '\n' => escaped.push_str("\\n"),
            '\r' => escaped.push_str("\\r"),
            character => escaped.push(character),
        }
    }
    escaped
}

/// The pieces of a literal, `&"name"` or the like: its kind, whether it is raw, and where its content is.
pub(super) fn pieces(text: &str, span: Span) -> Option<(LiteralKind, bool, Span)> {
    let source = text.get(span.start as usize..span.end as usize)?;
    let (kind, is_raw, open) = match source.as_bytes().first()? {
        b'r' => (LiteralKind::String, true, 1),
        b'&' => (LiteralKind::StringName, false, 1),
        b'^' | b'@' => (LiteralKind::NodePath, false, 1),
        _ => (LiteralKind::String, false, 0),
    };
    let quoted = &source[open..];
    let quote = quoted.chars().next().filter(|quote| matches!(quote, '"' | '\''))?;
    let triple = [quote; 3].iter().collect::<String>();
    let is_long = quoted.len() >= 6 && quoted.starts_with(&triple) && quoted.ends_with(&triple);
    let count = if is_long { 3 } else { 1 };
    if quoted.len() < 2 * count || !quoted.ends_with(quote) {
        return None;
    }
    let content = Span::new(span.start + (open + count) as u32, span.end - count as u32);
    Some((kind, is_raw, content))
}

/// Godot's reading of the text between the quotes; nothing for escapes that it refuses, and for those of halves of a
/// character.
pub(super) fn decoded(content: &str, is_raw: bool) -> Option<String> {
    if is_raw || !content.contains('\\') {
        return Some(content.to_owned());
    }
    let mut decoded = String::with_capacity(content.len());
    let mut rest = content;
    while let Some((before, after)) = rest.split_once('\\') {
        decoded.push_str(before);
        let code = after.chars().next()?;
        let mut length = code.len_utf8();
        match code {
            'a' => decoded.push('\u{7}'),
            'b' => decoded.push('\u{8}'),
            'f' => decoded.push('\u{c}'),
            'n' => decoded.push('\n'),
            'r' => decoded.push('\r'),
            't' => decoded.push('\t'),
            'v' => decoded.push('\u{b}'),
            '\'' | '"' | '\\' => decoded.push(code),
            'u' | 'U' => {
                length += if code == 'u' { 4 } else { 6 };
                let digits = after.get(1..length)?;
                decoded.push(char::from_u32(u32::from_str_radix(digits, 16).ok()?)?);
            }
            '\n' => {}
            '\r' if after.starts_with("\r\n") => length = 2,
            _ => return None,
        }
        rest = &after[length..];
    }
    decoded.push_str(rest);
    Some(decoded)
}
