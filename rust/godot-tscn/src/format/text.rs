//! Strings and keys in the forms in which Godot writes them.

use std::borrow::Cow;

use memchr::memchr;

use crate::decode;
use crate::syntax::lexer::code_unit;

/// How a string is escaped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TextForm {
    /// `String::c_escape_multiline`: only `\` and `"`. Values and keys.
    Multiline,
    /// `String::c_escape`: control characters and `'` too. Names in tags, StringNames, NodePaths, items
    /// of packed arrays.
    Escaped,
    /// The same in Godot 3, where `?` is one of them.
    Godot3Escaped,
    /// It stays as it is: Godot writes it without escapes.
    Raw,
}

impl TextForm {
    /// The letter after a backslash for `byte`, if it is escaped.
    #[inline]
    fn escape(self, byte: u8) -> Option<u8> {
        match (byte, self) {
            (_, Self::Raw) => None,
            (b'"' | b'\\', _) => Some(byte),
            (_, Self::Multiline) => None,
            (7, _) => Some(b'a'),
            (8, _) => Some(b'b'),
            (9, _) => Some(b't'),
            (10, _) => Some(b'n'),
            (11, _) => Some(b'v'),
            (12, _) => Some(b'f'),
            (13, _) => Some(b'r'),
            (b'\'', _) => Some(byte),
            (b'?', Self::Godot3Escaped) => Some(byte),
            _ => None,
        }
    }

    /// Whether Godot writes this letter behind a backslash.
    fn is_letter(self, letter: u8) -> bool {
        match self {
            Self::Multiline => matches!(letter, b'"' | b'\\'),
            _ => b"abtnvfr'\"\\".contains(&letter) || letter == b'?' && self == Self::Godot3Escaped,
        }
    }
}

/// Whether a string has nothing that would have to be escaped, and no escape. Most have not.
#[inline]
pub(crate) fn is_plain(body: &[u8], form: TextForm) -> bool {
    /// A byte that needs a closer look outside values.
    const SPECIAL: [bool; 256] = {
        let mut special = [false; 256];
        let mut byte = 0;
        while byte < 256 {
            special[byte] = byte < 32 || matches!(byte as u8, b'\\' | b'\'' | b'?');
            byte += 1;
        }
        special
    };
    match form {
        TextForm::Multiline | TextForm::Raw => memchr(b'\\', body).is_none(),
        _ => !body.iter().any(|byte| SPECIAL[*byte as usize]),
    }
}

/// The text between the quotes of a string, in its canonical form, or nothing if it has that form.
///
/// Godot reads `\a` and `\v` as letters, although it writes them itself: they stay. So do strings
/// with an escape above ASCII, which Godot reads wrong in files (`VariantParser::get_token` takes the
/// characters for bytes), and strings with a NUL.
#[inline]
pub(crate) fn rewritten(body: &[u8], form: TextForm) -> Option<Vec<u8>> {
    let is_canonical = match form {
        TextForm::Raw => true,
        TextForm::Multiline => memchr(b'\\', body).is_none() || is_canonical(body, form),
        TextForm::Escaped | TextForm::Godot3Escaped => is_canonical(body, form),
    };
    if is_canonical || has_unicode_escape(body) { None } else { Some(rewrite(body, form)) }
}

fn is_canonical(body: &[u8], form: TextForm) -> bool {
    let mut bytes = body.iter();
    while let Some(&byte) = bytes.next() {
        let is_right = match byte {
            b'\\' => bytes.next().is_some_and(|letter| form.is_letter(*letter)),
            _ => form.escape(byte).is_none(),
        };
        if !is_right {
            return false;
        }
    }
    true
}

/// Whether there is a `\u` or `\U` for anything but a plain ASCII character.
#[cold]
fn has_unicode_escape(body: &[u8]) -> bool {
    let mut pos = 0;
    while let Some(length) = memchr(b'\\', &body[pos..]) {
        pos += length;
        if let Some((unit, _)) = code_unit(body, pos)
            && !(1..0x80).contains(&unit)
        {
            return true;
        }
        pos += 2;
        if pos >= body.len() {
            break;
        }
    }
    false
}

#[cold]
fn rewrite(body: &[u8], form: TextForm) -> Vec<u8> {
    let mut out = Vec::with_capacity(body.len() + 8);
    let mut rest = body;
    while let Some(&byte) = rest.first() {
        let escape_len = match rest {
            [b'\\', b'u', ..] => 6,
            [b'\\', b'U', ..] => 8,
            [b'\\', ..] => 2,
            _ => 1,
        }
        .min(rest.len());
        let (piece, after) = rest.split_at(escape_len);
        rest = after;
        match piece {
            [b'\\', b'a' | b'v'] if form != TextForm::Multiline => out.extend_from_slice(piece),
            [b'\\', ..] => {
                let mut quoted = vec![b'"'];
                quoted.extend_from_slice(piece);
                quoted.push(b'"');
                decode::text(&quoted).iter().for_each(|byte| push(&mut out, *byte, form));
            }
            _ => push(&mut out, byte, form),
        }
    }
    out
}

fn push(out: &mut Vec<u8>, byte: u8, form: TextForm) {
    match form.escape(byte) {
        Some(letter) => out.extend_from_slice(&[b'\\', letter]),
        None => out.push(byte),
    }
}

/// `text` between quotes, escaped.
pub(crate) fn push_quoted(out: &mut Vec<u8>, text: &[u8], form: TextForm) {
    out.push(b'"');
    text.iter().for_each(|byte| push(out, *byte, form));
    out.push(b'"');
}

/// Whether Godot writes this name without quotes in front of `=`.
pub(crate) fn is_plain_key(name: &[u8]) -> bool {
    const PLAIN: [bool; 256] = {
        let mut plain = [false; 256];
        let mut byte = 33;
        while byte <= 126 {
            plain[byte] = !matches!(byte as u8, b'=' | b'"' | b';' | b'[' | b']');
            byte += 1;
        }
        plain
    };
    !name.is_empty() && name.iter().all(|byte| PLAIN[*byte as usize])
}

/// Whether a name without quotes looks like a comment of another language or like a merge conflict.
fn looks_odd(name: &[u8]) -> bool {
    name.first().is_some_and(|byte| b"#<>|".contains(byte))
}

/// Whether a name without quotes would be a comment of another language, or the mark of a merge conflict, on a line of its own.
pub(crate) fn is_mistaken(name: &[u8]) -> bool {
    let marks: [&[u8]; 3] = [b"<<<<<<<", b">>>>>>>", b"|||||||"];
    name.first() == Some(&b'#') || marks.iter().any(|mark| name.starts_with(mark))
}

/// The key `source`, which means `name`, as Godot writes it, if it should be written again.
pub(crate) fn written_key<'n>(source: &[u8], name: &'n [u8]) -> Option<Cow<'n, [u8]>> {
    // A name without its necessary quotes is after a tag or value.
    let needs_quotes = is_mistaken(name) && source.first() != Some(&b'"');
    let is_odd = looks_odd(name) && !needs_quotes;
    if has_unicode_escape(source) || is_odd || name.is_empty() || name.contains(&0) {
        return None;
    }
    if is_plain_key(name) && !needs_quotes {
        return Some(Cow::Borrowed(name));
    }
    let mut quoted = Vec::with_capacity(name.len() + 2);
    push_quoted(&mut quoted, name, TextForm::Multiline);
    (quoted != source).then_some(Cow::Owned(quoted))
}
