//! Strings and keys from their source text, decoded only when asked for.

use std::borrow::Cow;

use memchr::memchr;

use crate::span::Span;
use crate::syntax::lexer::code_unit;
use crate::syntax::scan::has_backslash;

/// [`text()`] of the token at `span` of `text`. Nearly all are strings without an escape, which is seen soonest if the bytes
/// behind a short one may be read with it.
pub(crate) fn text_at(text: &[u8], span: Span) -> Cow<'_, [u8]> {
    let (start, end) = (span.start as usize + 1, (span.end as usize).saturating_sub(1));
    match span.of(text) {
        [b'"', body @ .., b'"'] if !has_backslash(text, start, end) => Cow::Borrowed(body),
        token => self::text(token),
    }
}

/// The text of a string, string name or number token.
///
/// Strings lose their quotes and escapes. Bytes that are not UTF-8 are kept.
pub(crate) fn text(token: &[u8]) -> Cow<'_, [u8]> {
    let token = match token {
        [b'&' | b'@' | b'^', rest @ ..] => rest,
        _ => token,
    };
    match token {
        [b'"', body @ .., b'"'] => unescape(body),
        [b'\'', body @ .., b'\''] => Cow::Borrowed(body),
        // Godot reads `01` as the number 1.
        [b'0', _, ..] if token.iter().all(u8::is_ascii_digit) => {
            let zeros = token.iter().take_while(|digit| **digit == b'0').count();
            Cow::Borrowed(&token[zeros.min(token.len() - 1)..])
        }
        _ => Cow::Borrowed(token),
    }
}

/// A property's key as Godot reads it (`VariantParser::parse_tag_assign_eof`, 4.6.3): bytes up to
/// 32 and comments vanish, and a quoted piece replaces the text before it.
pub(crate) fn key(source: &[u8]) -> Cow<'_, [u8]> {
    if let [b'"', body @ .., b'"'] = source
        && memchr(b'"', body).is_none()
    {
        return unescape(body);
    }
    if source.iter().all(|byte| *byte > 32 && !matches!(byte, b'"' | b';')) {
        return Cow::Borrowed(source);
    }
    Cow::Owned(joined_key(source))
}

fn joined_key(source: &[u8]) -> Vec<u8> {
    let mut key = Vec::with_capacity(source.len());
    let mut pos = 0;
    while let Some(&byte) = source.get(pos) {
        match byte {
            ..=32 => pos += 1,
            b';' => pos = crate::syntax::lexer::line_end(source, pos),
            b'"' => {
                let end = string_end(source, pos);
                key = text(&source[pos..end]).into_owned();
                pos = end;
            }
            _ => {
                key.push(byte);
                pos += 1;
            }
        }
    }
    key
}

/// The end of the string with its `"` at `start`.
fn string_end(source: &[u8], start: usize) -> usize {
    let mut pos = start + 1;
    while let Some(&byte) = source.get(pos) {
        match byte {
            b'"' => return pos + 1,
            b'\\' => pos += 2,
            _ => pos += 1,
        }
    }
    source.len()
}

pub(crate) fn unescape(body: &[u8]) -> Cow<'_, [u8]> {
    let Some(first) = memchr(b'\\', body) else {
        return Cow::Borrowed(body);
    };
    let mut decoded = Vec::with_capacity(body.len());
    decoded.extend_from_slice(&body[..first]);
    let mut pos = first;
    while let Some(&byte) = body.get(pos) {
        if byte != b'\\' {
            let length = memchr(b'\\', &body[pos..]).unwrap_or(body.len() - pos);
            decoded.extend_from_slice(&body[pos..pos + length]);
            pos += length;
            continue;
        }
        pos = push_escape(body, pos, &mut decoded);
    }
    Cow::Owned(decoded)
}

/// Decodes the escape at `start`. Returns its end.
fn push_escape(body: &[u8], start: usize, decoded: &mut Vec<u8>) -> usize {
    if let Some((mut unit, mut end)) = code_unit(body, start) {
        if let (0xd800..=0xdbff, Some((low @ 0xdc00..=0xdfff, low_end))) =
            (unit, code_unit(body, end))
        {
            unit = 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
            end = low_end;
        }
        let character = char::from_u32(unit).unwrap_or(char::REPLACEMENT_CHARACTER);
        decoded.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
        return end;
    }
    decoded.push(match body.get(start + 1) {
        Some(b'b') => 8,
        Some(b't') => b'\t',
        Some(b'n') => b'\n',
        Some(b'f') => 12,
        Some(b'r') => b'\r',
        // Godot reads every other escape as the character itself, `\a` and `\v` included.
        Some(&other) => other,
        None => b'\\',
    });
    start + 2
}

#[cfg(test)]
mod tests {
    #[track_caller]
    fn check_text(source: &str, expected: &str) {
        assert_eq!(String::from_utf8_lossy(&super::text(source.as_bytes())), expected);
    }

    #[track_caller]
    fn check_key(source: &str, expected: &str) {
        assert_eq!(String::from_utf8_lossy(&super::key(source.as_bytes())), expected);
    }

    #[test]
    fn strings() {
        check_text(r#""plain""#, "plain");
        check_text(r#"&"name""#, "name");
        check_text(r#""a\"b\\c\nd\ae""#, "a\"b\\c\ndae");
        check_text(r#""\u00e9\U01F600\ud83d\ude00""#, "é😀😀");
        check_text("12", "12");
        check_text("012", "12");
        check_text("00", "0");
        check_text("\"012\"", "012");
    }

    #[test]
    fn keys() {
        check_key("position", "position");
        check_key(r#""my key""#, "my key");
        check_key("process_mode\nmetadata/x", "process_modemetadata/x");
        check_key("before\"quoted\"after", "quotedafter");
        check_key("a ; comment\nb", "ab");
    }
}
