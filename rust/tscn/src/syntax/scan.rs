//! How far runs of bytes go, and what is in them. Sixteen bytes are compared at once: most runs are shorter, and a loop over
//! their bytes is predicted wrongly where each of them ends.

/// The bytes from a first to a last one.
type Range = (u8, u8);

const IDENTIFIER: [Range; 4] = [(b'a', b'z'), (b'A', b'Z'), (b'0', b'9'), (b'_', b'_')];
const DIGITS: [Range; 1] = [(b'0', b'9')];
/// What only floats have.
const FLOAT: [Range; 3] = [(b'.', b'.'), (b'e', b'e'), (b'E', b'E')];
/// What ends a plain string, or makes it one that is not plain.
const STRING_STOPS: [Range; 4] = [(b'"', b'"'), (b'\\', b'\\'), (b'\n', b'\n'), (0, 0)];
/// What ends an unquoted piece of a key.
const KEY_STOPS: [Range; 4] = [(0, 32), (b'=', b'='), (b';', b';'), (b'"', b'"')];
/// What makes an unquoted piece of a key one to look at twice.
const ODD_IN_KEY: [Range; 2] = [(128, 255), (b'[', b'[')];
const BACKSLASH: [Range; 1] = [(b'\\', b'\\')];

/// How many bytes are compared at once.
const WIDTH: usize = 16;

/// A bit for each of them.
const MASK: u32 = 0xffff;

/// The end of the run of letters, digits and `_` that starts at `start`.
#[inline]
pub(crate) fn identifier_end(text: &[u8], start: usize) -> usize {
    find::<false, _>(text, start, IDENTIFIER)
}

/// The end of the run of digits that starts at `start`.
#[inline]
pub(crate) fn digits_end(text: &[u8], start: usize) -> usize {
    find::<false, _>(text, start, DIGITS)
}

/// The end of `\d*(\.\d*)?` at `start`.
#[inline]
pub(crate) fn decimal_end(text: &[u8], start: usize) -> usize {
    if let Some(digits) = members(text, start, DIGITS) {
        let others = !digits & MASK;
        let end = start + others.trailing_zeros() as usize;
        if others != 0 && text[end] != b'.' {
            return end;
        }
        let others = others & others.wrapping_sub(1);
        if others != 0 {
            return start + others.trailing_zeros() as usize;
        }
    }
    let end = digits_end(text, start);
    if text.get(end) == Some(&b'.') { digits_end(text, end + 1) } else { end }
}

/// The first byte at or after `start` that ends a plain string, or makes it one that is not plain.
#[inline]
pub(crate) fn plain_string_end(text: &[u8], start: usize) -> usize {
    find::<true, _>(text, start, STRING_STOPS)
}

/// The end of the unquoted piece of a key that starts at `start`.
#[inline]
pub(crate) fn key_end(text: &[u8], start: usize) -> usize {
    find::<true, _>(text, start, KEY_STOPS)
}

/// Whether `text[start..end]`, a piece of a key, has a byte that is not ASCII, or a `[`.
#[inline]
pub(crate) fn is_odd_key(text: &[u8], start: usize, end: usize) -> bool {
    any(text, start, end, ODD_IN_KEY)
}

/// Whether the number `text[start..end]` has a period or an exponent.
#[inline]
pub(crate) fn is_float(text: &[u8], start: usize, end: usize) -> bool {
    any(text, start, end, FLOAT)
}

/// The first backslash in `text`, or its end.
#[inline]
pub(crate) fn backslash(text: &[u8]) -> usize {
    find::<true, _>(text, 0, BACKSLASH)
}

/// Whether `text[start..end]` has a backslash. Quicker than to ask [`backslash`] of a short piece: what follows it in `text` is
/// read with it.
#[inline]
pub(crate) fn has_backslash(text: &[u8], start: usize, end: usize) -> bool {
    any(text, start, end, BACKSLASH)
}

/// The first byte at or after `start` that is in `class`, or not in it if `WANTED` is false; the end of the text if none is.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn find<const WANTED: bool, const N: usize>(text: &[u8], start: usize, class: [Range; N]) -> usize {
    let mut pos = start;
    while let Some(members) = members(text, pos, class) {
        let found = if WANTED { members } else { !members & MASK };
        if found != 0 {
            return pos + found.trailing_zeros() as usize;
        }
        pos += WIDTH;
    }
    let rest = text.get(pos..).unwrap_or_default();
    let is_found = |byte: &u8| contains(class, *byte) == WANTED;
    pos + rest.iter().position(is_found).unwrap_or(rest.len())
}

/// Whether any byte of `text[start..end]` is in `class`.
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn any<const N: usize>(text: &[u8], start: usize, end: usize, class: [Range; N]) -> bool {
    let mut pos = start;
    while pos < end {
        let Some(found) = members(text, pos, class) else {
            return text[pos..end].iter().any(|byte| contains(class, *byte));
        };
        if found != 0 && pos + (found.trailing_zeros() as usize) < end {
            return true;
        }
        pos += WIDTH;
    }
    false
}

#[inline]
fn contains<const N: usize>(class: [Range; N], byte: u8) -> bool {
    class.iter().any(|(first, last)| (*first..=*last).contains(&byte))
}

/// Which of the bytes at `pos` are in `class`, the first in the lowest bit; nothing if there are fewer than [`WIDTH`].
#[cfg(not(target_family = "wasm"))]
#[inline(always)]
fn members<const N: usize>(text: &[u8], pos: usize, class: [Range; N]) -> Option<u32> {
    use wide::u8x16;

    let block = u8x16::new(*text.get(pos..)?.first_chunk()?);
    let is_in = |(first, last): Range| {
        let offset = block - u8x16::splat(first);
        offset.min(u8x16::splat(last - first)).simd_eq(offset)
    };
    Some(class.into_iter().fold(u8x16::splat(0), |all, range| all | is_in(range)).to_bitmask())
}

/// What a page loads is small before it is fast: bytes are looked at one by one.
#[cfg(target_family = "wasm")]
fn members<const N: usize>(_text: &[u8], _pos: usize, _class: [Range; N]) -> Option<u32> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Texts of up to three blocks that are of one class up to a byte.
    #[test]
    fn as_byte_by_byte() {
        let plain = |stops: fn(u8) -> bool| {
            move |text: &[u8], start: usize| {
                text[start..]
                    .iter()
                    .position(|byte| stops(*byte))
                    .map_or(text.len(), |at| start + at)
            }
        };
        let is_identifier = plain(|byte| !(byte.is_ascii_alphanumeric() || byte == b'_'));
        let is_string = plain(|byte| matches!(byte, b'"' | b'\\' | b'\n' | 0));
        let is_key = plain(|byte| matches!(byte, 0..=32 | b'=' | b';' | b'"'));
        let is_digits = plain(|byte| !byte.is_ascii_digit());
        for length in 0..48 {
            for stop in 0..=255 {
                let mut text = vec![b'7'; length];
                text.push(stop);
                for tail in [0, 1, 15, 16, 40] {
                    text.resize(length + 1 + tail, b'3');
                    for start in [0, length / 2, length, length + 1] {
                        assert_eq!(identifier_end(&text, start), is_identifier(&text, start));
                        assert_eq!(plain_string_end(&text, start), is_string(&text, start));
                        assert_eq!(key_end(&text, start), is_key(&text, start));
                        assert_eq!(digits_end(&text, start), is_digits(&text, start));
                    }
                }
                let has = |class: &[u8]| class.contains(&stop);
                for end in [length, length + 1] {
                    let is_in = end > length;
                    assert_eq!(has_backslash(&text, 0, end), is_in && has(b"\\"));
                    assert_eq!(is_float(&text, 0, end), is_in && has(b".eE"));
                    assert_eq!(is_odd_key(&text, 0, end), is_in && (has(b"[") || stop > 127));
                }
            }
        }
    }

    #[test]
    fn decimals() {
        for whole in 0..40 {
            for fraction in 0..40 {
                let number = format!("{}.{}", "1".repeat(whole), "2".repeat(fraction));
                for rest in ["", ".", ")", ", 5.5, 6.6, 7.7, 8.8, 9.9"] {
                    let text = format!("{number}{rest}");
                    assert_eq!(decimal_end(text.as_bytes(), 0), number.len(), "{text}");
                }
            }
        }
        assert_eq!(decimal_end(b"12", 0), 2);
        assert_eq!(decimal_end(b"12, 0.5, 0.25, 0.125", 0), 2);
    }
}
