//! Names of files in any text: where one starts, and whether the folders before it are those of a path.

use std::borrow::Cow;

use memchr::memchr_iter;

use crate::res_path::folder_of;
use crate::settings::lossy;

/// A name is at most so long in any file system.
pub(super) const MAX_NAME: usize = 255;

/// Where the name may start that goes on at `dot`: after anything that is not part of a word.
pub(super) fn name_starts(text: &[u8], dot: usize) -> impl Iterator<Item = usize> {
    let first = dot.saturating_sub(MAX_NAME);
    let before = &text[first..dot];
    let is_end = |byte: &u8| matches!(byte, b'/' | b'\\' | b'"' | 0..32);
    let begin = before.iter().rposition(is_end).map_or(first, |last| first + last + 1);
    (begin..=dot).filter(move |start| *start == begin || !is_word(text[start - 1]))
}

pub(super) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

/// The start of the path with its last name at `name`.
pub(super) fn token_start(text: &[u8], name: usize) -> usize {
    const LONGEST: usize = 1024;
    let first = name.saturating_sub(LONGEST);
    let is_end = |byte: &u8| {
        matches!(
            byte,
            b'"' | b'\'' | b'`' | b'(' | b'[' | b'{' | b'=' | b',' | b';' | b'<' | b'>' | b'|' | 0
                ..=32
        )
    };
    text[first..name].iter().rposition(is_end).map_or(first, |last| first + last + 1)
}

/// Whether the existing folders before a name are those of `path`.
pub(super) fn ends_alike(path: &str, before: &[u8]) -> bool {
    let mut before = before;
    let mut folders = folder_of(path).strip_prefix("res://").unwrap_or("").rsplit('/');
    while let [rest @ .., b'/' | b'\\'] = before {
        if rest.ends_with(b":/") || rest.ends_with(b"..") || rest.ends_with(b".") {
            // The root, or a folder that depends on where the path is used.
            return !rest.ends_with(b":/") || folders.next().is_none_or(str::is_empty);
        }
        let Some(folder) = folders.next().filter(|folder| !folder.is_empty()) else {
            return true;
        };
        let Some(left) = rest.strip_suffix(folder.as_bytes()) else { return false };
        if left.last().is_some_and(|byte| is_word(*byte)) {
            return false;
        }
        before = left;
    }
    true
}

/// With `%20` read as a blank, as in glTF.
pub(super) fn unescaped(name: &str) -> Cow<'_, str> {
    if !name.contains('%') {
        return Cow::Borrowed(name);
    }
    let mut bytes = Vec::with_capacity(name.len());
    let mut rest = name.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let digits = after.get(..2).and_then(|digits| std::str::from_utf8(digits).ok());
        let byte = digits
            .filter(|_| *first == b'%')
            .and_then(|digits| u8::from_str_radix(digits, 16).ok());
        bytes.push(byte.unwrap_or(*first));
        rest = if byte.is_some() { &after[2..] } else { after };
    }
    Cow::Owned(lossy(&bytes))
}

/// Counts lines, for places that are asked for in order.
pub(super) struct Lines<'t> {
    text: &'t [u8],
    at: usize,
    line: u32,
}

impl<'t> Lines<'t> {
    pub(super) fn new(text: &'t [u8], first: u32) -> Self {
        Self { text, at: 0, line: first }
    }

    pub(super) fn at(&mut self, offset: usize) -> u32 {
        if offset > self.at {
            self.line += memchr_iter(b'\n', &self.text[self.at..offset]).count() as u32;
            self.at = offset;
        }
        self.line
    }
}
