//! The engine's text to and from UTF-8.
//!
//! The engine keeps a unit of 32 bits per code point and does not enforce that they are valid.
//! `String::utf8()` (core/string/ustring.cpp, 4.6) writes surrogates as three bytes and values
//! beyond U+10FFFF in the old forms of up to six bytes; identity with it needs the same.

use std::hint::black_box;

/// Appends `units` as UTF-8, exactly as the engine would.
#[inline]
pub(crate) fn append(out: &mut Vec<u8>, units: &[u32]) {
    let start = out.len();
    // The common case at the speed of memory: narrow everything, and see only then whether any
    // unit was more than ASCII.
    let mut all = 0;
    out.extend(units.iter().map(|&unit| {
        all |= unit;
        unit as u8
    }));
    if all >= 0x80 {
        out.resize(start + len(units), 0);
        write_wide(&mut out[start..], units);
    }
}

/// Writes `units` as UTF-8 to the start of `out` and says how many bytes that took.
///
/// # Panics
/// When `out` is too short.
#[inline]
pub(crate) fn write(out: &mut [u8], units: &[u32]) -> usize {
    // Text of another script shows it at once.
    if units.first().is_some_and(|&unit| unit >= 0x80) {
        return write_wide(out, units);
    }
    let mut all = 0;
    for (byte, &unit) in out[..units.len()].iter_mut().zip(units) {
        all |= unit;
        *byte = unit as u8;
    }
    if all < 0x80 { units.len() } else { write_wide(out, units) }
}

/// The bytes that [`append`] and [`write`] write.
#[inline]
pub(crate) fn len(units: &[u32]) -> usize {
    let mut all = 0;
    let mut len = 0;
    for &unit in units {
        all |= unit;
        // Without branches, so that it is done for many units at once.
        len += 1
            + usize::from(unit >= 0x80)
            + usize::from(unit >= 0x800)
            + usize::from(unit >= 0x1_0000);
    }
    if all <= 0x1F_FFFF { len } else { units.iter().map(|&unit| unit_len(unit)).sum() }
}

/// The units that [`write_wide`] looks at together.
const GROUP: usize = 16;

/// As [`write()`], for text that is not just ASCII.
fn write_wide(out: &mut [u8], units: &[u32]) -> usize {
    let mut written = 0;
    let (groups, rest) = units.as_chunks::<GROUP>();
    for group in groups {
        let out = &mut out[written..];
        // Without a branch for each unit: bits beyond 16, and the sign of what is below 0x800.
        let other = |unit: u32| unit >> 16 | unit.wrapping_sub(0x800) >> 31;
        let others = group.iter().fold(0, |found, &unit| found | other(unit)) != 0;
        written += match out.first_chunk_mut() {
            Some(out) if !others => write_three_each(out, group),
            _ => write_units(out, group),
        };
    }
    written + write_units(&mut out[written..], rest)
}

/// Units of three bytes each, as those of most scripts of Asia are.
///
/// Two are put together as a word of six bytes, which is stored as one; the next one overwrites what is too much.
#[inline]
fn write_three_each(out: &mut [u8; 3 * GROUP + 2], units: &[u32; GROUP]) -> usize {
    let (pairs, _) = units.as_chunks::<2>();
    let mut words = [0; GROUP / 2];
    for (word, &[first, second]) in words.iter_mut().zip(pairs) {
        let units = u64::from(first) | u64::from(second) << 32;
        let each = 0x0080_80E0_0080_80E0
            | units >> 12 & 0x0000_000F_0000_000F
            | (units & 0x0000_0FC0_0000_0FC0) << 2
            | (units & 0x0000_003F_0000_003F) << 16;
        *word = each & 0x0000_00FF_FFFF | each >> 8 & 0xFFFF_FF00_0000;
    }
    // What stands in memory has to be made of many units at once. Without this, the compiler takes them apart for the
    // stores below, and makes each word by itself, in twice the time.
    for (index, word) in black_box(&words).iter().enumerate() {
        out[6 * index..][..8].copy_from_slice(&word.to_le_bytes());
    }
    3 * GROUP
}

fn write_units(out: &mut [u8], units: &[u32]) -> usize {
    let mut written = 0;
    for &unit in units {
        let len = unit_len(unit);
        write_unit(&mut out[written..written + len], unit);
        written += len;
    }
    written
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

/// Writes one unit to all of `out`, which has the length that it takes.
fn write_unit(out: &mut [u8], unit: u32) {
    let unit = if unit > 0x7FFF_FFFF { u32::from(char::REPLACEMENT_CHARACTER) } else { unit };
    let tail = |shift: u32| 0x80 | (unit >> shift & 0x3F) as u8;
    match out {
        [a] => *a = unit as u8,
        [a, b] => [*a, *b] = [0xC0 | (unit >> 6) as u8, tail(0)],
        [a, b, c] => [*a, *b, *c] = [0xE0 | (unit >> 12) as u8, tail(6), tail(0)],
        [a, b, c, d] => {
            [*a, *b, *c, *d] = [0xF0 | (unit >> 18) as u8, tail(12), tail(6), tail(0)];
        }
        [a, b, c, d, e] => {
            [*a, *b, *c, *d, *e] =
                [0xF8 | (unit >> 24) as u8, tail(18), tail(12), tail(6), tail(0)];
        }
        [a, b, c, d, e, f] => {
            let lead = 0xFC | (unit >> 30) as u8;
            [*a, *b, *c, *d, *e, *f] = [lead, tail(24), tail(18), tail(12), tail(6), tail(0)];
        }
        _ => unreachable!("a unit takes one to six bytes"),
    }
}

/// What the engine reads from the bytes of a text: without a leading byte order mark, and up to the
/// first NUL (`String::append_utf8`, core/string/ustring.cpp, 4.6). What follows a NUL is not even
/// looked at.
///
/// # Errors
/// The number of good bytes before the first bad one, counted from the start of `bytes`.
pub(crate) fn read(bytes: &[u8]) -> Result<&str, usize> {
    let text = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let marked = bytes.len() - text.len();
    let text = memchr::memchr(0, text).map_or(text, |end| &text[..end]);
    simdutf8::compat::from_utf8(text).map_err(|error| marked + error.valid_up_to())
}

/// What [`read`] gives, if all the bytes are ASCII, and none but the last is a NUL.
#[inline]
pub(crate) fn ascii(bytes: &[u8]) -> Option<&[u8]> {
    // The strings of a `PackedStringArray` are written with a NUL.
    let text = bytes.strip_suffix(b"\0").unwrap_or(bytes);
    is_plain(text).then_some(text)
}

/// Whether all bytes are ASCII, and none is a NUL.
#[inline]
fn is_plain(bytes: &[u8]) -> bool {
    // A long text is left after the first part that has something else.
    const PART_LEN: usize = 1 << 12;
    if bytes.len() > PART_LEN {
        return bytes.chunks(PART_LEN).all(is_plain);
    }
    const HIGH: u64 = 0x8080_8080_8080_8080;
    const ONES: u64 = 0x0101_0101_0101_0101;
    // A byte of 0 borrows from its high bit, one of 0x80 or more has it already.
    let is_other = |word: u64| (word | word.wrapping_sub(ONES)) & HIGH != 0;
    let (words, rest) = bytes.as_chunks::<8>();
    let found = words.iter().fold(false, |found, word| found | is_other(u64::from_le_bytes(*word)));
    // The last word once more, with all that is behind it, or a short text on its own.
    let rest = match (bytes.last_chunk::<8>(), rest) {
        (Some(last), _) => u64::from_le_bytes(*last),
        (None, rest) => short_word(rest),
    };
    !(found | is_other(rest))
}

/// All of at most seven bytes in one word: four or more as two halves that overlap, fewer with spaces behind them.
///
/// In registers: a word that is put together in memory byte by byte has to get there before it can be read.
#[inline]
fn short_word(bytes: &[u8]) -> u64 {
    if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
        return u64::from(u32::from_le_bytes(*first)) | u64::from(u32::from_le_bytes(*last)) << 32;
    }
    let [first, middle, last] = match *bytes {
        [] => [b' '; 3],
        [only] => [only; 3],
        [first, last] => [first, first, last],
        [first, middle, last, ..] => [first, middle, last],
    };
    u64::from_le_bytes([first, middle, last, b' ', b' ', b' ', b' ', b' '])
}

/// Whether [`read`] would give `text`, which is found out without looking at more than it takes.
#[inline]
pub(crate) fn reads(bytes: &[u8], text: &str) -> bool {
    let unmarked = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    match unmarked.strip_prefix(text.as_bytes()) {
        // What follows a NUL is not read, so a text that has one is never what was read.
        Some([] | [0, ..]) => !text.contains('\0'),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_byte_anywhere_is_seen() {
        for len in (0..40).chain([4095, 4096, 4097, 4103, 8192, 8193]) {
            let mut bytes = vec![b'a'; len];
            assert!(is_plain(&bytes), "{len} letters");
            let step = if len < 40 { 1 } else { 509 };
            for place in (0..len).step_by(step).chain(len.checked_sub(1)) {
                for other in [0, 0x80, 0xFF] {
                    bytes[place] = other;
                    assert!(!is_plain(&bytes), "{other:#x} at {place} of {len}");
                }
                bytes[place] = 0x7F;
                assert!(is_plain(&bytes), "0x7f at {place} of {len}");
                bytes[place] = b'a';
            }
        }
    }

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
            let mut slice = [0; 8];
            assert_eq!(write(&mut slice, &[unit]), expected.len(), "{unit:#x}");
            assert_eq!(slice[..expected.len()], *expected, "{unit:#x}");
        }
    }

    #[test]
    fn agrees_with_rust_on_every_code_point() {
        // Under Miri a part of them, or it would take hours.
        let step = if cfg!(miri) { 997 } else { 1 };
        for c in ('\0'..=char::MAX).step_by(step) {
            let mut out = Vec::new();
            append(&mut out, &[u32::from(c)]);
            assert_eq!(out, c.to_string().as_bytes());
        }
    }

    #[test]
    fn groups_and_single_units_mix() {
        let text = "日本語のテキスト with ASCII, ümlauts, 😀 and 漢字漢字漢字漢字x漢字漢字漢字";
        let units: Vec<u32> = text.chars().map(u32::from).collect();
        for start in 0..units.len() {
            let text: String = text.chars().skip(start).collect();
            let mut out = Vec::new();
            append(&mut out, &units[start..]);
            assert_eq!(out, text.as_bytes());
            assert_eq!(len(&units[start..]), text.len());
        }
    }

    #[test]
    fn reads_up_to_a_nul_and_behind_a_mark() {
        let read = |bytes| {
            let text = read(bytes);
            if let Some(ascii) = ascii(bytes) {
                assert_eq!(text.map(str::as_bytes), Ok(ascii));
            }
            text.map(str::to_string)
        };
        let ok = |text: &str| Ok(text.to_string());
        assert_eq!(read(b"abc"), ok("abc"));
        assert_eq!(read(b""), ok(""));
        assert_eq!(read(b"longer than a word"), ok("longer than a word"));
        assert_eq!(read(b"longer than a w\0rd"), ok("longer than a w"));
        assert_eq!(read(b"longer than a w\x7Frd"), ok("longer than a w\x7Frd"));
        assert_eq!(read("länger".as_bytes()), ok("länger"));
        assert_eq!(read(b"longer than a word\x80"), Err(18));
        assert_eq!(read(b"A\0\xFF"), ok("A"));
        assert_eq!(read(b"A\0"), ok("A"));
        assert_eq!(read(b"A\0\0"), ok("A"));
        assert_eq!(read(b"\xEF\xBB\xBFab"), ok("ab"));
        assert_eq!(read(b"\xEF\xBB\xBF\xEF\xBB\xBF"), ok("\u{FEFF}"));
        assert_eq!(read(b"\xEF\xBB"), Err(0));
        assert_eq!(read(b"\xEF\xBB\xBFa\xC3\0"), Err(4));
        assert_eq!(read(b"ab\xED\xA0\x80"), Err(2));
    }

    #[test]
    fn comparing_is_reading() {
        let texts = ["", "a", "ab", "abc", "\u{FEFF}", "\u{FEFF}ab", "a\0", "\0"];
        let raw: [&[u8]; 8] = [
            b"",
            b"a",
            b"ab",
            b"ab\0",
            b"ab\0\xFF",
            b"\xEF\xBB\xBFab",
            b"\0a",
            b"\xEF\xBB\xBF\xEF\xBB\xBF",
        ];
        for (bytes, text) in raw.into_iter().flat_map(|raw| texts.map(|text| (raw, text))) {
            assert_eq!(reads(bytes, text), read(bytes) == Ok(text), "{bytes:?} and {text:?}");
        }
    }
}
