//! UTF-8 to units of 32 bits.

/// How many units are made together.
const GROUP: usize = 16;

/// Writes the code points of `text` to `units`, of which there must be as many.
///
/// Most long texts are of one kind: ASCII, or a script whose characters take three bytes each. Of these a whole group
/// is made at once, without asking each byte what it is.
pub(super) fn widen(text: &str, units: &mut [u32]) {
    let (mut rest, mut places) = (text, units);
    while !places.is_empty() {
        let (made, len) = match places.first_chunk_mut() {
            Some(places) => widen_group(rest, places),
            None => widen_each(rest, places),
        };
        (rest, places) = (&rest[len..], &mut places[made..]);
        if made == 0 {
            break;
        }
    }
}

/// Makes some units, and says how many, and of how many bytes.
#[inline]
fn widen_group(text: &str, units: &mut [u32; GROUP]) -> (usize, usize) {
    if let Some(bytes) = text.as_bytes().first_chunk::<GROUP>()
        && bytes.is_ascii()
    {
        *units = bytes.map(u32::from);
        return (GROUP, GROUP);
    }
    if let Some(bytes) = text.as_bytes().first_chunk::<{ 3 * GROUP }>()
        && let (characters, []) = bytes.as_chunks::<3>()
        && characters.iter().fold(true, |three_each, &[lead, ..]| three_each & (lead >> 4 == 0xE))
    {
        for (unit, &[lead, middle, last]) in units.iter_mut().zip(characters) {
            *unit = u32::from(lead & 0xF) << 12
                | u32::from(middle & 0x3F) << 6
                | u32::from(last & 0x3F);
        }
        return (GROUP, 3 * GROUP);
    }
    widen_each(text, units)
}

fn widen_each(text: &str, units: &mut [u32]) -> (usize, usize) {
    let (mut made, mut len) = (0, 0);
    for (unit, character) in units.iter_mut().zip(text.chars()) {
        *unit = character.into();
        (made, len) = (made + 1, len + character.len_utf8());
    }
    (made, len)
}

#[cfg(test)]
mod tests {
    use super::*;

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
                    for (start, _) in text.char_indices() {
                        let expected: Vec<u32> = text[start..].chars().map(u32::from).collect();
                        let mut units = vec![0; expected.len()];
                        widen(&text[start..], &mut units);
                        assert_eq!(units, expected, "{text:?} from {start} on");
                    }
                }
            }
        }
    }

    #[test]
    fn agrees_with_rust_on_every_code_point() {
        let text: String = ('\0'..=char::MAX).collect();
        let expected: Vec<u32> = text.chars().map(u32::from).collect();
        let mut units = vec![0; expected.len()];
        widen(&text, &mut units);
        assert_eq!(units, expected);
    }
}
