//! UTF-8 and ASCII to the engine's units of 32 bits.

use std::mem::MaybeUninit;

/// How many units are made together.
const GROUP: usize = 16;

/// Writes each byte of an ASCII text as a unit, to all of `units`.
///
/// # Panics
/// There are not as many units as bytes.
#[inline]
pub fn ascii_to_utf32(bytes: &[u8], units: &mut [MaybeUninit<u32>]) {
    assert_eq!(bytes.len(), units.len(), "a unit for each byte");
    let wide = |byte: u8| MaybeUninit::new(u32::from(byte));
    // Four at a time: most texts are too short for what the compiler makes of a plain loop.
    let (places, last_places) = units.as_chunks_mut::<4>();
    let (words, last) = bytes.as_chunks::<4>();
    for (place, word) in places.iter_mut().zip(words) {
        *place = word.map(wide);
    }
    for (place, &byte) in last_places.iter_mut().zip(last) {
        *place = wide(byte);
    }
}

/// Writes the code points of `text` to all of `units`, of which there are to be as many; units that
/// are left over become 0.
///
/// Most long texts are of one kind: ASCII, or a script whose characters take three bytes each. Of these a whole group
/// is made at once, without asking each byte what it is.
pub fn utf8_to_utf32(text: &str, units: &mut [MaybeUninit<u32>]) {
    let (mut rest, mut places) = (text, units);
    while !places.is_empty() {
        let (made, len) = match places.first_chunk_mut() {
            Some(places) => write_group(rest, places),
            None => write_each(rest, places),
        };
        (rest, places) = (&rest[len..], &mut places[made..]);
        if made == 0 {
            break;
        }
    }
    places.fill(MaybeUninit::new(0));
}

/// Makes some units, and says how many, and of how many bytes.
#[inline]
fn write_group(text: &str, units: &mut [MaybeUninit<u32>; GROUP]) -> (usize, usize) {
    if let Some(bytes) = text.as_bytes().first_chunk::<GROUP>()
        && bytes.is_ascii()
    {
        *units = bytes.map(|byte| MaybeUninit::new(u32::from(byte)));
        return (GROUP, GROUP);
    }
    if let Some(bytes) = text.as_bytes().first_chunk::<{ 3 * GROUP }>()
        && let (characters, []) = bytes.as_chunks::<3>()
        && characters.iter().fold(true, |three_each, &[lead, ..]| three_each & (lead >> 4 == 0xE))
    {
        write_three_byte_characters(characters, units);
        return (GROUP, 3 * GROUP);
    }
    write_each(text, units)
}

/// Inlined, it becomes a chain of single steps in a crate that is compiled as one unit, and takes half as long again.
#[inline(never)]
fn write_three_byte_characters(characters: &[[u8; 3]], units: &mut [MaybeUninit<u32>; GROUP]) {
    for (unit, &[lead, middle, last]) in units.iter_mut().zip(characters) {
        unit.write(
            u32::from(lead & 0xF) << 12 | u32::from(middle & 0x3F) << 6 | u32::from(last & 0x3F),
        );
    }
}

fn write_each(text: &str, units: &mut [MaybeUninit<u32>]) -> (usize, usize) {
    let (mut made, mut len) = (0, 0);
    for (unit, character) in units.iter_mut().zip(text.chars()) {
        unit.write(character.into());
        (made, len) = (made + 1, len + character.len_utf8());
    }
    (made, len)
}

#[cfg(test)]
#[allow(unsafe_code)] // to see, under Miri, that all was written
mod tests {
    use super::*;

    /// What stands in `len` units that nobody has written before `write` did.
    fn written(len: usize, write: impl FnOnce(&mut [MaybeUninit<u32>])) -> Vec<u32> {
        let mut units = Vec::with_capacity(len);
        write(&mut units.spare_capacity_mut()[..len]);
        // SAFETY: there is room for them, and all of them were written. Miri sees whether they were.
        unsafe { units.set_len(len) };
        units
    }

    #[test]
    fn every_byte_of_ascii_is_a_unit() {
        for len in 0..20 {
            let bytes: Vec<u8> = (0..len).map(|index| 0x7F - index).collect();
            let expected: Vec<u32> = bytes.iter().copied().map(u32::from).collect();
            assert_eq!(written(bytes.len(), |units| ascii_to_utf32(&bytes, units)), expected);
        }
    }

    #[test]
    fn agrees_with_rust_wherever_the_kinds_change() {
        let kinds = [
            "a plain text of twenty",
            "日本語のテキスト日本語のテキスト日本語",
            "äöüßñ",
            "😀😀",
            "\u{7FF}\u{800}\u{FFFF}\u{10000}",
        ];
        for first in kinds {
            for second in kinds {
                for third in kinds {
                    let text = [first, second, third].concat();
                    // Under Miri a part of them, or it would take hours.
                    let step = if cfg!(miri) { 97 } else { 1 };
                    for (start, _) in text.char_indices().step_by(step) {
                        let expected: Vec<u32> = text[start..].chars().map(u32::from).collect();
                        let units =
                            written(expected.len(), |units| utf8_to_utf32(&text[start..], units));
                        assert_eq!(units, expected, "{text:?} from {start} on");
                    }
                }
            }
        }
    }

    #[test]
    fn agrees_with_rust_on_every_code_point() {
        // Under Miri a part of them, or it would take hours.
        let step = if cfg!(miri) { 997 } else { 1 };
        let text: String = ('\0'..=char::MAX).step_by(step).collect();
        let expected: Vec<u32> = text.chars().map(u32::from).collect();
        assert_eq!(written(expected.len(), |units| utf8_to_utf32(&text, units)), expected);
    }
}
