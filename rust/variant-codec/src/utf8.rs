//! The engine's text to and from UTF-8.
//!
//! The engine keeps a unit of 32 bits per code point and does not enforce that they are valid.
//! `String::utf8()` (core/string/ustring.cpp, 4.6) writes surrogates as three bytes and values
//! beyond U+10FFFF in the old forms of up to six bytes; identity with it needs the same.

/// Appends `units` as UTF-8, exactly as the engine would.
#[inline]
pub(crate) fn append(out: &mut Vec<u8>, units: &[u32]) {
    let start = out.len();
    // The common case at the speed of memory: narrow everything, and see only then whether any
    // unit was more than ASCII.
    out.extend(units.iter().map(|&unit| unit as u8));
    if !is_ascii(units) {
        out.truncate(start);
        out.reserve(len(units));
        units.iter().for_each(|&unit| append_unit(out, unit));
    }
}

/// The bytes that [`append`] would write.
pub(crate) fn len(units: &[u32]) -> usize {
    if is_ascii(units) { units.len() } else { units.iter().map(|&unit| unit_len(unit)).sum() }
}

fn is_ascii(units: &[u32]) -> bool {
    units.iter().fold(0, |all, &unit| all | unit) < 0x80
}

fn unit_len(unit: u32) -> usize {
    match unit {
        0..=0x7F => 1,
        0x80..=0x7FF => 2,
        0x800..=0xFFFF => 3,
        0x1_0000..=0x1F_FFFF => 4,
        0x20_0000..=0x3FF_FFFF => 5,
        0x400_0000..=0x7FFF_FFFF => 6,
        // Written as U+FFFD. The engine reserves a single byte for it and writes past its buffer.
        0x8000_0000.. => 3,
    }
}

fn append_unit(out: &mut Vec<u8>, unit: u32) {
    let tail = |shift: u32| 0x80 | (unit >> shift & 0x3F) as u8;
    match unit_len(unit) {
        1 => out.push(unit as u8),
        2 => out.extend([0xC0 | (unit >> 6) as u8, tail(0)]),
        3 if unit > 0xFFFF => out.extend("\u{FFFD}".bytes()),
        3 => out.extend([0xE0 | (unit >> 12) as u8, tail(6), tail(0)]),
        4 => out.extend([0xF0 | (unit >> 18) as u8, tail(12), tail(6), tail(0)]),
        5 => out.extend([0xF8 | (unit >> 24) as u8, tail(18), tail(12), tail(6), tail(0)]),
        _ => {
            let lead = 0xFC | (unit >> 30) as u8;
            out.extend([lead, tail(24), tail(18), tail(12), tail(6), tail(0)]);
        }
    }
}

/// What the engine reads from the bytes of a text: without a leading byte order mark, and up to the
/// first NUL (`String::append_utf8`, core/string/ustring.cpp, 4.6). What follows a NUL is not even
/// looked at.
///
/// # Errors
/// The number of good bytes before the first bad one, counted from the start of `bytes`.
#[inline]
pub(crate) fn read(bytes: &[u8]) -> Result<&str, usize> {
    let text = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let marked = bytes.len() - text.len();
    let text = match memchr::memchr(0, text) {
        Some(end) => &text[..end],
        None => text,
    };
    std::str::from_utf8(text).map_err(|error| marked + error.valid_up_to())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn writes_every_width_as_the_engine_does() {
        let cases: [(u32, &[u8]); 12] = [
            (0x00, &[0x00]),
            (0x7F, &[0x7F]),
            (0x80, &[0xC2, 0x80]),
            (0x7FF, &[0xDF, 0xBF]),
            (0x800, &[0xE0, 0xA0, 0x80]),
            (0xD800, &[0xED, 0xA0, 0x80]),
            (0xFFFF, &[0xEF, 0xBF, 0xBF]),
            (0x1_0000, &[0xF0, 0x90, 0x80, 0x80]),
            (0x1F_FFFF, &[0xF7, 0xBF, 0xBF, 0xBF]),
            (0x20_0000, &[0xF8, 0x88, 0x80, 0x80, 0x80]),
            (0x7FFF_FFFF, &[0xFD, 0xBF, 0xBF, 0xBF, 0xBF, 0xBF]),
            (0x8000_0000, &[0xEF, 0xBF, 0xBD]),
        ];
        for (unit, expected) in cases {
            let mut out = vec![b'<'];
            append(&mut out, &[unit, u32::from(b'>')]);
            assert_eq!(out, [b"<", expected, b">"].concat(), "{unit:#x}");
            assert_eq!(len(&[unit]), expected.len(), "{unit:#x}");
        }
    }

    #[test]
    fn agrees_with_rust_on_every_code_point() {
        for c in '\0'..=char::MAX {
            let mut out = Vec::new();
            append(&mut out, &[u32::from(c)]);
            assert_eq!(out, c.to_string().as_bytes());
        }
    }

    #[test]
    fn reads_up_to_a_nul_and_behind_a_mark() {
        assert_eq!(read(b"abc"), Ok("abc"));
        assert_eq!(read(b"A\0\xFF"), Ok("A"));
        assert_eq!(read(b"\xEF\xBB\xBFab"), Ok("ab"));
        assert_eq!(read(b"\xEF\xBB\xBF\xEF\xBB\xBF"), Ok("\u{FEFF}"));
        assert_eq!(read(b"\xEF\xBB"), Err(0));
        assert_eq!(read(b"\xEF\xBB\xBFa\xC3\0"), Err(4));
        assert_eq!(read(b"ab\xED\xA0\x80"), Err(2));
    }
}
