//! The extent of runs of bytes, and their contents. Sixteen bytes are compared at once: most runs are shorter, and a loop
//! over their bytes is predicted wrongly where each of them ends.

use wide::u8x16;

/// The bytes from a first to a last one.
type ByteRange = (u8, u8);

const IDENTIFIER: [ByteRange; 4] = [(b'a', b'z'), (b'A', b'Z'), (b'0', b'9'), (b'_', b'_')];
const DIGITS: [ByteRange; 1] = [(b'0', b'9')];
/// Bytes that only floats have.
const FLOAT: [ByteRange; 3] = [(b'.', b'.'), (b'e', b'e'), (b'E', b'E')];
/// Bytes that end a plain string, or make it one that is not plain.
const STRING_STOPS: [ByteRange; 4] = [(b'"', b'"'), (b'\\', b'\\'), (b'\n', b'\n'), (0, 0)];
/// Bytes that end an unquoted piece of a key.
const KEY_STOPS: [ByteRange; 4] = [(0, 32), (b'=', b'='), (b';', b';'), (b'"', b'"')];
/// Bytes that make an unquoted piece of a key unusual.
const ODD_IN_PIECE: [ByteRange; 2] = [(128, 255), (b'[', b'[')];
const BACKSLASH: [ByteRange; 1] = [(b'\\', b'\\')];

/// How many bytes are compared at once.
const WIDTH: usize = 16;

/// A bit for each of these bytes.
const ALL: u32 = 0xffff;

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
    // Nearly all numbers end within one block.
    if let Some(digits) = members(text, start, DIGITS) {
        let others = !digits & ALL;
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
pub(crate) fn string_stop(text: &[u8], start: usize) -> usize {
    find::<true, _>(text, start, STRING_STOPS)
}

/// The end of the unquoted piece of a key that starts at `start`.
#[inline]
pub(crate) fn key_piece_end(text: &[u8], start: usize) -> usize {
    find::<true, _>(text, start, KEY_STOPS)
}

/// Whether `text[start..end]`, a piece of a key, has a byte that is not ASCII, or a `[`.
#[inline]
pub(crate) fn is_odd_piece(text: &[u8], start: usize, end: usize) -> bool {
    any(text, start, end, ODD_IN_PIECE)
}

/// Whether the number `text[start..end]` has a period or an exponent.
#[inline]
pub(crate) fn is_float(text: &[u8], start: usize, end: usize) -> bool {
    any(text, start, end, FLOAT)
}

/// Whether `text[start..end]` has a backslash.
#[inline]
pub(crate) fn has_backslash(text: &[u8], start: usize, end: usize) -> bool {
    any(text, start, end, BACKSLASH)
}

/// The first byte at or after `start` that is in `class`, or not in it if `WANTED` is false; without such a byte, the end
/// of the text. `start` is not behind that end.
#[inline(always)]
fn find<const WANTED: bool, const N: usize>(
    text: &[u8],
    start: usize,
    class: [ByteRange; N],
) -> usize {
    let mut pos = start;
    while let Some(found) = members(text, pos, class) {
        let found = if WANTED { found } else { !found & ALL };
        if found != 0 {
            return pos + found.trailing_zeros() as usize;
        }
        pos += WIDTH;
    }
    let rest = &text[pos..];
    let is_found = |byte: &u8| contains(class, *byte) == WANTED;
    pos + rest.iter().position(is_found).unwrap_or(rest.len())
}

/// Whether any byte of `text[start..end]` is in `class`.
#[inline(always)]
fn any<const N: usize>(text: &[u8], start: usize, end: usize, class: [ByteRange; N]) -> bool {
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
fn contains<const N: usize>(class: [ByteRange; N], byte: u8) -> bool {
    class.iter().any(|(first, last)| (*first..=*last).contains(&byte))
}

/// Which of the bytes at `pos` are in `class`, the first in the lowest bit; nothing if there are fewer than [`WIDTH`].
#[inline(always)]
fn members<const N: usize>(text: &[u8], pos: usize, class: [ByteRange; N]) -> Option<u32> {
    let block = u8x16::new(*text.get(pos..)?.first_chunk()?);
    let is_in = |(first, last): ByteRange| {
        let offset = block - u8x16::splat(first);
        offset.min(u8x16::splat(last - first)).simd_eq(offset)
    };
    Some(class.into_iter().fold(u8x16::splat(0), |all, range| all | is_in(range)).to_bitmask())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn end_by_byte(text: &[u8], start: usize, is_stop: impl Fn(u8) -> bool) -> usize {
        let length = text[start..].iter().position(|byte| is_stop(*byte));
        length.map_or(text.len(), |length| start + length)
    }

    /// Texts of digits with one other byte, at each place of up to three blocks.
    #[test]
    fn as_byte_by_byte() {
        for (length, stop) in (0..48).flat_map(|length| (0..=255).map(move |stop| (length, stop))) {
            let mut text = vec![b'7'; length];
            text.push(stop);
            for tail in [0, 1, 15, 16, 40] {
                text.resize(length + 1 + tail, b'3');
                for start in [0, length / 2, length, length + 1] {
                    check_ends(&text, start);
                    check_contents(&text, start, length, stop);
                }
            }
        }
    }

    fn check_ends(text: &[u8], start: usize) {
        let end = |is_stop: fn(u8) -> bool| end_by_byte(text, start, is_stop);
        let identifier = end(|byte| !(byte.is_ascii_alphanumeric() || byte == b'_'));
        assert_eq!(identifier_end(text, start), identifier);
        assert_eq!(digits_end(text, start), end(|byte| !byte.is_ascii_digit()));
        let string = end(|byte| matches!(byte, b'"' | b'\\' | b'\n' | 0));
        assert_eq!(string_stop(text, start), string);
        let piece = end(|byte| matches!(byte, 0..=32 | b'=' | b';' | b'"'));
        assert_eq!(key_piece_end(text, start), piece);
    }

    /// `stop` is at `place`, and digits everywhere else.
    fn check_contents(text: &[u8], start: usize, place: usize, stop: u8) {
        for end in [place, place + 1].into_iter().filter(|end| start <= *end) {
            let is_in = (start..end).contains(&place);
            assert_eq!(has_backslash(text, start, end), is_in && stop == b'\\');
            assert_eq!(is_float(text, start, end), is_in && b".eE".contains(&stop));
            assert_eq!(is_odd_piece(text, start, end), is_in && (stop == b'[' || stop > 127));
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
